"""Where edges lie: the plan key `residency`, --memory-limit, and what reports say of them."""
import json

import support


class Residency(support.Case):
    def setUp(self):
        super().setUp()
        self.graph = self.path("g.hdl")
        self.heddle("generate", "rmat", self.graph, "--scale", "8", "--weights", "1..9", "--quiet")

    def report(self, *arguments):
        return json.loads(self.heddle(*arguments, "--json", "--quiet").out)

    def test_cpu(self):
        for arguments in ([], ["--plan", "residency=device"], ["--memory-limit", "1G"]):
            self.assertEqual(self.report("sssp", self.graph, *arguments)["plan"]["residency"], "device")
            dry = self.report("sssp", self.graph, "--dry-run", *arguments)
            self.assertEqual(dry["plan"]["residency"], "device")

    def test_refused(self):
        for name in ("mixed", "host", "stream"):
            words = self.fails(2, "cc", self.graph, "--device", "cpu", "--plan", "residency=" + name)
            self.assertIn("cc: residency=%s: the CPU reads its own memory: residency=device would do" % name, words)
        self.assertIn("residency=tape: expected device, mixed, host, stream, disk",
                      self.fails(2, "cc", self.graph, "--plan", "residency=tape"))

    def test_limit(self):
        for extra in ([], ["--dry-run"]):
            words = self.heddle("pr", self.graph, "--plan", "residency=device", "--memory-limit", "1K", *extra,
                                status=4).err
            self.assertRegex(words, r"would take about .* more than the 1\.0 KiB of the memory limit")


if __name__ == "__main__":
    support.main()
