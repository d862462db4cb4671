"""heddle explain, and --profile, which counts what explain computes."""
import json
import os

import support
from support import run

SCHEDULES = ["thread", "vwarp-2", "vwarp-4", "vwarp-8", "vwarp-16", "vwarp-32", "wseg", "vnode", "vnode coalesced",
             "vnode dynamic", "edge", "shard gs", "shard cw", "coo"]


def has_opencl():
    devices = json.loads(run("devices", "--json").out)["devices"]
    return any(device["kind"] == "opencl" and device["found"] for device in devices)


class Explain(support.Case):
    def explain(self, *arguments):
        return json.loads(self.heddle("explain", *arguments, "--json").out)

    def test_time_on_the_cpu(self):
        """In words for people, and as a number; nothing where nobody has measured the algorithm."""
        graph = self.path("g.hdl")
        self.heddle("generate", "rmat", graph, "--scale", 17, "--quiet")
        words = r"about \d+ (minute|hour)s? on the CPU of this machine"
        self.assertRegex(self.heddle("explain", "bc", graph, "--device", "cpu").out.decode(), words)
        self.assertRegex(self.heddle("bc", graph, "--dry-run", "--device", "cpu").out.decode(), words)
        report = json.loads(self.heddle("bc", graph, "--dry-run", "--device", "cpu", "--json").out)
        self.assertGreater(report["estimated_cpu_seconds"], 60)
        self.assertGreater(self.explain("bc", graph, "--device", "cpu")["estimated_cpu_seconds"], 60)
        report = json.loads(self.heddle("walks", graph, "--dry-run", "--device", "cpu", "--json").out)
        self.assertIsNone(report["estimated_cpu_seconds"])

    def test_figures_of_a_star(self):
        # 0 -> 1 .. 64: of out-edges one lane of 32 has 64, and two warps have none
        star = self.write("star.txt", "".join("0 %d\n" % leaf for leaf in range(1, 65)))
        report = self.explain("bfs", star)
        rows = {row["schedule"]: row for row in report["schedules"]}
        self.assertEqual(list(rows), SCHEDULES)
        self.assertEqual(report["graph"]["edges"], 64)
        self.assertEqual(report["walks"], "out-edges")
        self.assertEqual(report["warp"], 32)
        wanted = {"thread": 64 * 32, "vwarp-2": 32 * 32, "vwarp-32": 2 * 32, "wseg": 2 * 32, "vnode": 10 * 32,
                  "edge": 2 * 32}
        for name, slots in wanted.items():
            self.assertEqual((rows[name]["lanes_useful"], rows[name]["lanes_walked"]), (64, slots), name)
            self.assertEqual(rows[name]["lane_efficiency"], 64 / slots)
        # a step of wseg reads 32 edges, 4 sectors of 8; one of thread reads one edge, and a sector for it
        self.assertEqual(rows["wseg"]["edge_transactions"], 8 / 64)
        self.assertEqual(rows["thread"]["edge_transactions"], 1)
        self.assertEqual(rows["thread"]["transactions"], 2)
        # two ranges of 64 vertices: 63 edges into the first and one into the second, all from the first; each is
        # gathered and written once
        for name in ("shard gs", "shard cw"):
            self.assertEqual(rows[name]["lanes_useful"], 2 * 64)
            self.assertEqual(rows[name]["lanes_walked"], (2 + 1) * 32 + {"gs": 2 + 1, "cw": 2}[name[-2:]] * 32)
            self.assertLess(rows[name]["transactions"], 1)
        self.assertTrue(all(row["device_bytes"] > 65 * 4 + 64 * 4 for row in rows.values()))
        own = {row["schedule"]: row["device_bytes"] for row in self.explain("scc", star)["schedules"]}
        self.assertNotIn("shard gs", own)
        self.assertTrue(own["edge"] > 2 * (65 * 4 + 64 * 4))

    def test_in_edges_and_weights(self):
        star = self.write("star.txt", "".join("0 %d 5\n" % leaf for leaf in range(1, 65)))
        rows = {row["schedule"]: row for row in self.explain("hs", star)["schedules"]}
        self.assertEqual(self.explain("hs", star)["walks"], "in-edges")
        self.assertEqual(rows["thread"]["lanes_walked"], 3 * 32)  # 64 rows of one edge in three warps
        self.assertEqual(rows["wseg"]["edge_transactions"], 2 * 10 / 64)  # two arrays; edges 0-30: 4, 31-62: 5, 63: 1

    def test_plan_and_reasons(self):
        path = self.write("g.txt", "1 2 1\n2 3 1\n3 1 1\n")
        report = self.explain("sssp", path, "--device", "cuda", "--plan", "ws")
        self.assertEqual(report["plan"], {"name": "ws", "transform": "none", "schedule": "wseg", "direction": "pull",
                                          "worklist": "no", "sync": "relaxed", "residency": "device",
                                          "exchange": "none"})
        self.assertIn("schedule wseg", report["reasons"][0])
        report = self.explain("sssp", path, "--device", "cuda", "--plan", "schedule=vnode,K=2")
        self.assertEqual((report["plan"]["schedule"], report["plan"]["worklist"]), ("vnode", "yes"))
        report = self.explain("hs", path, "--device", "cuda")
        self.assertEqual(report["plan"]["sync"], "strict")
        report = self.explain("bfs", path, "--device", "cpu")
        self.assertEqual((report["device"], report["plan"]["schedule"]), ("cpu", "cpu"))
        self.assertTrue(report["warp_assumed"])

    def test_text(self):
        path = self.write("g.txt", "1 2\n2 3\n")
        text = self.heddle("explain", "bfs", path, "--device", "cuda:7").out.decode()
        for part in ("bfs on ", "plan      auto", "why ", "Warps of 32 lanes (assumed", "vnode coalesced", "+ 1"):
            self.assertIn(part, text)
        for line in text.splitlines()[1:]:
            self.assertLessEqual(len(line), 80, line)

    def test_plain_words_on_the_cpu(self):
        path = self.write("g.txt", "1 2\n2 3\n")
        text = self.heddle("explain", "bfs", path, "--device", "cpu").out.decode()
        self.assertIn("On a GPU, for comparison:", text)
        self.assertNotIn("worklist own", text)
        self.assertNotIn("residency", self.heddle("bfs", path, "--device", "cpu", "--dry-run").out.decode())

    def test_nothing_to_walk(self):
        rows = self.explain("bfs", self.write("none.txt", "# nothing\n"), "--vertices", "40")["schedules"]
        self.assertEqual({(row["lanes_walked"], row["lane_efficiency"]) for row in rows}, {(0, 1)})

    def test_programs_of_your_own(self):
        program = os.path.join(support.ROOT, "examples", "reliability.c")
        star = self.write("star.txt", "".join("0 %d 0.5\n" % leaf for leaf in range(1, 65)))
        report = self.explain(program, star, "--device", "cuda")
        self.assertEqual(report["algorithm"], program)
        self.assertEqual([row["schedule"] for row in report["schedules"]], SCHEDULES)
        self.assertTrue(all(row["device_bytes"] > 64 * 8 for row in report["schedules"]))
        self.assertIn("DUMB_WEIGHT", self.fails(2, "explain", program, star, "--plan", "transform=udt"))
        self.assertIn("cannot open the program", self.fails(3, "explain", self.path("no.c"), star))
        self.assertIn("is no C program", self.fails(3, "explain", self.write("x.c", b"\0"), star))

    def test_wrong_requests(self):
        path = self.write("g.txt", "1 2\n")
        self.assertIn("no algorithm 'frob'", self.fails(2, "explain", "frob", path))
        self.assertIn("no algorithm 'info'", self.fails(2, "explain", "info", path))
        self.assertIn("missing operand GRAPH", self.fails(2, "explain", "bfs"))
        self.assertIn("no plan 'nonsense'", self.fails(2, "explain", "bfs", path, "--plan", "nonsense"))
        self.assertIn("worklist=yes", self.fails(2, "explain", "pr", path, "--plan", "worklist=yes", "-d", "opencl"))
        self.fails(3, "explain", "bfs", self.path("absent.txt"))


