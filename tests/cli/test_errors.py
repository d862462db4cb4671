"""What bad input gets: a clear message, the right exit status, nothing written, nothing left."""
import gzip
import os
import pwd
import resource
import shutil
import signal
import struct
import subprocess

import support
from support import built_in

MTX = "%%MatrixMarket matrix coordinate "
HUGE = 10**18

# name: (file, content, line, column, token); None: any, or none at all.
MALFORMED = {
    "one number": ("g.txt", "1 2\n3\n4 5\n", 2, None, None),
    "word for a number": ("g.txt", "1 2\n3 x4\n", 2, 3, "x4"),
    "id beyond 64 bits": ("g.txt", "1 2\n2 18446744073709551616\n", 2, 3, "18446744073709551616"),
    "id below 64 bits": ("g.txt", "1 2\n-9223372036854775809 2\n", 2, 1, "-9223372036854775809"),
    "real id": ("g.txt", "1 2\n1.5 2\n", 2, 1, "1.5"),
    "weight nan": ("g.txt", "1 2 3\n2 3 nan\n", 2, 5, "nan"),
    "weight inf": ("g.txt", "1 2 3\n2 3 -inf\n", 2, 5, "-inf"),
    "weight too large": ("g.txt", "1 2 3.5\n2 3 1e309\n", 2, 5, "1e309"),
    "whole weight too large": ("g.txt", "1 2 3\n2 3 9223372036854775808\n", 2, None, "9223372036854775808"),
    "weight missing": ("g.txt", "1 2 3\n2 3\n", 2, None, None),
    "weight is a word": ("g.txt", "1 2 3\n2 3 four\n", 2, 5, "four"),
    "mtx without size": ("g.mtx", MTX + "pattern general\n% nothing\n", None, None, None),
    "mtx, bad size": ("g.mtx", MTX + "pattern general\n3 x 1\n1 2\n", 2, 3, "x"),
    "mtx, unknown field": ("g.mtx", MTX + "fuzzy general\n1 1 0\n", 1, None, "fuzzy"),
    "mtx, complex": ("g.mtx", MTX + "complex general\n1 1 1\n1 1 0 0\n", 1, None, "complex"),
    "mtx, hermitian": ("g.mtx", MTX + "real hermitian\n1 1 0\n", 1, None, "hermitian"),
    "mtx, array": ("g.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n", 1, None, "array"),
    "mtx, not square": ("g.mtx", MTX + "pattern general\n2 3 1\n1 2\n", 2, None, None),
    "mtx, too few": ("g.mtx", MTX + "pattern general\n3 3 3\n1 2\n2 3\n", None, None, None),
    "mtx, too many": ("g.mtx", MTX + "pattern general\n3 3 1\n1 2\n2 3\n", None, None, None),
    "mtx, index too large": ("g.mtx", MTX + "pattern general\n3 3 2\n1 2\n2 4\n", 4, 3, "4"),
    "mtx, index zero": ("g.mtx", MTX + "pattern general\n3 3 2\n1 2\n0 1\n", 4, 1, "0"),
    "mtx, negative index": ("g.mtx", MTX + "pattern general\n3 3 2\n1 2\n2 -1\n", 4, 3, "-1"),
    "mtx, value missing": ("g.mtx", MTX + "real general\n3 3 2\n1 2 1.5\n2 3\n", 4, None, None),
    "mtx, value nan": ("g.mtx", MTX + "real general\n3 3 2\n1 2 1.5\n2 3 NaN\n", 4, 5, "NaN"),
    "mtx, real in integer": ("g.mtx", MTX + "integer general\n3 3 2\n1 2 1\n2 3 1.5\n", 4, 5, "1.5"),
    "mtx, huge count": ("g.mtx", MTX + "pattern general\n3 3 %d\n1 2\n" % HUGE, None, None, None),
    "mtx, huge size": ("g.mtx", MTX + "pattern general\n%d %d 1\n1 2\n" % (HUGE, HUGE), 2, None, None),
    "gr without p": ("g.gr", "c nothing\na 1 2 3\n", 2, None, "a"),
    "gr, two p": ("g.gr", "p sp 2 1\np sp 2 1\na 1 2 3\n", 2, None, "p"),
    "gr, too few arcs": ("g.gr", "p sp 3 3\na 1 2 3\na 2 3 4\n", None, None, None),
    "gr, too many arcs": ("g.gr", "p sp 3 1\na 1 2 3\na 2 3 4\n", None, None, None),
    "gr, node out of range": ("g.gr", "p sp 3 1\na 1 4 3\n", 2, 5, "4"),
    "gr, weight missing": ("g.gr", "p sp 3 1\nc some words\na 1 2\n", 3, None, None),
    "gr, unknown line": ("g.gr", "p sp 3 1\nz 1 2 3\n", 2, 1, "z"),
    "gr, huge": ("g.gr", "p sp 3 %d\na 1 2 3\n" % HUGE, None, None, None),
    "metis, odd count": ("g.graph", "3 3\n2\n1 3\n2\n", None, None, None),
    "metis, one side only": ("g.graph", "3 2\n2\n1 3\n\n", None, None, None),
    "metis, neighbour out of range": ("g.graph", "3 2\n2\n1 4\n2\n", 3, 3, "4"),
    "metis, too few lines": ("g.graph", "3 1\n2\n1\n", None, None, None),
    "metis, too many lines": ("g.graph", "2 1\n2\n1\n1\n", 4, 1, "1"),
    "metis, bad flags": ("g.graph", "2 1 7\n2\n1\n", 1, 5, "7"),
    "metis, weight missing": ("g.graph", "2 1 1\n2 5\n1\n", 3, None, None),
    "metis, weights differ": ("g.graph", "2 1 1\n2 5\n1 6\n", None, None, None),
    "metis, huge": ("g.graph", "3 %d\n2\n1 3\n2\n" % HUGE, None, None, None),
    "metis, huge n": ("g.graph", "%d 1\n2\n1\n" % HUGE, None, None, None),
    "gap, huge": ("g.sg", struct.pack("<Bqq", 1, HUGE, 3) + bytes(64), None, None, None),
    "gap, cut": ("g.sg", struct.pack("<Bqq4q3i", 1, 3, 3, 0, 1, 2, 3, 1, 2, 0), None, None, None),
    "empty": ("g.txt", "", None, None, None),
}

