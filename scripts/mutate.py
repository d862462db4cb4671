#!/usr/bin/env python3
"""A mutation score: changes one operator, bound or statement of src/ at a time and sees whether a test fails.

`make coverage` comes first: it records which test executes which line. Each mutant is compiled in a build of its own
(BUILD-mutation, a copy of the tree, gcc -O1), the tests that execute the line are linked with it and run, quickest
first, until one fails. Mutants that do not compile, or whose object file is that of the original, do not count. Lines
that no test executes are survivors without a run. A kernel's text is tested by the tests that run kernels and execute
the C file that compiles it.

Mutants are drawn evenly over the folders by a seed, so that 300 of seed 1 are the first 300 of any larger number.
Every result is appended to BUILD-mutation/results.jsonl and not tried again, so a run can be stopped and continued.
tests/equivalent-mutants.txt names survivors that do what the original does, and why; they do not count.
"""
import argparse
import collections
import concurrent.futures
import difflib
import hashlib
import json
import os
import random
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
EQUIVALENT = os.path.join("tests", "equivalent-mutants.txt")
# The order in which folders take turns; the others follow.
FIRST = ("src/check", "src/graph", "src/io", "src/base", "src/run", "src/engine", "src/algorithm", "kernels")
# Not compiled here as they are: a wrapper of programs, and a module that needs an MPI.
LEFT_OUT = ("src/engine/cpu/cpu_program.c", "src/exchange/mpi/module.c")

Mutant = collections.namedtuple("Mutant", "path line operator before after")


def folder_of(path):
    return "kernels" if path.endswith(".cl") else "/".join(path.split("/")[:2])


# ---- What is changed ------------------------------------------------------------------------------------------------

HIDDEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#(?:\\\n|[^\n])*',
                    re.DOTALL | re.MULTILINE)

# operator, what it looks like in code as clang-format lays it out, what it becomes
SWAPS = [(name, re.compile(pattern), after) for name, pattern, after in (
    ("bound", r"(?<= )<(?= )", "<="), ("bound", r"(?<= )<=(?= )", "<"),
    ("bound", r"(?<= )>(?= )", ">="), ("bound", r"(?<= )>=(?= )", ">"),
    ("equality", r"(?<= )==(?= )", "!="), ("equality", r"(?<= )!=(?= )", "=="),
    ("arithmetic", r"(?<= )\+(?==? )", "-"), ("arithmetic", r"(?<= )-(?==? )", "+"),
    ("arithmetic", r"(?<= )\*(?==? )", "/"), ("arithmetic", r"(?<= )/(?==? )", "*"),
    ("logic", r"(?<= )&&(?= )", "||"), ("logic", r"(?<= )\|\|(?= )", "&&"),
    ("bits", r"(?<= )&(?==? )", "|"), ("bits", r"(?<= )\|(?==? )", "&"),
    ("bits", r"(?<= )<<(?==? )", ">>"), ("bits", r"(?<= )>>(?==? )", "<<"),
    ("jump", r"\bbreak(?=;)", "continue"), ("jump", r"\bcontinue(?=;)", "break"),
    ("truth", r"\btrue\b", "false"), ("truth", r"\bfalse\b", "true"))]
NUMBER = re.compile(r"(?<![\w.])(\d+)(?=[uUlL]*(?![\w.]))")
CONDITION = re.compile(r"(?:\bif|\bwhile) \(|(?<=\breturn )!(?=\w)")
CALL = re.compile(r"\s*(?:\(void\))?[A-Za-z_]\w*(?:(?:->|\.)\w+)*\(.*\);$")
ASSIGNMENT = re.compile(r"\s*(?:\+\+|--|\*)*[A-Za-z_][\w.>\[\]\-]*(?:\[[^=]*\])?(?:(?:->|\.)\w+)*"
                        r"(?: (?:[-+*/|&^]|<<|>>)?= .*|\+\+|--);$")
STARTS_STATEMENT = re.compile(r"[;{}:)]$|^else$|^$")


def masked(text):
    """The same text with comments, literals and preprocessor lines blanked."""
    return HIDDEN.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)


