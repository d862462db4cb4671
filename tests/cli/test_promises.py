"""What programs promise beside their traits: it is tested before a run, and refused with the sample that breaks it."""
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
                ("sssp", "| LEAST_FIRST", "| ONCE",
                 r"ONCE does not hold: two messages .* stores \d+ and \d+, in round"),
                ("sssp", "(distance) + (weight)", "(distance) - (weight)",
                 r"LEAST_FIRST does not hold: along an edge .* with \d+ sends .* as -?\d+ along weight \d"),
                ("sssp", "*distance = nearest;", "*distance = nearest / 2 + *distance / 2;",
                 "LEAST_FIRST does not hold"),
                ("sssp", "!(nearest < *distance)", "!(nearest < *distance - 2)", "LEAST_FIRST does not hold"),
                ("sswp", "LARGEST_FIRST", "LEAST_FIRST", "LEAST_FIRST does not hold: reduce does not pick"),
                ("bfs", "ONCE", "CARRIED", r"CARRIED does not hold: send\(0\) is 1"),
                ("bfs", "UNREACHED ? UNREACHED : level + 1", "1 ? 0 : level + 1", "ONCE does not hold: "),
                ("cc", "MONOTONE | CARRIED", "MONOTONE | FROM_SOURCES | ONCE", "ONCE does not hold"),
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


if __name__ == "__main__":
    support.main()
