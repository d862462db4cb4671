"""Edge lists that other programs wrote, read through the command: options about columns, and notes about guesses."""
import json
import re
import subprocess

import support


class EdgeLists(support.Case):
    def noted(self, content, *arguments):
        """The arcs, and what was noted."""
        path = self.write("g.csv", content)
        return self.arcs(path, *arguments), self.heddle("info", path, *arguments).err

    def test_headers(self):
        for header in ("user,item", "source_id,target_id", "u,v", "start,end", "from_node,to_node",
                       "follower,followee"):
            with self.subTest(header):
                arcs, words = self.noted(header + "\nann,bob\nbob,cy\n")
                self.assertEqual(arcs, [("ann", "bob"), ("bob", "cy")])
                self.assertIn("g.csv: the first line, '%s', is taken for a header" % header, words)
        arcs, words = self.noted("user,item\nann,bob\nbob,cy\n", "--header", "no")
        self.assertEqual(len(arcs), 3)
        self.assertNotIn("header", words)
        arcs, words = self.noted("ann,bob\nbob,cy\n", "--header=yes")
        self.assertEqual(arcs, [("bob", "cy")])

    def test_two_kinds_of_vertices(self):
        """User 1 and film 1 are one vertex: a note says so, and its advice keeps them apart."""
        for header in ("userId,movieId", "user_id,item_id", "User,Item", "customerID,productID"):
            with self.subTest(header):
                words = self.noted(header + ",rating\n1,1,4.0\n1,3,4.5\n2,1,5\n")[1]
                self.assertIn("equal ids in the columns '%s' and '%s' are one vertex" % tuple(header.split(",")), words)
        prefixed = subprocess.run(["sed", re.search(r"as sed '(.*)' IN", words).group(1), self.path("g.csv")],
                                  stdout=subprocess.PIPE, check=True).stdout.decode()
        arcs, words = self.noted(prefixed)
        self.assertEqual([arc[:2] for arc in arcs], [("u1", "\"1\""), ("u1", "\"3\""), ("u2", "\"1\"")])
        self.assertNotIn("one vertex", words)
        for header in ("source_id,target_id", "user1,user2", "followerId,followeeId", "from,to", "x,y"):
            with self.subTest(header):
                self.assertNotIn("one vertex", self.noted(header + "\n1,1\n1,3\n2,1\n")[1])

    def test_columns(self):
        content = "no,to,from,miles\n1,ann,bob,5\n2,bob,cy,6\n"
        self.assertEqual(self.noted(content)[0], [("bob", "ann", "5"), ("cy", "bob", "6")])
        self.assertEqual(self.noted(content, "--columns", "source=to,target=from,weight=miles")[0],
                         [("ann", "bob", "5"), ("bob", "cy", "6")])
        self.assertEqual(self.noted(content, "--columns", "source=2,target=3,weight=1")[0],
                         [("ann", "bob", "1"), ("bob", "cy", "2")])
        path = self.path("g.csv")
        self.assertIn("a header with a column 'kind'", self.fails(3, "info", path, "--columns", "weight=kind"))
        self.assertIn("expected source=COLUMN", self.fails(2, "info", path, "--columns", "colour=1"))

    def test_delimiter(self):
        for name, character in (("pipe", "|"), ("|", "|"), ("tab", "\t"), ("semicolon", ";"), ("space", " ")):
            with self.subTest(name):
                content = "a{0}b{0}5\nb{0}c{0}6\n".format(character)
                self.assertEqual(self.noted(content, "--delimiter", name)[0], [("a", "b", "5"), ("b", "c", "6")])
        for bad in ("x", "ab", "\"", "", "5"):
            self.assertIn("--delimiter", self.fails(2, "info", self.path("g.csv"), "--delimiter", bad))
        matrix = self.write("g.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n")
        self.assertIn("is for edge lists", self.fails(2, "info", matrix, "--delimiter", ";"))

    def test_decimal_commas(self):
        arcs, words = self.noted("1;2;0,5\n2;3;1,25\n")
        self.assertEqual(arcs, [("1", "2", "0.5"), ("2", "3", "1.25")])
        self.assertIn("decimal commas", words)

    def test_undirected(self):
        content = "# Undirected graph: x\n1 2\n2 3\n"
        self.assertIn("--symmetrize (or --undirected)", self.noted(content)[1])
        arcs, words = self.noted(content, "--undirected")
        self.assertEqual(len(arcs), 4)
        self.assertEqual(words, "")

    def test_number_of_vertices(self):
        for content in ("", "# no edges\n"):
            path = self.write("none.txt", content)
            report = self.heddle("info", path, "--vertices", "3")
            self.assertIn("there are no edges in it", report.err)
            self.assertRegex(report.out, rb"vertices +3\n")
        self.assertIn("the file is empty", self.fails(3, "info", self.write("none.txt", "")))
        path = self.write("padded.txt", "1 2\n007 2\n")
        self.assertIn("padded.txt:2:1: found '007', expected an id without leading zeros",
                      self.fails(3, "info", path, "--vertices", "9"))
        self.assertRegex(self.heddle("info", path, "--vertices", "9", "--ids", "int").out, rb"vertices +9\n")

    def test_labels_that_are_not_utf8(self):
        path = self.write("latin.csv", b"Zo\xeb,Ren\xe9\nRen\xe9,Bob\n")
        words = self.heddle("cc", path, "-o", self.path("r.json")).err
        self.assertEqual(words.count("latin.csv: labels are not UTF-8, perhaps Latin-1: iconv"), 1)
        rows = json.loads(self.read("r.json").decode("utf-8"))["rows"]
        self.assertEqual([row[0] for row in rows], ["Zo\ufffd", "Ren\ufffd", "Bob"])
        self.heddle("cc", path, "-o", self.path("r.tsv"))
        self.assertTrue(self.read("r.tsv").startswith(b"Zo\xeb\t"))
        path = self.write("utf8.csv", "Zo\u00eb,\U0001f9f5 \"x\"\n".encode())
        self.assertNotIn("UTF-8", self.heddle("cc", path, "-o", self.path("r.json")).err)
        rows = json.loads(self.read("r.json").decode("utf-8"))["rows"]
        self.assertEqual([row[0] for row in rows], ["Zo\u00eb", "\U0001f9f5 \"x\""])

    def test_missing_weights(self):
        for content in ("source,target,weight\na,b,5\nb,c,\n", "source,target,weight\na,b,5\nb,c,NA\n"):
            path = self.write("missing.csv", content)
            for command in ("cc", "pr", "bfs"):
                words = self.heddle(command, path).err
                self.assertIn("missing.csv:3:", words)
                self.assertIn("no weights are read, since %s does not use them" % command, words)
            for arguments in (("sssp", path), ("pr", path, "--weighted"), ("cc", path, "--weight-column", "3")):
                self.assertIn("missing.csv:3:", self.fails(3, *arguments))
        self.assertIn("missing.csv:3:", self.fails(3, "info", path))

    def test_times(self):
        self.assertIn("--weight-column none", self.noted("1 2 1217567877\n2 3 1217560000\n")[1])
        self.assertEqual(self.noted("1 2 1217567877\n2 3 1217560000\n", "--weight-column", "none")[1], "")

    def test_vertices_from(self):
        names = self.write("v.txt", "ann\nzed\n")
        graph = self.write("g.txt", "ann bob\nbob ann\n")
        self.assertEqual(self.info(graph, "--vertices-from", names)["vertices"], 3)
        values = self.heddle("bfs", graph, "--vertices-from", names, "--source", "ann", "--output", "-", "--quiet").out
        self.assertEqual(values.decode().split(), ["ann", "0", "bob", "1", "zed", "inf"])
        numbers = self.write("n.txt", "7\n9\n")
        self.assertEqual(self.info(self.write("h.txt", "1 2\n"), "--vertices-from", numbers)["vertices"], 4)
        self.assertIn("cannot open", self.fails(3, "info", graph, "--vertices-from", self.path("none")))

    def test_round_trip_of_odd_labels(self):
        """What is written is read back: pairs of their own in the first line, quotes, blanks, words of headers."""
        for first in ("x\ty", "from\tto", "a\"b\t\"c \"\"d\"\"\"", "\"p;q\"\tr"):
            with self.subTest(first):
                graph = self.write("g.tsv", "# FromNodeId\tToNodeId\n%s\na\tb\nb\ta\n" % first)
                before = self.arcs(graph, "--header", "no")
                for name in ("out.tsv", "out.csv"):
                    self.heddle("convert", graph, self.path(name), "--header", "no", "--quiet")
                    self.assertEqual(self.arcs(self.path(name)), before, name)


if __name__ == "__main__":
    support.main()
