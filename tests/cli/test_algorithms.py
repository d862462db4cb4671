"""heddle ALGORITHM GRAPH: results, reports, options and what bad input gets."""
import ast
import gzip
import json
import os
import re
import struct

import support

ALGORITHMS = ["bfs", "sssp", "sswp", "cc", "pr", "bc", "closeness", "harmonic", "eccentricity", "eigenvector", "katz",
              "hits", "degree", "scc", "mst", "bridges", "articulation", "biconnected", "bipartite", "toposort",
              "tc", "lcc", "similar", "kcore", "truss", "cdlp", "lpa", "louvain", "leiden", "hs", "cs", "nn"]
EDGES = ["mst", "similar", "bridges", "biconnected", "truss"]  # whose rows are edges
WITNESSES = ["bipartite", "toposort"]  # of graphs that have no values
FROM_SOURCE = ["bfs", "sssp", "sswp"]
STEADY = ["hs", "cs", "nn"]
LIMITS = [*STEADY, "eigenvector", "hits"]  # a bound of the error may not be known
KEYS = {"algorithm", "graph", "device", "plan", "phases", "iterations", "edges_walked", "edges_per_second", "verified",
        "approximate", "inaccuracy", "summary", "converged", "source", "threads", "precision"}
PHASES = {"load", "build", "transform", "compile", "compute", "write"}
INFINITE = float("inf")

# Ids with holes, a vertex that nothing reaches, and a component apart.
ROADS = "10 20 4\n10 30 1\n30 20 2\n20 40 1\n70 40 7\n90 95 3\n"
MTX = "%%MatrixMarket matrix coordinate "


def rows(out):
    return [tuple(line.split("\t")) for line in out.decode().splitlines() if not line.startswith("# approximate")]


def numpy_values(data):
    """The values of a .npy file, read by hand."""
    assert data[:8] == b"\x93NUMPY\x01\x00", "magic"
    (length,) = struct.unpack("<H", data[8:10])
    assert (10 + length) % 64 == 0, "the data is aligned"
    header = ast.literal_eval(data[10:10 + length].decode())
    (count,) = header["shape"]
    forms = {"<f4": "f", "<f8": "d", "<i8": "q", "<i4": "i", "<u4": "I", "<u8": "Q"}
    if isinstance(header["descr"], list):  # records
        form = "<" + "".join(forms[kind] for _, kind in header["descr"])
        found = list(struct.iter_unpack(form, data[10 + length:]))
        assert len(found) == count, "as many records as the header says"
        return [dict(zip((name for name, _ in header["descr"]), record)) for record in found]
    return list(struct.unpack("<%d%s" % (count, forms[header["descr"]]), data[10 + length:]))


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


class Case(support.Case):
    def setUp(self):
        super().setUp()
        self.roads = self.write("roads.txt", ROADS)

    def rows(self, *arguments, **options):
        return rows(self.heddle(*arguments, "--quiet", "--output", "-", **options).out)

    def values(self, *arguments):
        return {row[0]: row[1] for row in self.rows(*arguments)}

    def report(self, *arguments, **options):
        return json.loads(self.heddle(*arguments, "--json", **options).out)

    def social(self, name="social.hdl", scale=10):
        """A graph with hubs, loops, parallel edges and isolated vertices."""
        self.heddle("generate", "rmat", self.path(name), "--scale", scale, "--degree", "8", "--weights", "1..50",
                    "--seed", "11", "--quiet")
        return self.path(name)


class Results(Case):
    def test_bfs(self):
        self.assertEqual(self.rows("bfs", self.roads, "--source", "10"),
                         [("10", "0"), ("20", "1"), ("30", "1"), ("40", "2"),
                          ("70", "inf"), ("90", "inf"), ("95", "inf")])

    def test_sssp(self):
        self.assertEqual(self.values("sssp", self.roads, "--source", "10"),
                         {"10": "0", "20": "3", "30": "1", "40": "4", "70": "inf", "90": "inf", "95": "inf"})
        real = self.write("real.txt", "1 2 0.5\n2 3 0.25\n1 3 1.5\n")
        self.assertEqual(self.values("sssp", real, "--source", "1", "--delta", "0.1"),
                         {"1": "0", "2": "0.5", "3": "0.75"})

    def test_sssp_without_weights_counts_edges(self):
        plain = self.write("plain.txt", "1 2\n2 3\n3 4\n1 3\n")
        self.assertEqual(self.values("sssp", plain, "--source", "1"), {"1": "0", "2": "1", "3": "1", "4": "2"})

    def test_distances_wider_than_32_bits(self):
        long = self.write("long.txt", "1 2 4294967295\n2 3 4294967295\n3 4 4294967295\n")
        self.assertEqual(self.values("sssp", long, "--source", "1")["4"], str(3 * 4294967295))

    def test_sswp(self):
        self.assertEqual(self.values("sswp", self.roads, "--source", "10"),
                         {"10": "inf", "20": "4", "30": "1", "40": "1", "70": "-inf", "90": "-inf", "95": "-inf"})
        plain = self.write("plain.txt", "1 2\n2 3\n5 1\n")
        self.assertEqual(self.values("sswp", plain, "--source", "1"), {"1": "inf", "2": "1", "3": "1", "5": "-inf"})

    def test_cc(self):
        self.assertEqual(self.values("cc", self.roads),
                         {"10": "10", "20": "10", "30": "10", "40": "10", "70": "10", "90": "90", "95": "90"})
        self.assertEqual(self.report("cc", self.roads)["summary"]["components"], 2)

    def test_scc(self):
        graph = self.write("s.txt", "1 2\n2 3\n3 1\n3 4\n4 5\n5 4\n6 1\n")
        self.assertEqual(self.values("scc", graph), {"1": "1", "2": "1", "3": "1", "4": "4", "5": "4", "6": "6"})
        self.assertEqual(self.report("scc", graph)["summary"]["components"], 3)

    def test_mst(self):
        self.assertEqual(self.rows("mst", self.roads), [("10", "30", "1"), ("20", "30", "2"), ("20", "40", "1"),
                                                        ("40", "70", "7"), ("90", "95", "3")])
        self.assertEqual(self.report("mst", self.roads)["summary"]["total_weight"], 14)

    def test_mst_breaks_ties_by_ids(self):
        square = self.write("square.txt", "4 1 2\n1 2 2\n2 3 2\n3 4 2\n1 3 2\n")
        self.assertEqual(self.rows("mst", square), [("1", "2", "2"), ("1", "3", "2"), ("1", "4", "2")])

    def test_pr(self):
        ring = self.write("ring.txt", "1 2\n2 3\n3 4\n4 1\n")
        self.assertEqual(self.values("pr", ring), {"1": "0.25", "2": "0.25", "3": "0.25", "4": "0.25"})
        dangling = self.write("d.txt", "1 2\n")
        got = {vertex: float(value) for vertex, value in self.values("pr", dangling, "--precision", "double",
                                                                     "--tolerance", "1e-12").items()}
        self.assertAlmostEqual(got["1"], 1 / 2.85, places=9)
        self.assertAlmostEqual(got["2"], 1.85 / 2.85, places=9)

    def test_pr_options(self):
        graph = self.write("w.txt", "1 2 3\n1 3 1\n2 1 1\n3 1 1\n")
        weighted = {k: float(v) for k, v in self.values("pr", graph, "--weighted").items()}
        plain = {k: float(v) for k, v in self.values("pr", graph).items()}
        self.assertGreater(weighted["2"], 2 * weighted["3"])
        self.assertAlmostEqual(plain["2"], plain["3"], places=6)
        only = self.write("only.txt", "3 1\n")
        personal = {k: float(v) for k, v in self.values("pr", graph, "--personalize", only).items()}
        self.assertGreater(personal["3"], personal["2"])
        self.assertEqual({v for v in self.values("pr", graph, "--damping", "0").values()}, {"0.33333334"})

    def test_bc(self):
        path = self.write("path.txt", "1 2\n2 3\n3 4\n4 5\n")
        self.assertEqual(self.values("bc", path), {"1": "0", "2": "3", "3": "4", "4": "3", "5": "0"})
        self.assertEqual(self.values("bc", path, "--symmetrize"), {"1": "0", "2": "3", "3": "4", "4": "3", "5": "0"})
        self.assertEqual(self.values("bc", path, "--source", "1"), {"1": "0", "2": "3", "3": "2", "4": "1", "5": "0"})
        normal = {k: float(v) for k, v in self.values("bc", path, "--normalized").items()}
        self.assertAlmostEqual(normal["3"], 4 / 12)

    def test_bc_samples_follow_the_seed(self):
        graph = self.social()
        first, same, other = (self.report("bc", graph, "--samples", "3", "--seed", seed, "--top", "1000000")
                              for seed in (1, 1, 2))
        self.assertEqual(first["top"], same["top"])
        self.assertNotEqual(first["top"], other["top"])
        self.assertEqual((first["seed"], other["seed"]), (1, 2))

    def test_provenance(self):
        """Where a report comes from, and every key of the plan."""
        report = self.report("bfs", self.roads, "--plan", "transform=udt,K=3,order=bfs", "--seed", "7")
        self.assertEqual(report["file"], self.roads)
        self.assertEqual(report["command"][:3], ["heddle", "bfs", self.roads])
        self.assertIn("--seed", report["command"])
        self.assertEqual(report["seed"], 7)
        self.assertRegex(report["date"], r"\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\Z")
        self.assertRegex(report["version"], r"\A\d+\.\d+\.\d+\Z")
        self.assertGreater(report["machine"]["processors"], 0)
        self.assertIsNone(report["driver"])
        keys = report["plan"]["keys"]
        self.assertEqual((keys["transform"], keys["K"], keys["order"]), ("udt", "3", "bfs"))
        self.assertTrue({"commit", "device_name", "threads"} <= set(report))

    def test_cs(self):
        path = self.write("path.txt", "1 2 1\n2 3 1\n3 4 1\n4 5 1\n")
        got = self.values("cs", path, "--symmetrize", "--tolerance", "1e-7", "--precision", "double")
        for vertex, wanted in zip("12345", (1, 0.75, 0.5, 0.25, 0)):
            self.assertAlmostEqual(float(got[vertex]), wanted, places=4)

    def test_hs(self):
        pair = self.write("pair.txt", "1 2 1\n2 3 1\n")
        self.assertEqual(self.values("hs", pair, "--max-iterations", "1", "--rate", "0.25"),
                         {"1": "1", "2": "0.25", "3": "0"})

    def test_nn(self):
        net = self.write("net.txt", "1 3 0.5\n2 3 -1\n3 4 2\n")
        init = self.write("init.txt", "1 0.25\n2 -0.5\n")
        got = {k: float(v) for k, v in self.values("nn", net, "--init", init).items()}
        self.assertEqual((got["1"], got["2"]), (0.25, -0.5))
        self.assertAlmostEqual(got["3"], 0.5545997, places=6)
        self.assertAlmostEqual(got["4"], 0.8037, places=3)

    def test_fixed_values(self):
        path = self.write("path.txt", "a b\nb c\nc d\n")
        fixed = self.write("fixed.txt", "a 10\nd 4\n")
        got = self.values("cs", path, "--symmetrize", "--fixed", fixed, "--tolerance", "1e-6")
        self.assertEqual((got["a"], got["d"]), ("10", "4"))
        self.assertAlmostEqual(float(got["b"]), 8, places=3)


