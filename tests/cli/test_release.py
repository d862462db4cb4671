"""What a release hands out beside the build: the list of what it links, and the version in CITATION.cff."""
import json
import os
import subprocess
import sys

import support

NAMES = {"OpenMP (libgomp)": "libgomp", "OpenMP (libomp)": "libomp", "zlib": "zlib", "zstd": "zstd", "bzip2": "bzip2",
         "liblzma": "xz", "expat": "expat", "liburing": "liburing"}


class Release(support.Case):
    def sbom(self):
        return subprocess.run([sys.executable, os.path.join(support.ROOT, "scripts", "sbom.py"), support.HEDDLE],
                              env=support.environment(SOURCE_DATE_EPOCH="1700000000"), check=True,
                              capture_output=True).stdout

    def test_what_a_build_links(self):
        text = self.sbom()
        self.assertEqual(text, self.sbom(), "the same build gives the same list")
        found = json.loads(text)
        self.assertEqual((found["spdxVersion"], found["dataLicense"]), ("SPDX-2.3", "CC0-1.0"))
        self.assertEqual(found["creationInfo"]["created"], "2023-11-14T22:13:20Z")
        names = {package["name"]: package for package in found["packages"]}
        linked = {NAMES[line] for line in NAMES if support.built_in(line)}
        self.assertEqual(set(names), {"heddle"} | linked)
        for package in names.values():
            self.assertTrue(package["licenseDeclared"])
        for name in linked - {"libomp", "liburing"}:  # which do not tell their versions everywhere
            self.assertRegex(names[name].get("versionInfo", ""), r"^\d+\.\d+", name)
        self.assertEqual({relation["relatedSpdxElement"] for relation in found["relationships"]},
                         {package["SPDXID"] for package in found["packages"]})

    def test_the_version_to_cite(self):
        version = self.heddle("--version").out.decode().split()[1]
        with open(os.path.join(support.ROOT, "CITATION.cff"), encoding="utf-8") as file:
            self.assertIn("\nversion: %s\n" % version, file.read())


if __name__ == "__main__":
    support.main()
