"""What programs are told of vertices and runs, on graphs that are not the user's own: split, renamed, on devices."""
import json
import math
import os
import re
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
                                                             "extern void exit(int);\nextern void _exit(int);\n", 1)
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
                            (later + "exit(0); return 1;", "a call of exit"),
                            (later + "_exit(0); return 1;", "a call of exit")):
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
    def refused(self, source, *arguments):
        path = self.write("program.c", source)
        return self.fails(3, "run", path, self.graph, *arguments, env=self.env)

    def test_before_runs_on_devices_too(self):
        source = (SUMS % "*v = m; return 1;").replace("identity(void) { return 0; }", "identity(void) { return 1; }")
        for device in ["cpu", "cpu,cpu"] + (["opencl", "opencl,opencl"] if has_opencl() else []):
            self.assertIn("reduce is not neutral to identity()", self.refused(source, "--device", device))

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


class Weights(Case):
    def test_a_weight_that_the_type_cannot_hold_is_refused(self):
        for weight, type_, better in (("0.5", "u32", "f32"), ("-3", "u32", "i32"), ("3000000000", "i32", "u32"),
                                      ("0.25", "i64", "f32"), ("1e300", "f32", "f64"), ("-1e39", "f32", "f64")):
            self.graph = self.write("g.txt", "a b 1\nb c %s\n" % weight)
            path = self.write("program.c", LABELS.replace("WEIGHT u32", "WEIGHT " + type_) % ("", "0"))
            for device in ["cpu", "cpu,cpu"] + (["opencl"] if has_opencl() and weight == "0.5" else []):
                error = self.fails(3, "run", path, self.graph, "--device", device, env=self.env)
                self.assertRegex(error, r"the edge from b to c has weight \S+, which WEIGHT %s cannot hold: #define "
                                        r"WEIGHT %s" % (type_, better))

    def test_weights_that_a_float_rounds_are_taken(self):
        self.graph = self.write("g.txt", "a b 0.1234567890123\nb c 3.4028235e38\n")
        source = LABELS.replace("WEIGHT u32", "WEIGHT f32") % ("", "(me->source ? 0 : 900)")
        path = self.write("program.c", source)
        self.heddle("run", path, self.graph, "--source", "a", "-q", env=self.env)

    def test_whole_numbers_in_a_type_of_fractions_are_taken(self):
        self.graph = self.write("g.txt", "a b 1\nb c 2\n")
        source = LABELS % ("", "(me->source ? 0 : 900)")
        self.heddle("convert", self.graph, self.path("g.hdl"), "--weight-type", "f32", "-q", env=self.env)
        self.graph = self.path("g.hdl")
        self.assertEqual(self.values(source, "--source", "a"), {"a": "30", "b": "130", "c": "330"})


# Functions of numbers of both precisions; the initial value is 2 everywhere.
FUNCTIONS = """
#define VALUE f64
#define MESSAGE f64
#define TRAITS (ALL_ACTIVE | SUM)
PROGRAM VALUE init(ABOUT me, RUN run) { return 2; }
PROGRAM MESSAGE identity(void) { return 0; }
PROGRAM MESSAGE send(VALUE v, u32 d) { return 0; }
PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return a + b; }
PROGRAM int update(VALUE *v, MESSAGE m, ABOUT me, RUN run) {
    f64 x = 2;
    f32 y = 2;
    *v = me->vertex == 0 ? real_sqrt(x) + real_pow(x, 0.5) : me->vertex == 1 ? (f64)(real_sqrt(y) + real_pow(y, 0.5f))
         : me->vertex == 2 ? real_exp(x) + real_log(x) + real_tanh(x) + real_sin(x) + real_cos(x)
                           : real_floor(x + 0.5) + real_ceil(x + 0.5) + real_abs(-x);
    return 1;
}
"""


