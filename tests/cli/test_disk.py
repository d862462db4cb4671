"""Files that cannot be written whole: limits, full disks, links, pipes. What is said, what is left, how it ends."""
import os
import resource
import signal
import stat
import subprocess
import time
import unittest

import support


def file_size(limit):
    """For preexec_fn: files of so many bytes and no more, as `ulimit -f` does."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))


class Disk(support.Case):
    def setUp(self):
        super().setUp()
        self.graph_file = self.path("g.hdl")
        self.heddle("generate", "path", self.graph_file, "-n", "2000")

    @unittest.skipIf(support.sanitized(), "sanitized")
    def test_limit_of_file_size_is_told(self):
        before = self.files()
        words = self.fails(3, "convert", self.graph_file, self.path("out.txt"), preexec_fn=file_size(1000))
        self.assertIn("File too large", words)
        self.assertEqual(self.files(), before)

    @unittest.skipIf(support.sanitized(), "sanitized")
    def test_reports_are_there_whole_or_not_at_all(self):
        before = self.files()
        for arguments in (["cc", self.graph_file, "--trace", self.path("t.json")],
                          ["bench", self.graph_file, "-a", "cc", "--repeats", "1", "--output", self.path("b.json")]):
            result = support.run(*arguments, preexec_fn=file_size(20))
            self.assertEqual(result.status, 3, result.err)
            self.assertIn("File too large", result.err)
            self.assertEqual(self.files(), before)
        self.write("t.json", "old")
        support.run("cc", self.graph_file, "--trace", self.path("t.json"), preexec_fn=file_size(20))
        self.assertEqual(self.read("t.json"), b"old")

    def test_full_disk(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        result = support.run("cc", self.graph_file, "--trace", "/dev/full")
        self.assertEqual(result.status, 3, result.err)
        self.assertIn("No space left", result.err)

    def test_no_source_stays_in_the_cache(self):
        os.mkdir(self.path("cache"))
        program = os.path.join(support.ROOT, "examples", "reachable.c")
        if not os.path.exists(program):
            program = os.path.join(support.ROOT, "src", "program", "bfs.c")
        env = support.environment(HEDDLE_CACHE=self.path("cache"))
        result = support.run("run", program, self.graph_file, env=env, preexec_fn=file_size(100))
        self.assertNotEqual(result.status, 0)
        left = [name for _, _, names in os.walk(self.path("cache")) for name in names if name.startswith("build-")]
        self.assertEqual(left, [])

    def test_links_stay(self):
        for name, arguments in (("out.txt", ["convert", self.graph_file]),
                                ("t.json", ["cc", self.graph_file, "--trace"]),
                                ("r.tsv", ["cc", self.graph_file, "--output"])):
            os.makedirs(self.path("far"), exist_ok=True)
            os.symlink("far/hop-" + name, self.path(name))
            os.symlink("real-" + name, self.path("far/hop-" + name))
            self.heddle(*arguments, self.path(name))
            self.assertTrue(stat.S_ISLNK(os.lstat(self.path(name)).st_mode), name)
            self.assertGreater(os.path.getsize(self.path("far/real-" + name)), 0)
        os.symlink("loop.txt", self.path("loop.txt"))
        self.fails(3, "convert", self.graph_file, self.path("loop.txt"))

    def test_interrupt_while_a_pipe_has_no_reader(self):
        pipe = self.path("pipe.txt")
        os.mkfifo(pipe)
        with subprocess.Popen([support.HEDDLE, "convert", self.graph_file, pipe, "--to", "edgelist"],
                              stderr=subprocess.PIPE, env=support.environment()) as child:
            while self.waits_for_pipe(child):
                time.sleep(0.01)
            child.send_signal(signal.SIGINT)
            words = child.stderr.read().decode()
        self.assertEqual(child.returncode, 130, words)
        self.assertIn("interrupted", words)

    @staticmethod
    def waits_for_pipe(child):
        """True until the command hangs in the pipe's opening."""
        try:
            with open("/proc/%d/wchan" % child.pid, encoding="ascii") as file:
                where = file.read()
            with open("/proc/%d/stat" % child.pid, encoding="ascii") as file:
                state = file.read().rsplit(")", 1)[1].split()[0]
        except OSError:
            return False
        return child.poll() is None and not ("fifo" in where or "partner" in where or (state == "S" and where == "0"))


class Sizes(support.Case):
    def test_what_cannot_fit_is_refused_before_work(self):
        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        if support.sanitized():
            limit = None
        for arguments in (["clique", self.path("c.hdl"), "-n", "1000000"],
                          ["rmat", self.path("r.hdl"), "--scale", "31"]):
            words = self.fails(4, "generate", *arguments, preexec_fn=limit)
            self.assertRegex(words, "[0-9]+ vertices with [0-9]+ arcs take at least [0-9.]+ GiB of memory, and this")
        self.assertEqual(self.files(), [])


class Terminal(support.Case):
    def shown(self, *arguments):
        """What a terminal gets on standard output."""
        ours, theirs = os.openpty()
        self.heddle(*arguments, stdout=theirs)
        os.close(theirs)
        text = b""
        while True:
            try:
                more = os.read(ours, 65536)
            except OSError:
                break
            if not more:
                break
            text += more
        os.close(ours)
        return text

    def test_labels_do_not_command_terminals(self):
        graph = self.write("g.txt", "a c\nc d\u009b1m\nc \u202ee\n")  # edge lists take none below 0x20
        for arguments in (["bfs", graph, "--ids", "string", "--source", "a", "--top", "5"],
                          ["cc", graph, "--ids", "string", "--output", "-"],
                          ["convert", graph, "-", "--to", "edgelist", "--ids", "string"]):
            text = self.shown(*arguments)
            self.assertIn(b"\\x9b1m", text)
            self.assertIn(b"\\xe2\\x80\\xaee", text)  # what follows would be shown from right to left
            self.assertNotRegex(text, b"[\x80-\xff]")
        for arguments in (["pr", graph, "--ids", "string"], ["info", graph, "--ids", "string"]):  # tables
            self.assertNotRegex(self.shown(*arguments), b"\xc2\x9b|\xe2\x80\xae")
        self.assertNotIn("\u009b", self.fails(2, "bfs", graph, "--ids", "string", "--source", "x\u009b1m"))
        self.assertNotIn("\u009b", self.fails(3, "cc", self.write("h.csv", "a,b\nc,d\ne\u009b1m\n")))
        out = self.heddle("cc", graph, "--ids", "string", "--output", "-").out
        self.assertIn(b"d\xc2\x9b1m", out)  # not a terminal: bytes as they are


if __name__ == "__main__":
    support.main()
