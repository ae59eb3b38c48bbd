# shellcheck shell=bash
# Packages of dpkg and rpm, one installation at a time, and never under another's feet.

# is_ubuntu: whether apt and dpkg serve the node; else dnf and rpm do.
is_ubuntu() {
  [[ $CW_OS == ubuntu-* ]]
}

# package_version PATTERN...: puts the version of the first installed package that a pattern names into REPLY.
package_version() {
  local pattern status version
  for pattern in "$@"; do
    if is_ubuntu; then
      # shellcheck disable=SC2016  # dpkg-query fills these in
      while read -r status version; do
        [[ $status == installed ]] && REPLY=$version && return
      done < <(dpkg-query --show --showformat='${db:Status-Status} ${Version}\n' "$pattern" 2>/dev/null || true)
    else
      while read -r version; do
        [[ $version ]] && REPLY=$version && return
      done < <(rpm --query --all --queryformat '%{VERSION}-%{RELEASE}\n' "$pattern" 2>/dev/null || true)
    fi
  done
  REPLY=
}

# is_version EXPECTED FOUND: whether what is found is what is pinned; 2.30.7 is met by 2.30.7-1, and 13.0 by 13.0.2.
is_version() {
  local found=${2#*:}
  found=${found#v}
  [[ $found == "${1#v}" || $found == "${1#v}"[.+~_-]* ]]
}

# check_version COMPONENT FOUND: fails unless what is found is what is expected. Without a pin all is well.
check_version() {
  local origin=CW_ORIGIN_${1^^}
  origin=${origin//-/_}
  origin=${!origin:-the set $CW_SOFTWARE_SET}
  pinned "$1"
  [[ -z $REPLY ]] || is_version "$REPLY" "$2" \
    || fail "the node has $1 $2, and $REPLY is expected, from $origin: $(_advise_on "$1" "$2" "$REPLY" "$origin")"
}

# _advise_on COMPONENT FOUND EXPECTED ORIGIN: prints what to do. What an image brings cannot be overridden.
_advise_on() {
  if [[ $4 =~ ^the\ image\ ([a-z-]+)\ (.+)$ ]]; then
    printf '%s' "the node starts from another image than ${BASH_REMATCH[2]}; write the release that it starts from into \
software.overrides.${BASH_REMATCH[1]}"
  else
    printf '%s' "take an image with $3, or pin software.overrides.$1 to $2 and check it"
  fi
}

# install_packages NAME...: installs packages of the system's own sources.
install_packages() {
  log "installing $*"
  _manage_packages "$@" || fail "cannot install $*: ${LAST_WORDS:-no reason given}"
}

# install_files FILE...: installs package files.
install_files() {
  log "installing ${*##*/}"
  _manage_packages "$@" || fail "cannot install ${*##*/}: ${LAST_WORDS:-no reason given}"
}

_manage_packages() {
  local output status=0
  _lock_packages
  output=$(mktemp)
  if is_ubuntu; then
    _repair_dpkg
    _refresh_apt
    retry "${CW_PACKAGE_ATTEMPTS:-3}" _apt_install "$@" >"$output" 2>&1 || status=$?
  else
    retry "${CW_PACKAGE_ATTEMPTS:-3}" dnf --assumeyes --quiet install "$@" >"$output" 2>&1 || status=$?
  fi
  cat "$output" >&2
  # retry speaks last; what the tool said is what helps.
  LAST_WORDS=$(grep -vE "^[0-9TZ:-]+ $CW_STEP: " "$output" | grep -v '^[[:space:]]*$' | tail -n 1) || true
  rm -f "$output"
  exec 8>&-
  return "$status"
}

_apt_install() {
  DEBIAN_FRONTEND=noninteractive NEEDRESTART_SUSPEND=1 apt-get install --yes --quiet --no-install-recommends \
    --option DPkg::Lock::Timeout=120 --option Dpkg::Options::=--force-confold "$@"
}

# What a killed installation left half-way.
_repair_dpkg() {
  [[ -z $(dpkg --audit 2>/dev/null) ]] || DEBIAN_FRONTEND=noninteractive dpkg --configure -a >&2 \
    || fail "dpkg was left half-way and cannot go on: $(dpkg --audit | head -n 1)"
}

_refresh_apt() {
  local stamp=$CW_RUN/clusterwright-apt-updated
  [[ -f $stamp ]] && return
  # A source that is out of reach is no failure yet: what is wanted may be a file, or in another.
  retry 2 apt-get update --quiet --option DPkg::Lock::Timeout=120 >&2 || log "apt-get update failed"
  touch "$stamp"
}

# Waits until no step of ours and nobody else installs.
_lock_packages() {
  local seconds=${CW_PACKAGE_LOCK_SECONDS:-900} end
  take_lock "$CW_RUN/clusterwright-packages.lock" "$seconds" 8 \
    || fail "waited $seconds s to install packages: $REPLY holds the lock"
  end=$((SECONDS + seconds))
  while find_package_user; do
    ((SECONDS < end)) || fail "waited $seconds s for the package manager: $REPLY"
    sleep "${CW_LOCK_POLL_SECONDS:-2}"
  done
}

# find_package_user: whether another program installs right now; REPLY then says which, and what it holds.
find_package_user() {
  local file pid
  for file in lib/dpkg/lock-frontend lib/dpkg/lock lib/apt/lists/lock lib/rpm/.rpm.lock; do
    [[ -e $CW_ROOT/var/$file ]] || continue
    lock_holders "$CW_ROOT/var/$file"
    [[ -z $REPLY ]] || { REPLY+=" holds /var/$file" && return 0; }
  done
  # dnf writes its number into the file instead.
  for file in "$CW_ROOT"/var/cache/dnf/*.pid; do
    [[ -s $file ]] && read -r pid <"$file" && [[ -d /proc/$pid ]] || continue
    REPLY="$(<"/proc/$pid/comm") (pid $pid) holds ${file#"$CW_ROOT"}"
    return 0
  done
  return 1
}

# hold_packages PATTERN...: keeps the installed packages of these names at their versions.
hold_packages() {
  if is_ubuntu; then _hold_dpkg "$@"; else _hold_rpm "$@"; fi
}

_hold_dpkg() {
  local name held wanted=()
  held=$'\n'$(apt-mark showhold)$'\n'
  # shellcheck disable=SC2016  # dpkg-query fills these in
  while read -r status name; do
    [[ $status == installed && $held != *$'\n'"$name"$'\n'* ]] && wanted+=("$name")
  done < <(dpkg-query --show --showformat='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true)
  ((${#wanted[@]})) || return 0
  _lock_packages
  apt-mark hold "${wanted[@]}" >&2
  exec 8>&-
  log "holding ${wanted[*]}"
}

_hold_rpm() {
  local name held wanted=()
  dnf versionlock list >/dev/null 2>&1 || install_packages 'dnf-command(versionlock)'
  held=$(dnf --quiet versionlock list)
  while read -r name; do
    [[ $name && $held != *"$name-"* ]] && wanted+=("$name")
  done < <(rpm --query --all --queryformat '%{NAME}\n' "$@" | sort -u)
  ((${#wanted[@]})) || return 0
  _lock_packages
  dnf --quiet versionlock add "${wanted[@]}" >&2
  exec 8>&-
  log "holding ${wanted[*]}"
}
