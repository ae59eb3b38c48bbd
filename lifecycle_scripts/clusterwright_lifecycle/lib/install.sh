# shellcheck shell=bash
# Puts a bundle where it stays, so that later boots find it.

# install_bundle FOLDER: makes /opt/clusterwright a copy of the folder, whole or not at all, and puts its path into REPLY.
install_bundle() {
  local source=$1 target=${CW_ROOT:-}/opt/clusterwright
  REPLY=$target
  [[ $source -ef $target ]] && return
  mkdir -p "${target%/*}"
  rm -rf "$target.new"
  cp -R "$source" "$target.new"
  chmod 0755 "$target.new"
  rm -rf "$target.old"
  [[ ! -e $target ]] || mv "$target" "$target.old"
  mv "$target.new" "$target"
  rm -rf "$target.old"
}
