"""heddle generate: every kind against its formula, options, weights, seeds, threads."""
import json

import support


class Kinds(support.Case):
    def make(self, kind, *arguments):
        file = self.path("g.hdl")
        report = json.loads(self.heddle("generate", kind, file, "--json", *arguments).out)
        info = self.info(file)
        self.assertEqual(report["kind"], kind)
        for key in ("vertices", "edges", "directed", "weighted"):
            self.assertEqual(report[key], info[key], key)
        self.assertEqual(set(report["phases"]), {"generate", "write"})
        return info

    def shape(self, kind, *arguments):
        info = self.make(kind, *arguments)
        return info["vertices"], info["edges"], info["directed"], info["components"]

    def test_rmat(self):
        info = self.make("rmat", "--scale", "12", "--degree", "8")
        self.assertEqual((info["vertices"], info["edges"], info["directed"]), (4096, 8 * 4096, True))
        self.assertGreater(info["gini"], 0.5)
        flat = self.make("rmat", "--scale", "12", "--degree", "8", "--a", ".25", "--b", ".25", "--c", ".25")
        self.assertLess(flat["gini"], 0.3)

    def test_rmat_scramble(self):
        self.make("rmat", "--scale", "12", "--no-scramble")
        plain = self.info(self.path("g.hdl"))
        self.assertEqual(plain["max_out_id"], 0)
        scrambled = self.make("rmat", "--scale", "12")
        self.assertEqual(plain["degree_histogram"], scrambled["degree_histogram"])

    def test_uniform(self):
        info = self.make("uniform", "--vertices", "5000", "--degree", "10")
        self.assertEqual((info["vertices"], info["edges"], info["directed"]), (5000, 50000, True))
        self.assertLess(info["gini"], 0.3)
        self.assertEqual(self.make("uniform", "--scale", "10", "--degree", "2.5")["edges"], 2560)

    def test_grid(self):
        self.assertEqual(self.shape("grid", "--width", "7", "--height", "5"), (35, 2 * (6 * 5 + 7 * 4), False, 1))
        self.assertEqual(self.shape("grid", "--width", "4", "--height", "3", "--depth", "2"),
                         (24, 2 * (3 * 3 * 2 + 4 * 2 * 2 + 4 * 3), False, 1))
        self.assertEqual(self.shape("grid", "--width", "1", "--height", "1"), (1, 0, False, 1))
        self.assertEqual(self.make("grid", "--width", "30", "--height", "20")["estimated_diameter"], 48)

    def test_road(self):
        self.assertEqual(self.shape("road", "--width", "7", "--height", "5", "--probability", "0"),
                         (35, 2 * (6 * 5 + 7 * 4), False, 1))
        self.assertEqual(self.shape("road", "--width", "7", "--height", "5", "--probability", "1"), (35, 0, False, 35))
        info = self.make("road", "--width", "100", "--height", "100", "--probability", "0.2")
        self.assertAlmostEqual(info["edges"] / (4 * 99 * 100), 0.8, delta=0.03)

    def test_smallworld(self):
        ring = self.make("smallworld", "--vertices", "1000", "--degree", "6", "--probability", "0")
        self.assertEqual((ring["vertices"], ring["edges"], ring["directed"]), (1000, 6000, False))
        self.assertEqual(ring["max_out_degree"], 6)
        world = self.make("smallworld", "--vertices", "1000", "--degree", "6", "--probability", "0.2")
        self.assertEqual((world["vertices"], world["directed"]), (1000, False))
        self.assertLess(world["estimated_diameter"], ring["estimated_diameter"] / 4)

    def test_barabasi(self):
        info = self.make("barabasi", "--vertices", "5000", "--degree", "3")
        self.assertEqual((info["vertices"], info["edges"], info["directed"]), (5000, 2 * 3 * (5000 - 3), False))
        self.assertEqual((info["components"], info["duplicate_edges"], info["self_loops"]), (1, 0, 0))
        self.assertGreater(info["max_out_degree"], 100)

    def test_blockmodel(self):
        info = self.make("blockmodel", "--vertices", "4000", "--blocks", "8", "--degree", "10", "--probability", "0")
        self.assertEqual((info["vertices"], info["components"], info["largest_component"]), (4000, 8, 500))
        self.assertAlmostEqual(info["edges"] / 4000, 10, delta=0.3)
        info = self.make("blockmodel", "--blocks", "10,20,30", "--rates", "1,0")
        self.assertEqual((info["vertices"], info["edges"]), (60, 10 * 9 + 20 * 19 + 30 * 29))
        info = self.make("blockmodel", "--blocks", "10,20", "--rates", "0,1,1,0")
        self.assertEqual((info["edges"], info["duplicate_edges"], info["components"]), (2 * 10 * 20, 0, 1))

    def test_configuration(self):
        self.make("barabasi", "--vertices", "3000", "--degree", "2")
        self.heddle("convert", self.path("g.hdl"), self.path("model.hdl"))
        model, info = self.info(self.path("model.hdl")), self.make("configuration", "--degrees-of",
                                                                     self.path("model.hdl"))
        self.assertEqual(info["vertices"], model["vertices"])
        self.assertEqual(info["edges"] + info["self_loops"], model["edges"])
        self.assertGreater(info["components"], 1)
        self.heddle("generate", "rmat", self.path("model.hdl"), "--scale", "9")
        model, info = self.info(self.path("model.hdl")), self.make("configuration", "--degrees-of",
                                                                     self.path("model.hdl"))
        for key in ("vertices", "edges", "directed", "degree_histogram", "max_in_degree"):
            self.assertEqual(info[key], model[key], key)

    def test_simple_kinds(self):
        self.assertEqual(self.shape("star", "--vertices", "1000"), (1000, 1998, False, 1))
        self.assertEqual(self.shape("path", "--vertices", "1000"), (1000, 1998, False, 1))
        self.assertEqual(self.shape("clique", "--vertices", "50"), (50, 50 * 49, False, 1))
        self.assertEqual(self.shape("tree", "--vertices", "1000", "--branching", "3"), (1000, 1998, False, 1))
        for kind in ("star", "path", "clique", "tree"):
            self.assertEqual(self.shape(kind, "--vertices", "1"), (1, 0, False, 1), kind)

    def test_no_kind_has_loops_that_its_definition_lacks(self):
        for kind in ("grid", "road", "smallworld", "star", "path", "clique", "tree"):
            sizes = ["--width", "20", "--height", "20"] if kind in ("grid", "road") else ["--vertices", "200"]
            info = self.make(kind, *sizes)
            self.assertEqual(info["self_loops"], 0, kind)
            if kind != "smallworld":  # rewired edges may meet
                self.assertEqual(info["duplicate_edges"], 0, kind)

    def test_build_options(self):
        info = self.make("rmat", "--scale", "10", "--symmetrize", "--no-loops", "--dedup", "--no-isolated")
        self.assertFalse(info["directed"])
        self.assertEqual((info["self_loops"], info["duplicate_edges"], info["isolated"]), (0, 0, 0))


