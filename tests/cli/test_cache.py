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


TAG = ("Signature: 8a477f597d28d172789f06886806bc55\n"
       "# The cache of heddle: compiled kernels and programs. It may be removed at any time.\n")


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
        self.assertEqual(len(os.listdir(self.path("near"))), 2)

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
                "drivers-0123456789abcdef", "heddle-part-aB3xYz", "heddle-part-000000"]
        self.write("cache/CACHEDIR.TAG", TAG)
        others = ["notes.txt", "kernel-config", "build-17-0x7ffe.log", "CACHEDIR.TAG",
                  "cuda-0123456789abcde.kernel", "cuda-0123456789abcdef.kernel.bak", "cpu-xyz.so",
                  "drivers-0123456789abcdef.old"]
        for name in ours + others[:3] + others[4:]:
            self.write(os.path.join("cache", name), "12345")
        os.mkdir(os.path.join(self.cache, "cuda-aaaaaaaaaaaaaaaa.kernel"))
        report = self.json("cache")
        self.assertEqual({kind: count["files"] for kind, count in report["kinds"].items()},
                         {"cpu": 1, "cuda": 1, "opencl": 1, "drivers": 1})
        self.assertEqual((report["files"], report["bytes"]), (6, 30))
        cleared = self.json("cache", "clear")
        self.assertEqual((cleared["files"], cleared["bytes"]), (6, 30))
        self.assertEqual(sorted(os.listdir(self.cache)), sorted(others + ["cuda-aaaaaaaaaaaaaaaa.kernel"]))
        self.assertEqual(self.json("cache")["files"], 0)

    def test_kernels(self):
        if not has_opencl():
            self.skipTest("no OpenCL device")
        arguments = ["bfs", self.graph, "--device", "opencl", "--plan", "ws,debug=yes"]
        first = self.json(*arguments)
        self.assertGreater(first["phases"]["compile"], 0)
        self.assertGreater(first["phases"]["compile"], first["phases"]["compute"])
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
        self.assertIn("no algorithm 'nosuch'", self.fails(2, "cache", "warm", "--algorithm", "nosuch", env=self.env))
        for device in "cpu", "auto":
            self.assertIn("compiled for cuda and opencl", self.fails(2, "cache", "warm", "--device", device))
        self.assertIn("cannot make the folder", self.fails(3, "run", self.write("hops.c", PROGRAM), self.graph,
                                                           "--keep-source", self.path("no/such"), env=self.env))


