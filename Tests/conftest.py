# SPDX-License-Identifier: MIT
from harness.fixtures import class_cleanup, cleanup  # noqa: F401
