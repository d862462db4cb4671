"""heddle run: programs of the user's own, right and wrong."""
import heapq
import json
import os
import random
import shutil
import stat
import struct

import support

# A program in pieces, so that a test can spoil one of them.
PARTS = {
    "types": "#define VALUE f32\n#define MESSAGE f32\n",
    "traits": "#define TRAITS (MONOTONE | FROM_SOURCES)\n",
    "init": "PROGRAM VALUE init(ABOUT me, RUN run) { return me->source ? 0 : INFINITE; }\n",
    "identity": "PROGRAM MESSAGE identity(void) { return INFINITE; }\n",
    "send": "PROGRAM MESSAGE send(VALUE hops, u32 degree) { return hops + 1; }\n",
    "reduce": "PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return MINIMUM(a, b); }\n",
    "update": "PROGRAM int update(VALUE *hops, MESSAGE nearest, ABOUT me, RUN run) {\n"
              "    if (!(nearest < *hops))\n        return 0;\n    *hops = nearest;\n    return 1;\n}\n",
}
SET = "PROGRAM int update(VALUE *value, MESSAGE sum, ABOUT me, RUN run) { *value = sum; return 1; }\n"


def program(**changes):
    return "".join(dict(PARTS, **changes).values())


def rows(out):
    return [tuple(line.split("\t")) for line in out.decode().splitlines()]


class Case(support.Case):
    def setUp(self):
        super().setUp()
        self.env = support.environment(HEDDLE_CACHE=self.path("cache"))
        self.graph = self.write("g.txt", "1 2\n2 3\n1 3\n3 4\n9 4\n")

    def heddle(self, *arguments, **options):
        options.setdefault("env", self.env)
        return super().heddle(*arguments, **options)

    def values(self, source, *arguments, graph=None):
        path = self.write("program.c", source)
        return dict(rows(self.heddle("run", path, graph or self.graph, "-q", "-o", "-", *arguments).out))

    def refused(self, status, source, *arguments, **options):
        path = self.write("program.c", source)
        return self.fails(status, "run", path, self.graph, *arguments, **options)


