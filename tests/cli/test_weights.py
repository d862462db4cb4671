"""Weights of 64 bits: which type a file's weights get, that they come back as written, and that every algorithm is
exact with them on the CPU and on an OpenCL device, under plans of several kinds."""
import json
import struct
import support

MTX = "%%MatrixMarket matrix coordinate "
LARGE = 2**53 + 1  # the first whole number that a double does not hold
SPLIT, SHARD, ORDER = "transform=udt,K=2", "cusha-cw", "order=degree"
RUNS = {  # algorithm: graph, further options, plans on the CPU, and on a device: compiling is slow there
    "sssp": ("whole", ["--source", "a", "--parents"], ("auto", SPLIT, SHARD, ORDER),
             ("auto", "cusha-gs", "tigr-udt,K=2")),
    "sswp": ("signed", ["--source", "a", "--parents"], ("auto", SPLIT, SHARD, ORDER), ("auto",)),
    "mst": ("signed", [], ("auto",), ("auto",)),
    "pr": ("tiny", ["--weighted", "--tolerance", "1e-9"], ("auto", ORDER), ("ws",)),
    "hs": ("tiny", ["--tolerance", "0.02"], ("auto", SPLIT, SHARD, ORDER), ("tigr-v+",)),
}
GRAPHS = {
    "whole": "a b 5000000000\nb c %d\na c 9223372036854775807\na d 3\nd b 4999999998\nc e %d\na e 9223372036854775807\n"
             "c a 7\n" % (LARGE, LARGE),
    "signed": "a b %d\nb c %d\nc d -%d\na d -%d\nd e 9223372036854775806\ne a -9223372036854775807\na c 0\n"
              % (LARGE, LARGE + 1, LARGE, LARGE + 1),
    "tiny": "a b 1e-50\nb c 2e-50\nc a 0.1\na c 3e-50\nc d 0.30000000000000004\nd a 1e300\nb d 1e-51\n",
}


def has_opencl():
    devices = json.loads(support.run("devices", "--json").out)["devices"]
    return any(device["kind"] == "opencl" and device["found"] for device in devices)


