#!/usr/bin/env bash
# Nothing upgrades or restarts anything behind the cluster's back: needrestart has restarted slurmd under running jobs,
# and unattended upgrades have taken the kernel away from under drivers.
set -euo pipefail
# shellcheck source=../lib/step.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/../lib/step.sh"

quiet_apt() {
  write_file /etc/apt/apt.conf.d/99-clusterwright <<'TEXT'
APT::Periodic::Enable "0";
APT::Periodic::Update-Package-Lists "0";
APT::Periodic::Unattended-Upgrade "0";
TEXT
  # l: list what would be restarted, and restart nothing.
  write_file /etc/needrestart/conf.d/99-clusterwright.conf <<'TEXT'
$nrconf{restart} = 'l';
$nrconf{kernelhints} = 0;
TEXT
  stop_service apt-daily.timer apt-daily-upgrade.timer unattended-upgrades.service
}

quiet_dnf() {
  stop_service dnf-automatic.timer dnf-automatic-install.timer dnf-automatic-download.timer
}

if is_ubuntu; then quiet_apt; else quiet_dnf; fi
