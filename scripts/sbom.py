#!/usr/bin/env python3
"""Writes what a build of Heddle links, as SPDX 2.3 in JSON.

    scripts/sbom.py HEDDLE >heddle.spdx.json

HEDDLE is the command, which says what it was built with (`heddle --version`). The same build gives the same text; its
date is that of $SOURCE_DATE_EPOCH, or of the file.
"""
import hashlib
import json
import os
import re
import subprocess
import sys
import time

# How a line of `heddle --version` begins: the library's name, licence, and pkg-config module.
LIBRARIES = {
    "OpenMP (libgomp)": ("libgomp", "GPL-3.0-or-later WITH GCC-exception-3.1", None),
    "OpenMP (libomp)": ("libomp", "Apache-2.0 WITH LLVM-exception", None),
    "zlib": ("zlib", "Zlib", "zlib"),
    "zstd": ("zstd", "BSD-3-Clause OR GPL-2.0-only", "libzstd"),
    "bzip2": ("bzip2", "bzip2-1.0.6", None),
    "liblzma": ("xz", "LicenseRef-xz-public-domain", "liblzma"),
    "expat": ("expat", "MIT", "expat"),
    "liburing": ("liburing", "MIT OR LGPL-2.1-or-later", "liburing"),
}
ZERO_BSD = (5, 6)  # xz from this version on


def asked(*command):
    """What a command prints; "" if it fails or is not there."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def package(name, version, licence):
    found = {"name": name, "SPDXID": "SPDXRef-" + name, "versionInfo": version, "downloadLocation": "NOASSERTION",
             "filesAnalyzed": False, "licenseConcluded": "NOASSERTION", "licenseDeclared": licence,
             "copyrightText": "NOASSERTION"}
    return {key: value for key, value in found.items() if value != ""}


def linked(lines):
    compiler = re.match(r"gcc (\d\S*)", lines[1])
    for line in lines[2:]:
        key = next((key for key in LIBRARIES if line.startswith(key)), None)
        if key is None or "not built in" in line:
            continue
        name, licence, module = LIBRARIES[key]
        version = line[len(key):].strip() or (asked("pkg-config", "--modversion", module) if module else "")
        if name == "libgomp" and compiler:
            version = compiler[1]  # it comes with gcc
        if name == "xz" and tuple(map(int, re.findall(r"\d+", version)[:2])) >= ZERO_BSD:
            licence = "0BSD"
        yield package(name, version, licence)


def document(command):
    lines = asked(command, "--version").splitlines()
    if not lines or not lines[0].startswith("heddle "):
        raise SystemExit(f"sbom.py: {command} --version does not answer; use the heddle command of the build instead")
    with open(command, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    made = time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH") or os.path.getmtime(command)))
    version = lines[0].split()[1]
    parts = list(linked(lines))
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-heddle")]
    relations += [("SPDXRef-heddle", "DEPENDS_ON", part["SPDXID"]) for part in parts]
    found = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": "heddle-" + version,
        "documentNamespace": f"https://spdx.org/spdxdocs/heddle-{version}-{digest}",
        "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ", made), "creators": ["Tool: scripts/sbom.py"]},
        "packages": [package("heddle", version, "Apache-2.0"), *parts],
        "relationships": [{"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}
                          for one, kind, other in relations]}
    if any(part["licenseDeclared"].startswith("LicenseRef-xz") for part in parts):
        found["hasExtractedLicensingInfos"] = [
            {"licenseId": "LicenseRef-xz-public-domain", "name": "XZ Utils before 5.6",
             "extractedText": "liblzma is in the public domain."}]
    return found


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    json.dump(document(sys.argv[1]), sys.stdout, indent=2)
    print()
