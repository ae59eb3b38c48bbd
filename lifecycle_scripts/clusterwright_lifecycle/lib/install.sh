# shellcheck shell=bash
# Puts a bundle where it stays, so that later boots find it.

# shellcheck source=lock.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/lock.sh"

# install_bundle FOLDER: makes /opt/clusterwright a copy of the folder, whole or not at all, and puts its path into REPLY.
# It waits for a run to end, under which nothing is changed, and keeps the lock for the run that follows.
install_bundle() {
  local source=$1 target=${CW_ROOT:-}/opt/clusterwright lock=${CW_ROOT:-}/run/clusterwright.lock
  mkdir -p "${target%/*}" "${lock%/*}"
  if ! take_lock "$lock" "${CW_LOCK_SECONDS:-1800}" 9; then
    printf 'waited %s s for another run to end: %s holds %s\n' "${CW_LOCK_SECONDS:-1800}" "$REPLY" "$lock" >&2
    return 1
  fi
  REPLY=$target
  [[ $source -ef $target ]] && return
  rm -rf "$target.new"
  cp -R "$source" "$target.new"
  set_modes "$target.new"
  rm -rf "$target.old"
  [[ ! -e $target ]] || mv "$target" "$target.old"
  mv "$target.new" "$target"
  rm -rf "$target.old"
}

# set_modes FOLDER: everybody may read it, and run what begins with #!. S3 keeps no modes, and a bundle may come from there.
set_modes() {
  local file start scripts=()
  while IFS= read -r -d '' file; do
    start=
    IFS= read -r -n 2 start <"$file" || true
    [[ $start != '#!' ]] || scripts+=("$file")
  done < <(find "$1" -type f -print0)
  find "$1" -type d -exec chmod 0755 {} +
  find "$1" -type f -exec chmod 0644 {} +
  ((${#scripts[@]} == 0)) || chmod 0755 "${scripts[@]}"
}