class Sources(Case):
    def test_default_is_the_largest_out_degree(self):
        for algorithm in FROM_SOURCE:
            self.assertEqual(self.report(algorithm, self.roads)["source"], 10)
            self.assertIn("source        10 (chosen", self.heddle(algorithm, self.roads).out.decode())
            self.assertNotIn("chosen", self.heddle(algorithm, self.roads, "--source", "10").out.decode())
        self.assertIsNone(self.report("cc", self.roads)["source"])
        self.assertIsNone(self.report("bc", self.roads)["source"])
        self.assertEqual(self.report("bc", self.roads, "--source", "20")["source"], 20)

    def test_several(self):
        listed = self.write("sources.txt", "# list\r\n70\r\n\r\n30\r\n")
        for arguments in (["--source", "70,30"], ["--sources", listed], ["--source", "70", "--sources", listed]):
            self.assertEqual(self.values("sssp", self.roads, *arguments),
                             {"10": "inf", "20": "2", "30": "0", "40": "3", "70": "0", "90": "inf", "95": "inf"})
        self.assertEqual(self.report("bfs", self.roads, "--source", "70,30")["sources"], 2)
        out = self.heddle("bfs", self.roads, "--sources", "-", stdin=b"30\n").out.decode()
        self.assertIn("source        30\n", out)

    def test_each_apart(self):
        expected = {source: self.values("bfs", self.roads, "--source", source) for source in ("30", "10", "90")}
        table = self.rows("bfs", self.roads, "--source", "30,10,30,90", "--each", "--verify")
        self.assertEqual(table[0], ("id", "30", "10", "30", "90"), "the first line names the sources")
        for row in table[1:]:
            self.assertEqual(row[1:], tuple(expected[source][row[0]] for source in table[0][1:]), row[0])
        report = self.report("bfs", self.roads, "--sources", self.write("three.txt", "30\n10\n90\n"), "--each")
        self.assertEqual(report["summary"]["sources"], 3)
        self.assertEqual(report["summary"]["max"], 2)

    def test_ranks_from_each(self):
        table = self.rows("pr", self.roads, "--source", "30,10", "--each", "--verify")
        self.assertEqual(table[0], ("id", "30", "10"))
        columns = [[float(row[k]) for row in table[1:]] for k in (1, 2)]
        for column in columns:
            self.assertAlmostEqual(sum(column), 1, places=5)
        lone = self.rows("pr", self.roads, "--personalize", self.write("ten.txt", "10 1\n"))
        for row, rank in zip(lone, columns[1]):
            self.assertAlmostEqual(float(row[1]), rank, places=5)
        self.assertIn("both say where jumps go", self.fails(2, "pr", self.roads, "--source", "10", "--personalize",
                                                           self.write("me.txt", "10 1\n")))

    def test_each_with_what_is_for_one_search(self):
        for option in (["--parents"], ["--top", "3"], ["--path-to", "40"]):
            self.assertIn(option[0] + " is for one run",
                          self.fails(2, "bfs", self.roads, "--source", "10,30", "--each", *option))
        words = self.fails(2, "sswp", self.roads, "--source", "10,30", "--each")
        self.assertIn("sswp takes no --each; bfs, sssp, pr do", words)
        self.assertIn("memory limit",
                      self.fails(4, "bfs", self.roads, "--source", "10,30", "--each", "--memory-limit", "100"))
        self.assertIn("no plan but auto",
                      self.fails(2, "bfs", self.roads, "--source", "10,30", "--each", "--plan", "ws"))

    def test_path(self):
        result = self.heddle("sssp", self.roads, "--source", "10", "--path-to", "40")
        self.assertEqual(rows(result.out), [("10", "0"), ("30", "1"), ("20", "3"), ("40", "4")])
        self.assertEqual(rows(self.heddle("bfs", self.roads, "--source", "10", "--path-to", "40").out),
                         [("10", "0"), ("20", "1"), ("40", "2")])
        self.assertEqual(rows(self.heddle("sswp", self.roads, "--source", "10", "--path-to", "40").out),
                         [("10", "inf"), ("20", "4"), ("40", "1")])
        report = self.report("sssp", self.roads, "--source", "10", "--path-to", "40")
        self.assertEqual(report["path"], {"to": 40, "value": 4, "ids": [10, 30, 20, 40]})

    def test_csv(self):
        import csv
        graph = self.write("names.csv", '"a,b",x"y\nx"y,plain\nplain," blank "\n" blank ",caf\u00e9\n')
        for algorithm, head in (("pr", ["id", "pagerank"]), ("cc", ["id", "component"]),
                                ("mst", ["source", "target", "weight"])):
            plain = self.heddle(algorithm, graph, "--ids", "string", "-q", "-o", "-").out.decode()
            self.heddle(algorithm, graph, "--ids", "string", "-q", "-o", self.path("o.csv"))
            with open(self.path("o.csv"), newline="", encoding="utf-8") as file:
                table = list(csv.reader(file))
            self.assertEqual(table[0], head)
            self.assertEqual(table[1:], [line.split("\t") for line in plain.splitlines()])
        self.heddle("bfs", self.roads, "--source", "10", "--parents", "-q", "-o", self.path("p.csv"))
        self.assertEqual(self.read("p.csv").decode().splitlines()[:2], ["id,distance,parent", "10,0,"])
        self.heddle("bfs", self.roads, "--source", "10,20", "--each", "-q", "-o", self.path("e.csv"))
        self.assertEqual(self.read("e.csv").decode().splitlines()[:2], ["id,10,20", "10,0,inf"])

    def test_path_to_the_source_and_to_nowhere(self):
        for algorithm, value in (("bfs", "0"), ("sssp", "0"), ("sswp", "inf")):
            self.assertEqual(rows(self.heddle(algorithm, self.roads, "--source", "10", "--path-to", "10").out),
                             [("10", value)])
            result = self.heddle(algorithm, self.roads, "--source", "10", "--path-to", "95", status=1)
            self.assertEqual(result.out, b"")
            self.assertIn("there is no path to 95", result.err)
            result = self.heddle(algorithm, self.roads, "--source", "10", "--path-to", "95", "--json", status=1)
            self.assertIsNone(json.loads(result.out)["path"])

    def test_parents(self):
        self.assertEqual(self.rows("sssp", self.roads, "--source", "10", "--parents"),
                         [("10", "0", ""), ("20", "3", "30"), ("30", "1", "10"), ("40", "4", "20"),
                          ("70", "inf", ""), ("90", "inf", ""), ("95", "inf", "")])
        tie = self.write("tie.txt", "1 3\n1 2\n3 4\n2 4\n")
        self.assertIn(("4", "2", "2"), self.rows("bfs", tie, "--source", "1", "--parents"))
        top = rows(self.heddle("bfs", tie, "--source", "1", "--parents", "--top", "1", "-q").out)
        self.assertEqual(top, [("4", "2", "2")])

    def test_unknown_ones(self):
        for algorithm in FROM_SOURCE + ["bc"]:
            self.assertIn("no vertex has the id 11", self.fails(2, algorithm, self.roads, "--source", "11"))
            self.assertIn("'x' is not an integer", self.fails(2, algorithm, self.roads, "--source", "10,x"))
        self.assertIn("no vertex has the id 11", self.fails(2, "bfs", self.roads, "--path-to", "11"))
        self.assertIn("cc takes no --source; bfs, sssp, ", self.fails(2, "cc", self.roads, "--source", "10"))
        self.assertIn("bfs takes no --damping; pr does", self.fails(2, "bfs", self.roads, "--damping=0.5"))
        words = self.fails(2, "bc", self.roads, "--path-to", "10")
        self.assertIn("bc takes no --path-to; bfs, sssp, sswp, toposort do", words)


