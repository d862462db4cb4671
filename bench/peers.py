"""Heddle beside GAP, igraph and LAGraph, from a text file to a result and in memory: bench/run.py --part peers.

Each peer reads the same lines as Heddle does: .mtx for LAGraph, for GAP and igraph an edge list, the .mtx without its
head. Heddle's time from the file is that of the whole command, its result written as text; GAP's that of its whole
command; igraph's and LAGraph's goes from the start of the process until the result is in memory. None of the peers
writes its result. In memory, GAP's and Heddle's times are of graphs that were stored as CSR.
"""
import collections
import importlib.util
import os
import shutil
import subprocess
import sys
import time

from common import (GENERATED, HEDDLE, HERE, TIMER, TRIALS, WITH_SOURCE, WORK, convert, gap_command, gap_runs, graphs,
                    kind_of, make, pick_sources, run)

# What is timed from the file, with what is timed in memory on the graph that was read for it
ALGORITHMS = {"bfs": ["bfs"], "sssp": ["sssp"], "cc": ["cc"], "pr": ["pr", "bc"]}
# LAGraph's deltas as tuned by hand for weights 1..255 on these kinds of graph
LAGRAPH_DELTA = {"kron": 16, "urand": 64, "road": 512}

Peer = collections.namedtuple("Peer", "name form turn")  # form: of the file that it reads
Case = collections.namedtuple("Case", "graph files source options")  # source counts from 0, in text files from 1
Turn = collections.namedtuple("Turn", "seconds milliseconds check")


# ---- The peers -------------------------------------------------------------------------------------------------------

def environment(case):
    return dict(os.environ, OMP_NUM_THREADS=str(case.options.threads))


def watch(command, case):
    """A turn of a program that tells when its first result is there, and then times in memory."""
    start, seconds, times, check = time.perf_counter(), None, {}, None
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment(case)) as child:
        for line in child.stdout:
            word, name, *values = line.split()
            if word == "done" and seconds is None:
                seconds = time.perf_counter() - start
            elif word == "check":
                check = tuple(int(value) for value in values)
            elif word == "ms":
                times.setdefault(name, []).append(float(values[0]))
    if child.returncode != 0 or seconds is None:
        sys.exit(f"{' '.join(command)}: failed")
    return Turn(seconds, {name: min(each) for name, each in times.items()}, check)


def gap_turn(name, case):
    lists, stored = case.files["el"], case.files["gap"]
    start = time.perf_counter()
    run(gap_command(name, lists[0], lists[1], case.source + 1, 1, case.options) + ["-s"], env=environment(case))
    seconds = time.perf_counter() - start
    return Turn(seconds, {each: min(gap_runs(each, stored[0], stored[1], case.source, TRIALS, case.options))
                          for each in ALGORITHMS[name]}, None)


def igraph_turn(name, case):
    program = os.path.join(HERE, "bench", "peer_igraph.py")
    return watch([sys.executable, program, case.files["el"][name == "sssp"], "-s", str(case.source + 1),
                  "-n", str(TRIALS)] + ALGORITHMS[name], case)


def lagraph_turn(name, case):
    return watch([lagraph_program(case.options.lagraph), case.files["mtx"][name == "sssp"],
                  "-s", str(case.source + 1), "-d", str(LAGRAPH_DELTA[kind_of(case.graph)]),
                  "-n", str(TRIALS)] + ALGORITHMS[name], case)


def lagraph_program(folder):
    """Compiled once, against the library in the folder's build."""
    source, program = os.path.join(HERE, "bench", "peer_lagraph.c"), os.path.join(WORK, "peer-lagraph")
    if not os.path.exists(program) or os.path.getmtime(program) < os.path.getmtime(source):
        library = os.path.join(os.path.abspath(folder), "build")
        run([os.environ.get("CC", "cc"), "-O2", "-I" + os.path.join(folder, "include"), source, "-o", program,
             "-L" + library, "-Wl,-rpath," + library, "-llagraph", "-lgraphblas"])
    return program


def peers_here(options):
    peers = [Peer("GAP", "el", gap_turn)] if options.gap else []
    if importlib.util.find_spec("igraph"):
        peers.append(Peer("igraph", "el", igraph_turn))
    if options.lagraph:
        peers.append(Peer("LAGraph", "mtx", lagraph_turn))
    if not peers:
        sys.exit("peers: none of them is there: --gap FOLDER, --lagraph FOLDER, or igraph for this Python")
    return peers


# ---- Heddle ----------------------------------------------------------------------------------------------------------

def text_files(name, kind):
    """By form: the file without weights, and the one with them."""
    base = make(name, kind, ".hdl", GENERATED)
    stored = convert(base, name + ".sg"), convert(base, name + ".wsg")
    matrices = convert(stored[0], name + ".mtx"), convert(base, name + ".weighted.mtx")
    lists = without_head(matrices[0], name + ".once.el"), without_head(matrices[1], name + ".once.wel")
    return {"hdl": (base, base), "gap": stored, "mtx": matrices, "el": lists}


def without_head(matrix, target):
    """The lines of a .mtx file as an edge list that has each edge once."""
    path = os.path.join(WORK, target)
    if not os.path.exists(path):
        with open(matrix, "rb") as source, open(path, "wb") as out:
            source.readline()
            source.readline()
            shutil.copyfileobj(source, out, 1 << 20)
    return path


