"""Several OpenMP runtimes in one process: Heddle's beside those that other packages bring."""
import os
import shutil
import subprocess
import sys

import pytest

SOURCE = """
#include <omp.h>
int count_threads(int wanted) {
    int found = 0;
#pragma omp parallel num_threads(wanted) reduction(+ : found)
    found += 1;
    return found;
}
"""
#: Runs Heddle before, between and after the other runtime's regions, and from two threads at once.
SCRIPT = """
import threading
import heddle
def run():
    g = heddle.generate("rmat", scale=13, threads=2)
    for _ in range(3):
        assert int(g.cc(threads=2).values.min()) == 0
        assert g.pagerank(threads=2).converged
        other()
{other}
run()
others = [threading.Thread(target=run) for _ in range(2)]
for one in others: one.start()
for one in others: one.join()
print("done")
"""


def check(other):
    done = subprocess.run([sys.executable, "-c", SCRIPT.replace("{other}", other)], capture_output=True, text=True,
                          timeout=300, env=dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path)))
    assert done.returncode == 0 and done.stdout.endswith("done\n"), done.stderr


@pytest.mark.parametrize("compiler", ["gcc", "clang"])  # libgomp, libomp
def test_library(tmp_path, compiler):
    if not shutil.which(compiler):
        pytest.skip(f"{compiler} is not installed")
    source, library = tmp_path / "other.c", tmp_path / "other.so"
    source.write_text(SOURCE)
    built = subprocess.run([compiler, "-fopenmp", "-shared", "-fPIC", str(source), "-o", str(library)],
                           capture_output=True, text=True)
    if built.returncode:
        pytest.skip(f"{compiler} has no OpenMP runtime")
    check(f"import ctypes\nlibrary = ctypes.CDLL({str(library)!r})\n"
          "def other(): assert library.count_threads(3) in (1, 2, 3)\n")


def test_scikit_learn():
    pytest.importorskip("sklearn")
    check("import numpy as np\nfrom sklearn.cluster import KMeans\n"
          "def other(): assert len(KMeans(3, n_init=1).fit(np.random.rand(500, 4)).cluster_centers_) == 3\n")


def test_torch():
    pytest.importorskip("torch")
    check("import torch\ntorch.set_num_threads(2)\ndef other():\n    one = torch.rand(400, 400)\n"
          "    assert torch.allclose((one @ one).sum(), one.sum(0) @ one.sum(1), rtol=1e-3)\n")