class Functions(Case):
    def test_they_have_the_type_of_their_argument(self):
        exact = {"a": 2 * 2 ** 0.5, "c": math.exp(2) + math.log(2) + math.tanh(2) + math.sin(2) + math.cos(2), "d": 7}
        single = 2 * struct.unpack("f", struct.pack("f", 2 ** 0.5))[0]
        device = ["--device", "opencl", "--plan", "ws,debug=yes"]
        for where in [["--device", "cpu"]] + ([device] if has_opencl() else []):
            values = self.values(FUNCTIONS, *where)
            for vertex, value in exact.items():
                self.assertLess(abs(float(values[vertex]) - value), 1e-13)
            self.assertLess(abs(float(values["b"]) - single), 3e-7)

    def test_f64_is_refused_where_there_is_no_double_precision(self):
        if not has_opencl():
            self.skipTest("no OpenCL device")
        path = self.write("program.c", FUNCTIONS)
        error = self.fails(2, "run", path, self.graph, "--device", "opencl", "--plan", "ws,doubles=no", env=self.env)
        self.assertIn("has no double precision, which f64 in", error)


class Verified(Case):
    """Results are compared with those of plain rounds."""

    def test_plans_that_agree(self):
        path = self.write("program.c", LABELS % ("", "me->vertex"))
        for where in [["--plan", "cusha-gs"], ["--plan", "order=degree"]] + (
                [["--device", "opencl", "--plan", "ws,debug=yes"]] if has_opencl() else []):
            done = self.heddle("run", path, self.graph, "--verify", "--json", *where, env=self.env)
            self.assertIs(json.loads(done.out)["verified"], True)

    def test_a_promise_that_does_not_hold(self):
        """Counts of paths are no monotone values: each message is added as it comes."""
        chain = "".join("%d %d\n" % (i, i + 1) for i in range(200))  # few vertices are active, and push
        self.graph = self.write("g.txt", "a b\na c\nb d\nc d\nd e\n" + chain)
        source = (SUMS % "if (m <= *v) return 0; *v = m; return 1;").replace(
            "(ALL_ACTIVE | SUM)", "(MONOTONE | FROM_SOURCES)").replace("return run->vertices;", "return me->source;")
        path = self.write("program.c", source)
        error = self.fails(5, "run", path, self.graph, "--source", "a", "--verify", "-q", env=self.env)
        self.assertRegex(error, "vertex [de] has 1, and 2 in plain rounds on the CPU: a promise in TRAITS")

    def test_no_end_is_not_verified(self):
        path = self.write("program.c", SUMS % "*v = m + run->iteration; return 1;")
        error = self.fails(5, "run", path, self.graph, "--verify", "--max-iterations", "3", env=self.env)
        self.assertIn("did not converge", error)


# What each edge is told, once: nothing is sent after the first round.
EDGES = """
#define VALUE u32
#define MESSAGE u32
#define TRAITS SUM
#define PARAMETERS "factor=10"
#define SEND_EDGE
#define SEND_RUN
PROGRAM VALUE init(ABOUT me, RUN run) { return 0; }
PROGRAM MESSAGE identity(void) { return 0; }
PROGRAM MESSAGE send(VALUE v, u32 degree, EDGE edge, RUN run) {
    if (run->iteration)
        return 0;
    return 1000 * (1 + edge->source) + (u32)run->parameter[0] * edge->target + (u32)(run->seed >> 32);
}
PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return a + b; }
PROGRAM int update(VALUE *v, MESSAGE m, ABOUT me, RUN run) {
    *v += m;
    return m != 0;
}
"""

# Its output changes in the fourth round for the first time.
SLOW = """
typedef struct slow { u32 rounds, shown; } slow;
#define VALUE slow
#define MESSAGE u32
#define OUTPUT u32
%s
PROGRAM VALUE init(ABOUT me, RUN run) { slow none = {0, 0}; return none; }
PROGRAM MESSAGE identity(void) { return 0; }
PROGRAM MESSAGE send(VALUE v, u32 degree) { return 0; }
PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return a + b; }
PROGRAM int update(VALUE *v, MESSAGE m, ABOUT me, RUN run) {
    if (v->rounds == 5)
        return 0;
    v->rounds++;
    v->shown = v->rounds > 3 ? v->rounds : 0;
    return 1;
}
PROGRAM OUTPUT output(VALUE v) { return v.shown; }
"""
ROUNDS = "#define DONE\n#define PARAMETERS \"rounds=7\"\n" \
         "PROGRAM int done(RUN run) { return run->iteration == run->parameter[0]; }\n"

