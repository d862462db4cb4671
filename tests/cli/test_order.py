"""Orders: --plan order=..., convert --order, and what info, explain and bench say of them."""

import json

import support


class Order(support.Case):
    def setUp(self):
        super().setUp()
        self.graph = self.path("g.txt")
        with open(self.graph, "w") as file:
            for v in range(1, 400):  # ids with gaps, some of them negative
                file.write("%d %d %d\n" % (3 * v - 500, 3 * (v * v % 37) - 500, 1 + v % 9))
        self.stored = self.path("g.hdl")
        self.heddle("convert", self.graph, self.stored, "--order", "degree,bfs", "--quiet")

    def values(self, *arguments):
        return self.words(*arguments, "--output", "-", "--quiet")

    def words(self, *arguments):
        return self.heddle(*arguments).out.decode()

    def test_results_are_the_same(self):
        for algorithm in "bfs", "sssp", "sswp", "cc", "scc":
            extra = ["--parents"] if algorithm in ("bfs", "sssp", "sswp") else []
            expected = self.values(algorithm, self.graph, *extra)
            for graph in self.graph, self.stored:
                for plan in "auto", "order=degree", "order=bfs", "order=none":
                    self.assertEqual(self.values(algorithm, graph, "--plan", plan, *extra), expected, (algorithm, plan))

    def test_sources_go_by_id(self):
        arguments = ["--source", "-497", "--plan", "order=degree"]
        self.assertIn("\n-497\t0\n", "\n" + self.values("bfs", self.graph, *arguments))
        report = json.loads(self.heddle("bfs", self.graph, *arguments, "--json", "--quiet").out)
        self.assertEqual(report["source"], -497)
        self.assertEqual(report["plan"]["transform"], "order-degree")
        self.assertGreater(report["phases"]["transform"], 0)

    def test_a_file_has_orders(self):
        report = json.loads(self.heddle("cc", self.stored, "--verify", "--json", "--quiet").out)
        self.assertEqual(report["plan"]["transform"], "order-bfs")
        self.assertEqual(report["phases"]["transform"], 0)
        self.assertTrue(report["verified"])
        self.assertEqual(json.loads(self.heddle("info", self.stored, "--json").out)["orders"], ["degree", "bfs"])
        self.assertEqual(json.loads(self.heddle("info", self.graph, "--json").out)["orders"], [])
        self.assertIn("degree, bfs", self.words("info", self.stored))
        self.assertIn("order bfs: the file has", self.words("explain", "cc", self.stored))
        self.assertNotIn("order bfs", self.words("explain", "cc", self.stored, "--plan", "order=none"))
        self.assertIn("order bfs: vertices are renamed",
                      self.words("explain", "cc", self.graph, "--plan", "order=bfs"))

    def test_dry_run_counts_the_renamed_graph(self):
        arguments = ["cc", self.graph, "--dry-run", "--json", "--quiet"]
        plain = json.loads(self.heddle(*arguments).out)["memory"]
        renamed = json.loads(self.heddle(*arguments, "--plan", "order=bfs").out)["memory"]
        self.assertGreaterEqual(renamed["total"], plain["total"] + plain["out_edges"])

    def test_bench(self):
        out = self.heddle("bench", self.stored, "--algorithms", "cc,mst", "--plans", "auto;order=degree;order=bfs",
                          "--repeats", "1", "--json", "--quiet").out
        rows = json.loads(out)["rows"]
        self.assertEqual([row["plan"] for row in rows if row["algorithm"] == "cc"],
                         ["auto", "order=degree", "order=bfs"])
        self.assertIn("equal weight", json.dumps(rows))

    def test_refusals(self):
        self.assertIn("expected degree, bfs",
                      self.heddle("convert", self.graph, self.path("n.hdl"), "--order", "size", status=2).err)
        self.assertIn("expected none, degree, bfs", self.heddle("cc", self.graph, "--plan", "order=x", status=2).err)
        self.assertIn("equal weight", self.heddle("mst", self.graph, "--symmetrize", "--plan", "order=bfs",
                                                  status=2).err)


if __name__ == "__main__":
    support.main()
