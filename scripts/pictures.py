#!/usr/bin/env python3
"""Makes the pictures of docs/tasks/ again: drawings by `heddle draw`, charts out of the pages that --report writes.

    scripts/pictures.py BUILD/heddle [--check]

They are the same on every machine, as there are no times in them: with --check they are compared, and nothing is
written.
"""
import os
import re
import subprocess
import sys
import tempfile

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "docs", "tasks")
GRAPHS = [
    "generate rmat g.hdl --scale 12 --seed 1 --symmetrize",
    "generate smallworld world.hdl --scale 13 --seed 1",
    "generate road road.hdl --width 20 --height 20 --probability 0.3 --seed 1",
]
FOLLOWS = "src,dst\nAnn,Bob\nBob,Cleo\nAnn,Cleo\nDan,Cleo\nCleo,Eve\nEve,Dan\n"
DRAWINGS = {
    "lesmis": "draw example:lesmis OUT --weighted",
    "rank": "draw example:lesmis OUT --weighted --size rank --labels 10",
    "communities": "draw example:karate OUT --labels 34",
    "sql": "draw follows.csv OUT --size rank",
    "larger": "draw world.hdl OUT --form communities",
    "clusters": "draw road.hdl OUT --labels 0",
}
CHARTS = {  # the command, and which chart of its page
    "routes": ("sssp example:lesmis --source Gavroche --report OUT", "Distribution of values"),
    "describe": ("info g.hdl --report OUT", "Vertices by degree"),
    "program": ("run reach.c example:lesmis --source Gavroche --param most=2 --report OUT", "Distribution of values"),
    "c": ("pr example:lesmis --report OUT", "Distribution of values"),
    "compare": ("explain pr g.hdl --device cpu --report OUT", "Useful lanes and time of a round, by schedule"),
}


def heddle(command, folder, out):
    words = [out if word == "OUT" else word for word in command.split()]
    subprocess.run([HEDDLE, *words, "--quiet"], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def drawing(command, folder):
    heddle(command, folder, "drawing.svg")
    with open(os.path.join(folder, "drawing.svg"), encoding="utf-8") as file:
        return file.read()


def chart(command, title, folder):
    """The chart as a file of its own: with the styles of its page, colours for light and for dark."""
    heddle(command, folder, "page.html")
    with open(os.path.join(folder, "page.html"), encoding="utf-8") as file:
        page = file.read()
    style = re.search(r"<style>(.*?)</style>", page, re.S).group(1)
    style = re.sub(r"@media (print|\(max-width)[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", "", style)
    rules = [rule for rule in re.findall(r"\s*@media[^{]*\{:root\{[^}]*\}\}|[^{}]+\{[^}]*\}", style)
             if re.match(r":root|@media|svg text|svg \.|\.\w+\{[^}]*(fill|stroke)", rule.strip())]
    found = re.search(r'<svg viewBox="0 0 (\d+) (\d+)"( role="img" aria-label="%s")>(.*?)</svg>' % re.escape(title),
                      page, re.S)
    width, height, label, content = found.groups()
    return ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" width="%s" height="%s"%s>\n<style>\n'
            'svg{background:var(--paper);font:12px system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif}\n'
            '%s\n</style>%s</svg>\n') % (width, height, width, height, label, "\n".join(map(str.strip, rules)), content)


def pictures():
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "follows.csv"), "w", encoding="utf-8") as file:
            file.write(FOLLOWS)
        with open(os.path.join(FOLDER, "program.md"), encoding="utf-8") as file:
            program = re.search(r"```c\n(/\* reach\.c.*?)```", file.read(), re.S).group(1)
        with open(os.path.join(folder, "reach.c"), "w", encoding="utf-8") as file:
            file.write(program)
        for graph in GRAPHS:
            heddle(graph, folder, "")
        for name, command in DRAWINGS.items():
            yield name, drawing(command, folder)
        for name, (command, title) in CHARTS.items():
            yield name, chart(command, title, folder)


def main():
    check = "--check" in sys.argv
    different = []
    for name, text in pictures():
        path = os.path.join(FOLDER, name + ".svg")
        if not check:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            continue
        with open(path, encoding="utf-8") as file:
            if file.read() != text:
                different.append(name + ".svg")
    if different:
        sys.exit("docs/tasks: not what scripts/pictures.py makes: " + " ".join(different))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    HEDDLE = os.path.abspath(sys.argv[1])
    main()
