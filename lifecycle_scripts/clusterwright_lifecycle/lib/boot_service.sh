# shellcheck shell=bash
# The systemd unit that runs the plan at each boot.

# install_boot_service: writes and enables the unit; it is not started, as the plan runs already.
install_boot_service() {
  write_unit clusterwright-boot.service <<'TEXT'
[Unit]
Description=Clusterwright: bring this node to its plan
Wants=network-online.target
After=network-online.target

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
}
