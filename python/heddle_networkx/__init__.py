"""Heddle as a backend of NetworkX: `nx.pagerank(G, backend="heddle")`, or NETWORKX_BACKEND_PRIORITY=heddle.

`info` is what NetworkX reads when it is imported, and imports nothing else. `interface` has the functions."""
