"""heddle convert: round trips between all formats that can hold the graph, pipes, compression, threads."""
import bz2
import gzip
import json
import lzma
import os
import random
import shutil
import stat
import subprocess

import support
from support import built_in

# Those that hold all there is to a graph, whatever it is.
FULL = dict({"hdl": ".hdl", "gml": ".gml", "pajek": ".net", "json": ".json"},
            **({"graphml": ".graphml"} if built_in("expat") else {}))
FORMATS = dict(support.FORMATS, **FULL)

MTX = "%%MatrixMarket matrix coordinate "

# Graphs in files, and the formats that hold all there is to them (beside hdl, which holds everything).
GRAPHS = {
    "plain": ("g.txt", "0 1\n0 2\n1 2\n2 0\n3 0\n", "edgelist gap"),
    "plain from 1": ("g.mtx", MTX + "pattern general\n4 4 5\n1 2\n1 3\n2 3\n3 1\n4 1\n", "edgelist mtx"),
    "weighted": ("g.gr", "p sp 4 5\na 1 2 10\na 1 3 20\na 2 3 4294967295\na 3 1 0\na 4 1 7\n", "edgelist mtx dimacs"),
    "real": ("g.mtx", MTX + "real general\n3 3 3\n1 2 0.5\n2 3 -1.25e-3\n3 1 3.4e38\n", "edgelist mtx"),
    "signed": ("g.mtx", MTX + "integer general\n3 3 3\n1 2 -5\n2 3 2147483647\n3 1 -2147483648\n", "edgelist mtx"),
    "undirected": ("g.mtx", MTX + "pattern symmetric\n4 4 4\n2 1\n3 1\n3 2\n4 1\n", "mtx metis"),
    "undirected, weighted": ("g.mtx", MTX + "integer symmetric\n4 4 4\n2 1 5\n3 1 6\n3 2 7\n4 1 8\n", "mtx metis"),
    "undirected, loops": ("g.mtx", MTX + "real symmetric\n3 3 3\n2 1 0.5\n2 2 1.5\n3 1 2.5\n", "mtx"),
    "loops and parallels": ("g.txt", "1 1 4\n1 2 5\n1 2 5\n1 2 6\n2 1 1\n2 2 9\n", "edgelist mtx dimacs"),
    "isolated": ("g.mtx", MTX + "integer general\n5 5 2\n2 4 1\n4 2 2\n", "mtx dimacs"),
    "holes": ("g.txt", "100 7\n7 9000000000\n-3 100\n", "edgelist"),
    "unsigned 64-bit ids": ("g.txt", "1 18446744073709551615\n18446744073709551615 5\n", "edgelist"),
    "names": ("g.txt", "anna bert\nbert carl\ncarl anna\n", "edgelist"),
    "names, weighted": ("g.csv", "from,to,weight\nanna,bert,0.5\nbert,carl,1.5\n", "edgelist"),
    "no edges": ("g.mtx", MTX + "pattern general\n3 3 0\n", "mtx"),
}


