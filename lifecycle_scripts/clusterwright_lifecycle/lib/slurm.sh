# shellcheck shell=bash
# Slurm as HyperPod's image has it: below /opt/slurm, with munge and its key set up by HyperPod's agent.

export PATH=/opt/slurm/bin:/opt/slurm/sbin:$PATH
SLURM_ETC=/opt/slurm/etc
SLURM_FILES=$CW_BUNDLE/slurm
SLURM_RESOURCES=$CW_ROOT/opt/ml/config/resource_config.json
export SLURM_CONF=$CW_ROOT$SLURM_ETC/slurm.conf

# install_slurm_file NAME [MODE] [OWNER]: puts a file of the bundle beside slurm.conf, and sets CHANGED.
install_slurm_file() {
  write_file "$SLURM_ETC/$1" "${2:-0644}" <"$SLURM_FILES/$1"
  [[ -z ${3:-} ]] || chown "$3:" "$CW_ROOT$SLURM_ETC/$1"
}

# make_slurm_folders: those that slurm.conf names, which a new image need not have.
make_slurm_folders() {
  mkdir -p "$CW_ROOT/var/log/slurm" "$CW_ROOT/var/spool/slurmctld" "$CW_ROOT/var/spool/slurmd"
  chown slurm: "$CW_ROOT/var/log/slurm" "$CW_ROOT/var/spool/slurmctld"
}

# wait_for_resources: HyperPod's agent writes who is in the cluster when it knows.
wait_for_resources() {
  retry "${CW_RESOURCES_ATTEMPTS:-6}" test -s "$SLURM_RESOURCES" \
    || fail "HyperPod has not written ${SLURM_RESOURCES#"$CW_ROOT"}, its list of instances"
}

# find_controller: puts the controller's address into REPLY.
find_controller() {
  wait_for_resources
  REPLY=$(python3 "$SLURM_FILES/write_nodes.py" --pools "$SLURM_FILES/pools.json" \
    --resources "$SLURM_RESOURCES" --print-controller 2>&1) || fail "$REPLY"
}

# start_munge: every message of Slurm is signed with the key that all nodes share.
start_munge() {
  [[ -s $CW_ROOT/etc/munge/munge.key ]] \
    || fail "/etc/munge/munge.key is missing: HyperPod's agent gives it to every node; is this HyperPod's Slurm image?"
  start_service munge
}

# start_client UNIT VARIABLE: starts a daemon that gets its configuration from the controller.
# It is not waited for. On a node for jobs it starts once the plan has ended (lib/boot_service.sh). HyperPod makes all nodes
# at once, so that the controller may come later, or not know this node yet; systemd tries again as long as it takes.
start_client() {
  local unit=$1 variable=$2
  find_controller
  write_file "/etc/systemd/system/$unit.service.d/clusterwright.conf" <<TEXT
# Written by clusterwright.
[Unit]
After=munge.service remote-fs.target
StartLimitIntervalSec=0
[Service]
Environment="$variable=--conf-server $REPLY:6817"
Restart=on-failure
RestartSec=10
LimitMEMLOCK=infinity
LimitSTACK=infinity
LimitNOFILE=1048576
Delegate=yes
TEXT
  if [[ $CHANGED ]]; then
    systemctl daemon-reload
    systemctl enable --quiet "$unit" >&2
    systemctl restart --no-block "$unit" || log "$unit does not start yet: $(last_words "$unit")"
  elif ! systemctl is-active --quiet "$unit"; then
    systemctl start --no-block "$unit" || log "$unit does not start yet: $(last_words "$unit")"
  fi
}