class Programs(support.Case):
    """The cache of compiled programs: damage, included files, other processes, its size."""

    def setUp(self):
        super().setUp()
        self.cache = self.path("cache")
        self.env = support.environment(HEDDLE_CACHE=self.cache)
        self.graph = self.write("g.txt", "1 2\n2 3\n")
        self.program = self.write("hops.c", PROGRAM)

    def run_program(self, *arguments, **options):
        """Whether it compiled, and the values."""
        options.setdefault("env", self.env)
        out = self.path("out.tsv")
        result = self.heddle("run", self.program, self.graph, "--source", "1", "--json", "-o", out, *arguments,
                             **options)
        return json.loads(result.out)["phases"]["compile"] > 0, self.read("out.tsv").decode()

    def entries(self):
        return sorted(name for name in os.listdir(self.cache) if name != "CACHEDIR.TAG")

    def compiler(self, lines):
        path = self.write("compiler", "#!/bin/sh\n%s\nexec cc \"$@\"\n" % lines)
        os.chmod(path, 0o755)
        return dict(self.env, CC=path)

    def test_clear_does_not_disturb_a_run_that_compiles(self):
        env = self.compiler("'%s' cache clear > /dev/null || exit 1" % support.HEDDLE)
        self.assertEqual(self.run_program(env=env), (True, "1\t0\n2\t2\n3\t4\n"))
        self.assertEqual(self.run_program(env=env)[0], False)

    def test_clear_spares_folders_that_are_not_ours(self):
        names = ["build-me.c", "cpu-0123456789abcdef.so", "kernel-config"]
        for tag in (None, "another's\n", TAG):
            folder = self.path("folder-%s" % len(tag or ""))
            os.mkdir(folder, 0o777 if tag == TAG else 0o700)
            os.chmod(folder, 0o777 if tag == TAG else 0o700)
            for name in names + ["CACHEDIR.TAG"] * (tag is not None):
                self.write(os.path.join(folder, name), tag if name == "CACHEDIR.TAG" else "x")
            before = sorted(os.listdir(folder))
            error = self.fails(2, "cache", "clear", env=dict(self.env, HEDDLE_CACHE=folder))
            self.assertIn("nothing was removed", error)
            self.assertEqual(sorted(os.listdir(folder)), before)

    def test_damaged_programs_are_made_again(self):
        first = self.run_program()
        path = os.path.join(self.cache, self.entries()[0])
        with open(path, "rb") as file:
            good = file.read()
        damaged = [good[:len(good) // 2], b"", good + b"x", good[:-1]]
        for at in (0, 20, 4000, len(good) // 2, len(good) - 60, len(good) - 20, len(good) - 1):
            damaged.append(good[:at] + bytes([good[at] ^ 4]) + good[at + 1:])
        for data in damaged:
            with open(path, "wb") as file:
                file.write(data)
            self.assertEqual(self.run_program(), first)
            self.assertEqual(self.run_program(), (False, first[1]))

    def test_a_changed_header_changes_the_program(self):
        os.mkdir(self.path("a b"))
        step = self.write("a b/step.h", "#define STEP 1\n")
        self.program = self.write("a b/hops.c", '#include "step.h"\n' + PROGRAM.replace("value + 2", "value + STEP"))
        self.assertEqual(self.run_program(), (True, "1\t0\n2\t1\n3\t2\n"))
        self.assertEqual(self.run_program()[0], False)
        self.write("a b/step.h", "#define STEP 7\n")
        self.assertEqual(self.run_program(), (True, "1\t0\n2\t7\n3\t14\n"))
        self.assertEqual(self.run_program(cwd="/")[0], False)
        os.remove(step)
        self.assertIn("step.h", self.fails(3, "run", self.program, self.graph, env=self.env))

    def test_a_changed_header_on_a_device(self):
        if not has_opencl():
            self.skipTest("no OpenCL device")
        self.env["ASAN_OPTIONS"] = "detect_leaks=0"  # the driver's compiler loses a block for a file it includes
        step = self.write("step.h", "#define STEP 1\n")
        self.write("hops.c", '#include "%s"\n' % step + PROGRAM.replace("value + 2", "value + STEP"))
        where = ["--device", "opencl", "--plan", "ws,debug=yes"]
        self.assertEqual(self.run_program(*where)[1], "1\t0\n2\t1\n3\t2\n")
        self.write("step.h", "#define STEP 7\n")
        self.assertEqual(self.run_program(*where)[1], "1\t0\n2\t7\n3\t14\n")

    def test_the_oldest_go_when_it_is_full(self):
        self.run_program()
        bytes_each = os.path.getsize(os.path.join(self.cache, self.entries()[0]))
        self.env["HEDDLE_CACHE_MAX"] = str(int(bytes_each * 2.5))
        first, made = self.entries()[0], []
        for k in range(2):
            self.write("hops.c", PROGRAM + "\n" * (k + 1))
            self.run_program()
            made += [name for name in self.entries() if name not in made + [first]]
            os.utime(os.path.join(self.cache, made[k]), (k, k)) if k == 0 else None  # the least used of the three
            self.write("hops.c", PROGRAM)
            self.assertEqual(self.run_program()[0], False)
        self.assertEqual(self.entries(), sorted([first, made[1]]))
        self.env["HEDDLE_CACHE_MAX"] = "0"
        self.write("hops.c", PROGRAM + "/**/")
        self.assertEqual(self.run_program(), (True, "1\t0\n2\t2\n3\t4\n"))
        self.assertEqual(self.entries(), [])

    def test_names_that_look_like_options(self):
        os.mkdir(self.path("-y"))
        env = dict(self.env, HEDDLE_CACHE="-x", TMPDIR="-y")
        for compiles in (True, False):
            self.assertEqual(self.run_program(env=env, cwd=self.folder), (compiles, "1\t0\n2\t2\n3\t4\n"))
        self.assertEqual(len(os.listdir(self.path("-x"))), 2)
        self.assertEqual(os.listdir(self.path("-y")), [])

    def test_what_is_kept_runs_without_a_compiler(self):
        program = self.write("kept.c", PROGRAM)
        bare = dict(self.env, PATH="/nonexistent", CC="")
        self.assertIn("no C compiler found", self.fails(1, "run", program, self.graph, "--device", "cpu", env=bare))
        expected = self.heddle("run", program, self.graph, "--device", "cpu", "-q", "-o", "-", env=self.env).out
        kept = self.heddle("run", program, self.graph, "--device", "cpu", "-q", "-o", "-", env=bare).out
        self.assertEqual(kept, expected)

    def test_compilers_of_several_words(self):
        env = self.compiler("echo \"$1\" > '%s'" % self.path("said"))
        env["CC"] = " env %s  -DWORD " % env["CC"]
        self.assertEqual(self.run_program(env=env)[0], True)
        self.assertEqual(self.read("said"), b"-DWORD\n")
        result = self.heddle("run", self.program, self.graph, env=dict(self.env, CC="nowhere-to-be-found -O1"))
        self.assertIn("note: CC is 'nowhere-to-be-found -O1', which is not there", result.err)


if __name__ == "__main__":
    support.main()