class RoundTrips(support.Case):
    def round_trip(self, source, wanted, target):
        """Converts a graph's file to a format and back; True when the format took it without loss."""
        folder = self.path("%s-%s" % (os.path.basename(source), target))
        os.mkdir(folder)
        there, back = (os.path.join(folder, part) for part in ("there" + FORMATS[target], "back.hdl"))
        result = support.run("convert", source, there, "--to", target)
        if result.status == 2:
            self.assertRegex(result.err, r"(?m)^heddle: (?!note).*there")
            self.assertIn("--lossy", result.err)
            self.assertEqual(os.listdir(folder), [])
            self.heddle("convert", source, there, "--to", target, "--lossy")
            self.info(there)
            return False
        self.assertEqual(result.status, 0, result.err)
        self.heddle("convert", there, back)
        for file in (there, back):
            self.compare(self.graph(file), wanted, result.err)
        return True

    def compare(self, got, wanted, notes):
        """Equal, but for what the command said: other first id, both arcs of undirected edges, weights of 1."""
        if "become" in notes:
            got, wanted = (graph._replace(arcs=renumbered(graph.arcs)) for graph in (got, wanted))
        if "cannot say that a graph is undirected" in notes:
            got = got._replace(directed=wanted.directed)
        if "no weights: 1 is written" in notes:
            got = got._replace(weighted=False, arcs=[arc[:2] for arc in got.arcs])
        self.assertEqual(got, wanted)

    def test_every_graph_in_every_format(self):
        for number, (name, (file, text, holders)) in enumerate(GRAPHS.items()):
            source = self.write("%d-%s" % (number, file), text)
            wanted = self.graph(source)
            for target in support.share(FORMATS, number, 4):
                with self.subTest(graph=name, format=target):
                    took = self.round_trip(source, wanted, target)
                    if target in holders.split() or target in FULL:
                        self.assertTrue(took, "%s refused %s as lossy" % (target, name))

    def test_every_pair_of_formats(self):
        """A graph that all formats hold, through every pair of them."""
        start = self.write("start.mtx", MTX + "integer symmetric\n4 4 5\n2 1 5\n3 1 6\n3 2 7\n4 1 8\n4 3 1\n")
        wanted = self.graph(start)
        for number, (first, suffix) in enumerate(FORMATS.items()):
            one = self.path("one" + suffix)
            self.heddle("convert", start, one, "--to", first, "--lossy")
            for second, suffix in support.share(FORMATS.items(), number, 4):
                two, end = self.path("two" + suffix), self.path("end.hdl")
                with self.subTest(first=first, second=second):
                    self.heddle("convert", one, two, "--from", first, "--to", second, "--lossy")
                    self.heddle("convert", two, end, "--from", second)
                    got = self.graph(end)
                    self.assertEqual((got.vertices, got.edges, got.weighted),
                                     (wanted.vertices, wanted.edges, wanted.weighted))
                    self.assertEqual(renumbered(got.arcs), renumbered(wanted.arcs))

    def test_exact_numbers(self):
        """Whole and real weights come back bit for bit, over the whole range of their types."""
        rng = random.Random(1)
        whole = [0, 1, 2**24 + 1, 2**31, 2**32 - 1] + [rng.getrandbits(32) for _ in range(200)]
        real = [rng.choice([-1, 1]) * rng.random() * 10.0 ** rng.randint(-37, 37) for _ in range(200)]
        for kind, weights in (("integer", whole), ("real", real)):
            rows = "".join("%d %d %r\n" % (i + 1, i + 2, weight) for i, weight in enumerate(weights))
            size = len(weights) + 1
            start = self.write(kind + ".mtx", MTX + "%s general\n%d %d %d\n%s" % (kind, size, size, len(weights), rows))
            self.heddle("convert", start, self.path(kind + ".hdl"))
            wanted = self.read(kind + ".hdl")
            for target in ("edgelist", "mtx") + (("dimacs",) if kind == "integer" else ()):
                there = self.path("there" + FORMATS[target])
                self.heddle("convert", self.path(kind + ".hdl"), there, "--to", target)
                self.heddle("convert", there, self.path("back.hdl"))
                self.assertEqual(self.graph(self.path("back.hdl")), self.graph(start), "%s, %s" % (kind, target))
            self.assertEqual(self.read(kind + ".hdl"), wanted)

    def test_in_edges(self):
        start = self.write("g.txt", "1 2 5\n3 2 6\n2 1 7\n")
        self.heddle("convert", start, self.path("plain.hdl"))
        self.heddle("convert", start, self.path("both.hdl"), "--in-edges")
        self.assertGreater(os.path.getsize(self.path("both.hdl")), os.path.getsize(self.path("plain.hdl")))
        self.assertEqual(self.graph(self.path("both.hdl")), self.graph(start))


def renumbered(arcs):
    """The arcs with ids counted from the smallest, in order."""
    smallest = min((int(end) for arc in arcs for end in arc[:2]), default=0)
    return sorted((int(arc[0]) - smallest, int(arc[1]) - smallest) + arc[2:] for arc in arcs)