def closing(line, start):
    """The place of the parenthesis that closes the one at `start`, or -1."""
    depth = 0
    for k in range(start, len(line)):
        depth += (line[k] == "(") - (line[k] == ")")
        if depth == 0:
            return k
    return -1


def mutants_of(path, text):
    lines, codes = text.split("\n"), masked(text).split("\n")
    previous = ""
    for number, (line, code) in enumerate(zip(lines, codes), 1):
        code = code.rstrip()

        def made(operator, start, end, after, line=line, number=number):
            return Mutant(path, number, operator, line, line[:start] + after + line[end:])

        if not code or not code.startswith(" "): # what is outside of functions: types, tables, prototypes
            previous = code or previous
            continue
        for operator, pattern, after in SWAPS:
            for found in pattern.finditer(code):
                yield made(operator, *found.span(), after)
        for found in NUMBER.finditer(code):
            yield made("constant", *found.span(), str(int(found.group(1)) + 1))
        for found in CONDITION.finditer(code):
            if found.group() == "!":
                yield made("condition", *found.span(), "")
                continue
            end = closing(code, found.end() - 1)
            if end > 0:
                yield made("condition", found.end() - 1, end + 1, "(!" + line[found.end() - 1:end + 1] + ")")
        if STARTS_STATEMENT.search(previous) and (CALL.match(code) or ASSIGNMENT.match(code)):
            start = len(code) - len(code.lstrip())
            operator = "atomic" if re.search(r"barrier|atomic|fence", code) else "statement"
            yield made(operator, start, len(code), ";")
        previous = code.strip()


def of_threads(mutant):
    """Whether it only changes when threads are worth their start: the results are the same."""
    worth = re.compile(r"if \(.*HD_WORTH_THREADS.*\)")
    return worth.sub("", mutant.before) == worth.sub("", mutant.after)


def is_in(path, only):
    return not only or any(folder_of(path) == one or path == one or
                           folder_of(path) != "kernels" and path.startswith(one + "/") for one in only)


def draw(tree, seed, number, only):
    """The first `number` mutants, one from each folder in turn."""
    piles = {}
    for folder, _, files in sorted(os.walk(os.path.join(tree, "src"))):
        for file in sorted(files):
            path = os.path.relpath(os.path.join(folder, file), tree)
            if file.endswith((".c", ".cl")) and path not in LEFT_OUT:
                with open(os.path.join(tree, path), encoding="utf-8") as content:
                    piles.setdefault(folder_of(path), []).extend(mutants_of(path, content.read()))
    order = [folder for folder in FIRST if folder in piles] + sorted(set(piles) - set(FIRST))
    for folder in order:
        random.Random("%d %s" % (seed, folder)).shuffle(piles[folder])
        piles[folder] = [mutant for mutant in piles[folder] if not of_threads(mutant) and is_in(mutant.path, only)]
    taken = []
    for turn in range(max(map(len, piles.values()), default=0)):
        taken += [piles[folder][turn] for folder in order if turn < len(piles[folder])]
        if len(taken) >= number:
            break
    return taken[:number]


# ---- The build ------------------------------------------------------------------------------------------------------

