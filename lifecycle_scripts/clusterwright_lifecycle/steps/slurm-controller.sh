#!/usr/bin/env bash
# Slurm's controller: its configuration, the nodes and the network that it knows, and what keeps them up to date.
set -euo pipefail
# shellcheck source=../lib/step.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/../lib/step.sh"
# shellcheck source=../lib/slurm.sh
source "$CW_BUNDLE/lib/slurm.sh"

# HyperPod's agent has written a slurm.conf of its own, which is worth a look if something goes wrong.
keep_first() {
  local file=$CW_ROOT$SLURM_ETC/slurm.conf
  [[ ! -f $file || -f $file.hyperpod ]] || grep --quiet 'made by clusterwright' "$file" || cp -p "$file" "$file.hyperpod"
}

install_configuration() {
  local name
  NEEDS_RESTART=
  for name in slurm.conf cgroup.conf; do
    install_slurm_file "$name"
    NEEDS_RESTART+=$CHANGED
  done
}

# HyperPod replaces nodes while the cluster runs, and writes resource_config.json anew each time.
watch_nodes() {
  write_unit clusterwright-slurm-nodes.service <<TEXT
[Unit]
Description=clusterwright: tells Slurm of nodes that came and went
[Service]
Type=oneshot
ExecStart=/opt/clusterwright/slurm/update_nodes.sh
TEXT
  write_unit clusterwright-slurm-nodes.path <<TEXT
[Unit]
Description=clusterwright: watches HyperPod's list of instances
[Path]
PathChanged=/opt/ml/config/resource_config.json
[Install]
WantedBy=multi-user.target
TEXT
  start_service clusterwright-slurm-nodes.path
}

answers() { [[ $(scontrol ping 2>&1) == *UP* ]]; }

start_munge
make_slurm_folders
wait_for_resources
keep_first
install_configuration
changed=$("$SLURM_FILES/update_nodes.sh" --no-reconfigure 2>&1) || fail "${changed##*$'\n'}"
[[ -z $changed ]] || log "${changed//$'\n'/; }"
if [[ $NEEDS_RESTART || $changed == *changed:* ]]; then restart_service slurmctld; else start_service slurmctld; fi
retry "${CW_SLURM_ATTEMPTS:-6}" answers || fail "slurmctld does not answer: $(last_words slurmctld)"
watch_nodes
