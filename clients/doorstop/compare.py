"""Compares `readroom docs check` with the doorstop package, item by item, on projects drawn from seeds.

    compare.py READROOM SCRATCH FIRST COUNT

Each project has several documents, in YAML and in Markdown, links with and without stamps, old stamps, edits after a
review, items that are not active, references and reviewed attributes. What doorstop's own validator says of links and
reviews must be what `readroom` says, before either changed a file.
"""

import logging
import pathlib
import random
import re
import shutil
import subprocess
import sys

import yaml
from doorstop import settings
from doorstop.core import builder
from doorstop.core.validators.item_validator import ItemValidator

MANIFEST = """schema = "docforge/1"
[project]
id = "drawn"
title = "Drawn"
[types.item]
unknown_fields = "keep"
[relations.parent]
from = ["*"]
to = ["*"]
inverse = "child"
pin = "optional"
[[sources]]
id = "items"
adapter = "doorstop@1"
include = ["*/**/*.yml", "*/**/*.md"]
type = "item"
[sources.options]
relation = "parent"
"""

TEXTS = [
    "Simple.",
    "Two lines\nof text.",
    "Blanks   \nbehind, \t\n\n\nand between.",
    "Ünïcode “quotes” — and 日本.",
    "# Heading\n\n- list\n- two\n\n  code\n",
    "A: colon # hash",
    "'quoted' and \"quoted\"",
    "Ends with line ends\n\n",
    "",
    "yes",
    "123",
    "Sentence one. Sentence two! Three? " * 8,
    "tab\tin it \\ backslash",
]

VALUES = ["unit", "x: y", "true", True, False, None, 0, 1, -4, 1.5, 0.1, 1e30, 1e-7, "2024-01-01", "", [], {},
          ["a", "b"], {"k": 1, "z": [True, None, 2.5]}, "a\\b"]

REVIEWED = ["kind", "owners", "weight", "absent"]


def draw(root, dice):
    """Makes the documents with doorstop itself, then edits files as people and other tools do."""
    tree = builder.build(root=str(root), cwd=str(root))
    documents = []
    for number, (prefix, sep) in enumerate([("REQ", ""), ("TST", "-"), ("SUB", "."), ("DOC", "_")]):
        parent = dice.choice(documents).prefix if documents else None
        document = tree.create_document(
            str(root / f"d{number}"), prefix, sep=sep, digits=dice.choice([3, 5]), parent=parent,
            itemformat=dice.choice(["yaml", "yaml", "markdown"]),
        )
        if dice.random() < 0.5:
            path = pathlib.Path(document.config)
            config = yaml.safe_load(path.read_text())
            config.setdefault("attributes", {})["reviewed"] = dice.sample(REVIEWED, 3)
            path.write_text(yaml.safe_dump(config))
        documents.append(document)
    tree = builder.build(root=str(root), cwd=str(root))
    items = []
    for document in tree:
        for _ in range(dice.randint(2, 9)):
            item = document.add_item()
            items.append((document, item))
            item.text = dice.choice(TEXTS)
            if dice.random() < 0.3:
                item.header = dice.choice(["A header", "Ünder: score", "x  "])
            if dice.random() < 0.3:
                item.ref = dice.choice(["drawn.py", " spaced ", "ü"])
            if dice.random() < 0.3:
                item.references = [
                    {"path": "a.py ", "type": "file"},
                    {"keyword": 'a "b"', "type": "file", "path": "it's.py"},
                ][: dice.randint(1, 2)]
            for name in dice.sample(REVIEWED[:3], dice.randint(0, 3)):
                item.set_attributes({name: dice.choice(VALUES)})
    for document, item in items:
        for _ in range(dice.randint(0, 4)):
            other = dice.choice(items)[1]
            if other is not item:
                item.link(other.uid)
    for _, item in items:
        if dice.random() < 0.8:
            item.clear()
        if dice.random() < 0.8:
            item.review()
    for _, item in items:
        chance = dice.random()
        if chance < 0.15:
            item.text = item.text + " changed"
        elif chance < 0.25:
            item.active = False
        elif chance < 0.35:
            item.set_attributes({"kind": dice.choice(VALUES)})
        elif chance < 0.4 and item.links:
            item.unlink(item.links[0])
        item.save()
    for _, item in items:
        edit(pathlib.Path(item.path), dice)


