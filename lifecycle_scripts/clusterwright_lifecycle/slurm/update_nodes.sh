#!/usr/bin/env bash
# On the controller: writes nodes, accelerators and topology anew, and tells Slurm where something changed.
# Runs at boot, and when HyperPod writes resource_config.json, as it does when it replaces a node.
set -euo pipefail
export PATH=/opt/slurm/bin:/opt/slurm/sbin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C
CW_ROOT=${CW_ROOT:-}
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
output=$CW_ROOT${CW_SLURM_ETC:-/opt/slurm/etc}
resources=$CW_ROOT${CW_RESOURCES:-/opt/ml/config/resource_config.json}
plugins=${CW_SLURM_PLUGINS:-/opt/slurm/lib/slurm}
answers=$CW_ROOT/var/lib/clusterwright/topology
# shellcheck source=/dev/null
[[ ! -r $CW_ROOT/etc/clusterwright/node.env ]] || source "$CW_ROOT/etc/clusterwright/node.env"

# ask_aws FILE COMMAND...: keeps an answer of AWS; the last one stays where AWS does not answer now.
ask_aws() {
  local file=$answers/$1
  shift
  if timeout 60 aws --region "${CW_REGION:-}" --output json "$@" >"$file.new" 2>"$file.error"; then
    mv -f "$file.new" "$file"
  else
    printf 'aws %s %s: %s\n' "$1" "$2" "$(tail -n 1 "$file.error")" >&2
    rm -f "$file.new"
  fi
}

# Instances of the pools, as arguments; DescribeInstanceTopology takes them as a list.
list_instances() {
  python3 - "$resources" <<'PYTHON'
import json, sys
groups = json.load(open(sys.argv[1])).get("InstanceGroups", [])
print(*(each["InstanceId"] for group in groups for each in group.get("Instances", []) if each.get("InstanceId")))
PYTHON
}

mkdir -p "$answers"
if [[ -z ${CW_NO_AWS:-} ]]; then
  read -ra instances <<<"$(list_instances)"
  ask_aws instances.json ec2 describe-instance-topology --instance-ids "${instances[@]}"
  ask_aws ultraservers.json sagemaker list-cluster-nodes --cluster-name "${CW_CLUSTER:-}"
fi

changed=$(
  python3 "$here/write_nodes.py" --pools "$here/pools.json" --resources "$resources" --plugins "$plugins" \
    --output "$output"
  python3 "$here/write_topology.py" --pools "$here/pools.json" --plugins "$plugins" \
    --instances "$answers/instances.json" --ultraservers "$answers/ultraservers.json" --output "$output"
)
[[ $changed ]] || exit 0
printf 'changed: %s\n' "${changed//$'\n'/ }" >&2
[[ ${1:-} != --no-reconfigure ]] || exit 0
# slurmctld reads another topology plugin at its start alone, and before 23.11 other nodes too.
if [[ $changed == *nodes.conf* || $changed == *topology_plugin.conf* ]]; then
  systemctl restart slurmctld
  for _ in {1..30}; do
    [[ $(scontrol ping 2>&1) != *UP* ]] || break
    sleep 1
  done
fi
# Nodes fetch their configuration anew.
scontrol reconfigure
