"""What the parts of bench/run.py share: where things are, running commands, making graphs, reading times, tables."""
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.environ.get("BUILD", os.path.join(HERE, "build"))
HEDDLE = os.environ.get("HEDDLE", os.path.join(BUILD, "heddle"))
TIMER = os.path.join(os.path.dirname(os.path.abspath(HEDDLE)), "bench-algorithms")
WORK = os.path.join(BUILD, "bench")
TRIALS = 2  # in one process, in a turn of either side; the better one counts
WITH_SOURCE = ("bfs", "sssp", "bc")
GENERATED = ["--symmetrize", "--dedup", "--no-loops", "--weights", "1..255"]
# GAP's deltas as tuned by hand for weights 1..255 on these kinds of graph
GAP_DELTA = {"kron": 2, "urand": 8, "road": 512}


def run(command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def graphs(options):
    """(name, generate options) of the graphs that algorithms run on."""
    for name in options.graphs or [kind + str(scale) for scale in options.scales for kind in GAP_DELTA]:
        kind, scale = kind_of(name), int(re.search(r"[0-9]+$", name).group())
        side = str(2 ** (scale // 2))
        yield name, {"kron": ["rmat", "--scale", str(scale), "--degree", "16"],
                     "urand": ["uniform", "--scale", str(scale), "--degree", "16"],
                     "road": ["road", "--width", side, "--height", side]}[kind]


def kind_of(name):
    return re.match(r"[a-z]+", os.path.basename(name)).group()


def make(name, kind, suffix, extra):
    path = os.path.join(WORK, name + suffix)
    if not os.path.exists(path):
        run([HEDDLE, "generate", kind[0], path] + kind[1:] + extra + ["--seed", "1", "--quiet"])
    return path


def convert(source, target):
    path = os.path.join(WORK, target)
    if not os.path.exists(path):
        run([HEDDLE, "convert", source, path, "--lossy", "--quiet"])
    return path


def plain_list(path):
    """The edge list without the comment lines at its head, which GAP and igraph do not know."""
    plain = path[:-len(".el")] + ".plain.el"
    if not os.path.exists(plain):
        with open(path, "rb") as source, open(plain, "wb") as target:
            line = source.readline()
            while line.startswith(b"#"):
                line = source.readline()
            target.write(line)
            shutil.copyfileobj(source, target, 1 << 20)
    return plain


def table(title, head, rows):
    widths = [max(len(str(row[i])) for row in [head] + rows) for i in range(len(head))]
    print(f"\n{title}")
    for row in [head] + rows:
        print("  " + "  ".join(str(cell).ljust(width) if i == 0 else str(cell).rjust(width)
                               for i, (cell, width) in enumerate(zip(row, widths))))


def gap_command(name, plain, weighted, source, repeats, options):
    command = [os.path.join(options.gap, name), "-f", weighted if name == "sssp" else plain, "-n", str(repeats)]
    if name in WITH_SOURCE:
        command += ["-r", str(source)]
    return command + {"sssp": ["-d", str(GAP_DELTA[kind_of(plain)])], "bc": ["-i", "1"],
                      "pr": ["-i", "100", "-t", "1e-4"]}.get(name, [])


def gap_runs(name, plain, weighted, source, repeats, options):
    """Milliseconds of each trial."""
    text = run(gap_command(name, plain, weighted, source, repeats, options),
               env=dict(os.environ, OMP_NUM_THREADS=str(options.threads)))
    return [1e3 * float(value) for value in re.findall(r"Trial Time:\s+([0-9.]+)", text)]


def pick_sources(path, wanted):
    """Vertices inside the giant component, the same for all systems."""
    text = run([HEDDLE, "cc", path, "--output", "-", "--quiet"])
    labels = [line.split("\t") for line in text.splitlines()]
    count = {}
    for _, label in labels:
        count[label] = count.get(label, 0) + 1
    giant = max(count, key=count.get)
    members = [vertex for vertex, label in labels if label == giant]
    return [members[(i + 1) * len(members) // (wanted + 1)] for i in range(wanted)]
