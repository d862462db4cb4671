"""Ctrl-C and the progress bar. The command tells through its bar, or by taking input, where it stands: no sleeps."""
import array
import fcntl
import os
import pty
import re
import select
import signal
import subprocess
import termios
import time

import support

PATIENCE = 120  # seconds until something that has to happen counts as never happening


def with_default_signals():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def wait_until_asleep(process):
    """Until it has taken its input and waits for more."""
    def asleep():
        with open("/proc/%d/status" % process.pid, encoding="utf-8") as status:
            return "State:\tS" in status.read()

    waiting = array.array("i", [1])
    while waiting[0] or not asleep():
        fcntl.ioctl(process.stdin, termios.FIONREAD, waiting)


def has_nameless_files(folder):
    try:
        os.close(os.open(folder, os.O_TMPFILE | os.O_WRONLY))
    except OSError:
        return False
    return os.path.exists("/proc/self/fd")


class Terminal:
    """The command with standard error on a terminal."""

    def __init__(self, case, *arguments, **changes):
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen([support.HEDDLE, *map(str, arguments)], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=slave, env=support.environment(**changes),
                                        preexec_fn=with_default_signals)
        os.close(slave)
        case.addCleanup(self.process.kill)
        self.seen = b""

    def read(self):
        """Takes what has been written; False once the command has gone."""
        if not select.select([self.master], [], [], PATIENCE)[0]:
            raise AssertionError("nothing happened after %r" % self.seen[-200:])
        try:
            piece = os.read(self.master, 65536)
        except OSError:  # the other end is closed
            piece = b""
        self.seen += piece
        return bool(piece)

    def wait_for(self, pattern):
        while not re.search(pattern, self.seen):
            if not self.read():
                raise AssertionError("it ended before %r: %r" % (pattern, self.seen))

    def end(self):
        """The exit status, once everything has been read."""
        while self.read():
            pass
        os.close(self.master)
        return self.process.wait(PATIENCE)


# Long work that needs little memory until all edges have been counted, and work that gets done.
LONG = ["generate", "rmat", "--scale", "24", "--degree", "16", "--to", "hdl"]
SHORT = ["generate", "rmat", "--scale", "20", "--degree", "16", "--to", "hdl", "-"]