class Values(support.Case):
    def test_whole_weights(self):
        self.heddle("generate", "uniform", self.path("g.hdl"), "--scale", "12", "--weights", "3..10")
        info = self.info(self.path("g.hdl"))
        self.assertEqual((info["weight_type"], info["weight_min"], info["weight_max"]), ("u32", 3, 10))
        self.heddle("generate", "uniform", self.path("n.hdl"), "--scale", "12", "--weights=-5:5")
        info = self.info(self.path("n.hdl"))
        self.assertEqual((info["weight_type"], info["weight_min"], info["weight_max"]), ("i32", -5, 5))

    def test_real_weights(self):
        for arguments in (["--weights", "0.0..1.0"], ["--weights", "0..1", "--real-weights"], ["--weights", "0.:1"]):
            self.heddle("generate", "uniform", self.path("g.hdl"), "--scale", "10", *arguments)
            info = self.info(self.path("g.hdl"))
            self.assertEqual(info["weight_type"], "f32", arguments)
            self.assertGreaterEqual(info["weight_min"], 0)
            self.assertLessEqual(info["weight_max"], 1)
            self.assertGreater(info["weight_max"], info["weight_min"])

    def test_weights_of_undirected_graphs_agree(self):
        self.heddle("generate", "grid", self.path("g.hdl"), "--width", "9", "--height", "9", "--weights", "1..1000")
        arcs = {arc[:2]: arc[2] for arc in self.arcs(self.path("g.hdl"))}
        for (source, target), weight in arcs.items():
            self.assertEqual(arcs[target, source], weight)

    def test_bad_ranges(self):
        for text in ("5", "9..1", "a..b", "1..", "..1", "1...2", "nan..1", "1..inf"):
            words = self.fails(2, "generate", "path", self.path("g.hdl"), "--weights", text)
            self.assertIn("found '%s', expected MIN..MAX" % text, words)
        self.fails(2, "generate", "path", self.path("g.hdl"), "--real-weights")
        self.assertEqual(self.files(), [])

    def test_seeds(self):
        for kind in ("rmat", "uniform", "road", "smallworld"):
            sizes = ["--width", "30", "--height", "30"] if kind == "road" else ["--scale", "8"]
            for name, seed in (("a", 1), ("b", 1), ("c", 2)):
                self.heddle("generate", kind, self.path(name + ".hdl"), "--seed", seed, "--weights", "1..9", *sizes)
            self.assertEqual(self.read("a.hdl"), self.read("b.hdl"), kind)
            self.assertNotEqual(self.read("a.hdl"), self.read("c.hdl"), kind)

    def test_same_bytes_for_any_number_of_threads(self):
        for kind, sizes in (
            ("rmat", ["--scale", "13"]), ("uniform", ["--scale", "13"]), ("grid", ["--width", "70", "--height", "90"]),
            ("road", ["--width", "90", "--height", "70"]), ("smallworld", ["--scale", "13"]),
            ("star", ["--vertices", "20K"]), ("path", ["--vertices", "20K"]), ("clique", ["--vertices", "300"]),
            ("tree", ["--vertices", "20K"]), ("barabasi", ["--scale", "12"]),
            ("blockmodel", ["--scale", "13", "--blocks", "5"]),
            ("blockmodel", ["--blocks", "300,20", "--rates", ".3,.1"]),
        ):
            seen = set()
            for threads in (1, 2, 7):
                self.heddle("generate", kind, self.path("g.hdl"), "-t", threads, "--weights", "1..99", *sizes)
                seen.add(self.read("g.hdl"))
            self.assertEqual(len(seen), 1, kind)


