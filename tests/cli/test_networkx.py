"""Every algorithm against NetworkX, SciPy or NumPy on small graphs. Skipped where they are not installed."""
import collections
import itertools
import json
import math
import random
import sys

import support

try:
    import networkx
    import numpy
    import scipy.sparse
    import scipy.sparse.csgraph
    import scipy.sparse.linalg
except ImportError as missing:
    print("skipped: %s" % missing)
    sys.exit(support.SKIPPED)


def weighted(graph, seed, real):
    chance = random.Random(seed)
    for _, _, data in graph.edges(data=True):
        data["weight"] = chance.randint(32, 600) / 64 if real else chance.randint(1, 20)  # exact in single precision
    return graph


def graphs():
    """Name and graph: directed and not, whole and real weights, loops, pieces, isolated vertices."""
    karate = networkx.Graph(networkx.karate_club_graph().edges())
    yield "karate", weighted(karate, 1, False)
    yield "sparse", weighted(networkx.gnp_random_graph(60, 0.03, seed=2), 2, True)
    yield "directed", weighted(networkx.gnp_random_graph(50, 0.05, seed=3, directed=True), 3, False)
    yield "dense directed", weighted(networkx.gnp_random_graph(40, 0.3, seed=4, directed=True), 4, True)
    yield "grid", weighted(networkx.convert_node_labels_to_integers(networkx.grid_2d_graph(7, 8)), 5, False)
    yield "preferential", weighted(networkx.barabasi_albert_graph(80, 2, seed=6), 6, True)
    web = networkx.DiGraph(networkx.scale_free_graph(70, seed=7))
    yield "web", weighted(web, 7, False)


def on_every_graph(test):
    """A test that takes a graph and its file."""
    def run(self):
        for name, graph in graphs():
            with self.subTest(graph=name):
                test(self, graph, self.save(graph))
    return run


class Case(support.Case):
    def save(self, graph):
        """Writes the graph with its isolated vertices; vertices are 0 .. n-1."""
        symmetry = "general" if graph.is_directed() else "symmetric"
        n, lines = graph.number_of_nodes(), []
        for u, v, data in graph.edges(data=True):
            u, v = (u, v) if graph.is_directed() else (max(u, v), min(u, v))
            lines.append("%d %d %r\n" % (u + 1, v + 1, data["weight"]))
        field = "integer" if all(isinstance(d["weight"], int) for _, _, d in graph.edges(data=True)) else "real"
        text = "%%%%MatrixMarket matrix coordinate %s %s\n%d %d %d\n" % (field, symmetry, n, n, len(lines))
        return self.write("g.mtx", text + "".join(lines))

    def rows(self, *arguments):
        verify = [] if "--max-iterations" in arguments else ["--verify"]  # so many rounds are compared, not the limit
        out = self.heddle(*arguments, "--quiet", *verify, "--output", "-").out.decode()
        return [line.split("\t") for line in out.splitlines()]

    def values(self, *arguments):
        """Vertex to value, as the library numbers them from 0."""
        return {int(row[0]) - 1: float(row[1]) for row in self.rows(*arguments)}

    def labels(self, *arguments):
        return {vertex: int(label) - 1 for vertex, label in self.values(*arguments).items()}

    def assertClose(self, got, wanted, places, message=None):
        self.assertEqual(set(got), set(wanted), message)
        for vertex, value in wanted.items():
            if math.isinf(value):
                self.assertEqual(got[vertex], value, message)
            else:
                self.assertAlmostEqual(got[vertex], value, delta=10.0 ** -places * max(1, abs(value)), msg=message)


def matrix(graph):
    return networkx.to_scipy_sparse_array(graph, nodelist=range(graph.number_of_nodes()), weight="weight", format="csr")


def in_matrix(graph):
    """Row v holds the weights of the edges that enter v."""
    return numpy.array(networkx.to_numpy_array(graph, nodelist=range(graph.number_of_nodes()), weight="weight")).T


