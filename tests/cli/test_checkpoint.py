"""Checkpoints: a run that was ended goes on and gives the same; those of others, and damaged ones, are refused."""
import os
import signal
import subprocess
import time

import support

SLOW = """#include <unistd.h>
#define VALUE f64
#define MESSAGE f64
VALUE init(const about *me, const run_info *run) { return me->vertex; }
MESSAGE identity(void) { return 0; }
MESSAGE send(VALUE value, u32 degree) { return value / degree; }
MESSAGE reduce(MESSAGE a, MESSAGE b) { return a + b; }
int update(VALUE *value, MESSAGE sum, const about *me, const run_info *run) {
    if (run->iteration) /* not while its laws are tested */
        usleep(PAUSE);
    *value = 1 + 0.5 * sum + (f64)(run->iteration % 3);
    return 1;
}
"""
GRAPH = "".join(f"{v} {(5 * v * v + 3) % 24}\n{v} {(v + 1) % 24}\n" for v in range(24))


class Checkpoint(support.Case):
    def setUp(self):
        super().setUp()
        self.graph = self.write("g.txt", GRAPH)
        self.folder_of = self.path("kept")

    def run_with(self, name, *words, folder=None, **options):
        out = self.path(name)
        self.heddle(*words, "--quiet", "--checkpoint", folder or self.folder_of, "-o", out, **options)
        return self.read(name)

    def test_goes_on(self):
        for words in (("pr", self.graph, "--tolerance", "1e-30"), ("hs", self.graph, "--tolerance", "1e-30")):
            folder = self.path("kept-" + words[0])
            whole = self.run_with("whole.tsv", *words, "--max-iterations", 9, folder=self.path("other"))
            part = self.run_with("part.tsv", *words, "--max-iterations", 5, "--every", 2, folder=folder)
            self.assertNotEqual(part, whole)
            self.assertEqual(os.listdir(folder), ["checkpoint"])
            rest = self.run_with("rest.tsv", *words, "--max-iterations", 9, "--resume", folder=folder)
            self.assertEqual(rest, whole)
        words = ("sssp", self.graph, "--verify")
        self.assertEqual(self.run_with("a.tsv", *words, "--every", 1),
                         self.run_with("b.tsv", *words, "--resume", "--device", "cpu,cpu"))
        self.heddle("sssp", self.graph, "--quiet", "-o", self.path("plain.tsv"))
        self.assertEqual(self.read("b.tsv"), self.read("plain.tsv"))

    def test_devices(self):
        """Values come from the device, and go back there; the CPU goes on from them, too."""
        if "opencl:0" not in self.heddle("devices").out.decode():
            self.skipTest("no OpenCL here")
        words = ("pr", self.graph, "--tolerance", "1e-30", "--plan", "ws")
        whole = self.run_with("whole.tsv", *words, "--max-iterations", 6, "--device", "cpu", folder=self.path("other"))
        self.run_with("part.tsv", *words, "--max-iterations", 3, "--every", 1, "--device", "opencl")
        for device in ("cpu", "opencl", "opencl:0,cpu"):
            rest = self.run_with("rest.tsv", *words, "--max-iterations", 6, "--resume", "--device", device)
            for line, other in zip(rest.decode().splitlines(), whole.decode().splitlines()):
                self.assertAlmostEqual(float(line.split("\t")[1]), float(other.split("\t")[1]), delta=1e-7)

    def test_killed(self):
        program = self.write("slow.c", SLOW.replace("PAUSE", "2000"))
        words = ("run", program, self.graph, "--threads", 1, "--max-iterations", 24)
        whole = self.run_with("whole.tsv", *words, folder=self.path("other"))
        process = subprocess.Popen([support.HEDDLE, *map(str, words), "--checkpoint", self.folder_of, "--every", "3",
                                    "-o", self.path("killed.tsv")], env=support.environment(),
                                   stderr=subprocess.DEVNULL)
        kept = os.path.join(self.folder_of, "checkpoint")
        deadline = time.monotonic() + 60
        while not os.path.exists(kept) and time.monotonic() < deadline:
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.assertTrue(os.path.exists(kept))
        with open(os.path.join(self.folder_of, ".checkpoint-0123456789abcdef"), "wb") as file:
            file.write(b"what a killed run may leave")
        out = self.heddle(*words, "--checkpoint", self.folder_of, "--resume", "-o", self.path("rest.tsv"))
        self.assertIn("goes on after round", out.err)
        self.assertEqual(self.read("rest.tsv"), whole)
        self.assertEqual(os.listdir(self.folder_of), ["checkpoint"])

    def test_refused(self):
        common = ("--checkpoint", self.folder_of, "--resume")
        other = self.write("other.txt", GRAPH.replace("3 4\n", "3 5\n"))
        self.assertIn("none yet", self.heddle("bfs", self.graph, *common, "--every", 1).err)
        self.assertIn("another graph", self.fails(2, "bfs", other, *common))
        self.assertIn("another program", self.fails(2, "cc", self.graph, *common))
        self.assertIn("other options", self.fails(2, "bfs", self.graph, "--source", 3, *common))
        self.assertIn("vertex programs", self.fails(2, "mst", self.graph, *common))
        self.assertIn("--checkpoint", self.fails(2, "bfs", self.graph, "--resume"))
        kept = os.path.join(self.folder_of, "checkpoint")
        with open(kept, "r+b") as file:
            file.seek(130)
            file.write(b"\x55")
        self.assertIn("damaged", self.fails(3, "bfs", self.graph, *common))
        with open(kept, "r+b") as file:
            file.truncate(100)
        self.fails(3, "bfs", self.graph, *common)
        self.fails(3, "bfs", self.graph, "--checkpoint", self.path("g.txt") + "/x")


if __name__ == "__main__":
    support.main()