class Build:
    """The copy of the tree, its objects, and the tests linked with one object in the place of another."""

    def __init__(self, folder, jobs):
        self.folder, self.jobs = os.path.abspath(folder), jobs
        self.tree, self.build = os.path.join(self.folder, "tree"), os.path.join(self.folder, "build")
        self.ready, self.links, self.originals = set(), {}, {}
        self.lock = threading.Lock() # of ninja, and of results

    @property
    def work(self):
        """The folder of this worker."""
        return os.path.join(self.folder, "work", threading.current_thread().name)

    def prepare(self):
        names = subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT, text=True).split("\0")
        for name in filter(None, names):
            source, copy = os.path.join(ROOT, name), os.path.join(self.tree, name)
            if os.path.isfile(source) and not (os.path.exists(copy) and same_file(source, copy)):
                os.makedirs(os.path.dirname(copy), exist_ok=True)
                shutil.copy(source, copy)
        for folder, _, files in os.walk(os.path.join(self.tree, "src")): # sources that are gone
            for file in files:
                if not os.path.exists(os.path.join(ROOT, os.path.relpath(os.path.join(folder, file), self.tree))):
                    os.remove(os.path.join(folder, file))
        linker = "-fuse-ld=lld" if shutil.which("ld.lld") else ""
        run(["cmake", "-G", "Ninja", "-S", self.tree, "-B", self.build, "-DCMAKE_BUILD_TYPE=Mutation",
             "-DCMAKE_C_COMPILER_LAUNCHER=", # the compiler is called by itself, too
             "-DCMAKE_C_FLAGS=-O1 -w -DHEDDLE_TEST_SMALL", "-DCMAKE_EXE_LINKER_FLAGS=" + linker,
             "-DCMAKE_SHARED_LINKER_FLAGS=" + linker])
        fakes = ["fake_" + name for name in ("cuda", "nvrtc", "opencl", "crash", "stuck", "no_cuda", "no_nvrtc",
                                             "no_opencl")]
        run(["ninja", "-C", self.build, "-j", str(self.jobs), "product", *fakes])
        with open(os.path.join(self.build, "compile_commands.json"), encoding="utf-8") as file:
            self.commands = json.load(file)
        with open(os.path.join(self.build, "CTestTestfile.cmake"), encoding="utf-8") as file:
            listed = file.read() # ctest itself does not list what is not built yet
        self.tests = {}
        for name, words in re.findall(r"^add_test\(\[=\[(.*?)\]=\] (.*)\)$", listed, re.MULTILINE):
            about = re.search(r"^set_tests_properties\(\[=\[%s\]=\] .*" % re.escape(name), listed, re.MULTILINE).group()
            env = dict(entry.split("=", 1) for entry in re.search(r'ENVIRONMENT "(.*?)"', about).group(1).split(";"))
            self.tests[name] = (re.findall(r'"(.*?)"', words), env,
                                re.search(r'WORKING_DIRECTORY "(.*?)"', about).group(1))

    def target(self, test):
        """The program that a test runs, below the build folder."""
        for word in self.tests[test][0]:
            if word.startswith(self.build + "/"):
                return word
        return os.path.join(self.build, "heddle")

    def need(self, test):
        """Builds the program of a test as it is, once, and finds out how it is linked."""
        program = self.target(test)
        name = os.path.basename(program)
        with self.lock:
            if name in self.ready:
                return program
            quiet(["ninja", "-C", self.build, "-j", str(self.jobs), name])
            link = subprocess.check_output(["ninja", "-C", self.build, "-t", "commands", name], text=True)
            link = link.strip().split("\n")[-1].replace(": && ", "", 1).rsplit(" && :", 1)[0]
            self.links[program] = shlex.split(link)
            self.ready.add(name)
        return program

    def compile(self, path, text):
        """[object] of a source with this text, or None: it does not compile."""
        if path.endswith(".cl"):
            source = os.path.join(self.build, "embedded.c")
            with open(source, encoding="utf-8") as file:
                text = embed(self.tree, path, text, file.read())
            chosen = [c for c in self.commands if c["file"] == source]
        elif path.startswith("src/program/"): # text around a wrapper
            chosen = [c for c in self.commands if '=\\"program/%s\\"' % os.path.basename(path) in c["command"]]
        else:
            chosen = [c for c in self.commands if c["file"] == os.path.join(self.tree, path)]
        copy = os.path.join(self.work, path if not path.endswith(".cl") else "embedded.c")
        os.makedirs(os.path.dirname(copy), exist_ok=True)
        with open(copy, "w", encoding="utf-8") as file:
            file.write(text)
        objects = []
        for k, entry in enumerate(chosen):
            words = shlex.split(entry["command"])
            made = "%s.%d.o" % (copy, k)
            words[words.index("-o") + 1] = made
            if not path.startswith("src/program/"):
                words[words.index("-c") + 1] = copy
            near = os.path.dirname(os.path.join(self.tree, path))
            words[1:1] = ["-I" + os.path.join(self.work, "src"), "-iquote", near]
            if not quiet(words, cwd=entry["directory"]):
                return None
            objects.append(made)
        return objects or None

    def original(self, path):
        """The objects of the source as it is, compiled from the same place: their content."""
        key = self.work, path
        if key not in self.originals:
            with open(os.path.join(self.tree, path), encoding="utf-8") as file:
                objects = self.compile(path, file.read())
            self.originals[key] = contents(objects) if objects else None
        return self.originals[key]

    def link(self, program, objects):
        """The program with these objects before the library, where they take the place of its own."""
        words = list(self.links[program])
        made = os.path.join(self.work, os.path.basename(program))
        at = words.index("-o")
        words[at + 1] = made
        words[at:at] = objects
        return made if quiet([*words, "-Wl,--allow-multiple-definition"], cwd=self.build) else None

    def run(self, test, program, limit):
        """True, False, or "time"."""
        command, env, folder = self.tests[test]
        own = self.target(test)
        scratch = tempfile.mkdtemp(prefix="t", dir=self.folder)
        env = dict(os.environ, **env, TMPDIR=scratch, XDG_CACHE_HOME=scratch,
                   POCL_CACHE_DIR=os.path.join(self.folder, "pocl"))
        if os.path.basename(own) == "heddle":
            env["HEDDLE"] = program
        words = [program if word == own else word for word in command]
        process = subprocess.Popen(words, cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, start_new_session=True, preexec_fn=bounded)
        try:
            return process.wait(limit) in (0, 77)
        except subprocess.TimeoutExpired:
            return "time"
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
            shutil.rmtree(scratch, ignore_errors=True)


