"""heddle graphalytics: data sets described by .properties files, run and validated by the benchmark's rules."""
import collections
import json
import os
import random
import re
import subprocess

import support

FAR = 9223372036854775807


class DataSet:
    """A small random graph, and what Graphalytics expects of it, written down naively."""

    def __init__(self, name, directed, seed):
        chance = random.Random(seed)
        self.name, self.directed = name, directed
        self.vertices = sorted(chance.sample(range(1, 500), 40))
        self.edges = {}
        for _ in range(70):
            u, v = chance.sample(self.vertices[:35], 2)  # the others are alone
            if (u, v) not in self.edges and (directed or (v, u) not in self.edges):
                self.edges[u, v] = chance.randint(1, 99) / 10
        self.out, self.near = collections.defaultdict(dict), collections.defaultdict(list)
        for (u, v), weight in self.edges.items():
            self.out[u][v] = weight
            if not directed:
                self.out[v][u] = weight
            self.near[u].append(v)
            self.near[v].append(u)
        self.source = self.vertices[0]

    def paths(self, weight):
        far = {v: float("inf") for v in self.vertices}
        far[self.source] = 0
        for _ in self.vertices:
            for u in self.vertices:
                for v, w in self.out[u].items():
                    far[v] = min(far[v], far[u] + (w if weight else 1))
        return far

    def bfs(self):
        return {v: FAR if d == float("inf") else int(d) for v, d in self.paths(False).items()}

    def sssp(self):
        return {v: "infinity" if d == float("inf") else repr(d) for v, d in self.paths(True).items()}

    def wcc(self):
        label = {v: v for v in self.vertices}
        for _ in self.vertices:
            for u, v in self.edges:
                label[u] = label[v] = min(label[u], label[v])
        return {v: 1000 + x for v, x in label.items()}  # other names for the same components

    def cdlp(self, rounds=3):
        label = {v: v for v in self.vertices}
        for _ in range(rounds):
            counts = {v: collections.Counter(label[u] for u in self.near[v]) for v in self.vertices}
            label = {v: min(counts[v], key=lambda x: (-counts[v][x], x)) if counts[v] else label[v]
                     for v in self.vertices}
        return label

    def pr(self, rounds=4, damping=0.85):
        n = len(self.vertices)
        rank = {v: 1 / n for v in self.vertices}
        for _ in range(rounds):
            lost = sum(rank[v] for v in self.vertices if not self.out[v])
            following = {v: (1 - damping) / n + damping * lost / n for v in self.vertices}
            for u in self.vertices:
                for v in self.out[u]:
                    following[v] += damping * rank[u] / len(self.out[u])
            rank = following
        return rank

    def lcc(self):
        values = {}
        for v in self.vertices:
            near = set(self.near[v])
            arcs = sum(1 for a in near for b in near if b in self.out[a])
            values[v] = arcs / (len(near) * (len(near) - 1)) if len(near) > 1 else 0.0
        return values

    def write(self, case):
        key = "graph.%s." % self.name
        case.write(self.name + ".v", "".join("%d\n" % v for v in self.vertices))
        case.write(self.name + ".e", "".join("%d %d %r\n" % (u, v, w) for (u, v), w in self.edges.items()))
        properties = {"vertex-file": self.name + ".v", "edge-file": self.name + ".e",
                      "meta.vertices": len(self.vertices), "meta.edges": len(self.edges),
                      "directed": "true" if self.directed else "false", "edge-properties.names": "weight",
                      "edge-properties.types": "real", "algorithms": "bfs, cdlp, lcc, pr, sssp, wcc",
                      "bfs.source-vertex": self.source, "cdlp.max-iterations": 3, "pr.damping-factor": 0.85,
                      "pr.num-iterations": 4, "sssp.weight-property": "weight", "sssp.source-vertex": self.source}
        case.write(self.name + ".properties",
                   "# a data set\n" + "".join("%s%s = %s\n" % (key, k, v) for k, v in properties.items()))
        for algorithm in ("bfs", "cdlp", "lcc", "pr", "sssp", "wcc"):
            rows = getattr(self, algorithm)().items()
            case.write("%s-%s" % (self.name, algorithm.upper()), "".join("%d %s\n" % row for row in rows))


