#!/usr/bin/env python3
"""Builds the site of the documentation with MkDocs (scripts/site-requirements.txt), into BUILD/site.

    scripts/site.py BUILD/heddle

The pages are those of docs/ and of ALSO, and three kinds that are made here: one of
each command, from its help; the C reference, from the comments of include/heddle.h, a page of each section; and the
methods of Python that run algorithms, from the stubs. Links
to files that are not on the site become their paths. A broken link fails the build.
"""
import ast
import json
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOPICS = {"formats": "the file formats", "generators": "the kinds of synthetic graphs",
          "plans": "presets and keys of --plan", "reading": "how a graph is read: columns, headers, weights, ids",
          "running": "devices, plans, traces and checkpoints of runs"}
ALSO = ["CHANGELOG.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "SECURITY.md"]


def read(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def write(folder, name, text):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def on_site(text, page):
    """Links of a page, as they are on the site: ../CHANGELOG.md is beside the page, ../src/x.c only in the source."""
    def link(match):
        words, target = match.groups()
        path, _, anchor = target.partition("#")
        if not path or re.match(r"[a-z]+:", path):
            return match.group(0)
        place = os.path.normpath(os.path.join("docs", os.path.dirname(page), path))
        if place.startswith("docs" + os.sep):
            return match.group(0)
        if place in ALSO:
            up = os.path.relpath(place, os.path.dirname(page) or ".")
            return "[%s](%s)" % (words, up + ("#" + anchor if anchor else ""))
        return words if words.strip("`") == place else "%s (`%s`)" % (words, place)
    return re.sub(r"(?<!!)\[([^\]]+)\]\(([^)\s]+)\)", link, text)


def copy_docs(folder):
    for where, _, names in os.walk(os.path.join(ROOT, "docs")):
        for name in names:
            path = os.path.join(where, name)
            page = os.path.relpath(path, os.path.join(ROOT, "docs"))
            if name.endswith(".md"):
                write(folder, page, on_site(read("docs", page), page))
            elif name.endswith((".svg", ".png", ".css", ".js")):
                os.makedirs(os.path.dirname(os.path.join(folder, page)), exist_ok=True)
                shutil.copy(path, os.path.join(folder, page))
    for name in ALSO:
        text = re.sub(r"\]\(docs/", "](", read(name))
        write(folder, name, on_site(text, name))


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def commands(heddle):
    """[(name, title)] in the order of `heddle help`."""
    listing = run(heddle, "help").split("Usage:", 1)[1].split("More:", 1)[0]
    return re.findall(r"^  ([a-z]\w*)  *[^\s(].*$", listing, re.MULTILINE)


def plain(text):
    """Text as Markdown that looks the same; what stands in backticks stays as it is."""
    parts = re.split(r"(`[^`\n]*`)", text)
    parts[::2] = [re.sub(r"([<>*_|])", r"\\\1", part) for part in parts[::2]]
    return "".join(parts)


def options_of_help(lines):
    """A definition list, if the lines are options, each with its description from column 28 on."""
    found = []
    for line in lines:
        option = re.match(r"  (?:    |(?=-))((?:-\w, )?--\S.*?)(?:  +|$)(.*)", line)
        if option:
            found.append([option.group(1), option.group(2)])
        elif found and line.startswith(" " * 28):
            found[-1][1] += " " + line.strip()
        else:
            return None
    return "\n".join("`%s`\n:   %s\n" % (name.strip(), plain(what.strip())) for name, what in found)


def page_of_help(text):
    """Help as Markdown: paragraphs stay text, options become a list of definitions."""
    title, _, rest = text.partition("\n")
    name, _, what = title.partition(" - ")
    parts = ["# %s\n\n*%s*\n" % (name, what)]
    for block in re.split(r"\n\n+", rest.strip()):
        lines = block.split("\n")
        heading = re.fullmatch(r"([A-Z][\w ,'()]*?)( \(.*\))?:", lines[0])
        if heading and len(lines) > 1:
            parts.append("## %s\n" % lines[0].rstrip(":"))
            lines = lines[1:]
        options = options_of_help(lines)
        if options:
            parts.append(options)
        elif lines[0].startswith((" ", "Usage:", "\t")):
            parts.append("```text\n%s\n```\n" % "\n".join(lines))
        else:
            parts.append("%s\n" % plain("\n".join(lines)))
    return "\n".join(parts)


def make_commands(heddle, folder):
    rows = []
    for name in commands(heddle):
        text = run(heddle, "help", name)
        rows.append("| [`%s`](%s.md) | %s |" % (name, name, text.split("\n", 1)[0].partition(" - ")[2]))
        write(folder, "commands/%s.md" % name, page_of_help(text))
    for name in TOPICS:
        text = run(heddle, "help", name)
        rows.append("| [`help %s`](help-%s.md) | %s |" % (name, name, TOPICS[name]))
        write(folder, "commands/help-%s.md" % name, "# heddle help %s\n\n```text\n%s```\n" % (name, text))
    head = "# The command\n\n`heddle COMMAND --help` shows the same pages.\n\n| command | what it does |\n|---|---|\n"
    write(folder, "commands/index.md", head + "\n".join(rows) + "\n")
    return ["heddle %s: commands/%s.md" % (name, name) for name in commands(heddle)] + [
        "heddle help %s: commands/help-%s.md" % (name, name) for name in TOPICS]


def comment_text(lines):
    """A comment without its stars; examples, which are indented, become code."""
    text = [re.sub(r"^(/\*| \*) ?", "", re.sub(r" ?\*/$", "", line)) for line in lines]
    out, code = [], False
    for line in text:
        if line.startswith("    ") != code:
            out.append("```" + ("" if code else "c"))
            code = not code
        if not code and line.startswith(" - ") and out and not out[-1].startswith(" - "):
            out.append("")
        out.append(line[4:] if code else plain(line))
    return "\n".join(out + ["```"] * code)


def make_methods(heddle, folder):
    """What g.bfs(), g.pr() … take, from the stubs; what it means is on the command's page."""
    tree = ast.parse(read("python", "heddle", "_methods.pyi"))
    kind = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Methods")
    takes = {node.name: [one.arg for one in node.args.args[1:] + node.args.kwonlyargs]
             for node in kind.body if isinstance(node, ast.FunctionDef)}
    everywhere = set.intersection(*map(set, takes.values()))
    known = {entry["name"]: entry["summary"] for entry in json.loads(run(heddle, "help", "--json"))["commands"]}
    parts = ["# Algorithms in Python\n\nMethods of `heddle.Graph`, each of which returns a `heddle.Result`. A keyword "
             "means what the option of the same name does; the page of the command explains it. All take, besides: " +
             ", ".join("`%s`" % name for name in takes["bfs"] if name in everywhere) + ".\n"]
    for name, keywords in takes.items():
        if name in known:
            own = ["`%s`" % keyword for keyword in keywords if keyword not in everywhere]
            parts.append("## Graph.%s\n\n%s: [heddle %s](commands/%s.md). %s\n" % (
                name, known[name][0].upper() + known[name][1:], name, name,
                "Own keywords: %s." % ", ".join(own) if own else "It has no keywords of its own."))
    write(folder, "python-algorithms.md", "\n".join(parts))


def make_reference(folder):
    sections = re.split(r"^/\* -{4} (.*?) -+ \*/$", read("include", "heddle.h"), flags=re.MULTILINE)
    titles = sections[1::2]
    rows = []
    for title, text in zip(titles, sections[2::2]):
        text = re.split(r"^#ifdef __cplusplus", text, flags=re.MULTILINE)[0].replace("HEDDLE_API ", "")
        parts, name = ["# %s\n" % title], title.lower().replace(" ", "-")
        for block in re.split(r"\n\n+", text.strip()):
            lines = block.split("\n")
            end = next((i for i, line in enumerate(lines) if line.endswith("*/")), -1) if block.startswith("/*") else -1
            names = re.findall(r"^(?!/| \*).*?\b(heddle_\w+)\(", "\n".join(lines[end + 1:]), re.MULTILINE)
            names += re.findall(r"^(?:typedef )?(?:struct|enum) (heddle_\w+)", "\n".join(lines[end + 1:]), re.MULTILINE)
            if names:
                parts.append("## %s\n" % ", ".join(dict.fromkeys(names)))
            if end >= 0:
                parts.append(comment_text(lines[:end + 1]) + "\n")
            if lines[end + 1:]:
                parts.append("```c\n%s\n```\n" % "\n".join(lines[end + 1:]))
        write(folder, "c/%s.md" % name, "\n".join(parts))
        rows.append("- [%s](%s.md)" % (title, name))
    head = sections[0].split("*/")[0].strip().split("\n")
    write(folder, "c/index.md", "# C reference\n\nMade from `include/heddle.h`.\n\n%s\n\n## Topics\n\n%s\n" %
          (comment_text(head + [" */"]), "\n".join(rows)))
    return ["%s: c/%s.md" % (title, title.lower().replace(" ", "-")) for title in titles]



def stay_here(site):
    """What the theme would load from another host: a script by which search works in files, of which docs/worker.js is
    ours, and scripts for old browsers and for diagrams, which these pages do without."""
    for where, _, names in os.walk(site):
        for name in names:
            if not name.endswith((".html", ".js")):
                continue
            path = os.path.join(where, name)
            with open(path, encoding="utf-8") as file:
                text = file.read()
            ours = os.path.relpath(os.path.join(site, "worker.js"), where)
            changed = text.replace("https://unpkg.com/iframe-worker/shim", ours)
            changed = re.sub(r"https://unpkg\.com/[\w@./-]*", "data:text/javascript,", changed)
            if changed != text:
                write(where, name, changed)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    heddle = os.path.abspath(sys.argv[1])
    build = os.path.dirname(heddle)
    folder = os.path.join(build, "site-pages")
    shutil.rmtree(folder, ignore_errors=True)
    copy_docs(folder)
    topics = {"COMMANDS": make_commands(heddle, folder), "TOPICS": make_reference(folder)}
    make_methods(heddle, folder)
    settings = read("mkdocs.yml").replace("build/site", os.path.join(build, "site"))
    for name, pages in topics.items(): # lists of the navigation that are made here
        settings = re.sub(r"(?m)^( *)- %s$" % name,
                          lambda found, pages=pages: "\n".join("%s- %s" % (found.group(1), page) for page in pages),
                          settings)
    write(build, "mkdocs.yml", settings)
    status = subprocess.run([sys.executable, "-m", "mkdocs", "build", "-q", "-f", os.path.join(build, "mkdocs.yml")],
                            env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, check=False).returncode
    stay_here(os.path.join(build, "site"))
    sys.exit(status)


if __name__ == "__main__":
    main()