# Values that a rule takes or leaves; the graph's weights, if there are any, are added.
PATHS = """
#define VALUE %(type)s
#define MESSAGE %(type)s
#define WEIGHT %(type)s
PROGRAM VALUE init(ABOUT me, RUN run) { return me->source ? %(source)s : %(other)s; }
PROGRAM MESSAGE identity(void) { return %(other)s; }
PROGRAM MESSAGE send(VALUE v, WEIGHT w, u32 degree) { return v + w; }
PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return %(best)s(a, b); }
PROGRAM int update(VALUE *v, MESSAGE m, ABOUT me, RUN run) {
    if (%(best)s(m, *v) == *v)
        return 0;
    *v = m;
    return 1;
}
"""
NEAREST = """
typedef struct near { f32 far; u32 who; } near_t;
#define VALUE near_t
#define MESSAGE near_t
#define WEIGHT f32
#define OUTPUT u32
PROGRAM near_t nearer(near_t a, near_t b) { return a.far < b.far || (a.far == b.far && a.who < b.who) ? a : b; }
PROGRAM MESSAGE identity(void) { near_t none = {INFINITE, 99}; return none; }
PROGRAM VALUE init(ABOUT me, RUN run) { near_t here = {0, me->vertex}; return me->source ? here : identity(); }
PROGRAM MESSAGE send(VALUE v, WEIGHT w, u32 degree) { v.far += w; return v; }
PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return nearer(a, b); }
PROGRAM int update(VALUE *v, MESSAGE m, ABOUT me, RUN run) {
    near_t now = nearer(*v, m);
    int changed = now.far != v->far || now.who != v->who;
    *v = now;
    return changed;
}
PROGRAM OUTPUT output(VALUE v) { return v.who; }
"""
SHARES = """
#define VALUE f32
#define MESSAGE f32
#define TRAITS (ALL_ACTIVE | SUM)
PROGRAM VALUE init(ABOUT me, RUN run) { return 1.0f / run->vertices; }
PROGRAM MESSAGE identity(void) { return 0; }
PROGRAM MESSAGE send(VALUE v, u32 degree) { return v / degree; }
PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return a + b; }
PROGRAM int update(VALUE *v, MESSAGE m, ABOUT me, RUN run) {
    *v = 0.15f / run->vertices + 0.85f * m;
    return 1;
}
"""


