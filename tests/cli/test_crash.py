"""A power failure at any point of a run leaves what it writes whole, as it was before, or absent; and once the command
has succeeded, its outputs stay."""
import os
import unittest

import launched
import power_failure
import support

GRAPH = "".join(f"{v} {(5 * v * v + 3) % 60}\n{v} {(v + 1) % 60}\n" for v in range(60))
PROGRAM = """#define VALUE f64
#define MESSAGE f64
VALUE init(const about *me, const run_info *run) { return me->vertex; }
MESSAGE identity(void) { return 0; }
MESSAGE send(VALUE value, u32 degree) { return value / degree; }
MESSAGE reduce(MESSAGE a, MESSAGE b) { return a + b; }
int update(VALUE *value, MESSAGE sum, const about *me, const run_info *run) { *value = 1 + 0.5 * sum; return 1; }
"""


@unittest.skipIf(support.sanitized(), "leaks cannot be looked for while the process is traced")
@unittest.skipUnless(power_failure.available(), "strace is not here, or may not trace")
class Crash(support.Case):
    def setUp(self):
        super().setUp()
        self.graph = self.write("g.txt", GRAPH)
        self.root = self.path("disk")
        os.mkdir(self.root)

    def inside(self, name):
        return os.path.join(self.root, name)

    def record(self, *words, ranks=None, environment=support.environment):
        env = environment(HEDDLE_CACHE=self.inside("cache"), TMPDIR=self.folder)
        launcher = [launched.MPIRUN, "--oversubscribe", "-n", str(ranks)] if ranks else []
        recording = power_failure.Recording(self.root, [*launcher, support.HEDDLE, *map(str, words), "--threads", "1"],
                                            env)
        self.assertEqual(recording.done.returncode, 0, recording.done.stderr)
        return recording

    def check(self, *words, out, **how):
        """`out` is at every point one of its versions, and at the end the last one, for good."""
        recording, path = self.record(*words, **how), self.inside(out)
        versions, cuts = recording.versions(path), len(recording.steps)
        self.assertEqual(versions[-1], self.read(os.path.join("disk", out)), "the log is not complete")
        self.assertGreater(len(versions), 1)
        for cut in range(cuts + 1):
            for fate, files in recording.states(cut):
                where = "%s: %s after step %d of %d, %s" % (
                    " ".join(map(str, words)), fate, cut, cuts, recording.steps[cut - 1][0] if cut else "none")
                self.assertIn(files.get(path), versions, where)
                if cut == cuts:
                    self.assertEqual(files.get(path), versions[-1], where)
        return recording

    def check_new_and_old(self, *words, out):
        self.check(*words, out=out)
        with open(self.inside(out), "wb") as file:
            file.write(b"an older file\n" * 1000)
        recording = self.check(*words, out=out)
        self.assertEqual(recording.versions(self.inside(out))[0][:14], b"an older file\n")

    def test_values(self):
        for name in ("a.tsv", "a.csv", "a.json", "a.npy", "a.tsv.gz"):
            if name.endswith(".gz") and not support.built_in("zlib"):
                continue
            with self.subTest(name):
                self.check_new_and_old("pr", self.graph, "--quiet", "-o", self.inside(name), out=name)

    def test_graphs(self):
        self.check_new_and_old("convert", self.graph, self.inside("g.hdl"), "--quiet", out="g.hdl")
        self.check("convert", self.graph, self.inside("o.hdl"), "--quiet", "--order", "degree", out="o.hdl")
        self.check("convert", self.graph, self.inside("g.mtx"), "--quiet", "--to", "mtx", out="g.mtx")
        self.check("generate", "rmat", self.inside("r.hdl"), "--scale", 10, "--quiet", out="r.hdl")

    def test_graph_built_on_disk(self):
        """With files beside it that are no results."""
        large = self.write("large.txt", "".join(f"{v % 997} {(v * v + 7 * v) % 991}\n" for v in range(200000)))
        recording = self.check("convert", large, self.inside("d.hdl"), "--quiet", "--memory-limit", "2M", out="d.hdl")
        self.assertGreater(sum(step[0] == "unlink" for step in recording.steps), 1, "nothing was built on disk")

    def test_drawings(self):
        for name in ("d.svg", "d.html"):
            with self.subTest(name):
                self.check_new_and_old("draw", self.graph, self.inside(name), "--quiet", out=name)

    @unittest.skipUnless(launched.READY, "no MPI")
    def test_ranks(self):
        """Several processes write one file."""
        how = {"ranks": 2, "environment": launched.environment}
        self.check("convert", self.graph, self.inside("s.hdl"), "--quiet", out="s.hdl", **how)
        self.check("pr", self.inside("s.hdl"), "--quiet", "-o", self.inside("s.tsv"), out="s.tsv", **how)
        self.check("pr", self.inside("s.hdl"), "--quiet", "--tolerance", "1e-30", "--max-iterations", 5, "--every", 2,
                   "--checkpoint", self.inside("both"), out="both/checkpoint", **how)

    def test_reports(self):
        for option, name in (("--trace", "t.json"), ("--report", "r.html")):
            with self.subTest(option):
                self.check_new_and_old("pr", self.graph, "--quiet", option, self.inside(name), out=name)

    def test_checkpoints(self):
        """Each replaces the one before it; a run goes on from any of them."""
        words = ("pr", self.graph, "--quiet", "--tolerance", "1e-30", "--max-iterations", 9, "--every", 2,
                 "--checkpoint", self.inside("kept"))
        recording = self.check(*words, out="kept/checkpoint")
        self.assertGreater(len(recording.versions(self.inside("kept/checkpoint"))), 3)

    def test_cache(self):
        """An entry may be torn: it is found out, and compiled again."""
        program = self.write("p.c", PROGRAM)
        words = ("run", program, self.graph, "--quiet", "--max-iterations", 3, "-o", self.path("out.tsv"))
        recording = self.record(*words)
        expected, seen = self.read("out.tsv"), []
        self.assertTrue(any(name.endswith(".so") for name in os.listdir(self.inside("cache"))))
        for cut in range(len(recording.steps) + 1):
            for how, files in recording.states(cut):
                entries = {path: content for path, content in files.items() if path.endswith(".so")}
                if entries and entries not in seen:
                    seen.append(entries)
                    self.run_on(entries, words, expected, "%s after step %d" % (how, cut))
        self.assertGreaterEqual(len(seen), 2)

    def run_on(self, entries, words, expected, where):
        for path, content in entries.items():
            with open(path, "wb") as file:
                file.write(content)
        self.heddle(*words, env=support.environment(HEDDLE_CACHE=self.inside("cache")))
        self.assertEqual(self.read("out.tsv"), expected, where)


if __name__ == "__main__":
    support.main()
