"""Runs on several ranks under mpirun: equal to one process, errors once, a rank that dies, and builds without MPI."""
import fcntl
import gzip
import json
import os
import shutil
import signal
import subprocess
import time
import unittest

import launched
import support
from launched import environment

SLOW = """#include <unistd.h>
#define VALUE f64
#define MESSAGE f64
VALUE init(const about *me, const run_info *run) { return me->vertex; }
MESSAGE identity(void) { return 0; }
MESSAGE send(VALUE value, u32 degree) { return value; }
MESSAGE reduce(MESSAGE a, MESSAGE b) { return a + b; }
int update(VALUE *value, MESSAGE sum, const about *me, const run_info *run) {
    if (run->iteration) /* not while its laws are tested */
        usleep(20000);
    *value = me->vertex + 1 + (f64)(run->iteration % 5); /* never settles */
    return 1;
}
"""

# Hides from the launcher how its rank ends: notes its process, its exit status and its messages in files, and lives on.
HIDING = """rank=$OMPI_COMM_WORLD_RANK
"$@" 2>err.$rank >out.$rank &
echo $! >new.$rank; mv new.$rank pid.$rank
wait $!
echo $? >new.$rank; mv new.$rank ended.$rank
while [ ! -e over ]; do sleep 0.1; done
"""

# Vertices 0 .. 7, every edge from one half to the other, weights that make detours worth while.
CROSSING = "".join(f"{u} {v} {1 + 7 * u % 5}\n" for u in range(8) for v in range(8)
                   if (u < 4) != (v < 4) and u != v + 4)
# All edges lead to one vertex: most ranks have no edge.
STAR = "".join(f"{v} 0 {v}\n" for v in range(1, 40))


