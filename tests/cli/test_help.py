"""heddle, help, version, and the option parser as seen from outside."""
import json
import os
import re

import support
from support import run

COMMANDS = ["info", "convert", "generate", "help", "version"]  # at least


def all_commands():
    return {command["name"]: command for command in json.loads(run("help", "--json").out)["commands"]}


class Help(support.Case):
    def test_overview(self):
        overview = self.heddle("help").out
        self.assertEqual(self.heddle("--help").out, overview)
        self.assertEqual(self.heddle("-h").out, overview)
        for command in COMMANDS:
            self.assertRegex(overview.decode(), r"(?m)^  %s " % command)

    def test_every_command_has_a_page_of_80_columns(self):
        for command in all_commands():
            page = self.heddle("help", command).out.decode()
            self.assertEqual(self.heddle(command, "--help").out.decode(), page)
            self.assertEqual(self.heddle(command, "-h").out.decode(), page)
            for part in ("Usage: heddle %s" % command, "Examples:", "--threads N", "--json", "--quiet", "--help"):
                self.assertIn(part, page)
            for line in page.splitlines():
                self.assertLessEqual(len(line), 80, "%s: %s" % (command, line))

    def test_topics(self):
        formats = self.heddle("help", "formats").out.decode()
        for name in support.FORMATS:
            self.assertRegex(formats, r"(?m)^  %s " % name)
        generators = self.heddle("help", "generators").out.decode()
        for kind in ("rmat", "uniform", "grid", "road", "smallworld", "star", "path", "clique", "tree"):
            self.assertRegex(generators, r"(?m)^  %s " % kind)
        self.assertIn(generators, self.heddle("generate", "--help").out.decode())
        plans = self.heddle("help", "plans").out.decode()
        for name in json.loads(self.heddle("help", "plans", "--json").out)["plans"]:
            self.assertRegex(plans, r"(?m)^  %s +[a-zA-Z]" % re.escape(name))
        running = self.heddle("help", "running").out.decode()
        page = self.heddle("help", "pr").out.decode()
        for name in ("device", "plan", "checkpoint", "trace"):
            self.assertRegex(running, r"(?m)^ .*--%s " % name)
            self.assertIn("--" + name, page)
        self.assertLess(page.count("\n"), 102)
        reading = self.heddle("help", "reading").out.decode()
        self.assertRegex(reading, r"(?m)^ .*--delimiter ")
        self.assertIn("--delimiter", page)
        for page in (formats, generators, plans, reading, running, self.heddle("help").out.decode()):
            for line in page.splitlines():
                self.assertLessEqual(len(line), 81, line)

    def test_overview_keeps_its_columns(self):
        overview = self.heddle("help").out.decode()
        for name, command in all_commands().items():
            self.assertRegex(overview, r"(?m)^  %s +%s(\n {26})? +%s$" % (
                name, re.escape(command["operands"]), re.escape(command["summary"])))

    def test_unknown_topic(self):
        self.assertIn("did you mean 'formats'?", self.fails(2, "help", "format"))

    def test_tables_as_json(self):
        tables = json.loads(self.heddle("help", "--json").out)
        self.assertLessEqual(set(COMMANDS), set(all_commands()))
        self.assertLessEqual(set(support.FORMATS), {entry["name"] for entry in tables["formats"]})
        self.assertIn("rmat", [entry["kind"] for entry in tables["generators"]])
        self.assertIn("symmetrize", [option["name"] for option in all_commands()["info"]["options"]])

    def test_version(self):
        for arguments in (["--version"], ["version"], ["-V"]):
            lines = self.heddle(*arguments).out.decode().splitlines()
            self.assertRegex(lines[0], r"\Aheddle \d+\.\d+\.\d+\Z")
        report = json.loads(self.heddle("--version", "--json").out)
        self.assertEqual("heddle " + report["version"], lines[0])
        self.assertEqual(lines[1:1 + len(report["build"])], report["build"])
        self.assertIn("built for " + report["platform"], lines)
        self.assertRegex(report["platform"], r"\A\S+.*, \S+")
        self.assertEqual([line for line in lines if line.startswith("commit ")],
                         ["commit " + report["commit"]] if report["commit"] else [])


