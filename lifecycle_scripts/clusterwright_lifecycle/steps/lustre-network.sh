#!/usr/bin/env bash
# LNet over EFA, before anything is mounted: a client that finds no EFA network uses TCP without a word.
# As in AWS's "Configuring EFA clients" of the FSx for Lustre user guide, November 2026.
set -euo pipefail
# shellcheck source=../lib/step.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/../lib/step.sh"

# The interface of the default route, which TCP uses.
default_interface() {
  REPLY=$(ip -4 route show default | awk '{ for (i = 1; i < NF; i++) if ($i == "dev") { print $(i + 1); exit } }')
  [[ $REPLY ]] || fail "the node has no default route, so LNet has no interface for TCP"
}

# find_efa_devices: puts them into the array DEVICES; p6-b200 has devices of NVLink beside them, which do not count.
find_efa_devices() {
  local path
  DEVICES=()
  for path in "$CW_ROOT"/sys/class/infiniband/*; do
    [[ $(basename -- "$(readlink -f "$path/device/driver")") == efa ]] && DEVICES+=("${path##*/}")
  done
  ((${#DEVICES[@]})) || fail "the file system is reached over EFA, and the node has no EFA device"
}

# How many interfaces Lustre gets: a file system takes 1024 connections, of all its clients together.
count_interfaces() {
  case $CW_INSTANCE_TYPE in
    *p6-b300.*) REPLY=16 ;;
    *p5.48* | *p5e.48* | *p5en.48* | *p6-b200.* | *p6e-gb200.*) REPLY=8 ;;
    *) REPLY=2 ;;
  esac
  if ((REPLY > ${#DEVICES[@]})); then REPLY=${#DEVICES[@]}; fi
}

load_modules() {
  modprobe lnet || fail "the kernel module lnet does not load"
  modprobe kefalnd "ipif_name=$1" \
    || fail "this Lustre client has no kefalnd, without which there is no EFA: on Ubuntu it needs kernel 6.8 or newer, \
and this is $(uname -r)"
  modprobe ksocklnd || fail "the kernel module ksocklnd does not load"
}

# add_network TYPE INTERFACE [OPTION...]: unless it is there.
add_network() {
  local type=$1 interface=$2 shown
  shift 2
  shown=$(lnetctl net show --net "$type" 2>/dev/null) || shown=
  [[ $shown =~ (^|[[:space:]])"$interface"($|[[:space:]]) ]] \
    || lnetctl net add --net "$type" --if "$interface" "$@" >&2 || fail "LNet takes no $type network on $interface"
}

default_interface
ethernet=$REPLY
find_efa_devices
count_interfaces
count=$REPLY
load_modules "$ethernet"
lnetctl lnet configure >&2 || fail "LNet cannot be configured"
add_network tcp "$ethernet"
for ((index = 0; index < count; index++)); do
  # Spread over the devices, and so over the PCIe switches.
  add_network efa "${DEVICES[index * ${#DEVICES[@]} / count]}" --peer-credits 32
done
lnetctl set discovery 1 >&2
if [[ $(lnetctl udsp show 2>/dev/null) != *efa* ]]; then
  lnetctl udsp add --src efa --priority 0 >&2 || fail "LNet does not take the rule that prefers EFA"
fi
[[ $(lnetctl net show --net efa) == *"status: up"* ]] || fail "LNet's EFA network is not up: do the security groups \
of node and file system allow all traffic to and from each other?"
log "LNet has EFA on $count of ${#DEVICES[@]} devices, and TCP on $ethernet"