class Reading(support.Case):
    def test_edge_lists_of_every_kind(self):
        wanted = [("1", "2"), ("2", "3"), ("3", "1")]
        for name, text in (
            ("blanks", "1 2\n2 3\n3 1\n"), ("tabs", "1\t2\n2\t3\n3\t1\n"), ("commas", "1,2\n2,3\n3,1\n"),
            ("semicolons", "1;2\n2;3\n3;1\n"), ("crlf", "1 2\r\n2 3\r\n3 1\r\n"), ("no newline", "1 2\n2 3\n3 1"),
            ("comments", "# SNAP\n% KONECT\n1 2\n# more\n2 3\n\n3 1\n"), ("header", "source,target\n1,2\n2,3\n3,1\n"),
            ("blanks around", "  1  2 \n\t2 \t 3\n 3 1\t\n"), ("comma and blank", "1, 2\n2, 3\n3, 1\n"),
            ("byte order mark", "\ufeff1 2\n2 3\n3 1\n"),
        ):
            with self.subTest(name):
                self.assertEqual(self.arcs(self.write("g.txt", text)), wanted)

    def test_matrix_market_of_every_kind(self):
        for header, rows, wanted, directed in (
            ("pattern general", "1 2\n2 3\n", [("1", "2"), ("2", "3")], True),
            ("integer general", "1 2 5\n2 3 -6\n", [("1", "2", "5"), ("2", "3", "-6")], True),
            ("real symmetric", "2 1 0.5\n3 3 2\n", [("1", "2", "0.5"), ("2", "1", "0.5"), ("3", "3", "2.0")], False),
            ("real skew-symmetric", "2 1 0.5\n3 1 -2\n",
             [("1", "2", "-0.5"), ("1", "3", "2.0"), ("2", "1", "0.5"), ("3", "1", "-2.0")], True),
        ):
            with self.subTest(header):
                file = self.write("g.mtx", MTX + header + "\n% words\n\n3 3 2\n" + rows)
                self.assertEqual(self.arcs(file), wanted)
                self.assertEqual(self.info(file)["directed"], directed)

    def test_metis_of_every_kind(self):
        for name, text, wanted in (
            ("plain", "% words\n3 2\n2\n1 3\n2\n", [("1", "2"), ("2", "1"), ("2", "3"), ("3", "2")]),
            ("edge weights", "3 2 1\n2 7\n1 7 3 8\n2 8\n",
             [("1", "2", "7"), ("2", "1", "7"), ("2", "3", "8"), ("3", "2", "8")]),
            ("vertex weights", "3 2 10\n5 2\n6 1 3\n7 2\n", [("1", "2"), ("2", "1"), ("2", "3"), ("3", "2")]),
            ("sizes, two weights, edge weights", "3 2 111 2\n1 5 5 2 7\n1 6 6 1 7 3 8\n1 7 7 2 8\n",
             [("1", "2", "7"), ("2", "1", "7"), ("2", "3", "8"), ("3", "2", "8")]),
            ("isolated", "4 1\n\n3\n2\n\n", [("2", "3"), ("3", "2")]),
        ):
            with self.subTest(name):
                self.assertEqual(self.arcs(self.write("g.graph", text)), wanted)

    def test_dimacs(self):
        file = self.write("g.gr", "c words\nc\np sp 3 2\nc more\na 1 2 5\na 3 1 6\n")
        self.assertEqual(self.arcs(file), [("1", "2", "5"), ("3", "1", "6")])

    def test_long_file_in_many_pieces(self):
        """Lines of all lengths around wherever the reader cuts the text."""
        rng = random.Random(2)
        edges = [(rng.randrange(10 ** rng.randint(1, 9)), rng.randrange(10 ** rng.randint(1, 9)), rng.randrange(1000))
                 for _ in range(100000)]
        file = self.write("g.txt", "".join("%d %d %d\n" % edge for edge in edges))
        wanted = sorted(tuple(map(str, edge)) for edge in edges)
        self.assertEqual(self.arcs(file, "--threads", "7"), wanted)


