"""The recipes of docs/architecture.md: a toy on each axis, one file and one line each, through the whole command.

$HEDDLE is a command that was built with the toys of src/ beside this file (cmake/recipes.cmake).
"""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "cli"))
import support  # noqa: E402


class Toy(support.Case):
    def setUp(self):
        super().setUp()
        self.graph = self.path("g.hdl")
        self.heddle("generate", "rmat", self.graph, "--scale", "7", "--weights", "1..9", "--quiet")

    def words(self, *arguments, **options):
        return self.heddle(*arguments, **options).out.decode()

    def report(self, *arguments):
        return json.loads(self.heddle(*arguments, "--json", "--quiet").out)

    def values(self, *arguments):
        return self.words(*arguments, "--output", "-", "--quiet")


class Generator(Toy):
    def test_help(self):
        self.assertRegex(self.words("help", "generate"), r"wheel +a ring around vertex 0")
        self.assertIn("wheel", self.words("help", "generate"))

    def test_run(self):
        wheel = self.path("w.hdl")
        self.heddle("generate", "wheel", wheel, "--vertices", "50", "--weights", "1..4", "--quiet")
        info = self.info(wheel)
        self.assertEqual((info["vertices"], info["edges"], info["directed"]), (50, 4 * 49, False))
        self.assertTrue(self.report("cc", wheel, "--verify")["verified"])
        self.assertIn("means nothing to 'wheel'",
                      self.fails(2, "generate", "wheel", wheel, "--branching", "3"))
        self.assertIn("did you mean 'wheel'", self.fails(2, "generate", "wheell", wheel))

    def test_bench(self):
        self.assertIn("wheel:6", self.words("bench", "wheel:6", "--algorithms", "bfs", "--repeats", "1"))


class Format(Toy):
    def test_help(self):
        self.assertRegex(self.words("help", "formats"), r"arrows +")

    def test_run(self):
        arrows = self.path("g.arrows")
        self.heddle("convert", self.graph, arrows, "--lossy", "--quiet")
        self.assertTrue(self.read("g.arrows").startswith(b"arrows\n"))
        pairs = [arc[:2] for arc in self.arcs(self.graph)]
        self.assertEqual([arc[:2] for arc in self.arcs(arrows)], pairs)
        renamed = self.write("g.data", self.read("g.arrows"))  # by its content
        self.assertEqual(self.arcs(renamed), self.arcs(arrows))
        self.assertTrue(self.report("bfs", arrows, "--verify")["verified"])
        bad = self.write("bad.arrows", "arrows\n1 > 2\n1 < 3\n")
        self.assertIn("'>'", self.fails(3, "info", bad))
        self.assertIn("arrows", self.fails(2, "convert", self.graph, self.path("x"), "--to", "nothing"))
        self.assertIn("weights", self.fails(2, "convert", self.graph, arrows))


class Order(Toy):
    def test_help(self):
        text = self.words("help", "plans")
        self.assertRegex(text, r"backwards +the last vertex first")
        self.assertRegex(text, r"order +.*backwards")
        self.assertIn("backwards", self.fails(2, "bfs", self.graph, "--plan", "order=none_such"))

    def test_run(self):
        for algorithm in "bfs", "sssp", "cc", "scc", "pr", "bc":
            report = self.report(algorithm, self.graph, "--plan", "order=backwards", "--verify")
            self.assertTrue(report["verified"], algorithm)
            self.assertEqual(report["plan"]["transform"], "order-backwards")
        parents = ["sssp", self.graph, "--parents"]
        self.assertEqual(self.values(*parents, "--plan", "order=backwards"), self.values(*parents))

    def test_file(self):
        stored = self.path("s.hdl")
        self.heddle("convert", self.graph, stored, "--order", "backwards,bfs", "--quiet")
        self.assertEqual(self.info(stored)["orders"], ["backwards", "bfs"])
        self.assertIn("backwards, bfs", self.words("info", stored))
        self.assertIn("order backwards: the file has",
                      self.words("explain", "cc", stored, "--plan", "order=backwards"))
        report = self.report("cc", stored, "--plan", "order=backwards", "--verify")
        self.assertEqual((report["verified"], report["phases"]["transform"]), (True, 0))
        self.assertTrue(self.report("cc", stored, "--verify")["verified"])  # auto takes one that pays
        self.assertIn("backwards", self.fails(2, "convert", self.graph, stored, "--order", "none_such"))

    def test_memory(self):
        plain = self.report("cc", self.graph, "--dry-run")["memory"]
        renamed = self.report("cc", self.graph, "--dry-run", "--plan", "order=backwards")["memory"]
        self.assertGreaterEqual(renamed["total"], plain["total"] + plain["out_edges"])

    def test_selftest_and_bench(self):
        self.heddle("selftest", "--quick", "--algorithm", "sssp", "--plan", "order=backwards")
        self.assertIn("order=backwards", self.words("bench", self.graph, "--algorithms", "cc", "--repeats", "1",
                                                    "--plans", "auto;order=backwards"))


