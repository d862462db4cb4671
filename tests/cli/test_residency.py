"""Where edges lie: the plan key `residency`, --memory-limit, and what reports say of them."""
import json
import os
import unittest

import support


def has_opencl():
    devices = json.loads(support.run("devices", "--json").out)["devices"]
    return any(device["kind"] == "opencl" and device["found"] for device in devices)


class Residency(support.Case):
    def setUp(self):
        super().setUp()
        self.graph = self.path("g.hdl")
        self.heddle("generate", "rmat", self.graph, "--scale", "8", "--weights", "1..9", "--quiet")

    def report(self, *arguments):
        return json.loads(self.heddle(*arguments, "--json", "--quiet").out)

    def test_cpu(self):
        for arguments in ([], ["--plan", "residency=device"], ["--memory-limit", "1G"]):
            self.assertEqual(self.report("sssp", self.graph, *arguments)["plan"]["residency"], "device")
            dry = self.report("sssp", self.graph, "--dry-run", *arguments)
            self.assertEqual(dry["plan"]["residency"], "device")

    def test_refused(self):
        for name in ("mixed", "host", "stream"):
            words = self.fails(2, "cc", self.graph, "--device", "cpu", "--plan", "residency=" + name)
            self.assertIn("cc: residency=%s: the CPU reads its own memory; use residency=device instead" % name, words)
        self.assertIn("residency=tape: expected device, mixed, host, stream, disk",
                      self.fails(2, "cc", self.graph, "--plan", "residency=tape"))

    def test_limit(self):
        for extra in ([], ["--dry-run"]):
            words = self.heddle("pr", self.graph, "--plan", "residency=device", "--memory-limit", "1K", *extra,
                                status=4).err
            self.assertRegex(words, r"would take about .* more than the 1\.0 KiB of the memory limit")

    @unittest.skipUnless(has_opencl(), "no OpenCL device")
    def test_device(self):
        device = ["--device", "opencl"]
        expected = self.heddle("sssp", self.graph, "--output", "-", "--quiet").out
        for plan, limit, residency in (("auto", [], "device"), ("auto", ["--memory-limit", "20K"], "mixed"),
                                       ("residency=mixed", ["--memory-limit", "20K"], "mixed"),
                                       ("residency=host", [], "host")):
            arguments = ["sssp", self.graph, "--plan", plan, *device, *limit]
            report = self.report(*arguments, "--verify")
            self.assertEqual((report["plan"]["residency"], report["verified"]), (residency, True))
            self.assertEqual(self.heddle(*arguments, "--output", "-", "--quiet").out, expected)
            dry = self.report(*arguments, "--dry-run")
            self.assertEqual(dry["plan"]["residency"], residency)
            if residency == "device":
                self.assertNotIn("residency", report)
                self.assertEqual({entry["road"] for entry in report["rounds"]}, {"resident"})
                self.assertNotIn("bytes_in_place", report["rounds"][0])
                continue
            places = report["residency"]
            total = places["edges_on_device"] + places["edges_on_host"]
            self.assertEqual(total, report["graph"]["edges"] * 4)  # target and weight in one word
            self.assertGreater(places["edges_on_host"], 0)
            self.assertAlmostEqual(places["resident_share"], places["edges_on_device"] / total)
            self.assertGreaterEqual(places["host_bytes"], places["edges_on_host"])
            self.assertGreater(dry["device_memory"]["host_resident"], 0)
            if limit:
                self.assertLessEqual(report["device_memory"], 20 << 10)
            for entry in report["rounds"]:
                self.assertEqual((entry["road"], entry["in_place_exact"]),
                                 ("in place", places["edges_on_device"] == 0))
                share = places["edges_on_host"] / total
                self.assertAlmostEqual(entry["bytes_in_place"], entry["edges"] * 4 * share, delta=1)

    @unittest.skipUnless(has_opencl(), "no OpenCL device")
    def test_whole_sweeps(self):
        """Rounds over all edges read all that lies in host memory, packed as it is."""
        for plan in ("residency=mixed", "residency=host"):
            report = self.report("pr", self.graph, "--device", "opencl", "--plan", plan, "--memory-limit", "20K",
                                 "--max-iterations", "4")
            away = report["residency"]["edges_on_host"]
            for entry in report["rounds"]:
                self.assertEqual(entry["road"], "in place" if away else "resident")
                self.assertEqual(entry.get("bytes_in_place", 0), entry["rounds"] * away)
                self.assertTrue(entry.get("in_place_exact", True))
            self.assertEqual(report["residency"]["bytes_in_place"], report["iterations"] * away)
        self.assertGreater(away, 0)
        self.heddle("pr", self.graph, "--device", "opencl", "--plan", "residency=host", "--quiet", "--report",
                    self.path("page.html"))
        with open(self.path("page.html"), encoding="utf-8") as file:
            self.assertIn("<td class=\"word\">in place</td>", file.read())

    @unittest.skipUnless(has_opencl(), "no OpenCL device")
    def test_packed_one_direction(self):
        """pr of a directed graph keeps its in-edges only, packed: they are what does not fit, and no buffers are."""
        graph = self.path("directed.hdl")
        self.heddle("generate", "rmat", graph, "--scale", "12", "--degree", "32", "--quiet")
        arguments = ["pr", graph, "--device", "opencl", "--memory-limit", "260K", "--dry-run"]
        self.assertNotIn("besides the edges", self.heddle(*arguments).err)
        report = self.report(*arguments)
        self.assertEqual(report["plan"]["residency"], "mixed")

    @unittest.skipUnless(has_opencl(), "no OpenCL device")
    def test_stream_roads(self):
        for plan, road in (("yes,stream.place=no", "packed"), ("no", "streamed"), ("yes,stream.place=yes", "in place")):
            report = self.report("sssp", self.graph, "--device", "opencl", "--plan",
                                 "residency=stream,stream.partitions=5,stream.packed=" + plan)
            roads = [entry["road"] for entry in report["rounds"]]
            self.assertIn(road, roads)
            for entry in report["rounds"]:
                sent, placed = entry["parts_sent"], entry.get("parts_in_place", 0)
                self.assertEqual(entry["road"], "packed" if sent and "yes" in plan else "streamed" if sent
                                 else "in place" if placed else "resident")
                self.assertEqual(entry["bytes_needed"], entry["bytes_sent"] + entry["bytes_reused"] +
                                 entry.get("bytes_in_place", 0))
            self.assertEqual(report["residency"]["bytes_sent"], sum(e["bytes_sent"] for e in report["rounds"]))

    @unittest.skipUnless(has_opencl(), "no OpenCL device")
    def test_walked_again(self):
        """Second walks change no value and no parent, save bytes, and are counted in rounds."""
        deep = self.path("deep.hdl")
        self.heddle("generate", "road", deep, "--width", "40", "--height", "40", "--weights", "1..9", "--quiet")
        plan = "residency=stream,stream.partitions=9,stream.reuse=no,stream.queues=1,stream.gather=no,stream.place=no"
        for name in ("bfs", "sssp", "sswp", "cc"):
            device = ["--device", "opencl", "--verify"] + (["--parents"] if name != "cc" else [])
            sent = []
            for again in ("no", "yes"):
                report = self.report(name, deep, *device, "--plan", plan + ",stream.again=" + again)
                self.assertTrue(report["verified"])
                walked = sum(entry.get("parts_again", 0) for entry in report["rounds"])
                self.assertEqual(walked > 0, again == "yes")
                for entry in report["rounds"]:
                    self.assertEqual(entry["parts_needed"], entry["parts_sent"] + entry["parts_reused"])
                sent.append(report["residency"]["bytes_sent"])
            self.assertLess(sent[1], sent[0])
            arguments = [name, deep, *device, "--plan", plan + ",stream.again=yes", "--output", "-", "--quiet"]
            self.assertEqual(self.heddle(*arguments).out,
                             self.heddle(*arguments, "--plan", "residency=device").out)

    @unittest.skipUnless(has_opencl(), "no OpenCL device")
    def test_program_walked_again(self):
        """A program of the user's, with a frontier; a run that is bounded by a number of rounds has no second walks."""
        program, graph = os.path.join(support.ROOT, "examples", "reliability.c"), self.path("shares.hdl")
        self.heddle("generate", "rmat", graph, "--scale", "8", "--weights", "0.1..0.9", "--quiet")
        arguments = ["run", program, graph, "--device", "opencl", "--source", "0", "--quiet"]
        plan = "residency=stream,stream.partitions=9,stream.reuse=no,stream.again=yes,stream.gather=no,stream.place=no"
        expected = self.heddle(*arguments, "--output", "-", "--plan", "residency=device").out
        for more in ("", ",worklist=no", ",stream.queues=1,stream.packed=yes"):
            self.assertEqual(self.heddle(*arguments, "--output", "-", "--plan", plan + more).out, expected)
            for bound in ([], ["--max-iterations", "1000"]):
                report = self.report(*arguments, *bound, "--plan", plan + more)
                self.assertEqual(any("parts_again" in entry for entry in report["rounds"]), not bound)

    @unittest.skipUnless(has_opencl(), "no OpenCL device")
    def test_packed_in_file(self):
        """What a file keeps packed need not be packed again, by no run that reads or sends packed edges."""
        packed = self.path("packed.hdl")
        self.heddle("convert", self.graph, packed, "--packed", "--in-edges", "--quiet")
        for name, plan in (("pr", "residency=host"), ("sssp", "residency=stream,stream.packed=yes"),
                           ("bfs", "residency=stream,stream.packed=yes,stream.partitions=5")):
            arguments = ["--device", "opencl", "--plan", plan]
            before, after = (self.report(name, graph, *arguments, "--verify") for graph in (self.graph, packed))
            self.assertTrue(after["verified"])
            self.assertGreater(before["residency"]["packing"], 0)
            self.assertEqual(after["residency"]["packing"], 0)
            self.assertEqual(after["residency"]["bits_per_edge"], before["residency"]["bits_per_edge"])
        self.assertIn("--packed has no effect",
                      self.heddle("convert", self.graph, self.path("g.mtx"), "--packed").err)

    @unittest.skipUnless(has_opencl(), "no OpenCL device")
    def test_renamed_in_file(self):
        """Virtual ids that a file keeps serve runs with the same cut and order; others make their own."""
        kept = self.path("kept.hdl")
        self.heddle("convert", self.graph, kept, "--order", "out", "--prepare", "graphie,stream.partitions=7", "-q")
        for plan, used in (("graphie", True), ("graphie,stream.partitions=7", True),
                           ("graphie,stream.partitions=8", False), ("graphie,order=none,stream.partitions=7", False)):
            report = self.report("sssp", kept, "--device", "opencl", "--plan", plan, "--verify")
            self.assertTrue(report["verified"])
            self.assertEqual(report["residency"].get("packing", 0) == 0, used, plan)
        with open(kept, "r+b") as file:
            file.seek(-70, os.SEEK_END)
            byte = file.read(1)
            file.seek(-1, os.SEEK_CUR)
            file.write(bytes([byte[0] ^ 1]))
        self.assertIn("section 'prepared' is damaged",
                      self.heddle("sssp", kept, "--device", "opencl", "--plan", "graphie", status=3).err)

    @unittest.skipUnless(has_opencl(), "no OpenCL device")
    def test_device_words(self):
        limited = ["sssp", self.graph, "--device", "opencl", "--memory-limit"]
        self.assertRegex(self.heddle(*limited, "20K").err, r"note: residency mixed: ")
        self.assertRegex(self.heddle(*limited, "20K", "--dry-run").out.decode(),
                         r"residency +mixed, .* of edges in host memory")
        for extra in ([], ["--dry-run"]):
            self.assertRegex(self.heddle(*limited, "1K", *extra, status=4).err,
                             r"would take about .* on opencl .* more than the 1\.0 KiB of the memory limit")


if __name__ == "__main__":
    support.main()
