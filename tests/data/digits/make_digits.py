#!/usr/bin/env python3
"""Write the handwritten digits of scikit-learn as a tensordict memmap directory.

Usage:
    make_digits.py [OUT]      write OUT (default: the folder memmap/ next to
                              this script); OUT must not exist
    make_digits.py --check    write to a temporary folder and compare it byte
                              for byte with memmap/ next to this script

The directory is written by stock Python tensordict alone (TensorDict.memmap);
nothing here touches its bytes. The output depends on the input only: no
random numbers, no time stamps, no paths.

The committed files were made with these versions (CPython 3.11, x86-64, no
orjson; since 0.15 tensordict writes meta.json with the standard json module
unless it is told otherwise, so having orjson installed changes nothing):

    pip install torch==2.13.0 tensordict==0.15.3 scikit-learn==1.9.1 numpy==2.4.6
"""

import argparse
import hashlib
import sys
import tempfile
from pathlib import Path

import numpy as np
import torch
from sklearn.datasets import load_digits
from tensordict import TensorDict

HERE = Path(__file__).resolve().parent
ROWS = 1797


def read_source():
    """The images as uint8 [1797, 8, 8] and the labels as int64 [1797]."""
    digits = load_digits()
    # scikit-learn hands out float64, but every value is an integer in 0..16.
    images = digits.images.astype(np.uint8)
    labels = digits.target.astype(np.int64)
    if not np.array_equal(images, digits.images):
        raise ValueError("a pixel is not an integer in 0..255")
    if images.shape != (ROWS, 8, 8) or images.min() != 0 or images.max() != 16:
        raise ValueError(f"unexpected images: {images.shape}, {images.min()}..{images.max()}")
    if labels.shape != (ROWS,) or set(labels.tolist()) != set(range(10)):
        raise ValueError("unexpected labels")
    return images, labels


def duplicate_rows(images):
    """How many images equal an earlier one in all 64 pixels."""
    return len(images) - len({image.tobytes() for image in images})


def write(out, images, labels):
    """Write the directory, then load it back and compare it with the source."""
    td = TensorDict(
        {"image": torch.from_numpy(images), "label": torch.from_numpy(labels)},
        batch_size=[ROWS],
    )
    td.memmap(out)

    back = TensorDict.load_memmap(out)
    if list(back.keys()) != ["image", "label"] or back.batch_size != torch.Size([ROWS]):
        raise RuntimeError(f"{out} does not load back: {back}")
    for key, source in (("image", images), ("label", labels)):
        if not np.array_equal(back[key].numpy(), source) or back[key].numpy().dtype != source.dtype:
            raise RuntimeError(f"{out}: {key} differs from the source")


def contents(folder):
    return {
        str(p.relative_to(folder)): p.read_bytes()
        for p in sorted(folder.rglob("*"))
        if p.is_file()
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", nargs="?", type=Path, default=HERE / "memmap")
    parser.add_argument("--check", action="store_true", help="compare a remake with memmap/")
    args = parser.parse_args()

    images, labels = read_source()
    if args.check:
        with tempfile.TemporaryDirectory() as tmp:
            made = Path(tmp) / "memmap"
            write(made, images, labels)
            new, old = contents(made), contents(HERE / "memmap")
        for name in sorted(new.keys() | old.keys()):
            if new.get(name) != old.get(name):
                print(f"differs: {name}", file=sys.stderr)
        if new != old:
            return 1
        print("the remake is identical")
    else:
        if args.out.exists():
            parser.error(f"{args.out} exists; remove it first")
        write(args.out, images, labels)
        new = contents(args.out)

    for name, data in new.items():
        print(f"{hashlib.sha256(data).hexdigest()}  {len(data):6d}  {name}")
    print(f"exact duplicate images: {duplicate_rows(images)} of {ROWS}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
