# SPDX-License-Identifier: MIT
"""The packages for PyPI and npm that `scripts/release clients` makes: their files, and that they are installed without a network."""
import json
import os
import shutil
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
JAVASCRIPT = ROOT / "clients/javascript"
# No proxy leads anywhere, so nothing can be downloaded.
OFFLINE = os.environ | {"https_proxy": "http://127.0.0.1:9", "http_proxy": "http://127.0.0.1:9", "SOURCE_DATE_EPOCH": "1700000000"}


def run(*arguments, **options):
    outcome = subprocess.run([str(argument) for argument in arguments], capture_output=True, text=True, env=OFFLINE, **options)
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr
    return outcome.stdout


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    outcome = subprocess.run([ROOT / "scripts/release", "clients"], env=OFFLINE | {"OUT": str(folder)}, capture_output=True, text=True)
    assert outcome.returncode == 0, outcome.stderr
    return folder


def only(folder, pattern):
    [file] = folder.glob(pattern)
    return file


class PythonTests:
    def test_the_wheel_has_the_modules_and_the_licence(self, packages):
        names = zipfile.ZipFile(only(packages, "pypi/*.whl")).namelist()
        assert {"gestured.py", "gestured_kivy.py", "gestured_pytest.py"} < set(names)
        assert any(name.endswith("LICENSE") for name in names)
        assert not any(Path(name).name.startswith("test") for name in names)

    def test_twine_accepts_both(self, packages):
        twine = shutil.which("twine") or pytest.skip("twine is not here")
        output = run(twine, "check", "--strict", *packages.glob("pypi/*"))
        assert output.count("PASSED") == 2, output

    @pytest.mark.parametrize("pattern", ["*.whl", "*.tar.gz"], ids=["wheel", "sdist"])
    def test_is_installed_in_a_fresh_environment(self, packages, tmp_path, pattern):
        run("/usr/bin/python3", "-m", "venv", "--system-site-packages", tmp_path / "env")
        python = tmp_path / "env/bin/python"
        run(python, "-m", "pip", "install", "--no-index", "--no-deps", "--no-build-isolation", only(packages, f"pypi/{pattern}"))
        script = "import gestured, importlib.metadata as m; print(gestured.__file__, m.version('gestured'), m.metadata('gestured')['Author-email'])"
        place, version, mail = run(python, "-c", script, cwd=tmp_path).strip().split(" ", 2)
        assert place.startswith(str(tmp_path))
        assert f'version = "{version}"' in (ROOT / "clients/python/pyproject.toml").read_text()
        assert "@" in mail


class NodeTests:
    def test_has_the_files_that_npm_packs(self, packages):
        names = {name.removeprefix("package/") for name in tarfile.open(only(packages, "npm/*.tgz")).getnames()} - {"package"}
        data = json.loads((JAVASCRIPT / "package.json").read_text())
        assert names == {*data["files"], "package.json", "README.md", "LICENSE"}
        if shutil.which("npm"):
            [packed] = json.loads(run("npm", "pack", "--dry-run", "--json", cwd=JAVASCRIPT))
            assert {file["path"] for file in packed["files"]} == names - {"LICENSE"}

    def test_is_installed_offline_and_found_by_import_and_require(self, packages, tmp_path):
        archive = only(packages, "npm/*.tgz")
        (tmp_path / "package.json").write_text('{"type": "module"}')
        if shutil.which("npm"):
            run("npm", "install", "--offline", "--no-audit", "--no-fund", archive, cwd=tmp_path)
        else:
            (tmp_path / "node_modules").mkdir()
            run("tar", "-xzf", archive, "-C", tmp_path / "node_modules", "--transform", "s,^package,gestured,")
        for script in ('import { Client } from "gestured"; console.log(typeof Client)',
                       'import { createRequire } from "node:module"; console.log(typeof createRequire(process.cwd() + "/")("gestured").Client)'):
            assert run("node", "--input-type=module", "-e", script, cwd=tmp_path).strip() == "function"
        assert run("node", tmp_path / "node_modules/gestured/gestured.mjs", "--help") != ""

    def test_two_packs_are_the_same(self, packages, tmp_path):
        again = subprocess.run([ROOT / "scripts/release", "clients"], env=OFFLINE | {"OUT": str(tmp_path)}, capture_output=True, text=True)
        assert again.returncode == 0, again.stderr
        for pattern in ("npm/*.tgz", "pypi/*.whl"):
            assert only(packages, pattern).read_bytes() == only(tmp_path, pattern).read_bytes()
