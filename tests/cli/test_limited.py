"""Graphs made under --memory-limit: the same files as without, the memory they take, and what is left behind."""
import os
import resource
import signal
import subprocess
import time
import unittest

import support
from support import built_in

LIMIT = 4 << 20
SLACK = 64 << 20  # what the command takes beside the limit
SUFFIXES = [".txt", ".mtx", ".gr", ".graph", ".graphml", ".gml", ".net", ".json", ".sg"]


def file_size(limit):
    """For preexec_fn: files of so many bytes and no more, as `ulimit -f` does."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))


class Limited(support.Case):
    def text(self, name="g.wel", scale="16", *more):
        path = self.path(name)
        self.heddle("generate", "rmat", path, "--scale", scale, "--weights", "1..100", "--lossy", "--quiet", *more)
        return path

    def same(self, text, *options, limit=LIMIT):
        """Converts with and without a limit, and compares the files."""
        before = self.files()
        self.heddle("convert", text, self.path("free.hdl"), "--quiet", *options)
        self.heddle("convert", text, self.path("limited.hdl"), "--memory-limit", str(limit), "--quiet", *options)
        self.assertTrue(self.read("free.hdl") == self.read("limited.hdl"), "%s %s" % (text, options))
        os.remove(self.path("free.hdl"))
        os.remove(self.path("limited.hdl"))
        self.assertEqual(self.files(), before)

    def test_options(self):
        text = self.text()
        for options in (["--in-edges"], ["--symmetrize", "--no-loops", "--dedup=sum"], ["--threads", "1"],
                        ["--threads", "3", "--weight-type", "f64"]):
            with self.subTest(options):
                self.same(text, *options)

    def test_formats(self):
        graph = self.path("g.hdl")
        self.heddle("generate", "uniform", graph, "--scale", "14", "--weights", "1..9", "--symmetrize", "--quiet")
        for suffix in SUFFIXES:
            with self.subTest(suffix):
                if suffix == ".graphml" and not built_in("expat"):
                    continue
                text = self.path("h" + suffix)
                self.heddle("convert", graph, text, "--lossy", "--quiet", "--no-loops")
                self.same(text, limit=(6 if suffix != ".sg" else 16) << 20)
                os.remove(text)

    def test_what_can_be_read_only_once(self):
        text = self.text()
        self.heddle("convert", text, self.path("whole.hdl"), "--quiet")
        packed = ["--to", "edgelist", "--lossy", "--quiet"]
        for part, suffix in (("zlib", ".gz"), ("zstd", ".zst"), ("bzip2", ".bz2"), ("liblzma", ".xz")):
            if not built_in(part):
                continue
            self.heddle("convert", self.path("whole.hdl"), self.path("p.wel" + suffix), "--level", "1", *packed)
            self.same(self.path("p.wel" + suffix), limit=16 << 20)
        self.heddle("convert", "-", self.path("limited.hdl"), "--memory-limit", "4M", "--quiet",
                    stdin=self.read("g.wel"))
        self.assertTrue(self.read("whole.hdl") == self.read("limited.hdl"))
        self.fails(3, "convert", "-", self.path("limited.hdl"), "--memory-limit", "4M", stdin=b"")

    def test_strings(self):
        text = self.write("s.txt", "".join("v%d w%d\n" % (i * 7919 % 30011, i % 1009) for i in range(200000)))
        self.same(text, "--in-edges", limit=5 << 20)

    def test_generators(self):
        for kind in ("rmat", "grid", "star", "smallworld"):
            shape = ["--width", "700"] if kind == "grid" else ["--scale", "17"]
            for name, more in (("free.hdl", []), ("limited.hdl", ["--memory-limit", "4M"])):
                self.heddle("generate", kind, self.path(name), "--weights", "0.0..1.0", "--in-edges", "--quiet", *shape,
                            *more)
            self.assertTrue(self.read("free.hdl") == self.read("limited.hdl"), kind)

    def test_rows_of_a_file_change(self):
        graph = self.path("g.hdl")
        self.heddle("generate", "rmat", graph, "--scale", "16", "--quiet")
        self.same(graph, "--symmetrize", "--dedup")
        self.same(graph, "--in-edges")

    @unittest.skipIf(support.sanitized(), "sanitized")
    def test_peak(self):
        text = self.text("g.wel", "18", "--degree", "10")
        self.assertGreater(os.path.getsize(text), 30 << 20)
        free = self.peak("convert", text, self.path("free.hdl"), "--in-edges")
        limited = self.peak("convert", text, self.path("limited.hdl"), "--in-edges", "--memory-limit", str(LIMIT))
        refused = self.peak("bfs", text, "--device", "cpu", "--memory-limit", str(LIMIT), status=4)
        graph = self.path("g.hdl")
        self.heddle("generate", "uniform", graph, "--scale", "20", "--quiet")
        self.assertGreater(os.path.getsize(graph), LIMIT + SLACK)
        again = self.peak("convert", graph, self.path("h.hdl"), "--in-edges", "--memory-limit", str(LIMIT))
        self.assertLess(again, LIMIT + SLACK)
        self.assertGreater(free, LIMIT + SLACK)
        self.assertLess(limited, LIMIT + SLACK)
        self.assertLess(refused, LIMIT + SLACK)

    def test_what_does_not_fit_is_refused(self):
        text = self.text()
        before = self.files()
        for arguments in (["bfs", text, "--device", "cpu", "--memory-limit", "4M"],
                          ["convert", text, self.path("x.mtx"), "--memory-limit", "4M"]):
            words = self.fails(4, *arguments)
            self.assertIn("memory limit of 4.0 MiB", words)
            self.assertIn("heddle convert %s OUT.hdl --memory-limit 4194304" % text, words)
        words = self.fails(4, "convert", text, self.path("x.hdl"), "--memory-limit", "500K")
        self.assertIn("memory limit of 500.0 KiB", words)
        words = self.fails(4, "convert", text, self.path("x.hdl"), "--memory-limit", "4M", "--order", "degree")
        self.assertIn("memory limit of 4.0 MiB", words)
        words = self.fails(2, "convert", text, self.path("x.hdl"), "--memory-limit", "4M", "--no-isolated")
        self.assertIn("vertices without arcs cannot be dropped", words)
        self.assertEqual(self.files(), before)

    @unittest.skipIf(support.sanitized(), "sanitized")
    def test_full_disk(self):
        text = self.text()
        self.write("out.hdl", "precious")
        before = self.files()
        for limit in (1, 1 << 20, 7 << 20):
            words = self.fails(3, "convert", text, self.path("out.hdl"), "--memory-limit", "4M",
                               preexec_fn=file_size(limit))
            self.assertIn("File too large", words)
            self.assertEqual(self.read("out.hdl"), b"precious")
            self.assertEqual(self.files(), before)

    def test_killed(self):
        text = self.text()
        self.write("out.hdl", "precious")
        before = self.files()
        for kill, delay in ((signal.SIGKILL, 0.05), (signal.SIGKILL, 0.2), (signal.SIGINT, 0.1)):
            self.write("out.hdl", "precious")  # a process may have been over before
            process = subprocess.Popen([support.HEDDLE, "convert", text, self.path("out.hdl"), "--memory-limit", "4M"],
                                       stderr=subprocess.DEVNULL, env=support.environment())
            time.sleep(delay)
            process.send_signal(kill)
            code = process.wait()
            self.assertEqual(self.files(), before)
            if code:
                self.assertEqual(self.read("out.hdl"), b"precious")


if __name__ == "__main__":
    support.main()
