"""Heddle beside other work: bench/run.py --part busy.

As many processes as --busy says do nothing but keep CPUs busy while the algorithms run: with one thread, with as many
as Heddle chooses, and GAP's with all. The median of the repeats is what users meet there.
"""
import contextlib
import statistics
import subprocess

from common import GENERATED, TIMER, WITH_SOURCE, convert, gap_runs, graphs, make, pick_sources, run, table

ALGORITHMS = ["bfs", "sssp", "cc", "pr", "bc"]


@contextlib.contextmanager
def busy_processes(count):
    loops = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def heddle_median(path, algorithm, source, threads, repeats):
    command = [TIMER, path, "-v", "0", "-n", str(repeats)] + (["-t", str(threads)] if threads else [])
    command += ["-s", source] if algorithm in WITH_SOURCE else []
    return float(run(command + [algorithm]).split("\t")[3])


def bench_busy(options):
    record, rows = [], []
    for name, kind in graphs(options):
        path = make(name, kind, ".hdl", GENERATED)
        stored = (convert(path, name + ".sg"), convert(path, name + ".wsg")) if options.gap else None
        source = pick_sources(path, 1)[0]
        with busy_processes(options.busy):
            for algorithm in ALGORITHMS:
                one, chosen = (heddle_median(path, algorithm, source, threads, options.repeats) for threads in (1, 0))
                gap = stored and statistics.median(gap_runs(algorithm, *stored, source, options.repeats, options))
                record.append({"graph": name, "algorithm": algorithm, "busy": options.busy, "one_thread_ms": one,
                               "chosen_ms": chosen, "gap_ms": gap})
                rows.append([name, algorithm, f"{one:.1f}", f"{chosen:.1f}", f"{gap:.1f}" if gap else "-"])
    table(f"beside {options.busy} busy processes, milliseconds, median of {options.repeats}",
          ["graph", "algorithm", "one thread", "as chosen", f"GAP, {options.threads} threads"], rows)
    return record