FORMAT_OF = {".txt": "edgelist", ".mtx": "mtx", ".gr": "dimacs", ".graph": "metis", ".sg": "gap"}


class Malformed(support.Case):
    def test_every_malformed_file(self):
        for name, (file, content, line, column, token) in MALFORMED.items():
            with self.subTest(name):
                path = self.write(file, content)
                out = self.path("out.hdl")
                form = FORMAT_OF[os.path.splitext(file)[1]]
                words = self.fails(3, "convert", path, out, "--format", form)
                self.assertIn(file, words)
                if line:
                    place = r"%s:%d:%s: " % (file.replace(".", r"\."), line, column or r"\d+")
                    self.assertRegex(words, place)
                    self.assertRegex(words, r"found ('.*'|end of (line|file)), expected .+")
                if token:
                    self.assertIn("found '%s'" % token, words)
                self.assertEqual(self.files(), [file])
                os.remove(path)

    def test_the_million_and_first_line(self):
        path = self.write("g.txt", "1 2\n" * 1000000 + "1 oops\n" + "1 2\n" * 1000)
        for threads in (1, 2, 7):
            self.assertIn("g.txt:1000001:3: found 'oops', expected", self.fails(3, "info", path, "-t", threads))

    def test_the_first_of_several_errors(self):
        lines = ("%d %s\n" % (i, "bad%d" % i if i % 5000 == 4999 else i) for i in range(50000))
        path = self.write("g.txt", "".join(lines))
        for threads in (1, 2, 7):
            self.assertIn("g.txt:5000:6: found 'bad4999'", self.fails(3, "info", path, "-t", threads))

    def test_binary_junk(self):
        junk = bytes((i * 7919 + i // 251) % 251 for i in range(5000))
        for form in [None] + list(support.FORMATS):
            with self.subTest(form):
                arguments = ["--format", form] if form else []
                words = self.fails(3, "info", self.write("junk.bin", junk), *arguments)
                self.assertIn("junk.bin", words)

    def test_json_stays_silent_on_errors(self):
        self.fails(3, "info", self.write("g.txt", "1 2\n3\n"), "--json")


class Damaged(support.Case):
    def setUp(self):
        super().setUp()
        self.start = self.write("g.txt", "".join("%d %d %d\n" % (i, i * 7 % 1000, i % 50) for i in range(1000)))

    def damaged(self, name, content):
        words = self.fails(3, "info", self.write(name, content))
        self.assertIn(name, words)

    def test_cut_gzip(self):
        if not built_in("zlib"):
            self.skipTest("zlib is not built in")
        packed = gzip.compress(self.read("g.txt"))
        for length in (3, 11, len(packed) // 2, len(packed) - 8, len(packed) - 1):
            with self.subTest(length=length):
                self.damaged("cut.gz", packed[:length])
        self.damaged("flipped.gz", packed[:-6] + bytes([packed[-6] ^ 1]) + packed[-5:])
        self.damaged("trailing.gz", packed + b"junk")

    def test_cut_zstd(self):
        if not built_in("zstd"):
            self.skipTest("zstd is not built in")
        self.heddle("convert", self.start, self.path("g.txt.zst"), "--to", "edgelist")
        packed = self.read("g.txt.zst")
        for length in (4, 9, len(packed) // 2, len(packed) - 1):
            with self.subTest(length=length):
                self.damaged("cut.zst", packed[:length])

    def test_hdl_cut_anywhere(self):
        self.heddle("convert", self.start, self.path("g.hdl"), "--in-edges")
        whole = self.read("g.hdl")
        lengths = list(range(1, 300, 37)) + [len(whole) * part // 10 for part in range(1, 10)] + [len(whole) - 1]
        for length in lengths:
            with self.subTest(length=length):
                self.damaged("cut.hdl", whole[:length])

    def test_hdl_flipped_anywhere(self):
        """Every byte counts: whichever one is flipped, the file is refused, or the bytes were padding."""
        self.heddle("convert", self.start, self.path("g.hdl"))
        whole = self.read("g.hdl")
        good = self.graph(self.path("g.hdl"))
        refused = 0
        places = list(range(0, 256, 5)) + list(range(256, len(whole), max(1, len(whole) // 150)))
        for place in places:
            file = self.write("flip.hdl", whole[:place] + bytes([whole[place] ^ 0x10]) + whole[place + 1:])
            result = support.run("convert", file, "-", "--to", "edgelist", "--lossy")
            if result.status:
                self.assertEqual(result.status, 3, "byte %d: %s" % (place, result.err))
                self.assertIn("flip.hdl", result.err)
                refused += 1
            else:
                self.assertEqual(self.graph(file), good, "byte %d flipped, and another graph came out" % place)
        self.assertGreater(refused, len(places) * 0.8)

    def test_hdl_of_another_version_or_kind(self):
        self.damaged("text.hdl", b"1 2\nthis is no graph\n")


class Files(support.Case):
    def test_missing(self):
        words = self.fails(3, "info", self.path("nothing.txt"))
        self.assertIn("nothing.txt", words)
        self.assertIn("No such file or directory", words)

    def test_directory(self):
        self.assertIn("is a directory", self.fails(3, "info", self.folder))
        words = self.fails(3, "convert", self.write("g.txt", "1 2\n"), self.folder, "--to", "mtx")
        self.assertIn("is a directory", words)

    def test_missing_folder_to_write_in(self):
        words = self.fails(3, "generate", "path", self.path("no/such/g.hdl"))
        self.assertIn("No such file or directory", words)

    def test_old_file_survives_a_failure(self):
        self.write("g.mtx", "precious")
        self.fails(3, "convert", self.write("bad.txt", "1 2\n3\n"), self.path("g.mtx"))
        self.assertEqual(self.read("g.mtx"), b"precious")

    def test_full_device(self):
        start = self.write("g.txt", "1 2\n")
        with open("/dev/full", "wb") as full:
            for form in support.FORMATS:
                result = self.heddle("convert", start, "-", "--to", form, "--lossy", stdout=full, status=3)
                self.assertIn("No space left on device", result.err)
        words = self.fails(3, "convert", start, "/dev/full", "--to", "mtx")
        self.assertIn("/dev/full", words)
        self.assertIn("No space left on device", words)

    def test_full_disk(self):
        """A limit on the size of files stands in for a full disk."""

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))

        self.heddle("generate", "uniform", self.path("g.hdl"), "--scale", "14")
        if support.run("info", self.path("g.hdl"), preexec_fn=limit).status:
            self.skipTest("this build does not run under such a limit")  # ThreadSanitizer keeps files of its own
        outputs = ["out" + suffix for suffix in support.FORMATS.values()]
        outputs += ["out.mtx.gz"] * built_in("zlib") + ["out.mtx.zst"] * built_in("zstd")
        for out in outputs:
            with self.subTest(out):
                self.write(out, "precious")
                words = self.fails(3, "convert", self.path("g.hdl"), self.path(out), "--lossy", "--symmetrize",
                                   "--no-loops", "--dedup", preexec_fn=limit)
                self.assertIn(out, words)
                self.assertEqual(self.read(out), b"precious")
                os.remove(self.path(out))
                self.assertEqual(self.files(), ["g.hdl"])

    def as_nobody(self):
        """Arguments for a run without privileges; skips where that cannot be."""
        if os.getuid() != 0:
            return {}
        try:
            nobody = pwd.getpwnam("nobody")
        except KeyError:
            self.skipTest("there is no user nobody")
        command = os.path.join(self.folder, "heddle-command")
        shutil.copy(support.HEDDLE, command)
        os.chmod(self.folder, 0o755)
        os.chmod(command, 0o755)

        def drop():
            os.setgroups([])
            os.setgid(nobody.pw_gid)
            os.setuid(nobody.pw_uid)

        return {"preexec_fn": drop, "executable": command}

    def test_cut_short_while_mapped(self):
        """The command waits for its reader when the file is cut: the next page it wants is not there."""
        graph = self.path("g.hdl")
        self.heddle("generate", "uniform", graph, "--scale", "18")
        process = subprocess.Popen([support.HEDDLE, "convert", graph, "-", "--to", "mtx"], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env=support.environment())
        process.stdout.read(1)
        os.truncate(graph, 0)
        words = process.communicate(timeout=support.TIMEOUT)[1].decode()
        self.assertEqual(process.returncode, 3, words)
        self.assertIn("heddle: a file changed while it was read", words)

    def test_no_permission(self):
        secret, open_file = self.write("secret.txt", "1 2\n"), self.write("open.txt", "1 2\n")
        os.chmod(secret, 0)
        options = self.as_nobody()
        before = self.files()
        words = self.fails(3, "info", secret, **options)
        self.assertIn("secret.txt", words)
        self.assertIn("Permission denied", words)
        os.chmod(self.folder, 0o555)
        words = self.fails(3, "convert", open_file, self.path("out.hdl"), **options)
        self.assertIn("out.hdl", words)
        self.assertIn("Permission denied", words)
        self.assertEqual(self.files(), before)


class Limits(support.Case):
    def test_claims_do_not_allocate(self):
        """A header's claims must not cost memory: these run in 1 GiB of address space."""
        if not self.fits():
            self.skipTest("this build needs more address space than the test allows")
        for name in ("mtx, huge count", "mtx, huge size", "gr, huge", "metis, huge", "metis, huge n", "gap, huge"):
            with self.subTest(name):
                file, content = MALFORMED[name][:2]
                self.fails(3, "info", self.write(file, content), preexec_fn=self.limit)

    @staticmethod
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))

    def fits(self):
        return support.run("info", self.write("ok.txt", "1 2\n"), preexec_fn=self.limit).status == 0

    def test_a_line_of_values_that_does_not_fit(self):
        """A line too long for the memory is an error, not the end of the file."""

        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (1 << 28, 1 << 28))

        graph, values = self.write("g.txt", "1 2\n2 3\n"), self.write("v.txt", "1 0.5\n")
        if support.run("pr", graph, "--device", "cpu", preexec_fn=limit).status:
            self.skipTest("this build needs more address space than the test allows")
        with open(values, "ab") as file:
            file.truncate(1 << 28)  # a hole without a line end
        for option, algorithm in (("--init", "hs"), ("--personalize", "pr")):
            with self.subTest(option):
                words = self.fails(4, algorithm, graph, option, values, "--device", "cpu", preexec_fn=limit)
                self.assertIn("line 2 does not fit in memory", words)

    def test_nul_bytes_in_values(self):
        graph = self.write("g.txt", "1 2\n2 3\n")
        for content, place in ((b"1 0.5\n\0\0\0\n3 1\n", "2:1"), (b"1 0.5\n2 0.5\0 7\n", "2:6"),
                               (b"# c\0\n1 1\n", "1:4")):
            with self.subTest(place):
                words = self.fails(3, "pr", graph, "--personalize", self.write("v.txt", content))
                self.assertIn("v.txt:%s: found '\\x00', expected text" % place, words)

    def test_out_of_memory(self):
        if not self.fits():
            self.skipTest("this build needs more address space than the test allows")
        words = self.fails(4, "generate", "uniform", self.path("g.hdl"), "--vertices", "100M", "--degree", "8",
                           preexec_fn=self.limit)
        self.assertIn("memory", words)
        self.assertNotIn("g.hdl", self.files())


if __name__ == "__main__":
    support.main()
