"""Runs on several devices by the command: parts of the CPU, and of the drivers of tests/fake."""
import json
import os

import support

FAKE = os.environ.get("HEDDLE_FAKE_DRIVERS", "")


class Parts(support.Case):
    def setUp(self):
        super().setUp()
        self.graph = self.write("g.txt", "".join("%d %d %d\n" % (i, i * 7 % 50, i % 9 + 1) for i in range(200)))

    def test_report(self):
        one = json.loads(self.heddle("cc", self.graph, "--device", "cpu", "--json").out)
        for exchange in "all", "ms", "vr":
            run = json.loads(self.heddle("cc", self.graph, "--device", "cpu,cpu,cpu", "--plan", "exchange=" + exchange,
                                         "--verify", "--json").out)
            self.assertEqual((run["device"], run["plan"]["exchange"]), ("cpu,cpu,cpu", exchange))
            self.assertEqual(run["summary"], one["summary"])
            self.assertIs(run["verified"], True)
            self.assertEqual(sum(part["vertices"] for part in run["parts"]), run["graph"]["vertices"])
            self.assertGreaterEqual(run["imbalance"], 1)
            for key, own in ("exchanged", "sent"), ("exchanged_useful", "useful"), ("edges", "edges"):
                rounds = [sum(part["rounds"][i][own] for part in run["parts"]) for i in range(len(run["rounds"]))]
                self.assertEqual(rounds, [r[key] for r in run["rounds"]])
        self.assertEqual(one["plan"]["exchange"], "none")
        self.assertNotIn("parts", one)

    def test_words(self):
        text = self.heddle("pr", self.graph, "--device", "cpu,cpu").out.decode()
        self.assertIn("exchange vr", text)
        text = self.heddle("explain", "pr", self.graph, "--device", "cpu,cpu").out.decode()
        self.assertIn("2 parts of about", text)
        for arguments, status, words in (
                (("tc", "--device", "cpu,cpu"), 2, "use one device instead"),
                (("bfs", "--device", "cpu,cpu", "--plan", "direction=push"), 2, "direction=pull"),
                (("bfs", "--device", "cpu,cpu", "--plan", "exchange=some"), 2, "all, ms, vr"),
                (("bfs", "--device", "cpu,1"), 2, "cuda:0,1"),
                (("bfs", "--device", "cpu,"), 2, "cuda:0,1")):
            result = self.heddle(arguments[0], self.graph, *arguments[1:], status=status)
            self.assertIn(words, result.err)

    def test_failing_devices(self):
        """A call that fails on one device ends the run on both; all is given back."""
        if not os.path.exists(os.path.join(FAKE, "libcuda.so.1")):
            self.skipTest("the fake drivers are not built")
        plans = ("ws-vr,peer=no", "ws-vr", "ws-vr,residency=stream,stream.partitions=4,stream.reuse=no",
                 "ws-vr,residency=host,peer=no")
        for plan in plans:
            for at in 0, 20, 60, 80, 120, 160, 200, 320, 400, 440, 480, 500, 520, 540, 560:
                env = support.environment(LD_LIBRARY_PATH=FAKE, HEDDLE_CACHE=self.path("cache"),
                                          HEDDLE_FAKE="report=%s devices=2 at=%d error=719" % (self.path("report"), at))
                result = support.run("sssp", self.graph, "--device", "cuda:0,1", "--plan", plan, "--quiet", env=env)
                self.assertIn(result.status, (0, 1) if at else (0,), (plan, at))
                if result.status:  # without pinned memory, or access to another device's, it goes on
                    self.assertIn("the fake driver was told to fail", result.err)
                self.assertIn("left 0", self.read("report").decode())


if __name__ == "__main__":
    support.main()
