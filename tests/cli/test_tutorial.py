"""The tutorial of docs/programs.md, README.md, docs/index.md and the pages of docs/tasks/, followed to the letter.

C blocks whose first line names a file, /* NAME.c - … */, are saved under that name. Lines of console blocks that begin
with $ are run, one after the other in one folder; what follows must come out, "..." standing for anything, times, rates
and the numbers of rounds and threads being free, and "[exit status N]" where it is not 0. A page may say what its
commands need, <!-- needs: sqlite3 -->: programs, or files of the build.
"""
import glob
import os
import re
import shutil
import subprocess

import launched
import support

BUILD = os.path.dirname(support.HEDDLE)
DOCS = os.path.join(support.ROOT, "docs")
FREE = [
    (r"\d+(\.\d+)? (min \d+ )?s\b", "TIME"),
    (r"\d+(\.\d+)?[kMGT]? edges/s", "RATE"),
    (r"\b(build|compile) TIME, ", ""),
    (r"\d+ threads?", "THREADS"),
    (r"iterations +\d+", "ITERATIONS"),
]


def blocks(text):
    """All fenced blocks: (language, content)."""
    return re.findall(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def steps(console):
    """The commands of a console block with their outputs."""
    parts = re.split(r"^\$ (.*)\n", console, flags=re.MULTILINE)
    return list(zip(parts[1::2], parts[2::2]))


def mask(text):
    for pattern, word in FREE:
        text = re.sub(pattern, word, text)
    return text


def missing(text):
    """What a page needs and is not here."""
    found = re.search(r"<!-- needs: (.*?) -->", text)
    needs = found.group(1).split() if found else []
    built = {"mpirun": launched.MODULE, "libheddle.so": os.path.join(BUILD, "libheddle.so")}
    return [name for name in needs if not (os.path.exists(built[name]) if name in built else shutil.which(name))]


INSTALLS = re.compile(r"(^|[;&|(]\s*)(sudo|pip3?|python3? -m pip|apt(-get)?|conda|npm|make)\s")


class Tutorial(support.Case):
    def setUp(self):
        super().setUp()
        with open(self.path("heddle.pc"), "w", encoding="utf-8") as file:
            file.write("Name: heddle\nDescription: as it was built\nVersion: 0\nCflags: -I%s\n"
                       "Libs: -L%s -Wl,-rpath,%s -lheddle\n" % (os.path.join(support.ROOT, "include"), BUILD, BUILD))

    def follow(self, command):
        path = os.pathsep.join([BUILD, os.environ.get("PATH", "/usr/bin:/bin")])
        env = launched.environment(PATH=path, HEDDLE_CACHE=self.path("cache"), PKG_CONFIG_PATH=self.folder,
                                   OMPI_MCA_rmaps_base_oversubscribe="1")
        del env["OMP_NUM_THREADS"]
        done = subprocess.run(["bash", "-c", command], cwd=self.folder, env=env, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=support.TIMEOUT)
        output = done.stdout.decode()
        return output + "[exit status %d]\n" % done.returncode if done.returncode else output

    def follow_page(self, path):
        """Saves the page's programs and runs its commands; how many these were."""
        self.assertEqual(os.path.basename(support.HEDDLE), "heddle")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        found = [] if missing(text) else blocks(text)
        commands = 0
        for language, content in found:
            name = re.match(r"/\* (\w+\.c) - ", content)
            if language == "c" and name:
                self.write(name.group(1), content)
            elif language == "console":
                for command, expected in steps(content):
                    self.assertNotRegex(command, INSTALLS, "%s: a test installs nothing on its machine" % path)
                    with self.subTest(page=os.path.basename(path), command=command):
                        pattern = ".*".join(re.escape(part) for part in mask(expected).rstrip("\n").split("..."))
                        got = mask(self.follow(command)).rstrip("\n")
                        self.assertRegex(got, "(?s)\\A%s\\Z" % pattern)
                    commands += 1
        return commands

    def test_programs(self):
        self.assertGreater(self.follow_page(os.path.join(DOCS, "programs.md")), 10)

    def test_home_and_tasks(self):
        pages = [os.path.join(support.ROOT, "README.md"), os.path.join(DOCS, "index.md")]
        pages += sorted(glob.glob(os.path.join(DOCS, "tasks", "*.md")))
        self.assertGreater(sum(self.follow_page(page) for page in pages), 10)

    def test_examples_are_short_and_explained(self):
        folder = os.path.join(support.ROOT, "examples")
        programs = [name for name in sorted(os.listdir(folder)) if name.endswith(".c")]
        self.assertGreaterEqual(len(programs), 3)
        for name in programs:
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                lines = file.read().splitlines()
            self.assertLess(len(lines), 65, name)
            self.assertTrue(lines[0].startswith("/* %s - " % name), name)


if __name__ == "__main__":
    support.main()
