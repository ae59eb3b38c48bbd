#!/usr/bin/env bash
# What Prometheus reads of the node: the machine, its GPUs and EFA.
set -euo pipefail
# shellcheck source=../lib/step.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/../lib/step.sh"

# write_exporter NAME COMMAND: a unit that serves one program's figures.
write_exporter() {
  write_unit "$1.service" <<TEXT
[Unit]
Description=Figures for Prometheus: $1
After=network-online.target

[Service]
ExecStart=$2
Restart=always
RestartSec=10
# Jobs come first.
Nice=10

[Install]
WantedBy=multi-user.target
TEXT
  if [[ $CHANGED ]]; then restart_service "$1.service"; fi
  start_service "$1.service"
}

# find_program NAME: puts its path into REPLY; empty if there is none.
find_program() {
  REPLY=$(command -v "$1") || REPLY=
}

install_node_exporter() {
  local folder=$CW_CACHE/node-exporter
  download_component node-exporter
  unpack "${DOWNLOADED[0]}" "$folder"
  mkdir -p "$CW_ROOT/usr/local/bin"
  install -m 0755 "$folder/node_exporter" "$CW_ROOT/usr/local/bin/node_exporter"
  rm -rf "$folder"
  REPLY=/usr/local/bin/node_exporter
}

node_exporter() {
  pinned node-exporter
  [[ $REPLY ]] || return 0
  REPLY=/usr/local/bin/node_exporter
  [[ -x $CW_ROOT$REPLY ]] || install_node_exporter
  # EFA's counters are in the class infiniband of the kernel.
  write_exporter clusterwright-node-exporter "$REPLY --collector.infiniband --collector.systemd"
}

gpu_exporter() {
  [[ $CW_ACCELERATOR == nvidia ]] || return 0
  pinned dcgm
  if [[ $REPLY ]]; then
    package_version 'datacenter-gpu-manager*'
    ensure_component dcgm "$REPLY" || install_component dcgm
    start_service nvidia-dcgm.service
  fi
  find_program dcgm-exporter
  if [[ $REPLY ]]; then
    write_exporter clusterwright-dcgm-exporter "$REPLY --remote-hostengine-info localhost:5555"
  else
    log "the image has no dcgm-exporter"
  fi
}

node_exporter
gpu_exporter
