#!/usr/bin/env python3
"""What the Python package adds to the library: a call on a tiny graph, runs on a large one, memory of a graph over the
caller's arrays, and how long a run goes on after Ctrl-C.

    PYTHONPATH=python HEDDLE_LIBRARY=build/libheddle.so bench/python_calls.py [--scale 20] [--repeat 5]

Large: a uniform graph of 2^SCALE vertices with 16 arcs each, with weights, one thread. For each run the table has the
time that the library reports, which is what a C program has, and that of the whole call in Python with its array of
values, both of the same run, so that other load on the machine weighs on both; of REPEAT runs the one with the least
ratio.
"""
import argparse
import os
import re
import signal
import threading
import time

import numpy as np

import heddle

ALGORITHMS = ["bfs", "sssp", "cc", "pr"]


def best(function, count, rounds, clock=time.perf_counter):
    """Seconds of a call: the least mean of several rounds."""
    least = float("inf")
    for _ in range(rounds):
        start = clock()
        for _ in range(count):
            function()
        least = min(least, (clock() - start) / count)
    return least


def tiny():
    g = heddle.Graph.from_edges([(0, 1, 1), (1, 2, 3), (2, 3, 1), (3, 0, 2), (0, 4, 5)], symmetrize=True)
    print("microseconds of CPU time of a call on a graph of 5 vertices, its array of values included")
    for name in ["bfs", "sssp", "sswp", "cc", "pr", "bc", "scc", "mst"]:
        method = getattr(g, name)
        ask = (lambda: method().edges) if name == "mst" else (lambda: method().values)
        print(f"| {name} | {1e6 * best(ask, 100, 100, time.process_time):.1f} |", flush=True)


def peak(field="VmHWM"):
    with open("/proc/self/status", encoding="ascii") as file:
        return int(re.search(rf"{field}:\s+(\d+) kB", file.read()).group(1)) * 1024


def run(method, *source):
    """Milliseconds of the library's run and of the whole call."""
    start = time.perf_counter()
    result = method(*source, threads=1)
    values = result.values
    spent = time.perf_counter() - start
    assert len(values)
    return 1e3 * (result.report["compute"] + result.report["prepare"]), 1e3 * spent


def large(scale, repeat):
    made = heddle.generate("uniform", scale=scale, degree=16, weighted=True)
    arrays = [np.array(one) for one in made.out_edges()]
    made.close()
    del made
    size = sum(one.nbytes for one in arrays)
    with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
        file.write("5")  # the peak is what is in use now
    before = peak()
    g = heddle.Graph.from_csr(*arrays)
    print(f"\n{g.vertices} vertices, {g.edges} arcs, {size / 1e6:.0f} MB of arrays: a graph over them adds "
          f"{(peak() - before) / 1e6:.1f} MB to the peak")
    print("| | library | call | ratio |\n|---|---:|---:|---:|")
    for name in ALGORITHMS:
        source = (0,) if name in ("bfs", "sssp") else ()
        runs = [run(getattr(g, name), *source) for _ in range(repeat + 1)]
        inside, whole = min(runs, key=lambda one: one[1] / one[0])
        print(f"| {name} | {inside:.2f} | {whole:.2f} | {whole / inside:.4f} |", flush=True)


def interrupted(repeat):
    """Milliseconds from a signal to the exception, of several long runs."""
    g, found = heddle.generate("rmat", scale=18), []
    for call in (g.bc, lambda: g.pagerank(tolerance=1e-300, max_iterations=10**9),
                 lambda: heddle.generate("rmat", scale=24)):
        for _ in range(repeat):
            sent = []

            def send():
                sent.append(time.perf_counter())
                os.kill(os.getpid(), signal.SIGINT)
            timer = threading.Timer(0.3, send)
            timer.start()
            try:
                call()
            except KeyboardInterrupt:
                found.append(1e3 * (time.perf_counter() - sent[0]))
    found.sort()
    print(f"\nCtrl-C: {found[0]:.1f} to {found[-1]:.1f} ms until the exception, median {found[len(found) // 2]:.1f}, "
          f"in {len(found)} runs of bc, pagerank and generate")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=int, default=20)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    tiny()
    large(options.scale, options.repeat)
    interrupted(options.repeat)


if __name__ == "__main__":
    main()
