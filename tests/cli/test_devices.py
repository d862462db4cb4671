"""Devices that are missing or fail half way, with the drivers of tests/fake in place of real ones: words, exit status,
everything given back, and what was there before still there."""
import json
import os
import re
import shutil

import support

FAKE = os.environ.get("HEDDLE_FAKE_DRIVERS", "")


def have_fakes():
    return os.path.exists(os.path.join(FAKE, "libcuda.so.1"))


class Case(support.Case):
    def setUp(self):
        super().setUp()
        if not have_fakes():
            self.skipTest("the fake drivers are not built")
        self.graph = self.write("g.txt", "".join("%d %d %d\n" % (i, i * 7 % 50, i % 9 + 1) for i in range(200)))

    def env(self, fake="", folders=(), **changes):
        path = ":".join([os.path.join(FAKE, folder) for folder in folders] + [FAKE])
        changes.setdefault("HEDDLE_CACHE", self.path("cache"))
        return support.environment(LD_LIBRARY_PATH=path, HEDDLE_FAKE="report=%s %s" % (self.path("report"), fake),
                                   **changes)

    def report(self):
        """calls made, the call that failed, how many things were not given back"""
        text = self.read("report").decode()
        return (int(re.search(r"calls (\d+)", text)[1]), re.search(r"failed ?(.*)", text)[1],
                int(re.search(r"left (\d+)", text)[1]))

    def run_fake(self, *arguments, fake="", folders=(), status=0, plan="ws"):
        return self.heddle("sssp", self.graph, "--plan", plan, "--quiet", *arguments, env=self.env(fake, folders),
                           status=status)


class Missing(Case):
    def test_no_driver(self):
        for kind, function in (("cuda", "cuInit"), ("opencl", "clGetPlatformIDs")):
            result = self.run_fake("--device", kind, folders=["no-" + kind], status=1)
            self.assertIn("no %s device: the library lacks %s" % (kind, function), result.err)

    def test_no_compiler(self):
        result = self.run_fake("--device", "cuda", folders=["no-nvrtc"], status=1)
        self.assertIn("cuda: no compiler: the library lacks nvrtcVersion", result.err)
        self.assertEqual(self.report()[2], 0)
        listed = self.heddle("devices", env=self.env(folders=["no-nvrtc"])).out.decode()
        self.assertIn("kernels by none: the library lacks nvrtcVersion", listed)

    def test_no_device(self):
        for kind, words in (("cuda", "the driver is there, but no device"), ("opencl", "but no driver")):
            self.assertIn(words, self.run_fake("--device", kind, fake="devices=0", status=1).err)
            self.assertIn(words, self.heddle("devices", env=self.env("devices=0")).out.decode())

    def test_indices(self):
        for kind in "cuda", "opencl":
            self.run_fake("--device", kind + ":1", fake="devices=2")
            result = self.run_fake("--device", kind + ":7", fake="devices=2", status=1)
            self.assertIn("no device %s:7: there are 2" % kind, result.err)


class Memory(Case):
    def test_dry_run(self):
        env = self.env("memory=1000000")
        report = json.loads(self.heddle("sssp", self.graph, "--device", "cuda", "--dry-run", "--json", env=env).out)
        memory = report["device_memory"]
        self.assertEqual((report["device"], memory["total"], memory["missing"]), ("cuda", 1000000, None))
        self.assertGreater(memory["wanted"], 200 * 8)
        self.assertIs(memory["fits"], memory["wanted"] <= memory["free"])
        text = self.heddle("pr", self.graph, "--device", "cuda", "--dry-run", env=self.env("memory=100")).out.decode()
        self.assertRegex(text, r"device memory about .* for graph, values and buffers; .* free: it does not fit\n")
        text = self.heddle("pr", self.graph, "--device", "cuda", "--plan", "tigr-udt", "--dry-run",
                           env=self.env()).out.decode()
        self.assertIn("device memory not known before the run; ", text)
        text = self.heddle("pr", self.graph, "--device", "cpu", "--dry-run", env=self.env()).out.decode()
        self.assertNotIn("device memory", text)

    def test_missing_device(self):
        env = self.env(folders=["no-cuda"])
        report = json.loads(self.heddle("bfs", self.graph, "--device", "cuda", "--dry-run", "--json", env=env).out)
        memory = report["device_memory"]
        self.assertGreater(memory["wanted"], 200 * 4)
        self.assertEqual((memory["free"], memory["total"], memory["fits"]), (None, None, None))
        self.assertIn("no cuda device", memory["missing"])

    def test_limit(self):
        result = self.run_fake("--device", "cuda", "--memory-limit", "1K", status=4)
        self.assertRegex(result.err, r"would take about .* on cuda .* more than the 1.0 KiB of the memory limit")
        self.run_fake("--device", "cuda", "--memory-limit", "1G")


