#!/usr/bin/env bash
# Gradescope runs this once, when it builds the image.
set -euo pipefail
root="${AUTOGRADER_ROOT:-/autograder}"
cd "$root/source"

find_python() {
    for name in python3 python3.14 python3.13 python3.12 python3.11; do
        if "$name" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2> /dev/null; then
            command -v "$name"
            return
        fi
    done
    return 1
}

if ! find_python > /dev/null; then
    apt-get update
    apt-get install -y python3-venv
    find_python > /dev/null || apt-get install -y python3.11 python3.11-venv
fi
if ! python="$(find_python)"; then
    echo "Python 3.11 or newer is needed: choose a newer Ubuntu as base image." >&2
    exit 1
fi
"$python" -m venv "$root/venv"
"$root/venv/bin/python" -m pip install --quiet --disable-pip-version-check -r requirements.txt
mapfile -t exercises < exercises.txt
export XDG_CACHE_HOME="$root/cache"
exec "$root/venv/bin/python" -P -m autograder.integrations.gradescope_run --prepare "$root" "${exercises[@]}"