def bounded():
    resource.setrlimit(resource.RLIMIT_AS, (24 << 30, 24 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(words):
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)


def quiet(words, cwd=None):
    return subprocess.run(words, cwd=cwd, check=False, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL).returncode == 0


def same_file(one, other):
    return contents([one]) == contents([other])


def contents(paths):
    return [hashlib.sha256(open(path, "rb").read()).hexdigest() for path in paths]


def flat_text(tree, path, text=None):
    """As cmake/programs.cmake: our own headers in the place of #include."""
    if text is None:
        with open(os.path.join(tree, path), encoding="utf-8") as file:
            text = file.read()
    for found in re.findall(r'#include "[^"]+"\n', text):
        text = text.replace(found, flat_text(tree, "src/" + found.split('"')[1]))
    return text


def embed(tree, path, text, embedded):
    """embedded.c with another text for a kernel file, stripped and quoted as cmake/programs.cmake does."""
    def block(text):
        text = re.sub(r"/\*[^*]*\*+([^/*][^*]*\*+)*/", " ", flat_text(tree, path, text))
        text = re.sub(r"[ \t]+\n", "\n", text)
        text = re.sub(r"\n[ \n]+", "\n", "\n" + text)
        text = re.sub(r"^\n", "", text)
        text = text.replace("\\", "\\\\").replace('"', '\\"')
        return re.sub(r"([^\n]*)\n", '    "\\1\\\\n"\n', text)
    before = block(None)
    if before not in embedded:
        raise SystemExit("mutate: %s is embedded in another way than expected" % path)
    return embedded.replace(before, block(text), 1)


# ---- Which tests ----------------------------------------------------------------------------------------------------

class Covering:
    """What `make coverage` has recorded."""

    def __init__(self, folder, tree):
        def read(name):
            with open(os.path.join(folder, name + ".json"), encoding="utf-8") as file:
                return json.load(file)
        self.seconds, self.hashes, self.tree = read("seconds"), read("hashes"), tree
        self.lines = collections.defaultdict(lambda: collections.defaultdict(list)) # path -> test -> ranges
        for test, files in read("lines").items():
            for path, spans in files.items():
                self.lines[path][test] = spans
        self.users = {} # kernel text -> C files that name it

    def changed(self, path):
        return path in self.hashes and contents([os.path.join(self.tree, path)]) != [self.hashes[path]]

    def of_line(self, path, line):
        return [test for test, spans in self.lines[path].items()
                if any(spans[k] <= line <= spans[k + 1] for k in range(0, len(spans), 2))]

    def of_program(self):
        """All that run a vertex program: their files are compiled several times under the same names, whose counters
        cannot be told apart."""
        return sorted(self.lines["src/engine/cpu/cpu.c"])

    def of_kernel(self, path):
        """Tests that run kernels and execute something of a C file that names the text."""
        stem = os.path.basename(path)[:-3]
        if not self.users:
            for folder, _, files in os.walk(os.path.join(self.tree, "src")):
                for file in files:
                    if file.endswith((".c", ".h")):
                        with open(os.path.join(folder, file), encoding="utf-8") as content:
                            for name in set(re.findall(r"hd_text_(?:kernels_)?(\w+)", content.read())):
                                self.users.setdefault(name, set()).add(
                                    os.path.relpath(os.path.join(folder, file), self.tree))
        users = {user for user in self.users.get(stem, ()) if user in self.lines}
        if not users: # named in a table: whatever runs kernels of this folder
            users = {user for user in self.lines if os.path.dirname(user) == os.path.dirname(path)}
        return sorted({test for user in users for test in self.lines[user] if test.startswith("device/")})


def rank(test, mutant, seconds, kills):
    """Quickest first; those named after the file, and those that caught something in it before, earlier still."""
    stem = os.path.basename(mutant.path).split(".")[0]
    name = test.split("/")[1]
    related = any(len(word) > 1 and word in stem for word in name.split("_")) or name in mutant.path
    return (seconds.get(test, 60) + 0.2) * (0.2 if related else 1) * (0.2 if test in kills[mutant.path] else 1)


# ---- One mutant, all mutants ----------------------------------------------------------------------------------------

def key_of(mutant):
    return hashlib.sha256("\0".join(map(str, mutant)).encode()).hexdigest()[:16]


def try_mutant(mutant, build, covering, base, kills, options):
    """{"outcome": caught, survived, uncovered, equivalent, invalid; "by": the test; …}"""
    with open(os.path.join(build.tree, mutant.path), encoding="utf-8") as file:
        lines = file.read().split("\n")
    lines[mutant.line - 1] = mutant.after
    original = build.original(mutant.path)
    objects = build.compile(mutant.path, "\n".join(lines)) if original else None
    if not objects:
        return {"outcome": "invalid"}
    if contents(objects) == original:
        return {"outcome": "equivalent"}
    tests = (covering.of_kernel(mutant.path) if mutant.path.endswith(".cl") else
             covering.of_program() if mutant.path.startswith("src/program/") else
             covering.of_line(mutant.path, mutant.line))
    tests = [test for test in tests if test in build.tests]
    if not tests:
        return {"outcome": "uncovered"}
    ran, began, linked = [], time.monotonic(), {}
    for test in sorted(tests, key=lambda test: rank(test, mutant, covering.seconds, kills)):
        if time.monotonic() - began > options.seconds and ran:
            return {"outcome": "survived", "tests": ran, "left": len(tests) - len(ran)}
        if base.get(test, True) is False:
            continue
        program = build.need(test)
        if program not in linked:
            linked[program] = build.link(program, objects)
        if not linked[program]:
            return {"outcome": "invalid"}
        result = build.run(test, linked[program], 10 + 5 * covering.seconds.get(test, 60))
        if result is not True and test not in base: # does it pass with the original, here and now?
            base[test] = build.run(test, program, 900) is True
            if not base[test]:
                continue
        ran.append(test)
        if result is not True:
            kills[mutant.path].add(test)
            return {"outcome": "caught", "by": test, "how": "time" if result == "time" else "failed", "ran": len(ran)}
    return {"outcome": "survived" if ran else "uncovered", "tests": ran}


def squeezed(line):
    return "".join(line.split())


def equivalents(tree):
    """{(path, the line, what it becomes), without spaces: reason} from lines `path ¦ line ¦ changed line ¦ reason`"""
    known, path = {}, os.path.join(tree, EQUIVALENT)
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            for line in file:
                if line.strip() and not line.startswith("#"):
                    source, before, after, reason = line.rstrip("\n").split(" ¦ ")
                    known[source, squeezed(before), squeezed(after)] = reason
    return known


def report(results, folder):
    known = equivalents(ROOT)
    counts = collections.defaultdict(collections.Counter)
    survivors = []
    for result in results:
        outcome = result["outcome"]
        if outcome in ("survived", "uncovered"):
            if (result["path"], squeezed(result["before"]), squeezed(result["after"])) in known:
                outcome = "equivalent"
            else:
                survivors.append(result)
        counts[folder_of(result["path"])][outcome] += 1
    order = [name for name in FIRST if name in counts] + sorted(set(counts) - set(FIRST))
    counts["all"] = sum((counts[name] for name in order), collections.Counter())
    lines = []
    for result in sorted(survivors, key=lambda r: (r["path"], r["line"])):
        tests = result.get("tests", [])
        lines.append("%s:%d: %s: %s" % (
            result["path"], result["line"], result["operator"],
            "no test executes it" if result["outcome"] == "uncovered" else "%d tests pass%s" % (
                len(tests), ", %d more were not run" % result["left"] if result.get("left") else "")))
        lines += list(difflib.ndiff([result["before"].strip()], [result["after"].strip()]))
    lines.append("%-16s %8s %8s %9s %9s %10s %8s %7s" % ("folder", "mutants", "caught", "survived", "uncovered",
                                                         "equivalent", "invalid", "score"))
    table = {}
    for name in [*order, "all"]:
        c = counts[name]
        counted = c["caught"] + c["survived"] + c["uncovered"]
        score = 100.0 * c["caught"] / counted if counted else None
        table[name] = dict(c, counted=counted, score=score)
        lines.append("%-16s %8d %8d %9d %9d %10d %8d %7s" % (
            name, counted, c["caught"], c["survived"], c["uncovered"], c["equivalent"], c["invalid"],
            "%.1f%%" % score if counted else ""))
    text = "\n".join(line.rstrip() for line in lines) + "\n"
    with open(os.path.join(folder, "report.txt"), "w", encoding="utf-8") as file:
        file.write(text)
    with open(os.path.join(folder, "report.json"), "w", encoding="utf-8") as file:
        json.dump({"folders": table, "survivors": survivors}, file, indent=1)
    return text


def read_results(path):
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        return {result["key"]: result for result in map(json.loads, file)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--build", default="build", help="BUILD-coverage and BUILD-mutation are used")
    parser.add_argument("--mutants", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append", help="a folder or file (src/check), or kernels; may be repeated")
    parser.add_argument("--seconds", type=float, default=300, help="of tests for one mutant; then it has survived")
    parser.add_argument("--jobs", type=int, default=1, help="workers")
    parser.add_argument("--nice", type=int, default=19)
    parser.add_argument("--again", action="store_true", help="try survivors again")
    parser.add_argument("--report", action="store_true", help="only print what is known")
    options = parser.parse_args()
    os.nice(options.nice - os.nice(0))

    build = Build(options.build + "-mutation", options.jobs)
    path = os.path.join(build.folder, "results.jsonl")
    results = read_results(path)
    if not options.report:
        build.prepare()
        covering = Covering(options.build + "-coverage/coverage", build.tree)
        base, kills = {}, collections.defaultdict(set)
        for result in results.values():
            if result.get("by"):
                kills[result["path"]].add(result["by"])
    chosen = draw(build.tree if not options.report else ROOT, options.seed, options.mutants, options.only)
    def one(numbered):
        number, mutant = numbered
        result = dict(try_mutant(mutant, build, covering, base, kills, options), key=key_of(mutant), **mutant._asdict())
        with build.lock, open(path, "a", encoding="utf-8") as file:
            results[result["key"]] = result
            file.write(json.dumps(result) + "\n")
            print("%d/%d %s:%d %s: %s %s" % (number, len(chosen), mutant.path, mutant.line, mutant.operator,
                                             result["outcome"], result.get("by", "")), flush=True)

    wanted = []
    for number, mutant in enumerate(chosen, 1):
        old = results.get(key_of(mutant))
        if options.report or (old and not (options.again and old["outcome"] in ("survived", "uncovered"))):
            continue
        if covering.changed(mutant.path):
            print("%s has changed since make coverage" % mutant.path)
        else:
            wanted.append((number, mutant))
    with concurrent.futures.ThreadPoolExecutor(options.jobs, "worker") as pool:
        list(pool.map(one, wanted))
    print(report([results[key] for key in map(key_of, chosen) if key in results], build.folder), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
