"""heddle cache, --keep-source, and that a second run compiles nothing."""
import json
import os

import support
from support import run

PROGRAM = """#define VALUE u32
#define MESSAGE u32
#define TRAITS (MONOTONE | FROM_SOURCES)
PROGRAM VALUE init(ABOUT me, RUN run) { (void)run; return me->source ? 0 : 1000000; }
PROGRAM MESSAGE identity(void) { return 1000000; }
PROGRAM MESSAGE send(VALUE value, u32 degree) { (void)degree; return value + 2; }
PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return MINIMUM(a, b); }
PROGRAM int update(VALUE *value, MESSAGE best, ABOUT me, RUN run) {
    (void)me, (void)run;
    if (best >= *value)
        return 0;
    *value = best;
    return 1;
}
"""


def has_opencl():
    devices = json.loads(run("devices", "--json").out)["devices"]
    return any(device["kind"] == "opencl" and device["found"] for device in devices)


class Cache(support.Case):
    def setUp(self):
        super().setUp()
        self.cache = self.path("cache")
        self.env = support.environment(HEDDLE_CACHE=self.cache)
        self.graph = self.write("g.txt", "1 2\n2 3\n3 1\n1 4\n")

    def json(self, *arguments, **options):
        return json.loads(self.heddle(*arguments, "--json", env=self.env, **options).out)

    def test_nothing_yet(self):
        report = self.json("cache")
        self.assertEqual((report["folder"], report["files"], report["bytes"]), (self.cache, 0, 0))
        self.assertFalse(os.path.exists(self.cache))
        self.assertIn(b"in all 0 files", self.heddle("cache", "show", env=self.env).out)

    def test_no_folder(self):
        env = support.environment()
        for name in ("HEDDLE_CACHE", "XDG_CACHE_HOME", "HOME"):
            env.pop(name, None)
        self.assertIn(b"every run compiles", self.heddle("cache", env=env).out)
        self.assertIn(b"no folder", self.heddle("cache", "clear", env=env).out)

    def test_folder_of_others(self):
        os.mkdir(self.cache)
        os.chmod(self.cache, 0o777)
        self.assertTrue(self.json("cache")["unused"])
        self.assertIn(b"not used", self.heddle("cache", env=self.env).out)
        os.chmod(self.cache, 0o700)
        self.assertFalse(self.json("cache")["unused"])

    def test_relative_folder(self):
        program = self.write("hops.c", PROGRAM)
        env = dict(self.env, HEDDLE_CACHE="near")
        for compiles in (True, False):
            report = json.loads(self.heddle("run", program, self.graph, "--json", env=env, cwd=self.path(".")).out)
            self.assertEqual(report["phases"]["compile"] > 0, compiles)
        self.assertEqual(len(os.listdir(self.path("near"))), 1)

    def test_program(self):
        program = self.write("hops.c", PROGRAM)
        first = self.json("run", program, self.graph, "--source", "1")
        self.assertGreater(first["phases"]["compile"], 0)
        second = self.json("run", program, self.graph, "--source", "1", "--keep-source", self.path("kept"))
        self.assertEqual(second["phases"]["compile"], 0)
        kept = os.listdir(self.path("kept"))
        self.assertRegex(" ".join(kept), r"\Ahops-[0-9a-f]{8}\.c\Z")
        self.assertIn(PROGRAM, self.read(os.path.join("kept", kept[0])).decode())
        self.assertEqual(self.json("cache")["kinds"]["cpu"]["files"], 1)

    def test_clear_spares_what_is_not_ours(self):
        os.mkdir(self.cache, 0o700)
        ours = ["cuda-0123456789abcdef.kernel", "opencl-0123456789abcdef.kernel", "cpu-0123456789abcdef.so",
                "kernel-aB3xYz", "build-17-0x7ffe.log"]
        others = ["notes.txt", "cuda-0123456789abcde.kernel", "cuda-0123456789abcdef.kernel.bak", "cpu-xyz.so"]
        for name in ours + others:
            self.write(os.path.join("cache", name), "12345")
        os.mkdir(os.path.join(self.cache, "cuda-aaaaaaaaaaaaaaaa.kernel"))
        report = self.json("cache")
        self.assertEqual({kind: count["files"] for kind, count in report["kinds"].items()},
                         {"cpu": 1, "cuda": 1, "opencl": 1})
        self.assertEqual((report["files"], report["bytes"]), (5, 25))
        cleared = self.json("cache", "clear")
        self.assertEqual((cleared["files"], cleared["bytes"]), (5, 25))
        self.assertEqual(sorted(os.listdir(self.cache)), sorted(others + ["cuda-aaaaaaaaaaaaaaaa.kernel"]))
        self.assertEqual(self.json("cache")["files"], 0)

    def test_kernels(self):
        if not has_opencl():
            self.skipTest("no OpenCL device")
        arguments = ["bfs", self.graph, "--device", "opencl", "--plan", "ws,debug=yes"]
        first = self.json(*arguments)
        self.assertGreater(first["phases"]["compile"], 0)
        second = self.json(*arguments, "--keep-source", self.path("kept"))
        self.assertEqual(second["phases"]["compile"], 0)
        self.assertLess(second["phases"]["compute"], 5)
        self.assertIn("transfer", second["phases"])
        kept = os.listdir(self.path("kept"))
        self.assertRegex(" ".join(kept), r"\Abfs-wseg-pull-[0-9a-f]{8}\.cl\Z")
        self.assertIn(b"KERNEL hd_round", self.read(os.path.join("kept", kept[0])))
        self.assertEqual(self.json("cache")["kinds"]["opencl"]["files"], 1)

    def test_warm(self):
        if not has_opencl():
            self.skipTest("no OpenCL device")
        arguments = ["cache", "warm", "--device", "opencl", "--algorithm", "bfs", "--plan", "ws,debug=yes"]
        warmed = self.json(*arguments)
        self.assertEqual((warmed["compiled"], warmed["refused"]), (1, 0))  # weights make no difference to bfs
        self.assertEqual(self.json(*arguments)["compiled"], 0)
        report = self.json("bfs", self.graph, "--device", "opencl", "--plan", "ws,debug=yes")
        self.assertEqual(report["phases"]["compile"], 0)
        self.assertRegex(self.heddle("cache", "warm", "--device", "opencl:99", env=self.env, status=1).err, "no ")

    def test_nothing_to_keep(self):
        result = self.heddle("bfs", self.graph, "--device", "cpu", "--keep-source", self.path("kept"), env=self.env)
        self.assertIn("note: --keep-source wrote nothing", result.err)
        self.assertFalse(os.path.exists(self.path("kept")))

    def test_wrong_requests(self):
        self.assertIn("found 'empty', expected show, warm or clear", self.fails(2, "cache", "empty"))
        self.assertIn("cannot make the folder", self.fails(3, "run", self.write("hops.c", PROGRAM), self.graph,
                                                           "--keep-source", self.path("no/such"), env=self.env))


if __name__ == "__main__":
    support.main()