class Ends(Case):
    """When a run is over, and which numbers it refuses: the same everywhere."""

    ways = [("cpu", "auto"), ("cpu", "order=out"), ("cpu", "cusha-cw"), ("cpu,cpu", "auto")]
    device_ways = [("opencl", "ws,debug=yes"), ("opencl", "cusha-gs,debug=yes"), ("opencl,cpu", "ws,debug=yes")]

    def each_way(self, devices=True):
        ways = self.ways + (self.device_ways if devices and has_opencl() else [])
        return [["--device", device, "--plan", plan] for device, plan in ways]

    def test_small_weights_do_not_end_a_search(self):
        self.graph = self.write("g.txt", "a e .00009\na b .00001\nb c .00001\nc d .00001\nd e .00001\ne f .00001\n")
        program = PATHS % {"type": "f32", "source": 0, "other": "INFINITE", "best": "MINIMUM"}
        for way in self.each_way():
            self.assertAlmostEqual(float(self.values(program, "--source", "a", *way)["f"]), 5e-5, delta=1e-9)

    def test_an_output_may_hide_a_change(self):
        self.graph = self.write("g.txt", "A x 10\nA p .5\np q .5\nq r .5\nr x .5\nB y 5\nx y 1\n")
        for way in self.each_way(False):
            self.assertEqual(self.values(NEAREST, "--source", "A,B", *way)["y"], "0")

    def test_sums_end_relative_to_their_values(self):
        """A chain of 20,000: an absolute tolerance of 1e-4 would be above every value."""
        length = 20000
        self.graph = self.write("g.txt", "".join("%d %d\n" % (i, i + 1) for i in range(length - 1)))
        for way in self.each_way():
            values = self.values(SHARES, *way)
            for place in 0, 1, 5, 40, length - 1:
                exact = (1 - 0.85 ** (place + 1)) / length
                self.assertLess(abs(float(values[str(place)]) / exact - 1), 2e-3)

    def test_the_largest_value_does_not_hide_the_others(self):
        """Vertex 0 holds 1 from the start, a wave of 0.01 goes along the chain."""
        self.graph = self.write("g.txt", "h h\n" + "".join("%d %d\n" % (i, i + 1) for i in range(30)))
        program = SHARES.replace("return 1.0f / run->vertices;", "return me->vertex == 0 ? 1 : 0;").replace(
            "*v = 0.15f / run->vertices + 0.85f * m;", "*v = me->vertex == 1 ? 0.01f : m;")
        for way in self.each_way():
            self.assertEqual(self.values(program, *way)["30"], "0.01")

    def test_a_tolerance_that_nothing_uses_is_a_note(self):
        path = self.write("program.c", PATHS % {"type": "f32", "source": 0, "other": "INFINITE", "best": "MINIMUM"})
        done = self.heddle("run", path, self.graph, "--tolerance", "0.1", env=self.env)
        self.assertIn("tolerance is not used: the program does not declare SUM", done.err)

    def test_infinity_is_a_value(self):
        self.graph = self.write("g.txt", "a b 10\nb c 20\nd c 30\n")
        program = PATHS % {"type": "f32", "source": "INFINITE", "other": 0, "best": "MAXIMUM"}
        for way in self.each_way():
            self.assertEqual(self.values(program, "--source", "a", *way), dict(a="inf", b="inf", c="inf", d="0"))

    def refused(self, body, words):
        path = self.write("program.c", SUMS % body)
        for way in self.each_way():
            self.assertRegex(self.fails(3, "run", path, self.graph, "-q", *way, env=self.env), words)

    def test_nan_is_refused_by_vertex_and_round(self):
        self.refused("*v = m / m; return 1;", r"program\.c: the value of vertex a is NaN, not a number, after round 1$")
        whole = (SUMS % "*v = m / m; return 1;").replace("#define TRAITS (ALL_ACTIVE | SUM)", "")
        path = self.write("program.c", whole)
        for way in self.each_way(False):
            self.assertIn("is NaN", self.fails(3, "run", path, self.graph, *way, env=self.env))

    def test_sums_that_grow_to_infinity_are_refused(self):
        self.graph = self.write("g.txt", "a b\nb a\n")
        self.refused("*v = m * 1000; return 1;", r"without bound \(vertex [ab], round 13\): its sums do not converge$")


def ring_with_hub(vertices):
    """Edges of a ring with chords, and of a hub that half of the others know; a clique of five hangs on."""
    edges = {(v, (v + 1) % vertices) for v in range(vertices)} | {(v, v * 7 % vertices) for v in range(vertices)}
    edges |= {(0, v) for v in range(2, vertices, 2)}
    edges |= {(vertices + i, vertices + j) for i in range(5) for j in range(i)} | {(3, vertices)}
    return sorted({(min(e), max(e)) for e in edges if e[0] != e[1]})


def core_numbers(edges):
    near = {}
    for a, b in set(edges):
        near.setdefault(a, set()).add(b)
        near.setdefault(b, set()).add(a)
    core, k = {}, 0
    while near:
        k = max(k, min(len(n) for n in near.values()))
        for v in [v for v, n in near.items() if len(n) <= k]:
            for u in near.pop(v):
                near.get(u, set()).discard(v)
            core[v] = k
    return core


def ranks(edges, damping=0.85):
    vertices = sorted({v for e in edges for v in e})
    out = {v: [b for a, b in edges if a == v] for v in vertices}
    rank = dict.fromkeys(vertices, 1 / len(vertices))
    for _ in range(200):
        sinks = sum(rank[v] for v in vertices if not out[v])
        now = dict.fromkeys(vertices, (1 - damping + damping * sinks) / len(vertices))
        for v in vertices:
            for b in out[v]:
                now[b] += damping * rank[v] / len(out[v])
        rank = now
    return rank