class Pipes(support.Case):
    TEXT = "1 2 5\n2 3 6\n3 1 7\n"

    def test_from_standard_input(self):
        self.heddle("convert", "-", self.path("g.hdl"), stdin=self.TEXT.encode())
        self.assertEqual(self.arcs(self.path("g.hdl")), [("1", "2", "5"), ("2", "3", "6"), ("3", "1", "7")])

    def test_from_a_file_as_standard_input(self):
        with open(self.write("g.txt", self.TEXT), "rb") as file:
            self.heddle("convert", "-", self.path("g.mtx"), stdin=file)
        self.assertEqual(self.info(self.path("g.mtx"))["edges"], 3)

    def test_to_standard_output(self):
        start = self.write("g.txt", self.TEXT)
        for target, suffix in FORMATS.items():
            with self.subTest(target):
                piped = self.heddle("convert", start, "-", "--to", target, "--lossy").out
                self.heddle("convert", start, self.path("file" + suffix), "--to", target, "--lossy")
                self.assertEqual(piped, self.read("file" + suffix))

    def test_through_a_pipe(self):
        start = self.write("g.txt", self.TEXT)
        for target in FORMATS:
            with self.subTest(target):
                piped = self.heddle("convert", start, "-", "--to", target, "--lossy").out
                self.heddle("convert", "-", self.path("back.hdl"), stdin=piped)
                self.assertEqual(len(self.arcs(self.path("back.hdl"))), 6 if target == "metis" else 3)

    def test_standard_output_needs_a_format(self):
        self.assertIn("--to", self.fails(2, "convert", self.write("g.txt", self.TEXT), "-"))

    def test_report_and_graph_do_not_mix(self):
        self.fails(2, "convert", self.write("g.txt", self.TEXT), "-", "--to", "mtx", "--json")

    def test_words_go_to_standard_error(self):
        start = self.write("g.txt", self.TEXT)
        result = self.heddle("convert", start, self.path("g.mtx"))
        self.assertEqual(result.out, b"")
        self.assertRegex(result.err, r"\Aheddle: wrote .*g\.mtx: 3 vertices, 3 edges, \d+ bytes \(.*\)\n\Z")
        self.assertEqual(self.heddle("convert", start, self.path("g.mtx"), "--quiet").err, "")

    def test_report(self):
        start = self.write("g.txt", self.TEXT)
        result = self.heddle("convert", start, self.path("g.mtx"), "--json")
        report = json.loads(result.out)
        self.assertEqual(result.err, "")
        self.assertEqual((report["input"], report["output"]), (start, self.path("g.mtx")))
        self.assertEqual([report[key] for key in ("vertices", "edges", "directed", "weighted")], [3, 3, True, True])
        self.assertEqual(report["bytes"], os.path.getsize(self.path("g.mtx")))
        self.assertEqual(set(report["phases"]), {"load", "write"})

    def test_report_counts_what_is_in_the_file(self):
        start = self.write("g.mtx", MTX + "pattern general\n5 5 3\n2 4\n3 3\n4 3\n")
        for out, words in (("g.csv", "3 vertices, 3 edges"), ("g.graph", "5 vertices, 4 arcs"),
                           ("g.hdl", "5 vertices, 3 edges")):
            written = self.heddle("convert", start, self.path(out), "--lossy")
            self.assertIn("%s: %s, " % (out, words), written.err)
            report = json.loads(self.heddle("convert", start, self.path(out), "--lossy", "--json").out)
            self.assertEqual([str(report["vertices"]), str(report["edges"])], [words.split()[0], words.split()[2]])

    def test_closed_pipe(self):
        start = self.path("big.hdl")
        self.heddle("generate", "path", start, "--vertices", "1M", "--weights", "1..9")  # sections of 8 MiB and more
        for form in ("edgelist", "hdl"):
            process = subprocess.Popen([support.HEDDLE, "convert", start, "-", "--to", form, "--lossy", "-q"],
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=support.environment())
            process.stdout.read(10)
            process.stdout.close()
            words = process.stderr.read().decode()
            process.stderr.close()
            self.assertEqual(process.wait(support.TIMEOUT), 141, (form, words))
            self.assertEqual(words, "", form)


