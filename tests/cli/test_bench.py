"""heddle bench: the table, its JSON, the presets, bad input; bench/run.py beside programs that stand in for peers."""
import csv
import json
import os
import re
import subprocess
import sys
import unittest

import support

TIMER = os.path.join(os.path.dirname(support.HEDDLE), "bench-algorithms")


class Bench(support.Case):
    def test_table(self):
        out = self.heddle("bench", "rmat:8", "--algorithms", "bfs,pr", "--repeats", 2, "--sources", 2).out.decode()
        lines = [line for line in out.splitlines() if line.startswith("rmat:8 ")]
        self.assertEqual([line.split()[1] for line in lines], ["bfs", "pr"], out)
        for line in lines:
            self.assertTrue(line.rstrip().endswith("yes"), f"expected a verified row, found: {line}")

    def test_default_algorithms(self):
        """Help lists what is measured where no algorithms are named."""
        help_text = " ".join(self.heddle("help", "bench").out.decode().split())
        listed = re.search(r"program of your own \(default: ([^)]*)\)", help_text).group(1)
        rows = json.loads(self.heddle("bench", "rmat:4", "-r", 1, "--sources", 0, "--json").out)["rows"]
        self.assertEqual(listed.replace(" and ", ", ").split(", "), [row["algorithm"] for row in rows])

    def test_a_note_is_printed_once(self):
        plain = self.write("plain.txt", "1 2\n2 3\n3 1\n")
        said = self.heddle("bench", plain, "-a", "sssp,sswp,mst", "-r", 3, "--sources", 2).err
        self.assertEqual(said.count("note: the graph has no weights: every edge counts 1"), 1, said)

    def test_memory_limit(self):
        graph = self.path("g.hdl")
        self.heddle("generate", "rmat", graph, "--scale", 14, "--symmetrize", "--quiet")
        done = self.heddle("bench", graph, "-a", "bfs", "-r", 1, "--sources", 0, "--memory-limit", "1500K", "--json")
        report = json.loads(done.out)
        self.assertIn("--memory-limit", report["arguments"])
        self.assertTrue(report["rows"][0]["verified"])
        self.assertGreater(report["rows"][0]["bytes_sent"], 0, "edges were read from the file")

    def test_stream_script(self):
        """bench/stream.py: the rounds and renamings of Graphie's evaluation, from reports."""
        devices = json.loads(support.run("devices", "--json").out)["devices"]
        if not any(device["kind"] == "opencl" and device["found"] for device in devices):
            self.skipTest("no OpenCL device")
        graph, reports = self.path("g.hdl"), self.path("reports")
        self.heddle("generate", "rmat", graph, "--scale", 9, "--symmetrize", "--quiet")
        script = os.path.join(support.ROOT, "bench", "stream.py")
        done = subprocess.run([sys.executable, script, graph, "--device", "opencl", "--share", "4", "--tables",
                               "rounds,renaming,again", "--algorithms", "bfs", "--repeats", "1", "--reports", reports],
                              env=dict(os.environ, HEDDLE=support.HEDDLE), capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(os.path.join(reports, "g.hdl-bfs-graphie.json"), encoding="utf-8") as file:
            rounds = json.load(file)[0]["rounds"]
        for entry in rounds:
            row = "| %d | %d | %d |" % (entry["round"], entry["parts_needed"], entry["parts_sent"])
            self.assertIn(row, done.stdout)
        self.assertIn("second round (virtual ids)", done.stdout)

    def test_json(self):
        file = self.path("rows.json")
        done = self.heddle("bench", "road:16", "uniform:6-directed", "-a", "scc", "-r", 3, "--json", "-o", file)
        report = json.loads(done.out)
        with open(file, encoding="utf-8") as copy:
            self.assertEqual(json.load(copy), report)
        self.assertEqual(report["arguments"][:2], ["road:16", "uniform:6-directed"])
        self.assertEqual([row["graph"] for row in report["rows"]], ["road:16", "uniform:6-directed"])
        for row in report["rows"]:
            self.assertEqual(row["runs"], 3)
            self.assertTrue(row["verified"])
            self.assertLessEqual(row["least"], row["median"])
            self.assertLessEqual(row["median"], row["most"])
            self.assertEqual(len(row["times"]), 3)
            self.assertEqual([min(row["times"]), max(row["times"])], [row["least"], row["most"]])
            self.assertTrue(row["least"] <= row["quartiles"][0] <= row["median"] <= row["quartiles"][1] <= row["most"])
            self.assertIn("residency=device", row["plan_keys"])
        for key in ("version", "commit", "command", "date", "machine", "device_name", "driver", "threads", "seed"):
            self.assertIn(key, report)

    def test_csv(self):
        file = self.path("rows.csv")
        self.heddle("bench", "road:16", "-a", "bfs,cc", "-r", 3, "-q", "-o", file)
        with open(file, encoding="utf-8", newline="") as copy:
            rows = list(csv.DictReader(copy))
        self.assertEqual([(row["graph"], row["algorithm"], row["runs"], row["verified"]) for row in rows],
                         [("road:16", "bfs", "3", "yes"), ("road:16", "cc", "3", "yes")])
        for row in rows:
            self.assertTrue(float(row["least"]) <= float(row["median"]) <= float(row["most"]))
            self.assertIn("residency=device", row["plan_keys"])

    def test_again(self):
        file = self.path("rows.json")
        arguments = ("rmat:6", "-a", "cc,bfs,bc", "-r", 2, "--parents", "--threads", 3, "--json")
        first = json.loads(self.heddle("bench", *arguments, "-o", file).out)
        self.assertIn("--parents", first["arguments"])
        second = json.loads(self.heddle("bench", "--again", file, "--json").out)
        self.assertEqual(second["arguments"], first["arguments"])
        for key in ("graph", "algorithm", "plan", "runs", "edges"):
            self.assertEqual([row[key] for row in second["rows"]], [row[key] for row in first["rows"]])
        self.fails(3, "bench", "--again", self.write("no.json", "{}"))

    def test_presets(self):
        report = json.loads(self.heddle("bench", "presets", "rmat:6", "-a", "bfs", "-r", 1, "--json").out)
        plans = [row["plan"] for row in report["rows"]]
        self.assertEqual(plans[0], "baseline")
        self.assertIn("auto", plans)
        self.assertIn("schedule=edge", plans)
        table = self.heddle("bench", "presets", "rmat:6", "-a", "mst", "-r", 1).out.decode().splitlines()
        self.assertTrue(table[0].endswith(" verified"), table[0])
        self.assertTrue(all(" refused: " in row or row.endswith(" yes") for row in table[1:] if row[0] != "#"), table)
        done = self.heddle("bench", "presets", "rmat:10", "-a", "bfs", "-r", 1, "--plans", "auto;cusha-gs")
        table = done.out.decode()
        ratios = [row.split()[-2] for row in table.splitlines() if row.endswith(" yes")]
        self.assertEqual(len(ratios), 2, table)
        self.assertFalse([ratio for ratio in ratios if re.fullmatch(r"0\.0\d", ratio)], "two digits of each ratio")

    def test_approximate(self):
        done = self.heddle("bench", "rmat:8", "-a", "pr,scc", "-r", 1, "--approximate", "--sweep", "--plan", "baseline",
                           "--json")
        rows = json.loads(done.out)["rows"]
        self.assertEqual((rows[0]["plan"], rows[0]["approximate"], rows[0]["inaccuracy"]), ("baseline", False, 0))
        self.assertIn("baseline,graffix=divergence,graffix.threshold=0.6", [row["plan"] for row in rows])
        ran = [row for row in rows if "refused" not in row]
        self.assertTrue(all(row["verified"] for row in ran))
        self.assertTrue(any(row["inaccuracy"] > 0 for row in ran if row["algorithm"] == "pr"))
        self.assertFalse(any(row["approximate"] for row in ran if row["algorithm"] == "scc"))
        done = self.heddle("bench", "rmat:8", "-a", "scc", "-r", 1, "--approximate", "--plans", "ws;auto", "--json")
        plans = [row["plan"] for row in json.loads(done.out)["rows"]]
        self.assertEqual(plans[:2] + plans[8:10], ["ws", "ws,graffix=coalesce", "auto", "auto,graffix=coalesce"])
        table = self.heddle("bench", "rmat:8", "-a", "bfs", "-r", 1, "--approximate").out.decode().splitlines()
        self.assertTrue(table[0].endswith("speed-up inaccuracy verified"), table[0])
        self.assertIn(" exact yes", table[2])
        self.fails(2, "bench", "rmat:8", "--sweep")

    def test_graph500(self):
        block = self.heddle("bench", "graph500", "--scale", 7).out.decode()
        lines = dict(line.split(": ") for line in block.splitlines())
        self.assertEqual((lines["SCALE"], lines["edgefactor"], lines["NBFS"]), ("7", "16", "64"))
        report = json.loads(self.heddle("bench", "graph500", "--scale", 7, "--json").out)
        self.assertEqual(set(report) - set(lines), {"device", "verified"})
        self.assertEqual(report["max_nedge"], float(lines["max_nedge"]))
        self.assertLessEqual(report["min_TEPS"], report["harmonic_mean_TEPS"])
        self.fails(2, "bench", "graph500", "rmat:6")
        for option, value in ("--report", "x.html"), ("--output", "x.json"), ("--plans", "auto"), ("--again", "x.json"):
            refused = self.fails(2, "bench", "graph500", "--scale", 7, option, value)
            self.assertIn(f"{option}: not for graph500", refused)

    def test_plans(self):
        wanted = ["tigr-udt,K=4", "transform=star,K=8,schedule=shard", "auto"]
        file = self.path("rows.json")
        common = ("rmat:6", "-a", "sssp,mst", "-r", 1, "--json")
        for words in (("presets",), ()):
            done = self.heddle("bench", *words, *common, "--plans", ";".join(wanted), "-o", file)
            report = json.loads(done.out)
            self.assertEqual([row["plan"] for row in report["rows"]], wanted * 2)
            self.assertTrue(all(row["verified"] for row in report["rows"][:3]), report)
            self.assertIn("refused", report["rows"][3])
            again = json.loads(self.heddle("bench", "--again", file, "--json").out)
            self.assertEqual(again["arguments"], report["arguments"])
            self.assertEqual([row["plan"] for row in again["rows"]], wanted * 2)
        for bad in ("nope", "baseline;;ws", ";", "ws;schedule=loom"):
            self.fails(2, "bench", "presets", "rmat:6", "--plans", bad)

    def test_programs_of_your_own(self):
        program = os.path.join(support.ROOT, "examples", "influence.c")
        report = json.loads(self.heddle("bench", "presets", "rmat:5", "-a", program + ",bfs", "-r", 1, "--plans",
                                        "auto;cusha-gs", "--json", env=support.environment(
                                            HEDDLE_CACHE=self.path("cache"))).out)
        self.assertEqual([(row["algorithm"], row["plan"]) for row in report["rows"]],
                         [(program, "auto"), (program, "cusha-gs"), ("bfs", "auto"), ("bfs", "cusha-gs")])
        self.assertIs(report["rows"][0]["verified"], True)
        self.assertIn("no algorithm 'no.c', and no program", self.fails(2, "bench", "rmat:5", "-a", "bfs,no.c"))

    def test_commas_between_plans(self):
        for plans in ("ws,tigr-v", "auto;ws,tigr-v", "schedule=vnode,K=8,ws"):
            self.assertIn("expected ';' between plans", self.fails(2, "bench", "rmat:5", "--plans", plans))

    def test_bad_input(self):
        for arguments, status in ((("rmat:x",), 3), (("rmat:6", "-a", "nope"), 2),
                                  (("rmat:6", "-o", self.path("no/such.json")), 3),
                                  (("rmat:6", "--device", "abacus"), 2), (("rmat:6", "--device", "auto"), 2),
                                  (("--repeats", "0"), 2)):
            done = support.run("bench", *arguments)
            self.assertEqual(done.status, status, f"{arguments}: {done.err}")
            self.assertTrue(done.err, f"{arguments}: expected a message")


# As much of igraph as the benchmark asks for, slow and simple.
IGRAPH = '''
import collections, math

class Graph:
    def __init__(self, path, weighted):
        self.edges = collections.defaultdict(list)
        for line in open(path):
            a, b, weight = (int(word) for word in (line.split() + ["1"])[:3])
            self.edges[a].append((b, weight if weighted else 1))
            self.edges[b].append((a, weight if weighted else 1))
        self.vs = self

    def find(self, name):
        return collections.namedtuple("Vertex", "index")(int(name))

    def distances(self, source, weights=None):
        far = dict.fromkeys(range(max(self.edges) + 1), math.inf)
        far[source] = 0
        for _ in far:
            for a, row in self.edges.items():
                for b, weight in row:
                    far[b] = min(far[b], far[a] + weight)
        return [list(far.values())]

    def connected_components(self):
        labels = list(range(max(self.edges) + 1))
        for _ in labels:
            for a, row in self.edges.items():
                labels[a] = min([labels[a]] + [labels[b] for b, _ in row])
        return collections.namedtuple("Clusters", "membership")(labels)

    def pagerank(self, damping):
        return [1]

    def betweenness(self, directed, sources):
        return [0]

    @classmethod
    def Read_Edgelist(cls, path, directed):
        return cls(path, False)

    @classmethod
    def Read_Ncol(cls, path, names, weights, directed):
        return cls(path, True)
'''


@unittest.skipUnless(os.path.exists(TIMER), "bench-algorithms is not built here")
class Peers(support.Case):
    """bench/run.py --part peers, with programs that stand in for GAP and igraph."""

    def run_peers(self, igraph):
        self.write("igraph.py", igraph)
        for name in ("bfs", "sssp", "cc", "pr", "bc"):
            os.chmod(self.write(name, "#!/bin/sh\necho 'Trial Time: 9.00000'\n"), 0o755)
        env = support.environment(HEDDLE=support.HEDDLE, BUILD=self.folder, PYTHONPATH=self.folder,
                                  PYTHONDONTWRITEBYTECODE="1")
        env.pop("LAGRAPH", None)
        return subprocess.run([sys.executable, os.path.join(support.ROOT, "bench", "run.py"), "--part", "peers",
                               "--graphs", "kron6,road6", "--threads", "1", "--repeats", "2", "--gap", self.folder,
                               "--save", self.path("record.json")],
                              env=env, capture_output=True, text=True, timeout=support.TIMEOUT)

    def test_tables(self):
        done = self.run_peers(IGRAPH)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [line.split(" | ") for line in done.stdout.splitlines() if line.startswith("| ")]
        self.assertEqual(rows[0], ["| algorithm", "Heddle .el", "GAP .el", "igraph .el |"])
        names = [row[0][2:] for row in rows if row[0][2:] not in ("algorithm", "---")]
        self.assertEqual(names, ["bfs", "sssp", "cc", "pr", "bfs", "sssp", "cc", "pr", "bc"] * 2, done.stdout)
        with open(self.path("record.json"), encoding="utf-8") as file:
            record = json.load(file)["peers"]
        self.assertEqual({(row["graph"], row["peer"]) for row in record},
                         {(graph, peer) for graph in ("kron6", "road6") for peer in ("GAP", "igraph")})
        for row in record:
            self.assertEqual(row["turns"], 2)
            if row["peer"] == "GAP":
                self.assertEqual(set(row["peer_ms"].values()), {9000.0}, row)

    def test_disagreement(self):
        done = self.run_peers(IGRAPH.replace("far[source] = 0", "far[source] = 1"))
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("kron6 bfs: igraph found", done.stderr)


if __name__ == "__main__":
    support.main()
