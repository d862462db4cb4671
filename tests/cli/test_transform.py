"""heddle transform, and algorithms under plans that transform the graph."""

import json

import support

MONOTONE = """
#define VALUE f32
#define MESSAGE f32
#define WEIGHT f32
#define TRAITS (MONOTONE | FROM_SOURCES)
%s
PROGRAM VALUE init(ABOUT me, RUN run) { (void)run; return me->source ? 0 : 1e30f; }
PROGRAM MESSAGE identity(void) { return 1e30f; }
PROGRAM MESSAGE send(VALUE value, WEIGHT weight, u32 degree) { return value + weight * (f32)degree; }
PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return MINIMUM(a, b); }
PROGRAM int update(VALUE *value, MESSAGE least, ABOUT me, RUN run) {
    (void)me, (void)run;
    if (!(least < *value))
        return 0;
    *value = least;
    return 1;
}
"""

ADDING = """
#define VALUE f64
#define MESSAGE f64
#define TRAITS (ALL_ACTIVE | SUM)
PROGRAM VALUE init(ABOUT me, RUN run) { (void)run; return 1.0 + me->in_degree; }
PROGRAM MESSAGE identity(void) { return 0; }
PROGRAM MESSAGE send(VALUE value, u32 degree) { return value / degree; }
PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return a + b; }
PROGRAM int update(VALUE *value, MESSAGE sum, ABOUT me, RUN run) {
    (void)run;
    f64 fresh = 0.5 * sum + me->in_degree;
    int changed = fresh != *value;
    *value = fresh;
    return changed;
}
"""