class Declared(Case):
    """Words that a program declares before it uses them."""

    def test_edges_and_the_run_are_told_to_send(self):
        expected = {"a": "0", "b": "1013", "c": "1023", "d": "3066"}
        source = EDGES.replace("(u32)(run->seed >> 32)", "3 * (u32)(run->seed == 5000000000)")
        plain = self.values
        self.values = lambda source, *more: plain(source, "--seed", "5000000000", *more)
        self.everywhere(source, expected, CPU_PLANS[:6], ("ws", "cusha-gs", "tigr-v", "graphie"))
        for plan in "auto", "order=degree":
            self.assertEqual(self.values(source, "--device", "cpu,cpu", "--plan", plan), expected)

    def test_shards_without_sources_are_refused(self):
        path = self.write("program.c", EDGES)
        error = self.fails(2, "run", path, self.graph, "--plan", "cusha-cw", env=self.env)
        self.assertIn("use window=gs instead", error)

    def test_rounds_end_when_no_update_says_so(self):
        for traits in "", "#define TRAITS SUM", "#define TRAITS UNTIL_UNCHANGED":
            self.everywhere(SLOW % traits, dict.fromkeys("abcd", "5"), ("auto", "cusha-gs"), ("ws",))

    def test_rounds_that_are_forced(self):
        path = self.write("program.c", SLOW % ROUNDS)
        for where in ["cpu"] + (["opencl"] if has_opencl() else []):
            for given, rounds in ([], 7), (["--param", "rounds=1100"], 1100), (["--max-iterations", "3"], 3):
                plan = "ws,debug=yes" if where == "opencl" else "auto"
                report = json.loads(self.heddle("run", path, self.graph, "--json", "--device", where, "--plan", plan,
                                                *given, env=self.env).out)
                self.assertEqual((report["iterations"], report["converged"]), (rounds, rounds != 3))
                self.assertNotIn("residual", report["summary"])

    def test_messages_against_the_edges(self):
        first = "(me->source ? 0 : 900) + (me->vertex == 2 ? me->out_degree : 0)"  # c, whose one edge comes from a
        source = LABELS.replace("TRAITS MONOTONE", "TRAITS (MONOTONE | REVERSED)") % ("", first)
        expected = {"a": "140", "b": "540", "c": "941", "d": "40"}
        plain = self.values
        self.values = lambda source, *more: plain(source, "--source", "d", *more)
        self.everywhere(source, expected, CPU_PLANS, ("ws", "cusha-gs"))
        self.assertEqual(self.values(source, "--device", "cpu,cpu"), expected)
        self.heddle("convert", self.graph, self.path("g.hdl"), "--in-edges", "-q", env=self.env)
        error = self.fails(2, "run", self.path("program.c"), self.path("g.hdl"), "--plan", "residency=disk",
                           env=self.env)
        self.assertIn("against the direction in which the file has them", error)

    def test_the_line_of_what_is_not_declared(self):
        with open(os.path.join(support.ROOT, "examples", "core.c"), encoding="utf-8") as file:
            core = file.read()
        for source, gone, words in (
                (EDGES, "#define SEND_EDGE", r"program\.c:10:\d+: error: .*"),
                (core, "#define DONE", r"program\.c:%d:\d+: error: .*done.*#define DONE" % line(core, "int done")),
                (core, "#define TOTALS.*", r"program\.c:%d:\d+: error: .*TOTALS" % line(core, "return TOTAL")),
                (core, "#define FIRST_PHASE 0", r"program\.c:%d:\d+: error: .*FIRST_PHASE" % line(core, "<= PHASE")),
                (core, r"PROGRAM void contribute(.|\n)*?\n}", r"program\.c: the program lacks contribute: "),
                (core, r"ADDED\(0\)", r"program\.c: TRAITS has MONOTONE, .* TOTALS needs")):
            changed = "#define TRAITS MONOTONE\n" + core if "MONOTONE" in words else re.sub(gone, "", source)
            path = self.write("program.c", changed)
            self.assertRegex(self.fails(3, "run", path, self.graph, env=self.env), words)

    def test_lines_of_the_text_around_a_program(self):
        """Compilers name Heddle's own text by file and line: comments are gone, and all lines are where they were."""
        self.values(LABELS % ("", "me->vertex"), "--keep-source", self.path("kept"))
        kept, = os.listdir(self.path("kept"))
        number, expected, names = 0, [], set()
        for text in self.read("kept/" + kept).decode().splitlines():
            place = re.match(r'#line (\d+) "(<heddle>/)?(.*)"', text)
            if place:
                number = int(place[1])
                expected = without_comments(os.path.join(support.ROOT, "src", place[3])) if place[2] else []
                names.add(place[3])
            elif expected:
                if text:
                    self.assertEqual(text.split(), expected[number - 1].split(), "%s:%d" % (place, number))
                number += 1
        self.assertLessEqual({"engine/cpu/cpu_abi.h", "program/traits.h", "engine/cpu/cpu_kernels.h"}, names)

    def test_a_missing_output_is_named(self):
        path = self.write("program.c", SLOW.replace("#define OUTPUT u32", "").replace(
            "PROGRAM OUTPUT output(VALUE v) { return v.shown; }", "") % "")
        error = self.fails(3, "run", path, self.graph, env=self.env)
        self.assertRegex(error, r"^heddle: \S*program\.c: VALUE is no number: #define OUTPUT f32 ")

    def test_old_programs_may_use_the_new_words_as_names(self):
        source = SUMS % "f32 done = *v, phase = done; int contribute = m > 0 && phase == 4; *v = -1; return contribute;"
        self.assertEqual(self.values("#define ROUND 1\n" + source), {"a": "4", "b": "-1", "c": "-1", "d": "-1"})