class Failing(Case):
    def test_every_so_often_a_call_fails(self):
        for kind, error, plan in (("cuda", 719, "ws"), ("opencl", -36, "tigr-v")):
            for _ in range(2):  # the first compiles, which takes calls that the others do not make
                self.run_fake("--device", kind, plan=plan)
            calls = self.report()[0]
            for at in range(1, calls, calls // 12):
                output = self.write("kept.tsv", "precious\n")
                result = support.run("sssp", self.graph, "--device", kind, "--plan", plan, "--output", output,
                                     env=self.env("at=%d error=%d" % (at, error)))
                _, failed, left = self.report()
                self.assertEqual(left, 0, "%s fails: %s" % (failed, self.read("report")))
                closing = failed == "clFinish" and at > calls - 4  # before the queue is given back
                if result.status == 0:  # what failed gave something back, or only told a name
                    if not closing:
                        self.assertRegex(failed,
                                         "Free|Unload|Destroy|Release|GetDeviceInfo|nvrtcVersion|SetCurrent|Load")
                    continue
                self.assertIn(result.status, (1, 4))
                self.assertIn(failed, result.err)
                self.assertTrue(result.err.startswith("heddle: "), result.err)
                self.assertEqual(self.read("kept.tsv"), b"precious\n")

    def test_the_device_is_gone(self):
        for kind, error in (("cuda", 100), ("opencl", -2)):
            for at in 30, 60, 90, 120, 150:
                result = self.run_fake("--device", kind, fake="at=%d error=%d forever=1" % (at, error), status=1)
                self.assertIn("heddle: ", result.err)
                self.assertEqual(self.report()[2], 0)

    def test_out_of_memory(self):
        for kind in "cuda", "opencl":
            result = self.run_fake("--device", kind, fake="memory=100", status=4)
            self.assertRegex(result.err, r"\d+ bytes wanted for .*100")
            self.assertEqual(self.report()[2], 0)

    def test_a_kernel_that_does_not_compile(self):
        text = "/* this is no kernel */\n#define VALUE u32\n#define MESSAGE u32\n" \
               "PROGRAM VALUE init(ABOUT me, RUN run) { return 0; }\nPROGRAM MESSAGE identity(void) { return 0; }\n" \
               "PROGRAM MESSAGE send(VALUE value, u32 degree) { return value; }\n" \
               "PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return a; }\n" \
               "PROGRAM int update(VALUE *value, MESSAGE sum, ABOUT me, RUN run) { return 0; }\n"
        program = self.write("mine.c", text)
        for kind in "cuda", "opencl":
            result = self.heddle("run", program, self.graph, "--device", kind, "--quiet", env=self.env(), status=3)
            self.assertIn("this is no kernel", result.err)
            self.assertEqual(self.report()[2], 0)


class Programs(support.Case):
    """Programs of a user's own on an OpenCL device, which on most test machines is the CPU (PoCL)."""

    def setUp(self):
        super().setUp()
        self.environment = support.environment(HEDDLE_CACHE=self.path("cache"), POCL_DEVICES="pthread")
        if b"opencl:0" not in support.run("devices", env=self.environment).out:
            self.skipTest("no OpenCL device")
        self.graph = self.write("g.txt", "".join("%d %d %d\n" % (i % 40, i * 7 % 50, i % 9 + 1) for i in range(300)))

    def values(self, program, *arguments, **changes):
        env = dict(self.environment, **changes)
        out = self.heddle("run", program, self.graph, "--quiet", "--output", "-", *arguments, env=env).out.decode()
        return [float(line.split("\t")[1]) for line in out.splitlines()]

    def same(self, one, other):
        self.assertEqual(len(one), len(other))
        for a, b in zip(one, other):
            self.assertTrue(a == b or abs(a - b) <= 1e-3 * abs(a), "%g, %g" % (a, b))

    def test_examples(self):
        for name in "nearest", "influence", "reliability":
            program = os.path.join(support.ROOT, "examples", name + ".c")
            expected = self.values(program)
            self.same(expected, self.values(program, "--device", "opencl", "--plan", "debug=yes"))
            self.same(expected, self.values(program, "--device", "opencl", "--plan", "debug=yes"))  # from the cache

    def without_a_c_compiler(self):
        """An environment without one; PoCL itself wants a linker."""
        linker = shutil.which("ld")
        if not linker:
            self.skipTest("no linker")
        os.mkdir(self.path("bin"))
        os.symlink(linker, self.path("bin/ld"))
        return {"PATH": self.path("bin"), "CC": "", "HEDDLE_CACHE": self.path("other")}

    def test_laws_without_a_c_compiler(self):
        """They are tested on the device."""
        bare = dict(self.environment, **self.without_a_c_compiler())
        for reduction, none, law in (("(a + b) / (a != 0 && b != 0 ? 2 : 1)", "0", "associative"),
                                     ("a != 0 ? a : b", "0", "commutative"), ("a + b", "1", "neutral to identity()")):
            program = self.write("law.c", "#define VALUE f32\n#define MESSAGE f32\n#define TRAITS ALL_ACTIVE\n"
                                 "#define WEIGHT f32\n#define SEND_EDGE\n#define SEND_RUN\n"
                                 "PROGRAM VALUE init(ABOUT me, RUN run) { return (f32)me->vertex + 1; }\n"
                                 f"PROGRAM MESSAGE identity(void) {{ return {none}; }}\n"
                                 "PROGRAM MESSAGE send(VALUE value, WEIGHT w, u32 degree, EDGE edge, RUN run) {\n"
                                 "    return value * w;\n}\n"
                                 f"PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) {{ return {reduction}; }}\n"
                                 "PROGRAM int update(VALUE *value, MESSAGE m, ABOUT me, RUN run) {\n"
                                 "    *value = m;\n    return 1;\n}\n")
            words = self.fails(3, "run", program, self.graph, "--device", "opencl", env=bare)
            self.assertIn(f"the program's reduce is not {law}", words)

    def test_without_a_c_compiler(self):
        """The device tells what the program is like."""
        bare = self.without_a_c_compiler()
        program = self.write("steps.c", "#define VALUE u32\n#define MESSAGE u32\n#define OUTPUT f32\n"
                             "#define TRAITS (MONOTONE | FROM_SOURCES)\n#define PARAMETERS \"scale=2 more=0.5\"\n"
                             "#define FAR 0xffffffffu\n"
                             "PROGRAM VALUE init(ABOUT me, RUN run) {\n"
                             "    return me->source ? (u32)run->parameter[0] : FAR;\n}\n"
                             "PROGRAM MESSAGE identity(void) { return FAR; }\n"
                             "PROGRAM MESSAGE send(VALUE value, u32 degree) {\n"
                             "    return value == FAR ? FAR : value + 1;\n}\n"
                             "PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return MINIMUM(a, b); }\n"
                             "PROGRAM int update(VALUE *value, MESSAGE low, ABOUT me, RUN run) {\n"
                             "    if (low >= *value) return 0;\n    *value = low;\n    return 1;\n}\n"
                             "PROGRAM OUTPUT output(VALUE value) {\n"
                             "    return value == FAR ? INFINITE : (f32)value / 2;\n}\n")
        options = "--source", "3", "--param", "scale=7"
        expected = self.values(program, *options)
        self.assertIn(3.5, expected)
        found = self.values(program, *options, "--device", "opencl", "--plan", "ws,debug=yes", **bare)
        self.assertEqual(expected, found)
        self.assertFalse([name for name in os.listdir(self.path("other")) if name.startswith("cpu-")])
        words = self.fails(1, "run", program, self.graph, env=dict(self.environment, **bare))
        self.assertIn("no C compiler found", words)


if __name__ == "__main__":
    support.main()
