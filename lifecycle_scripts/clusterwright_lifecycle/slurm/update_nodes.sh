#!/usr/bin/env bash
# On the controller: writes nodes, accelerators and topology anew, and tells Slurm where something changed.
# Runs at boot, and when HyperPod writes resource_config.json, as it does when it replaces a node.
set -euo pipefail
shopt -s inherit_errexit
CW_ROOT=${CW_ROOT:-}
PATH=$CW_ROOT/opt/slurm/bin:$CW_ROOT/opt/slurm/sbin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export PATH LC_ALL=C
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
output=$CW_ROOT${CW_SLURM_ETC:-/opt/slurm/etc}
resources=$CW_ROOT${CW_RESOURCES:-/opt/ml/config/resource_config.json}
plugins=${CW_SLURM_PLUGINS:-/opt/slurm/lib/slurm}
answers=$CW_ROOT/var/lib/clusterwright/topology
# shellcheck source=/dev/null
[[ ! -r $CW_ROOT/etc/clusterwright/node.env ]] || source "$CW_ROOT/etc/clusterwright/node.env"

# ask_aws FILE COMMAND...: keeps an answer of AWS. Where AWS does not answer now the last one stays, and it fails.
ask_aws() {
  local file=$answers/$1
  shift
  if timeout 60 aws --region "${CW_REGION:-}" --output json "$@" >"$file.new" 2>"$file.error"; then
    mv -f "$file.new" "$file"
  else
    printf 'aws %s %s: %s\n' "$1" "$2" "$(tail -n 1 "$file.error")" >&2
    rm -f "$file.new"
    return 1
  fi
}

# list_batches: prints the instances to ask EC2 about, 100 a line, as DescribeInstanceTopology takes no more ids: those of
# the pools that run jobs, but for the ones whose switches HyperPod tells, where switches are all that matters.
list_batches() {
  python3 - "$resources" "$here/pools.json" <<'PYTHON'
import json, sys
groups, pools = json.load(open(sys.argv[1])).get("InstanceGroups", []), json.load(open(sys.argv[2]))
instances = [each for group in groups if group["Name"] in pools["pools"] for each in group.get("Instances", [])]
if pools["topology"] == "tree":
    instances = [each for each in instances if "network-node-layer-" not in json.dumps(each.get("InstanceLabel"))]
ids = [each["InstanceId"] for each in instances if each.get("InstanceId")] if pools["topology"] != "flat" else []
for at in range(0, len(ids), 100):
    print(*ids[at : at + 100])
PYTHON
}

# ask_topology: keeps what EC2 tells of all batches, and what it told before unless it answers for each.
ask_topology() {
  local batch files=()
  while read -ra batch; do
    ask_aws "batch-${#files[@]}.json" ec2 describe-instance-topology --instance-ids "${batch[@]}" || return 0
    files+=("$answers/batch-${#files[@]}.json")
  done < <(list_batches)
  ((${#files[@]})) || return 0
  python3 -c 'import json, sys
print(json.dumps({"Instances": [each for file in sys.argv[1:] for each in json.load(open(file))["Instances"]]}))' \
    "${files[@]}" >"$answers/instances.json.new" && mv -f "$answers/instances.json.new" "$answers/instances.json"
  rm -f "${files[@]}"
}

mkdir -p "$answers"
if [[ -z ${CW_NO_AWS:-} ]]; then
  ask_topology
  ask_aws ultraservers.json sagemaker list-cluster-nodes --cluster-name "${CW_CLUSTER:-}" || true
fi

changed=$(
  python3 "$here/write_nodes.py" --pools "$here/pools.json" --resources "$resources" --plugins "$plugins" \
    --instances "$answers/instances.json" --ultraservers "$answers/ultraservers.json" --output "$output"
  python3 "$here/write_topology.py" --pools "$here/pools.json" --resources "$resources" --plugins "$plugins" \
    --instances "$answers/instances.json" --output "$output"
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
