# c
graph [ edge [ source 1 target 2 ] node [ id 1 ] ]