class Transform(Toy):
    def test_help(self):
        self.assertRegex(self.words("help", "transform"), r"fan +a hub over vertices of at most half K")
        self.assertRegex(self.words("help", "plans"), r"transform +.*\n?.*fan")
        self.assertIn("fan", self.fails(2, "transform", "none_such", self.graph, self.path("x.hdl")))
        self.assertIn("fan", self.fails(2, "bfs", self.graph, "--plan", "transform=none_such"))
        self.assertIn("transform=fan", self.fails(2, "bc", self.graph, "--plan", "transform=cliq,K=4"))

    def test_file(self):
        split = self.path("s.hdl")
        report = self.report("transform", "fan", self.graph, split, "--K", "4", "--new-weights", "zero")
        self.assertEqual((report["transform"], report["height"]), ("fan", 1))
        self.assertTrue(self.report("sssp", split, "--verify")["verified"])

    def test_run(self):
        for algorithm in "bfs", "sssp", "sswp", "cc", "scc", "pr", "bc":
            report = self.report(algorithm, self.graph, "--plan", "transform=fan,K=4", "--verify")
            self.assertEqual((report["verified"], report["plan"]["transform"]), (True, "fan"), algorithm)
        self.assertIn("fan", self.words("explain", "sssp", self.graph, "--plan", "transform=fan,K=4"))
        self.assertIn("memory", self.report("sssp", self.graph, "--dry-run", "--plan", "transform=fan,K=4"))

    def test_selftest_and_bench(self):
        self.heddle("selftest", "--quick", "--algorithm", "sssp", "--plan", "transform=fan,K=4")
        self.assertIn("transform=fan", self.words("bench", self.graph, "--algorithms", "bfs", "--repeats", "1",
                                                  "--plans", "transform=fan,K=4"))


class Schedule(Toy):
    def test_help(self):
        self.assertRegex(self.words("help", "plans"), r"schedule +.*\n?.*lane")
        self.assertIn("lane", self.fails(2, "bfs", self.graph, "--plan", "schedule=none_such"))
        self.assertIn("lane", self.fails(2, "pr", self.graph, "--plan", "transform=udt,schedule=edge,K=4"))

    def test_explain(self):
        text = self.words("explain", "sssp", self.graph, "--device", "opencl", "--plan", "schedule=lane")
        self.assertIn("a lane walks a vertex' edges", text)
        self.assertRegex(self.words("explain", "sssp", self.graph, "--device", "opencl"), r"\n *lane +")

    def test_plan_on_the_cpu(self):
        self.assertTrue(self.report("sssp", self.graph, "--plan", "schedule=lane", "--verify")["verified"])


class Algorithm(Toy):
    def test_help(self):
        self.assertRegex(self.words("help"), r"(?m)^  outs +GRAPH +how many out-edges each vertex has$")
        self.assertIn("--verify", self.words("help", "outs"))
        self.assertEqual(self.words("help", "outs").count("how many out-edges"), 1)
        self.assertNotIn("--source", self.words("help", "outs"))

    def test_run(self):
        report = self.report("outs", self.graph, "--verify")
        self.assertEqual((report["verified"], report["device"]), (True, "cpu"))  # auto: no cost says that a GPU pays
        values = dict(line.split() for line in self.values("outs", self.graph).splitlines())
        self.assertEqual(sum(map(int, values.values())), self.info(self.graph)["edges"])
        self.assertIn("The largest values", self.words("outs", self.graph))
        renamed = self.report("outs", self.graph, "--plan", "order=backwards", "--verify")
        self.assertEqual((renamed["verified"], renamed["plan"]["transform"]), (True, "order-backwards"))

    def test_refused(self):
        self.assertIn("outs", self.fails(2, "outs", self.graph, "--plan", "transform=fan,K=4"))
        self.assertIn("outs", self.fails(2, "outs", self.graph, "--device", "opencl"))
        self.assertIn("did you mean 'outs'", self.fails(2, "outss", self.graph))

    def test_explain_and_memory(self):
        self.assertIn("outs on", self.words("explain", "outs", self.graph))
        self.assertGreater(self.report("outs", self.graph, "--dry-run")["memory"]["total"], 0)

    def test_selftest_and_bench(self):
        self.heddle("selftest", "--quick", "--algorithm", "outs")
        self.assertIn("outs", self.words("bench", self.graph, "--algorithms", "outs", "--repeats", "1"))


class Device(Toy):
    def here(self):
        if support.sanitized():
            self.skipTest("kernels take minutes to compile in a sanitized build")
        devices = json.loads(self.heddle("devices", "--json").out)["devices"]
        if not any(device["kind"] == "second" and device["found"] for device in devices):
            self.skipTest("there is no OpenCL device")

    def test_listed(self):
        self.assertIn("second", self.words("devices"))
        self.assertIn("second[:INDEX]", self.fails(2, "bfs", self.graph, "--device", "none_such"))
        self.assertIn("second", self.report("cache", "show")["kinds"])

    def test_run(self):
        self.here()
        self.assertIn("second: as requested", self.words("explain", "sssp", self.graph, "--device", "second"))
        dry = self.report("sssp", self.graph, "--device", "second", "--dry-run", "--plan", "schedule=lane")
        self.assertGreater(dry["device_memory"]["wanted"], 0)
        report = self.report("sssp", self.graph, "--device", "second", "--plan", "schedule=lane", "--verify")
        self.assertEqual((report["verified"], report["device"]), (True, "second:0"))
        self.assertEqual(report["plan"]["schedule"], "lane")
        again = self.report("sssp", self.graph, "--device", "second:0", "--plan", "schedule=lane,order=backwards",
                            "--verify")
        self.assertEqual((again["verified"], again["plan"]["transform"]), (True, "order-backwards"))
        self.heddle("selftest", "--device", "second", "--algorithm", "sssp", "--plan", "schedule=lane", "--graph",
                    "rmat")
        self.assertIn("second: copy", self.words("bench", self.graph, "--device", "second", "--algorithms", "sssp",
                                                 "--plans", "schedule=lane", "--repeats", "1"))


if __name__ == "__main__":
    support.main()
