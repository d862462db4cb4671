"""--report: pages to look at are whole, small, without scripts or links, and harmless whatever the labels are."""
import html.parser
import os
import re

import support

MOST = 200000
EMPTY = {"meta", "br", "rect", "path", "circle"}  # need no end tag; in SVG they may end at once


class Reader(html.parser.HTMLParser):
    """Collects tags and text; notes what is not closed, and what would reach outside the page."""

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.text, self.wrong = [], [], [], []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        for name, value in attributes:
            if name.startswith("on") or name in ("src", "href", "xlink:href") or "url(" in (value or ""):
                self.wrong.append((tag, name, value))
        if tag not in EMPTY or tag in ("rect", "path"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if self.open and self.open[-1] == tag:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(("end", tag))

    def handle_data(self, data):
        self.text.append(data)


class Pages(support.Case):
    def page(self, *arguments, status=0):
        path = self.path("page.html")
        self.heddle(*arguments, "--report", path, status=status)
        content = self.read("page.html")
        self.assertLessEqual(len(content), MOST, arguments)
        reader = Reader()
        reader.feed(content.decode("utf-8"))
        self.assertEqual((reader.open, reader.wrong), ([], []), arguments)
        self.assertNotIn("script", reader.tags)
        self.assertIn("heddle " + arguments[0], "".join(reader.text))
        self.assertNotIn("nan", " ".join(reader.text).lower().split())
        return reader

    def graph(self, kind="rmat", *more):
        path = self.path(kind + ".hdl")
        self.heddle("generate", kind, path, *more, "-q")
        return path

    def test_every_algorithm(self):
        graph = self.graph("rmat", "--scale", "8", "--weights", "1:9")
        for algorithm in ("bfs", "sssp", "sswp", "cc", "pr", "bc", "closeness", "harmonic", "eccentricity",
                          "eigenvector", "katz", "hits", "degree", "scc", "mst", "bridges", "articulation",
                          "biconnected", "bipartite", "toposort", "tc", "lcc", "similar", "kcore", "truss", "cdlp",
                          "lpa", "louvain", "leiden", "hs", "cs", "nn"):
            with self.subTest(algorithm):
                reader = self.page(algorithm, graph)
                self.assertIn("svg", reader.tags)
                self.assertIn("Where the time went", reader.text)

    def test_info_explain_and_bench(self):
        graph = self.graph("rmat", "--scale", "8", "--weights", "1:9")
        text = "".join(self.page("info", graph).text)
        for words in ("Degrees", "Distances", "Components", "within"):
            self.assertIn(words, text)
        self.assertIn("What schedules would do", self.page("explain", "pr", graph).text)
        bench = self.page("bench", "presets", graph, "-a", "sssp,mst", "--plans", "baseline;cusha-cw", "--repeats",
                          "1", "--sources", "0")
        self.assertIn("cusha-cw", bench.text)
        self.assertTrue(any("refused" in text for text in bench.text))
        bench = self.page("bench", graph, "-a", "pr,cc", "--plans", "auto;ws", "-r", "1", "--sources", "0", "--device",
                          "cpu")
        self.assertEqual([text for text in bench.text if text in ("auto", "ws")], ["auto", "ws"] * 2,
                         "bars of plans have their names")

    def test_approximate_results_are_marked(self):
        graph = self.graph("rmat", "--scale", "8")
        self.assertIn("approximate", self.page("pr", graph, "--max-error", "0.01").text)
        self.assertNotIn("approximate", self.page("pr", graph).text)
        bench = self.page("bench", graph, "-a", "pr", "-r", "1", "--approximate", "--sweep", "--plan", "baseline")
        self.assertTrue(any("inaccuracy" in text for text in bench.text))
        self.heddle("pr", graph, "--max-error", "0.01", "--output", self.path("x.npy"))
        with open(self.path("x.npy"), "rb") as file:
            self.assertIn(b"[('approximate_value', '<f4')]", file.read(128))
        bare = self.heddle("pr", graph, "--max-error", "0.01", "--top", "2", "--quiet").out
        self.assertNotIn(b"#", bare, "--quiet: rows alone")
        rows = self.heddle("pr", graph, "--max-error", "0.01", "--output", "-", "--quiet").out
        self.assertNotIn(b"#", rows, "--quiet: rows alone")
        marked = self.heddle("pr", graph, "--max-error", "0.01", "--output", "-").out
        self.assertEqual(marked.split(b"\n", 1)[1], rows, "one mark, before all rows")
        self.assertTrue(marked.startswith(b"# approximate: pr, error at most 0.0"))
        top = self.heddle("pr", graph, "--max-error", "0.01", "--top", "2").out
        self.assertRegex(top, rb"^# approximate: pr, error at most 0.0[0-9]*\n[0-9]+\t")

    def test_small_and_empty_graphs(self):
        for name, text in (("empty", "0 0 0\n"), ("one", "1 1 0\n"), ("loop", "1 1 1\n1 1\n"), ("two", "2 2 1\n1 2\n")):
            path = self.write(name + ".mtx", "%%MatrixMarket matrix coordinate pattern general\n" + text)
            for command in (("info",), ("bfs",), ("pr",), ("mst",), ("explain", "bfs")):
                with self.subTest((name, command)):
                    self.page(*command, path)

    def test_labels_are_only_text(self):
        labels = ["<script>alert(1)</script>", "a&b", 'x"><img', "x\u009b31my", "\u202eback", "caf\u00e9"]
        self.write("g.tsv", "".join(f"{a}\t{b}\n" for a in labels for b in labels if a != b))
        reader = self.page("pr", self.path("g.tsv"), "--ids", "string")
        text = "".join(reader.text)
        for label in ("<script>alert(1)</script>", "a&b", 'x"><img', "caf\u00e9"):
            self.assertIn(label, text)
        self.assertNotIn("\u009b", text)  # control characters are shown as such
        self.assertIn("x\ufffd31my", text)
        self.assertNotIn("img", reader.tags)

    def test_names_of_files_are_only_text(self):
        path = self.write("<b>&'.txt", "0 1\n1 2\n")
        reader = self.page("cc", path)
        self.assertNotIn("b", reader.tags)
        self.assertIn("cc on <b>&'.txt", reader.text)

    def test_the_result_comes_first(self):
        graph, page = self.write("g.txt", "1 2 3\n2 3 4\n3 5 1\n"), self.path("p.html")
        self.heddle("sssp", graph, "--source", 1, "--path-to", 3, "--report", page, "-q")
        text = self.read("p.html").decode()
        found = [text.index(part) for part in (">source<", "The path to 3", "3 vertices, distance 7.",
                                               "The farthest vertices", ">compute<", "<th>round")]
        self.assertEqual(found, sorted(found), "source, path and values stand before the rounds")

    def distribution(self, *arguments):
        """The titles of the bars, and the words above them."""
        self.page(*arguments)
        text = self.read("page.html").decode()
        at = text.find("<h2>Distribution of ")
        if at < 0:
            return None, None
        section = text[at:text.index("</section>", at)]
        return re.findall("<title>(.*?)</title>", section), re.search('<p class="says">(.*?)</p>', section)[1]

    def test_the_distribution_of_values(self):
        tree = self.write("t.txt", "0 1\n0 2\n1 3\n2 3\n3 4\n9 0\n")
        bars, says = self.distribution("bfs", tree, "--source", "0", "-q")
        self.assertEqual(bars, ["0: 1 vertex", "1: 2 vertices", "2: 1 vertex", "3: 1 vertex"])
        self.assertEqual(says, "How many vertices have which distance in edges. Not reached: 1 vertex.")
        self.assertEqual(self.distribution("pr", self.write("c.txt", "0 1\n1 2\n2 0\n"), "-q"), (None, None),
                         "all equal")
        self.assertEqual(self.distribution("cc", self.write("k.txt", "0 1\n2 3\n4 5\n5 6\n"), "-q")[0],
                         ["2: 2 groups", "3: 1 group"])
        far = self.write("f.txt", "0 1 1\n1 2 2000\n2 3 0.5\n")
        bars, says = self.distribution("sssp", far, "--source", "0", "-q")
        self.assertIn("Not shown: 1 vertex with 0.", says, "the axis is logarithmic")
        self.assertEqual([bar.split(": ")[1] for bar in bars], ["1 vertex", "2 vertices"])
        self.assertEqual(len(self.distribution("mst", far, "-q")[0]), 3)
        graph = self.graph("rmat", "--scale", "10")
        bars, says = self.distribution("pr", graph, "-q")
        self.assertLessEqual(len(bars), 24)
        self.assertEqual(sum(int(bar.split(": ")[1].split()[0].replace(",", "")) for bar in bars), 1024)

    def test_many_rounds_stay_small(self):
        path = self.graph("path", "-n", "100000")
        self.page("bfs", path, "--source", "0")

    def test_written_whole_or_not_at_all(self):
        graph = self.graph("path", "-n", "10")
        self.fails(3, "cc", graph, "--report", self.path("no/page.html"))
        self.assertIn("needs a file", self.fails(2, "cc", graph, "--report", "-"))
        self.assertIn("needs a file", self.fails(2, "info", graph, "--report", "-"))
        self.assertEqual([name for name in os.listdir(self.folder) if "page" in name], [])


if __name__ == "__main__":
    support.main()