class Graphalytics(support.Case):
    def setUp(self):
        super().setUp()
        for i, directed in enumerate((True, False)):
            DataSet("set-%d.x" % i, directed, i).write(self)
        self.write("benchmark.properties", "benchmark.type = test\n")

    def run_all(self, *options, status=0):
        done = self.heddle("graphalytics", "run", self.path(""), "--device", "cpu", "--json", "-q", *options,
                           status=status)
        return json.loads(done.out)

    def test_all_twelve_pass(self):
        rows = self.run_all()
        self.assertEqual(len(rows), 12)
        self.assertEqual({row["validation"] for row in rows}, {"passed"}, rows)
        self.assertEqual({row["graph"] for row in rows}, {"set-0.x", "set-1.x"})

    def test_some(self):
        rows = self.run_all("--graph", "set-1.x", "--algorithms", "pr,wcc")
        self.assertEqual([row["algorithm"] for row in rows], ["pr", "wcc"])
        text = self.heddle("graphalytics", "run", self.path("set-0.x.properties"), "--device", "cpu").out.decode()
        self.assertEqual(text.count("passed"), 6)
        self.assertIn("EVPS", text)

    def test_written_results_pass_as_references(self):
        os.mkdir(self.path("out"))
        self.run_all("--output", self.path("out"))
        for name in os.listdir(self.path("out")):
            os.rename(self.path("out/" + name), self.path(name))
        self.assertEqual({row["validation"] for row in self.run_all()}, {"passed"})
        with open(self.path("set-0.x-BFS"), encoding="ascii") as file:
            self.assertIn(str(FAR), file.read())

    def spoil(self, name, change):
        path = self.path(name)
        with open(path, encoding="ascii") as file:
            lines = file.read().splitlines()
        with open(path, "w", encoding="ascii") as file:
            file.write("\n".join(change(lines)) + "\n")

    def test_wrong_results_are_found(self):
        def other(lines):
            vertex, value = lines[3].split()
            return lines[:3] + ["%s %s" % (vertex, "7" if value != "7" else "8")] + lines[4:]
        for name, change in (("BFS", other), ("CDLP", other), ("LCC", other), ("PR", other), ("SSSP", other),
                             ("WCC", other), ("BFS", lambda lines: lines[1:]), ("PR", lambda lines: lines + lines[:1]),
                             ("LCC", lambda lines: lines + ["123456 1"])):
            DataSet("set-0.x", True, 0).write(self)
            self.spoil("set-0.x-" + name, change)
            rows = self.run_all(status=5)
            failed = [row for row in rows if row["validation"] == "failed"]
            self.assertEqual([row["algorithm"] for row in failed], [name.lower()])
            self.assertIn("difference", failed[0])

    def test_without_references(self):
        os.remove(self.path("set-0.x-PR"))
        self.assertEqual([row["algorithm"] for row in self.run_all() if row["validation"] == "no reference"], ["pr"])

    def test_bad_data_sets(self):
        self.assertIn("expected run", self.fails(2, "graphalytics", "walk", self.path("")))
        self.assertIn("expected some of bfs", self.fails(2, "graphalytics", "run", self.path(""), "-a", "bfs,cc"))
        self.assertIn("no data set", self.fails(3, "graphalytics", "run", self.path(""), "--graph", "other"))
        self.assertIn("no data set", self.fails(3, "graphalytics", "run", self.path("benchmark.properties")))
        self.assertIn("No such file", self.fails(3, "graphalytics", "run", self.path("none.properties")))
        for old, new, message in (("directed = true", "directed = perhaps", ":6:"),
                                  ("directed = true", "", "it has no directed"),
                                  ("bfs.source-vertex = ", "bfs.source-vertex = 9", "is no vertex"),
                                  ("num-iterations = 4", "num-iterations = four", "cannot have"),
                                  (".v\n", ".w\n", "set-0.x.w")):
            DataSet("set-0.x", True, 0).write(self)
            path = self.path("set-0.x.properties")
            with open(path, encoding="ascii") as file:
                text = file.read()
            self.write("set-0.x.properties", text.replace(old, new, 1))
            self.assertIn(message, self.fails(3, "graphalytics", "run", path, "--device", "cpu"))