@unittest.skipUnless(launched.READY, "no MPI here")
class Ranks(launched.Case):
    def test_real_weights_are_summed_in_double(self):
        path = self.graph("real.hdl", "".join(f"{v} {v + 1} 100001.0\n" for v in range(300)))
        self.together(2, "sssp", path, "--source", 0, "--output", self.path("d.tsv"), "--quiet")
        with open(self.path("d.tsv"), encoding="ascii") as rows:
            self.assertEqual(rows.read().splitlines()[-1], "300\t30000300")

    def test_started_by_a_bare_name(self):
        path = os.path.dirname(support.HEDDLE) + os.pathsep + os.environ["PATH"]
        process = self.start(2, os.path.basename(support.HEDDLE), "cc", self.graph("star.hdl", STAR), "--json",
                             env=dict(environment(), PATH=path))
        out, err = process.communicate(timeout=100)
        self.assertEqual(process.returncode, 0, err.decode())
        run = json.loads(out)
        self.assertEqual(run["summary"]["ranks"], 2)
        for part in run["parts"]:
            self.assertEqual(part["bytes_sent"], sum(each["sent"] for each in part["rounds"]))
            self.assertEqual(len(part["rounds"]), len(run["rounds"]))

    def same(self, ranks, algorithm, path, *options, near=False):
        self.heddle(algorithm, path, "--quiet", "--device", "cpu", "-o", self.path("one.tsv"), *options)
        self.together(ranks, algorithm, path, "--quiet", "-o", "all.tsv", *options)
        if not near:
            self.assertEqual(self.read("one.tsv"), self.read("all.tsv"), (ranks, algorithm, path))
        self.near("one.tsv", "all.tsv")

    def test_equal_to_one_process(self):
        crossing = self.graph("crossing.hdl", CROSSING)
        with_in = self.graph("in.hdl", CROSSING, "--in-edges")
        star = self.graph("star.hdl", STAR)
        tiny = self.graph("tiny.hdl", "5 9 2\n9 7 1\n")
        both = self.graph("both.hdl", STAR, "--symmetrize")
        rmat = self.path("rmat.hdl")
        self.heddle("generate", "rmat", rmat, "--scale", 8, "--degree", 6, "--weights", "1:50", "--quiet")
        grid = self.path("grid.hdl")
        self.heddle("generate", "grid", grid, "--width", 12, "--height", 9, "--weights", "1:20", "--quiet")
        self.same(1, "bfs", rmat)
        self.same(2, "bfs", rmat, "--parents", "--verify")
        self.same(4, "bfs", grid, "--parents")
        self.same(3, "sssp", grid, "--parents")
        path = self.graph("path.hdl", "".join(f"{37 * i % 101} {37 * (i + 1) % 101}\n" for i in range(90)))
        self.same(4, "cc", path)
        self.same(2, "sssp", crossing, "--verify")
        self.same(3, "sswp", with_in)
        self.same(4, "sssp", tiny)  # fewer vertices than ranks
        self.same(4, "cc", tiny, "--verify")
        self.same(3, "bfs", star, "--source", 7, "--parents")
        self.same(4, "pr", both, "--verify", near=True)
        self.same(3, "pr", rmat, near=True)
        self.same(2, "hs", rmat)
        self.same(3, "cs", crossing)
        self.same(4, "nn", star)
        self.same(3, "bc", rmat, "--samples", 9, "--verify")
        self.same(4, "bc", both)
        self.same(3, "scc", rmat, "--verify")
        self.same(4, "scc", path)
        self.same(4, "mst", rmat, "--verify")
        self.same(3, "pr", rmat, "--plan", "slices=cost", near=True)
        for exchange in ("ms", "all"):
            self.same(2, "cc", rmat, "--plan", "exchange=" + exchange)
        self.heddle("sssp", crossing, "--quiet", "--device", "cpu", "-o", self.path("one.npy"))
        self.together(2, "sssp", crossing, "--quiet", "-o", "all.npy")
        self.assertEqual(self.read("one.npy"), self.read("all.npy"))

    def test_output(self):
        """One file by all ranks, through rank 0, and a file of each rank."""
        path = self.graph("g.hdl", "".join(f"v{u} v{3 * u % 11}\n" for u in range(11)))
        for name, ranks in (("a.json", 4), ("a.npy", 3), ("a.csv", 2), ("a.tsv.gz", 2)):
            self.heddle("cc", path, "--quiet", "--device", "cpu", "-o", self.path("one." + name))
            self.together(ranks, "cc", path, "--quiet", "-o", name)
            self.assertEqual(*(gzip.decompress(data) if name.endswith(".gz") else data
                               for data in (self.read("one." + name), self.read(name))))
        rows = self.heddle("cc", path, "--quiet", "--device", "cpu", "-o", "-").out.decode()
        out, words = self.together(3, "cc", path, "--quiet", "-o", "-")
        self.assertEqual((out, words), (rows, []))
        self.together(3, "cc", path, "--quiet", "-o", "part.{rank}.tsv")
        self.assertEqual("".join(self.read(f"part.{rank}.tsv").decode() for rank in range(3)), out)

    def test_convert(self):
        """The same file as from one process; what cannot be split is refused."""
        lines = "".join(f"{u * 7919 % 5003 * 11} {u * 31 % 977} {u % 9}\n" for u in range(15000))
        path = self.write("many.txt", lines)
        names = self.write("names.txt", "".join(f"v{u * 7919 % 5003} w{u * 31 % 977}\n" for u in range(15000)))
        for path, ranks, options in ((path, 3, ("--in-edges",)), (names, 3, ()),
                                     (path, 2, ("--symmetrize", "--dedup", "--in-edges"))):
            self.heddle("convert", path, self.path("one.hdl"), "--quiet", *options)
            out, words = self.together(ranks, "convert", path, "all.hdl", *options)
            self.assertEqual((out, len(words)), ("", 1), words)
            self.assertIn("wrote all.hdl", words[0])
            self.assertEqual(self.read("one.hdl"), self.read("all.hdl"))
        self.heddle("generate", "rmat", self.path("one.hdl"), "--scale", 10, "--symmetrize", "--quiet")
        self.together(3, "generate", "rmat", "all.hdl", "--scale", 10, "--symmetrize", "--quiet")
        self.assertEqual(self.read("one.hdl"), self.read("all.hdl"))
        with gzip.open(self.path("many.txt.gz"), "wb") as file:
            file.write(lines.encode())
        before = self.files()
        words = self.together(3, "convert", "many.txt.gz", "x.hdl", status=2)[1]
        self.assertEqual((len(words), self.files()), (1, before), words)
        self.assertIn("unpack it", words[0])

    def test_devices(self):
        """Ranks of a machine take its devices in turn, or those of a list; what fails is said once."""
        with_opencl = dict(environment(), POCL_DEVICES="pthread pthread")
        path = self.path("rmat.hdl")
        self.heddle("generate", "rmat", path, "--scale", 8, "--degree", 6, "--weights", "1:50", "--quiet")
        if "opencl:1" not in self.heddle("devices", env=with_opencl).out.decode():
            self.skipTest("no OpenCL here")
        for ranks, algorithm, device, own in ((3, "sssp", "opencl", ("opencl:0", "opencl:1", "opencl:0")),
                                              (2, "pr", "opencl:1,cpu", ("opencl:1", "")),
                                              (2, "cc", "opencl:1", ("opencl:1", "opencl:1"))):
            self.heddle(algorithm, path, "--quiet", "--device", "cpu", "-o", self.path("one.tsv"))
            out, words = self.together(ranks, algorithm, path, "--quiet", "--device", device, "--verify", "--json",
                                       "-o", "all.tsv", env=with_opencl)
            run = json.loads(out)
            self.assertEqual((run["device"], run["verified"], words), (device, True, []))
            names = [f"rank {rank}" + (", " if name else "") + name for rank, name in enumerate(own)]
            self.assertEqual([part["device"] for part in run["parts"]], names)
            self.near("one.tsv", "all.tsv")
        for device, said in ("opencl:7", "no device opencl:7"), ("opencl:0,7", "no device opencl:7"):
            words = self.together(2, "cc", path, "--device", device, status=1, env=with_opencl)[1]
            self.assertEqual(len(words), 1, words)
            self.assertIn(said, words[0])

    def test_graph500(self):
        """The same searches as in one process; the graph's file is gone."""
        before = self.files()
        one = json.loads(self.heddle("bench", "graph500", "--scale", 6, "--json").out)
        out, words = self.together(3, "bench", "graph500", "--scale", 6, "--json")
        several = json.loads(out)
        for key in ("SCALE", "NBFS", "min_nedge", "mean_nedge", "stddev_nedge", "sssp_mean_nedge", "verified"):
            self.assertEqual(one[key], several[key])
        self.assertEqual((words, self.files()), ([], before))

    def test_program(self):
        program = self.write("slow.c", SLOW.replace("20000", "0"))
        path = self.graph("g.hdl", CROSSING)
        self.heddle("run", program, path, "--quiet", "--max-iterations", 7, "-o", self.path("one.tsv"))
        self.together(3, "run", program, path, "--quiet", "--max-iterations", 7, "-o", "all.tsv")
        self.assertEqual(self.read("one.tsv"), self.read("all.tsv"))

    def test_one_voice(self):
        path = self.graph("g.hdl", CROSSING)
        out, words = self.together(3, "bfs", path, "--json", "--top", 2)
        self.assertEqual(out.count('"algorithm"'), 1, out)
        out, words = self.together(3, "info", path)
        self.assertEqual(out.count("vertices   "), 1, out)
        for status, part, arguments in ((2, "heddle convert", ("bfs", self.path("graph.txt"))),
                                        (2, "memory-limit", ("bfs", path, "--memory-limit", "1g")),
                                        (2, "not counted", ("bfs", path, "--dry-run")),
                                        (3, "No such file", ("bfs", self.path("none.hdl"))),
                                        (2, "one process", ("convert", path, "x.hdl"))):
            out, words = self.together(3, *arguments, status=status)
            self.assertEqual((out, len(words)), ("", 1), words)
            self.assertIn(part, words[0])

    def by_rank(self, first, others, status, folders=".."):
        """Rank 1 runs `first`, the others `others`: in the folders of these letters, those of the others first."""
        script = 'if [ "$OMPI_COMM_WORLD_RANK" = 1 ]; then cd %s; exec "$0" %s; else cd %s; exec "$0" %s; fi' % (
            folders[1], first, folders[0], others)
        process = self.start(3, "sh", "-c", script, support.HEDDLE)
        err = process.communicate(timeout=100)[1].decode()
        self.assertEqual(process.returncode, status, err)
        words = [line for line in err.splitlines() if line.startswith("heddle: ")]
        self.assertEqual(len(words), 1, err)
        return words[0]

    def test_ranks_that_differ(self):
        """Refused by all, whatever the difference is, before anybody waits for what another never does."""
        self.graph("g.hdl", CROSSING)
        commands = (("bfs h.hdl", "bfs g.hdl"), ("bfs g.hdl --source 3", "bfs g.hdl --source 1"),
                    ("bfs g.hdl --plan exchange=ms", "bfs g.hdl"), ("pr g.hdl", "pr g.hdl --checkpoint c"),
                    ("pr g.hdl --checkpoint c --resume", "pr g.hdl --checkpoint c"), ("pr g.hdl", "cc g.hdl"),
                    ("pr g.hdl --checkpoint c --every 2", "pr g.hdl --checkpoint c"),
                    ("pr g.hdl --verify", "pr g.hdl"), ("pr g.hdl", "pr g.hdl --dry-run"),
                    ("pr g.hdl -o a.{rank}.tsv", "pr g.hdl -o a.tsv"), ("pr g.hdl -o a.tsv", "pr g.hdl -o b.tsv"),
                    ("pr g.hdl --json", "pr g.hdl"), ("info g.hdl", "pr g.hdl"), ("pr g.hdl", "info g.hdl"),
                    ("version", "pr g.hdl"), ("convert g.txt a.hdl", "convert g.txt b.hdl"))
        for other, first in commands if not support.sanitized() else commands[::5]:
            with self.subTest(other=other, first=first):
                words = self.by_rank(other, first, 2)
                self.assertIn("different commands", words)
                self.assertIn("'" + other.split()[0], words)
        self.assertEqual(sorted(set(self.files()) & {"c", "a.tsv", "b.tsv", "a.hdl", "b.hdl"}), [])

    def test_ranks_whose_files_differ(self):
        """The same words, in folders of their own."""
        self.graph("g.hdl", CROSSING)
        for rank, number in ((1, "7"), (0, "0")):
            os.mkdir(self.path(str(rank)))
            self.write(f"{rank}/p.c", SLOW.replace("20000", number))
            self.graph(f"{rank}/h.hdl", STAR if rank else CROSSING)
        self.graph("0/only.hdl", STAR)
        self.assertIn("different options: the program", self.by_rank("run p.c ../g.hdl --max-iterations 2",
                                                                     "run p.c ../g.hdl --max-iterations 2", 2, "01"))
        self.assertIn("different graphs", self.by_rank("bfs h.hdl", "bfs h.hdl", 2, "01"))
        self.assertIn("rank 1: only.hdl", self.by_rank("bfs only.hdl", "bfs only.hdl", 3, "01"))
        self.write("0/s.txt", "3")
        self.write("1/s.txt", "1")
        self.assertIn("different options: sources", self.by_rank("bfs ../g.hdl --sources s.txt",
                                                                 "bfs ../g.hdl --sources s.txt", 2, "01"))

    def test_damaged_file(self):
        path = self.graph("g.hdl", CROSSING)
        with open(path, "r+b") as file:
            file.seek(-100, os.SEEK_END)
            file.write(b"\xff" * 8)
        words = self.together(3, "sssp", path, status=3)[1]
        self.assertEqual(len(words), 1, words)
        self.assertIn("damaged", words[0])

    def test_killed_rank(self):
        path = self.graph("g.hdl", STAR)
        arguments = "run slow.c %s --max-iterations 500 -o out.tsv --checkpoint kept --every 1" % path
        script = 'echo $$ >pid.$OMPI_COMM_WORLD_RANK; exec "$0" %s' % arguments
        self.write("slow.c", SLOW)
        before = self.files() + ["kept"]
        process = self.start(3, "sh", "-c", script, support.HEDDLE)
        deadline = time.monotonic() + 60
        while not os.path.exists(self.path("kept/checkpoint")) and time.monotonic() < deadline:
            time.sleep(0.1)
        self.assertIsNone(process.poll())
        with open(self.path("pid.1"), encoding="utf-8") as file:
            os.kill(int(file.read()), signal.SIGKILL)
        killed = time.monotonic()
        process.communicate(timeout=60)
        self.assertNotEqual(process.returncode, 0)
        self.assertLess(time.monotonic() - killed, 30)
        self.assertEqual([name for name in self.files() if not name.startswith("pid.")], sorted(before))
        self.write("slow.c", SLOW.replace("usleep(20000);", ";"))  # another program, says its hash
        words = self.together(2, "run", "slow.c", path, "--checkpoint", "kept", "--resume", status=2)[1]
        self.assertIn("another program", words[0])

    def wait_for(self, *names):
        deadline = time.monotonic() + 60
        while not all(os.path.exists(self.path(name)) for name in names):
            self.assertLess(time.monotonic(), deadline, (names, self.files()))
            time.sleep(0.02)

    def number_in(self, name):
        return int(self.read(name))

    def switches(self, rank):
        """How often the rank's process has gone to sleep."""
        with open(f"/proc/{self.number_in(f'pid.{rank}')}/status", encoding="ascii") as lines:
            return next(int(line.split()[1]) for line in lines if line.startswith("voluntary_ctxt_switches"))

    def hidden(self, ranks, *command):
        """Ranks whose ends their launcher does not see, and a checkpoint in which they have come to a round."""
        self.write("hiding.sh", HIDING)
        shutil.rmtree(self.path("kept"), ignore_errors=True)
        for name in self.files():
            if name.split(".")[0] in ("err", "out", "pid", "ended", "over"):
                os.unlink(self.path(name))
        process = self.start(ranks, "sh", "hiding.sh", support.HEDDLE, *command)
        self.wait_for(*(f"pid.{rank}" for rank in range(ranks)))
        self.addCleanup(self.end_hidden, process, ranks)
        return process

    def end_hidden(self, process, ranks):
        if process.poll() is None:
            for rank in range(ranks):
                if not os.path.exists(self.path(f"ended.{rank}")):
                    os.kill(self.number_in(f"pid.{rank}"), signal.SIGKILL)
            self.write("over", "")
        process.communicate(timeout=60)

    def test_death_that_the_launcher_misses(self):
        """The others end with one message; a rank that is stopped for a while is not dead."""
        path = self.graph("g.hdl", STAR)
        self.write("slow.c", SLOW)
        words = ("run", "slow.c", path, "--max-iterations", 4000, "-o", "lost.tsv", "--checkpoint", "kept",
                 "--every", 1)
        for killed in range(3):
            process = self.hidden(3, *words)
            self.wait_for("kept/checkpoint")
            os.kill(self.number_in(f"pid.{killed}"), signal.SIGKILL)
            self.wait_for(*(f"ended.{rank}" for rank in range(3)))
            self.assertEqual([self.number_in(f"ended.{rank}") for rank in range(3)],
                             [137 if rank == killed else 1 for rank in range(3)])
            said = b"".join(self.read(f"err.{rank}") for rank in range(3) if rank != killed).decode()
            told = [line for line in said.splitlines() if line.startswith("heddle: rank")]
            by = "" if killed else "rank 1: "
            self.assertEqual(told, [f"heddle: {by}rank {killed} has ended before the others: it was killed, or it "
                                    "crashed"])
            self.end_hidden(process, 3)
            self.assertNotIn("lost.tsv", self.files())
        self.write("slow.c", SLOW.replace("20000", "1000"))
        process = self.hidden(3, *words[:4], 200, *words[5:])
        self.wait_for("kept/checkpoint")
        os.kill(self.number_in("pid.1"), signal.SIGSTOP)
        enough = self.switches(0) + 5000  # it waits, and has looked for others several times
        while self.switches(0) < enough and not os.path.exists(self.path("ended.0")):
            time.sleep(0.02)
        os.kill(self.number_in("pid.1"), signal.SIGCONT)
        self.wait_for(*(f"ended.{rank}" for rank in range(3)))
        self.assertEqual([self.number_in(f"ended.{rank}") for rank in range(3)], [0, 0, 0])
        self.end_hidden(process, 3)
        self.assertIn("lost.tsv", self.files())

    def test_checkpoint_folder_in_use(self):
        path = self.graph("g.hdl", CROSSING)
        os.mkdir(self.path("kept"))
        folder = os.open(self.path("kept"), os.O_RDONLY)
        self.addCleanup(os.close, folder)
        fcntl.flock(folder, fcntl.LOCK_EX)
        words = self.together(2, "pr", path, "--checkpoint", "kept", "--quiet", status=2)[1]
        self.assertIn("another run that is not over", words[0])

    def test_resume(self):
        """A checkpoint of three ranks: two go on from it, and one process."""
        path = self.graph("g.hdl", CROSSING)
        words = ("pr", path, "--quiet", "--tolerance", "1e-30")
        kept = ("--checkpoint", self.path("kept"))
        self.together(3, *words, *kept, "--every", 4, "--max-iterations", 6)
        self.together(2, *words, *kept, "--resume", "--max-iterations", 11, "-o", "two.tsv")
        self.heddle(*words, *kept, "--resume", "--max-iterations", 11, "-o", self.path("one.tsv"))
        self.heddle(*words, "--max-iterations", 11, "-o", self.path("whole.tsv"), "--device", "cpu,cpu")
        values = [[float(line.split()[1]) for line in self.read(name).splitlines()]
                  for name in ("two.tsv", "one.tsv", "whole.tsv")]
        for two, one, whole in zip(*values):
            self.assertAlmostEqual(two, whole, delta=1e-6)
            self.assertAlmostEqual(one, whole, delta=1e-6)


class WithoutModule(support.Case):
    def test_message(self):
        """A launcher, and no module: each rank says so, as perhaps only its machine has none."""
        command = self.path("heddle")
        shutil.copy(support.HEDDLE, command)
        path = self.path("g.hdl")
        self.heddle("convert", self.write("g.txt", "1 2\n"), path, "--quiet")
        for rank, words in (("0", b"heddle: one of 2"), ("1", b"heddle: rank 1: one of 2")):
            env = dict(environment(), OMPI_COMM_WORLD_SIZE="2", OMPI_COMM_WORLD_RANK=rank)
            done = subprocess.run([command, "bfs", path], env=env, capture_output=True, timeout=60, check=False)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertTrue(done.stderr.startswith(words) and done.stderr.count(b"\n") == 1, done.stderr)
            self.assertEqual(done.stdout, b"")
        done = subprocess.run([command, "bfs", path], env=dict(env, HEDDLE_MPI="off"), capture_output=True, timeout=60,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    support.main()