class Programs(Case):
    def test_values_come_with_the_users_ids(self):
        self.assertEqual(self.values(program(), "--source", "1"), {"1": "0", "2": "1", "3": "1", "4": "2", "9": "inf"})

    def test_the_source_is_the_vertex_of_largest_out_degree(self):
        path = self.write("program.c", program())
        report = json.loads(self.heddle("run", path, self.graph, "--json").out)
        self.assertEqual(report["source"], 1)
        self.assertEqual(report["algorithm"], "run")
        self.assertEqual(report["program"], path)
        self.assertEqual(report["precision"], "single")
        self.assertIsNone(report["verified"])
        self.assertIn("source        1 (chosen", self.heddle("run", path, self.graph).out.decode())

    def test_several_sources(self):
        wanted = {"1": "1", "2": "0", "3": "1", "4": "1", "9": "0"}
        graph = self.write("two.txt", "1 2\n2 3\n3 4\n9 4\n2 1\n")
        self.assertEqual(self.values(program(), "--source", "2,9", graph=graph), wanted)
        sources = self.write("sources.txt", "# two\n9\n\n2\n")
        self.assertEqual(self.values(program(), "--sources", sources, graph=graph), wanted)

    def test_whole_numbers_and_unreached(self):
        changes = {
            "types": "#define VALUE u32\n#define MESSAGE u32\n#define FAR 0xffffffffu\n#define UNREACHED\n",
            "init": "PROGRAM VALUE init(ABOUT me, RUN run) { return me->source ? 0 : FAR; }\n",
            "identity": "PROGRAM MESSAGE identity(void) { return FAR; }\n",
            "send": "PROGRAM MESSAGE send(VALUE hops, u32 degree) { return hops == FAR ? FAR : hops + 1; }\n",
        }
        self.assertEqual(self.values(program(**changes), "--source", "2"),
                         {"1": "inf", "2": "0", "3": "1", "4": "2", "9": "inf"})
        self.heddle("run", self.path("program.c"), self.graph, "-q", "--source", "2", "-o", self.path("x.npy"))
        data = self.read("x.npy")
        self.assertEqual(struct.unpack("<5q", data[-40:]), (-1, 0, 1, 2, -1))

    def test_what_a_program_is_told(self):
        told = program(traits="", identity="PROGRAM MESSAGE identity(void) { return 0; }\n",
                       reduce="PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return a + b; }\n",
                       update="PROGRAM int update(VALUE *value, MESSAGE sum, ABOUT me, RUN run) {\n"
                              "    *value = 100000 * run->vertices + 10000 * me->source + 1000 * me->fixed +\n"
                              "             100 * me->in_degree + 10 * me->out_degree + me->initial;\n"
                              "    return 1;\n}\n")
        init, fixed = self.write("init.txt", "1 5\n3,6\n"), self.write("fixed.txt", "4\t7\n")
        self.assertEqual(self.values(told, "--source", "2", "--init", init, "--fixed", fixed),
                         {"1": "500025", "2": "510110", "3": "500216", "4": "501207", "9": "500010"})

    def test_weights(self):
        weighted = program(types="#define VALUE real\n#define MESSAGE real\n#define WEIGHT real\n",
                           send="PROGRAM MESSAGE send(VALUE far, WEIGHT weight, u32 degree) { return far + weight; }\n")
        graph = self.write("w.txt", "1 2 0.5\n2 3 0.25\n1 3 9\n")
        self.assertEqual(self.values(weighted, "--source", "1", graph=graph), {"1": "0", "2": "0.5", "3": "0.75"})
        result = self.heddle("run", self.path("program.c"), self.graph, "--source", "1", "-o", "-")
        self.assertIn("note: the graph has no weights: 1 is used", result.err)
        self.assertEqual(dict(rows(result.out))["4"], "2")

    def test_precision(self):
        thirds = program(types="#define VALUE real\n#define MESSAGE real\n", traits="",
                         init="PROGRAM VALUE init(ABOUT me, RUN run) { return (real)1 / 3; }\n",
                         update="PROGRAM int update(VALUE *v, MESSAGE m, ABOUT me, RUN run) { return 0; }\n")
        self.assertEqual(self.values(thirds)["1"], "0.33333334")
        self.assertEqual(self.values(thirds, "--precision", "double")["1"], "0.3333333333333333")

    def test_natural_names_for_types(self):
        source = program(types="typedef struct value { f32 sum; } value;\n"
                               "typedef struct message { f32 sum; } message;\n"
                               "#define VALUE value\n#define MESSAGE message\n#define OUTPUT f32\n", traits="",
                         init="PROGRAM VALUE init(ABOUT me, RUN run) { value v = {1}; return v; }\n",
                         identity="PROGRAM MESSAGE identity(void) { message m = {0}; return m; }\n",
                         send="PROGRAM MESSAGE send(VALUE v, u32 degree) { message m = {v.sum}; return m; }\n",
                         reduce="PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { a.sum += b.sum; return a; }\n",
                         update="PROGRAM int update(VALUE *v, MESSAGE m, ABOUT me, RUN run) {\n"
                                "    v->sum = m.sum;\n    return 1;\n}\n"
                                "PROGRAM OUTPUT output(VALUE v) { return v.sum; }\n")
        self.assertEqual(self.values(source, "--max-iterations", "1"),
                         {"1": "0", "2": "1", "3": "2", "4": "2", "9": "0"})

    def test_rounds_end(self):
        counter = program(traits="", init="PROGRAM VALUE init(ABOUT me, RUN run) { return 0; }\n",
                          update="PROGRAM int update(VALUE *v, MESSAGE m, ABOUT me, RUN run) { *v += 1; return 1; }\n")
        path = self.write("program.c", counter)
        result = self.heddle("run", path, self.graph, "--json", "--max-iterations", "7")
        report = json.loads(result.out)
        self.assertEqual((report["iterations"], report["converged"]), (7, False))
        self.assertIn("note: not converged after 7 iterations", result.err)
        path = self.write("program.c", counter + "#define TRAITS SUM\n")  # only sums end by the tolerance
        self.assertTrue(json.loads(self.heddle("run", path, self.graph, "--json", "--tolerance", "1").out)["converged"])

    def test_empty_graph(self):
        empty = self.write("empty.mtx", "%%MatrixMarket matrix coordinate pattern general\n0 0 0\n")
        self.assertEqual(self.values(program(), graph=empty), {})


