# shellcheck shell=bash
# What prolog, epilog and health check share: Slurm's commands, this node's name, and how it is drained.

CW_ROOT=${CW_ROOT:-}
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
node=${SLURMD_NODENAME:-$(hostname -s)}
# shellcheck source=/dev/null
[[ ! -r $CW_ROOT/etc/clusterwright/node.env ]] || source "$CW_ROOT/etc/clusterwright/node.env"

# slurmd gives these scripts hardly any PATH. HyperPod has one Slurm; PCS one or more, of which the cluster's comes first.
find_commands() {
  local folder
  PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
  for folder in "$CW_ROOT"/opt/aws/pcs/scheduler/slurm-* \
    "$CW_ROOT/opt/aws/pcs/scheduler/slurm-${CW_VERSION_SLURM:-none}" "$CW_ROOT/opt/slurm"; do
    [[ ! -d $folder/bin ]] || PATH=$folder/bin:$PATH
  done
  export PATH
}

# tell TEXT: for whoever reads the journal, as slurmd keeps little of what these scripts print.
tell() {
  printf 'clusterwright: %s\n' "$1" >&2
  ! command -v logger >/dev/null || logger --tag clusterwright -- "$1" || return 0
}

# other_jobs [UID]: puts the jobs that are on this node beside SLURM_JOB_ID into REPLY, all or a user's. Fails where Slurm
# does not answer: no answer is not "none". A user is looked for here, as squeue refuses one that the node does not know.
other_jobs() {
  local jobs
  jobs=$(timeout 30 squeue --noheader --nodelist "$node" --format '%A %U' \
    --states RUNNING,SUSPENDED,CONFIGURING,COMPLETING,STOPPED 2>&1) || {
    tell "squeue: ${jobs##*$'\n'}"
    return 1
  }
  REPLY=$(awk -v own="${SLURM_JOB_ID:-}" -v uid="${1:-}" '$1 != own && (uid == "" || $2 == uid) { print $1 }' <<<"$jobs")
}

# look_at_node: puts what is wrong with this node into REPLY; fails if anything is. LAST_XID is the newest that it has seen.
look_at_node() {
  LAST_XID=$("$here/check_node.sh" --last-xid) || LAST_XID=
  REPLY=$("$here/check_node.sh") || {
    REPLY=${REPLY:-check_node.sh failed}
    return 1
  }
}

# drain REASON: takes this node out. One that a person, Slurm or HyperPod took out already keeps its own reason: HyperPod
# acts on some. Fails if the node could not be drained.
drain() {
  local answer
  tell "$1"
  answer=$(timeout 30 sinfo --noheader --nodes "$node" --format %T 2>&1) || {
    tell "this node is not drained: sinfo: ${answer##*$'\n'}"
    return 1
  }
  case $answer in *drain* | *down* | *fail*) return 0 ;; esac
  answer=$(timeout 30 scontrol update "NodeName=$node" State=DRAIN "Reason=clusterwright: $1" 2>&1) || {
    tell "this node is not drained: scontrol: ${answer##*$'\n'}"
    return 1
  }
  # From here on a person looks after it: when the node is resumed, only newer errors of the driver count.
  [[ -z ${LAST_XID:-} ]] || remember_xid "$LAST_XID" || tell "cannot write down which Xid the node was drained for"
}

# remember_xid SECONDS: in memory, so that it ends with the boot, as the kernel's log does.
remember_xid() {
  mkdir -p "$CW_ROOT/run/clusterwright"
  printf '%s\n' "$1" >"$CW_ROOT/run/clusterwright/last-xid.$node"
}

find_commands
