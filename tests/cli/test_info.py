"""heddle info: the figures, by hand on small graphs; the JSON; the text; the options that change the graph."""
import json
import os

import support

CONTRACT = {
    "vertices": int, "edges": int, "directed": bool, "weighted": bool, "self_loops": int, "duplicate_edges": int,
    "forest": bool, "density": (int, float), "reciprocity": (int, float),
    "max_out_degree": int, "mean_degree": (int, float), "components": int, "bytes_csr": int,
}
REST = ["median_degree", "p99_degree", "gini", "degree_deviation", "warp_efficiency", "isolated", "max_in_degree",
        "assortativity", "weight_min", "weight_max", "weight_type",
        "largest_component", "estimated_diameter", "degree_histogram",
        "id_type", "first_id", "last_id", "max_out_id", "phases"]


class Figures(support.Case):
    def test_undirected_edges_are_counted_once(self):
        """Two arcs are an edge, and so is a loop."""
        graph = self.write("g.txt", "1 2\n2 3\n3 3\n")
        out = self.heddle("info", graph, "--undirected").out.decode()
        self.assertRegex(out, r"\n  edges +3 \(5 arcs\), undirected\n")
        report = self.info(graph, "--undirected")
        self.assertEqual((report["edges"], report["undirected_edges"]), (5, 3))
        self.assertIsNone(self.info(graph)["undirected_edges"])
        out = self.heddle("cc", graph, "--undirected").out.decode()
        self.assertIn("  3 vertices, 3 edges (5 arcs), undirected\n", out)
        said = self.heddle("cc", graph, "--undirected", "--output", "-").err
        self.assertIn("g.txt: 3 vertices, 3 edges (5 arcs); ", said)
        report = json.loads(self.heddle("cc", graph, "--undirected", "--json").out)["graph"]
        self.assertEqual(report, {"vertices": 3, "edges": 5, "directed": False, "undirected_edges": 3})

    def test_one_is_singular(self):
        graph = self.write("g.txt", "1 1\n")
        said = self.heddle("pr", graph, "--output", "-", "--max-iterations", 1).err
        self.assertIn("g.txt: 1 vertex, 1 edge; 1 iteration", said)
        self.assertIn("the largest with 1 vertex (", self.heddle("info", graph).out.decode())

    def test_keys_of_the_contract(self):
        report = self.info(self.write("g.txt", "1 2\n2 3\n"))
        for key, kind in CONTRACT.items():
            self.assertIsInstance(report[key], kind, key)
        for key in REST:
            self.assertIn(key, report)
        self.assertEqual(set(report["phases"]), {"load", "stats"})

    def test_small_graph(self):
        # a triangle with a parallel edge and a loop, a pair, in ids with holes
        file = self.write("g.txt", "# comment\n10 20 5\n10 20 7\n20 30 1\n30 10 2\n30 30 9\n70 80 3\n")
        report = self.info(file)
        wanted = dict(vertices=5, edges=6, directed=True, weighted=True, self_loops=1, duplicate_edges=1, isolated=0,
                      max_out_degree=2, max_in_degree=2, mean_degree=1.2, median_degree=1, components=2,
                      largest_component=3, weight_min=1, weight_max=9, weight_type="u32", id_type="int64", first_id=10,
                      last_id=80, max_out_id=10, estimated_diameter=1)
        for key, value in wanted.items():
            self.assertEqual(report[key], value, key)
        self.assertEqual(report["bytes_csr"], 8 * 6 + 4 * 6 + 4 * 6)
        self.assertEqual(report["degree_histogram"], [dict(min=0, max=0, vertices=1), dict(min=1, max=1, vertices=2),
                                                      dict(min=2, max=3, vertices=2)])

    def test_path_and_star(self):
        path = "".join("%d %d\n" % (i, i + 1) for i in range(99))
        report = self.info(self.write("path.txt", path), "--symmetrize")
        self.assertEqual((report["vertices"], report["edges"], report["directed"]), (100, 198, False))
        self.assertEqual(report["estimated_diameter"], 99)
        self.assertEqual(report["components"], 1)
        star = "".join("0 %d\n" % i for i in range(1, 1001))
        report = self.info(self.write("star.txt", star))
        self.assertEqual((report["max_out_degree"], report["max_in_degree"]), (1000, 1))
        self.assertEqual(report["median_degree"], 0)
        self.assertGreater(report["gini"], 0.99)
        self.assertLess(report["warp_efficiency"], 0.05)

    def test_weights(self):
        for name, text, kind, low, high in (
            ("none", "1 2\n", None, None, None),
            ("unsigned", "1 2 3\n2 1 4294967295\n", "u32", 3, 4294967295),
            ("signed", "1 2 -3\n2 1 7\n", "i32", -3, 7),
            ("real", "1 2 0.5\n2 1 -1e3\n", "f32", -1000, 0.5),
        ):
            report = self.info(self.write(name + ".txt", text))
            self.assertEqual(report["weighted"], kind is not None, name)
            self.assertEqual(report["weight_type"], kind, name)
            self.assertEqual((report["weight_min"], report["weight_max"]), (low, high), name)

    def test_ids(self):
        for name, text, kind, first, last in (
            ("negative", "-5 3\n3 -7\n", "int64", -7, 3),
            ("large", "0 18446744073709551615\n", "uint64", 0, 18446744073709551615),
            ("extreme", "-9223372036854775808 9223372036854775807\n", "int64", -(2**63), 2**63 - 1),
            ("names", "bob alice\nalice carol\n", "string", "bob", "carol"),
        ):
            report = self.info(self.write(name + ".txt", text))
            self.assertEqual((report["id_type"], report["first_id"], report["last_id"]), (kind, first, last), name)

    def test_no_edges(self):
        report = self.info(self.write("g.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 0\n"))
        self.assertEqual((report["vertices"], report["edges"], report["isolated"], report["components"]), (3, 0, 3, 3))
        self.assertEqual(report["degree_histogram"], [dict(min=0, max=0, vertices=3)])
        report = self.info(self.write("e.mtx", "%%MatrixMarket matrix coordinate pattern general\n0 0 0\n"))
        self.assertEqual((report["vertices"], report["edges"], report["components"]), (0, 0, 0))
        self.assertIsNone(report["first_id"])
        self.assertIn(b"vertices", self.heddle("info", self.path("e.mtx")).out)
        self.assertEqual(self.info(self.write("comments.txt", "# nothing\n# at all\n"))["vertices"], 0)


