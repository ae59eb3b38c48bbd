# shellcheck shell=bash
# Files, written whole or not at all.

# write_file PATH [MODE]: writes stdin to a path below CW_ROOT, if it differs. Returns 0, and sets CHANGED to 1 or "".
write_file() {
  local path=$CW_ROOT$1 mode=${2:-0644} fresh
  CHANGED=
  mkdir -p "${path%/*}"
  fresh=$(mktemp "${path%/*}/.clusterwright.XXXXXX")
  cat >"$fresh"
  chmod "$mode" "$fresh"
  if [[ -f $path ]] && cmp -s "$fresh" "$path" && [[ $(stat -c %a "$path") == "$(stat -c %a "$fresh")" ]]; then
    rm -f "$fresh"
    return
  fi
  mv -f "$fresh" "$path"
  export CHANGED=1
}

# make_folder PATH MODE: a folder of root's where everybody may write: nobody has put a link or a folder of their own in
# its place, which root would then follow.
make_folder() {
  local path=$CW_ROOT$1
  mkdir -p "${path%/*}"
  [[ -e $path || -L $path ]] || mkdir -m "$2" "$path" || fail "cannot make $1"
  [[ -d $path && ! -L $path && -O $path ]] || fail "$1 is in the way: it is not a folder of root's; move it away"
}

# version_of PATTERN: puts what the first group of a pattern matches in stdin into REPLY; empty without a match.
version_of() {
  local text
  text=$(cat)
  REPLY=
  [[ $text =~ $1 ]] && REPLY=${BASH_REMATCH[1]}
  return 0
}

# has_command NAME: whether there is such a program.
has_command() {
  command -v "$1" >/dev/null 2>&1
}

# pinned COMPONENT: puts the version that the set pins into REPLY; empty without a pin.
pinned() {
  local name=CW_VERSION_${1^^}
  name=${name//-/_}
  REPLY=${!name:-}
}

# is_eks: whether Kubernetes runs the node, whose image then brings driver, EFA and container runtime.
is_eks() {
  [[ $CW_ORCHESTRATOR == eks || $CW_ORCHESTRATOR == hyperpod-eks ]]
}
