#!/usr/bin/env bash
# Compares the node with what it should be, at each boot. A node that differs does not join.
set -euo pipefail
# shellcheck source=../lib/step.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/../lib/step.sh"

result=$CW_STATE/verify.json

# The differences, in one line.
tell_differences() {
  python3 - "$result" <<'PYTHON'
import json, sys
checks = json.load(open(sys.argv[1], encoding="utf-8"))["checks"]
wrong = [each for each in checks if each["state"] not in ("ok", "skipped")]
print("; ".join(f"{each['name']}: expected {each['expected']}, found {each['found']}" for each in wrong))
PYTHON
}

status=0
python3 "$CW_BUNDLE/verify_node.py" --root "${CW_ROOT:-/}" >"$result.new" || status=$?
mv -f "$result.new" "$result"
((status == 0)) || {
  words=$(tell_differences) || words="verify_node.py ended with status $status"
  fail "the node is not as its set says: $words"
}