class Driver(support.Case):
    """The scripts that the benchmark's harness calls."""

    def setUp(self):
        super().setUp()
        self.env = support.environment(HEDDLE=support.HEDDLE, HEDDLE_DEVICE="cpu")

    def script(self, name, *arguments, status=0):
        path = os.path.join(support.ROOT, "packaging", "graphalytics", "bin", "sh", name)
        done = subprocess.run([path, *map(str, arguments)], env=self.env, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout if status == 0 else done.stderr

    def load(self, data, folder):
        data.write(self)
        self.script("load-graph.sh", "--graph-name", data.name, "--input-vertex-path", self.path(data.name + ".v"),
                    "--input-edge-path", self.path(data.name + ".e"), "--output-path", folder, "--directed",
                    "true" if data.directed else "false", "--weighted", "true")

    def execute(self, folder, algorithm, *more, status=0):
        return self.script("execute-job.sh", "--job-id", "b1", "--log-path", self.path("log"), "--algorithm", algorithm,
                           "--input-path", folder, *more, status=status)

    def test_loads_executes_and_unloads(self):
        self.assertIn("heddle", self.script("prepare-benchmark.sh"))
        for i, directed in enumerate((True, False)):
            data, folder = DataSet("set-%d.x" % i, directed, i), self.path("loaded %d" % i)
            self.load(data, folder)
            for algorithm, more in (("BFS", ("--source-vertex", data.source)), ("WCC", ()), ("LCC", ()),
                                    ("CDLP", ("--max-iteration", 3)), ("SSSP", ("--source-vertex", data.source)),
                                    ("pr", ("--max-iteration", 4, "--damping-factor", 0.85, "--num-threads", 1))):
                out = self.execute(folder, algorithm, "--output-path", self.path("out/result"), *more)
                begin, end = re.fullmatch(r"Processing starts at: (\d{13})\nProcessing ends at: (\d{13})\n",
                                          out).groups()
                self.assertLessEqual(int(begin), int(end))
                os.replace(self.path("out/result"), self.path("%s-%s" % (data.name, algorithm.upper())))
                if algorithm != "WCC":  # of components it is the names that differ
                    self.compare(getattr(data, algorithm.lower())(), "%s-%s" % (data.name, algorithm.upper()))
            rows = json.loads(self.heddle("graphalytics", "run", self.path(data.name + ".properties"), "--json", "-q",
                                          "--device", "cpu").out)
            self.assertEqual([row["validation"] for row in rows], ["passed"] * 6)
            self.script("unload-graph.sh", "--graph-name", data.name, "--output-path", folder)
            self.assertFalse(os.path.exists(folder))
        self.assertEqual(os.listdir(self.path("log")), ["b1.json"])

    def compare(self, expected, name):
        values = dict(line.split() for line in self.read(name).decode().splitlines())
        self.assertEqual(set(values), {str(v) for v in expected})
        for v, value in expected.items():
            self.assertAlmostEqual(float(values[str(v)]), float(value), 9)

    def test_what_is_wrong_is_said(self):
        folder = self.path("loaded")
        self.assertIn("no graph has been loaded", self.execute(folder, "wcc", "--output-path", "x", status=2))
        self.load(DataSet("set-0.x", True, 0), folder)
        self.assertIn("expected bfs", self.execute(folder, "walk", "--output-path", "x", status=2))
        self.assertIn("--source-vertex is missing", self.execute(folder, "bfs", "--output-path", "x", status=2))
        self.assertIn("--output-path is missing", self.execute(folder, "wcc", status=2))
        self.assertIn("expected some of --job-id", self.execute(folder, "wcc", "--speed", "1", status=2))
        self.assertIn("a value is missing", self.execute(folder, "wcc", "--output-path", status=2))
        self.assertIn("one machine", self.execute(folder, "wcc", "--output-path", "x", "--num-machines", 2, status=2))
        self.assertIn("is no vertex", self.execute(folder, "bfs", "--output-path", self.path("x"), "--source-vertex",
                                                   "100000", status=3))
        self.assertFalse(os.path.exists(self.path("x")))
        self.script("terminate-job.sh", "--job-id", "b1", "--log-path", self.path("log"))  # it has ended already


if __name__ == "__main__":
    support.main()