def edit(path, dice):
    """What no command of doorstop writes: old stamps, words for true, ids spelt in another way."""
    text = path.read_text()
    stamp = r"[A-Za-z0-9_=-]{44}"
    if dice.random() < 0.1:
        text = re.sub(rf"(?m)^reviewed: {stamp}$", f"reviewed: {dice.choice(['true', 'null', 'no', '1', 'd41d8cd98f00b204e9800998ecf8427e'])}", text)
    if dice.random() < 0.1:
        text = re.sub(rf"(?m)^(- \S+): {stamp}$", rf"\1: {dice.choice(['true', 'null', 'no', 'd41d8cd98f00b204e9800998ecf8427e'])}", text, count=1)
    if dice.random() < 0.1:
        text = re.sub(rf"(?m)^- REQ0*(\d+): ({stamp})$", r"- req\1: \2", text)
    if dice.random() < 0.1:
        text = re.sub(rf"(?m)^(- \S+): {stamp}$", r"\1", text, count=1)
    if dice.random() < 0.05:
        text = re.sub(rf"(?m)^- (\S+): ({stamp}|true)$", r"- '\1:\2'", text, count=1)
    if dice.random() < 0.1:
        text = text.replace("\n", "\r\n")
    path.write_bytes(text.encode())


def theirs(root):
    """What the validator of doorstop says of each active item."""
    tree = builder.build(root=str(root), cwd=str(root))
    links, changed, never = set(), set(), set()
    for document in tree:
        for item in document.items:
            item.auto = False
            for issue in ItemValidator().get_issues(item):
                words = str(issue)
                if found := re.match(r"suspect link: (\S+)", words):
                    links.add((str(item.uid), found[1]))
                elif words == "unreviewed changes":
                    changed.add(str(item.uid))
                elif words == "needs initial review":
                    never.add(str(item.uid))
    return links, changed, never


def ours(readroom, root):
    """What `readroom` prints."""
    run = subprocess.run([readroom, "docs", "check", "--project-root", root], capture_output=True, text=True)
    assert run.returncode in (0, 1), run.stderr
    links = set(re.findall(r"\[suspect_pin\]: .* \((\S+)\)\n  see: (\S+)", run.stdout))
    reviews = dict(re.findall(r"(?m)^\d+ (changed since their review|never reviewed): (.*)$", run.stdout))
    changed, never = (set(filter(None, reviews.get(words, "").split(", "))) for words in
                      ("changed since their review", "never reviewed"))
    return links, changed, never


def main():
    readroom, scratch, first, count = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    logging.disable(logging.CRITICAL)
    # Nothing is written and nothing is looked for; each link and each review is judged as it stands.
    settings.REFORMAT = settings.REORDER = settings.REVIEW_NEW_ITEMS = settings.CHECK_REF = False
    settings.CHECK_CHILD_LINKS = False
    totals = [0, 0, 0]
    for seed in range(first, first + count):
        root = scratch / f"doorstop-{seed}"
        root.mkdir()
        draw(root, random.Random(seed))
        (root / "docforge.toml").write_text(MANIFEST)
        mine, tool = ours(readroom, root), theirs(root)
        for name, left, right in zip(("suspect links", "changed since review", "never reviewed"), mine, tool):
            if left != right:
                sys.exit(f"seed {seed}: {name}: only readroom {sorted(left - right)}, only doorstop {sorted(right - left)}")
        totals = [total + len(found) for total, found in zip(totals, tool)]
        shutil.rmtree(root)
    links, changed, never = totals
    print(f"doorstop: {count} projects: {links} suspect links, {changed} changed and {never} new items are ours too")


main()