class Ids(Case):
    def test_words(self):
        names = self.write("names.txt", "alice bob\nbob carol\ndave carol\n")
        self.assertEqual(self.rows("bfs", names, "--source", "alice"),
                         [("alice", "0"), ("bob", "1"), ("carol", "2"), ("dave", "inf")])
        self.assertEqual(self.rows("cc", names), [(name, "alice") for name in ("alice", "bob", "carol", "dave")])
        self.assertIn("no vertex is labelled 'eve'", self.fails(2, "bfs", names, "--source", "eve"))
        report = self.report("bfs", names, "--source", "alice", "--path-to", "carol", "--top", "1")
        self.assertEqual(report["source"], "alice")
        self.assertEqual(report["path"]["ids"], ["alice", "bob", "carol"])
        self.assertEqual(report["top"], [["carol", 2]])

    def test_long_words(self):
        long = "x" * 3000
        graph = self.write("long.txt", "a %s\n%s b\n" % (long, long))
        self.assertEqual(rows(self.heddle("bfs", graph, "--source", "a", "--path-to", "b").out),
                         [("a", "0"), (long, "1"), ("b", "2")])
        self.assertEqual(self.report("bfs", graph, "--source", "a", "--path-to", "b")["path"]["ids"], ["a", long, "b"])

    def test_many_words_in_a_file(self):
        names = ["name-%d" % i for i in range(5000)]
        graph = self.write("g.txt", "".join("%s %s\n" % pair for pair in zip(names, names[1:])))
        init = self.write("init.txt", "".join("%s %d\n" % (name, i) for i, name in enumerate(names)))
        got = self.values("hs", graph, "--init", init, "--max-iterations", "1", "--rate", "0")
        self.assertEqual(got, {name: str(i) for i, name in enumerate(names)})

    def test_large_and_negative_numbers(self):
        large = self.write("large.txt", "18446744073709551615 1\n1 9223372036854775808\n")
        self.assertEqual(self.rows("bfs", large, "--source", "18446744073709551615"),
                         [("1", "1"), ("9223372036854775808", "2"), ("18446744073709551615", "0")])
        self.assertEqual(self.report("bfs", large, "--source", "18446744073709551615")["source"], 18446744073709551615)
        negative = self.write("negative.txt", "-5 3\n3 7\n")
        self.assertEqual(self.rows("cc", negative), [("-5", "-5"), ("3", "-5"), ("7", "-5")])
        self.assertEqual(self.rows("bfs", negative, "--source=-5"), [("-5", "0"), ("3", "1"), ("7", "2")])


