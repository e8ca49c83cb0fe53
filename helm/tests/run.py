#!/usr/bin/env python3
"""Runs the tests of the charts, all of them or those named. Prints a line `SKIPPED ...` for each skipped test.

usage: run.py [MODULE[.CLASS[.TEST]]...]
"""

import pathlib
import sys
import unittest

TESTS = pathlib.Path(__file__).resolve().parent
sys.path += [str(TESTS), str(TESTS.parent / "tools"), str(TESTS.parent / "observability")]
loader = unittest.defaultTestLoader
tests = loader.loadTestsFromNames(sys.argv[1:]) if sys.argv[1:] else loader.discover(str(TESTS))
result = unittest.TextTestRunner(verbosity=1).run(tests)
for test, reason in result.skipped:
    print(f"SKIPPED {test.id()}: {reason}")
sys.exit(0 if result.wasSuccessful() and result.testsRun else 1)
