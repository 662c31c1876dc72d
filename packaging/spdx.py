#!/usr/bin/env python3
"""Writes an SPDX 2.3 document (JSON) of a release to stdout.

    packaging/spdx.py VERSION COMMIT FOLDER

FOLDER has the files of the release. A tarball with licences/packages.txt (packaging/portable.sh) contains the Debian packages that
it lists. The time is SOURCE_DATE_EPOCH.
"""
import datetime
import hashlib
import json
import os
import pathlib
import re
import sys
import tarfile

# By the beginning of a Debian package's name, as their copyright files have it.
LICENCES = {
    "libqt6": "LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only", "libqcustomplot": "GPL-3.0-or-later", "libfmt": "MIT",
    "libzip": "BSD-3-Clause", "libicu": "ICU", "libdouble-conversion": "BSD-3-Clause", "libb2": "CC0-1.0", "libmd4c": "MIT",
    "libpcre2": "BSD-3-Clause", "libxcb": "MIT", "libxkbcommon": "MIT", "libice": "MIT", "libsm": "MIT",
    "libsqlite3": "blessing", "libproxy": "LGPL-2.1-or-later", "libgomp": "GPL-3.0-or-later WITH GCC-exception-3.1",
}
OWN = "GPL-3.0-or-later"


def licence_of(package):
    return next((LICENCES[start] for start in LICENCES if package.startswith(start)), "NOASSERTION")


def identifier(text):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", text)


def package(name, version, licence):
    return {"SPDXID": identifier(name), "name": name, "versionInfo": version, "downloadLocation": "NOASSERTION",
            "filesAnalyzed": False, "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": "NOASSERTION"}


def contained(path):
    """Pairs of a Debian package and its version."""
    with tarfile.open(path) as archive:
        listed = [name for name in archive.getnames() if name.endswith("/licences/packages.txt")]
        text = archive.extractfile(listed[0]).read().decode() if listed else ""
    return [line.split(" ") for line in text.splitlines()]


def main():
    version, commit, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    time = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    packages = [package("lockstep", version, OWN)]
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-lockstep")]
    files = []
    for path in sorted(folder.iterdir()):
        if path.name == "SHA256SUMS" or path.suffix == ".json" or not path.is_file():
            continue
        content = path.read_bytes()
        files.append({"SPDXID": identifier(path.name), "fileName": f"./{path.name}", "licenseConcluded": OWN,
                      "licenseInfoInFiles": ["NOASSERTION"], "copyrightText": "NOASSERTION",
                      "checksums": [{"algorithm": kind, "checksumValue": hashlib.new(kind.lower(), content).hexdigest()}
                                    for kind in ("SHA1", "SHA256")]})
        relations.append((identifier(path.name), "GENERATED_FROM", "SPDXRef-lockstep"))
        for name, number in contained(path) if path.name.endswith(".tar.gz") else []:
            if all(each["name"] != name for each in packages):
                packages.append(package(name, number, licence_of(name)))
            relations.append((identifier(path.name), "CONTAINS", identifier(name)))
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"lockstep-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/lockstep-{version}-{commit}",
        "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: packaging/spdx.py"]},
        "packages": packages, "files": files,
        "relationships": [{"spdxElementId": left, "relationshipType": kind, "relatedSpdxElement": right} for left, kind, right in relations],
    }
    print(json.dumps(document, indent=2))


if __name__ == "__main__":
    main()
