"""What programs promise beside their traits: it is tested before a run, and refused with the sample that breaks it."""
import json
import os

import support
from test_programs import has_opencl

GRAPH = "a b 4\na c 1\nc b 2\nb d 1\ne d 7\nd f 3\nf g 2\n"


def text(name):
    with open(os.path.join(support.ROOT, "src", "program", name + ".c"), encoding="utf-8") as file:
        return file.read()


class Promises(support.Case):
    def setUp(self):
        super().setUp()
        self.env = support.environment(HEDDLE_CACHE=self.path("cache"))
        self.graph = self.write("g.txt", GRAPH)

    def refused(self, name, old, new, words, *options):
        source = text(name)
        self.assertIn(old, source)
        path = self.write("program.c", source.replace(old, new))
        error = self.fails(3, "run", path, self.graph, "--source", "a", *options, env=self.env)
        self.assertRegex(error, words)

    def test_promises_of_the_built_in_programs_hold(self):
        for name, expected in (("bfs", "0 1 1 2 inf 3 4"), ("sssp", "0 3 1 4 inf 7 9"),
                               ("sswp", "inf 4 1 1 -inf 1 1"), ("cc", "0 0 0 0 4 0 0")):
            path = self.write(name + ".c", text(name))
            out = self.heddle("run", path, self.graph, "--source", "a", "-q", "-o", "-", env=self.env).out.decode()
            values = dict(line.split("\t") for line in out.splitlines())
            self.assertEqual([values[v] for v in "abcdefg"], expected.split(), name)

    def test_false_promises_are_refused_with_a_sample(self):
        for name, old, new, words in (
                ("sssp", "(distance) + (weight)", "(distance) - (weight)",
                 r"LEAST_FIRST does not hold: along an edge .* with \d+ sends .* as -?\d+ along weight \d"),
                ("sssp", "*distance = nearest;", "*distance = nearest / 2 + *distance / 2;",
                 "LEAST_FIRST does not hold"),
                ("sssp", "!(nearest < *distance)", "!(nearest < *distance - 2)", "LEAST_FIRST does not hold"),
                ("sswp", "LARGEST_FIRST", "LEAST_FIRST", "LEAST_FIRST does not hold: reduce does not pick"),
                ("bfs", "ONCE", "CARRIED", r"CARRIED does not hold: send\(0\) is 1"),
                ("bfs", "UNREACHED ? UNREACHED : level + 1", "1 ? 0 : level + 1", "ONCE does not hold: "),
                ("cc", "MONOTONE | CARRIED", "MONOTONE | FROM_SOURCES | ONCE",
                 r"ONCE does not hold: a source changes: from \d+ to \d+, by a message of round"),
                ("cc", "*label = smallest;", "*label = smallest / 2;", "CARRIED does not hold: update does not store")):
            with self.subTest(program=name, change=new):
                self.refused(name, old, new, words)

    def test_sums_that_overflow_are_found_beyond_the_graph(self):
        """Distances of this graph are small; generated ones are as large as the type."""
        unguarded = "return level == UNREACHED ? UNREACHED : level + 1"
        for send in "return level + 1", "return level == UNREACHED ? UNREACHED : level + 4000000000u":
            source = text("bfs").replace("ONCE", "LEAST_FIRST").replace(unguarded, send)
            path = self.write("program.c", source)
            error = self.fails(3, "run", path, self.graph, "--source", "a", env=self.env)
            self.assertIn("LEAST_FIRST does not hold: along an edge a value gets better", error)

    def test_declarations_that_exclude_each_other(self):
        for name, old, new, words in (
                ("sssp", "LEAST_FIRST", "LEAST_FIRST | LARGEST_FIRST", "LEAST_FIRST and LARGEST_FIRST"),
                ("sssp", "MONOTONE | ", "", "LEAST_FIRST without MONOTONE"),
                ("sswp", "MONOTONE | ", "", "LARGEST_FIRST without MONOTONE"),
                ("bfs", "FROM_SOURCES | ", "", "ONCE without FROM_SOURCES"),
                ("bfs", "MONOTONE | ", "", "ONCE without MONOTONE"),
                ("cc", "MONOTONE | ", "", "CARRIED without MONOTONE"),
                ("sssp", "LEAST_FIRST", "CARRIED", "CARRIED beside WEIGHT"),
                ("sssp", "LEAST_FIRST", "ONCE", "ONCE beside WEIGHT"),
                ("cc", "u32 degree) {", "u32 degree, EDGE edge) {\n    (void)edge;", "CARRIED beside SEND_EDGE")):
            with self.subTest(program=name, change=new):
                source = text(name).replace(old, new)
                if "EDGE" in new:
                    source = "#define SEND_EDGE\n" + source
                path = self.write("program.c", source)
                self.assertRegex(self.fails(3, "run", path, self.graph, env=self.env),
                                 r"program\.c: TRAITS has " + words)

    def test_a_struct_needs_an_order(self):
        with open(os.path.join(support.ROOT, "examples", "nearest.c"), encoding="utf-8") as file:
            source = file.read().replace("FROM_SOURCES)", "FROM_SOURCES | LEAST_FIRST)")
        path = self.write("program.c", source)
        self.assertIn("#define ORDER f32", self.fails(3, "run", path, self.graph, env=self.env))
        ordered = source.replace("PROGRAM place nearer", "#define ORDER f32\n"
                                 "PROGRAM ORDER order(VALUE value) { return value.distance; }\nPROGRAM place nearer")
        path = self.write("program.c", ordered)
        self.heddle("run", path, self.graph, "-q", env=self.env)
        turned = ordered.replace("return value.distance;", "return -value.distance;")
        path = self.write("program.c", turned)
        self.assertIn("LEAST_FIRST does not hold", self.fails(3, "run", path, self.graph, env=self.env))

    def test_everywhere(self):
        self.heddle("convert", self.graph, self.path("g.hdl"), "-q", env=self.env)
        false = ("sssp", "(distance) + (weight)", "(distance) - (weight)", "LEAST_FIRST does not hold: along an edge")
        self.refused(*false, "--device", "cpu,cpu")
        self.graph = self.path("g.hdl")
        self.refused(*false, "--plan", "residency=disk")
        if has_opencl():
            self.refused(*false, "--device", "opencl")