class Output(Case):
    def test_nothing_named_twice_is_overwritten(self):
        graph = self.write("mine.txt", "1 2\n2 3\n")
        link = self.path("link.tsv")
        os.symlink(graph, link)
        twice = self.path("twice.tsv")
        for options in (["--report", graph], ["--trace", graph], ["--output", link],
                        ["--output", twice, "--report", twice], ["--trace", twice, "--report", twice]):
            self.assertIn("named twice", self.fails(2, "bfs", graph, *options))
        self.assertIn("named twice", self.fails(2, "info", graph, "--report", graph))
        with open(graph) as file:
            self.assertEqual(file.read(), "1 2\n2 3\n")
        self.assertFalse(os.path.exists(twice))

    def test_all_layouts_agree(self):
        graph = self.social(scale=7)
        for algorithm in ALGORITHMS:
            table = self.rows(algorithm, graph)
            self.heddle(algorithm, graph, "-q", "--output", self.path("x.tsv"))
            self.assertEqual(rows(self.read("x.tsv")), table)
            if support.built_in("zlib"):
                self.heddle(algorithm, graph, "-q", "--output", self.path("x.tsv.gz"))
                self.assertEqual(rows(gzip.decompress(self.read("x.tsv.gz"))), table)
            self.heddle(algorithm, graph, "-q", "--output", self.path("x.json"))
            whole = json.loads(self.read("x.json"))
            self.assertEqual(whole["algorithm"], algorithm)
            self.assertEqual([tuple(float(cell) for cell in row) for row in whole["rows"]],
                             [tuple(float(cell) for cell in row) for row in table])
            if algorithm in EDGES + WITNESSES:
                self.assertEqual(whole["columns"], ["source", "target", "weight"])
                continue
            self.assertEqual(whole["columns"], ["id", "value"])
            self.heddle(algorithm, graph, "-q", "--output", self.path("x.npy"))
            wanted = [float(value) for _, value in table]
            if isinstance(numpy_values(self.read("x.npy"))[0], int):
                wanted = [-1 if value == INFINITE else value for value in wanted]
            for got, value in zip(numpy_values(self.read("x.npy")), wanted):
                self.assertTrue(got == value or abs(got - value) <= 1e-6 * abs(value), algorithm)

    def test_rows_are_in_ascending_order(self):
        graph = self.write("g.txt", "9 100\n100 20\n20 3\n")
        for algorithm in ALGORITHMS:
            ids = [int(row[0]) for row in self.rows(algorithm, graph)]
            self.assertEqual(ids, sorted(ids), algorithm)

    def test_words_go_to_standard_error(self):
        result = self.heddle("bfs", self.roads, "--source", "10", "--output", "-")
        self.assertEqual(len(rows(result.out)), 7)
        self.assertRegex(result.err, r"\Aheddle: bfs on .*roads.txt: 7 vertices, 6 edges; \d+ iterations, reached 4, ")
        result = self.heddle("bfs", self.roads, "--source", "10", "--output", self.path("x.tsv"))
        self.assertEqual(result.out, b"")
        self.assertIn("; wrote %s, " % self.path("x.tsv"), result.err)
        self.assertEqual(self.heddle("bfs", self.roads, "-q", "--output", self.path("x.tsv")).err, "")
        self.heddle("bfs", self.roads, "-q", "--output", "/dev/null")

    def test_records_of_numpy(self):
        graph = self.write("w.txt", "10 20 5\n20 30 7\n10 30 1\n40 50 2\n")
        self.heddle("mst", graph, "-q", "--output", self.path("x.npy"))
        self.assertEqual(numpy_values(self.read("x.npy")),
                         [{"source": 10, "target": 20, "weight": 5}, {"source": 10, "target": 30, "weight": 1},
                          {"source": 40, "target": 50, "weight": 2}])
        self.heddle("bfs", graph, "-q", "--source", "10", "--parents", "--output", self.path("x.npy"))
        self.assertEqual(numpy_values(self.read("x.npy")),
                         [{"value": 0, "parent": -1}, {"value": 1, "parent": 10}, {"value": 1, "parent": 10},
                          {"value": -1, "parent": -1}, {"value": -1, "parent": -1}])
        self.heddle("sswp", graph, "-q", "--source", "10", "--parents", "--output", self.path("x.npy"))
        self.assertEqual([record["parent"] for record in numpy_values(self.read("x.npy"))], [-1, 10, 20, -1, -1])
        plain = self.write("p.txt", "a b\nb c\n")
        self.heddle("mst", plain, "-q", "--output", self.path("x.npy"))
        self.assertEqual(numpy_values(self.read("x.npy")),
                         [{"source": 0, "target": 1, "weight": 1}, {"source": 1, "target": 2, "weight": 1}])

    def test_large_ids_of_numpy(self):
        """Ids above 2^63 - 1 do not turn negative."""
        large = 2**63 + 5
        graph = self.write("large.txt", f"1 {large}\n{large} 7\n{large + 1} {large + 2}\n")
        self.heddle("cc", graph, "-q", "--output", self.path("x.npy"))
        self.assertEqual(numpy_values(self.read("x.npy")), [1, 1, 1, large + 1, large + 1])
        self.heddle("mst", graph, "-q", "--output", self.path("x.npy"))
        self.assertEqual([(row["source"], row["target"]) for row in numpy_values(self.read("x.npy"))],
                         [(1, large), (7, large), (large + 1, large + 2)])
        self.heddle("bfs", graph, "-q", "--source", "1", "--parents", "--output", self.path("x.npy"))
        self.assertEqual(numpy_values(self.read("x.npy")),
                         [{"value": 0, "parent": 2**64 - 1}, {"value": 2, "parent": large}, {"value": 1, "parent": 1},
                          {"value": -1, "parent": 2**64 - 1}, {"value": -1, "parent": 2**64 - 1}])
        self.heddle("walks", graph, "-q", "-o", self.path("x.npy"), "--length", "2", "--walks", "1")
        self.assertIn(b"'<u8'", self.read("x.npy"))
        self.assertEqual(struct.unpack("<6Q", self.read("x.npy")[128:176]),
                         (1, large, 7, 7, 2**64 - 1, 2**64 - 1))

    def test_ids_that_mean_none_in_numpy(self):
        for mark in ("-1", str(2**64 - 1)):
            graph = self.write("mark.txt", f"3 {mark}\n4 3\n")
            for arguments in (("walks",), ("bfs", "--parents", "--source", "4")):
                words = self.fails(2, *arguments, graph, "-q", "-o", self.path("x.npy"))
                self.assertIn(f"{mark} is the id of a vertex, and stands for no vertex in .npy", words)
                self.heddle(*arguments, graph, "-q", "-o", self.path("x.tsv"))
            self.heddle("cc", graph, "-q", "-o", self.path("x.npy"))

    def test_labels_with_blanks_and_commas(self):
        labels = ["New York", "Smith, John", 'the "old" one', "plain"]
        links = [{"source": labels[i], "target": labels[i + 1]} for i in range(3)]
        graph = self.write("labels.json", json.dumps({"directed": True, "multigraph": False, "graph": {},
                                                      "nodes": [{"id": label} for label in labels], "links": links}))
        for text, first in (('New York', 0), ('"New York"', 0), ('"Smith, John"', 1), ('"the ""old"" one"', 2),
                            ('"plain"', 3)):
            report = json.loads(self.heddle("bfs", graph, "--source", text, "--json", "-q").out)
            self.assertEqual(report["source"], labels[first], text)
        found = self.values("bfs", graph, "--source", 'plain,"Smith, John"')
        self.assertEqual([found[label] for label in labels], ["inf", "0", "1", "0"])
        sources = self.write("sources.txt", '"Smith, John"\nplain\n')
        self.assertEqual(self.values("bfs", graph, "--sources", sources), found)
        values = self.write("values.txt", '"New York" 2\n"Smith, John",3\n"the ""old"" one"\t4\nplain 5\n')
        fixed = self.values("hs", graph, "--fixed", values)
        self.assertEqual([fixed[label] for label in labels], ["2", "3", "4", "5"])
        self.assertIn("a quote does not end", self.fails(2, "bfs", graph, "--source", '"New York'))
        self.assertIn("expected a comma", self.fails(2, "bfs", graph, "--source", '"New York"x'))
        broken = self.write("broken.txt", 'plain 1\n"New York 2\n')
        self.assertIn("broken.txt:2:1: found '\"New York 2', expected a quoted id that ends",
                      self.fails(3, "hs", graph, "--init", broken))

    def test_what_cannot_be_written_is_found_early(self):
        missing = self.path("missing.txt")
        self.assertIn("results are written as", self.fails(2, "bfs", missing, "--output", self.path("x.xls")))
        self.assertIn("cannot both", self.fails(2, "bfs", missing, "--output", "-", "--json"))
        self.assertIn("only one", self.fails(2, "bfs", missing, "--output", "-", "--top", "3"))
        self.assertIn("only one", self.fails(2, "bfs", missing, "--path-to", "3", "--top", "3"))
        self.assertIn("needs a file", self.fails(2, "bfs", missing, "--trace", "-"))
        self.assertIn("only one input", self.fails(2, "hs", "-", "--init", "-"))

    def test_folder_that_is_not_there(self):
        self.fails(3, "cc", self.roads, "--output", self.path("no/x.tsv"))

    def test_similar(self):
        graph = self.write("likes.csv", "ann,tea\nann,milk\nbob,tea\nbob,milk\nbob,beer\ncid,beer\n")
        pairs = self.write("pairs.txt", "ann bob\n# none in common\ncid, ann\n")
        rows_of = lambda *more: self.heddle("similar", graph, "-q", "-o", "-", *more).out.decode()
        self.assertEqual(rows_of("--pairs", pairs), f"ann\tbob\t{2 / 3!r}\ncid\tann\t0.0\n")
        self.assertEqual(rows_of("--source", "cid,ann", "--count", "1", "--measure", "overlap"),
                         "cid\tbob\t1.0\nann\tbob\t1.0\n")
        self.assertEqual(rows_of("--count", "2"), f"tea\tmilk\t1.0\nann\tbob\t{2 / 3!r}\n")
        self.assertIn("pairs.txt:2:5: found 'dan', expected the id of a vertex",
                      self.fails(3, "similar", graph, "--pairs", self.write("pairs.txt", "ann bob\nbob dan\n")))
        self.assertIn("1:5: found 'ann', expected another vertex",
                      self.fails(3, "similar", graph, "--pairs", self.write("pairs.txt", "ann ann\n")))
        self.assertIn("found end of line, expected the id of a second vertex",
                      self.fails(3, "similar", graph, "--pairs", self.write("pairs.txt", "ann\n")))
        self.assertIn("expected one of them", self.fails(2, "similar", graph, "--source", "ann",
                                                         "--pairs", self.write("pairs.txt", "ann bob\n")))
        self.assertIn("jaccard", self.fails(2, "similar", graph, "--measure", "dice"))
        self.assertIn("similarity", self.heddle("similar", graph, "--source", "ann").out.decode())

    def test_walks(self):
        graph = self.write("g.csv", "a,b,1\nb,a,1\nb,c,3\nb,d,0\n")
        walks = lambda *more: self.heddle("walks", graph, "-q", "-o", "-", "--source", "a,d", *more).out.decode()
        once = walks("--walks", "40", "--length", "4")
        lines = [line.split("\t") for line in once.splitlines()]
        self.assertEqual(len(lines), 80)
        self.assertIn("--output FILE writes the walks", self.heddle("walks", graph).out.decode())
        self.assertEqual({line[0] for line in lines[:40]}, {"a"})
        self.assertEqual(lines[40:], [["d"]] * 40)
        self.assertEqual({step for line in lines for step in zip(line, line[1:])},
                         {("a", "b"), ("b", "a"), ("b", "c"), ("b", "d")})
        self.assertEqual(walks("--walks", "40", "--length", "4", "--threads", "7"), once)
        self.assertNotEqual(walks("--walks", "40", "--length", "4", "--seed", "2"), once)
        weighted = [line.split("\t") for line in walks("--walks", "400", "--length", "2", "--weighted").splitlines()]
        ends = [line[2] for line in weighted[:400]]
        self.assertTrue(260 < ends.count("c") < 340 and ends.count("d") == 0, ends.count("c"))
        back = [line.split("\t") for line in walks("--length", "9", "--return", "1e-9").splitlines()]
        self.assertEqual({"".join(line) for line in back[:10]}, {"ababababab"})
        self.heddle("walks", graph, "-q", "-o", self.path("w.csv"), "--walks", "1", "--length", "3", "--source", "d")
        self.assertEqual(self.read("w.csv").decode(), "step0,step1,step2,step3\nd,,,\n")
        self.heddle("walks", graph, "-q", "-o", self.path("w.json"), "--walks", "2", "--source", "d")
        self.assertEqual(json.loads(self.read("w.json")), {"algorithm": "walks", "rows": [["d"], ["d"]]})
        self.assertIn("no walk is larger", self.fails(2, "walks", graph, "--top", "3"))
        self.assertIn("above 0", self.fails(2, "walks", graph, "--return", "0"))
        negative = self.write("n.txt", "1 2 -1\n")
        self.assertIn("weights of 0 or more", self.fails(3, "walks", negative, "--weighted"))
        self.heddle("walks", negative, "-q", "-o", self.path("w.npy"), "--length", "2", "--walks", "1")
        self.assertEqual(struct.unpack("<6q", self.read("w.npy")[-48:]), (1, 2, -1, 2, -1, -1))

    def test_digits(self):
        """Rows for people have no more digits than can be right; files have all."""
        graph = self.social(scale=8)
        command = ("pr", graph, "--precision", "double", "--top", "5", "-q")
        top = lambda *more: self.heddle(*command, *more).out.split()[1::2]
        self.assertTrue(all(len(value.lstrip(b"0.")) <= 7 for value in top()), top())
        path = self.write("path.txt", "1 2\n2 3\n3 4\n")
        shown = self.heddle("eigenvector", path, "--undirected", "--top", "1", "-q").out
        self.assertRegex(shown, rb"^2\t0\.60150\d{0,2}\n$")  # 0.6015009550 is right
        self.assertTrue(any(len(value.lstrip(b"0.")) > 12 for value in top("--tolerance", "1e-13")), "all are right")
        self.heddle("pr", graph, "--precision", "double", "--output", self.path("all.tsv"))
        self.assertTrue(any(len(line.split()[1]) > 14 for line in text_of(self.path("all.tsv")).splitlines()))

    def test_top(self):
        graph = self.social(scale=7)
        for algorithm in ALGORITHMS:
            table, top = self.rows(algorithm, graph), rows(self.heddle(algorithm, graph, "-q", "--top", "4").out)
            if algorithm in ("cc", "scc", "cdlp", "lpa", "louvain", "leiden"):
                sizes = {}
                for _, label in table:
                    sizes[label] = sizes.get(label, 0) + 1
                table = [(label, str(size)) for label, size in sizes.items()]
            keep = [row for row in table if abs(float(row[-1])) < INFINITE]
            if algorithm not in WITNESSES:  # a cycle stays in its order
                keep.sort(key=lambda row: (-float(row[-1]), [int(id) for id in row[:-1]]))
            self.assertEqual([row[:-1] for row in top], [row[:-1] for row in keep[:4]], algorithm)
            report = self.report(algorithm, graph, "--top", "4")
            residual = report["summary"].get("residual", 0)  # rows for people are rounded by less than that
            for got, wanted in zip(top, keep):
                delta = residual + 1e-12 * abs(float(wanted[-1]))
                self.assertAlmostEqual(float(got[-1]), float(wanted[-1]), delta=delta)
            self.assertEqual(len(report["top"]), len(top), algorithm)
            for got, wanted in zip(report["top"], top):
                self.assertEqual([float(cell) for cell in got[:-1]], [float(cell) for cell in wanted[:-1]], algorithm)
                self.assertAlmostEqual(float(got[-1]), float(wanted[-1]), delta=delta)
            self.assertLessEqual(len(rows(self.heddle(algorithm, graph, "-q", "--top", "1G").out)), len(table))

    def test_summary(self):
        for algorithm in ALGORITHMS:
            more = ["--max-iterations", "2000"] if algorithm == "eigenvector" else []
            text = self.heddle(algorithm, self.roads, "--verify", *more).out.decode()
            self.assertRegex(text, r"\A%s on .*roads.txt\n" % algorithm)
            self.assertIn("\n  graph         7 vertices, 6 edges, directed, weighted\n", text)
            for line in ("device        cpu, ", "time          load ", "iterations    "):
                self.assertIn("\n  " + line, text)
            self.assertRegex(text, r"\n  verified      (yes|no: residual verified: \S+, no bound on the error)\n")
            self.assertTrue("verified      yes\n" in text or algorithm in LIMITS, text)
            self.assertRegex(text, r"\n\nThe .*:\n  (id|label) .*\n  \d+ ")


