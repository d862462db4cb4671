"""Residency disk: graphs larger than --memory-limit run from their .hdl file, with the results of a run in memory."""
import ctypes
import json
import mmap
import os
import signal
import struct
import subprocess
import time

import support

SPARE = 64 << 20  # bytes above the limit that a run may take, for all but graph, values and buffers


def cached(path):
    """Bytes of a file in the page cache."""
    with open(path, "rb") as file:
        libc = ctypes.CDLL(None, use_errno=True)
        libc.mmap.restype = ctypes.c_void_p
        size = os.path.getsize(path)
        pages = (ctypes.c_ubyte * ((size + mmap.PAGESIZE - 1) // mmap.PAGESIZE))()
        place = libc.mmap(None, ctypes.c_size_t(size), mmap.PROT_READ, mmap.MAP_SHARED, file.fileno(),
                          ctypes.c_long(0))
        found = libc.mincore(ctypes.c_void_p(place), ctypes.c_size_t(size), pages)
        libc.munmap(ctypes.c_void_p(place), ctypes.c_size_t(size))
        return sum(page & 1 for page in pages) * mmap.PAGESIZE if found == 0 else size


def forget(path):
    """Drops a file from the page cache; returns whether the file system lets go of it."""
    with open(path, "rb+") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    return cached(path) == 0


class Disk(support.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.shared = support.tempfile.mkdtemp(prefix="heddle-test-")
        cls.addClassCleanup(support.shutil.rmtree, cls.shared, ignore_errors=True)
        cls.both = os.path.join(cls.shared, "both.hdl")
        cls.one = os.path.join(cls.shared, "one.hdl")
        cls.bare = os.path.join(cls.shared, "bare.hdl")
        generate = ["generate", "rmat", "--scale", "15", "--degree", "40", "--weights", "1..99", "--quiet"]
        for path, extra in ((cls.both, ["--symmetrize"]), (cls.one, ["--in-edges"]), (cls.bare, [])):
            done = support.run(*generate[:2], path, *generate[2:], *extra)
            assert done.status == 0, done.err

    def report(self, *arguments):
        return json.loads(self.heddle(*arguments, "--json", "--quiet", "--device", "cpu").out)

    def values(self, name):
        with open(self.path(name)) as file:
            return [line.split("\t") for line in file]

    def compare(self, algorithm, graph, limit, *arguments, parts=None):
        """Runs in memory and from the file; values must be the same, sums within the tolerance."""
        expected = self.report(algorithm, graph, "--output", self.path("a.tsv"), *arguments)
        found = self.report(algorithm, graph, "--output", self.path("b.tsv"), "--memory-limit", limit, *arguments)
        self.assertEqual(expected["plan"]["residency"], "device")
        self.assertEqual(found["plan"]["residency"], "disk")
        a, b = self.values("a.tsv"), self.values("b.tsv")
        if algorithm in ("pr", "hs", "cs", "nn"):
            for left, right in zip(a, b):
                self.assertEqual(left[0], right[0])
                self.assertAlmostEqual(float(left[1]), float(right[1]), delta=1e-5, msg=str((left, right)))
        else:
            self.assertEqual(a, b)
            self.assertEqual(expected["summary"].get("reached"), found["summary"].get("reached"))
        for entry in found["rounds"]:
            if "parts_needed" in entry:
                self.assertEqual(entry["parts_needed"], entry["parts_sent"] + entry["parts_reused"])
                self.assertEqual(entry["bytes_needed"], entry["bytes_sent"] + entry["bytes_reused"])
                self.assertEqual(entry["road"], "disk" if entry["parts_sent"] else "resident")
        disk = found["disk"]
        self.assertGreaterEqual(disk["bytes_read"], disk["edge_bytes"])  # the first pass
        self.assertLessEqual(disk["resident_bytes"], disk["edge_bytes"])
        self.assertGreaterEqual(disk["bytes_read"], sum(entry.get("bytes_sent", 0) for entry in found["rounds"]))
        self.assertNotIn("disk", expected)
        if parts:
            most = max(entry.get("parts_needed", 0) for entry in found["rounds"])
            self.assertTrue(parts[0] <= most <= parts[1], "%d parts" % most)
        return found

    def test_every_algorithm(self):
        for graph in (self.both, self.one):
            for algorithm in ("bfs", "cc", "sssp", "sswp"):
                self.compare(algorithm, graph, "4M")
            for algorithm in ("pr", "hs", "cs"):
                self.compare(algorithm, graph, "5M", "--max-iterations", "6")
        for algorithm in ("bfs", "cc", "sssp", "sswp"):
            self.compare(algorithm, self.bare, "4M")

    def test_parts(self):
        self.compare("bfs", self.both, "2M", parts=(20, 500))
        self.compare("bfs", self.both, "4M", "--parents", parts=(3, 60))
        self.compare("nn", self.both, "5M", "--max-iterations", "4", "--threads", "3", parts=(3, 60))

    def test_parents(self):
        zero = self.path("zero.hdl")  # many ties
        self.heddle("generate", "rmat", zero, "--scale", "15", "--degree", "40", "--weights", "0..2", "--quiet")
        for graph, limit in ((self.both, "4M"), (self.bare, "4M"), (zero, "4M")):
            for algorithm in ("bfs", "sssp", "sswp"):
                self.compare(algorithm, graph, limit, "--parents")

    def test_programs(self):
        program = self.write("degrees.c", """
            #define VALUE u32
            #define MESSAGE u32
            #define TRAITS (MONOTONE | FROM_SOURCES)
            PROGRAM VALUE init(ABOUT me, RUN run) {
                (void)run;
                return me->source ? 0 : 0xffffffffu - me->in_degree % 2;
            }
            PROGRAM MESSAGE identity(void) { return 0xffffffffu; }
            PROGRAM MESSAGE send(VALUE v, u32 degree) { return v >= 0xfffffffeu ? 0xffffffffu : v + degree; }
            PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return MINIMUM(a, b); }
            PROGRAM int update(VALUE *v, MESSAGE m, ABOUT me, RUN run) {
                (void)me, (void)run;
                if (m >= *v) return 0;
                *v = m;
                return 1;
            }
        """)
        for graph in (self.both, self.one, self.bare):
            self.heddle("run", program, graph, "--output", self.path("a.tsv"), "--quiet")
            self.heddle("run", program, graph, "--output", self.path("b.tsv"), "--quiet", "--plan", "residency=disk",
                        "--memory-limit", "4M")
            self.assertEqual(self.values("a.tsv"), self.values("b.tsv"))

    def test_refused(self):
        self.assertIn("heddle convert IN OUT.hdl --in-edges writes one",
                      self.fails(2, "pr", self.bare, "--plan", "residency=disk"))
        for algorithm in ("bc", "scc", "mst"):
            self.assertIn("runs in memory only",
                          self.fails(2, algorithm, self.both, "--device", "cpu", "--plan", "residency=disk"))
        text = self.path("g.txt")
        self.heddle("convert", self.both, text, "--quiet", "--lossy")
        self.assertIn("heddle convert writes one", self.fails(2, "bfs", text, "--plan", "residency=disk"))
        with open(self.both, "rb") as file:  # mapped, but with no name to open again
            words = support.run("bfs", "-", "--memory-limit", "800K", "--device", "cpu", stdin=file).err
        self.assertIn("heddle convert writes one", words)
        if support.built_in("zlib"):
            packed = self.path("g.hdl.gz")
            self.heddle("convert", self.both, packed, "--quiet")
            self.assertIn("heddle convert writes one", self.fails(2, "bfs", packed, "--plan", "residency=disk"))
        words = self.heddle("pr", self.bare, "--memory-limit", "800K", "--dry-run", "--device", "cpu", status=4).err
        self.assertIn("heddle convert IN OUT.hdl --in-edges writes one", words)
        words = self.fails(4, "pr", self.both, "--memory-limit", "100K")
        self.assertRegex(words, r"more than the 100\.0 KiB of the memory limit; .*residency=disk.*: at least \d+")
        self.assertIn("at least", self.fails(4, "cc", self.both, "--memory-limit", "50K"))
        self.assertIn("use plan auto instead",
                      self.fails(2, "bfs", self.both, "--plan", "residency=disk,order=degree", "--device", "cpu"))

    def test_without_limit(self):
        self.assertEqual(self.report("bfs", self.both, "--plan", "residency=disk")["plan"]["residency"], "disk")
        dry = self.report("bfs", self.both, "--memory-limit", "2M", "--dry-run")
        self.assertEqual(dry["plan"]["residency"], "disk")

    def test_summary(self):
        words = self.heddle("cc", self.both, "--plan", "residency=disk", "--memory-limit", "2M", "--device", "cpu").out
        self.assertRegex(words.decode(), r"disk +\d\.\d MiB of edges in \d+ parts, .* of them in memory; .* read, .*/s")

    def test_bad_weights(self):
        path = self.write("w.txt", "1 2 3\n2 3 -4\n3 1 5\n")
        self.heddle("convert", path, self.path("w.hdl"), "--quiet")
        words = self.fails(3, "sssp", self.path("w.hdl"), "--plan", "residency=disk")
        self.assertIn("the edge from 2 to 3 has weight -4", words)

    def test_damaged(self):
        with open(self.both, "rb") as file:
            content = bytearray(file.read())
        content[len(content) // 2] ^= 1
        words = self.fails(3, "bfs", self.write("bad.hdl", bytes(content)), "--memory-limit", "2M")
        self.assertIn("is damaged", words)
        self.heddle("convert", self.write("w.txt", "1 2 0.5\n2 3 1.5\n3 1 2.5\n"), self.path("w.hdl"), "--quiet")
        weights, wild = struct.pack("<3f", 0.5, 1.5, 2.5), struct.pack("<3f", 0.5, -1.5, 2.5)
        self.write("w.hdl", self.read("w.hdl").replace(weights, wild))
        words = self.fails(3, "sssp", self.path("w.hdl"), "--plan", "residency=disk")
        self.assertIn("section 'out weights' is damaged", words)
        self.assertIn("truncated", self.fails(3, "bfs", self.write("cut.hdl", bytes(content[:-4096])),
                                              "--memory-limit", "2M"))

    def start(self, *arguments):
        return subprocess.Popen([support.HEDDLE, *arguments, "--device", "cpu"], env=support.environment(),
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def long_run(self):
        """A run that takes many rounds, in the middle of them."""
        graph = self.path("long.hdl")
        support.shutil.copy(self.both, graph)
        process = self.start("pr", graph, "--tolerance", "1e-300", "--max-iterations", "1000000", "--memory-limit",
                             "4M", "--precision", "double")
        time.sleep(1)
        self.assertIsNone(process.poll(), "the run is over")
        return graph, process

    def test_changed_meanwhile(self):
        for change in (lambda graph: os.truncate(graph, 100000), lambda graph: os.utime(graph, (1, 1))):
            graph, process = self.long_run()
            change(graph)
            words = process.communicate(timeout=60)[1].decode()
            self.assertEqual(process.returncode, 3, words)
            self.assertIn("while it was in use", words)

    def test_interrupted(self):
        process = self.long_run()[1]
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)

    @support.unittest.skipIf(support.sanitized(), "a sanitizer takes memory of its own")
    def test_memory(self):
        graph = self.path("large.hdl")
        self.heddle("generate", "rmat", graph, "--scale", "17", "--degree", "80", "--symmetrize", "--quiet")
        size = os.path.getsize(graph)
        self.assertGreater(size, 60 << 20)
        for algorithm in ("bfs", "cc", "pr"):
            rounds = ["--max-iterations", "2"] if algorithm == "pr" else []
            cold = forget(graph)
            peak = self.peak(algorithm, graph, "--memory-limit", "6M", "--device", "cpu", *rounds)
            peak += cached(graph) if cold else 0  # the page cache counts too, where the file is not in memory anyway
            self.assertLess(peak, (6 << 20) + SPARE, algorithm)
            self.assertLess(peak, size // 2, algorithm)


if __name__ == "__main__":
    support.main()