class Files(support.Case):
    def test_prepared(self):
        ring = self.write("ring.txt", "".join(f"{v} {(v + 1) % 9}\n" for v in range(9)))
        plans = "graffix-coalesce;graffix-latency,graffix.threshold=0.5"
        self.heddle("convert", ring, self.path("plain.hdl"))
        self.heddle("convert", ring, self.path("kept.hdl"), "--prepare", plans)
        self.assertGreater(os.path.getsize(self.path("kept.hdl")), os.path.getsize(self.path("plain.hdl")))
        for file in ("plain.hdl", "kept.hdl"):
            levels = self.heddle("bfs", self.path(file), "--source", "0", "-o", "-", "-q").out
            self.assertEqual(levels.decode(), "".join(f"{v}\t{v}\n" for v in range(9)))
        convert = "convert", ring, self.path("g.hdl"), "--prepare"
        self.assertIn("expected one with graffix", self.fails(2, *convert, "ws"))
        self.assertIn("not packed", self.fails(2, *convert, "residency=stream,stream.packed=yes"))
        self.assertIn("for .hdl files", self.fails(2, *convert, plans, "--to", "dimacs"))

    def test_same_file(self):
        file = self.write("g.txt", "1 2\n2 1\n1 2\n")
        self.heddle("convert", file, file, "--dedup")
        self.assertEqual(self.arcs(file), [("1", "2"), ("2", "1")])
        self.heddle("convert", file, self.path("g.hdl"))
        self.heddle("convert", self.path("g.hdl"), self.path("g.hdl"), "--in-edges")
        self.assertEqual(self.arcs(self.path("g.hdl")), [("1", "2"), ("2", "1")])

    def test_permissions_are_those_of_a_new_file(self):
        file = self.write("g.txt", "1 2\n")
        self.heddle("convert", file, self.path("g.mtx"), preexec_fn=lambda: os.umask(0o027))
        self.assertEqual(stat.S_IMODE(os.stat(self.path("g.mtx")).st_mode), 0o640)

    def test_links_stay(self):
        file = self.write("g.txt", "1 2\n")
        self.write("real.mtx", "old")
        os.symlink("real.mtx", self.path("link.mtx"))
        self.heddle("convert", file, self.path("link.mtx"))
        self.assertTrue(os.path.islink(self.path("link.mtx")))
        self.assertIn(b"MatrixMarket", self.read("real.mtx"))

    def test_special_files_stay(self):
        self.heddle("convert", self.write("g.txt", "1 2\n"), "/dev/null", "--to", "mtx")
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))

    def test_unknown_suffix(self):
        self.assertIn("g.xyz", self.fails(2, "convert", self.write("g.txt", "1 2\n"), self.path("g.xyz")))
        self.assertEqual(self.files(), ["g.txt"])

    def test_nothing_else_is_left(self):
        start = self.write("g.txt", "1 2\n")
        for target, suffix in FORMATS.items():
            self.heddle("convert", start, self.path("g" + suffix), "--to", target, "--lossy")
        self.assertEqual(self.files(), sorted({"g" + suffix for suffix in FORMATS.values()} | {"g.txt"}))


class Compression(support.Case):
    TEXT = "1 2 5\n2 3 6\n3 1 7\n"

    def need(self, part):
        if not built_in(part):
            self.skipTest("%s is not built in" % part)

    def check(self, suffix):
        start = self.write("g.txt", self.TEXT)
        for target, own in FORMATS.items():
            with self.subTest(target):
                file = self.path("g%s%s" % (own, suffix))
                self.heddle("convert", start, file, "--to", target, "--lossy")
                plain = self.heddle("convert", start, "-", "--to", target, "--lossy").out
                self.assertNotEqual(self.read("g%s%s" % (own, suffix))[:4], plain[:4])
                self.assertEqual(self.heddle("convert", file, "-", "--to", target, "--lossy").out, plain)
                self.assertEqual(self.info("-", stdin=self.read("g%s%s" % (own, suffix)))["edges"],
                                 6 if target == "metis" else 3)

    def test_gzip(self):
        self.need("zlib")
        self.check(".gz")
        self.assertEqual(gzip.decompress(self.read("g.mtx.gz")),
                         self.heddle("convert", self.path("g.txt"), "-", "--to", "mtx").out)

    def test_gzip_of_others(self):
        self.need("zlib")
        two = gzip.compress(self.TEXT[:6].encode()) + gzip.compress(self.TEXT[6:].encode())
        self.assertEqual(self.info(self.write("two.gz", two))["edges"], 3)
        self.assertEqual(self.info(self.write("no-suffix", gzip.compress(self.TEXT.encode())))["edges"], 3)

    def test_zstd(self):
        self.need("zstd")
        self.check(".zst")

    def test_zstd_of_others(self):
        self.need("zstd")
        if not shutil.which("zstd"):
            self.skipTest("there is no zstd command")
        packed = subprocess.run(["zstd", "-c"], input=self.TEXT.encode(), stdout=subprocess.PIPE, check=True).stdout
        self.assertEqual(self.info(self.write("g.zst", packed + packed))["edges"], 6)
        self.heddle("convert", self.path("g.zst"), self.path("g.mtx.zst"), "--level", "19")
        subprocess.run(["zstd", "-tq", self.path("g.mtx.zst")], check=True)

    def others(self, part, suffix, command, module):
        """What Python and the command packed is read, several streams as one; what we packed they unpack."""
        self.need(part)
        self.check(suffix)
        packed = module.compress(self.TEXT.encode())
        self.assertEqual(self.info(self.write("g" + suffix, packed + packed))["edges"], 6)
        self.assertEqual(self.info(self.write("no-suffix", packed))["edges"], 3)
        plain = self.heddle("convert", self.path("g.txt"), "-", "--to", "mtx").out
        for level in ("1", "9"):
            self.heddle("convert", self.path("g.txt"), self.path("g.mtx" + suffix), "--level", level)
            self.assertEqual(module.decompress(self.read("g.mtx" + suffix)), plain)
        if shutil.which(command):
            subprocess.run([command, "-t", self.path("g.mtx" + suffix)], check=True)
        self.fails(2, "convert", self.path("g.txt"), self.path("g.mtx" + suffix), "--level", "10")
        self.heddle("cc", self.path("g.txt"), "-q", "--output", self.path("x.tsv" + suffix))
        self.assertEqual(module.decompress(self.read("x.tsv" + suffix)), b"1\t1\n2\t1\n3\t1\n")

    def test_bzip2(self):
        self.others("bzip2", ".bz2", "bzip2", bz2)

    def test_xz(self):
        self.others("liblzma", ".xz", "xz", lzma)

    def test_level(self):
        self.need("zlib")
        self.heddle("generate", "uniform", self.path("g.hdl"), "--scale", "10")
        sizes = []
        for level in (1, 9):
            self.heddle("convert", self.path("g.hdl"), self.path("g.mtx.gz"), "--level", level)
            sizes.append(os.path.getsize(self.path("g.mtx.gz")))
        self.assertLess(sizes[1], sizes[0])

    def test_without(self):
        for part, suffix in (("zlib", ".gz"), ("zstd", ".zst"), ("bzip2", ".bz2"), ("liblzma", ".xz")):
            if not built_in(part):
                words = self.fails(1, "convert", self.write("g.txt", self.TEXT), self.path("g.mtx" + suffix))
                self.assertIn(part, words)


