"""What wheel and publish share: the version, and zip files that are the same, byte for byte, for the same content."""
import os
import pathlib
import re
import subprocess
import sys
import time
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BASE = ROOT / "capi/include/tensordict/base.h"


def number(name):
    return re.search(rf"^# *define TD_{name} (\d+)", BASE.read_text(), re.M)[1]


def version():
    return ".".join(number(f"VERSION_{part}") for part in ("MAJOR", "MINOR", "PATCH"))


def run(*command, **options):
    """What the command prints; a command that fails ends this program with that."""
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          **options)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: ended with {done.returncode}\n{done.stdout}")
    return done.stdout


def date():
    """SOURCE_DATE_EPOCH, else the time of the commit, else that of the header."""
    seconds = os.environ.get("SOURCE_DATE_EPOCH")
    if seconds is None:
        asked = subprocess.run(["git", "-C", ROOT, "log", "-1", "--format=%ct"], capture_output=True, text=True)
        seconds = asked.stdout.strip() or BASE.stat().st_mtime
    return time.gmtime(int(seconds))


class Zip:
    def __init__(self, path):
        path.parent.mkdir(parents=True, exist_ok=True)
        self.file = zipfile.ZipFile(path, "w")
        self.date = max(date()[:6], (1980, 1, 1, 0, 0, 0))  # a zip file knows no year before

    def add(self, name, data, mode=0o644):
        info = zipfile.ZipInfo(name, self.date)
        info.compress_type, info.create_system, info.external_attr = zipfile.ZIP_DEFLATED, 3, (0o100000 | mode) << 16
        self.file.writestr(info, data)

    def close(self):
        self.file.close()
