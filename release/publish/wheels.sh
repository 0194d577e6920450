#!/usr/bin/env bash
# Whether wheels and source distributions are as PyPI and installers want them: release/publish/wheels.sh PYTHON FOLDER
# PYTHON has twine, check-wheel-contents and abi3audit.
set -euo pipefail
folder="$(cd "$2" && pwd)"
programs="$("$1" -c 'import os, sys; print(os.path.dirname(sys.executable))')"
"$programs/twine" check --strict "$folder"/*
# W002: a file that stands twice; none may. Another library's replacement has no module of its own.
find "$folder" -name 'asp_engine-*.whl' -exec "$programs/check-wheel-contents" {} +
find "$folder" -name '*.whl' -exec "$programs/abi3audit" --strict {} +