class Usage(support.Case):
    def test_unknown_kind(self):
        words = self.fails(2, "generate", "gird", self.path("g.hdl"))
        self.assertIn("unknown kind of graph 'gird'; did you mean 'grid'?", words)

    def test_options_that_a_kind_does_not_read(self):
        for kind, option in (("grid", "--scale"), ("rmat", "--width"), ("star", "--depth"), ("path", "--branching")):
            words = self.fails(2, "generate", kind, self.path("g.hdl"), option, "1")
            self.assertIn("%s means nothing to '%s'" % (option, kind), words)
        self.fails(2, "generate", "grid", self.path("g.hdl"), "--no-scramble")

    def test_impossible_shapes(self):
        for arguments in (["rmat", "--a", "0.9", "--b", "0.9"], ["grid", "--width", "0"], ["clique", "--vertices", "0"],
                          ["rmat", "--degree", "-1"], ["rmat", "--scale", "99"], ["barabasi", "--degree", "2.5"],
                          ["barabasi", "--vertices", "3", "--degree", "3"], ["configuration"],
                          ["blockmodel", "--blocks", "10,0"], ["blockmodel", "--blocks", "3,4", "--rates", "1,2"],
                          ["blockmodel", "--blocks", "3,4", "--rates", "1,.5,.2,1"], ["blockmodel", "--blocks", "3,x"],
                          ["blockmodel", "--blocks", "3,4", "--rates", "1,.5,.2"],
                          ["blockmodel", "--vertices", "10", "--degree", "50"]):
            self.fails(2, "generate", arguments[0], self.path("g.hdl"), *arguments[1:])
        self.assertEqual(self.files(), [])

    def test_output(self):
        self.assertIn("--to", self.fails(2, "generate", "path", "-"))
        self.fails(2, "generate", "path", self.path("no-suffix"))
        out = self.heddle("generate", "path", "-", "--vertices", "3", "--to", "mtx").out
        self.assertTrue(out.startswith(b"%%MatrixMarket"))
        result = self.heddle("generate", "star", self.path("g.hdl"), "--vertices", "4")
        self.assertEqual(result.out, b"")
        self.assertRegex(result.err, r"\Aheddle: wrote .*g\.hdl: 4 vertices, 3 edges \(6 arcs\), .*"
                                     r"\(generate .*, write .*\)\n\Z")


if __name__ == "__main__":
    support.main()
