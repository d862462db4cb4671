"""The command within what a machine gives: threads that cannot be started, how threads wait."""
import json
import os
import resource

import support


def memory(mebibytes):
    """For preexec_fn: so much address space and no more."""
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (mebibytes << 20, mebibytes << 20))


class Threads(support.Case):
    def setUp(self):
        super().setUp()
        self.grid = self.path("grid.hdl")
        self.heddle("generate", "grid", self.grid, "--width", "300", "--height", "300")

    def check(self, result):
        self.assertRegex(result.out, rb"components +1\b")

    def test_more_than_the_system_gives(self):
        if support.sanitized():
            self.skipTest("sanitized")
        result = self.heddle("cc", self.grid, "--threads", "1000", preexec_fn=memory(400))
        self.check(result)
        if support.built_in("OpenMP"):
            self.assertRegex(result.err, "[0-9]+ threads instead of 1000: the system does not give more")

    def test_default_under_a_tight_limit(self):
        if support.sanitized():
            self.skipTest("sanitized")
        self.check(self.heddle("cc", self.grid, preexec_fn=memory(60)))

    def test_wild_wish(self):
        self.check(self.heddle("cc", self.grid, env=support.environment(OMP_NUM_THREADS="100000")))

    def test_processes_limit(self):
        if os.geteuid() == 0:
            self.skipTest("the limit of processes does not bind root")
        limit = lambda: resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
        self.check(self.heddle("cc", self.grid, "--threads", "8", preexec_fn=limit))


class Waiting(support.Case):
    def test_threads_do_not_spin_for_long(self):
        env = support.environment(OMP_DISPLAY_ENV="verbose")
        for name in ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT"):
            env.pop(name, None)
        words = self.heddle("version", env=env).err
        if "GOMP_SPINCOUNT" not in words or support.sanitized():
            self.skipTest("not gcc's runtime, or not linked into the command")
        self.assertIn("GOMP_SPINCOUNT = '10000'", words)
        self.assertIn("GOMP_SPINCOUNT = '77'", self.heddle("version", env=dict(env, GOMP_SPINCOUNT="77")).err)


class Drivers(support.Case):
    """Drivers that crash or hang in their constructors, which run when the library opens them."""

    def setUp(self):
        super().setUp()
        self.fakes = os.environ.get("HEDDLE_FAKE_DRIVERS", os.path.join(support.ROOT, "build", "tests", "fake"))
        if not os.path.exists(os.path.join(self.fakes, "crash", "libOpenCL.so.1")):
            self.skipTest("no fake drivers")
        os.mkdir(self.path("cache"), 0o700)

    def environment(self, which):
        # The system's list of drivers may have CPU drivers alone, and then none would be opened.
        return support.environment(LD_LIBRARY_PATH=os.path.join(self.fakes, which), HEDDLE_DRIVER_SECONDS="1",
                                   HEDDLE_CACHE=self.path("cache"), OCL_ICD_FILENAMES="other")

    def test_devices(self):
        words = self.fails(1, "devices", env=self.environment("crash"))
        self.assertIn("crashed (signal 6)", words)
        self.assertIn("did not answer within 1 seconds", self.fails(1, "devices", env=self.environment("stuck")))

    def test_auto(self):
        graph = self.path("g.hdl")
        self.heddle("generate", "uniform", graph, "--scale", "16", "--degree", "8")
        for which, fault in (("stuck", "did not answer"), ("crash", "crashed")):
            for _ in range(2):  # a crash is tried, then remembered
                result = self.heddle("cc", graph, env=self.environment(which))
                self.assertIn(fault, result.err)
                self.assertIn(b"cpu", result.out)
            self.assertEqual(len(self.stamps()), which == "crash")
        counted = json.loads(self.heddle("cache", "--json", env=self.environment("crash")).out)["kinds"]["drivers"]
        self.assertEqual(counted["files"], 1)
        self.assertIn(b"drivers        1 of trials", self.heddle("cache", env=self.environment("crash")).out)
        self.assertIn(b"removed 1 file", self.heddle("cache", "clear", env=self.environment("crash")).out)
        self.assertEqual(self.stamps(), [])

    def stamps(self):
        return [name for name in os.listdir(self.path("cache")) if name.startswith("drivers-")]


if __name__ == "__main__":
    support.main()
