# shellcheck shell=bash
# What every step begins with: the node's variables, the libraries, and a reason for whatever fails.

set -Eeuo pipefail
export LC_ALL=C
CW_STEP=${CW_STEP:-$(basename -- "$0" .sh)}
CW_BUNDLE=${CW_BUNDLE:-$(cd -- "$(dirname -- "$0")/.." && pwd -P)}
export CW_STEP CW_BUNDLE

# shellcheck source=paths.sh
source "$CW_BUNDLE/lib/paths.sh"
# shellcheck source=json.sh
source "$CW_BUNDLE/lib/json.sh"
# shellcheck source=log.sh
source "$CW_BUNDLE/lib/log.sh"
# shellcheck source=retry.sh
source "$CW_BUNDLE/lib/retry.sh"
# shellcheck source=lock.sh
source "$CW_BUNDLE/lib/lock.sh"
# shellcheck source=files.sh
source "$CW_BUNDLE/lib/files.sh"
# shellcheck source=packages.sh
source "$CW_BUNDLE/lib/packages.sh"
# shellcheck source=download.sh
source "$CW_BUNDLE/lib/download.sh"
# shellcheck source=mount.sh
source "$CW_BUNDLE/lib/mount.sh"
# shellcheck source=components.sh
source "$CW_BUNDLE/lib/components.sh"
# shellcheck source=services.sh
source "$CW_BUNDLE/lib/services.sh"
trap '_on_error "$?" "$BASH_COMMAND" "${BASH_SOURCE[0]}" "$LINENO"' ERR

set -a
# shellcheck source=/dev/null
source "$CW_BUNDLE/node.env"
set +a
