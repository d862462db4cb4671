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
TOTALS = "#define TOTALS ADDED(0)\n" + SLOW.replace("usleep(PAUSE)", "(void)0") + """
void contribute(f64 *part, VALUE before, VALUE after, const about *me, const run_info *run) { part[0] = after; }
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

    def test_rehearsals_and_comparisons_write_nothing(self):
        """--dry-run, and the exact run that --verify compares with, leave the checkpoint as it is."""
        self.heddle("pr", self.graph, "--checkpoint", self.folder_of, "--every", 1, "--max-iterations", 3)
        before = self.read("kept/checkpoint")
        for words in ((), ("--resume",), ("--max-error", "0.01"), ("--device", "cpu,cpu", "--resume")):
            self.heddle("pr", self.graph, "--dry-run", "--checkpoint", self.folder_of, *words)
            self.assertEqual(self.read("kept/checkpoint"), before, words)
        self.heddle("pr", self.graph, "--dry-run", "--checkpoint", self.path("none"))
        self.assertFalse(os.path.exists(self.path("none")))
        self.assertIn("TOTALS", self.fails(2, "run", self.write("t.c", TOTALS), self.graph, "--dry-run",
                                           "--checkpoint", self.path("none")))
        budget = ("pr", self.graph, "--max-error", "0.01", "--checkpoint", self.folder_of, "--every", 1)
        self.heddle(*budget)
        before = self.read("kept/checkpoint")
        self.heddle(*budget, "--verify")
        self.assertEqual(self.read("kept/checkpoint"), before)
        self.heddle("pr", self.graph, "--max-error", "0.01", "--checkpoint", self.folder_of, "--resume")

    def test_two_runs_in_one_folder(self):
        """The second is refused, and the first is not disturbed."""
        gate = self.path("gate")
        program = self.write("held.c", SLOW.replace("usleep(PAUSE)", f'while (access("{gate}", 0)) usleep(1000)'))
        words = ("run", program, self.graph, "--threads", "1", "--max-iterations", "6", "--checkpoint", self.folder_of)
        process = subprocess.Popen([support.HEDDLE, *words, "--every", "1", "--quiet", "-o", self.path("first.tsv")],
                                   env=support.environment(), stderr=subprocess.PIPE)
        deadline = time.monotonic() + 60
        while not os.path.isdir(self.folder_of) and time.monotonic() < deadline:
            time.sleep(0.02)
        for more in ((), ("--resume",)):
            self.assertIn("another run that is not over", self.fails(2, *words, *more))
        self.write("gate", "")
        self.assertEqual(process.communicate()[1].decode(), "")
        self.assertEqual(process.returncode, 0)
        self.heddle(*words, "--resume")

    def test_each_option_is_named(self):
        """Whatever changes the values is refused by its name; what does not may differ."""
        program = self.write("seeded.c", SLOW.replace("usleep(PAUSE)", "(void)0").replace(
            "return me->vertex;", "return me->vertex + (f64)run->seed + run->parameter[0];").replace(
                "#define VALUE", "#define PARAMETERS \"bias=1\"\n#define VALUE", 1))
        init, fixed = self.write("init.txt", "0 5\n"), self.write("fixed.txt", "1 2\n")
        sums = self.write("sums.c", SLOW.replace("usleep(PAUSE)", "(void)0").replace(
            "#define MESSAGE f64", "#define MESSAGE real"))
        first = {"run": ("run", program), "pr": ("pr",), "hs": ("hs",), "bfs": ("bfs",),
                 "sums": ("run", sums), "begun": ("hs", "--init", fixed)}
        varied = (("run", ("--seed", 7), "another seed"), ("run", ("--param", "bias=2"), "other parameters"),
                  ("run", ("--init", init), "other initial values"), ("run", ("--source", 3), "other sources"),
                  ("run", ("--fixed", fixed), "other initial values"), ("pr", ("--damping", 0.5), "parameters"),
                  ("pr", ("--precision", "double"), "another precision"), ("hs", ("--rate", 0.25), "parameters"),
                  ("hs", ("--init", init), "other initial values"), ("hs", ("--fixed", fixed), "initial values"),
                  ("hs", ("--precision", "double"), "another precision"),
                  ("sums", ("--precision", "double"), "another precision"), # of messages: values are as large
                  ("begun", ("--fixed", fixed), "other fixed vertices"), # the values are the same
                  ("bfs", ("--source", 3), "other sources"),
                  ("pr", ("--seed", 7), None), ("pr", ("--tolerance", "1e-5"), None),
                  ("hs", ("--max-iterations", 3), None), ("bfs", ("--parents",), None))
        for name, words in first.items():
            self.heddle(*words, self.graph, *(() if name == "bfs" else ("--max-iterations", 2)), "--checkpoint",
                        self.path("of-" + name), "--every", 1)
        for name, words, refused in varied:
            command = (*first[name], self.graph, *words, "--checkpoint", self.path("of-" + name), "--resume")
            if refused:
                self.assertIn(refused, self.fails(2, *command), command)
            else:
                self.assertIn("goes on after round", self.heddle(*command).err, command)

    def test_refused(self):
        common = ("--checkpoint", self.folder_of, "--resume")
        other = self.write("other.txt", GRAPH.replace("3 4\n", "3 5\n"))
        self.assertIn("none yet", self.heddle("bfs", self.graph, *common, "--every", 1).err)
        self.assertIn("another graph", self.fails(2, "bfs", other, *common))
        self.assertIn("another program", self.fails(2, "cc", self.graph, *common))
        self.assertIn("other sources", self.fails(2, "bfs", self.graph, "--source", 3, *common))
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
