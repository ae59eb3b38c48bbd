# shellcheck shell=bash
# The systemd unit that runs the plan at each boot, and what waits for it.

# install_boot_service: writes and enables the unit; it is not started, as the plan runs already.
install_boot_service() {
  write_unit clusterwright-boot.service <<'TEXT'
[Unit]
Description=Clusterwright: bring this node to its plan
Wants=network-online.target
After=network-online.target
Before=slurmd.service

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/bash /opt/clusterwright/run.sh
TimeoutStartSec=3600

[Install]
WantedBy=multi-user.target
TEXT
  systemctl is-enabled --quiet clusterwright-boot.service 2>/dev/null \
    || systemctl enable --quiet clusterwright-boot.service >&2
  gate_slurmd
}

# gate_slurmd: no job starts before the plan of this boot has ended well: mounts, LNet over EFA, GPUs, and verification.
# That holds whoever starts slurmd: systemd at boot, the plan, HyperPod's agent, or that of PCS, which enables the unit
# slurmd and starts it after the user data (aws-hpc-recipes, build_amis, May 2024; that it still does is not verified).
gate_slurmd() {
  [[ $CW_ROLE == compute && $CW_ORCHESTRATOR =~ ^(hyperpod-slurm|pcs)$ ]] || return 0
  write_unit slurmd.service.d/clusterwright-boot.conf <<'TEXT'
[Unit]
Requires=clusterwright-boot.service
After=clusterwright-boot.service
TEXT
}