class Faults(Case):
    def test_compile_error_at_the_users_line(self):
        spoilt = "\n\nPROGRAM MESSAGE send(VALUE hops, u32 degree) { return hopps + 1; }\n"
        words = self.refused(3, program(send=spoilt))
        self.assertIn("program.c:8:", words)
        self.assertIn("hopps", words)

    def test_missing_functions(self):
        for name in ("init", "identity", "send", "reduce", "update"):
            words = self.refused(3, program(**{name: ""}))
            self.assertIn("program.c: the program lacks %s: PROGRAM " % name, words)
        self.assertIn("'VALUE'", self.refused(3, program(types="#define MESSAGE f32\n")))

    def test_laws_of_reduce(self):
        numbers = {"traits": "", "init": "PROGRAM VALUE init(ABOUT me, RUN run) { return me->vertex + 1; }\n",
                   "identity": "PROGRAM MESSAGE identity(void) { return 0; }\n", "update": SET}
        form = "PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return %s; }\n"
        for reduce, law in (("a - 2 * b", "associative"), ("b", "commutative"), ("a + b + 1", "neutral to identity")):
            words = self.refused(3, program(**numbers, reduce=form % reduce))
            self.assertIn("the program's reduce is not " + law, words)

    def test_struct_without_output(self):
        words = self.refused(3, program(types="typedef struct pair { f32 a, b; } pair;\n#define VALUE pair\n"
                                              "#define MESSAGE f32\n"))
        self.assertIn("error: ", words)

    def test_files(self):
        self.assertIn("no.c: cannot open the program", self.fails(3, "run", self.path("no.c"), self.graph))
        self.fails(3, "run", self.folder, self.graph)
        self.assertIn("no C program", self.refused(3, program() + "\0"))
        self.assertIn("no C program", self.refused(3, program() + " " * (1 << 20)))

    def test_usage(self):
        self.assertIn("missing operand GRAPH", self.fails(2, "run", "program.c"))
        self.assertIn("cannot open the program", self.fails(3, "run", "program.c", self.graph, "--verify"))
        self.assertIn("no vertex has the id 77", self.refused(2, program(), "--source", "77"))

    def test_no_compiler(self):
        os.mkdir(self.path("empty"))
        env = dict(self.env, PATH=self.path("empty"))
        env.pop("CC", None)
        words = self.refused(1, program(), env=env)
        self.assertIn("no C compiler found to compile", words)
        self.assertIn("looked for $CC, cc, gcc, clang", words)

    def test_nothing_is_written(self):
        self.refused(3, program(reduce=""), "--output", self.path("out.tsv"))
        self.assertNotIn("out.tsv", self.files())