class Verdicts(Case):
    """What --verify says about values that approach a limit (docs/verification.md)."""

    def setUp(self):
        super().setUp()
        self.line = self.write("line.txt", "".join(f"{k} {k + 1}\n" for k in range(199)))

    def test_not_converged(self):
        for algorithm, *options in (["cs", "--undirected"], ["eigenvector", "--undirected"],
                                    ["pr", "--max-iterations", "1"]):
            result = self.heddle(algorithm, self.line, "--verify", "--json", *options, "--device", "cpu", status=5)
            self.assertRegex(result.err, r"not converged after .*: at this pace it takes about \d+ rounds more")
            report = json.loads(result.out)
            self.assertIs(report["verified"], False)
            self.assertGreater(report["residual_verified"], 0)

    def test_residual_alone(self):
        options = ["cs", self.line, "--undirected", "--max-iterations", "100000", "--device", "cpu", "--verify"]
        result = self.heddle(*options, "--top", "1")
        self.assertRegex(result.err, r", residual verified: 0\.0001, no bound on the error")
        report = json.loads(self.heddle(*options, "--json").out)
        self.assertIsNone(report["verified"])
        self.assertLess(report["residual_verified"], 1.1e-4)

    def test_error_is_bounded(self):
        result = self.heddle("cs", self.line, "--undirected", "--max-iterations", "100000", "--tolerance", "1e-7",
                                 "--precision", "double", "--device", "cpu", "--verify", "--top", "1")
        self.assertRegex(result.err, r", error at most 0\.001\d*, of small values no digit is certain, verified")
        for algorithm in ("pr", "katz"):
            report = json.loads(self.heddle(algorithm, self.line, "--device", "cpu", "--verify", "--json").out)
            self.assertIs(report["verified"], True)
            self.assertTrue(0 < report["error_bound"] < 1e-3, report)
        report = json.loads(self.heddle("pr", self.line, "--device", "cpu", "--json").out)
        self.assertTrue(0 < report["error_bound"] < 1e-5, report)

    def test_digits_of_small_values(self):
        """Of every value, also where rounds of several waves are followed by ones that extrapolate."""
        self.heddle("generate", "rmat", self.path("g.hdl"), "--scale", "12", "--quiet")
        graph = ["pr", self.path("g.hdl"), "--undirected", "--device", "cpu"]
        exact = self.values(*graph, "--precision", "double", "--tolerance", "1e-14")
        for precision in ("single", "double"):
            values = self.values(*graph, "--precision", precision)
            report = self.report(*graph, "--precision", precision, "--verify")
            self.assertIs(report["verified"], True)
            off = max(abs(float(values[v]) / float(exact[v]) - 1) for v in exact)
            self.assertTrue(off <= report["relative_error"] < 1.5 * off + 1e-4, (off, report))
        self.assertRegex(self.heddle(*graph, "--top", "1").err, r"error at most [^ ]* \(small values: see --verify\)")
        few = self.write("few.txt", "1 2\n2 3\n3 4\n")
        self.assertIn("error at most 0 (load", self.heddle("bc", few, "--max-error", "2", "--top", "1").err)
        closer = [*graph, "--precision", "double", "--tolerance", "1e-12"]
        self.assertRegex(self.heddle(*closer, "--top", "1").err, r"error at most [^ ]*, every value to 5 digits")
        self.assertLess(self.report(*closer)["relative_error"], 1e-4)
        self.assertRegex(self.heddle(*graph, "--top", "1", "--verify").err, r", every value to \d digits?, verified")

    def test_an_error_that_is_not_known(self):
        line = re.compile(rb"^  error +not known: see --verify$", re.M)
        for algorithm in ("katz", "hits", "eigenvector", "hs", "cs", "nn"):
            self.assertRegex(self.heddle(algorithm, self.roads).out, line, algorithm)
            self.assertNotRegex(support.run(algorithm, self.roads, "--verify").out, line, algorithm)
        for algorithm in ("pr", "kcore", "bc"):
            self.assertNotRegex(self.heddle(algorithm, self.roads).out, line, algorithm)


