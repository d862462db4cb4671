"""heddle draw: valid SVG and pages, the same for any number of threads, with neighbours near each other."""
import json
import re
import unittest
import xml.etree.ElementTree as tree

import support

SVG = "{http://www.w3.org/2000/svg}"


class Draw(support.Case):
    def draw(self, graph, *options, name="d.svg"):
        """The root of the drawing, and the report."""
        report = json.loads(self.heddle("draw", graph, self.path(name), "--json", *options).out)
        return tree.fromstring(self.read(name)) if name.endswith(".svg") else None, report

    def generate(self, kind, *options):
        path = self.path(kind + ".hdl")
        self.heddle("generate", kind, path, *options, "-q")
        return path

    def test_a_drawing(self):
        root, report = self.draw("example:lesmis", "--weighted")
        self.assertEqual(root.tag, SVG + "svg")
        circles = [c for c in root.iter(SVG + "circle") if c.find(SVG + "title") is not None]
        self.assertEqual(len(circles), 77)
        _, _, width, height = map(float, root.get("viewBox").split())
        for circle in circles:
            self.assertTrue(0 < float(circle.get("cx")) < width and 0 < float(circle.get("cy")) < height)
        self.assertIn("Valjean", [text.text for text in root.iter(SVG + "text")])
        self.assertEqual((report["drawn"]["vertices"], report["drawn"]["edges"]), (77, 254))
        lines = "".join(path.get("d") for path in root.iter(SVG + "path"))
        self.assertEqual(lines.count("L"), 254)

    def test_the_same_bytes(self):
        graph = self.generate("rmat", "--scale", "11", "--degree", "4")
        for name, options in (("one.svg", ["--threads", "1"]), ("four.svg", ["--threads", "4"]),
                              ("other.svg", ["--seed", "7"])):
            self.draw(graph, *options, name=name)
        self.assertEqual(self.read("one.svg"), self.read("four.svg"), "with 1 and 4 threads")
        self.assertNotEqual(self.read("one.svg"), self.read("other.svg"), "with another seed")

    def test_neighbours_are_near(self):
        for kind, options, least in (("path", ["--vertices", "300"], 60),
                                     ("grid", ["--width", "30", "--height", "30"], 12),
                                     ("tree", ["--vertices", "500"], 4)):
            with self.subTest(kind):
                _, report = self.draw(self.generate(kind, *options))
                drawn = report["drawn"]
                self.assertGreater(drawn["pair_distance"] / drawn["edge_length"], least,
                                   "any two vertices are far apart, measured in edges")

    def test_components_do_not_overlap(self):
        graph = self.write("g.txt", "".join(f"{i} {i - i % 4 + (i + 1) % 4}\n" for i in range(40)))  # 10 squares
        root, report = self.draw(graph, "--color", "component")
        self.assertEqual(report["drawn"]["components"], 10)
        boxes = {}
        for circle in root.iter(SVG + "circle"):
            if circle.find(SVG + "title") is not None:
                square = int(circle.find(SVG + "title").text) // 4
                boxes.setdefault(square, []).append((float(circle.get("cx")), float(circle.get("cy"))))
        frames = [(min(x for x, _ in b), max(x for x, _ in b), min(y for _, y in b), max(y for _, y in b))
                  for b in boxes.values()]
        for i, a in enumerate(frames):
            for b in frames[:i]:
                self.assertTrue(a[1] < b[0] or b[1] < a[0] or a[3] < b[2] or b[3] < a[2], (a, b))

    def test_a_page(self):
        self.draw("example:karate", name="k.html")
        text = self.read("k.html").decode()
        self.assertIn('<svg xmlns="http://www.w3.org/2000/svg" class="graph"', text)
        self.assertIn("heddle draw example:karate", text)
        self.assertEqual(re.findall(r"<script|<link|src=", text), [])

    def test_by_communities(self):
        graph = self.generate("smallworld", "--scale", "11", "--degree", "6")
        root, report = self.draw(graph, "--form", "communities")
        self.assertEqual(report["drawn"]["form"], "communities")
        shown = [c for c in root.iter(SVG + "circle") if c.find(SVG + "title") is not None]
        self.assertEqual(len(shown), report["drawn"]["communities"])
        self.assertTrue(2 < len(shown) < 500, len(shown))

    def test_many_vertices_are_few_elements(self):
        root, report = self.draw(self.generate("grid", "--width", "80", "--height", "60"))
        dots = sum(path.get("d").count("h0") for path in root.iter(SVG + "path"))
        self.assertEqual(dots, 4800)
        self.assertLess(len(list(root.iter())), 1000)
        self.assertEqual(report["drawn"]["edges"], 80 * 59 + 79 * 60)

    def test_small_graphs(self):
        for name, text in (("empty", "0 0 0\n"), ("one", "1 1 0\n"), ("loop", "1 1 1\n1 1\n"), ("two", "2 2 1\n1 2\n"),
                           ("twice", "2 2 3\n1 2\n1 2\n2 1\n")):
            graph = self.write(name + ".mtx", "%%MatrixMarket matrix coordinate pattern general\n" + text)
            for options in ([], ["--form", "communities"], ["--color", "none", "--size", "none"],
                            ["--color", "component", "--size", "rank"]):
                with self.subTest((name, options)):
                    _, report = self.draw(graph, *options)
                    edge = name in ("two", "twice") and "communities" not in options
                    self.assertEqual(report["drawn"]["edges"], edge)
                    self.assertNotIn(b"nan", self.read("d.svg"))

    def test_labels_are_only_text(self):
        labels = ["<b>", "a&b", 'x"><img', "x\u009b31my", "caf\u00e9" * 40]
        graph = self.write("g.tsv", "".join(f"{a}\t{b}\n" for a in labels for b in labels if a != b))
        root, _ = self.draw(graph, "--ids", "string")
        shown = {title.text for title in root.iter(SVG + "title")}
        self.assertLessEqual({"<b>", "a&b", 'x"><img', "x\ufffd31my"}, shown)
        self.assertTrue(any(re.fullmatch("(caf\u00e9)+c?a?f?\u00e9?\u2026", text) for text in shown), shown)
        self.draw(graph, "--ids", "string", name="d.html")
        self.assertNotIn(b"<img", self.read("d.html"))

    def test_refused(self):
        graph = self.write("g.txt", "1 2\n")
        self.assertIn("neither an .svg nor an .html file", self.fails(2, "draw", graph, self.path("d.png")))
        self.assertIn("cannot write", self.fails(3, "draw", graph, self.path("no/d.svg")))
        svg = self.write("g.svg", "1 2\n")
        self.assertIn("overwrite the graph", self.fails(2, "draw", svg, svg))
        self.assertEqual(self.read("g.svg"), b"1 2\n")


if __name__ == "__main__":
    support.main()