class Subgraph(support.Case):
    def part(self, *options):
        graph = self.write("g.csv", "a,b,1\nb,c,2\nc,a,3\nc,d,4\ne,f,5\n")
        self.heddle("subgraph", graph, self.path("p.csv"), "-q", *options)
        return sorted(self.read("p.csv").decode().split()[1:])

    def test_parts(self):
        everything = ["a,b,1", "b,c,2", "c,a,3", "c,d,4", "e,f,5"]
        self.assertEqual(self.part(), everything)
        self.assertEqual(self.part("--largest"), everything[:4])
        self.assertEqual(self.part("--component", "f"), ["e,f,5"])
        self.assertEqual(self.part("--component", "f,a"), everything)
        self.assertEqual(self.part("--component", "f,a", "--largest"), everything[:4])
        self.assertEqual(self.part("--component", "f", "--largest", "--lossy"), [])
        self.assertEqual(self.part("--core", "2", "--lossy"), everything[:3])
        self.assertEqual(self.part("--min-degree", "2"), everything[:3])
        self.assertEqual(self.part("--min-weight", "2", "--max-weight", "4", "--no-isolated"), everything[1:4])
        self.assertEqual(self.part("--keep", self.write("k.txt", "a\nb\nd\n"), "--no-isolated"), ["a,b,1"])
        self.assertEqual(self.part("--keep", self.write("k.txt", "a\nc\nd\ne\n"), "--largest"), ["c,a,3", "c,d,4"])

    def test_more_parts(self):
        everything = ["a,b,1", "b,c,2", "c,a,3", "c,d,4", "e,f,5"]
        self.assertEqual(self.part("--largest-strong"), everything[:3])
        self.assertEqual(self.part("--drop", self.write("k.txt", "a\ne\n"), "--no-isolated"), ["b,c,2", "c,d,4"])
        self.assertEqual(self.part("--ego", "a"), ["a,b,1"])
        self.assertEqual(self.part("--ego", "a,e", "--hops", 2), ["a,b,1", "b,c,2", "c,a,3", "e,f,5"])
        values = self.write("v.tsv", "a\t1\nb\t2\nc\t3\nd\t4\ne\t-1\n")
        self.assertEqual(self.part("--values", values, "--min-value", 2, "--max-value", 3), ["b,c,2"])
        self.assertEqual(self.part("--values", values, "--max-value", 3, "--no-isolated"), everything[:3])
        self.assertEqual(self.part("--sample-edges", 0, "--lossy"), [])
        for options in (["--hops", 2], ["--values", values], ["--min-value", 1], ["--sample-edges", 2],
                        ["--values", values, "--min-value", 3, "--max-value", 2]):
            self.fails(2, "subgraph", self.path("g.csv"), self.path("p.csv"), *options)

    def test_samples(self):
        graph = self.path("g.hdl")
        self.heddle("generate", "uniform", graph, "--scale", "13", "--degree", "8", "--symmetrize", "--dedup", "-q")
        before, seen = self.info(graph), set()
        for options in (["-t", 1], ["-t", 2], ["--seed", 2]):
            self.heddle("subgraph", graph, self.path("p.hdl"), "-q", "--sample-edges", 0.25, *options)
            seen.add(self.read("p.hdl"))
            info = self.info(self.path("p.hdl"))
            self.assertEqual((info["vertices"], info["directed"]), (before["vertices"], False))
            self.assertAlmostEqual(info["edges"] / before["edges"], 0.25, delta=0.02)
        self.assertEqual(len(seen), 2)
        self.heddle("subgraph", graph, self.path("p.hdl"), "-q", "--sample-vertices", 0.5)
        info = self.info(self.path("p.hdl"))
        self.assertAlmostEqual(info["vertices"] / before["vertices"], 0.5, delta=0.04)
        self.assertAlmostEqual(info["edges"] / before["edges"], 0.25, delta=0.04)

    def test_what_is_wrong(self):
        graph = self.write("g.csv", "a,b\n")
        self.assertIn("k.txt:2:1: found 'x'", self.fails(3, "subgraph", graph, self.path("p.hdl"),
                                                       "--keep", self.write("k.txt", "a\nx\n")))
        self.fails(2, "subgraph", graph, self.path("p.hdl"), "--component", "x")
        self.assertIn("no vertex would be left", self.fails(2, "subgraph", graph, self.path("p.hdl"),
                                                            "--min-degree", "3", "--max-degree", "2"))

    def test_memory_limit(self):
        graph, whole, limited = self.path("g.hdl"), self.path("w.hdl"), self.path("l.hdl")
        self.heddle("generate", "rmat", graph, "--scale", "15", "--symmetrize", "--weights", "1..9", "-q")
        for options in (("--min-degree", "3"), ("--largest", "--max-weight", "7")):
            self.heddle("subgraph", graph, whole, "-q", *options)
            self.heddle("subgraph", graph, limited, "-q", "--memory-limit", "4M", *options)
            self.assertEqual(self.read("l.hdl"), self.read("w.hdl"))
        self.assertIn("memory limit", self.fails(4, "subgraph", graph, self.path("p.mtx"), "--memory-limit", "4M"))
        self.assertIn("cannot be dropped", self.fails(2, "subgraph", graph, limited, "--memory-limit", "4M",
                                                      "--no-isolated"))


