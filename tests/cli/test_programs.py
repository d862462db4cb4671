"""What programs are told of vertices and runs, on graphs that are not the user's own: split, renamed, on devices."""
import json
import os
import shutil
import struct

import support

# The smallest label among those who can come here; 10 for each vertex of the graph is in it, to see the count.
LABELS = """
#define VALUE u32
#define MESSAGE u32
#define WEIGHT u32
#define TRAITS MONOTONE
#define DUMB_WEIGHT 0
%s
PROGRAM VALUE init(ABOUT me, RUN run) { return 10 * (u32)run->vertices + %s; }
PROGRAM MESSAGE identity(void) { return 0xffffffffu; }
PROGRAM MESSAGE send(VALUE v, WEIGHT w, u32 d) { return v + 100 * w; }
PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return MINIMUM(a, b); }
PROGRAM int update(VALUE *v, MESSAGE m, ABOUT me, RUN run) {
    if (m >= *v)
        return 0;
    *v = m;
    return 1;
}
"""

# Sums of what comes in, once: not monotone.
SUMS = """
#define VALUE f32
#define MESSAGE f32
#define TRAITS (ALL_ACTIVE | SUM)
PROGRAM VALUE init(ABOUT me, RUN run) { return run->vertices; }
PROGRAM MESSAGE identity(void) { return 0; }
PROGRAM MESSAGE send(VALUE v, u32 d) { return v; }
PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return a + b; }
PROGRAM int update(VALUE *v, MESSAGE m, ABOUT me, RUN run) {
    %s
}
"""
GRAPH = "a b 1\na c 1\na d 1\nb d 5\n"
CPU_PLANS = ("auto", "order=degree", "order=bfs", "transform=udt,K=2", "transform=star,K=2", "cusha-gs",
             "udt-cusha,K=2")
DEVICE_PLANS = ("ws", "order=degree", "transform=udt,K=2", "cusha-gs")


def has_opencl():
    devices = json.loads(support.run("devices", "--json").out)["devices"]
    return any(device["kind"] == "opencl" and device["found"] for device in devices)


class Case(support.Case):
    def setUp(self):
        super().setUp()
        self.env = support.environment(HEDDLE_CACHE=self.path("cache"))
        self.graph = self.write("g.txt", GRAPH)

    def values(self, source, *arguments):
        path = self.write("program.c", source)
        out = self.heddle("run", path, self.graph, "-q", "-o", "-", *arguments, env=self.env).out.decode()
        return dict(line.split("\t") for line in out.splitlines())

    def everywhere(self, source, expected, cpu=CPU_PLANS, devices=DEVICE_PLANS):
        for plan in cpu:
            with self.subTest(device="cpu", plan=plan):
                self.assertEqual(self.values(source, "--plan", plan), expected)
        for plan in devices if has_opencl() else ():
            with self.subTest(device="opencl", plan=plan):
                self.assertEqual(self.values(source, "--device", "opencl", "--plan", plan + ",debug=yes"), expected)


class Told(Case):
    labels = {"a": "40", "b": "41", "c": "42", "d": "43"}

    def test_the_number_of_vertices_is_that_of_the_graph(self):
        self.everywhere(LABELS % ("", "(me->source ? 0 : 9)"), {"a": "40", "b": "49", "c": "49", "d": "49"}, devices=())

    def test_a_vertex_has_its_own_number_in_any_spelling(self):
        for spelling in "(*me).vertex", "me /* */ -> vertex":
            self.everywhere(LABELS % ("", spelling), self.labels, devices=())
        self.everywhere(LABELS % ("#define NUMBER(x) (x)->ver##tex", "NUMBER(me)"), self.labels, cpu=())

    def test_words_in_comments_refuse_nothing(self):
        source = LABELS % ("/* not me->vertex, and not in_degree */", "0")
        self.everywhere(source, {"a": "40", "b": "40", "c": "40", "d": "40"}, CPU_PLANS[:4], ())

    def test_in_degrees_that_the_text_does_not_show(self):
        self.env["ASAN_OPTIONS"] = "detect_leaks=0"  # the driver's compiler loses a block for a file it includes
        header = self.write("hidden.h", "#define ENTER(x) ((x)->in_degree)\n")
        source = LABELS % ('#include "%s"' % header, "ENTER(me)")
        self.everywhere(source, {"a": "40", "b": "41", "c": "41", "d": "42"}, CPU_PLANS,
                        ("tigr-v", "cusha-gs"))

    def test_functions_from_an_included_file(self):
        header = self.write("whole.h", LABELS % ("", "me->vertex"))
        self.assertEqual(self.values('#include "%s"\n' % header), self.labels)


class Update(Case):
    def test_nothing_changes_where_update_says_so(self):
        source = SUMS % "*v = 77; return 0;"
        self.everywhere(source, dict.fromkeys("abcd", "4"), ("auto", "transform=star,K=2", "cusha-gs"), ("ws",))

    def test_some_change(self):
        source = SUMS % "int now = m > 0 && *v == 4; *v = -1; return now;"
        self.everywhere(source, {"a": "4", "b": "-1", "c": "-1", "d": "-1"}, ("auto", "cusha-gs"), ("ws",))