class Transform(support.Case):
    def setUp(self):
        super().setUp()
        self.graph = self.path("g.hdl")
        self.heddle("generate", "rmat", self.graph, "--scale", "8", "--weights", "1..64", "--quiet")

    def report(self, *arguments):
        return json.loads(self.heddle("transform", *arguments, "--json", "--quiet").out)

    def values(self, *arguments):
        return self.heddle(*arguments, "--output", "-", "--quiet").out

    def test_report(self):
        report = self.report("udt", self.graph, self.path("s.hdl"), "--K", "8")
        info = json.loads(self.heddle("info", self.path("s.hdl"), "--json").out)
        self.assertEqual(report["transform"], "udt")
        self.assertEqual(report["K"], 8)
        self.assertEqual(report["max_degree_after"], 8)
        self.assertEqual(info["vertices"], report["vertices"])
        self.assertEqual(info["edges"], report["edges"])
        self.assertEqual(info["max_out_degree"], 8)
        self.assertEqual(report["vertices"], 256 + report["added_vertices"])
        self.assertGreater(report["warp_efficiency_after"], report["warp_efficiency_before"])
        self.assertEqual(sum(report["histogram_after"]), report["vertices"])
        self.assertEqual(set(report["phases"]), {"load", "transform", "write"})
        self.assertIn(report["worth_it"], (True, False))
        self.assertTrue(report["advice"])

    def test_words(self):
        result = self.heddle("transform", "star", self.graph, self.path("s.hdl"), "--K", "8", "--direction", "pull")
        for words in (b"star, K = 8, in-edges", b"warp efficiency", b"degree 4..7", b"worth it"):
            self.assertIn(words, result.out)

    def test_distances_stay(self):
        """Distances on the file that was written are those of the graph, for its own vertices."""
        want = self.values("sssp", self.graph, "--source", "3").splitlines()
        for name in ("cliq", "circ", "star", "udt", "rstar"):
            for direction in ("push", "pull"):
                split = self.path("s.hdl")
                self.report(name, self.graph, split, "--K", "5", "--direction", direction)
                have = self.values("sssp", split, "--source", "3").splitlines()
                self.assertEqual(have[:256], want, name + " " + direction)

    def test_widths_stay(self):
        want = self.values("sswp", self.graph, "--source", "3").splitlines()
        self.report("udt", self.graph, self.path("s.hdl"), "--K", "5", "--new-weights", "infinity")
        self.assertEqual(self.values("sswp", self.path("s.hdl"), "--source", "3").splitlines()[:256], want)

    def test_ids(self):
        lines = "".join("hub\tleaf%d\n" % i for i in range(20))
        names = self.write("names.txt", lines)
        self.report("udt", names, self.path("s.hdl"), "--K", "4", "--new-weights", "zero")
        rows = self.values("bfs", self.path("s.hdl"), "--source", "hub").decode().splitlines()
        self.assertTrue(any(row.startswith("split:0\t") for row in rows))
        self.assertIn("labels that begin with 'split:'",
                      self.fails(2, "transform", "udt", self.path("s.hdl"), self.path("t.hdl"), "--K", "2"))
        numbers = self.write("numbers.txt", "".join("1000 %d\n" % (7 * i) for i in range(20)))
        self.report("star", numbers, self.path("s.hdl"), "--K", "4")
        ids = [int(row.split()[0]) for row in self.values("cc", self.path("s.hdl")).decode().splitlines()]
        self.assertEqual(ids[-5:], [1001, 1002, 1003, 1004, 1005])

    def test_bad_input(self):
        out = self.path("s.hdl")
        self.assertIn("found '0'", self.fails(2, "transform", "udt", self.graph, out, "--K", "0"))
        self.assertIn("K of 2 or more", self.fails(2, "transform", "udt", self.graph, out, "--K", "1"))
        self.assertIn("K of 2 or more", self.fails(2, "transform", "rstar", self.graph, out, "--K", "1"))
        self.assertIn("no transform 'tree'", self.fails(2, "transform", "tree", self.graph, out))
        result = self.heddle("transform", "udt", self.graph, out, "--K", "1M")
        self.assertIn("nothing to split", result.err)
        self.assertIn("K=0", self.fails(2, "bfs", self.graph, "--plan", "tigr-udt,K=0"))
        self.assertIn("transform=tree", self.fails(2, "bfs", self.graph, "--plan", "transform=tree"))
        self.assertIn("cost nothing", self.fails(2, "bc", self.graph, "--plan", "transform=circ"))
        self.assertIn("two arcs", self.fails(2, "mst", self.graph, "--plan", "tigr-udt"))
        self.assertIn("use direction=pull instead",
                      self.fails(2, "pr", self.graph, "--plan", "transform=udt,direction=push"))

    def test_plans(self):
        for algorithm in ("bfs", "sssp", "sswp", "cc"):
            want = self.values(algorithm, self.graph)
            for plan in ("tigr-udt", "tigr-udt,K=4", "transform=circ,K=3", "transform=cliq,K=9,direction=pull"):
                self.assertEqual(self.values(algorithm, self.graph, "--plan", plan), want, algorithm + " " + plan)
        report = json.loads(self.heddle("pr", self.graph, "--plan", "tigr-udt,K=4", "--verify", "--json").out)
        self.assertIs(report["verified"], True)
        self.assertEqual(report["plan"]["transform"], "udt")
        self.assertEqual(report["summary"]["K"], 4)
        self.assertGreater(report["phases"]["transform"], 0)
        self.assertEqual(self.values("scc", self.graph, "--plan", "transform=circ,K=3"), self.values("scc", self.graph))
        report = json.loads(self.heddle("bc", self.graph, "--plan", "tigr-udt,K=4", "--verify", "--json").out)
        self.assertEqual((report["verified"], report["summary"]["K"]), (True, 4))

    def test_dry_run_counts_the_split_graph(self):
        arguments = ["sssp", self.graph, "--dry-run", "--json", "--quiet"]
        plain = json.loads(self.heddle(*arguments).out)["memory"]["total"]
        split = json.loads(self.heddle(*arguments, "--plan", "tigr-udt,K=4").out)["memory"]["total"]
        shards = json.loads(self.heddle(*arguments, "--plan", "udt-cusha,K=4").out)["memory"]["total"]
        edges = json.loads(self.heddle("info", self.graph, "--json").out)["edges"]
        self.assertGreaterEqual(split, plain + 8 * edges)
        self.assertGreaterEqual(shards, split + 16 * edges)

    def test_programs(self):
        """A program of one's own: degrees are those that the graph's vertices had."""
        own = self.write("own.c", MONOTONE % "#define DUMB_WEIGHT 0")
        adding = self.write("adding.c", ADDING)
        want = self.values("run", own, self.graph)
        for plan in ("tigr-udt,K=4", "transform=star,K=3,direction=pull", "transform=circ,K=5"):
            self.assertEqual(self.values("run", own, self.graph, "--plan", plan), want, plan)
        want = [float(row.split()[1]) for row in self.values("run", adding, self.graph).decode().splitlines()]
        have = self.values("run", adding, self.graph, "--plan", "tigr-udt,K=4").decode().splitlines()
        for a, b in zip(want, (float(row.split()[1]) for row in have)):
            self.assertAlmostEqual(a, b, delta=1e-3 * abs(a))
        without = self.write("without.c", MONOTONE % "")
        self.assertIn("DUMB_WEIGHT", self.fails(2, "run", without, self.graph, "--plan", "tigr-udt,K=4"))


if __name__ == "__main__":
    support.main()