class Profile(support.Case):
    def test_counted_is_computed(self):
        if not has_opencl():
            self.skipTest("no OpenCL device")
        graph = self.path("g.hdl")
        self.heddle("generate", "rmat", graph, "--scale", "7", "--quiet")
        report = json.loads(self.heddle("pr", graph, "--device", "opencl", "--plan", "ws,debug=yes", "--profile",
                                        "--max-iterations", "2", "--json", "--quiet").out)
        explained = json.loads(self.heddle("explain", "hs", graph, "--json").out)
        rows = {row["schedule"]: row for row in explained["schedules"]}
        self.assertEqual(report["lane_efficiency"], rows["wseg"]["lane_efficiency"])
        self.assertEqual(report["lane_efficiency_computed"], rows["wseg"]["lane_efficiency"])
        self.assertEqual(report["lanes_useful"], report["iterations"] * rows["wseg"]["lanes_useful"])

    def test_the_share_is_shown_beside_rows(self):
        if not has_opencl():
            self.skipTest("no OpenCL device")
        star = self.write("star.txt", "".join("0 %d\n" % leaf for leaf in range(1, 65)))
        result = self.heddle("bfs", star, "--device", "opencl", "--plan", "ws,debug=yes", "--profile", "--top", "1")
        self.assertRegex(result.err, r", \d+\.\d\d % of lanes had an edge to walk")

    def test_no_lanes_on_the_cpu(self):
        result = self.heddle("bfs", self.write("g.txt", "1 2\n"), "--device", "cpu", "--profile", "--json")
        self.assertIsNone(json.loads(result.out)["lane_efficiency"])
        self.assertIn("the CPU has no lanes", result.err)


if __name__ == "__main__":
    support.main()
