"""Lists that stand in completions, the man page and the docs, against those that the command has."""
import json
import os
import re
import unittest

import support

SHELLS = {"bash": "heddle.bash", "zsh": "_heddle", "fish": "heddle.fish"}


def text_of(*path):
    with open(os.path.join(support.ROOT, *path), encoding="utf-8") as file:
        return file.read()


class Lists(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.tables = json.loads(support.run("help", "--json").out)
        cls.formats = [entry["name"] for entry in cls.tables["formats"]]
        cls.kinds = [entry["kind"] for entry in cls.tables["generators"]]
        cls.algorithms = [entry["name"] for entry in cls.tables["commands"]]

    def in_order(self, where, text, words):
        """The words stand there side by side, and no other between them or around them."""
        pattern = r"(?<![\w+-] )(?<![\w+-])%s(?! ?[\w+-])" % " ".join(map(re.escape, words))
        self.assertTrue(re.search(pattern, text), "%s does not list %s" % (where, ", ".join(words)))

    def test_completions(self):
        for shell, name in SHELLS.items():
            text = re.sub(r"set -l \w+ |-a ", "= ", text_of("completions", name)).replace("from ", "= ")
            orders = self.tables["orders"]
            for words in (self.tables["plans"], self.formats, self.kinds, self.tables["transforms"],
                          orders + [",".join(orders)], ["auto", "cpu"] + self.tables["device_kinds"]):
                self.in_order("the completion of %s" % shell, text, words)

    def test_man_page(self):
        text = text_of("docs", "heddle.1").replace("\\-", "-")
        for words in (self.formats, self.kinds, self.tables["transforms"], self.tables["orders"],
                      self.tables["device_kinds"], self.algorithms):
            for word in words:
                self.assertTrue(re.search(r"(?<![\w-])%s(?![\w-])" % re.escape(word), text), "it lacks " + word)

    def rows(self, page, title):
        """The words in the first column of the table below a title."""
        part = re.split(r"(?m)^## ", text_of("docs", page))
        part = [p for p in part if p.startswith(title)][0] if title else part[0]
        cells = re.findall(r"(?m)^\| ?(`[^|]*)\|", part)
        return [word for cell in cells for word in re.findall(r"`([^`]+)`", cell)]

    def test_docs(self):
        self.assertEqual(self.rows("formats.md", ""), self.formats)
        self.assertEqual(self.rows("transforms.md", "The transforms"), self.tables["transforms"])
        keys = self.tables["plan_keys"]
        self.assertEqual(sorted(self.rows("schedules.md", "Keys")), sorted(keys))
        listed = re.findall(r"(?m)^\| `(\w+)` \| ([a-z0-9, ]+) \|", text_of("docs", "schedules.md"))
        for key, values in listed:
            if len(keys.get(key, [])) > 0 and key != "schedule":
                self.assertEqual(sorted(values.split(", ")), sorted(keys[key]), key)
        presets = self.rows("schedules.md", "Presets")
        self.assertEqual([p for p in presets if not p.startswith("vwc-")],
                         [p for p in self.tables["plans"] if not p.startswith("vwc-")])
        for schedule in keys["schedule"]:
            self.assertRegex(text_of("docs", "schedules.md"), r"(?m)^\| `%s`" % schedule)


if __name__ == "__main__":
    support.main()
