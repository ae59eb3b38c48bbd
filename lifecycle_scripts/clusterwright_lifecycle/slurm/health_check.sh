#!/usr/bin/env bash
# From time to time: drains a node that cannot run jobs, with the reason. Jobs on it go on.
# A node that a person, Slurm or HyperPod took out keeps the reason that it has.
set -euo pipefail
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
# Slurm's commands: HyperPod has one version of them, PCS one a version.
for folder in /opt/slurm/bin /opt/aws/pcs/scheduler/slurm-*/bin; do PATH+=:$folder; done
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
node=${SLURMD_NODENAME:-$(hostname -s)}

reason=$("$here/check_node.sh") && exit 0
case $(sinfo --noheader --nodes "$node" --format %T 2>/dev/null | head -n 1) in
  *drain* | *down* | *fail*) ;;
  *) scontrol update "NodeName=$node" State=DRAIN "Reason=clusterwright: ${reason:-check_node.sh failed}" ;;
esac
exit 0
