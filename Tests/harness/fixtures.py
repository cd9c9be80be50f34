# SPDX-License-Identifier: MIT
"""Fixtures of all tests in Python."""
import contextlib

import pytest


@pytest.fixture(scope="class", autouse=True)
def class_cleanup(request):
    """`class_cleanup` of a test's class closes what its `setup_class` has opened."""
    with contextlib.ExitStack() as stack:
        if request.cls:
            request.cls.class_cleanup = stack
        yield


@pytest.fixture(autouse=True)
def cleanup(request):
    """`self.cleanup` closes what a test and its `setup_method` have opened, also if they fail."""
    with contextlib.ExitStack() as stack:
        if request.instance:
            request.instance.cleanup = stack
        yield
