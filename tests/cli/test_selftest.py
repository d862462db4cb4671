"""heddle selftest: what it runs, what it says, what it returns."""
import json
import os

import support
from support import run

ALGORITHMS = ["bfs", "sssp", "sswp", "cc", "pr", "bc", "closeness", "harmonic", "eccentricity", "eigenvector", "katz",
              "hits", "degree", "scc", "mst", "bridges", "articulation", "biconnected", "bipartite",
              "toposort", "tc", "lcc", "similar", "kcore", "truss", "cdlp", "lpa", "louvain", "leiden",
              "walks", "hs", "cs", "nn"]


def has_opencl():
    devices = json.loads(run("devices", "--json").out)["devices"]
    return any(device["kind"] == "opencl" and device["found"] for device in devices)


class Selftest(support.Case):
    def test_cpu(self):
        result = self.heddle("selftest", "--quick")
        lines = result.out.decode().splitlines()
        self.assertEqual([line.split()[0] for line in lines[:-1]], ALGORITHMS)
        self.assertRegex(lines[-1], r"\A[\d,]+ passed, [\d,]+ refused, 0 failed on cpu\Z")

    def test_json(self):
        report = json.loads(self.heddle("selftest", "--quick", "--algorithm", "sssp", "--json").out)
        self.assertEqual(report["device"], "cpu")
        self.assertEqual([entry["algorithm"] for entry in report["algorithms"]], ["sssp"])
        self.assertGreater(report["passed"], 8)
        self.assertEqual((report["failed"], report["failures"]), (0, []))

    def test_one_case(self):
        report = json.loads(self.heddle("selftest", "--algorithm", "mst", "--plan", "auto", "--graph", "clique",
                                        "--json").out)
        self.assertEqual((report["passed"], report["refused"], report["failed"]), (1, 0, 0))

    def test_random_cases(self):
        result = self.heddle("selftest", "--cases", "150", "--seed", "7")
        self.assertRegex(result.out.decode(), r"\A\d+ passed, \d+ refused, 0 failed on cpu\n\Z")
        programs = self.heddle("selftest", "--cases", "12", "--seed", "107", "--algorithm", "program")
        self.assertRegex(programs.out.decode(), r"\A\d+ passed, \d+ refused, 0 failed on cpu\n\Z")
        sssp = self.heddle("selftest", "--case", "e0120000" + "01").out.decode()
        self.assertIn("# program, plan auto, device cpu, relation built-in", sssp)
        self.assertIn("# PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return b < a ? b : a; }", sssp)
        loop = self.heddle("selftest", "--case", "e912000005" + 26 * "00" + "0000" + "010101")  # of no simple graph
        self.assertIn("1 passed", loop.out.decode())
        again = self.heddle("selftest", "--case", "0102")  # sssp on the empty graph: it cannot be renamed, but …
        self.assertIn("# sssp, plan auto, device cpu, relation parts", again.out.decode())
        self.assertIn("expected pairs of hexadecimal digits",
                      self.heddle("selftest", "--case", "01x", status=2).err)

    def test_programs(self):
        def tested(name, *more, status=0):
            return json.loads(self.heddle("selftest", "--algorithm", name, "--graph", "rmat", "--json", *more,
                                          status=status).out)
        for name in "core.c", "rank.c":
            report = tested(os.path.join(support.ROOT, "examples", name))
            self.assertGreater(report["passed"], 10)
            self.assertEqual(report["failed"], 0)
        plain = "PROGRAM MESSAGE identity(void) { return 0; }\n" \
                "PROGRAM MESSAGE send(VALUE v, u32 d) { return v; }\n" \
                "PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return a + b; }\n" \
                "PROGRAM int update(VALUE *v, MESSAGE m, ABOUT me, RUN run) { *v = m; return run->iteration < 4; }\n"
        false = self.write("false.c", "#define VALUE u32\n#define MESSAGE u32\n#define TRAITS MONOTONE\n"
                           "PROGRAM VALUE init(ABOUT me, RUN run) { return me->vertex; }\n" + plain)
        self.assertGreater(tested(false, status=1)["failed"], 0)  # a promise that does not hold

    def test_device(self):
        if not has_opencl():
            self.skipTest("no OpenCL device")
        report = json.loads(self.heddle("selftest", "--device", "opencl", "--algorithm", "bfs", "--plan",
                                        "ws,debug=yes", "--json").out)
        self.assertEqual((report["passed"], report["refused"], report["failed"]), (17, 0, 0))
        result = self.heddle("selftest", "--device", "opencl", "--algorithm", "pr", "--plan",
                             "worklist=yes", "--graph", "rmat", "--verbose")
        self.assertIn(b"refused pr, plan worklist=yes, graph rmat: pr: worklist=yes: every vertex", result.out)
        self.assertIn(b"0 passed, 1 refused, 0 failed", result.out)
        # Many communities, so that the last level is large: louvain ended where two of them still gained by joining.
        result = self.heddle("selftest", "--device", "opencl", "--algorithm", "louvain", "--cases", "1", "--seed",
                             "130")
        self.assertIn(b"1 passed, 0 refused, 0 failed", result.out)

    def test_no_such_device(self):
        self.assertRegex(self.heddle("selftest", "--device", "opencl:99", "--algorithm", "bfs", status=1).err,
                         r"no (opencl )?device")

    def test_wrong_requests(self):
        self.assertIn("expected bfs, sssp", self.fails(2, "selftest", "--algorithm", "frob"))
        self.assertIn("--graph: found 'g', expected empty, one-vertex", self.fails(2, "selftest", "--graph", "g"))
        self.assertIn("no plan 'frob': expected auto", self.fails(2, "selftest", "--plan", "frob"))
        self.assertIn("--device: found 'gpu', expected", self.fails(2, "selftest", "--device", "gpu"))
        self.assertIn("unexpected operand", self.fails(2, "selftest", "cuda"))


if __name__ == "__main__":
    support.main()
