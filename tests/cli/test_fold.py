"""Ranks that share a machine become one process: everything runs as in one that was started alone."""
import itertools
import json
import os
import signal
import time
import unittest

import launched
import support
from test_ranks import CROSSING, SLOW, STAR

SUMS = "pr", "hs", "cs", "nn"  # of floating-point numbers, which ranks form in other orders

NASTY = {
    "loop": "7 7\n",
    "pair": "5 9 2\n",
    "star": STAR,
    "crossing": CROSSING,
    "path": "".join(f"{37 * i % 101} {37 * (i + 1) % 101}\n" for i in range(90)),
    "gaps": "1 4000000000\n4000000000 1\n1 1\n1 4000000000\n77 3\n",
    "pieces": "".join(f"{5 * (v // 3)}{v % 3} {5 * (v // 3)}{(v + 1) % 3} {v % 4}\n" for v in range(60)),
}


def folded(most=None, **more):
    """At most so many ranks become one, as if each machine had as many."""
    env = launched.environment(**more)
    del env["HEDDLE_FOLD"]
    return dict(env, HEDDLE_FOLD=str(most)) if most else env


@unittest.skipUnless(launched.READY, "no MPI here")
class Fold(launched.Case):
    def test_one_is_left(self):
        """What ranks cannot do together: an algorithm, a transform, an order, other formats, options, a forest."""
        path = self.graph("g.hdl", CROSSING)
        text = self.path("graph.txt")
        for words in (("tc", path), ("kcore", text), ("mst", path), ("bfs", path, "--plan", "transform=udt,K=2"),
                      ("cc", path, "--plan", "order=degree"), ("bfs", path, "--each", "--source", "3", "--source", "5"),
                      ("pr", path, "--memory-limit", "1G")):
            with self.subTest(words=words):
                one = self.heddle(*words, "--device", "cpu", "-o", self.path("one.tsv"), "--quiet").err
                self.assertEqual(self.together(3, *words, "--device", "cpu", "-o", "all.tsv", "--quiet",
                                               env=folded()), ("", one.splitlines()))
                self.assertEqual(self.read("one.tsv"), self.read("all.tsv"))
        out, words = self.together(4, "cc", path, "--json", env=folded())
        run = json.loads(out)
        self.assertEqual((words, "parts" in run, "ranks" in run["summary"]), ([], False, False))
        out, words = self.together(2, "bfs", path, "--dry-run", env=folded())
        self.assertIn("memory", out)

    def test_one_of_each_machine(self):
        """Five ranks, two to a machine: three are left, which send messages to each other."""
        path = self.graph("g.hdl", CROSSING)
        for algorithm in "cc", "sssp", "bc", "mst", "scc":
            self.heddle(algorithm, path, "--device", "cpu", "-o", self.path("one.tsv"), "--quiet")
            self.together(5, algorithm, path, "-o", "all.tsv", "--quiet", env=folded(2))
            self.assertEqual(self.read("one.tsv"), self.read("all.tsv"))
        out, _ = self.together(5, "sssp", path, "--json", "--verify", env=folded(2))
        run = json.loads(out)
        self.assertEqual(run["summary"]["ranks"], 3)
        self.assertEqual([part["device"] for part in run["parts"]], ["rank 0", "rank 2", "rank 4"])
        self.heddle("convert", self.path("graph.txt"), self.path("one.hdl"), "--quiet", "--symmetrize")
        self.together(4, "convert", "graph.txt", "all.hdl", "--quiet", "--symmetrize", env=folded(2))
        self.assertEqual(self.read("one.hdl"), self.read("all.hdl"))
        with open(path, "r+b") as file:
            file.seek(-100, os.SEEK_END)
            file.write(b"\xff" * 8)
        words = self.together(4, "sssp", path, status=3, env=folded(2))[1]
        self.assertEqual(len(words), 1, words)
        self.assertIn("damaged", words[0])

    def test_rank_0_alone(self):
        """What ranks cannot do together is said, and done by one of them."""
        path = self.graph("g.hdl", CROSSING, "--symmetrize")
        for words, why in ((("tc", path), "no vertex program"), (("pr", path, "--weighted"), "weights"),
                           (("bfs", path, "--plan", "transform=udt,K=2"), "transform"),
                           (("cc", path, "--plan", "order=degree"), "order"),
                           (("walks", path), "no vertex program"),
                           (("bfs", path, "--each", "--source", "3", "--source", "5"), "each"),
                           (("cc", path, "--memory-limit", "1G"), "memory-limit")):
            with self.subTest(words=words):
                self.heddle(*words, "--device", "cpu", "-o", self.path("one.tsv"), "--quiet")
                said = self.together(3, *words, "-o", "all.tsv", env=folded("no"))[1]
                self.assertEqual(self.read("one.tsv"), self.read("all.tsv"))
                self.assertEqual(len([line for line in said if "on rank 0 alone" in line and why in line]), 1, said)
        out, _ = self.together(4, "lcc", path, "--verify", "--json", env=folded(2))
        self.assertEqual((json.loads(out)["verified"], out.count('"algorithm"')), (True, 1))
        words = self.together(2, "bfs", path, "--plan", "transform=udt,K=1", status=2, env=folded("no"))[1]
        self.assertEqual(len([line for line in words if "note" not in line]), 1, words)

    def test_files_of_ranks(self):
        """A file for each rank that was started, whoever computes for it."""
        path = self.graph("g.hdl", STAR)
        rows = self.heddle("cc", path, "--quiet", "--device", "cpu", "-o", "-").out
        for most in (None, 2):
            self.together(3, "cc", path, "--quiet", "-o", f"{most}.{{rank}}.tsv", env=folded(most))
            parts = [self.read(f"{most}.{rank}.tsv") for rank in range(3)]
            self.assertEqual(b"".join(parts), rows)
            self.assertNotIn(b"", parts)

    def test_bad_wishes(self):
        path = self.graph("g.hdl", STAR)
        for wish in ("0", "2x", "-1"):
            words = self.together(2, "cc", path, status=2, env=folded(wish))[1]
            self.assertEqual(len(words), 1, words)
            self.assertIn("HEDDLE_FOLD", words[0])
        script = 'if [ "$OMPI_COMM_WORLD_RANK" = 1 ]; then export HEDDLE_FOLD=3; fi; exec "$0" cc g.hdl'
        process = self.start(3, "sh", "-c", script, support.HEDDLE, env=folded())
        err = process.communicate(timeout=100)[1].decode()
        self.assertEqual(process.returncode, 2, err)
        self.assertEqual(err.count("heddle: "), 1, err)
        self.assertIn("different values of HEDDLE_FOLD", err)

    def test_error_and_sleep(self):
        """The exit status is everyone's; who sleeps takes no CPU time to speak of."""
        path = self.graph("g.hdl", CROSSING)
        words = self.together(3, "cc", self.path("none.hdl"), status=3, env=folded())[1]
        self.assertEqual(len(words), 1, words)
        self.write("slow.c", SLOW)
        script = ('"$0" run slow.c g.hdl --max-iterations 20 --quiet -o o.tsv; s=$?; '
                  'times >t.$OMPI_COMM_WORLD_RANK; exit $s')
        process = self.start(2, "sh", "-c", script, support.HEDDLE, env=folded())
        err = process.communicate(timeout=100)[1].decode()
        self.assertEqual(process.returncode, 0, err)
        children = self.read("t.1").decode().splitlines()[1].replace("s", "").split()
        self.assertLess(sum(float(each.split("m")[1]) for each in children), 1.5)

    def test_stopped(self):
        """Whoever waits names the rank that is stopped; the run goes on with it."""
        path = self.graph("g.hdl", CROSSING)
        self.write("slow.c", SLOW.replace("20000", "1000"))
        script = 'echo $$ >pid.$OMPI_COMM_WORLD_RANK; exec "$0" run slow.c %s --max-iterations %d -o o.tsv'
        for stopped, most, iterations in ((2, "no", 400), (0, "no", 400), (0, None, 100)):
            process = self.start(3, "sh", "-c", script % (path, iterations), support.HEDDLE,
                                 env=folded(most, HEDDLE_RANK_SECONDS="0.5"))
            names = [f"pid.{rank}" for rank in range(3)]
            while not all(os.path.exists(self.path(name)) and self.read(name) for name in names):
                self.assertIsNone(process.poll())
                time.sleep(0.02)
            pid = int(self.read(f"pid.{stopped}"))
            while not self.computes(pid):
                time.sleep(0.02)
            os.kill(pid, signal.SIGSTOP)
            said = b""
            while b"waiting for rank %d" % stopped not in said:
                line = process.stderr.readline()
                self.assertTrue(line, said)
                said += line
            os.kill(pid, signal.SIGCONT)
            process.communicate(timeout=100)
            self.assertEqual(process.returncode, 0, said)
            self.assertIn(b"stopped", said)
            for name in names:
                os.unlink(self.path(name))

    @staticmethod
    def computes(pid):
        """Whether it has mapped the compiled program."""
        with open(f"/proc/{pid}/maps", encoding="utf-8") as maps:
            return "/cpu-" in maps.read()

    def algorithms(self):
        lines = self.heddle("help").out.decode().split("Algorithms:\n")[1].split("\n\n")[0].splitlines()
        return [line.split()[0] for line in lines if "PROGRAM" not in line]

    def test_every_algorithm(self):
        """Of all combinations of graphs, ranks and folds each algorithm takes one; with HEDDLE_TEST_ALL, all."""
        graphs = [self.graph(f"{name}.hdl", text, "--symmetrize") for name, text in NASTY.items()]
        combinations = list(itertools.product(graphs, (4, 3, 2), ("no", 2, None, 3)))
        for i, algorithm in enumerate(support.share(self.algorithms(), 0, 6)):
            chosen = combinations if "HEDDLE_TEST_ALL" in os.environ else [combinations[i * 5 % len(combinations)]]
            for path, ranks, most in chosen:
                with self.subTest(algorithm=algorithm, path=path, ranks=ranks, most=most):
                    self.heddle(algorithm, path, "--quiet", "--device", "cpu", "-o", self.path("one.tsv"))
                    words = self.together(ranks, algorithm, path, "--quiet", "-o", "all.tsv", env=folded(most))[1]
                    self.assertEqual([word for word in words if "on rank 0 alone" not in word], [])
                    if algorithm in SUMS:
                        self.near("one.tsv", "all.tsv")
                    else:
                        self.assertEqual(self.read("one.tsv"), self.read("all.tsv"))


if __name__ == "__main__":
    support.main()