class Paths(Case):
    @on_every_graph
    def test_bfs(self, graph, path):
        for source in (0, graph.number_of_nodes() // 2):
            wanted = dict.fromkeys(graph, math.inf)
            wanted.update(networkx.single_source_shortest_path_length(graph, source))
            self.assertClose(self.values("bfs", path, "--source", source + 1), wanted, 9)

    @on_every_graph
    def test_sssp(self, graph, path):
        wanted = dict.fromkeys(graph, math.inf)
        wanted.update(networkx.single_source_dijkstra_path_length(graph, 1))
        got = self.values("sssp", path, "--source", 2)
        self.assertClose(got, wanted, 5)
        distances = scipy.sparse.csgraph.dijkstra(matrix(graph), indices=1)
        self.assertClose(got, dict(enumerate(distances)), 5)

    @on_every_graph
    def test_several_sources(self, graph, path):
        sources = [0, 5, 17]
        wanted = dict.fromkeys(graph, math.inf)
        wanted.update(networkx.multi_source_dijkstra_path_length(graph, set(sources)))
        got = self.values("sssp", path, "--source", ",".join(str(v + 1) for v in sources))
        self.assertClose(got, wanted, 5)

    @on_every_graph
    def test_paths_are_paths(self, graph, path):
        there = networkx.has_path(graph, 0, 29)
        report = json.loads(self.heddle("sssp", path, "--source", 1, "--path-to", 30, "--json",
                                        status=0 if there else 1).out)
        if not there:
            self.assertIsNone(report["path"])
            return
        ids = [int(vertex) - 1 for vertex in report["path"]["ids"]]
        length = sum(graph[u][v]["weight"] for u, v in zip(ids, ids[1:]))
        self.assertAlmostEqual(length, networkx.dijkstra_path_length(graph, 0, 29), places=4)
        self.assertAlmostEqual(report["path"]["value"], length, places=4)

    @on_every_graph
    def test_sswp(self, graph, path):
        wanted = dict.fromkeys(graph, -math.inf)
        wanted[3] = math.inf
        for _ in graph:
            for u, v, data in list(graph.edges(data=True)) + (
                    [] if graph.is_directed() else [(v, u, data) for u, v, data in graph.edges(data=True)]):
                wanted[v] = max(wanted[v], min(wanted[u], data["weight"]))
        self.assertClose(self.values("sswp", path, "--source", 4), wanted, 5)


class Components(Case):
    def agree(self, graph, labels, components):
        wanted = {vertex: min(component) for component in components for vertex in component}
        self.assertEqual(labels, wanted)

    @on_every_graph
    def test_cc(self, graph, path):
        found = networkx.weakly_connected_components if graph.is_directed() else networkx.connected_components
        labels = self.labels("cc", path)
        self.agree(graph, labels, list(found(graph)))
        count, _ = scipy.sparse.csgraph.connected_components(matrix(graph), connection="weak")
        self.assertEqual(len(set(labels.values())), count)

    @on_every_graph
    def test_scc(self, graph, path):
        directed = graph if graph.is_directed() else graph.to_directed()
        labels = self.labels("scc", path)
        self.agree(graph, labels, list(networkx.strongly_connected_components(directed)))
        count, _ = scipy.sparse.csgraph.connected_components(matrix(graph), connection="strong")
        self.assertEqual(len(set(labels.values())), count)

    @on_every_graph
    def test_mst(self, graph, path):
        simple = networkx.Graph()
        simple.add_nodes_from(graph)
        for u, v, data in graph.edges(data=True):
            if u != v and data["weight"] < simple.get_edge_data(u, v, {"weight": math.inf})["weight"]:
                simple.add_edge(u, v, weight=data["weight"])
        forest = networkx.Graph()
        forest.add_weighted_edges_from((int(u) - 1, int(v) - 1, float(w)) for u, v, w in self.rows("mst", path))
        for u, v, data in forest.edges(data=True):
            self.assertAlmostEqual(simple[u][v]["weight"], data["weight"], places=5)
        wanted = networkx.minimum_spanning_tree(simple)
        self.assertEqual(forest.number_of_edges(), wanted.number_of_edges())
        self.assertTrue(not forest.edges or networkx.is_forest(forest))
        self.assertAlmostEqual(forest.size(weight="weight"), wanted.size(weight="weight"), places=3)
        total = scipy.sparse.csgraph.minimum_spanning_tree(matrix(simple)).sum()
        self.assertAlmostEqual(forest.size(weight="weight"), total, places=3)


def underneath(graph):
    """The simple undirected graph underneath."""
    simple = networkx.Graph()
    simple.add_nodes_from(graph)
    simple.add_edges_from((u, v) for u, v in graph.edges() if u != v)
    return simple


class Dense(Case):
    @on_every_graph
    def test_tc(self, graph, path):
        self.assertEqual(self.values("tc", path), networkx.triangles(underneath(graph)))

    @on_every_graph
    def test_kcore(self, graph, path):
        self.assertEqual(self.values("kcore", path), networkx.core_number(underneath(graph)))

    @on_every_graph
    def test_degree(self, graph, path):
        ways = (("both", graph.degree), ("out", getattr(graph, "out_degree", graph.degree)),
                ("in", getattr(graph, "in_degree", graph.degree)))
        for direction, expected in ways:
            self.assertEqual(self.values("degree", path, "--direction", direction), dict(expected()))
            for v, value in self.values("degree", path, "--direction", direction, "--weighted").items():
                self.assertAlmostEqual(value, expected(weight="weight")[v], delta=1e-9)

    def edges(self, *arguments):
        lines = self.heddle(*arguments, "-q", "-o", "-").out.decode().splitlines()
        return [(int(u) - 1, int(v) - 1, int(w)) for u, v, w in (line.split("\t") for line in lines)]

    @on_every_graph
    def test_trusses(self, graph, path):
        simple = underneath(graph)
        numbers = {(u, v): number for u, v, number in self.edges("truss", path)}
        for k in range(2, max(numbers.values(), default=1) + 2):
            self.assertEqual({edge for edge, number in numbers.items() if number >= k},
                             {(min(edge), max(edge)) for edge in networkx.k_truss(simple, k).edges})

    @on_every_graph
    def test_blocks(self, graph, path):
        simple = underneath(graph)
        bridges = {(u, v): side for u, v, side in self.edges("bridges", path)}
        self.assertEqual(set(bridges), {(min(edge), max(edge)) for edge in networkx.bridges(simple)})
        for (u, v), side in bridges.items():
            without = simple.copy()
            without.remove_edge(u, v)
            self.assertEqual(side, min(len(networkx.node_connected_component(without, end)) for end in (u, v)))
        blocks = collections.defaultdict(set)
        for u, v, block in self.edges("biconnected", path):
            blocks[block].add((u, v))
        expected = [{(min(edge), max(edge)) for edge in block}
                    for block in networkx.biconnected_component_edges(simple)]
        self.assertEqual(sorted(map(sorted, blocks.values())), sorted(map(sorted, expected)))
        pieces = self.values("articulation", path)
        self.assertEqual({v for v, more in pieces.items() if more}, set(networkx.articulation_points(simple)))
        for v, more in pieces.items():
            without = simple.subgraph(set(simple) - {v})
            components = networkx.number_connected_components(simple)
            self.assertEqual(more, max(0, networkx.number_connected_components(without) - components))

    @on_every_graph
    def test_bipartite(self, graph, path):
        tree = networkx.create_empty_copy(networkx.Graph(graph))
        tree.add_edges_from(networkx.bfs_edges(networkx.Graph(graph), 0))
        for one in (graph, tree):
            saved = path if one is graph else self.save(weighted(one, 1, False))
            undirected = networkx.Graph(one)
            report = json.loads(self.heddle("bipartite", saved, "--json", "--verify").out)
            self.assertEqual(report["summary"]["bipartite"], networkx.is_bipartite(undirected))
            if report["summary"]["bipartite"]:
                sides = self.values("bipartite", saved)
                self.assertTrue(all(sides[u] != sides[v] for u, v in undirected.edges()))
            else:
                cycle = self.edges("bipartite", saved)
                self.assertEqual(len(cycle) % 2, 1)
                for (_, end, _), (start, _, _) in zip(cycle, cycle[1:] + cycle[:1]):
                    self.assertEqual(end, start)
                self.assertTrue(all(undirected.has_edge(u, v) for u, v, _ in cycle))

    @on_every_graph
    def test_toposort(self, graph, path):
        acyclic = networkx.DiGraph((min(edge), max(edge), {"weight": data["weight"]})
                                   for *edge, data in graph.edges(data=True) if edge[0] != edge[1])
        acyclic.add_nodes_from(graph)
        directed = graph.to_directed()
        report = json.loads(self.heddle("toposort", path, "--json", "--verify").out)
        self.assertEqual(report["summary"]["acyclic"], networkx.is_directed_acyclic_graph(directed))
        if not report["summary"]["acyclic"]:
            cycle = self.edges("toposort", path)
            self.assertTrue(all(directed.has_edge(u, v) for u, v, _ in cycle))
            self.assertTrue(all(a[1] == b[0] for a, b in zip(cycle, cycle[1:] + cycle[:1])))
        saved = self.save(acyclic)
        levels = {v: k for k, level in enumerate(networkx.topological_generations(acyclic)) for v in level}
        self.assertEqual(self.values("toposort", saved), levels)
        report = json.loads(self.heddle("toposort", saved, "--weighted", "--json", "--verify").out)
        self.assertAlmostEqual(report["summary"]["longest"], networkx.dag_longest_path_length(acyclic), delta=1e-9)

    @on_every_graph
    def test_info(self, graph, path):
        report = json.loads(self.heddle("info", path, "--json", "--structure").out)
        if not graph.is_multigraph() and not networkx.number_of_selfloops(graph):
            self.assertAlmostEqual(report["density"], networkx.density(graph), delta=1e-12)
            expected = networkx.overall_reciprocity(graph) if graph.is_directed() else 1
            self.assertAlmostEqual(report["reciprocity"], expected, delta=1e-12)
            expected = networkx.degree_assortativity_coefficient(graph)
            if expected == expected and abs(expected) <= 1:
                self.assertAlmostEqual(report["assortativity"], expected, delta=1e-6)
            if not graph.is_directed():
                self.assertAlmostEqual(report["transitivity"], networkx.transitivity(graph), delta=1e-12)
        undirected = networkx.Graph(graph)
        self.assertEqual(report["bipartite"], networkx.is_bipartite(undirected))
        self.assertEqual(report["forest"], networkx.is_forest(graph))
        if graph.is_directed():
            self.assertEqual(report["acyclic"], networkx.is_directed_acyclic_graph(graph))

    @on_every_graph
    def test_similar(self, graph, path):
        simple, nodes = underneath(graph), sorted(graph)[:12]
        pairs = [(u, v) for u in nodes for v in nodes if u != v]
        for measure, expected in (("jaccard", networkx.jaccard_coefficient),
                                  ("adamic-adar", networkx.adamic_adar_index),
                                  ("resources", networkx.resource_allocation_index),
                                  ("attachment", networkx.preferential_attachment)):
            scores = {(u, v): score for u, v, score in expected(simple, pairs)}
            file = self.write("pairs.txt", "".join("%d %d\n" % (u + 1, v + 1) for u, v in pairs))
            for row in self.similar(path, "--measure", measure, "--pairs", file):
                self.assertAlmostEqual(row[2], scores.pop(row[:2]), delta=1e-9)
            self.assertFalse(scores)
        best = sorted(((-score, u, v) for u, v, score in
                       networkx.jaccard_coefficient(simple, list(itertools.combinations(sorted(simple), 2)))
                       if score))[:7]
        self.assertEqual([row[:2] for row in self.similar(path, "--count", 7)], [(u, v) for _, u, v in best])
        apart = [(u, v) for u, v in networkx.non_edges(simple) if min(simple.degree(u), simple.degree(v)) >= 2]
        best = sorted((-score, min(u, v), max(u, v))
                      for u, v, score in networkx.resource_allocation_index(simple, apart) if score)[:7]
        found = self.similar(path, "--count", 7, "--measure", "resources", "--not-neighbours", "--min-degree", 2)
        self.assertEqual(len(found), len(best))
        for (_, _, score), (expected, _, _) in zip(found, best):
            self.assertAlmostEqual(score, -expected, delta=1e-9)
        self.assertTrue(all((u, v) in apart or (v, u) in apart for u, v, _ in found))

    def similar(self, path, *more):
        lines = self.heddle("similar", path, "-q", "-o", "-", *map(str, more)).out.decode().splitlines()
        return [(int(u) - 1, int(v) - 1, float(score)) for u, v, score in map(str.split, lines)]

    @on_every_graph
    def test_cdlp(self, graph, path):
        """Synchronous label propagation, as Graphalytics writes it down."""
        labels = {v: v for v in graph}
        for rounds in range(1, 5):
            near = {v: list(graph.successors(v)) + list(graph.predecessors(v)) if graph.is_directed()
                    else list(graph[v]) for v in graph}
            counts = {v: collections.Counter(labels[u] for u in near[v]) for v in graph}
            labels = {v: min(counts[v], key=lambda label: (-counts[v][label], label)) if near[v] else labels[v]
                      for v in graph}
            self.assertEqual(self.labels("cdlp", path, "--max-iterations", rounds), labels)

    @on_every_graph
    def test_distances(self, graph, path):
        for options, expected in (((), networkx.closeness_centrality(graph)),
                                  (("--reachable-only",), networkx.closeness_centrality(graph, wf_improved=False))):
            self.assertClose(self.values("closeness", path, *options), expected, 12)
        self.assertClose(self.values("harmonic", path), networkx.harmonic_centrality(graph), 12)
        far = {v: max(networkx.single_source_shortest_path_length(graph, v).values()) for v in graph}
        self.assertClose(self.values("eccentricity", path), far, 12)

    @on_every_graph
    def test_modularity(self, graph, path):
        """About as good as NetworkX, whose own functions compute the same modularity."""
        if graph.is_directed():
            return
        for weight, more in ((None, ()), ("weight", ("--weighted",))):
            wanted = networkx.community.louvain_communities(graph, weight=weight, seed=1)
            best = networkx.community.modularity(graph, wanted, weight=weight)
            for algorithm in ("louvain", "leiden"):
                found = collections.defaultdict(set)
                for vertex, label in self.labels(algorithm, path, *more).items():
                    found[label].add(vertex)
                value = networkx.community.modularity(graph, found.values(), weight=weight)
                self.assertGreater(value, best - 0.03, algorithm)
                report = json.loads(self.heddle(algorithm, path, "--json", "-q", *more).out)
                self.assertAlmostEqual(report["summary"]["modularity"], value, delta=1e-9)
                if algorithm == "leiden":
                    self.assertTrue(all(networkx.is_connected(graph.subgraph(c)) for c in found.values()))

    @on_every_graph
    def test_spectral(self, graph, path):
        exact = ("--tolerance", "1e-12", "--max-iterations", "100000")
        n, A = len(graph), networkx.to_numpy_array(graph, nodelist=range(len(graph)), weight="weight")
        arcs = (A != 0).astype(float)
        for matrix, more in ((arcs, ()), (A, ("--weighted",))):
            alpha = 0.5 / max(matrix.sum(0).max(), 1)
            wanted = numpy.linalg.solve(numpy.eye(n) - alpha * matrix.T, numpy.ones(n))
            got = self.values("katz", path, "--alpha", repr(alpha), *more, *exact)
            self.assertClose(got, dict(enumerate(wanted)), 9)
            got = self.values("katz", path, "--alpha", repr(alpha), "--normalized", *more, *exact)
            self.assertClose(got, dict(enumerate(wanted / numpy.linalg.norm(wanted))), 9)
            for flags, product in (((), matrix.T @ matrix), (("--hubs",), matrix @ matrix.T)):
                x = numpy.full(n, 1 / n)
                for _ in range(4000):
                    x = product @ x
                    x /= x.sum()
                self.assertClose(self.values("hits", path, *flags, *more, *exact), dict(enumerate(x)), 6)
        if graph.is_directed() or not networkx.is_connected(graph):
            return
        values, vectors = numpy.linalg.eigh(arcs)
        self.assertClose(self.values("eigenvector", path, *exact), dict(enumerate(abs(vectors[:, -1]))), 7)

    @on_every_graph
    def test_lcc(self, graph, path):
        """As Graphalytics defines it, which on undirected graphs is what NetworkX has."""
        simple, wanted = underneath(graph), {}
        arcs = set(graph.to_directed().edges())
        for v in graph:
            near, d = set(simple[v]), len(simple[v])
            found = sum(1 for a in near for b in near if a != b and (a, b) in arcs)
            wanted[v] = found / (d * (d - 1)) if d > 1 else 0
        got = self.values("lcc", path)
        self.assertClose(got, wanted, 12)
        if not graph.is_directed():
            self.assertClose(got, networkx.clustering(simple), 12)


class Ranks(Case):
    EXACT = ["--precision", "double", "--tolerance", "1e-12", "--max-iterations", "1000"]

    @on_every_graph
    def test_pagerank(self, graph, path):
        n = graph.number_of_nodes()
        for alpha in (0.85, 0.5):
            wanted = networkx.pagerank(graph, alpha=alpha, tol=1e-13 / n, max_iter=2000, weight=None)
            self.assertClose(self.values("pr", path, "--damping", alpha, *self.EXACT), wanted, 8)
        single = self.values("pr", path)
        self.assertClose(single, networkx.pagerank(graph, tol=1e-13 / n, max_iter=2000, weight=None), 5)

    @on_every_graph
    def test_weighted_pagerank(self, graph, path):
        wanted = networkx.pagerank(graph, tol=1e-14, max_iter=2000, weight="weight")
        self.assertClose(self.values("pr", path, "--weighted", *self.EXACT), wanted, 6)

    @on_every_graph
    def test_personalized_pagerank(self, graph, path):
        person = {0: 1.0, 3: 2.5}
        file = self.write("person.txt", "".join("%d %r\n" % (v + 1, w) for v, w in person.items()))
        wanted = networkx.pagerank(graph, personalization=person, tol=1e-14, max_iter=2000, weight=None)
        self.assertClose(self.values("pr", path, "--personalize", file, *self.EXACT), wanted, 8)

    @on_every_graph
    def test_betweenness(self, graph, path):
        for normalized in (False, True):
            wanted = networkx.betweenness_centrality(graph, normalized=normalized)
            arguments = ["--normalized"] if normalized else []
            self.assertClose(self.values("bc", path, *arguments), wanted, 9)


class Steady(Case):
    EXACT = ["--precision", "double", "--tolerance", "1e-13", "--max-iterations", "1000000"]

    @on_every_graph
    def test_circuit(self, graph, path):
        """Voltages solve a linear system: every vertex that a terminal reaches is the mean of its neighbours."""
        n, weights = graph.number_of_nodes(), in_matrix(graph)
        fixed = {0: 1.0, n - 1: 0.0}
        got = self.values("cs", path, *self.EXACT)
        for v in range(n):
            if v in fixed:
                self.assertEqual(got[v], fixed[v])
            elif weights[v].sum() > 0:
                mean = sum(weights[v, u] * got[u] for u in range(n)) / weights[v].sum()
                self.assertAlmostEqual(got[v], mean, places=9)
            else:
                self.assertEqual(got[v], 0)
        if networkx.is_connected(graph.to_undirected()) and not graph.is_directed():
            rows = numpy.diag(weights.sum(axis=1)) - weights
            right = numpy.zeros(n)
            for v, value in fixed.items():
                rows[v] = 0
                rows[v, v] = 1
                right[v] = value
            self.assertClose(got, dict(enumerate(numpy.linalg.solve(rows, right))), 6)

    @on_every_graph
    def test_heat(self, graph, path):
        """Ten rounds, as NumPy makes them."""
        n, weights = graph.number_of_nodes(), in_matrix(graph)
        heat = numpy.zeros(n)
        heat[0] = 1
        total = weights.sum(axis=1)
        for _ in range(10):
            flow = (weights @ heat - total * heat) / numpy.where(total > 0, total, 1)
            heat = heat + 0.5 * flow
            heat[0] = 1
        got = self.values("hs", path, "--precision", "double", "--max-iterations", "10", "--tolerance", "1e-300")
        self.assertClose(got, dict(enumerate(heat)), 9)

    @on_every_graph
    def test_neurons(self, graph, path):
        n, weights = graph.number_of_nodes(), in_matrix(graph)
        values, inputs = numpy.ones(n), weights.sum(axis=1) == 0
        for _ in range(5):
            values = numpy.where(inputs, values, numpy.tanh(weights @ values))
        got = self.values("nn", path, "--precision", "double", "--max-iterations", "5", "--tolerance", "1e-300")
        self.assertClose(got, dict(enumerate(values)), 9)


if __name__ == "__main__":
    support.main()
