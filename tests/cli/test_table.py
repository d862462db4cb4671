"""heddle table: columns as the algorithms' own commands give them, joined by id, in every format; names of rows."""
import ast
import csv
import io
import json
import struct
import unittest

import support


class Table(support.Case):
    def rows(self, text, gap="\t"):
        text = text.decode() if isinstance(text, bytes) else text
        return list(csv.reader(io.StringIO(text), delimiter=gap))

    def column(self, graph, *arguments):
        """{id: value} as the algorithm's own command writes it."""
        found = self.heddle(*arguments[:1], graph, *arguments[1:], "-o", "-", "-q").out.decode()
        return dict(self.rows(found))

    def test_columns_are_those_of_the_commands(self):
        for graph in ("example:karate", "example:lesmis"):
            out = self.heddle("table", graph, "--columns", "degree,pagerank,kcore,leiden,cc", "-q").out.decode()
            head, *rows = self.rows(out)
            self.assertEqual(head, ["id", "degree", "pagerank", "core", "community", "component"])
            for k, name in enumerate(("degree", "pr", "kcore", "leiden", "cc"), 1):
                self.assertEqual({row[0]: row[k] for row in rows}, self.column(graph, name), f"{name} of {graph}")

    def test_names_and_options(self):
        graph = self.write("g.csv", "src,dst\n1,2\n1,3\n3,1\n")
        columns = 'in=degree --direction in,out=degree --direction out,near=bfs --source "3"'
        head, *rows = self.rows(self.heddle("table", graph, "--columns", columns, "--verify").out.decode())
        self.assertEqual(head, ["id", "in", "out", "near"])
        self.assertEqual(rows, [["1", "1", "2", "1"], ["2", "1", "0", "2"], ["3", "1", "1", "0"]])
        head, *_ = self.rows(self.heddle("table", graph, "--columns", "louvain,leiden,cc").out.decode())
        self.assertEqual(head, ["id", "louvain", "leiden", "component"], "two would be called community")
        turned = self.heddle("table", graph, "--columns", "source=dst,target=src",
                             "--columns", "out=degree --direction out")
        self.assertEqual(self.rows(turned.out.decode())[1:], [["1", "1"], ["2", "1"], ["3", "1"]])

    def test_formats(self):
        columns = ("--columns", "degree,cc,pr", "-q")
        self.heddle("table", "example:lesmis", *columns, "-o", self.path("t.csv"))
        head, *rows = self.rows(self.read("t.csv"), ",")
        self.assertEqual(head, ["id", "degree", "component", "pagerank"])
        for name in ("t.tsv", "t.txt", *(["t.tsv.gz"] if support.built_in("zlib") else [])):
            self.heddle("table", "example:lesmis", *columns, "-o", self.path(name))
        self.assertEqual(self.rows(self.read("t.tsv")), [head, *rows])
        self.heddle("table", "example:lesmis", *columns, "-o", self.path("t.json"))
        made = json.loads(self.read("t.json"))
        self.assertEqual(made["columns"], head)
        self.assertEqual([[str(one) for one in row[:3]] for row in made["rows"]], [row[:3] for row in rows])
        self.heddle("table", "example:lesmis", *columns, "-o", self.path("t.npy"))
        with open(self.path("t.npy"), "rb") as file:
            content = file.read()
        length = struct.unpack("<H", content[8:10])[0]
        about, start = ast.literal_eval(content[10:10 + length].decode()), 10 + length
        longest = max(len(row[0].encode()) for row in rows)
        self.assertEqual([(name, kind[1:]) for name, kind in about["descr"]],
                         [("id", f"S{longest}"), ("degree", "u8"), ("component", f"S{longest}"), ("pagerank", "f4")])
        size = 2 * longest + 12
        self.assertEqual(len(content) - start, size * len(rows))
        for k, row in enumerate(rows):
            record = content[start + k * size:start + (k + 1) * size]
            self.assertEqual(record[:longest].rstrip(b"\0").decode(), row[0])
            self.assertEqual(struct.unpack("=q", record[longest:longest + 8])[0], int(row[1]))
            self.assertEqual(record[longest + 8:-4].rstrip(b"\0").decode(), row[2])

    def test_report(self):
        report = json.loads(self.heddle("table", "example:karate", "--columns", "degree,x=kcore", "--json", "-o",
                                        self.path("t.csv")).out)
        self.assertEqual([(one["name"], one["values"], one["algorithm"]) for one in report["columns"]],
                         [(None, "degree", "degree"), ("x", "core", "kcore")])
        self.assertEqual(report["vertices"], 34)

    def test_refusals(self):
        for words, columns, status in (("no algorithm 'degre'; did you mean 'degree'", "degree,degre", 2),
                                       ("a column is empty", "degree,,cc", 2), ("--columns is missing", None, 2),
                                       ("mst has no value for each vertex", "degree,mst", 2),
                                       ("two columns are called degree", "degree,degree", 2),
                                       ("two columns are called a", "a=degree,a=cc", 2),
                                       ("no name of a column", "id=degree", 2),
                                       ("--output is an option of the whole table", "degree --output x", 2),
                                       ("a column has no --dry-run", "cc --dry-run", 2),
                                       ("unknown option '--sauce'", "bfs --sauce 3", 2),
                                       ("'3' is no option of it", "bfs 3", 2)):
            with self.subTest(words):
                given = ["--columns", columns] if columns else []
                done = support.run("table", "example:karate", *given)
                self.assertEqual(done.status, status, done.err)
                self.assertIn(words, done.err)
                self.assertEqual(done.out, b"")

    def test_header_of_other_commands(self):
        for command, head in (("pr", "id\tpagerank"), ("mst", "source\ttarget\tweight"),
                              ("walks", "step0\tstep1\tstep2")):
            more = ("--length", "2") if command == "walks" else ()
            plain = self.heddle(command, "example:karate", *more, "-o", "-", "-q").out.decode()
            named = self.heddle(command, "example:karate", *more, "-o", "-", "-q", "--output-header").out.decode()
            self.assertEqual(named, head + "\n" + plain, command)
        named = self.heddle("bfs", "example:karate", "--source", "1", "--parents", "-o", "-", "-q", "--output-header")
        self.assertTrue(named.out.startswith(b"id\tdistance\tparent\n1\t0\t"), named.out[:40])


if __name__ == "__main__":
    unittest.main()
