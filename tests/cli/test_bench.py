"""heddle bench: the table, its JSON, the presets, bad input."""
import json

import support


class Bench(support.Case):
    def test_table(self):
        out = self.heddle("bench", "rmat:8", "--algorithms", "bfs,pr", "--repeats", 2, "--sources", 2).out.decode()
        lines = [line for line in out.splitlines() if line.startswith("rmat:8 ")]
        self.assertEqual([line.split()[1] for line in lines], ["bfs", "pr"], out)
        for line in lines:
            self.assertTrue(line.rstrip().endswith("yes"), f"expected a verified row, found: {line}")

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

    def test_again(self):
        file = self.path("rows.json")
        arguments = ("rmat:6", "-a", "cc,bfs,bc", "-r", 2, "--parents", "--json")
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

    def test_bad_input(self):
        for arguments, status in ((("rmat:x",), 3), (("rmat:6", "-a", "nope"), 2),
                                  (("rmat:6", "-o", self.path("no/such.json")), 3),
                                  (("rmat:6", "--device", "abacus"), 2), (("--repeats", "0"), 2)):
            done = support.run("bench", *arguments)
            self.assertEqual(done.status, status, f"{arguments}: {done.err}")
            self.assertTrue(done.err, f"{arguments}: expected a message")


if __name__ == "__main__":
    support.main()