def result_file():
    return os.path.join(WORK, "result.tsv")


def whole_command(command):
    """Seconds; its output goes to a file, without waiting for the disk."""
    with open(result_file(), "wb") as out:
        start = time.perf_counter()
        done = subprocess.run(command, stdout=out, stderr=subprocess.PIPE, text=True)
        seconds = time.perf_counter() - start
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stderr.strip()}")
    return seconds


def heddle_turn(name, form, verify, case):
    command = [HEDDLE, name, case.files[form][name == "sssp"], "--output", "-", "--quiet", "--device", "cpu",
               "--threads", str(case.options.threads)]
    command += ["--source", str(case.source + 1)] if name in WITH_SOURCE else []
    command += ["--tolerance", "1e-4"] if name == "pr" else []
    command += ["--symmetrize"] if form == "el" else []
    seconds = whole_command(command)
    lines = run([TIMER, case.files["hdl"][0], "-t", str(case.options.threads), "-n", str(TRIALS),
                 "-v", "1" if verify else "0", "-s", str(case.source)] + ALGORITHMS[name]).splitlines()
    return Turn(seconds, {line.split("\t")[0]: float(line.split("\t")[2]) for line in lines}, None)


def check_of(name):
    """Of the result that was written last, what the peers tell about theirs."""
    with open(result_file(), encoding="ascii") as rows:
        values = [row.split("\t")[1].strip() for row in rows]
    if name == "cc":
        sizes = collections.Counter(values).values()
        return max(sizes), sum(size > 1 for size in sizes)
    reached = [int(value) for value in values if value != "inf"]
    return len(reached), sum(reached)


# ---- Turns and tables ------------------------------------------------------------------------------------------------

def one_turn(case, peers, first, turns):
    """Heddle and each peer, process by process; turns[peer name, algorithm] = (Heddle's, the peer's)."""
    for name in ALGORITHMS:
        for peer in peers:
            ours = heddle_turn(name, peer.form, first and peer is peers[0], case)
            check = check_of(name) if first and name != "pr" else None
            theirs = peer.turn(name, case)
            if check and theirs.check and check != theirs.check:
                sys.exit(f"{case.graph} {name}: {peer.name} found {theirs.check}, Heddle {check}")
            pair = turns.setdefault((peer.name, name), ([], []))
            pair[0].append(ours)
            pair[1].append(theirs)


def markdown(title, head, rows):
    print(f"\n{title}\n")
    for row in [head, ["---"] * len(head)] + rows:
        print("| " + " | ".join(row) + " |")
    sys.stdout.flush()


def best(turns, each):
    """The least seconds from the file, or with a name the least milliseconds in memory."""
    return min(turn.milliseconds[each] if each else turn.seconds for turn in turns)


def row_of(peers, turns, name, each, forms):
    """Heddle's best for each form of file, then each peer's and its ratio to Heddle's best of the same turns."""
    style = "{:.1f}" if each else "{:.3f}"
    ours = [best([turn for peer in peers if peer.form in form for turn in turns[peer.name, name][0]], each)
            for form in forms]
    theirs = [(best(turns[peer.name, name][1], each), best(turns[peer.name, name][0], each)) for peer in peers]
    return [each or name] + [style.format(one) for one in ours] + [
        f"{style.format(one)} ({one / max(mine, 1e-6):.1f})" for one, mine in theirs]


def show(graph, peers, turns, count):
    names = [peer.name for peer in peers]
    forms = sorted({peer.form for peer in peers})
    markdown(f"{graph}, from a text file to the result, seconds (peer's time / Heddle's), best of {count}",
             ["algorithm"] + [f"Heddle .{form}" for form in forms] + [f"{peer.name} .{peer.form}" for peer in peers],
             [row_of(peers, turns, name, None, [[form] for form in forms]) for name in ALGORITHMS])
    markdown(f"{graph}, in memory, milliseconds (peer's time / Heddle's), best of {count} times {TRIALS}",
             ["algorithm", "Heddle"] + names,
             [row_of(peers, turns, name, each, [forms]) for name, more in ALGORITHMS.items() for each in more])


def record_of(graph, turns):
    return [{"graph": graph, "peer": peer, "algorithm": name, "turns": len(ours),
             "heddle_seconds": best(ours, None), "peer_seconds": best(theirs, None),
             "heddle_ms": {each: best(ours, each) for each in ALGORITHMS[name]},
             "peer_ms": {each: best(theirs, each) for each in ALGORITHMS[name]}}
            for (peer, name), (ours, theirs) in turns.items()]


def bench_peers(options):
    peers, record = peers_here(options), []
    for graph, kind in graphs(options):
        files = text_files(graph, kind)
        case = Case(graph, files, int(pick_sources(files["hdl"][0], 1)[0]), options)
        turns, count, start = {}, 0, time.monotonic()
        while count < options.repeats and (count == 0 or time.monotonic() - start < options.limit):
            one_turn(case, peers, count == 0, turns)
            count += 1
        show(graph, peers, turns, count)
        record += record_of(graph, turns)
    return record