class Reports(Case):
    def test_keys(self):
        for algorithm in ALGORITHMS:
            report = self.report(algorithm, self.roads, "--threads", "2", "--device", "cpu", "--plan", "auto")
            self.assertLessEqual(KEYS, set(report), algorithm)
            self.assertEqual(report["algorithm"], algorithm)
            self.assertEqual(report["graph"], {"vertices": 7, "edges": 6, "directed": True,
                                               "undirected_edges": None})
            self.assertEqual(report["device"], "cpu")
            self.assertEqual(report["plan"], {"name": "auto", "transform": "none", "schedule": "cpu",
                                              "residency": "device", "exchange": "none",
                                              "keys": {"order": "none", "residency": "device"}})
            self.assertEqual(set(report["phases"]), PHASES)
            self.assertTrue(all(seconds >= 0 for seconds in report["phases"].values()), report["phases"])
            self.assertEqual((report["approximate"], report["inaccuracy"], report["verified"]), (False, None, None))
            self.assertTrue(report["converged"] or algorithm == "eigenvector")  # without cycles there is none
            self.assertTrue(report["summary"])

    def test_figures(self):
        summary = self.report("bfs", self.roads, "--source", "10")["summary"]
        self.assertEqual((summary["reached"], summary["max"]), (4, 2))
        summary = self.report("sssp", self.roads, "--source", "10")["summary"]
        self.assertEqual((summary["reached"], summary["max"]), (4, 4))
        self.assertLess(self.report("pr", self.roads)["summary"]["residual"], 1e-6)

    def test_precision(self):
        wanted = {"pr": "single", "bc": "double", "hs": "single", "cs": "single", "nn": "single", "cc": None,
                  "mst": None}
        for algorithm, precision in wanted.items():
            self.assertEqual(self.report(algorithm, self.roads)["precision"], precision, algorithm)
        for algorithm in ("pr", "hs", "cs", "nn"):
            self.assertEqual(self.report(algorithm, self.roads, "--precision", "double")["precision"], "double")

    def test_write_is_timed(self):
        report = self.report("cc", self.roads, "--output", self.path("x.tsv"))
        self.assertGreater(report["phases"]["write"], 0)

    def test_verified(self):
        graph = self.social()
        for algorithm in ALGORITHMS:
            arguments = ["--samples", "20"] if algorithm == "bc" else []
            for more in ([], ["--symmetrize"]):
                report = self.certified(algorithm, graph, *arguments, *more)
                self.assertTrue(report["verified"] or algorithm in LIMITS, algorithm)

    def test_not_converged(self):
        result = self.heddle("pr", self.social(scale=7), "--max-iterations", "2", "--json")
        self.assertFalse(json.loads(result.out)["converged"])
        self.assertIn("note: not converged after 2 iterations", result.err)
        text = self.heddle("pr", self.path("social.hdl"), "--max-iterations", "2").out.decode()
        self.assertIn("iterations    2, not converged", text)

    def test_dry_run(self):
        graph = self.social()
        for algorithm in ALGORITHMS:
            report = self.report(algorithm, graph, "--dry-run")
            self.assertTrue(report["dry_run"])
            self.assertNotIn("summary", report)
            memory = report["memory"]
            self.assertGreaterEqual(memory["out_edges"], 1025 * 8 + 8192 * 4)  # weights only where they are read
            self.assertEqual(memory["total"], memory["out_edges"] + memory["in_edges"] + memory["run"])
            self.assertIn("memory        about ", self.heddle(algorithm, graph, "--dry-run").out.decode())

    def test_trace(self):
        self.heddle("pr", self.roads, "-q", "--trace", self.path("trace.json"), "-o", self.path("x.tsv"), "--verify")
        events = json.loads(self.read("trace.json"))["traceEvents"]
        self.assertLessEqual({"load", "compute", "verify", "write"}, {event["name"] for event in events})
        phases = [event for event in events if event["tid"] == 1]
        for event in phases:
            self.assertEqual(event["ph"], "X")
        ends = [event["ts"] + event["dur"] for event in phases]
        self.assertEqual(ends, sorted(ends))
        self.assertIn("cannot write the trace", self.fails(3, "cc", self.roads, "--trace", self.path("no/t.json")))

    def stars(self):
        """Two hubs with 150 leaves each, and a vertex between them: the largest are known early."""
        lines = ["0 1", "1 2"] + [f"{v % 2 * 2} {v + 3}" for v in range(300)]
        with open(self.path("stars.txt"), "w") as file:
            file.write("\n".join(lines) + "\n")
        return self.path("stars.txt")

    def test_error_budgets(self):
        graph = self.social(scale=10)
        report = json.loads(self.heddle("pr", graph, "--max-error", "0.01", "--verify", "--json", "--output",
                                        self.path("r.tsv")).out)
        self.assertTrue(report["approximate"] and report["verified"])
        self.assertLessEqual(report["error"], report["error_bound"])
        self.assertLessEqual(report["error_bound"], 0.01)
        self.assertEqual(report["confidence"], 1)
        self.assertTrue(text_of(self.path("r.tsv")).startswith("# approximate: pr, error at most 0.0"))
        self.heddle("pr", graph, "--max-error", "0.5", "--output", self.path("r.csv"))
        self.assertTrue(text_of(self.path("r.csv")).startswith("id,approximate_pagerank\n"))
        self.heddle("bc", graph, "--max-error", "0.2", "--confidence", "0.8", "--output", self.path("r.json"))
        result = json.loads(text_of(self.path("r.json")))
        self.assertEqual((result["approximate"], result["columns"]), (True, ["id", "approximate_value"]))
        self.assertEqual(result["confidence"], 0.8)
        self.assertLessEqual(result["error_bound"], 0.2)
        words = self.heddle("bc", graph, "--max-error", "0.2").out.decode()
        self.assertRegex(words, "accuracy +approximate, error at most 0.[01][0-9]* with a confidence of 0.9\n")
        report = json.loads(self.heddle("bc", graph, "--max-error", "1e-4", "--json", "--quiet").out)
        self.assertEqual((report["approximate"], report["error_bound"]), (False, 0))
        note = self.heddle("cc", self.roads, "--max-error", "0.1").err
        self.assertIn("the result is exact", note)
        self.assertIn("neither sources nor samples", self.fails(2, "bc", graph, "--max-error", "1", "--samples", "3"))
        self.assertIn("confidence needs max_error", self.fails(2, "bc", graph, "--confidence", "0.5"))
        known = self.heddle("bc", self.stars(), "--undirected", "--max-error", "0.08", "--top", "3").err
        self.assertIn("above --max-error 0.08", known)
        self.assertIn("no smaller bound than", self.fails(2, "pr", graph, "--max-error", "1e-9"))
        self.assertIn("max_error and tolerance", self.fails(2, "pr", graph, "--max-error", "1", "--tolerance", "1"))

    def test_graffix(self):
        graph = self.social(scale=10)
        plan = "graffix-divergence,graffix.threshold=0.6,order=none"
        self.assertIn("which --approximate has to allow", self.fails(2, "pr", graph, "--plan", plan))
        report = json.loads(self.heddle("pr", graph, "--plan", plan, "--approximate", "--verify", "--json").out)
        self.assertTrue(report["approximate"] and report["verified"] and 0 < report["inaccuracy"] < 1)
        self.assertEqual((report["error_bound"], report["plan"]["transform"]), (None, "graffix-divergence"))
        self.heddle("pr", graph, "--plan", plan, "--approximate", "--output", self.path("g.tsv"))
        self.assertTrue(text_of(self.path("g.tsv")).startswith("# approximate: pr\n"))
        result = self.heddle("scc", graph, "--plan", plan, "--approximate", "--verify", "--json")
        self.assertFalse(json.loads(result.out)["approximate"])
        words = self.heddle("explain", "pr", graph, "--plan", plan).out.decode()
        self.assertIn("values are approximate", " ".join(words.split()))
        self.assertIn("graffix.threshold=2: expected", self.fails(2, "pr", graph, "--plan", "graffix.threshold=2"))

    def test_graffix_with_copies(self):
        graph = self.social(scale=10)
        plan = "graffix-coalesce,spare=8,graffix.threshold=0.1"
        for algorithm, approximate in (("pr", True), ("sssp", False), ("mst", False)):
            result = self.heddle(algorithm, graph, "--plan", plan, "--approximate", "--verify", "--json")
            report = json.loads(result.out)
            self.assertEqual((report["approximate"], report["verified"]), (approximate, True), algorithm)
            self.assertGreater(report["summary"]["copies"], 0)
        self.assertIn("warp's 32 lanes", self.fails(2, "pr", graph, "--plan", "graffix-coalesce,chunk=64"))

    def test_graffix_prepared_on_a_device(self):
        devices = json.loads(self.heddle("devices", "--json").out)["devices"]
        if not any(device["kind"] == "opencl" and device["found"] for device in devices):
            self.skipTest("there is no OpenCL device")
        plan = "graffix-latency,graffix.threshold=0.6,graffix.prepare="
        graphs = [self.social(scale=9), self.path("small.hdl")]
        self.heddle("generate", "smallworld", graphs[1], "--scale", 9)
        for graph in graphs:
            found = []
            for device, where in (("cpu", "device"), ("opencl", "host"), ("opencl", "device")):
                result = self.heddle("bfs", graph, "--device", device, "--plan", plan + where, "--approximate",
                                     "--json", "--output", self.path("levels.tsv"))
                report = json.loads(result.out)
                self.assertEqual("counted on opencl" in result.err, (device, where) == ("opencl", "device"), result.err)
                self.assertGreater(report["phases"]["transform"], 0)
                found.append((text_of(self.path("levels.tsv")), report["summary"]["clusters"],
                              report["summary"]["added_edges"]))
            self.assertEqual(found[1:], found[:1] * 2)
        self.assertIn("graffix.prepare=gpu: expected host, device", self.fails(2, "bfs", graph, "--plan", plan + "gpu"))
        self.assertIn("is for graffix=latency", self.fails(2, "bfs", graph, "--plan", "graffix.prepare=host"))

    def test_approximate_changes_nothing_yet(self):
        result = self.heddle("cc", self.roads, "--approximate", "--json")
        self.assertFalse(json.loads(result.out)["approximate"])
        self.assertIn("note: this result is exact", result.err)


