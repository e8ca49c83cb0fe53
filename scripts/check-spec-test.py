"""Tests of check-spec.py on a small tree: it accepts a correct tree and reports each fault of a wrong one."""

import importlib.util
import os
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
SPEC = importlib.util.spec_from_file_location("check_spec", os.path.join(HERE, "check-spec.py"))
check_spec = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(check_spec)

PAGE = """# 1. Notes
## Notes
| id | rule | definition |
|---|---|---|
| [A-01] | size | a note has 3 bytes |

[A-02] **Owner.** A note has one owner and the size of [A-01](#notes).
"""
README = """# Specification
## Retired ids
| id | now |
|---|---|
| A-09 | [A-01](01-notes.md#notes) |
"""
JAVA = """package io.notes;

import io.solidus.protocol.Spec;

/** A note; {@code @Spec} in a comment is no mark. */
@Spec("A-01")
public record Note(byte[] bytes) {
  static final String TEXT = "class Other {";
}
"""
JAVA_TEST = """package io.notes;

import io.solidus.protocol.Spec;

class NoteTest {
  @Test
  @Spec({"A-01"})
  @Timeout(value = 3)
  void hasThreeBytes() {}
}
"""
GO = """// Package note has an owner for every note.
package note

// Owner is the one owner.
//
//spec:id A-02
func (n *Note[T]) Owner() int { return 1 }
"""
GO_TEST = """package note

//spec:id A-02
func TestOwner(t *testing.T) {}
"""
JAVA_FILE = "services/notes/src/main/java/io/notes/Note.java"
JAVA_TEST_FILE = "services/notes/src/test/java/io/notes/NoteTest.java"
GO_FILE = "prover-native/note/note.go"
GO_TEST_FILE = "prover-native/note/note_test.go"


def paper():
    rows = "".join(f"| {name} | x | A-01 |  |  |  |\n" for name in check_spec.ALGORITHMS[1:] + check_spec.SCHEME)
    by_hand = f"| Algorithm 1 | x | none | [Note.TEXT](../../{JAVA_FILE}) | [NoteTest](../../{JAVA_TEST_FILE}) |  |\n"
    return (
        "# The paper\n| Paper | Says | Ids | Symbol | Tests | Differs |\n|---|---|---|---|---|---|\n" + by_hand + rows
    )


class CheckSpecTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name
        for name, text in (
            ("docs/spec/01-notes.md", PAGE),
            ("docs/spec/README.md", README),
            ("docs/spec/paper.md", paper()),
            (JAVA_FILE, JAVA),
            (JAVA_TEST_FILE, JAVA_TEST),
            (GO_FILE, GO),
            (GO_TEST_FILE, GO_TEST),
            ("services/notes/target/src/main/java/Copy.java", JAVA),
        ):
            self.write(name, text)
        check_spec.check(self.root, write=True)

    def write(self, name, text):
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def edit(self, name, old, new):
        text = check_spec.read(self.root, name)
        self.assertIn(old, text)
        self.write(name, text.replace(old, new))

    def found(self):
        return check_spec.check(self.root)[0]

    def assert_found(self, *parts):
        found = self.found()
        for part in parts:
            self.assertTrue(any(part in line for line in found), f"{part!r} is not in {found}")

    def test_a_good_tree(self):
        self.assertEqual(self.found(), [])
        index = check_spec.read(self.root, "docs/spec/index.md")
        self.assertIn(
            f"| [A-02](01-notes.md#notes) | Owner |  | [note.Note.Owner](../../{GO_FILE}) | [note.TestOwner](../../{GO_TEST_FILE}) |",
            index,
        )
        self.assertIn(f"[Note](../../{JAVA_FILE}) | [NoteTest.hasThreeBytes](../../{JAVA_TEST_FILE}) |", index)

    def test_a_missing_symbol(self):
        self.edit(JAVA_FILE, '@Spec("A-01")\n', "")
        self.assert_found("A-01 has no symbol")

    def test_a_mark_in_a_comment_is_no_symbol(self):
        self.edit(JAVA_FILE, '@Spec("A-01")\n', '// @Spec("A-01")\n')
        self.assert_found("A-01 has no symbol")

    def test_a_missing_test(self):
        self.edit(GO_TEST_FILE, "//spec:id A-02\n", "")
        self.assert_found("A-02 has no test")

    def test_a_duplicate_symbol(self):
        self.write("prover-native/note/other.go", "package note\n\n//spec:id A-01\ntype Other int\n")
        self.assert_found("A-01 has several symbols: note.Other")

    def test_an_unknown_id(self):
        self.edit(JAVA_TEST_FILE, '"A-01"', '"A-01", "A-77"')
        self.assert_found("A-77 is not defined in docs/spec: NoteTest.hasThreeBytes")

    def test_a_retired_id(self):
        self.edit(GO_FILE, "//spec:id A-02", "//spec:id A-02 A-09")
        self.edit(GO_FILE, "one owner.", "one owner, see A-09.")
        self.assert_found("A-09 is retired, use A-01: note.Note.Owner", f"{GO_FILE}:4: A-09 is retired, use A-01")

    def test_an_id_defined_twice(self):
        self.edit("docs/spec/01-notes.md", "[A-02] **Owner", "[A-01] **Owner")
        self.assert_found("A-01 is defined twice")

    def test_a_mark_in_a_package_comment(self):
        self.edit(GO_FILE, "// Package note has an owner for every note.\n", "// Package note.\n//\n//spec:id A-02\n")
        self.assert_found("the mark of A-02 stands in a package comment")

    def test_a_mark_on_a_package(self):
        self.write(
            "services/notes/src/main/java/io/notes/package-info.java",
            '@Spec("A-01")\npackage io.notes;\n\nimport io.solidus.protocol.Spec;\n',
        )
        self.assert_found("the mark of A-01 stands on a package")

    def test_a_mark_on_no_declaration(self):
        self.edit(GO_FILE, "func (n", "\nfunc (n")
        self.assert_found("the mark of A-02 stands on no declaration")
        self.edit(JAVA_FILE, "  static", '  static { @Spec("A-01") }\n  static')
        self.assert_found("the mark of A-01 stands on no declaration")

    def test_a_mark_on_a_helper_of_tests(self):
        self.edit(JAVA_TEST_FILE, "  @Test\n", "")
        self.edit(GO_TEST_FILE, "TestOwner", "owner")
        self.assert_found("NoteTest.hasThreeBytes is no test", "note.owner is no test")

    def test_an_annotation_of_another_library(self):
        self.write(
            "services/notes/src/main/java/io/notes/Command.java",
            "import picocli.CommandLine.Spec;\nclass Command {\n  @Spec CommandSpec spec;\n}\n",
        )
        self.assertEqual(self.found(), [])

    def test_a_mark_that_gofmt_has_moved(self):
        self.edit(GO_FILE, "//spec:id A-02", "// spec:A-02")
        self.assert_found("a mark has the form //spec:id V-11")

    def test_brackets_in_a_comment(self):
        self.edit(GO_FILE, "one owner.", "one owner [A-02].")
        self.assert_found("[A-02] is text")

    def test_a_reference_that_is_no_link(self):
        self.edit("docs/spec/01-notes.md", "[A-01](#notes)", "[A-01]")
        self.assert_found("[A-01] is neither the start of a rule nor a link to one")

    def test_a_link_to_another_page(self):
        self.edit("docs/spec/README.md", "01-notes.md", "paper.md")
        self.assert_found("the link of A-01 does not lead to docs/spec/01-notes.md")

    def test_a_stale_table(self):
        self.edit(GO_TEST_FILE, "TestOwner", "TestTheOwner")
        self.assert_found("docs/spec/index.md is out of date")
        self.edit(JAVA_TEST_FILE, "hasThreeBytes", "hasBytes")
        self.assert_found("docs/spec/paper.md is out of date")

    def test_a_missing_algorithm(self):
        self.edit("docs/spec/paper.md", "| Algorithm 13 |", "| Figure 13 |")
        self.edit("docs/spec/paper.md", "| Appendix B.1, Sign |", "| Appendix B.1 |")
        self.assert_found("no row for Algorithm 13", "no row for Appendix B.1, Sign")

    def test_a_symbol_by_hand_that_is_gone(self):
        self.edit(JAVA_FILE, "TEXT", "WORDS")
        self.assert_found("Algorithm 1: Note.TEXT is not in")


if __name__ == "__main__":
    unittest.main()