class Changes(support.Case):
    """--symmetrize, --no-loops, --dedup, --no-isolated, --vertices, --weight-column, --ids, --format."""

    def setUp(self):
        super().setUp()
        self.file = self.write("g.txt", "1 2 5\n1 2 3\n2 1 4\n2 3 1\n3 3 8\n")

    def test_symmetrize(self):
        report = self.info(self.file, "--symmetrize", "--dedup")
        self.assertEqual((report["edges"], report["directed"], report["self_loops"]), (5, False, 1))
        arcs = self.arcs(self.file, "--symmetrize", "--dedup=min")
        self.assertEqual(arcs, [("1", "2", "3"), ("2", "1", "3"), ("2", "3", "1"), ("3", "2", "1"), ("3", "3", "8")])

    def test_loops(self):
        report = self.info(self.file, "--no-loops")
        self.assertEqual((report["vertices"], report["edges"], report["self_loops"]), (3, 4, 0))

    def test_duplicates(self):
        for how, weight in (("", "5"), ("=first", "5"), ("=min", "3"), ("=max", "5"), ("=sum", "8")):
            arcs = self.arcs(self.file, "--dedup" + how)
            self.assertEqual(arcs[0], ("1", "2", weight), how)
            self.assertEqual(len(arcs), 4)

    def test_isolated(self):
        file = self.write("loop.txt", "1 2\n7 7\n")
        self.assertEqual(self.info(file, "--no-loops")["vertices"], 3)
        report = self.info(file, "--no-loops", "--no-isolated")
        self.assertEqual((report["vertices"], report["last_id"]), (2, 2))

    def test_vertices(self):
        report = self.info(self.file, "--vertices", "10")
        self.assertEqual((report["vertices"], report["isolated"], report["first_id"], report["last_id"]), (10, 7, 0, 9))

    def test_weight_column(self):
        file = self.write("wide.csv", "1,2,5,0.5\n2,3,6,0.25\n")
        self.assertEqual(self.info(file)["weight_max"], 6)
        self.assertEqual(self.info(file, "--weight-column", "4")["weight_max"], 0.5)
        self.assertFalse(self.info(file, "--weight-column", "none")["weighted"])
        self.assertEqual(self.info(file, "--weight-column", "auto")["weight_type"], "u32")

    def test_ids_as_strings(self):
        file = self.write("n.txt", "007 7\n7 007\n")
        self.assertEqual(self.info(file, "--ids", "int")["vertices"], 1)
        self.assertEqual(self.info(file)["vertices"], 2)
        self.assertEqual(self.info(file, "--ids", "string")["vertices"], 2)

    def test_options_without_effect(self):
        """Options about edge lists are noted where another format ignores them and they would change something."""
        matrix = self.write("m.mtx", "%%MatrixMarket matrix coordinate integer general\n3 3 1\n1 2 7\n")
        pattern = self.write("p.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 2\n")
        names = self.write("g.json", '{"nodes": [{"id": 1}], "links": [{"source": 1, "target": 1, "weight": 5}]}')
        for file, option, value, noted in (
                (matrix, "--vertices", "9", True), (matrix, "--weight-column", "none", True),
                (matrix, "--weight-column", "3", True), (matrix, "--ids", "string", True),
                (matrix, "--ids", "int", False), (pattern, "--weight-column", "none", False),
                (names, "--vertices", "9", True), (names, "--weight-column", "3", True),
                (names, "--weight-column", "none", False), (names, "--ids", "string", False),
                (self.file, "--vertices", "9", False)):
            with self.subTest(file=file, option=option, value=value):
                words = self.heddle("info", file, option, value).err
                self.assertEqual("where %s has no effect" % option in words, noted, words)
        for option in (["--in-edges"], ["--order", "degree"]):
            words = self.heddle("convert", self.file, self.path("out.el"), *option).err
            self.assertIn("written as edgelist, where %s has no effect" % option[0], words)
            self.assertNotIn("no effect", self.heddle("convert", self.file, self.path("out.hdl"), *option).err)

    def test_format_by_content_and_by_name(self):
        dimacs = "c comment\np sp 3 2\na 1 2 5\na 2 3 6\n"
        for name in ("g.gr", "g.txt2", "g"):
            self.assertEqual(self.info(self.write(name, dimacs))["weight_max"], 6, name)
        metis = self.write("g.unknown", "3 2\n2\n1 3\n2\n")
        report = self.info(metis, "--format", "metis")
        self.assertEqual((report["vertices"], report["edges"], report["directed"]), (3, 4, False))


