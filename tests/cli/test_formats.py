"""GraphML, GML, Pajek, adjacency lists, JSON and DOT: to and from NetworkX, and between each other."""
import json
import os
import random
import shutil
import struct
import subprocess

import support
from support import built_in

try:
    import networkx
except ImportError:
    networkx = None


def single(number):
    return struct.unpack("f", struct.pack("f", float(number)))[0]


def example(directed, weights, name, parallel):
    """A graph with loops and vertices that have no edges; weights None, int or float."""
    kinds = {(0, 0): "Graph", (0, 1): "MultiGraph", (1, 0): "DiGraph", (1, 1): "MultiDiGraph"}
    graph = getattr(networkx, kinds[directed, parallel])()
    rng = random.Random(7)
    graph.add_nodes_from(name(i) for i in range(12))
    for _ in range(25):
        weight = rng.randrange(100) if weights is int else rng.random() * 10.0 ** rng.randint(-20, 30)
        graph.add_edge(name(rng.randrange(10)), name(rng.randrange(10)), **({"weight": weight} if weights else {}))
    return graph


def arcs_of(graph, weighted):
    """(source, target, weight) as text and single-precision numbers, both ways where the graph is undirected."""
    arcs = []
    for u, v, data in graph.edges(data=True):
        weight = (single(data["weight"]),) if weighted else ()
        arcs.append((str(u), str(v)) + weight)
        if not graph.is_directed() and u != v:
            arcs.append((str(v), str(u)) + weight)
    return sorted(arcs)


def from_node_link(data):
    for name in ("edges", "links"):  # what NetworkX calls them depends on its version
        if name in data:
            data["links"] = data["edges"] = data[name]
    return networkx.node_link_graph(data)


def read_adjlist(path, directed):
    return networkx.read_adjlist(path, create_using=networkx.DiGraph if directed else networkx.Graph)


NAMES = {"integers": lambda i: 3 * i + 1, "labels": lambda i: "v \"%d\" & <\u00e4>" % i, "words": lambda i: "v%d" % i}
EXAMPLES = [(directed, weights, names, parallel) for directed in (0, 1) for weights in (None, int, float)
            for names, parallel in (("integers", 0), ("labels", 1), ("words", 0), ("words", 1))]


class NetworkX(support.Case):
    def setUp(self):
        super().setUp()
        if networkx is None:
            self.skipTest("NetworkX is not installed")

    def check(self, file, graph, weights):
        """That the file holds this graph, as our own JSON tells."""
        data = json.loads(self.heddle("convert", file, "-", "--to", "json").out)
        self.assertEqual(data["directed"], graph.is_directed())
        self.assertEqual({str(node["id"]) for node in data["nodes"]}, {str(node) for node in graph})
        got = from_node_link(dict(data, multigraph=True))
        self.assertEqual(arcs_of(got, weights), arcs_of(graph, weights))

    def each(self, formats):
        for directed, weights, names, parallel in EXAMPLES:
            for format in formats:
                with self.subTest(format=format, directed=directed, weights=weights, names=names, parallel=parallel):
                    yield format, example(directed, weights, NAMES[names], parallel), weights, names

    def formats(self):
        return ["gml", "json"] + ["graphml"] * built_in("expat")

    def write(self, format, graph):
        path = self.path("theirs." + format)
        if format == "json":
            with open(path, "w") as out:
                json.dump(networkx.node_link_data(graph), out)
        else:
            getattr(networkx, "write_" + format)(graph, path)
        return path

    def test_theirs(self):
        for format, graph, weights, _ in self.each(self.formats()):
            self.check(self.write(format, graph), graph, weights)

    def test_ours(self):
        readers = {"gml": networkx.read_gml, "graphml": networkx.read_graphml, "pajek": networkx.read_pajek,
                   "json": lambda path: from_node_link(json.loads(self.read(path)))}
        suffixes = {"pajek": "net"}
        for format, graph, weights, names in self.each(self.formats() + ["pajek"]):
            if format == "pajek" and names == "labels":
                continue  # it has no way to write quotes
            self.heddle("convert", self.write("json", graph), self.path("g.hdl"))
            ours = self.path("ours." + suffixes.get(format, format))
            self.heddle("convert", self.path("g.hdl"), ours)
            got = readers[format](ours)
            self.assertEqual(got.is_directed(), graph.is_directed())
            self.assertEqual({str(node) for node in got}, {str(node) for node in graph})
            self.assertEqual([arc[:2] for arc in arcs_of(got, weights)], [arc[:2] for arc in arcs_of(graph, weights)])
            self.assertEqual(arcs_of(got, weights), arcs_of(graph, weights))
            self.check(ours, graph, weights)

    def test_pajek_of_theirs(self):
        graph = example(1, int, NAMES["words"], 1)
        path = self.path("theirs.net")
        networkx.write_pajek(graph, path)
        self.check(path, graph, int)

    def test_adjacency_lists(self):
        for directed in (0, 1):
            graph = example(directed, None, NAMES["integers"], 0)
            networkx.write_adjlist(graph, self.path("theirs.adjlist"))
            options = [] if directed else ["--symmetrize"]
            self.heddle("convert", self.path("theirs.adjlist"), self.path("g.hdl"), *options)
            self.check(self.path("g.hdl"), graph, None)
            self.heddle("convert", self.path("g.hdl"), self.path("ours.adjlist"))
            got = read_adjlist(self.path("ours.adjlist"), directed)
            self.assertEqual(arcs_of(got, None), arcs_of(graph, None))
            self.assertEqual({str(node) for node in got}, {str(node) for node in graph})


