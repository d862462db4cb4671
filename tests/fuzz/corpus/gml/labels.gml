Creator "x"
graph [ directed 1 node [ id 1 label "a&quot;&#228;" graphics [ x [ y 1 ] ] ] node [ id 2 label "b" ]
edge [ source 1 target 2 weight -2.5e3 value 7 ] ]
