#!/usr/bin/env python3
"""Follows the first session of README.md to the letter, on a machine where Heddle was installed.

    scripts/first-session.py [RUNNER…]          runs commands there, e.g. scripts/clean-root.sh run ROOT

Commands run one after the other in one folder. What README.md shows must come out, "..." standing for anything, and
times being free.
"""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TIME = re.compile(r"\d+(\.\d+)? s\b")


def steps():
    """The commands of the section with what they print."""
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
        section = re.search(r"^## A first session\n(.*?)^## ", file.read(), re.M | re.S)[1]
    for block in re.findall(r"^```console\n(.*?)^```$", section, re.M | re.S):
        parts = re.split(r"^\$ (.*)\n", block, flags=re.M)
        yield from zip(parts[1::2], parts[2::2])


def main():
    count = 0
    for command, expected in steps():
        done = subprocess.run([*sys.argv[1:], "sh", "-c", "mkdir -p /tmp/session && cd /tmp/session && " + command],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        got = TIME.sub("TIME", done.stdout.decode()).rstrip("\n")
        pattern = ".*".join(re.escape(part) for part in TIME.sub("TIME", expected).rstrip("\n").split("..."))
        if done.returncode or not re.fullmatch(pattern, got, re.S):
            raise SystemExit(f"first-session.py: $ {command}\nexpected:\n{expected}\n"
                             f"got (exit status {done.returncode}):\n{got}")
        count += 1
    if not count:
        raise SystemExit("first-session.py: README.md has no first session")
    print(f"the first session of README.md: {count} commands, every output as it says")


if __name__ == "__main__":
    main()