class Threads(Case):
    def test_any_number_gives_the_same(self):
        graph = self.social(scale=11)
        for algorithm in ALGORITHMS:
            arguments = ["--samples", "8"] if algorithm == "bc" else []
            arguments += ["--parents"] if algorithm in FROM_SOURCE else []
            outs = {self.heddle(algorithm, graph, "-q", "-o", "-", "-t", threads, *arguments).out
                    for threads in (1, 2, 7)}
            if algorithm in ("pr", "bc"):  # sums of floating-point numbers, within tolerance
                tables = [[float(row[1]) for row in rows(out)] for out in outs]
                for table in tables[1:]:
                    for a, b in zip(tables[0], table):
                        self.assertLessEqual(abs(a - b), 1e-5 * max(abs(a), 1e-3), algorithm)
            else:
                self.assertEqual(len(outs), 1, algorithm)


class NastyGraphs(Case):
    GRAPHS = {
        "empty": MTX + "pattern general\n0 0 0\n",
        "one vertex": MTX + "pattern general\n1 1 0\n",
        "no edges": MTX + "pattern general\n5 5 0\n",
        "loop": MTX + "integer general\n1 1 1\n1 1 3\n",
        "loops and twins": MTX + "integer general\n3 3 6\n1 1 2\n1 2 5\n1 2 3\n2 1 4\n3 3 1\n2 2 9\n",
        "isolated": MTX + "integer general\n9 9 2\n4 5 1\n7 5 2\n",
        "zero weights": MTX + "integer general\n4 4 4\n1 2 0\n2 3 0\n3 1 0\n3 4 0\n",
        "clique": MTX + "pattern symmetric\n5 5 10\n" + "".join(
            "%d %d\n" % (i, j) for i in range(1, 6) for j in range(1, i)),
    }

    def test_all(self):
        for name, content in self.GRAPHS.items():
            graph = self.write("g.mtx", content)
            vertices = self.info(graph)["vertices"]
            for algorithm in ALGORITHMS:
                if algorithm == "cs" and name == "zero weights":
                    continue
                with self.subTest(graph=name, algorithm=algorithm):
                    self.certified(algorithm, graph)
                    table = self.rows(algorithm, graph)
                    if algorithm not in EDGES + WITNESSES:
                        self.assertEqual(len(table), vertices)
                    self.heddle(algorithm, graph)  # the summary
                    self.heddle(algorithm, graph, "--top", "2")

    def test_shapes(self):
        for kind in ("star", "path"):
            graph = self.path(kind + ".hdl")
            self.heddle("generate", kind, graph, "--vertices", "3000", "-q")
            for algorithm in ALGORITHMS:
                arguments = ["--samples", "4"] if algorithm == "bc" else []
                arguments += ["--max-iterations", "2000"] if algorithm in STEADY else []
                with self.subTest(graph=kind, algorithm=algorithm):
                    report = self.certified(algorithm, graph, *arguments)
                    self.assertTrue(report["verified"] or algorithm in LIMITS)


