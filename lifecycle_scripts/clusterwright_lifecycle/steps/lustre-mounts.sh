#!/usr/bin/env bash
# Mounts Lustre, and looks whether what should go over EFA does.
set -euo pipefail
# shellcheck source=../lib/step.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/../lib/step.sh"

# noauto: systemd would mount it at boot before LNet has EFA; this step mounts it at each boot.
OPTIONS=defaults,noatime,flock,noauto,_netdev

# find_servers FSNAME: puts the addresses that the client talks to the servers of one file system by into the array SERVERS.
# With discovery that is a server's first address, mostly @tcp, whatever the messages then go over.
find_servers() {
  mapfile -t SERVERS < <({ lctl get_param -n "mdc.$1-*.import" "osc.$1-*.import" 2>/dev/null || true; } |
    awk '$1 == "current_connection:" { gsub(/["<>]/, "", $2); if ($2 ~ /@/) print $2 }' | sort -u)
}

# sent_over_efa SERVER: puts the number of messages that went to a server over EFA into REPLY.
# The format is that of the Lustre manual's chapter on Multi-Rail, not verified on FSx itself.
sent_over_efa() {
  REPLY=$(lnetctl peer show --nid "$1" -v 2>/dev/null | awk '
    $1 == "-" && $2 == "nid:" { is_efa = $3 ~ /@efa/ }
    $1 == "send_count:" && is_efa { sum += $2 }
    END { print sum + 0 }')
}

# is_over_efa PATH FSNAME: whether every server of a file system was reached over EFA. LAST_WORDS says which was not.
is_over_efa() {
  local server
  # Asks each server once, so that there is something to count.
  df "$CW_ROOT$1" >/dev/null 2>&1 || fail "$1 is mounted and does not answer"
  find_servers "$2"
  LAST_WORDS="lctl shows no server of it"
  ((${#SERVERS[@]})) || return 1
  for server in "${SERVERS[@]}"; do
    sent_over_efa "$server"
    LAST_WORDS="LNet has sent nothing over EFA to its server $server"
    ((REPLY > 0)) || return 1
  done
}

check_transport() {
  local path=$1 dns=$2
  # LNet learns of a server's further addresses in the background.
  retry "${CW_TRANSPORT_ATTEMPTS:-4}" is_over_efa "$path" "${3%%/*}" \
    || fail "$path fell back to TCP: $LAST_WORDS; does $dns have EFA, has the node's role fsx:DescribeFileSystems, and do \
the security groups allow all traffic between node and file system?"
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
  if [[ $has_efa ]]; then check_transport "$path" "$dns" "$export"; fi
done <<<"$CW_MOUNTS"
