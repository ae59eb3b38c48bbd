#!/usr/bin/env bash
# At each boot the node runs its plan again: the steps of every boot, and what a crash or a power cut left undone.
set -euo pipefail
# shellcheck source=../lib/step.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/../lib/step.sh"
# shellcheck source=../lib/boot_service.sh
source "$CW_BUNDLE/lib/boot_service.sh"

install_boot_service