class BadInput(Case):
    def test_negative_weights(self):
        graph = self.write("n.txt", "1 2 3\n5 7 -4\n")
        words = self.fails(3, "sssp", graph, "--source", "1")
        for part in ("5", "7", "-4"):
            self.assertIn(part, words)
        self.assertIn("cs needs weights above 0", self.fails(3, "cs", graph))

    def test_missing_weights_mean_one(self):
        plain = self.write("plain.txt", "1 2\n2 3\n")
        for algorithm in ("hs", "cs", "sssp", "sswp", "mst"):
            said = self.heddle(algorithm, plain).err
            self.assertEqual(said.count("note: the graph has no weights: every edge counts 1"), 1, said)
        words = self.write("words.txt", "1 2 friend\n2 3 foe\n")
        self.assertIn("column 3, 'friend', is not a number: edges have no weights", self.heddle("sssp", words).err)

    def test_sources_of_pr_personalise_it(self):
        graph = self.write("g.txt", "1 2\n2 3\n3 1\n3 4\n4 1\n")
        def ranks(*arguments):
            return self.heddle("pr", graph, "-o", "-", "-q", *arguments).out
        alone = ranks("--personalize", self.write("one.txt", "2 1\n"))
        self.assertEqual(ranks("--source", 2), alone)
        self.assertNotEqual(ranks(), alone)
        both = ranks("--personalize", self.write("two.txt", "2 1\n4 1\n"))
        self.assertEqual(ranks("--source", "2,4"), both)
        self.assertEqual(ranks("--personalize", self.write("ids.txt", "2\n4\n")), both, "an id alone counts 1")
        self.assertEqual(json.loads(self.heddle("pr", graph, "--source", 2, "--json").out)["source"], 2)

    def test_a_path_adds_no_column(self):
        graph = self.write("g.txt", "1 2 3\n2 3 4\n")
        rows = self.path("d.tsv")
        out = self.heddle("sssp", graph, "--source", 1, "--path-to", 3, "-o", rows, "-q").out
        self.assertEqual(out, b"1\t0\n2\t3\n3\t7\n")
        self.assertEqual(self.read("d.tsv"), b"1\t0\n2\t3\n3\t7\n")
        self.heddle("sssp", graph, "--source", 1, "--path-to", 3, "--parents", "-o", rows, "-q")
        self.assertEqual(self.read("d.tsv"), b"1\t0\t\n2\t3\t1\n3\t7\t2\n")

    def test_headers_of_vertex_files(self):
        graph = self.write("g.txt", "1 2\n2 3\n3 1\n3 4\n")
        names = self.write("names.txt", "ann bob\nbob id\n")
        for content, arguments in (("id\n1\n", ["bfs", graph, "--sources"]), ("user\n1\n", ["bfs", graph, "--sources"]),
                                   ("source,target\n1,3\n", ["similar", graph, "--pairs"]),
                                   ("id,weight\n1,2\n", ["pr", graph, "--personalize"]),
                                   ("node\nann\n", ["bfs", names, "--sources"])):
            with self.subTest(content=content):
                listed = self.write("listed.csv", content)
                result = self.heddle(*arguments, listed)
                self.assertIn("is taken for a header", result.err)
                bare = self.write("bare.csv", content.split("\n", 1)[1])
                self.assertEqual(self.heddle(*arguments, bare, "-o", "-", "-q").out,
                                 self.heddle(*arguments, listed, "-o", "-", "-q").out)
        result = self.heddle("bfs", names, "--sources", self.write("listed.csv", "id\nann\n"))
        self.assertNotIn("header", result.err, "a vertex has this name")
        self.assertIn("found 'user', expected the id", self.fails(3, "bfs", names, "--sources",
                                                                 self.write("listed.csv", "user\nann\n")))
        part = self.path("part.txt")
        for content in ("id\n1\n2\n", "id,width,parent\n1,0.5,\n2,0.25,1\n"):  # the second is a result
            said = self.heddle("subgraph", graph, part, "--keep", self.write("keep.csv", content)).err
            self.assertEqual((self.info(part)["vertices"], "first column is read" in said), (2, "parent" in content))
        said = self.heddle("pr", graph, "--personalize", self.write("p.csv", "id,weight,note\n1,2,x\n"), "--top", 1).err
        self.assertIn("'id,weight,note', is taken for a header: its first two columns are read", said)
        self.assertIn("found '0.5', expected the end", self.fails(3, "subgraph", graph, part, "--keep",
                                                                 self.write("keep.csv", "id\n1,0.5\n")))

    def test_nothing_is_left(self):
        graph = self.write("g.txt", "1 2\n2 3\n")
        said = self.heddle("subgraph", graph, self.path("none.txt"), "--min-degree", 9).err
        self.assertIn("note: no vertex of the graph is left", said)

    def test_pr_names_a_negative_weight(self):
        graph = self.write("n.txt", "1 2 3\n5 7 -4\n")
        words = self.fails(3, "pr", graph, "--weighted")
        for part in ("edge from 5 to 7", "-4", "subgraph --min-weight 0"):
            self.assertIn(part, words)

    def test_weights_that_are_not_used_are_noted(self):
        weighted = self.write("w.txt", "1 2 3\n2 3 4\n3 1 5\n")
        plain = self.write("plain.txt", "1 2\n2 3\n3 1\n")
        choices = ("pr", "eigenvector", "katz", "hits", "louvain", "leiden", "walks")
        hops = ("bc", "closeness", "harmonic", "eccentricity", "lpa", "cdlp")
        for algorithm in choices + hops:
            ignored = f"note: {algorithm} does not use the graph's weights: " + (
                "--weighted makes edges count by them" if algorithm in choices else "every edge counts 1")
            with self.subTest(algorithm=algorithm):
                self.assertEqual(self.heddle(algorithm, weighted).err.count("note:"), 1)
                self.assertIn(ignored, self.heddle(algorithm, weighted).err)
                self.assertNotIn("weights", self.heddle(algorithm, plain).err)
                self.assertEqual(self.heddle(algorithm, weighted, "--quiet").err, "")
        for algorithm in choices:
            self.assertNotIn("note: ", self.heddle(algorithm, weighted, "--weighted").err)
        for algorithm in ("sssp", "mst", "bfs", "cc", "scc", "kcore", "tc", "similar"):
            self.assertNotIn("note: ", self.heddle(algorithm, weighted).err)

    def test_numbers_out_of_range(self):
        for arguments, expected in (
            (["pr", "--damping", "1"], "--damping: found '1', expected a number from 0 to below 1"),
            (["pr", "--damping", "-0.5"], "--damping: found '-0.5', expected"),
            (["pr", "--tolerance", "0"], "--tolerance: found '0', expected a number above 0"),
            (["pr", "--max-iterations", "0"], "--max-iterations: found '0', expected"),
            (["hs", "--rate", "1.5"], "--rate: found '1.5', expected a number from 0 to 1"),
            (["nn", "--tolerance", "nan"], "--tolerance: found 'nan', expected"),
            (["sssp", "--delta", "-1"], "--delta: found '-1', expected a number above 0"),
            (["bc", "--samples", "0"], "--samples: found '0', expected"),
            (["cc", "--top", "0"], "--top: found '0', expected"),
            (["cc", "--memory-limit", "0"], "--memory-limit: found '0', expected a number of bytes"),
            (["cc", "--memory-limit", "1.5"], "--memory-limit: found '1.5', expected a number of bytes"),
            (["cc", "--memory-limit", "1.G"], "--memory-limit: found '1.G', expected a number of bytes"),
            (["cc", "--memory-limit", "0.0M"], "--memory-limit: found '0.0M', expected a number of bytes"),
            (["cc", "--memory-limit", "5X"], "--memory-limit: found '5X', expected"),
            (["cc", "--precision", "half"], "--precision: found 'half', expected single or double"),
            (["cc", "--device", "gpu"], "--device: found 'gpu', expected auto, cpu, cuda[:INDEX] or opencl[:INDEX]"),
            (["cc", "--max-error", "0"], "--max-error: found '0', expected a number above 0"),
            (["bc", "--confidence", "1"], "--confidence: found '1', expected a number between 0 and 1"),
        ):
            self.assertIn(expected, self.fails(2, arguments[0], self.roads, *arguments[1:]))

    def test_devices_and_plans(self):
        self.fails(1, "cc", self.roads, "--device", "cuda:99")
        for name in ("opencl:x", "cuda:", "cuda:-1", "cuda:1x", "cuda:99999999999", "opencl:4294967296", "openclx",
                     "cpu:0", "auto:1", ""):
            self.assertIn("--device: found '%s', expected auto, cpu, cuda[:INDEX]" % name,
                          self.fails(2, "cc", self.roads, "--device", name))
        self.assertIn("no plan 'nonsense'", self.fails(2, "cc", self.roads, "--plan", "nonsense"))

    def test_memory_limit(self):
        graph = self.social()
        for algorithm in ALGORITHMS:
            words = self.fails(4, algorithm, graph, "--memory-limit", "10K")
            self.assertRegex(words, r"would take about .* more than the 10.0 KiB of the memory limit")
            arguments = ["--samples", "2"] if algorithm == "bc" else []
            self.heddle(algorithm, graph, "--memory-limit", "1G", *arguments)
        result = self.heddle("cc", graph, "--memory-limit", "10K", "--dry-run", status=4)
        self.assertIn(b"would not run on", result.out)
        self.assertIn("more than the 10.0 KiB of the memory limit", result.err)
        self.heddle("cc", graph, "--memory-limit", "1G", "--dry-run")

    def test_unwritable_is_seen_first(self):
        bad = self.path("missing.txt")
        for option, name in (("--output", "r.tsv"), ("--report", "r.html"), ("--trace", "t.json")):
            words = self.fails(3, "cc", bad, option, self.path("no/" + name))
            self.assertRegex(words, r"\Aheddle: .*no/%s: cannot .*: No such file or directory\n\Z" % re.escape(name))
            os.makedirs(self.path(name), exist_ok=True)
            self.assertIn("Is a directory", self.fails(3, "cc", bad, option, self.path(name)))
        before = self.files()
        self.fails(3, "cc", bad, "--output", self.path("x.tsv"), "--report", self.path("x.html"))
        self.assertEqual(self.files(), before)

    def test_suffixes_without_case(self):
        for name in ["X.TSV", "x.Txt", "X.NPY"] + (["X.TSV.GZ"] if support.built_in("zlib") else []):
            self.heddle("cc", self.roads, "--output", self.path(name))
        if support.built_in("zlib"):
            self.assertEqual(gzip.decompress(self.read("X.TSV.GZ")), self.read("X.TSV"))

    def test_files_of_values(self):
        for option, algorithm in (("--init", "hs"), ("--fixed", "cs"), ("--personalize", "pr")):
            for content, place, expected in (
                ("10 1\n11 2\n", "2:1: found '11'", "the id of a vertex"),
                ("# words\n10 1\n20 x\n", "3:4: found 'x'", "a finite number"),
                ("10 1\n\n20\n", "3:3: found end of line", "a finite number"),
                ("10 1 2\n", "1:6: found '2'", "the end of the line"),
                ("10 inf\n", "1:4: found 'inf'", "a finite number"),
                ("abc 1\n", "1:1: found 'abc'", "the id of a vertex"),
            ):
                if option == "--personalize" and "end of line" in place:
                    continue  # an id alone counts 1
                path = self.write("values.txt", content)
                words = self.fails(3, algorithm, self.roads, option, path)
                self.assertIn("values.txt:%s, expected %s" % (place, expected), words)
            self.assertIn("cannot open", self.fails(3, algorithm, self.roads, option, self.path("no.txt")))
            self.assertIn("cannot read", self.fails(3, algorithm, self.roads, option, self.folder))
        path = self.write("values.txt", "10 -1\n")
        self.assertIn("not negative", self.fails(3, "pr", self.roads, "--personalize", path))

    def test_files_of_sources(self):
        for content, expected in (("10\n12\n", ":2:1: found '12', expected the id of a vertex"),
                                  ("10 20\n", ":1:4: found '20', expected the end of the line"),
                                  ("# nothing\n", ": lists no vertex")):
            path = self.write("sources.txt", content)
            self.assertIn("sources.txt" + expected, self.fails(3, "bfs", self.roads, "--sources", path))

    def test_byte_order_mark(self):
        path = self.write("sources.txt", b"\xef\xbb\xbf10\n20\n")
        self.assertEqual(json.loads(self.heddle("bfs", self.roads, "--sources", path, "--json").out)["sources"], 2)
        path = self.write("sources.txt", b"\xef\xbb\xbf12\n")
        self.assertIn(":1:1: found '12'", self.fails(3, "bfs", self.roads, "--sources", path))

    def test_nothing_is_written(self):
        graph = self.write("n.txt", "1 2 -3\n")
        before = self.files()
        self.fails(3, "sssp", graph, "--output", self.path("x.tsv"))
        self.fails(2, "bfs", graph, "--source", "9", "--output", self.path("x.tsv"))
        self.assertEqual(self.files(), before)


if __name__ == "__main__":
    support.main()
