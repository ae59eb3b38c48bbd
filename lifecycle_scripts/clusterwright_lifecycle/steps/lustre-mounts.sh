#!/usr/bin/env bash
# Mounts Lustre, and looks whether what should go over EFA does.
set -euo pipefail
# shellcheck source=../lib/step.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/../lib/step.sh"

# noauto: systemd would mount it at boot before LNet has EFA; this step mounts it at each boot.
OPTIONS=defaults,noatime,flock,noauto,_netdev

# sent_over_efa: puts the number of messages that LNet has sent over EFA into REPLY.
sent_over_efa() {
  REPLY=$(lnetctl net show --net efa --verbose 2>/dev/null | awk '$1 == "send_count:" { sum += $2 } END { print sum + 0 }')
}

check_transport() {
  local path=$1 dns=$2
  # Asks each server once, so that there is something to count.
  df "$CW_ROOT$path" >/dev/null 2>&1 || fail "$path is mounted and does not answer"
  sent_over_efa
  ((REPLY > 0)) || fail "$path fell back to TCP: LNet has sent nothing over EFA; does $dns have EFA, has the node's role \
fsx:DescribeFileSystems, and do the security groups allow all traffic between node and file system?"
  log "$path is reached over EFA"
}

modprobe lustre || fail "the kernel module lustre does not load: was it built for $(uname -r)?"
while IFS='|' read -r kind dns export path has_efa; do
  [[ $kind == lustre ]] || continue
  ensure_mounted "$dns@tcp:/$export" "$path" lustre "$OPTIONS" "$(
    # Lustre shows the address that the name had.
    address=$(getent ahostsv4 "$dns" | awk 'NR == 1 { print $1 }')
    printf '%s@tcp:/%s' "${address:-$dns}" "$export"
  )"
  if [[ $has_efa ]]; then check_transport "$path" "$dns"; fi
done <<<"$CW_MOUNTS"