# Reachability that does not enter fixed vertices: what ONCE does not foresee, and the engine has to notice.
AROUND = """
#define VALUE u32
#define MESSAGE u32
#define TRAITS (MONOTONE | FROM_SOURCES | ONCE)
PROGRAM VALUE init(ABOUT me, RUN run) { return me->source; }
PROGRAM MESSAGE identity(void) { return 0; }
PROGRAM MESSAGE send(VALUE v, u32 degree) { return v; }
PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return a | b; }
PROGRAM int update(VALUE *v, MESSAGE m, ABOUT me, RUN run) {
    if (me->fixed || *v || !m)
        return 0;
    *v = 1;
    return 1;
}
"""


class Operators(support.Case):
    """What a promise opens gives the bits of the built-in algorithm and of plain rounds."""

    def setUp(self):
        super().setUp()
        self.env = support.environment(HEDDLE_CACHE=self.path("cache"))

    def graphs(self):
        for name, kind, *options in (("skewed", "rmat", "--scale", "9", "--degree", "6"), ("grid", "grid", "--width",
                                     "40", "--height", "25"), ("hub", "star", "--vertices", "70000"),
                                     ("line", "path", "--vertices", "3000")):
            self.heddle("generate", kind, self.path(name + ".hdl"), *options, "-q", env=self.env)
            yield self.path(name + ".hdl")
        self.heddle("convert", self.path("skewed.hdl"), self.path("both.hdl"), "--symmetrize", "-q", env=self.env)
        yield self.path("both.hdl")
        yield self.write("pieces.txt", "".join("%d %d\n" % (3 * v, 3 * v + 1 + v % 2) for v in range(300)))

    def same(self, program, built_in, kernels, graph, *options):
        self.heddle(built_in, graph, *options, "-q", "-o", self.path("expected.npy"), env=self.env)
        for threads in "123":
            report = json.loads(self.heddle("run", program, graph, *options, "--json", "-o", self.path("values.npy"),
                                            "--threads", threads, env=self.env).out)
            self.assertEqual(self.read("values.npy"), self.read("expected.npy"), (graph, threads))
            self.assertIn(report["rounds"][0]["kernel"].split(",")[0], kernels)
            self.assertEqual(sum(each["rounds"] for each in report["rounds"]), report["iterations"])

    def test_levels(self):
        program = self.write("levels.c", text("bfs"))
        for graph in self.graphs():
            with self.subTest(graph=graph):
                self.same(program, "bfs", ("top-down", "bottom-up"), graph, "--source", "0")
        sources = self.write("sources.txt", "0\n3\n7\n")
        self.same(program, "bfs", ("top-down", "bottom-up"), self.path("both.hdl"), "--sources", sources)

    def test_components(self):
        program = self.write("components.c", text("cc"))
        for graph in self.graphs():
            directed = graph.endswith(("skewed.hdl", "pieces.txt"))
            with self.subTest(graph=graph):
                if not directed:
                    self.same(program, "cc", ("sample",), graph)
                self.heddle("run", program, graph, "-q", "--verify", env=self.env)

    def test_examples_by_plain_rounds(self):
        labels = self.write("labels.txt", "".join("%d %d\n" % (v, v * 37 % 101) for v in range(290)))
        for graph in self.graphs():
            with self.subTest(graph=graph):
                for steps in "0", "1", "3", "100":
                    self.heddle("run", os.path.join(support.ROOT, "examples", "within.c"), graph, "--source", "0",
                                "--param", "steps=" + steps, "-q", "--verify", env=self.env)
                if graph.endswith(("grid.hdl", "both.hdl")):
                    self.heddle("run", os.path.join(support.ROOT, "examples", "largest.c"), graph, "--init", labels,
                                "-q", "--verify", env=self.env)

    def test_vertices_that_do_not_take_part(self):
        program = self.write("around.c", AROUND)
        fixed = self.write("fixed.txt", "".join("%d 0\n" % v for v in range(20, 500, 40)))
        for graph in self.graphs():
            if not graph.endswith(".txt"):
                self.heddle("run", program, graph, "--source", "0", "--fixed", fixed, "-q", "--verify", env=self.env)


if __name__ == "__main__":
    support.main()
