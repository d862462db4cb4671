"""The site of the documentation (scripts/site.py) builds without a broken link and loads nothing from another host, and
its search answers the questions of questions.txt.

    python3 test_site.py BUILD/heddle
"""
import glob
import json
import os
import re
import subprocess
import sys
import unittest

import lunr

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
HEDDLE = os.path.abspath(sys.argv.pop())
SITE = os.path.join(os.path.dirname(HEDDLE), "site")
HITS = 3
LOADED = r'(?:src="|<link(?! rel="(?:canonical|next|prev)")[^>]*href="|url\()'


def pages():
    for where, _, names in os.walk(SITE):
        for name in names:
            if name.endswith((".html", ".css")):
                yield os.path.join(where, name)


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        script = os.path.join(ROOT, "scripts", "site.py")
        done = subprocess.run([sys.executable, script, HEDDLE], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, check=False)
        if done.returncode != 0:
            raise AssertionError(done.stdout)

    def test_task_pages_show_a_session_and_a_picture(self):
        folder = os.path.join(ROOT, "docs", "tasks")
        for name in sorted(name for name in os.listdir(folder) if name.endswith(".md")):
            with self.subTest(page=name), open(os.path.join(folder, name), encoding="utf-8") as file:
                text = file.read()
                self.assertRegex(text, r"(?m)^```(console|pycon)$")
                self.assertRegex(text, r"!\[[^\]]+\]\(\w+\.svg\)")

    def test_pictures_are_those_of_the_command(self):
        done = subprocess.run([sys.executable, os.path.join(ROOT, "scripts", "pictures.py"), HEDDLE, "--check"],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_nothing_is_loaded_from_elsewhere(self):
        for page in pages():
            with open(page, encoding="utf-8") as file:
                text = file.read()
            self.assertEqual(re.findall(LOADED + r'["\']?(?:https?:)?//[^"\')]*', text), [], page)
        for path in glob.glob(os.path.join(SITE, "assets", "javascripts", "**", "*.js"), recursive=True):
            with open(path, encoding="utf-8") as file:
                self.assertEqual(re.findall(r"https?://(?:unpkg|cdn)[^\"]*", file.read()), [], path)

    def test_search_answers_questions(self):
        with open(os.path.join(SITE, "search", "search_index.json"), encoding="utf-8") as file:
            entries = json.load(file)["docs"]
        index = lunr.lunr(ref="location", fields=[{"field_name": "title", "boost": 100}, "text"], documents=entries)
        with open(os.path.join(HERE, "questions.txt"), encoding="utf-8") as file:
            questions = [line.strip().split(" | ") for line in file if line.strip() and not line.startswith("#")]
        self.assertGreaterEqual(len(questions), 30)
        for question, answers in questions:
            hits = []
            for hit in index.search(question):
                name = hit["ref"].partition("#")[0]
                if name not in hits: # the site groups hits by page
                    hits.append(name)
            with self.subTest(question=question):
                self.assertTrue(set(answers.split()) & set(hits[:HITS]),
                                "expected %s, found %s" % (answers, hits[:HITS]))


if __name__ == "__main__":
    unittest.main()
