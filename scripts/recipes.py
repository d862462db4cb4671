#!/usr/bin/env python3
"""Writes the recipes for conda-forge and Spack of this version, and checks them as far as works without their tools.

    scripts/recipes.py ARCHIVE FOLDER [HEDDLE]

ARCHIVE is the source archive. $HEDDLE_RELEASE_URL is the folder that it will be published in, and
$HEDDLE_RELEASE_MAINTAINER who looks after the recipes. The conda recipe is rendered (jinja2) and read (ruamel.yaml),
its options are looked up in CMakeLists.txt, and with HEDDLE, an installed command, its tests are run. The Spack recipe
is run with stand-ins for what Spack offers, for every variant turned on and off.
"""
import hashlib
import os
import re
import subprocess
import sys
import types

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def read(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def version():
    return re.search(r'#define HEDDLE_VERSION_STRING "(.*)"', read("include", "heddle.h"))[1]


def known_options():
    return set(re.findall(r"^(?:option|set)\((HEDDLE_\w+)", read("CMakeLists.txt"), re.M))


def expect(what, condition):
    if not condition:
        raise SystemExit("recipes.py: expected " + what)


def check_conda(text, values, heddle):
    import jinja2
    from ruamel.yaml import YAML

    def pinned(name, **_):
        return name

    def tool(language):
        return language + "-tool"

    lines = [line for line in text.splitlines() if "# [not linux]" not in line]  # selectors: this is Linux
    rendered = jinja2.Environment(undefined=jinja2.StrictUndefined).from_string("\n".join(lines)).render(
        compiler=tool, stdlib=tool, pin_subpackage=pinned)
    recipe = YAML(typ="safe").load(rendered)
    expect("version " + values["VERSION"], recipe["package"] == {"name": "heddle", "version": values["VERSION"]})
    expect("a checksum", re.fullmatch("[0-9a-f]{64}", recipe["source"]["sha256"]))
    for key in ("build", "requirements", "test", "about", "extra"):
        expect(key + " in the conda recipe", recipe.get(key))
    expect("a licence file that exists", os.path.exists(os.path.join(ROOT, recipe["about"]["license_file"])))
    for option in re.findall(r"-D(HEDDLE_\w+)=", " ".join(recipe["build"]["script"])):
        expect(f"{option} in CMakeLists.txt", option in known_options())
    if heddle:
        prefix = os.path.dirname(os.path.dirname(os.path.abspath(heddle)))
        env = {**os.environ, "PREFIX": prefix, "PATH": os.path.dirname(heddle) + os.pathsep + os.environ["PATH"],
               "PKG_CONFIG_PATH": os.path.join(prefix, "lib", "pkgconfig")}
        for command in recipe["test"]["commands"]:
            done = subprocess.run(["bash", "-c", command], env=env, capture_output=True, text=True)
            expect(f"'{command}' to succeed: {done.stdout[-300:]}{done.stderr[-300:]}", done.returncode == 0)


class Spack(types.ModuleType):
    """What a package.py takes from spack.package; it records what the recipe says."""

    def __init__(self):
        super().__init__("spack.package")
        self.versions, self.variants, self.needs = {}, {}, []
        recorded = self

        class CMakePackage:
            def define(self, name, value):
                return (name, value)

            def define_from_variant(self, name, variant):
                expect("a variant " + variant, variant in recorded.variants)
                return (name, self.chosen[variant])

        def decorator(*_, **__):
            return lambda function: function

        self.CMakePackage = CMakePackage
        self.version = lambda number, sha256: self.versions.update({number: sha256})
        self.variant = lambda name, default, description: self.variants.update({name: default})
        self.depends_on = lambda spec, type=None, when="": self.needs.append((spec, when))
        self.maintainers = self.license = lambda *_: None
        self.run_after = self.on_package_attributes = decorator
        self.Executable = None


def check_spack(text, values):
    spack = Spack()
    sys.modules["spack"], sys.modules["spack.package"] = types.ModuleType("spack"), spack
    space = {}
    exec(compile(text, "package.py", "exec"), space)  # pylint: disable=exec-used
    expect("the version with its checksum", spack.versions == {values["VERSION"]: values["SHA256"]})
    for spec, when in spack.needs:
        expect(f"a variant for '{spec}' when '{when}'", when.lstrip("+~") in ("", *spack.variants))
    for chosen in (True, False):
        package = space["Heddle"]()
        package.chosen = dict.fromkeys(spack.variants, chosen)
        options = dict(package.cmake_args())
        expect("options of CMakeLists.txt alone", set(options) <= known_options())
        expect("an option for each variant", len(options) == len(spack.variants) + 1)


def main():
    if len(sys.argv) not in (3, 4):
        raise SystemExit(__doc__)
    archive, folder, heddle = sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else None
    with open(archive, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    place = os.environ.get("HEDDLE_RELEASE_URL") or "file://" + os.path.dirname(os.path.abspath(archive))
    values = {"VERSION": version(), "SHA256": digest, "URL": place + "/" + os.path.basename(archive),
              "MAINTAINER": os.environ.get("HEDDLE_RELEASE_MAINTAINER", "heddle")}
    expect("an archive of version " + values["VERSION"], values["VERSION"] in os.path.basename(archive))
    texts = {}
    for name in ("conda/meta.yaml", "spack/package.py"):
        texts[name] = re.sub("@([A-Z0-9]+)@", lambda found: values[found[1]], read("packaging", name + ".in"))
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(texts[name])
    check_conda(texts["conda/meta.yaml"], values, heddle)
    check_spack(texts["spack/package.py"], values)
    print("recipes of", values["VERSION"], "in", folder)


if __name__ == "__main__":
    main()
