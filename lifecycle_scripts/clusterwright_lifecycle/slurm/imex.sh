# shellcheck shell=bash
# shellcheck disable=SC2154  # common.sh has node and here
# IMEX, through which the GPUs of an UltraServer share memory: on the nodes that a job has in the same UltraServer, as
# long as the job runs. NVIDIA's guide to IMEX, "Deployment Models" (July 2025), has the job's prolog list the IP
# addresses; the services of all nodes must have the same list. A node has one service, so that of two jobs that
# share a node and have others, only the first gets it.

IMEX_NODES=/etc/nvidia-imex/nodes_config.cfg
IMEX_OWNER=$CW_ROOT/run/clusterwright/imex-job.$node

# find_peers: puts the addresses of the job's nodes that are in this node's UltraServer into PEERS, an array in one order
# for all. Fails where nobody tells which those are.
find_peers() {
  local line name address own='' lines
  local -A domains=() addresses=()
  PEERS=()
  lines=$(timeout 30 scontrol --oneliner show node "${SLURM_JOB_NODELIST:-${SLURM_NODELIST:-$node}}" 2>&1) || {
    tell "scontrol: ${lines##*$'\n'}"
    return 1
  }
  while IFS= read -r line; do
    [[ $line =~ ^NodeName=([^ ]+) ]] || continue
    name=${BASH_REMATCH[1]}
    [[ ! $line =~ \ NodeAddr=([^ ]+) ]] || addresses[$name]=${BASH_REMATCH[1]}
    find_domain "$line"
    domains[$name]=$REPLY
  done <<<"$lines"
  own=${domains[$node]:-}
  [[ $own ]] || return 1
  for name in "${!domains[@]}"; do
    [[ ${domains[$name]} == "$own" ]] || continue
    address=$(getent ahostsv4 "${addresses[$name]:-$name}" | awk 'NR == 1 { print $1 }') || address=
    [[ $address ]] || return 1
    PEERS+=("$address")
  done
  readarray -t PEERS < <(printf '%s\n' "${PEERS[@]}" | sort --version-sort)
}

# find_domain LINE: puts the UltraServer of a node, as Slurm tells of it, into REPLY. write_nodes.py makes it a feature;
# PCS has no features, and a pool there may be all of one UltraServer.
find_domain() {
  REPLY=
  if [[ $1 =~ \ AvailableFeatures=([^ ]*,)?(ultraserver-[^ ,]+) ]]; then
    REPLY=${BASH_REMATCH[2]}
  elif grep --quiet --line-regexp --fixed-strings -- "${CW_POOL:-}" "$here/one_ultraserver" 2>/dev/null; then
    REPLY=$CW_POOL
  fi
}

# is_imex_taken: whether IMEX serves another job that is still here.
is_imex_taken() {
  local owner=''
  [[ -r $IMEX_OWNER ]] && read -r owner <"$IMEX_OWNER"
  [[ $owner && $owner != "${SLURM_JOB_ID:-}" ]] || return 1
  other_jobs || return 0
  grep --quiet --line-regexp --fixed-strings -- "$owner" <<<"$REPLY"
}

# start_imex: for a job with other nodes in this UltraServer. Fails, with the reason in REPLY, where the service does.
start_imex() {
  [[ ${CW_HAS_IMEX:-} ]] || return 0
  if is_imex_taken; then
    tell "job ${SLURM_JOB_ID:-} gets no IMEX: another job here has it"
    return 0
  fi
  find_peers || {
    tell "job ${SLURM_JOB_ID:-} gets no IMEX: nobody tells which of its nodes are in this UltraServer"
    return 0
  }
  ((${#PEERS[@]} > 1)) || return 0
  mkdir -p "${IMEX_OWNER%/*}" "$CW_ROOT${IMEX_NODES%/*}"
  printf '%s\n' "${SLURM_JOB_ID:-}" >"$IMEX_OWNER"
  printf '%s\n' "${PEERS[@]}" >"$CW_ROOT$IMEX_NODES"
  # It may wait for the other nodes, and one of them that is broken does not make this one so.
  timeout 45 systemctl restart nvidia-imex.service || true
  if systemctl is-failed --quiet nvidia-imex.service; then
    REPLY="nvidia-imex does not start"
    return 1
  fi
}

# stop_imex: after the job that it was started for. Fails, with the reason in REPLY, where it goes on.
stop_imex() {
  local owner=''
  [[ -r $IMEX_OWNER ]] && read -r owner <"$IMEX_OWNER"
  [[ $owner && $owner == "${SLURM_JOB_ID:-}" ]] || return 0
  timeout 30 systemctl stop nvidia-imex.service || {
    REPLY="nvidia-imex does not stop"
    return 1
  }
  rm -f "$IMEX_OWNER" "$CW_ROOT$IMEX_NODES"
}