class Parameters(Case):
    SOURCE = program(traits="#define PARAMETERS \"scale=2 shift=0.5\"\n", update=(
        "PROGRAM int update(VALUE *v, MESSAGE m, ABOUT me, RUN run) {\n"
        "    *v = run->parameter[0] * me->vertex + run->parameter[1];\n    return 1;\n}\n"))

    def test_defaults_and_given_ones(self):
        for arguments, wanted in (
            ([], "4.5"),
            (["--param", "scale=10"], "20.5"),
            (["-p", "scale=10", "-p", "shift=-1"], "19"),
            (["--param=shift=1,scale=1e2"], "201"),
            (["-p", "scale=1", "-p", "scale=3"], "6.5"),
        ):
            self.assertEqual(self.values(self.SOURCE, *arguments)["3"], wanted)

    def test_slips(self):
        words = self.refused(2, self.SOURCE, "--param", "scal=1")
        self.assertIn("the program has no parameter 'scal' (it has: scale=2 shift=0.5)", words)
        for text in ("scale", "scale=", "=1", "scale=x", "scale=1,", "scale=1,,shift=2", "scale=nan"):
            words = self.refused(2, self.SOURCE, "--param", text)
            self.assertIn("--param: found '%s', expected NAME=NUMBER" % text, words)


class Cache(Case):
    def report(self, *arguments, **options):
        return json.loads(self.heddle("run", self.path("program.c"), self.graph, "--json", *arguments, **options).out)

    def setUp(self):
        super().setUp()
        self.write("program.c", program())

    def test_second_run_compiles_nothing(self):
        self.assertGreater(self.report()["phases"]["compile"], 0)
        self.assertEqual(self.report()["phases"]["compile"], 0)
        self.assertGreater(self.report("--precision", "double")["phases"]["compile"], 0)
        self.write("program.c", program() + "\n")
        self.assertGreater(self.report()["phases"]["compile"], 0)
        self.assertEqual(stat.S_IMODE(os.stat(self.path("cache")).st_mode), 0o700)
        self.assertEqual(len(os.listdir(self.path("cache"))), 4)  # and its tag

    def test_folders_by_the_environment(self):
        env = {name: value for name, value in self.env.items() if name not in ("HEDDLE_CACHE", "XDG_CACHE_HOME")}
        self.report(env=dict(env, HOME=self.path("home")))
        self.assertEqual(len(os.listdir(self.path("home/.cache/heddle"))), 2)
        self.report(env=dict(env, HOME=self.path("home"), XDG_CACHE_HOME=self.path("xdg")))
        self.assertEqual(len(os.listdir(self.path("xdg/heddle"))), 2)

    def test_home_that_cannot_be_written(self):
        env = {name: value for name, value in self.env.items() if name not in ("HEDDLE_CACHE", "XDG_CACHE_HOME")}
        os.mkdir(self.path("tmp"))
        for home in ("/dev/null", "/proc", ""):
            report = self.report(env=dict(env, HOME=home, TMPDIR=self.path("tmp")))
            self.assertGreater(report["phases"]["compile"], 0)
        self.assertEqual(os.listdir(self.path("tmp")), [])

    def test_folder_that_others_may_write_is_not_trusted(self):
        os.mkdir(self.path("cache"))
        os.chmod(self.path("cache"), 0o777)
        self.report()
        self.assertEqual(os.listdir(self.path("cache")), [])

    def test_compiler_is_chosen_by_cc(self):
        for compiler in ("gcc", "clang"):
            if shutil.which(compiler):
                self.assertGreater(self.report(env=dict(self.env, CC=compiler))["phases"]["compile"], 0)