def without_comments(path):
    with open(path, encoding="utf-8") as file:
        return re.sub(r"/\*.*?\*/", lambda comment: " " + "\n" * comment[0].count("\n"), file.read(),
                      flags=re.S).splitlines()


def line(text, words):
    return text[:text.index(words)].count("\n") + 1


class Examples(Case):
    """examples/ against references of their own."""

    def example(self, name):
        with open(os.path.join(support.ROOT, "examples", name), encoding="utf-8") as file:
            return file.read()

    def test_core_numbers_by_phases(self):
        edges = ring_with_hub(40)
        expected = {str(v): str(k) for v, k in core_numbers(edges).items()}
        self.graph = self.write("g.txt", "".join("%d %d\n%d %d\n" % (a, b, b, a) for a, b in edges))
        self.everywhere(self.example("core.c"), expected, ("auto", "order=degree", "cusha-cw"),
                        ("ws", "schedule=edge,direction=pull", "graphie", "cusha-gs"))
        for devices in ["cpu,cpu"] + (["cpu,opencl"] if has_opencl() else []):
            self.assertEqual(self.values(self.example("core.c"), "--device", devices), expected)
        self.heddle("convert", self.graph, self.path("g.hdl"), "--in-edges", "-q", env=self.env)
        self.graph = self.path("g.hdl")
        self.assertEqual(self.values(self.example("core.c"), "--plan", "residency=disk"), expected)

    def test_checkpoints_have_no_phase(self):
        path = self.write("program.c", self.example("core.c"))
        error = self.fails(2, "run", path, self.graph, "--checkpoint", self.path("kept"), env=self.env)
        self.assertIn("more than its values", error)

    def test_ranks_that_end_by_the_sum_of_changes(self):
        edges = [e for e in ring_with_hub(40) if e[0] % 9]
        expected = ranks(edges)
        self.graph = self.write("g.txt", "".join("%d %d\n" % e for e in edges))
        cpu = [(plan, "cpu") for plan in ("auto", "transform=udt,K=3", "cusha-cw")] + [("auto", "cpu,cpu")]
        device = [(plan + ",debug=yes", "opencl") for plan in ("tigr-v", "order=degree")] if has_opencl() else []
        for plan, where in cpu + device:
            with self.subTest(plan=plan, device=where):
                values = self.values(self.example("rank.c"), "--param", "enough=1e-13", "--precision", "double",
                                     "--plan", plan, "--device", where)
                self.assertLess(max(abs(float(values[str(v)]) - rank) for v, rank in expected.items()), 1e-12)


if __name__ == "__main__":
    support.main()