class Types(support.Case):
    def type_of(self, text, *arguments, name="g.txt"):
        return self.info(self.write(name, text), *arguments)["weight_type"]

    def test_the_smallest_type_that_holds_every_weight(self):
        for weights, wanted in (("0 4294967295", "u32"), ("4294967296 0", "i64"), ("-1 2147483647", "i32"),
                                ("-1 2147483648", "i64"), ("-2147483649 0", "i64"), ("5000000000 1", "i64"),
                                ("9223372036854775807 -9223372036854775808", "i64"), ("0.5 3.0", "f32"),
                                ("1.5 16777216", "f32"), ("1.5 16777217", "f64"), ("0.1 1", "f64"), ("1e-50 1", "f64"),
                                ("1e300 1", "f64"), ("1e3 2", "f32"), ("4294967296.0 1", "f32"), ("3.0 8e9", "f32")):
            text = "".join("%d %d %s\n" % (i, i + 1, word) for i, word in enumerate(weights.split()))
            self.assertEqual(self.type_of(text), wanted, weights)
        self.assertEqual(self.type_of(MTX + "real general\n2 2 1\n1 2 3\n", name="g.mtx"), "f32")
        self.assertEqual(self.type_of(MTX + "real general\n2 2 1\n1 2 0.1\n", name="g.mtx"), "f64")
        self.assertEqual(self.type_of(MTX + "integer general\n2 2 1\n1 2 -3000000000\n", name="g.mtx"), "i64")
        self.assertEqual(self.type_of("p sp 2 1\na 1 2 3000000000000\n", name="g.gr"), "i64")
        self.assertEqual(self.type_of("2 1 001\n2 9007199254740993\n1 9007199254740993\n", name="g.graph"), "i64")

    def test_what_64_bits_do_not_hold_is_refused_by_line_and_token(self):
        for word in "9223372036854775808", "-9223372036854775809", "123456789012345678901234567890":
            words = self.fails(3, "info", self.write("g.txt", "1 2 3\n2 3 %s\n" % word))
            self.assertIn("g.txt:2:5: found '%s', expected a weight that fits 64 bits with sign" % word, words)
        for word in "1e309", "1e-400", "inf", "nan":
            words = self.fails(3, "info", self.write("g.txt", "1 2 3\n2 3 %s\n" % word))
            self.assertIn("g.txt:2:5: found '%s'" % word, words)
        self.assertEqual(self.type_of("1 2 9223372036854775808\n2 3 0.5\n"), "f32")  # 2^63 is one

    def test_weights_come_back_as_written(self):
        whole = "a b 5000000000\nb c -9223372036854775808\nc d 9223372036854775807\nd a 9007199254740993\n"
        real = "a b 0.1\nb c 1e-50\nc d 1.7976931348623157e+308\nd a 3.0\na c 0.30000000000000004\n"
        for text in whole, real:
            path = self.write("g.txt", text)
            arcs = sorted(tuple(line.split()) for line in text.splitlines())
            self.assertEqual(self.arcs(path), arcs)
            self.heddle("convert", path, self.path("g.hdl"), "--in-edges", "--quiet")
            self.assertEqual(self.arcs(self.path("g.hdl")), arcs)
            self.heddle("convert", path, self.path("g.mtx"), "--lossy", "--quiet")
            self.assertEqual(sorted(arc[2] for arc in self.arcs(self.path("g.mtx"))), sorted(arc[2] for arc in arcs))

    def test_hdl_files_say_which_build_reads_them(self):
        for word, version in ("5000000000", 2), ("0.1", 2), ("5", 1), ("0.5", 1):
            self.heddle("convert", self.write("g.txt", "1 2 %s\n" % word), self.path("g.hdl"), "--quiet")
            self.assertEqual(struct.unpack("I", self.read("g.hdl")[12:16])[0], version)

    def test_formats_that_hold_less(self):
        path = self.write("g.txt", "1 2 5000000000\n2 3 1\n")
        self.assertIn("would lose weights", self.fails(2, "convert", path, self.path("g.wsg")))
        self.heddle("convert", path, self.path("g.gr"), "--quiet")
        self.assertEqual([arc[2] for arc in self.arcs(self.path("g.gr"))], ["5000000000", "1"])
        small = self.write("h.txt", "1 2 5\n2 3 -6\n")
        self.heddle("convert", small, self.path("h.wsg"), "--weight-type", "i64", "--quiet")
        self.assertEqual([arc[2] for arc in self.arcs(self.path("h.wsg"))], ["5", "-6"])

    def test_a_type_can_be_asked_for(self):
        path = self.write("g.txt", "1 2 0.1\n2 3 3\n")
        result = self.heddle("info", path, "--json", "--weight-type", "f32")
        self.assertEqual(json.loads(result.out)["weight_type"], "f32")
        self.assertIn("weights are rounded to f32", result.err)
        self.assertIn("weights with fractions do not fit i64", self.fails(3, "info", path, "--weight-type", "i64"))
        whole = self.write("h.txt", "1 2 7\n2 3 4000000000\n")
        self.heddle("convert", whole, self.path("h.hdl"), "--quiet")
        for each in "u32", "i64", "f64":
            for file in whole, self.path("h.hdl"):
                self.assertEqual(self.info(file, "--weight-type", each)["weight_type"], each)
                self.assertEqual([float(arc[2]) for arc in self.arcs(file, "--weight-type", each)], [7, 4000000000])
        self.assertIn("do not fit i32", self.fails(3, "info", whole, "--weight-type", "i32"))

    def test_duplicates_and_reverse_arcs(self):
        path = self.write("g.txt", "1 2 %d\n2 1 %d\n1 2 9223372036854775806\n" % (LARGE + 1, LARGE))
        smaller = [("1", "2", str(LARGE)), ("2", "1", str(LARGE))]
        self.assertEqual(self.arcs(path, "--symmetrize", "--dedup=min"), smaller)
        self.assertEqual(self.arcs(path, "--dedup=min")[0][2], str(LARGE + 1))
        self.assertIn("leaves i64", self.fails(4, "info", path, "--dedup=sum"))


