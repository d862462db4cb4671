"""Shards: plans cusha-gs, cusha-cw and udt-cusha on the CPU and on OpenCL, against the CPU's own loops."""
import json

import support

PLANS = ("cusha-gs", "cusha-cw", "schedule=shard,window=gs,range=7")

# Sums of an 8-byte struct, and a use of the source's degree.
MEAN = """
typedef struct noise { f32 sum, count; } noise;
#define VALUE f32
#define MESSAGE noise
#define TRAITS (ALL_ACTIVE | SUM)
PROGRAM VALUE init(ABOUT me, RUN run) { return me->in_degree; }
PROGRAM MESSAGE identity(void) { noise none = {0, 0}; return none; }
PROGRAM MESSAGE send(VALUE loud, u32 degree) { noise one = {loud / degree, 1}; return one; }
PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { noise both = {a.sum + b.sum, a.count + b.count}; return both; }
PROGRAM int update(VALUE *loud, MESSAGE heard, ABOUT me, RUN run) {
    f32 before = *loud;
    *loud = 1 + (heard.count > 0 ? heard.sum / heard.count / 2 : 0);
    return *loud != before;
}
"""
# One way, with a message of 12 bytes: atomics cannot reduce it.
LARGE = """
typedef struct path { f32 length; u32 hops, unused; } path;
#define VALUE path
#define MESSAGE path
#define OUTPUT f32
#define TRAITS (MONOTONE | FROM_SOURCES)
PROGRAM OUTPUT output(VALUE value) { return value.length; }
PROGRAM VALUE init(ABOUT me, RUN run) { path p = {me->source ? 0 : INFINITE, 0, 0}; return p; }
PROGRAM MESSAGE identity(void) { path p = {INFINITE, 0, 0}; return p; }
PROGRAM MESSAGE send(VALUE value, u32 degree) { path p = {value.length + 1, value.hops + 1, 0}; return p; }
PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return a.length <= b.length ? a : b; }
PROGRAM int update(VALUE *value, MESSAGE best, ABOUT me, RUN run) {
    if (!(best.length < value->length))
        return 0;
    *value = best;
    return 1;
}
"""


def devices():
    found = json.loads(support.run("devices", "--json").out)["devices"]
    return ["cpu"] + (["opencl"] if any(d["kind"] == "opencl" and d["found"] for d in found) else [])


class Case(support.Case):
    def setUp(self):
        super().setUp()
        self.env = support.environment(HEDDLE_CACHE=self.path("cache"), POCL_DEVICES="pthread")
        self.graph = self.path("g.hdl")
        self.heddle("generate", "rmat", self.graph, "--scale", "7", "--weights", "1..9", "--seed", "5")

    def heddle(self, *arguments, **options):
        options.setdefault("env", self.env)
        return super().heddle(*arguments, **options)

    def table(self, *arguments):
        lines = self.heddle(*arguments, "-q", "-o", "-").out.decode().splitlines()
        return {line.split("\t")[0]: float(line.split("\t")[1]) for line in lines}

    def assert_near(self, found, expected, what):
        self.assertEqual(found.keys(), expected.keys(), what)
        for key, value in expected.items():
            if value != found[key]:
                self.assertLessEqual(abs(found[key] - value), 1e-5 * max(1, abs(value)), (what, key))


class Shards(Case):
    def test_algorithms(self):
        for device in devices():
            for algorithm in "bfs", "sssp", "sswp", "cc", "pr", "hs", "cs", "nn":
                for plan in PLANS if device == "cpu" else PLANS[:2]:
                    with self.subTest(device=device, algorithm=algorithm, plan=plan):
                        plan += "" if device == "cpu" else ",debug=yes"
                        report = self.certified(algorithm, self.graph, "--device", device, "--plan", plan)
                        self.assertEqual(report["plan"]["schedule"], "shard")
                        self.assertGreater(report["summary"]["range"], 0)

    def test_distances_have_the_types_of_the_cpu(self):
        expected = self.heddle("sssp", self.graph, "-q", "-o", "-").out
        for device in devices():
            for plan in "cusha-cw", "udt-cusha,K=4":
                found = self.heddle("sssp", self.graph, "--device", device, "--plan", plan, "-q", "-o", "-").out
                self.assertEqual(found, expected, (device, plan))

    def test_udt(self):
        for device in devices():
            for algorithm in "bfs", "sssp", "sswp", "cc":
                with self.subTest(device=device, algorithm=algorithm):
                    report = json.loads(self.heddle(algorithm, self.graph, "--device", device, "--plan",
                                                    "udt-cusha,K=4", "--verify", "--json").out)
                    self.assertTrue(report["verified"])
                    self.assertEqual((report["plan"]["transform"], report["plan"]["schedule"]), ("udt", "shard"))

    def test_programs_of_ones_own(self):
        path = self.write("mean.c", MEAN)
        expected = self.table("run", path, self.graph)
        for device in devices():
            for plan in PLANS:
                self.assert_near(self.table("run", path, self.graph, "--device", device, "--plan", plan), expected,
                                 (device, plan))

    def test_messages_that_atomics_cannot_reduce(self):
        path = self.write("large.c", LARGE)
        self.assertEqual(self.table("run", path, self.graph, "--plan", "cusha-cw"), self.table("run", path, self.graph))
        if "opencl" in devices():
            result = self.heddle("run", path, self.graph, "--device", "opencl", "--plan", "cusha-cw", status=2)
            self.assertIn("no word of 4 or 8 bytes", result.err)
            self.assertIn("schedule=wseg", result.err)

    def test_refusals(self):
        cases = [(algorithm, "cusha-gs", "it is no vertex program") for algorithm in ("bc", "scc", "mst")]
        cases += [("pr", "udt-cusha", "sums are passed on level by level"),
                  ("bfs", "cusha-gs,direction=push", "the direction is pull"),
                  ("bfs", "ws,range=7", "only schedule=shard"), ("bfs", "cusha-gs,range=0", "expected a number from 1")]
        for device in devices():
            for algorithm, plan, words in cases:
                if device == "cpu" and plan == "ws,range=7":
                    continue  # every lane schedule is the CPU's own loop
                result = self.heddle(algorithm, self.graph, "--device", device, "--plan", plan, status=2)
                self.assertIn(words, result.err, (device, algorithm, plan))
            if device == "opencl":
                result = self.heddle("bfs", self.graph, "--device", device, "--plan", "cusha-gs,range=500000", status=2)
                self.assertIn("shared memory holds a range of", result.err)
                result = self.heddle("bfs", self.graph, "--device", device, "--plan", "cusha-gs,shards=host", status=2)
                self.assertIn("take shards=device", result.err)


if __name__ == "__main__":
    support.main()
