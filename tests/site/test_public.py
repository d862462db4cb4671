"""What a public host reads: workflows, forms for issues, the template of pull requests. They are YAML, have what their
kind needs, and the scripts, targets and tests that they name exist.

    python3 test_public.py
"""
import glob
import os
import re
import unittest

import yaml

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PUBLIC = os.path.join(ROOT, ".github")


def read(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def documents(*path):
    """[(name, content)] of YAML files."""
    found = [(os.path.basename(name), yaml.safe_load(read(name)))
             for name in sorted(glob.glob(os.path.join(PUBLIC, *path)))]
    assert found, path
    return found


class Workflows(unittest.TestCase):
    def steps(self):
        for name, workflow in documents("workflows", "*.yml"):
            for job in workflow["jobs"].values():
                for step in job["steps"]:
                    yield name, step

    def test_names_of_the_issue(self):
        names = {name for name, _ in documents("workflows", "*.yml")}
        self.assertLessEqual({"test.yml", "wheels.yml", "packages.yml", "docs.yml", "fuzz.yml", "release.yml"}, names)

    def test_jobs_have_limits_and_few_rights(self):
        for name, workflow in documents("workflows", "*.yml"):
            with self.subTest(workflow=name):
                self.assertIn(True, workflow, "on:, which YAML 1.1 reads as true")
                self.assertEqual(workflow["permissions"], {"contents": "read"})
                for job in workflow["jobs"].values():
                    self.assertIn("timeout-minutes", job)
                    self.assertIn("runs-on", job)

    def test_jobs_wait_for_jobs_that_exist(self):
        for name, workflow in documents("workflows", "*.yml"):
            for job in workflow["jobs"].values():
                self.assertIn(job.get("needs", next(iter(workflow["jobs"]))), workflow["jobs"], name)

    def test_steps_run_or_use(self):
        for name, step in self.steps():
            self.assertEqual(("run" in step) + ("uses" in step), 1, "%s: %s" % (name, step))
            if "uses" in step:
                self.assertRegex(step["uses"], r"^actions/[\w-]+@v\d+$", name)

    def test_what_they_run_exists(self):
        targets = re.findall(r"(?m)^([a-z-]+):", read("GNUmakefile"))
        stages = re.findall(r"(?m)^    ([a-z]+)\)", read("scripts", "test.sh"))
        for name, step in self.steps():
            line = step.get("run", "")
            with self.subTest(workflow=name, run=line):
                for script in re.findall(r"(?<![\w/-])(?:scripts|tests)/[\w/.-]+", line):
                    self.assertTrue(os.path.exists(os.path.join(ROOT, script)), script)
                for target in re.findall(r"(?m)^make ([a-z-]+)", line):
                    self.assertIn(target, targets)
        for name, workflow in documents("workflows", "test.yml"):
            for stage in workflow["jobs"]["stages"]["strategy"]["matrix"]["stage"]:
                self.assertIn(stage, stages)


class Forms(unittest.TestCase):
    def test_issue_forms(self):
        for name, form in documents("ISSUE_TEMPLATE", "*.yml"):
            if name == "config.yml":
                continue
            with self.subTest(form=name):
                self.assertLessEqual({"name", "description", "body"}, set(form))
                ids = [entry["id"] for entry in form["body"] if entry["type"] != "markdown"]
                self.assertEqual(len(ids), len(set(ids)))
                for entry in form["body"]:
                    self.assertTrue(entry["attributes"].get("label") or entry["attributes"].get("value"))

    def test_files_that_forms_name_exist(self):
        for path in glob.glob(os.path.join(PUBLIC, "**", "*"), recursive=True):
            if os.path.isfile(path):
                for name in re.findall(r"\b(?:docs/)?\w+\.md\b", read(path)):
                    self.assertTrue(os.path.exists(os.path.join(ROOT, name)), "%s names %s" % (path, name))

    def test_pages_of_a_public_project(self):
        for name in ("CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "SECURITY.md", "CITATION.cff", "LICENSE"):
            self.assertTrue(os.path.exists(os.path.join(ROOT, name)), name)
        self.assertIn("cff-version", yaml.safe_load(read("CITATION.cff")))


if __name__ == "__main__":
    unittest.main()
