"""What the behaviour tests share: running the command, reading what it wrote, skipping.

Tests drive the command named by $HEDDLE (default: build/heddle), each in a temporary folder of its own, in the C
locale. Python 3 and its standard library are all they need.
"""
import collections
import functools
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HEDDLE = os.path.abspath(os.environ.get("HEDDLE") or os.path.join(ROOT, "build", "heddle"))
TIMEOUT = 300  # seconds for one run; generous, sanitizers are slow
SKIPPED = 77
# The search for leaks crashes itself, now and then, where a library was opened later: tests/sanitized.sh.
SANITIZER_FELL = b"LeakSanitizer has encountered a fatal error"

FORMATS = {"edgelist": ".txt", "mtx": ".mtx", "dimacs": ".gr", "metis": ".graph", "gap": ".wsg", "hdl": ".hdl"}

# A shell starts `make test &` with SIGINT ignored, which the command would respect: it gets the default back.
signal.signal(signal.SIGINT, signal.default_int_handler)

Result = collections.namedtuple("Result", "status out err")
Edges = collections.namedtuple("Edges", "vertices edges directed weighted arcs")


def environment(**changes):
    env = dict(os.environ, LC_ALL="C", TERM="xterm", OMP_WAIT_POLICY="passive")  # waiting threads spin otherwise
    for name in ("OMP_NUM_THREADS", "COLUMNS"):
        env.pop(name, None)
    if "HEDDLE_TEST_ALL" not in env:
        env.setdefault("POCL_EXTRA_BUILD_FLAGS", "-cl-opt-disable")  # it compiles four times as fast
    env.update(changes)
    return env


def run(*arguments, stdin=b"", **options):
    """Runs the command; standard output comes back as bytes, standard error as text."""
    options.setdefault("env", environment())
    options.setdefault("stdout", subprocess.PIPE)
    if isinstance(stdin, bytes):
        options["input"] = stdin
    else:
        options["stdin"] = stdin
    command = [HEDDLE, *map(str, arguments)]
    done = subprocess.run(command, stderr=subprocess.PIPE, timeout=TIMEOUT, **options)
    if SANITIZER_FELL in done.stderr:
        done = subprocess.run(command, stderr=subprocess.PIPE, timeout=TIMEOUT, **options)
    return Result(done.returncode, done.stdout, done.stderr.decode("utf-8", "replace"))


def built_in(part):
    """Whether this build has an optional part (zlib, zstd, bzip2, liblzma, expat)."""
    lines = run("--version").out.decode().splitlines()
    return any(line.startswith(part) and "not built in" not in line for line in lines)


@functools.lru_cache(maxsize=None)
def sanitized():
    """A sanitizer, and clang's OpenMP beside it, take more memory and files than any limit worth testing."""
    with open(HEDDLE, "rb") as command:
        content = command.read()
    return b"__asan_init" in content or b"__tsan_init" in content


def share(items, first, stride):
    """All of them; of sanitized commands, which take ten times as long to start, one in `stride`, from `first` on."""
    items = list(items)
    if "HEDDLE_TEST_ALL" in os.environ or not sanitized():
        return items
    return items[first % stride::stride]


class Case(unittest.TestCase):
    """A test with a folder: self.path("x") is a file in it."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="heddle-test-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        path = self.path(name)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return path

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def files(self):
        return sorted(os.listdir(self.folder))

    def heddle(self, *arguments, status=0, **options):
        """Runs the command and insists on its exit status."""
        result = run(*arguments, **options)
        self.assertEqual(result.status, status, "heddle %s\n%s" % (" ".join(map(str, arguments)), result.err))
        return result

    def certified(self, *arguments):
        """Runs with --verify, and insists on the certificate: the values are right, or, where they approach a limit, at
        least those of the rounds. Returns the report."""
        result = run(*arguments, "--verify", "--json")
        report = json.loads(result.out)
        stopped = not report["converged"] and report.get("residual_verified") is not None
        self.assertEqual(result.status, 5 if stopped else 0, result.err)
        self.assertTrue(report["verified"] or report.get("residual_verified") is not None, report)
        return report

    def fails(self, status, *arguments, **options):
        """Runs the command, which has to fail with one clear message and no output; returns its words."""
        result = self.heddle(*arguments, status=status, **options)
        if result.out is not None:
            self.assertEqual(result.out, b"", "a failing command wrote to standard output")
        self.assertRegex(result.err, r"\Aheddle: .+\n")
        return result.err

    def peak(self, *arguments, status=0):
        """Runs the command from a small process, whose memory counts for it at first; returns the peak."""
        script = ("import resource, subprocess, sys\n"
                  "nowhere = subprocess.DEVNULL\n"
                  "status = subprocess.run(sys.argv[1:], stdout=nowhere, stderr=nowhere).returncode\n"
                  "print(status, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)\n")
        done = subprocess.run([sys.executable, "-S", "-c", script, HEDDLE, *arguments], stdout=subprocess.PIPE,
                              env=environment(), check=True)
        found, peak = map(int, done.stdout.split())
        self.assertEqual(found, status)
        return peak * 1024

    def info(self, path, *arguments, **options):
        return json.loads(self.heddle("info", path, "--json", *arguments, **options).out)

    def arcs(self, path, *arguments, **options):
        """All arcs of a graph as text, sorted: [("1", "2", "0.5"), …]."""
        out = self.heddle("convert", path, "-", "--to", "edgelist", "--lossy", "--quiet", *arguments, **options).out
        arcs = [tuple(line.split()) for line in out.decode().splitlines() if line and line[0] not in "#%"]
        if out.startswith(b"# Undirected graph, each edge once\n"):
            arcs += [(arc[1], arc[0], *arc[2:]) for arc in arcs if arc[0] != arc[1]]
        return sorted(arcs)

    def graph(self, path, *arguments):
        """What has to survive a conversion."""
        info = self.info(path, *arguments)
        return Edges(info["vertices"], info["edges"], info["directed"], info["weighted"], self.arcs(path, *arguments))


def main():
    """Runs the tests of the calling file; exit status 77 when every one was skipped."""
    if not os.access(HEDDLE, os.X_OK):
        print("skipped: there is no command at %s" % HEDDLE)
        sys.exit(SKIPPED)
    subprocess.run(["bash", os.path.join(ROOT, "tests", "sweep.sh")], check=False)
    program = unittest.main(module="__main__", exit=False, verbosity=2 if "-v" in sys.argv else 1)
    result = program.result
    if result.wasSuccessful() and result.testsRun and len(result.skipped) == result.testsRun:
        sys.exit(SKIPPED)
    sys.exit(not result.wasSuccessful())