class Algorithms(support.Case):
    def rows(self, algorithm, text, *arguments):
        path = self.write("g.txt", text)
        out = self.heddle(algorithm, path, "--output", "-", "--quiet", "--verify", *arguments).out.decode()
        return [line.split("\t") for line in out.splitlines()]

    def test_distances_are_those_of_the_decimals(self):
        rows = self.rows("sssp", "a b 0.1\nb c 0.2\nc d 1e-50\n", "--source", "a")
        self.assertEqual([row[1] for row in rows], ["0", "0.1", "0.30000000000000004", "0.30000000000000004"])
        rows = self.rows("sssp", "a b 1e-50\nb c 2e-50\n", "--source", "a")
        self.assertEqual([float(row[1]) for row in rows], [0, 1e-50, 1e-50 + 2e-50])

    def test_real_weights_are_summed_in_double_wherever_it_runs(self):
        def path(name, steps, word, other=None):
            lines = ["%d,%d,%s\n" % (i, i + 1, other if other and i == 7 else word) for i in range(steps)]
            graph = self.path(name + ".hdl")
            self.heddle("convert", self.write(name + ".csv", "".join(lines)), graph, "--quiet")
            return graph

        def last(graph, *arguments):
            out = self.heddle("sssp", graph, "--source", "0", "--verify", "--quiet", "--output", "-", *arguments).out
            return out.decode().splitlines()[-1]

        self.assertEqual(last(path("long", 30000, "1001.0"), "--device", "cpu"), "30000\t30030000")
        self.assertEqual(last(path("whole", 300, "100001")), "300\t30000300")
        self.assertEqual(last(path("mixed", 300, "100001.0", "0.1")), "300\t29900299.1")
        real, quarters = path("real", 300, "100001.0"), path("quarters", 300, "100001.25")
        self.assertEqual(self.info(real)["weight_type"], "f32")
        ways = [["--device", "cpu"], ["--device", "cpu,cpu"], ["--device", "cpu", "--plan", "residency=disk"],
                ["--device", "cpu", "--plan", SHARD], ["--device", "cpu", "--plan", SPLIT]]
        if has_opencl():
            ways += [["--device", "opencl"], ["--device", "opencl", "--plan", "residency=host"],
                     ["--device", "opencl", "--plan", "tigr-v"], ["--device", "opencl", "--plan", "residency=stream"]]
        for way in ways:
            self.assertEqual(last(real, *way), "300\t30000300", way)
            self.assertEqual(last(quarters, *way), "300\t30000375", way)
        rows = self.rows("sssp", "a b 16777216.0\nb c 1.0\n", "--source", "a")
        self.assertEqual(rows[2], ["c", "16777217"])

    def test_single_precision_is_for_those_who_ask(self):
        text = "a b 16777216.0\nb c 1.0\n"
        self.assertEqual(self.rows("sssp", text, "--source", "a", "--precision", "single")[2],
                         ["c", "16777216"])
        self.assertEqual(self.rows("sssp", text, "--source", "a", "--precision", "double")[2], ["c", "16777217"])
        checked = ["sssp", self.write("single.txt", text), "--source", "a", "--verify", "--precision"]
        bound = "verified as sums in single precision: a path of k edges is within k / 2^24 of its length"
        self.assertIn(bound, self.heddle(*checked, "single").err)
        self.assertNotIn(bound, self.heddle(*checked, "double").err)

    def test_a_distance_never_wraps(self):
        most = "1 2 9223372036854775807\n2 3 9223372036854775807\n"
        self.assertEqual(self.rows("sssp", most, "--source", "1")[2][1], "18446744073709551614")
        words = self.fails(3, "sssp", self.write("h.txt", most + "3 4 1\n"), "--source", "1", "--output", "-")
        self.assertIn("a distance is too large for 64 bits", words)
        text = "1 2 1e308\n2 3 1e308\n"
        self.assertIn("too large for an f64", self.fails(3, "sssp", self.write("h.txt", text), "--source", "1"))

    def test_figures_are_exact(self):
        text = "1 2 9007199254740993\n2 3 9007199254740992\n3 1 1\n"
        path = self.write("g.txt", text)
        report = json.loads(self.heddle("sssp", path, "--source", "1", "--json", "--quiet").out)
        self.assertEqual(report["summary"]["max"], 18014398509481985)
        report = json.loads(self.heddle("mst", path, "--json", "--quiet").out)
        self.assertEqual(report["summary"]["total_weight"], 9007199254740993)
        self.assertIn("total_weight 9007199254740993", self.heddle("mst", path, "--output", self.path("o.tsv")).err)
        text = "".join("%d %d 4294967295\n" % (i, i + 1) for i in range(3))
        report = json.loads(self.heddle("sssp", self.write("g.txt", text), "--source", "0", "--json", "--quiet").out)
        self.assertEqual(report["summary"]["max"], 3 * 4294967295)

    def test_rows_and_top_print_the_same(self):
        text = "1 2 0.00001\n2 3 3\n3 4 1e-7\n4 5 12345.678\n"
        for kind in "f32", "f64":
            path = self.write("g.txt", text)
            for algorithm, options in ("sssp", ["--source", "1"]), ("mst", []):
                rows = self.heddle(algorithm, path, "--weight-type", kind, "--quiet", "--output", "-", *options).out
                top = self.heddle(algorithm, path, "--weight-type", kind, "--quiet", "--top", "9", *options).out
                values = sorted(line.split()[-1] for line in rows.decode().splitlines())
                for value in values:
                    self.assertIn(value, top.decode())

    def check_everywhere(self, device):
        for algorithm, (graph, options, cpu, other) in RUNS.items():
            path, seen = self.write("g.txt", GRAPHS[graph]), {}
            for plan in cpu if device == "cpu" else other:
                seen[plan] = self.heddle(algorithm, path, "--device", device, "--plan", plan, "--output", "-",
                                         "--quiet", "--verify", *options).out
            if algorithm in ("sssp", "sswp", "mst"):
                alone = self.heddle(algorithm, path, "--device", "cpu", "--output", "-", "--quiet", *options).out
                for plan, out in seen.items():
                    self.assertEqual(out, alone, "%s on %s, %s" % (algorithm, device, plan))

    def test_every_kind_of_plan_on_the_cpu(self):
        self.check_everywhere("cpu")

    def test_every_kind_of_plan_on_a_device(self):
        if not has_opencl():
            self.skipTest("there is no OpenCL device")
        self.check_everywhere("opencl")

    def test_programs_see_weights_as_they_are(self):
        program = """#define VALUE %s
#define MESSAGE VALUE
#define WEIGHT VALUE
#define TRAITS (MONOTONE | FROM_SOURCES)
PROGRAM VALUE init(ABOUT me, RUN run) { (void)run; return me->source ? 0 : -1; }
PROGRAM MESSAGE identity(void) { return -1; }
PROGRAM MESSAGE send(VALUE value, WEIGHT weight, u32 degree) { (void)degree; return value < 0 ? -1 : value + weight; }
PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return MAXIMUM(a, b); }
PROGRAM int update(VALUE *value, MESSAGE message, ABOUT me, RUN run) {
    (void)me, (void)run;
    if (!(message > *value))
        return 0;
    *value = message;
    return 1;
}
"""
        cases = (("i64", "%d 1" % LARGE, str(LARGE + 1)), ("f64", "0.1 0.2", "0.30000000000000004"))
        for kind, weights, wanted in cases:
            path = self.write("g.txt", "a b %s\nb c %s\n" % tuple(weights.split()))
            text = self.write("p.c", program % kind)
            for device in ["cpu"] + ["opencl"] * has_opencl():
                out = self.heddle("run", text, path, "--source", "a", "--device", device, "--output", "-",
                                  "--quiet").out
                self.assertEqual(out.decode().splitlines()[2].split("\t")[1], wanted, "%s on %s" % (kind, device))

    def test_the_ends_of_64_bits(self):
        text = "1 2 9223372036854775807\n2 3 -9223372036854775808\n1 3 0\n"
        rows = self.rows("mst", text)
        self.assertEqual([row[2] for row in rows], ["0", "-9223372036854775808"])
        words = self.fails(3, "sswp", self.write("g.txt", text), "--source", "1")
        self.assertIn("which sswp keeps for source vertices", words)
        rows = self.rows("sswp", text.replace("807", "806").replace("808", "807"), "--source", "1")
        self.assertEqual([row[1] for row in rows], ["inf", "9223372036854775806", "0"])


if __name__ == "__main__":
    support.main()
