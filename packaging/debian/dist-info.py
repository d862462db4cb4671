"""Writes what Python's tools read about an installed package: NAME-VERSION.dist-info, from pyproject.toml.

    dist-info.py pyproject.toml VERSION FOLDER
"""
import os
import sys
import tomllib

source, version, folder = sys.argv[1:]
with open(source, "rb") as file:
    project = tomllib.load(file)["project"]
folder = os.path.join(folder, f"{project['name']}-{version}.dist-info")
os.makedirs(folder)
lines = ["Metadata-Version: 2.1", "Name: " + project["name"], "Version: " + version, "Summary: " + project["description"],
         "License: " + project["license"], "Requires-Python: " + project["requires-python"]]
lines += ["Requires-Dist: " + needed for needed in project["dependencies"]]
with open(os.path.join(folder, "METADATA"), "w", encoding="utf-8") as file:
    file.write("\n".join(lines) + "\n")
with open(os.path.join(folder, "entry_points.txt"), "w", encoding="utf-8") as file:
    for group, entries in project["entry-points"].items():
        file.write(f"[{group}]\n" + "".join(f"{name} = {place}\n" for name, place in entries.items()) + "\n")
with open(os.path.join(folder, "INSTALLER"), "w", encoding="utf-8") as file:
    file.write("dpkg\n")
