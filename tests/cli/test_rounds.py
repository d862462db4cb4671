"""The records of a run's rounds: in the report, and as bars and counters in the trace."""
import json

import support


class Rounds(support.Case):
    def setUp(self):
        super().setUp()
        self.graph = self.path("g.hdl")
        self.heddle("generate", "rmat", self.graph, "--scale", "10", "--weights", "1:9", "-q")

    def report(self, algorithm, *more):
        return json.loads(self.heddle(algorithm, self.graph, "--json", *more).out)

    def test_the_report_has_every_round(self):
        for algorithm in ("bfs", "sssp", "sswp", "pr", "bc", "nn"):
            with self.subTest(algorithm):
                report = self.report(algorithm)
                rounds = report["rounds"]
                self.assertEqual(sum(each["rounds"] for each in rounds), report["iterations"])
                self.assertEqual(sum(each["edges"] for each in rounds), report["edges_walked"])
                number = 1
                for each in rounds:
                    self.assertEqual(each["round"], number)
                    number += each["rounds"]
                    self.assertIn(each["direction"], ("push", "pull", "mixed"))
                    self.assertGreaterEqual(each["seconds"], 0)
                    self.assertTrue(each["kernel"])

    def test_the_first_round_of_a_search(self):
        report = self.report("sssp")
        first = report["rounds"][0]
        self.assertEqual(first["vertices"], 1)
        self.assertEqual(first["bytes"], 8 * first["edges"])  # targets and weights
        self.assertEqual(self.report("bfs")["rounds"][0]["direction"], "push")

    def test_an_empty_graph_has_none(self):
        empty = self.write("empty.mtx", "%%MatrixMarket matrix coordinate pattern general\n0 0 0\n")
        for algorithm in ("bfs", "cc", "pr", "scc", "bc"):
            with self.subTest(algorithm):
                self.assertEqual(json.loads(self.heddle(algorithm, empty, "--json").out)["rounds"], [])

    def test_the_trace_has_bars_and_counters(self):
        self.heddle("bfs", self.graph, "-q", "--trace", self.path("t.json"))
        events = json.loads(self.read("t.json"))["traceEvents"]
        rounds = self.report("bfs")["rounds"]
        bars = [event for event in events if event["ph"] == "X" and event["tid"] == 2]
        self.assertEqual([bar["args"]["round"] for bar in bars], [each["round"] for each in rounds])
        for name, key in (("active edges", "edges"), ("active vertices", "vertices")):
            values = [event["args"]["value"] for event in events if event["ph"] == "C" and event["name"] == name]
            self.assertEqual(values, [each[key] for each in rounds] + [0])

    def test_shards(self):
        report = self.report("sssp", "--plan", "cusha-cw", "--device", "cpu")
        self.assertEqual(sum(each["rounds"] for each in report["rounds"]), report["iterations"])
        self.assertEqual({each["kernel"] for each in report["rounds"]}, {"shard"})


if __name__ == "__main__":
    support.main()
