#!/usr/bin/env bash
# Gradescope runs this once, as root, when the image of the autograder is built.
set -euo pipefail

root="${AUTOGRADER_ROOT:-/autograder}"
harness="$root/source/harness"
export DEBIAN_FRONTEND=noninteractive

apt-get update -qq
apt-get install -y -qq --no-install-recommends ca-certificates bubblewrap

# The grader needs Python 3.11 or newer; which of them there is depends on the image.
python=""
for version in 3.13 3.12 3.11; do
  if apt-get install -y -qq --no-install-recommends "python$version" "python$version-venv"; then
    python="python$version"
    break
  fi
done
if [ -z "$python" ]; then
  echo "setup: this image offers no Python 3.11 or newer; choose a newer base image" >&2
  exit 1
fi

"$python" -m venv "$root/environment"
pip() { "$root/environment/bin/python" -m pip install --quiet --disable-pip-version-check --no-cache-dir "$@"; }
# The CPU build: without this index pip would bring gigabytes of CUDA.
pip --index-url https://download.pytorch.org/whl/cpu torch
pip -r "$harness/requirements.txt"

# Submissions run as an ordinary user if bubblewrap works here: let that read what it needs, and nobody write it.
chmod -R go+rX,go-w "$root/source" "$root/environment"
cd "$harness"
PYTHONPATH="$harness" "$root/environment/bin/python" -P -m grader.cli.main --course "$harness/course" doctor || echo "setup: see above" >&2
