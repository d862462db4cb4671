#!/usr/bin/env python3
"""Runs the steps of packaging/Containerfile in clean roots, in place of a container engine, and tries what comes out.

    scripts/check-container.py          exit 77 where scripts/clean-root.sh makes no root, or `make archive` did not run

A stage that begins with a Debian image begins with a clean root of this machine's release. The certificates and pip's
settings of this machine come along, so that its network works there.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CLEAN = os.path.join(ROOT, "scripts", "clean-root.sh")
KNOWN = {"FROM", "ADD", "COPY", "RUN", "ENV", "WORKDIR", "ENTRYPOINT"}


def steps(text):
    """(instruction, arguments) of a Containerfile."""
    text = re.sub(r"^#.*\n", "", text, flags=re.M).replace("\\\n", " ")
    found = [line.split(None, 1) for line in text.splitlines() if line.strip()]
    for instruction, _ in found:
        if instruction not in KNOWN:
            raise SystemExit("check-container.py does not know " + instruction)
    return found


class Stage:
    def __init__(self, path, entry=None):
        self.path, self.env, self.entry, self.folder = path, {}, entry or [], "/"

    def inside(self, path):
        return os.path.join(self.path, path.lstrip("/"))

    def run(self, *command, check=True):
        words = ["env", *(f"{key}={value}" for key, value in self.env.items()), *command]
        return subprocess.run([CLEAN, "run", self.path, "sh", "-c", 'cd "$0" && exec "$@"', self.folder, *words],
                              check=check, stdout=subprocess.PIPE, text=True).stdout


class Build:
    def __init__(self, folder):
        self.folder, self.stages, self.stage = folder, {}, None

    def FROM(self, text):
        base, name = re.fullmatch(r"(\S+) AS (\S+)", text).groups()
        path = os.path.join(self.folder, name)
        if base in self.stages:
            old = self.stages[base]
            subprocess.run(["cp", "-a", old.path, path], check=True)
            self.stage = Stage(path, old.entry)
            self.stage.env, self.stage.folder = dict(old.env), old.folder
        else:
            if not base.startswith("debian:"):
                raise SystemExit("check-container.py has no image " + base)
            made = subprocess.run([CLEAN, "make", path], check=False)
            if made.returncode:
                sys.exit(77)
            self.stage = Stage(path)
            self.bring_network()
        self.stages[name] = self.stage

    def bring_network(self):
        certificates, settings = "/etc/ssl/certs/ca-certificates.crt", "/etc/pip.conf"
        if os.path.exists(certificates):
            shutil.copy(certificates, self.stage.inside("/etc/machine.crt"))
            self.stage.env["PIP_CERT"] = "/etc/machine.crt"
        if os.path.exists(settings):
            shutil.copy(settings, self.stage.inside(settings))

    def ADD(self, text):
        pattern, place = text.split()
        archives = glob.glob(os.path.join(ROOT, pattern))
        if len(archives) != 1:
            print(f"{pattern} is not one file: run `make archive`")
            sys.exit(77)
        subprocess.run(["tar", "-C", self.stage.inside(place), "-xzf", archives[0]], check=True)

    def COPY(self, text):
        stage, source, place = re.fullmatch(r"--from=(\S+) (\S+) (\S+)", text).groups()
        shutil.copytree(self.stages[stage].inside(source), self.stage.inside(place), symlinks=True)

    def RUN(self, text):
        self.stage.run("sh", "-c", text)

    def ENV(self, text):
        key, value = text.split("=", 1)
        self.stage.env[key] = value

    def WORKDIR(self, text):
        os.makedirs(self.stage.inside(text), exist_ok=True)
        self.stage.folder = text

    def ENTRYPOINT(self, text):
        self.stage.entry = re.findall(r'"(.*?)"', text)


def expect(what, found):
    if what not in found:
        raise SystemExit(f"check-container.py: expected '{what}', got:\n{found}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        build = Build(folder)
        with open(os.path.join(ROOT, "packaging", "Containerfile"), encoding="utf-8") as file:
            for instruction, text in steps(file.read()):
                print(instruction, text, flush=True)
                getattr(build, instruction)(text.strip())
        for name in ("cpu", "cuda"):
            stage = build.stages[name]
            expect("Valjean\t", stage.run(*stage.entry, "pr", "example:lesmis", "--weighted", "--top", "1", "--quiet"))
            with open(stage.inside("/data/graph.txt"), "w", encoding="utf-8") as file:
                file.write("1 2\n2 3\n3 1\n4 1\n")
            expect("1\t", stage.run(*stage.entry, "pr", "graph.txt", "--top", "1", "--quiet"))
        # With a driver, which is a fake, the command finds the compiler that came along.
        stage, fake = build.stages["cuda"], os.path.join(ROOT, os.environ.get("BUILD", "build"), "tests", "fake")
        drivers = [os.path.join(fake, name) for name in ("libcuda.so.1", "libfake_driver.so")]
        if all(map(os.path.exists, drivers)):
            for driver in drivers:
                shutil.copy(driver, stage.inside("/usr/lib"))
            expect("NVRTC 12.", stage.run(*stage.entry, "devices"))
        else:
            print("no fake drivers in the build: that the command finds CUDA's compiler was not tried")
    print("packaging/Containerfile: every step works in clean roots")


if __name__ == "__main__":
    main()
