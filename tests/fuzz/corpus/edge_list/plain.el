# Nodes: 3 Edges: 2
1	2
2	3