class AllOnes(Case):
    source = (SUMS % "return 0;").replace("f32", "u64").replace("run->vertices", "~(u64)0") + "%s\n"

    def npy(self, *arguments):
        self.heddle("run", self.path("program.c"), self.graph, "-q", "-o", self.path("x.npy"), *arguments, env=self.env)
        return self.read("x.npy")

    def test_are_a_number(self):
        self.assertEqual(self.values(self.source % ""), dict.fromkeys("abcd", "18446744073709551615"))
        data = self.npy()
        self.assertIn(b"'<u8'", data)
        self.assertEqual(struct.unpack("<4Q", data[-32:]), (2**64 - 1,) * 4)
        top = self.heddle("run", self.path("program.c"), self.graph, "-q", "--top", "1", env=self.env).out
        self.assertEqual(top, b"a\t18446744073709551615\n")

    def test_are_infinite_where_the_program_says_so(self):
        self.assertEqual(self.values(self.source % "#define UNREACHED"), dict.fromkeys("abcd", "inf"))
        data = self.npy()
        self.assertIn(b"'<i8'", data)
        self.assertEqual(struct.unpack("<4q", data[-32:]), (-1,) * 4)

    def test_on_a_device_without_a_c_compiler(self):
        if not has_opencl() or not shutil.which("ld"):
            self.skipTest("no OpenCL device, or no linker")
        os.mkdir(self.path("empty"))
        os.symlink(shutil.which("ld"), self.path("empty/ld"))  # the driver's own compiler links with it
        self.env.update(PATH=self.path("empty"), CC="")
        where = ["--device", "opencl", "--plan", "ws,debug=yes"]
        self.assertEqual(self.values(self.source % "", *where)["a"], str(2**64 - 1))
        self.assertEqual(self.values(self.source % "#define UNREACHED", *where)["a"], "inf")


class Crashes(Case):
    """A program that goes wrong ends the command with words of its own and status 6."""

    def crash(self, body, *arguments):
        source = (SUMS % body).replace("f32", "u32").replace("VALUE u32\n", "VALUE u32\nextern void abort(void);\n"
                                                             "extern void exit(int);\n", 1)
        path = self.write("crash.c", source)
        self.write("old.tsv", "still here")
        error = self.fails(6, "run", path, self.graph, "-o", self.path("old.tsv"), *arguments, env=self.env)
        self.assertEqual(self.read("old.tsv"), b"still here")
        self.assertNotIn("heddle-", " ".join(os.listdir(self.path("."))))
        return error

    def test_words_name_program_and_signal(self):
        later = "if (run->iteration < 1) { *v = m + 1; return 1; }"
        for body, words in (("volatile u32 none = 0; *v = 7 / none; return 1;", "SIGFPE"),
                            (later + "volatile u32 none = 0; *v = 7 / none; return 1;", "SIGFPE"),
                            (later + "*v = *(volatile u32 *)(uintptr_t)(8 + 0 * m); return 1;", "SIGSEGV"),
                            (later + "abort(); return 1;", "SIGABRT"),
                            (later + "exit(0); return 1;", "a call of exit")):
            error = self.crash(body)
            self.assertRegex(error, r"crash\.c: the program was ended by .*%s" % words)

    def test_on_a_device_that_is_the_cpu(self):
        if not has_opencl():
            self.skipTest("no OpenCL device")
        source = SUMS % "u32 none = (u32)(m * 0); *v = run->iteration < 1 ? m + 1 : (f32)(7 / none); return 1;"
        path = self.write("crash.c", source)
        error = self.fails(6, "run", path, self.graph, "--device", "opencl", "--plan", "ws,debug=yes", env=self.env)
        self.assertIn("ended by SIG", error)


class Laws(Case):
    def refused(self, source):
        path = self.write("program.c", source)
        return self.fails(3, "run", path, self.graph, env=self.env)

    def test_messages_that_are_alike_on_this_graph(self):
        first = SUMS.replace("return a + b;", "return a;") % "*v = m; return 1;"
        self.assertIn("reduce is not", self.refused(first.replace("return run->vertices", "return 1 + me->initial")))
        hops = LABELS.replace("return MINIMUM(a, b);", "return b;") % ("", "(me->source ? 0 : 1000)")
        self.assertIn("reduce is not", self.refused(hops))

    def test_sums_of_huge_numbers_are_no_fault(self):
        self.graph = self.write("huge.txt", "a b 3e38\nb c -3e38\nc a 3e38\na c 1\n")
        sums = SUMS.replace("#define MESSAGE f32", "#define MESSAGE f32\n#define WEIGHT f32").replace(
            "send(VALUE v, u32 d) { return v; }", "send(VALUE v, WEIGHT w, u32 d) { return w; }")
        self.values(sums % "*v = m / 1e38f; return 1;")
        initial = self.write("init.txt", "a 0.1\nb 0.2\nc 0.3\n")
        self.heddle("hs", self.graph, "--init", initial, "--max-iterations", "1", "-q", "-o", "-", env=self.env)


if __name__ == "__main__":
    support.main()