class Examples(Case):
    """The programs of examples/ against plain loops, with 1, 2 and 7 threads."""

    def setUp(self):
        super().setUp()
        chance = random.Random(5)
        self.arcs = {}
        for _ in range(1500):
            self.arcs[chance.randrange(300), chance.randrange(300)] = chance.randrange(1, 1000)
        self.vertices = sorted({end for arc in self.arcs for end in arc})

    def example(self, name, scale, *arguments):
        graph = self.write("e.txt", "".join("%d %d %r\n" % (u, v, w * scale) for (u, v), w in self.arcs.items()))
        path = os.path.join(support.ROOT, "examples", name)
        outs = {self.heddle("run", path, graph, "-q", "-o", "-", "-t", threads, *arguments).out
                for threads in (1, 2, 7)}
        self.assertEqual(len(outs), 1, "the result depends on the number of threads")
        return {int(vertex): float(value) for vertex, value in rows(outs.pop())}

    def best_first(self, starts, extend):
        """Best values by Dijkstra's algorithm: `starts` and the result of `extend` are better when smaller."""
        best, queue = {}, [(value, vertex) for vertex, value in starts.items()]
        while queue:
            value, vertex = heapq.heappop(queue)
            if vertex in best:
                continue
            best[vertex] = value
            for (u, v), weight in self.arcs.items():
                if u == vertex and v not in best:
                    heapq.heappush(queue, (extend(value, weight), v))
        return best

    def test_reliability(self):
        source = self.vertices[0]
        best = self.best_first({source: -1.0}, lambda chance, weight: chance * weight / 1024)
        got = self.example("reliability.c", 1 / 1024, "--source", source)
        for vertex in self.vertices:
            self.assertAlmostEqual(got[vertex], -best.get(vertex, 0), delta=1e-5)

    def test_influence(self):
        degree = {v: sum(u == v for u, _ in self.arcs) for v in self.vertices}
        value = {v: 1.0 for v in self.vertices}
        for _ in range(200):
            fresh = {v: 1.0 for v in self.vertices}
            for u, v in self.arcs:
                fresh[v] += 0.5 * value[u] / degree[u]
            value = fresh
        got = self.example("influence.c", 1, "--param", "decay=0.5", "--tolerance", "1e-6", "--precision", "double")
        for vertex in self.vertices:
            self.assertAlmostEqual(got[vertex], value[vertex], delta=1e-4)

    def test_nearest(self):
        labels = {self.vertices[0]: 30, self.vertices[7]: 10, self.vertices[50]: 20}
        starts = {v: (0, label) for v, label in labels.items()}
        best = self.best_first(starts, lambda at, weight: (at[0] + weight, at[1]))
        init = self.write("labels.txt", "".join("%d %d\n" % item for item in labels.items()))
        sources = self.write("sources.txt", "".join("%d\n" % vertex for vertex in labels))
        got = self.example("nearest.c", 1, "--sources", sources, "--init", init)
        for vertex in self.vertices:
            self.assertEqual(got[vertex], best.get(vertex, (0, float("inf")))[1])


class LargeValues(Case):
    def test_values_that_are_no_word(self):
        """24 bytes cannot be exchanged at once: rounds must not mix."""
        source = """
typedef struct place { f64 distance, label, check; } place;
#define VALUE place
#define MESSAGE place
#define OUTPUT f64
#define TRAITS (MONOTONE | FROM_SOURCES)
PROGRAM MESSAGE identity(void) { place far = {INFINITE, INFINITE, INFINITE}; return far; }
PROGRAM VALUE init(ABOUT me, RUN run) {
    place here = {0, me->vertex, me->vertex};
    return me->source ? here : identity();
}
PROGRAM MESSAGE send(VALUE v, u32 degree) { v.distance += v.label == v.check ? 1 : -1000; return v; }
PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) {
    return b.distance < a.distance || (b.distance == a.distance && b.label < a.label) ? b : a;
}
PROGRAM int update(VALUE *v, MESSAGE m, ABOUT me, RUN run) {
    place before = *v;
    *v = reduce(before, m);
    return v->distance != before.distance || v->label != before.label;
}
PROGRAM OUTPUT output(VALUE v) { return v.label; }
"""
        self.heddle("generate", "rmat", self.path("r.hdl"), "--scale", "12", "--seed", "3", "-q")
        results = [self.values(source, "-t", threads, "--source", "1,2,3,4,5", graph=self.path("r.hdl"))
                   for threads in (1, 2, 7)]
        self.assertEqual(results[0], results[1])
        self.assertEqual(results[0], results[2])
        self.assertGreater(len(set(results[0].values())), 2)


if __name__ == "__main__":
    support.main()