class Text(support.Case):
    def test_words(self):
        file = self.write("g.txt", "1 2 5\n1 3 6\n")
        text = self.heddle("info", file).out.decode()
        for part in ("g.txt", "vertices", "directed", "self loops", "duplicate edges", "isolated", "out-degree",
                     "median", "Gini", "components", "diameter", "ignoring direction", "memory", "5 .. 6", "bytes"):
            self.assertIn(part, text)

    def test_histogram_in_ascii_and_in_unicode(self):
        file = self.write("g.txt", "".join("0 %d\n" % i for i in range(1, 50)))
        plain = self.heddle("info", file).out
        self.assertIn(b"####", plain)
        plain.decode("ascii")
        rich = self.heddle("info", file, env=support.environment(LC_ALL="C.UTF-8")).out.decode("utf-8")
        self.assertIn("\u2588\u2588", rich)
        self.assertNotIn("#", rich)

    def test_standard_input(self):
        result = self.heddle("info", "-", stdin=b"1 2\n")
        self.assertIn(b"standard input", result.out)
        self.assertEqual(result.err, "")

    def test_strange_names_stay_json(self):
        name = os.fsencode(self.folder) + b'/a "b"\\\t\xff\xc3\xa9.txt'
        with open(name, "wb") as file:
            file.write(b"1 2\n")
        report = json.loads(self.heddle("info", os.fsdecode(name), "--json").out.decode("utf-8"))
        self.assertTrue(report["graph"].endswith('/a "b"\\\t\ufffd\u00e9.txt'))


if __name__ == "__main__":
    support.main()