class Threads(support.Case):
    def test_same_bytes_for_any_number_of_threads(self):
        rng = random.Random(3)
        numbers = "".join("%d %d %d\n" % (rng.randrange(5000) * 7, rng.randrange(5000) * 7, rng.randrange(99))
                          for _ in range(60000))
        names = "".join("v%d v%d\n" % (rng.randrange(3000), rng.randrange(3000)) for _ in range(30000))
        for name, text, options in (
            ("numbers", numbers, []), ("numbers", numbers, ["--symmetrize"]), ("numbers", numbers, ["--dedup=sum"]),
            ("numbers", numbers, ["--symmetrize", "--no-loops", "--dedup=min", "--no-isolated"]), ("names", names, []),
            ("names", names, ["--symmetrize", "--dedup"]),
        ):
            file = self.write(name + ".txt", text)
            for suffix in (".hdl", ".txt"):
                with self.subTest(name=name, options=options, suffix=suffix):
                    seen = set()
                    for threads in (1, 2, 7):
                        out = "out%d%s" % (threads, suffix)
                        self.heddle("convert", file, self.path(out), "--lossy", "--in-edges", "-t", threads, *options)
                        seen.add(self.read(out))
                    self.assertEqual(len(seen), 1)


if __name__ == "__main__":
    support.main()