class Interrupt(support.Case):
    def test_while_generating(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            command = Terminal(self, *LONG, self.path("g.hdl"))
            command.wait_for(rb"generate")
            start = time.monotonic()
            command.process.send_signal(number)
            self.assertEqual(command.end(), 130)
            self.assertLess(time.monotonic() - start, 20)  # meant is a second; a loaded machine is slow
            self.assertTrue(command.seen.endswith(b"heddle: interrupted\r\n"), command.seen[-200:])
            self.assertEqual(self.files(), [])

    def test_one_signal_that_comes_twice(self):
        """timeout(1) sends its signal to the command and to the process group."""
        command = Terminal(self, *LONG, self.path("g.hdl"))
        command.wait_for(rb"generate")
        command.process.send_signal(signal.SIGTERM)
        command.process.send_signal(signal.SIGTERM)
        self.assertEqual(command.end(), 130)
        self.assertTrue(command.seen.endswith(b"heddle: interrupted\r\n"), command.seen[-200:])

    def test_while_writing(self):
        self.heddle("generate", "uniform", self.path("g.hdl"), "--scale", "16")
        process = self.start("convert", self.path("g.hdl"), "-", "--to", "mtx", stdout=subprocess.PIPE)
        process.stdout.read(1)  # it writes, and soon waits for a reader
        process.send_signal(signal.SIGINT)
        self.finish(process)

    def test_while_writing_a_file(self):
        self.heddle("generate", "uniform", self.path("g.hdl"), "--scale", "18")
        out = "out.mtx.gz" if support.built_in("zlib") else "out.mtx"
        command = Terminal(self, "convert", self.path("g.hdl"), self.path(out), "--level", "9")
        command.wait_for(rb"write")
        command.process.send_signal(signal.SIGINT)
        status = command.end()
        if status == 0:
            self.skipTest("it was done before the signal came")
        self.assertEqual(status, 130)
        self.assertEqual(self.files(), ["g.hdl"])

    def test_killed_while_writing(self):
        """Nothing is left even when nobody could clean up, on file systems that have files without names."""
        if not has_nameless_files(self.folder):
            self.skipTest("no O_TMPFILE here")
        self.heddle("generate", "uniform", self.path("g.hdl"), "--scale", "18")
        command = Terminal(self, "convert", self.path("g.hdl"), self.path("out.mtx"))
        command.wait_for(rb"write")
        command.process.kill()
        command.end()
        self.assertIn(self.files(), (["g.hdl"], ["g.hdl", "out.mtx"]))

    def test_while_at_work(self):
        """Every command that works for long, stopped where its bar says what it does."""
        cache = self.path("cache")
        graph = self.path("g.hdl")
        self.heddle("generate", "rmat", graph, "--scale", "16", "--weights", "1..9")
        for phase, *arguments in (
                ("compute", "bc", graph, "--output", self.path("bc.tsv")),
                ("compute", "bench", graph, "--device", "cpu", "--repeats", "1000",
                 "--output", self.path("bench.json")),
                ("compute|verify|reference", "selftest")):
            with self.subTest(command=arguments[0]):
                command = Terminal(self, *arguments, "--threads", "1", HEDDLE_CACHE=cache)
                command.wait_for(phase.encode())
                command.process.send_signal(signal.SIGINT)
                self.assertEqual(command.end(), 130, command.seen[-300:])
                self.assertTrue(command.seen.endswith(b"heddle: interrupted\r\n"), command.seen[-200:])
                self.assertEqual([name for name in self.files() if name != "cache"], ["g.hdl"])

    def test_while_compiling(self):
        """Ctrl-C goes to the compiler as well as to the command; one that does not mind it is ended."""
        graph = self.write("g.txt", "0 1\n")
        program = os.path.join(support.ROOT, "examples", "nearest.c")
        cache = self.path("cache")
        for words in "kill -INT $PPID; kill -INT $$", "kill -INT $PPID; exec tail -f /dev/null":
            compiler = self.write("compiler", "#!/bin/sh\n" + words + "\n")
            os.chmod(compiler, 0o755)
            process = self.start("run", program, graph,
                                 env=support.environment(CC=compiler, HEDDLE_CACHE=cache, PATH=os.environ["PATH"]))
            self.finish(process)
            self.assertEqual(os.listdir(cache), ["CACHEDIR.TAG"])

    def start(self, *arguments, **options):
        options.setdefault("preexec_fn", with_default_signals)
        options.setdefault("env", support.environment())
        return subprocess.Popen([support.HEDDLE, *arguments], stderr=subprocess.PIPE, **options)

    def finish(self, process):
        words = process.communicate(timeout=PATIENCE)[1].decode()
        self.assertEqual(process.returncode, 130, words)
        self.assertTrue(words.endswith("heddle: interrupted\n"), words)

    def reading(self, *arguments, **options):
        """A command that waits for the rest of its input; more than a pipe holds has been taken, so it is at it."""
        process = self.start(*arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **options)
        process.stdin.write(b"1 2\n" * 500000)
        process.stdin.flush()
        return process

    def test_while_reading(self):
        out = self.path("out.hdl")
        for arguments in (["info", "-"], ["pr", "-", "--output", self.path("out.tsv")], ["explain", "pr", "-"],
                          ["convert", "-", out], ["transform", "udt", "-", out]):
            with self.subTest(command=arguments[0]):
                process = self.reading(*arguments)
                process.send_signal(signal.SIGINT)
                process.wait(PATIENCE)
                self.finish(process)
                self.assertEqual(self.files(), [])

    def test_while_reading_vertices(self):
        graph = self.write("g.txt", "1 2\n")
        for command, option, line in (("bfs", "--sources", b"1\n"), ("hs", "--init", b"1 2\n"),
                                      ("hs", "--fixed", b"1 2\n"), ("pr", "--personalize", b"1 2\n")):
            with self.subTest(option=option):
                process = self.start(command, graph, option, "-", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
                process.stdin.write(line)
                process.stdin.flush()
                wait_until_asleep(process)
                process.send_signal(signal.SIGINT)
                process.wait(PATIENCE)
                self.finish(process)

    def test_ignored_signals_stay_ignored(self):
        process = self.reading("info", "-", "--json", preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
        process.send_signal(signal.SIGINT)
        out, words = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 0, words)
        self.assertIn(b'"edges": 500000', out)


class Progress(support.Case):
    def bar(self, pattern, **changes):
        """Waits for the bar, stops the work, and sees that the bar was wiped before the last line."""
        command = Terminal(self, *LONG, "-", **changes)
        command.wait_for(pattern)
        command.process.send_signal(signal.SIGINT)
        self.assertEqual(command.end(), 130)
        self.assertIn(b"\r\x1b[Kheddle: interrupted", command.seen)

    def test_bar(self):
        self.bar(rb"generate +\[#+\.+\] +\d+% +[\d.]+[kMG]/s +.* left\x1b\[K")

    def test_bar_in_unicode(self):
        self.bar("generate +\\[(\u2588)+(\u00b7)+\\] +\\d+%".encode(), LC_ALL="C.UTF-8")

    def test_no_bar_when_quiet_or_dumb(self):
        command = Terminal(self, *SHORT, "--quiet")
        self.assertEqual(command.end(), 0)
        self.assertEqual(command.seen, b"")
        command = Terminal(self, *SHORT, TERM="dumb")
        self.assertEqual(command.end(), 0)
        self.assertRegex(command.seen, rb"\Aheddle: wrote [^\r]*\r\n\Z")

    def test_no_bar_without_a_terminal(self):
        result = self.heddle(*SHORT)
        self.assertRegex(result.err, r"\Aheddle: wrote .*\n\Z")


if __name__ == "__main__":
    support.main()
