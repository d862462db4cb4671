"""Words that people know lead to our commands; operands that were swapped are noticed."""
import json

import support


class Names(support.Case):
    def setUp(self):
        super().setUp()
        self.graph = self.write("g.txt", "0 1\n1 2\n2 0\n3 4\n")

    def test_names_of_the_field_run(self):
        for word, command in (("pagerank", "pr"), ("PageRank", "pr"), ("components", "cc"),
                              ("connected-components", "cc"), ("betweenness", "bc"), ("dijkstra", "sssp"),
                              ("shortest_paths", "sssp"), ("triangles", "tc"), ("triangle-count", "tc"),
                              ("clustering_coefficient", "lcc"), ("coreness", "kcore"), ("k-core", "kcore"),
                              ("jaccard", "similar"), ("degrees", "degree"), ("biconnected_components", "biconnected"),
                              ("articulation-points", "articulation"), ("topological_sort", "toposort"),
                              ("node2vec", "walks"),
                              ("label-propagation", "cdlp"), ("closeness_centrality", "closeness"),
                              ("harmonic-centrality", "harmonic"), ("diameter", "eccentricity"),
                              ("eigenvector-centrality", "eigenvector"),
                              ("katz_centrality", "katz"), ("multilevel", "louvain"),
                              ("minimum-spanning-tree", "mst"), ("breadth-first-search", "bfs")):
            with self.subTest(word):
                same = self.heddle(command, self.graph, "-q", "-o", "-").out
                self.assertEqual(self.heddle(word, self.graph, "-q", "-o", "-").out, same)
                self.assertIn(b"Usage: heddle " + command.encode(), self.heddle("help", word).out)
        self.assertIn(b"sssp", self.heddle("explain", "dijkstra", self.graph).out)

    def test_labels_that_would_end_a_row_are_quoted(self):
        path = self.write("g.json", json.dumps({"nodes": [{"id": "a"}, {"id": "new\nline"}, {"id": "tab\there"}],
                                                "links": [{"source": "a", "target": "new\nline"},
                                                          {"source": "a", "target": "tab\there"}]}))
        rows = self.heddle("bfs", path, "--source", "a", "--top", "3", "--quiet").out
        self.assertEqual(rows, b'"new\nline"\t1\n"tab\there"\t1\na\t0\n')
        self.assertEqual(sorted(self.heddle("bfs", path, "--source", "a", "--quiet", "-o", "-").out), sorted(rows))

    def test_words_that_remind(self):
        for word, command in (("shortest", "sssp"), ("connected", "cc"), ("spanning", "mst"), ("stats", "info"),
                              ("centrality", "bc"), ("triangle", "tc"), ("clustering", "lcc"),
                              ("degeneracy", "kcore"), ("pagrank", "pagerank"), ("picture", "draw")):
            with self.subTest(word):
                self.assertIn(f"did you mean '{command}'?", self.fails(2, word, self.graph))

    def test_words_without_a_command(self):
        self.assertIn("did you mean 'louvain' or 'leiden'?", self.fails(2, "communities", self.graph))
        for word, words in (("max-flow", "are not available"), ("sample", "there is no command that samples"),
                            ("cliques", "are not available")):
            with self.subTest(word):
                self.assertIn(f"unknown command '{word}': ", self.fails(2, word, self.graph))
                self.assertIn(words, self.fails(2, word, self.graph))

    def test_the_overview_has_other_names(self):
        overview = " ".join(self.heddle("help").out.decode().split())
        for words in ("pagerank (pr)", "dijkstra (sssp)", "betweenness (bc)", "diameter (eccentricity)"):
            self.assertIn(words, overview)

    def test_swapped_operands(self):
        program = self.write("p.c", "")
        for line, words in ((("run", self.graph, program), "heddle run "),
                            (("explain", self.graph, "pr"), "heddle explain pr ")):
            error = self.fails(2, *line)
            self.assertIn("their order is reversed", error)
            self.assertIn(words, error)
        self.assertIn("the command comes first", self.fails(2, self.graph, "pr"))


if __name__ == "__main__":
    support.main()
