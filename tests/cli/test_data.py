"""The real graphs in the folder that $HEDDLE_TEST_DATA names, against the counts in its README.md."""
import gzip
import os
import re

import support

FOLDER = os.environ.get("HEDDLE_TEST_DATA", "")
COMPONENTS = {"luxembourg_osm.mtx.gz": 1, "osm-greater-tokyo.gr.zst": 1, "osm-japan-cities.mtx.zst": 15594}


def table():
    """The lines of the README's table: {file: {column: text}}; and what it says about each file."""
    if not FOLDER:
        return {}
    try:
        with open(os.path.join(FOLDER, "README.md"), encoding="utf-8") as file:
            text = file.read()
    except OSError:
        return {}
    lines = [line.strip().strip("|") for line in text.splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in line.split("|")] for line in lines]
    files = {row[0]: dict(zip(rows[0], row)) for row in rows[2:]}
    for name, row in files.items():
        found = re.search(r"### %s\n(.*?)(?=\n### |\Z)" % re.escape(name), text, re.S)
        row["about"] = found.group(1) if found else ""
    return files


def number(text):
    return int(text.replace(",", ""))


class RealGraphs(support.Case):
    def setUp(self):
        super().setUp()
        self.table = table()
        if not self.table:
            self.skipTest("HEDDLE_TEST_DATA names no folder with real graphs")
        self.packers = {".gz": support.built_in("zlib"), ".zst": support.built_in("zstd")}

    def files(self):
        """Those that are there; what this build cannot unpack is unpacked here, or left out."""
        for name, row in self.table.items():
            path = os.path.join(FOLDER, name)
            plain, suffix = os.path.splitext(name)
            if not os.path.exists(path):
                continue
            if self.packers.get(suffix, True):
                yield name, path, row
            elif suffix == ".gz":
                with gzip.open(path) as file:
                    yield name, self.write(plain, file.read()), row

    def test_counts(self):
        for name, path, row in self.files():
            with self.subTest(name):
                once = row["directed"] == "undirected, each pair once"
                info = self.info(path, *["--symmetrize"] * once)
                self.assertEqual(info["vertices"], number(row["vertices"]))
                self.assertEqual(info["edges"] - info["duplicate_edges"], number(row["distinct arcs"]))
                if not info["duplicate_edges"]:
                    self.assertEqual(info["max_out_degree"], number(row["max out-degree"]))
                if row["directed"] == "directed":
                    self.assertEqual(info["edges"], number(row["edge lines"]))
                self.assertEqual(info["weighted"], row["weighted"] != "no")
                self.check_details(name, row["about"], info)

    def check_details(self, name, about, info):
        stated_undirected = re.search(r"pattern symmetric|integer symmetric|real symmetric|METIS;", about)
        once = "each pair once" in about
        self.assertEqual(info["directed"], not stated_undirected and not once)
        for key, pattern in (("self_loops", r"self loops ([\d,]+)"), ("max_in_degree", r"max in-degree ([\d,]+)")):
            found = re.search(pattern, about)
            if found and not (key == "max_in_degree" and info["duplicate_edges"]):
                self.assertEqual(info[key], number(found.group(1)), key)
        found = re.search(r"ids (\d+)\.\.(\d+)", about)
        if found:
            self.assertEqual((info["first_id"], info["last_id"]), (int(found.group(1)), int(found.group(2))))
        found = re.search(r"weighted: yes[^\[\n]*\[([-\d.]+),([-\d.]+)\]", about)
        if found:
            self.assertAlmostEqual(info["weight_min"], float(found.group(1)), places=5)
            self.assertAlmostEqual(info["weight_max"], float(found.group(2)), places=5)
        if name in COMPONENTS:
            self.assertEqual(info["components"], COMPONENTS[name])

    def test_dedup(self):
        for name, path, row in self.files():
            if row["edge lines"] != row["distinct arcs"] and row["directed"] == "directed":
                with self.subTest(name):
                    info = self.info(path, "--dedup")
                    self.assertEqual(info["edges"], number(row["distinct arcs"]))
                    self.assertEqual(info["max_out_degree"], number(row["max out-degree"]))

    def test_small_ones_survive_hdl(self):
        for name, path, _ in self.files():
            if os.path.getsize(path) < 100000:
                with self.subTest(name):
                    out = self.path("g.hdl")
                    self.heddle("convert", path, out)
                    self.assertEqual(self.graph(out), self.graph(path))


if __name__ == "__main__":
    support.main()