class Command(support.Case):
    """The files of the issue: none is taken for an edge list."""
    GML = "graph [ directed 1 node [ id 1 ] node [ id 2 ] node [ id 3 ] edge [ source 1 target 2 ] ]\n"

    def test_found_by_content(self):
        files = {"gml": self.GML, "pajek": "*Vertices 3\n*Arcs\n1 2\n", "adjlist": "1 2\n2\n3\n",
                 "json": '{"directed": true, "nodes": [{"id": 1}, {"id": 2}, {"id": 3}], '
                         '"edges": [{"source": 1, "target": 2}]}'}
        if built_in("expat"):
            files["graphml"] = ('<graphml><graph edgedefault="directed"><node id="1"/><node id="2"/><node id="3"/>'
                                '<edge source="1" target="2"/></graph></graphml>')
        for format, text in files.items():
            options = ["--format", "adjlist"] if format == "adjlist" else []
            for suffix in (".txt", ".csv", ""):
                with self.subTest(format=format, suffix=suffix):
                    info = self.info(self.write("g" + suffix, text), *options)
                    self.assertEqual((info["vertices"], info["edges"], info["directed"]), (3, 1, True))

    def test_ambiguous(self):
        words = self.fails(3, "info", self.write("g.txt", "0 1 2\n1 2\n"))
        self.assertIn("--format edgelist", words)
        self.assertIn("--format adjlist", words)
        self.assertEqual(self.info(self.path("g.txt"), "--format", "adjlist")["edges"], 3)

    def test_dictionaries(self):
        """What NetworkX's write_edgelist writes: without attributes, and with weights that would be lost."""
        self.assertEqual(self.info(self.write("g.edgelist", "0 1 {}\n1 2 {'c': 'x'}\n"))["edges"], 2)
        words = self.fails(3, "info", self.write("g.edgelist", "0 1 {'weight': 3}\n1 2 {'weight': 0.5}\n"))
        self.assertIn("write_weighted_edgelist", words)
        self.assertEqual(self.info(self.path("g.edgelist"), "--weight-column", "none")["edges"], 2)

    def test_refused_by_name(self):
        words = self.fails(3, "info", self.write("g.txt", "digraph { a -> b }"))
        self.assertIn("gv2gml", words)
        words = self.fails(3, "info", self.write("g.xml", "<gexf/>"))
        self.assertIn("GEXF", words)
        if not built_in("expat"):
            words = self.fails(1, "info", self.write("g.xml", "<graphml/>"))
            self.assertIn("libexpat1-dev", words)

    def test_dot_can_be_drawn(self):
        if not shutil.which("dot"):
            self.skipTest("Graphviz is not installed")
        self.heddle("convert", self.write("g.gml", self.GML), self.path("g.dot"))
        subprocess.run(["dot", "-Tsvg", "-o", os.devnull, self.path("g.dot")], check=True)


class Back(support.Case):
    """What is written is read back, or not written."""

    def test_labels_like_other_formats(self):
        for second in ("[", "{", "[a]"):
            with self.subTest(second):
                graph = self.write("g.json", json.dumps({
                    "directed": True, "nodes": [], "links": [{"source": "graph", "target": second},
                                                             {"source": second, "target": "graph"}]}))
                for name in ("out.el", "out.tsv", "out.csv"):
                    self.heddle("convert", graph, self.path(name))
                    self.assertEqual(sorted(self.arcs(self.path(name))), sorted(self.arcs(graph)), name)

    def test_labels_that_xml_lacks(self):
        graph = self.write("g.json", '{"nodes": [{"id": "a\\uffff"}], "links": []}')
        self.assertIn("cannot stand in a GraphML file", self.fails(2, "convert", graph, self.path("g.graphml")))
        self.heddle("convert", graph, self.path("g.gml"))
        self.assertEqual(self.info(self.path("g.gml"))["vertices"], 1)

    def test_graphs_without_vertices(self):
        graph = self.write("g.gml", "graph [ directed 1 ]")
        for name in ("g.adjlist", "g.txt", "g.net", "g.json"):
            self.heddle("convert", graph, self.path(name))
            self.assertEqual(self.info(self.path(name))["vertices"], 0, name)


if __name__ == "__main__":
    support.main()
