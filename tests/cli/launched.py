"""Runs under mpirun, for tests of ranks."""
import os
import shutil
import subprocess

import support

MODULE = os.path.join(os.path.dirname(support.HEDDLE), "libheddle-mpi.so")
MPIRUN = shutil.which("mpirun")
READY = MPIRUN and os.path.exists(MODULE)


def environment(**more):
    return support.environment(**{"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                                  "OMP_NUM_THREADS": "1", "PMIX_MCA_gds": "hash", "HEDDLE_FOLD": "no", **more})


class Case(support.Case):
    def graph(self, name, text, *options):
        path = self.path(name)
        self.heddle("convert", self.write("graph.txt", text), path, "--quiet", *options)
        return path

    def start(self, ranks, *command, env=None):
        return subprocess.Popen([MPIRUN, "--oversubscribe", "-n", str(ranks), *map(str, command)], cwd=self.folder,
                                env=env or environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def together(self, ranks, *arguments, status=0, env=None):
        process = self.start(ranks, support.HEDDLE, *arguments, env=env)
        out, err = process.communicate(timeout=100)
        words = [line for line in err.decode().splitlines() if line.startswith("heddle: ")]
        self.assertEqual(process.returncode, status, err.decode())
        return out.decode(), words

    def near(self, one, several):
        one, several = self.read(one).decode(), self.read(several).decode()
        self.assertEqual(len(one.splitlines()), len(several.splitlines()))
        for line, other in zip(one.splitlines(), several.splitlines()):
            self.assertEqual(line.split("\t")[0], other.split("\t")[0])
            if line.startswith("# approximate"):
                continue
            self.assertAlmostEqual(float(line.split("\t")[1]), float(other.split("\t")[1]), delta=1e-5)