class Options(support.Case):
    def setUp(self):
        super().setUp()
        self.file = self.write("g.txt", "1 2\n2 3\n")

    def usage(self, message, *arguments):
        words = self.fails(2, *arguments)
        self.assertIn(message, words)
        self.assertRegex(words, r"\ntry 'heddle [^']*help'\n\Z")

    def test_unknown_command(self):
        self.usage("unknown command 'inf'; did you mean 'info'?", "inf", self.file)
        self.usage("unknown command 'frobnicate'", "frobnicate")
        self.usage("unknown option '--json'", "--json", "info", self.file)

    def test_unknown_option(self):
        self.usage("unknown option '--symetrize'; did you mean '--symmetrize'?", "info", self.file, "--symetrize")
        self.usage("unknown option '--bogus'", "info", self.file, "--bogus")
        self.usage("unknown option '-x'", "info", self.file, "-x")

    def test_names_are_not_abbreviated(self):
        self.usage("unknown option '--sym'; did you mean '--symmetrize'?", "info", self.file, "--sym")

    def test_values(self):
        self.usage("--threads needs a value: N", "info", self.file, "--threads")
        self.usage("-t needs a value: N", "info", self.file, "-t")
        self.usage("--threads: found 'two', expected a whole number from 1 to 4096", "info", self.file, "--threads=two")
        self.usage("--threads: found '0', expected", "info", self.file, "--threads", "0")
        self.usage("--threads: found '99999999999999999999', expected", "info", self.file, "-t99999999999999999999")
        self.usage("--json takes no value", "info", self.file, "--json=yes")
        self.usage("--format: found 'xml', expected", "info", self.file, "--format", "xml")
        self.usage("--ids: found 'hex', expected auto, int or string", "info", self.file, "--ids", "hex")
        self.usage("--dedup: found 'avg', expected first, min, max, sum or mean", "info", self.file, "--dedup=avg")
        self.usage("--vertices: found '1.5', expected a whole number", "info", self.file, "--vertices", "1.5")
        self.usage("--vertices: found '99999999999G', expected", "info", self.file, "--vertices", "99999999999G")
        self.usage("--weight-column: found 'x', expected a column", "info", self.file, "--weight-column", "x")
        self.usage("--level: found '23', expected a whole number from 1 to 22", "convert", "a", "b", "--level", "23")
        self.usage("--a: found '1.5', expected a number from 0 to 1", "generate", "rmat", "x.hdl", "--a", "1.5")
        self.usage("--degree: found 'nan', expected a number", "generate", "rmat", "x.hdl", "--degree", "nan")
        self.usage("--seed: found '-1', expected a whole number", "generate", "rmat", "x.hdl", "--seed", "-1")

    def test_operands(self):
        self.usage("missing operand GRAPH", "info")
        self.usage("missing operand OUT", "convert", self.file)
        self.usage("unexpected operand 'b'", "info", self.file, "b")
        self.usage("an operand is empty", "info", "")

    def test_options_anywhere_and_in_every_spelling(self):
        wanted = self.info(self.file, "--threads", "1", "--symmetrize")
        for arguments in (
            ["--threads=1", "info", "--symmetrize", self.file],
            ["-t1", "--symmetrize", "info", self.file],
        ):
            self.assertEqual(run(*arguments).status, 2)  # the command comes first
        for arguments in (
            ["--symmetrize", "--threads=1", self.file, "--json"],
            [self.file, "-jt1", "--symmetrize"],
            ["-j", "-t", "1", "--symmetrize", "--", self.file],
            ["-qjt1", self.file, "--symmetrize", "--threads", "1", "--threads", "2"],
        ):
            got = json.loads(self.heddle("info", *arguments).out)
            for report in (got, wanted):
                report.pop("phases", None)
            self.assertEqual(got, wanted)

    def test_two_dashes_end_the_options(self):
        self.write("--json", "1 2\n")
        self.assertIn(b"vertices", self.heddle("info", "--", "--json", cwd=self.folder).out)

    def test_counts_take_suffixes(self):
        self.assertEqual(self.info(self.file, "--vertices", "2K")["vertices"], 2000)

    def test_control_bytes_do_not_reach_the_terminal(self):
        words = self.fails(3, "info", self.path("no\x1b[31msuch"))
        self.assertNotIn("\x1b", words)


class Output(support.Case):
    def test_full_device(self):
        file = self.write("g.txt", "1 2\n")
        with open("/dev/full", "wb") as full:
            for arguments in (["help"], ["--version"], ["info", file], ["info", file, "--json"],
                              ["devices"], ["devices", "--json"]):
                result = run(*arguments, stdout=full)
                self.assertEqual(result.status, 3, result.err)
                self.assertRegex(result.err, r"\Aheddle: cannot write to standard output: .+\n\Z")

    def test_closed_standard_output(self):
        file = self.write("g.txt", "1 2\n")
        for arguments in (["help"], ["info", file], ["devices"]):
            result = run(*arguments, stdout=None, preexec_fn=lambda: os.close(1))
            self.assertEqual(result.status, 3, result.err)
            self.assertRegex(result.err, re.escape("heddle: cannot write to standard output"))


if __name__ == "__main__":
    support.main()
