#!/usr/bin/env python3
"""Runs each test of a build with counters by itself, and adds up what they cover. scripts/coverage.sh builds and calls.

In BUILD/coverage/ this leaves NAME.profdata per test; lines.json: {test: {file: [first, last, first, last …]}}, the
lines of src/ that each test executes; seconds.json: how long each ran; coverage.json: totals per folder and file, with
the lines and branches that no test takes.

A branch that nothing can take is marked on its line, or on the line before it: `/* never: why */`. It does not count.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LEAST = os.path.join(ROOT, "tests", "least-coverage.txt")
TESTS_OF_HEADERS = ("test_words", "test_hash")
# They look at the tree, at speed, or at what is built and installed elsewhere.
LEFT_OUT = r"^check/|^cli/(work|bench|recipes|tutorial|networkx)$"


def tests_of(build, wanted):
    listed = json.loads(subprocess.check_output(["ctest", "--test-dir", build, "--show-only=json-v1"]))
    for test in listed["tests"]:
        properties = {p["name"]: p["value"] for p in test.get("properties", [])}
        if "command" in test and re.search(wanted, test["name"]) and not re.search(LEFT_OUT, test["name"]):
            yield test["name"], test["command"], properties


def run_test(build, tools, name, command, properties):
    """Runs one test with counters of its own; returns its status, seconds and the file of its counters."""
    folder = tempfile.mkdtemp(prefix="run-", dir=os.path.join(build, "coverage"))
    counters, scratch = os.path.join(folder, "counters"), os.path.join(folder, "tmp")
    os.mkdir(counters)
    os.mkdir(scratch)
    env = dict(os.environ, LLVM_PROFILE_FILE=os.path.join(counters, "%2m.profraw"), TMPDIR=scratch)
    env.update(entry.split("=", 1) for entry in properties.get("ENVIRONMENT", []))
    began = time.monotonic()
    try:
        status = subprocess.run(command, cwd=properties.get("WORKING_DIRECTORY"), env=env, timeout=1800,
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        status = status.returncode
    except subprocess.TimeoutExpired:
        status = "time"
    seconds = time.monotonic() - began
    raw = [os.path.join(counters, file) for file in os.listdir(counters)]
    merged = os.path.join(build, "coverage", name.replace("/", ".") + ".profdata")
    if raw:
        subprocess.run([tools("llvm-profdata"), "merge", "-sparse", "-failure-mode=all", *raw, "-o", merged],
                       stderr=subprocess.DEVNULL, check=False)
    shutil.rmtree(folder, ignore_errors=True)
    return status, seconds, merged


def export(build, tools, profile, *options):
    """Everything of the library is in the shared one, whose functions are those that tests link statically; functions
    of headers that a test calls by itself are in the test."""
    objects = [os.path.join(build, "libheddle.so")]
    for test in TESTS_OF_HEADERS:
        if os.path.exists(os.path.join(build, "tests", test)):
            objects += ["-object", os.path.join(build, "tests", test)]
    return subprocess.check_output([tools("reader"), "export", *objects, "-instr-profile=" + profile, *options],
                                   stderr=subprocess.DEVNULL, text=True)


def read_lcov(text):
    """{path: (lines, branches)} with lines = {line: count}, branches = [(line, taken)]"""
    files, path = {}, None
    for entry in text.splitlines():
        kind, _, rest = entry.partition(":")
        if kind == "SF":
            path = os.path.relpath(rest, ROOT)
            if path.startswith("src/"):
                files[path] = ({}, [])
            else:
                path = None
        elif path and kind == "DA":
            line, count = rest.split(",")[:2]
            files[path][0][int(line)] = int(count)
        elif path and kind == "BRDA":
            line, _, _, taken = rest.split(",")
            files[path][1].append((int(line), taken not in ("-", "0")))
    return files


def ranges(lines):
    """Sorted lines -> [first, last, first, last …]"""
    out = []
    for line in lines:
        if out and line == out[-1] + 1:
            out[-1] = line
        else:
            out += [line, line]
    return out


def never_lines(path):
    """Lines whose branches not taken are marked as impossible."""
    marked = set()
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if "/* never: " in line:
                marked.add(number)
                if line.strip().startswith("/*"):
                    marked.add(number + 1)
    return marked


def folder_of(path):
    return "/".join(path.split("/")[:2])


def add_up(files, conditions):
    """Per file and folder: [covered, all] of lines, branches, conditions; and what is missed."""
    folders, details = {}, {}
    for path, (lines, branches) in sorted(files.items()):
        never = never_lines(path)
        counted = [(line, taken) for line, taken in branches if taken or line not in never]
        numbers = {"lines": [sum(map(bool, lines.values())), len(lines)],
                   "branches": [sum(taken for _, taken in counted), len(counted)],
                   "conditions": conditions.get(path, [0, 0])}
        details[path] = dict(numbers, missed_lines=ranges(sorted(k for k, count in lines.items() if not count)),
                             missed_branches=sorted({line for line, taken in counted if not taken}),
                             never=len(branches) - len(counted))
        total = folders.setdefault(folder_of(path), {key: [0, 0] for key in numbers})
        for key, (covered, whole) in numbers.items():
            total[key][0] += covered
            total[key][1] += whole
    return folders, details


def share(pair):
    return 100.0 * pair[0] / pair[1] if pair[1] else 100.0


def table(folders):
    print("%-16s %8s %8s   %8s %8s   %10s %6s" % ("folder", "lines", "%", "branches", "%", "conditions", "%"))
    for name, total in [*sorted(folders.items()), ("all", {key: [sum(f[key][i] for f in folders.values())
                                                                 for i in (0, 1)]
                                                           for key in ("lines", "branches", "conditions")})]:
        print("%-16s %8d %8.1f   %8d %8.1f   %10d %6.1f" % (
            name, total["lines"][1], share(total["lines"]), total["branches"][1], share(total["branches"]),
            total["conditions"][1], share(total["conditions"])))


def compare(folders):
    """Against the committed least: folder lines% branches%. Returns what fell below."""
    below = []
    with open(LEAST, encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                name, lines, branches = line.split()
                for key, least in (("lines", lines), ("branches", branches)):
                    now = share(folders[name][key]) if name in folders else 0
                    if now < float(least):
                        below.append("%s: %.1f %% of the %s, at least %s expected" % (name, now, key, least))
    return below


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("build")
    parser.add_argument("--llvm", default="", help="suffix of llvm's tools: -19")
    parser.add_argument("--reader", default="", help="suffix of llvm-cov, if another: from version 20 on it "
                        "counts branches of functions in headers once, not once for each file that includes them")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--tests", default="", help="only tests whose names match; nothing is compared then")
    options = parser.parse_args()
    build = os.path.abspath(options.build)

    def tools(name):
        return "llvm-cov" + (options.reader or options.llvm) if name == "reader" else name + options.llvm

    state = os.path.join(build, "coverage")
    os.makedirs(state, exist_ok=True)
    if not options.tests:
        for file in os.listdir(state):
            if file.endswith(".profdata"):
                os.remove(os.path.join(state, file))
    records = {}
    for name in ("lines", "seconds"):
        path = os.path.join(state, name + ".json")
        records[name] = {}
        if options.tests and os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                records[name] = json.load(file)

    def one(test):
        status, seconds, merged = run_test(build, tools, *test)
        lines = {}
        if os.path.exists(merged):
            text = export(build, tools, merged, "-format=lcov", "-skip-functions")
            for path, (counts, _) in read_lcov(text).items():
                if any(counts.values()):
                    lines[path] = ranges(sorted(k for k, count in counts.items() if count))
        return test[0], status, seconds, lines

    failed = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for name, status, seconds, lines in pool.map(one, tests_of(build, options.tests)):
            records["lines"][name], records["seconds"][name] = lines, round(seconds, 2)
            if status not in (0, 77):
                failed.append(name)
            print("%-28s %6.1f s  %s" % (name, seconds, "" if status == 0 else status), flush=True)
    hashes = {}
    for path in {path for lines in records["lines"].values() for path in lines}:
        with open(os.path.join(ROOT, path), "rb") as file:
            hashes[path] = hashlib.sha256(file.read()).hexdigest()
    for name, record in (*records.items(), ("hashes", hashes)):
        with open(os.path.join(state, name + ".json"), "w", encoding="utf-8") as file:
            json.dump(record, file)

    whole = os.path.join(state, "all.merged")
    parts = [os.path.join(state, file) for file in sorted(os.listdir(state)) if file.endswith(".profdata")]
    subprocess.run([tools("llvm-profdata"), "merge", "-sparse", *parts, "-o", whole], check=True)
    files = read_lcov(export(build, tools, whole, "-format=lcov", "-skip-functions"))
    summary = json.loads(export(build, tools, whole, "-summary-only"))["data"][0]["files"]
    conditions = {os.path.relpath(file["filename"], ROOT): [file["summary"]["mcdc"]["covered"],
                                                            file["summary"]["mcdc"]["count"]]
                  for file in summary if "mcdc" in file["summary"]}
    folders, details = add_up(files, conditions)
    with open(os.path.join(state, "coverage.json"), "w", encoding="utf-8") as file:
        json.dump({"folders": folders, "files": details}, file, indent=1)
    print()
    table(folders)
    if failed: # those that set limits on files meet the files of counters
        print("did not pass with counters:", " ".join(failed))
    below = [] if options.tests or not os.path.exists(LEAST) else compare(folders)
    print("\n".join(below))
    return 1 if below else 0


if __name__ == "__main__":
    sys.exit(main())
