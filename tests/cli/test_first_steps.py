"""The first minutes: the command alone, the graphs that are built in, what doctor finds."""
import json
import os

import support


class FirstSteps(support.Case):
    def test_the_command_alone_names_three_others(self):
        result = self.heddle(status=2)
        self.assertEqual(result.out, b"")
        for command in ("heddle pr example:karate", "heddle info", "heddle help"):
            self.assertIn("\n  %s" % command, result.err)
        self.assertLess(result.err.count("\n"), 8)

    def test_examples_are_read_like_files(self):
        result = self.heddle("pr", "example:karate", "--top", "2", "--verify")
        self.assertEqual([line.split("\t")[0] for line in result.out.decode().splitlines()], ["34", "1"])
        self.assertIn("34 vertices, 78 edges (156 arcs)", result.err)
        self.assertIn("verified", result.err)
        report = json.loads(self.heddle("info", "example:lesmis", "--json", "--quiet").out)
        self.assertEqual((report["vertices"], report["edges"], report["weighted"], report["components"]),
                         (77, 508, True, 1))

    def test_examples_are_read_without_notes(self):
        for name in ("karate", "lesmis"):
            self.assertNotIn("note", self.heddle("info", "example:" + name).err)

    def test_unknown_examples_are_refused_by_name(self):
        words = self.heddle("info", "example:florentine", status=3).err
        self.assertIn("there is no such example; there are example:karate and example:lesmis", words)

    def doctor(self, **changes):
        out = self.heddle("doctor", "--json", env=support.environment(**changes)).out
        return {each["part"]: each for each in json.loads(out)["findings"]}

    def test_doctor_says_how_to_get_what_is_missing(self):
        found = self.doctor(PATH="/nowhere", HEDDLE_CACHE=self.path("cache"))
        self.assertTrue(found["cpu"]["found"])
        self.assertIsNone(found["cpu"]["remedy"])
        self.assertEqual((found["programs"]["found"], found["programs"]["what"]), (False, "no C compiler"))
        self.assertIn("apt install gcc", found["programs"]["remedy"])
        self.assertIn("apt install openmpi-bin", found["ranks"]["remedy"])
        self.assertIn(self.path("cache"), found["cache"]["what"])

    def test_doctor_finds_programs_in_the_path(self):
        for name in ("cc", "srun"):
            os.chmod(self.write(name, "#!/bin/sh\n"), 0o755)
        found = self.doctor(PATH="/nowhere:" + self.path(""), CC="")
        self.assertEqual(found["programs"]["what"], "cc compiles programs of your own: heddle run")
        self.assertEqual(found["ranks"]["what"], "srun starts runs on several processes or machines")

    def test_doctor_ends_with_a_command_that_works(self):
        last = self.heddle("doctor").out.decode().splitlines()[-1]
        self.assertTrue(last.startswith("To try it: heddle "), last)
        self.heddle(*last.split("heddle ", 1)[1].split())


if __name__ == "__main__":
    support.main()
