#!/usr/bin/env python3
"""Runs the rules and says aloud what could not be checked: a skipped test is a line `SKIPPED ...` that ./solidus cluster check counts."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
tests = unittest.defaultTestLoader.loadTestsFromNames(["test_manifests", "test_tools"])
result = unittest.TextTestRunner(verbosity=1).run(tests)
for test, why in result.skipped:
    print(f"SKIPPED {test.id()}: {why}")
sys.exit(0 if result.wasSuccessful() and result.testsRun else 1)
