#!/usr/bin/env bash
# From time to time: drains a node that cannot run jobs, with the reason. Jobs on it go on.
set -euo pipefail
# shellcheck source=common.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

look_at_node || drain "$REPLY"
