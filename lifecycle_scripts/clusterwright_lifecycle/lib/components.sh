# shellcheck shell=bash
# Components that an image has, or that are installed.

# ensure_component COMPONENT FOUND: returns 0 if the component is there at its pin, 1 if it has to be installed.
# What is there at another version ends the step: a node's driver is not changed under what was built against it.
ensure_component() {
  local component=$1 found=$2
  if [[ $found ]]; then
    check_version "$component" "$found"
    log "$component $found is there"
    return 0
  fi
  pinned "$component"
  if is_eks; then
    fail "the image lacks $component ${REPLY:-}, which nodes of Kubernetes take from it: see eks-ami in the set"
  fi
  return 1
}

# install_component COMPONENT: downloads its files, and installs those that are packages.
install_component() {
  download_component "$1"
  install_files "${DOWNLOADED[@]}"
}

# nvidia_driver_version: puts the version of the loaded driver into REPLY; empty if there is none.
nvidia_driver_version() {
  REPLY=
  has_command nvidia-smi || return 0
  REPLY=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null | head -n 1) || REPLY=
  [[ $REPLY =~ ^[0-9.]+$ ]] || REPLY=
}

# check_companion COMPONENT PATTERN...: has a package whose version equals the driver's, or fails.
check_companion() {
  local component=$1 driver found
  shift
  nvidia_driver_version
  driver=$REPLY
  package_version "$@"
  found=$REPLY
  ensure_component "$component" "$found" || {
    install_component "$component"
    package_version "$@"
    found=$REPLY
  }
  is_version "$driver" "$found" \
    || fail "$component is ${found:-not installed}, and the driver is $driver: they must be of one version"
}
