"""Work, not time: how much the CPU does for graphs that never change, so that a slower way of doing it is noticed.

Two things are counted. Reports say how many edges were walked and in how many rounds. Where valgrind is installed,
callgrind counts instructions. Tables hold what was seen when they were written, and SLACK says how much more is let
pass: who does with less writes the smaller number here, who needs more says why in the commit.
"""
import json
import os
import re
import shutil
import subprocess

import support

SLACK = 1.3
SLACK_INSTRUCTIONS = 1.5
MORE_ROUNDS = 2  # where there are few of them, threads that meet in another order count

SIMPLE = ["--symmetrize", "--no-loops", "--dedup=min"]
GRAPHS = {
    "rmat": ["rmat", "--scale", "14", *SIMPLE],
    "uniform": ["uniform", "--scale", "14", *SIMPLE],
    "road": ["road", "--width", "128", "--height", "128"],
    "path": ["path", "--vertices", "100000"],
    "star": ["star", "--vertices", "100000"],
    "directed": ["rmat", "--scale", "14"],
}
OPTIONS = {
    "bc": ["--source", "0"],
    "hs": ["--max-iterations", "50"],
    "cs": ["--max-iterations", "50"],
    "nn": ["--max-iterations", "50"],
}

# Walks over all edges (edges walked, as a multiple of the graph's) and rounds; 0 rounds: it has none.
SEEN = {
    "rmat": {"bfs": (0.033, 5), "sssp": (1.0, 86), "sswp": (1.0, 62), "cc": (0.039, 0), "pr": (17, 17), "bc": (2, 5),
             "scc": (0.039, 0), "mst": (3.12, 0), "tc": (32.9, 0), "kcore": (1, 72),
             "cdlp": (4.32, 10), "hs": (50, 50), "cs": (50, 50), "nn": (2, 2)},
    "uniform": {"bfs": (0.295, 5), "sssp": (1.02, 25), "sswp": (1.01, 64), "cc": (0.031, 0), "pr": (6, 6),
                "bc": (2, 5), "scc": (0.031, 0), "mst": (3.1, 0), "tc": (7.32, 0), "kcore": (1, 12),
                "cdlp": (9.49, 10), "hs": (12, 12), "cs": (6, 6), "nn": (1, 1)},
    "road": {"bfs": (1, 250), "sssp": (1.03, 138), "sswp": (1, 43), "cc": (0.282, 0), "pr": (21, 21), "bc": (2, 255),
             "scc": (0.282, 0), "mst": (2.57, 0), "tc": (2.8, 0), "kcore": (1, 3),
             "cdlp": (10, 10), "hs": (40.4, 50), "cs": (40.4, 50), "nn": (2, 2)},
    "path": {"bfs": (1, 99999), "sssp": (1, 50725), "sswp": (1, 13), "cc": (0.5, 0), "pr": (5, 5), "bc": (2, 100000),
             "scc": (0.5, 0), "mst": (3, 0), "tc": (2, 0), "kcore": (1, 1),
             "cdlp": (10, 10), "hs": (23.6, 50), "cs": (23.6, 50), "nn": (2, 2)},
    "star": {"bfs": (0.5, 2), "sssp": (1, 65), "sswp": (1, 65), "cc": (0.5, 0), "pr": (24, 24), "bc": (2, 2),
             "scc": (0.5, 0), "mst": (3, 0), "tc": (2, 0), "kcore": (1, 1),
             "cdlp": (10, 10), "hs": (14, 14), "cs": (2, 2), "nn": (2, 2)},
    "directed": {"scc": (2, 0), "tc": (53.5, 0), "lcc": (53.5, 0)},
}

# Instructions for each edge of an R-MAT graph of 2^12 vertices, by one thread with AVX2, the most that valgrind has.
INSTRUCTIONS = {"load": 556, "bfs": 2.7, "sssp": 24.8, "cc": 4.9, "pr": 99.5}


def has_avx2():
    try:
        with open("/proc/cpuinfo") as file:
            return " avx2" in file.read()
    except OSError:
        return False


class Case(support.Case):
    def generate(self, name, *arguments):
        path = self.path(name)
        self.heddle("generate", arguments[0], path, *arguments[1:], "--weights", "1..64", "--seed", "1", "--quiet")
        return path


class Counters(Case):
    """Edges and rounds, as the report tells them."""

    def check(self, graph, path, algorithm, walks, rounds):
        report = json.loads(self.heddle(algorithm, path, "--json", "--quiet", "--device", "cpu", "--threads", "2",
                                        *OPTIONS.get(algorithm, [])).out)
        walked = report["edges_walked"] / report["graph"]["edges"]
        self.assertGreater(walked, 0, "%s on %s: expected a count of edges" % (algorithm, graph))
        self.assertLessEqual(walked, SLACK * walks, "%s on %s: expected its edges to be walked about %g times at most"
                             % (algorithm, graph, walks))
        self.assertLessEqual(report["iterations"], SLACK * rounds + (MORE_ROUNDS if rounds else 0),
                             "%s on %s: expected about %d rounds at most" % (algorithm, graph, rounds))

    def check_graph(self, graph):
        path = self.generate("g.hdl", *GRAPHS[graph])
        for algorithm, (walks, rounds) in SEEN[graph].items():
            with self.subTest(algorithm=algorithm):
                self.check(graph, path, algorithm, walks, rounds)

    def test_rmat(self):
        self.check_graph("rmat")

    def test_uniform(self):
        self.check_graph("uniform")

    def test_road(self):
        self.check_graph("road")

    def test_path(self):
        self.check_graph("path")

    def test_star(self):
        self.check_graph("star")

    def test_directed(self):
        self.check_graph("directed")


class Instructions(Case):
    """Instructions of one thread, as callgrind counts them in one function of the library and what it calls."""

    def setUp(self):
        super().setUp()
        if not shutil.which("valgrind"):
            self.skipTest("valgrind is not installed: instructions are not counted")
        if not has_avx2():
            self.skipTest("this processor has no AVX2, with which the instructions were counted")
        graph = self.generate("g.hdl", "rmat", "--scale", "12", *SIMPLE)
        self.edges = self.info(graph)["edges"]
        self.text = self.path("g.txt")
        self.heddle("convert", graph, self.text, "--to", "edgelist", "--lossy", "--quiet")

    def count(self, function, *arguments):
        done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=" + os.devnull,
                               "--toggle-collect=" + function, support.HEDDLE, *arguments, "--threads", "1",
                               "--quiet"], env=support.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=support.TIMEOUT)
        words = done.stderr.decode("utf-8", "replace")
        found = re.search(r"Collected : (\d+)", words)
        if done.returncode or not found:
            self.skipTest("valgrind cannot run this build (sanitizers, a new processor): %s" % words[-300:])
        if int(found.group(1)) == 0:
            self.skipTest("this build has no symbols: callgrind finds no %s" % function)
        return int(found.group(1))

    def check(self, what, function, *arguments):
        each = self.count(function, *arguments) / self.edges
        self.assertLessEqual(each, SLACK_INSTRUCTIONS * INSTRUCTIONS[what],
                             "%s: expected about %g instructions for each edge" % (what, INSTRUCTIONS[what]))

    def test_load(self):
        self.check("load", "heddle_graph_load", "convert", self.text, self.path("again.hdl"))

    def test_algorithms(self):
        for algorithm in ["bfs", "sssp", "cc", "pr"]:
            with self.subTest(algorithm=algorithm):
                self.check(algorithm, "heddle_run", algorithm, self.text, "--symmetrize", "--device", "cpu")


if __name__ == "__main__":
    support.main()
