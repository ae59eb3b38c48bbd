# shellcheck shell=bash
# systemd units.

# start_service UNIT...: enables and starts units that are not running yet.
start_service() {
  local unit
  for unit in "$@"; do
    systemctl is-enabled --quiet "$unit" 2>/dev/null || systemctl enable --quiet "$unit" >&2
    systemctl is-active --quiet "$unit" || systemctl start "$unit" \
      || fail "the service $unit does not start: $(last_words "$unit")"
    systemctl is-active --quiet "$unit" || fail "the service $unit stopped at once: $(last_words "$unit")"
  done
}

# restart_service UNIT: the same for a unit whose configuration changed.
restart_service() {
  systemctl enable --quiet "$1" >&2
  systemctl restart "$1" || fail "the service $1 does not restart: $(last_words "$1")"
}

# last_words UNIT: prints the last line of its journal.
last_words() {
  journalctl --unit "$1" --lines 1 --no-pager --output cat 2>/dev/null || true
}

# stop_service UNIT...: stops and masks units, where there are any.
stop_service() {
  local unit state
  for unit in "$@"; do
    state=$(systemctl is-enabled "$unit" 2>/dev/null) || true
    [[ $state && $state != masked && $state != not-found ]] || continue
    systemctl mask --now --quiet "$unit" >&2 || fail "cannot stop $unit"
    log "stopped $unit"
  done
}

# write_unit NAME: writes a unit file from stdin, and tells systemd when it changed.
write_unit() {
  write_file "/etc/systemd/system/$1"
  [[ -z $CHANGED ]] || systemctl daemon-reload
}
