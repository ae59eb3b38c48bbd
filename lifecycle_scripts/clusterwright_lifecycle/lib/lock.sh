# shellcheck shell=bash
# Locks, and who holds them.

# lock_holders FILE: puts the processes that have a file open into REPLY, such as "apt-get (pid 812)"; empty if none.
lock_holders() {
  local file=$1 link pid name found=''
  for link in /proc/[0-9]*/fd/*; do
    [[ $link -ef $file ]] || continue
    pid=${link#/proc/}
    pid=${pid%%/*}
    [[ $pid == "$$" || $pid == "$BASHPID" || $found == *"(pid $pid)"* ]] && continue
    name=$(tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null) || continue
    found+="${found:+, }${name% } (pid $pid)"
  done
  REPLY=$found
}

# take_lock FILE SECONDS DESCRIPTOR: takes a lock that ends with this process and those that it started.
# One that was inherited, open at this descriptor, is kept. Returns 1 after the time, with the holders in REPLY.
take_lock() {
  local file=$1 seconds=$2 descriptor=$3
  [[ /proc/$BASHPID/fd/$descriptor -ef $file ]] || eval "exec $descriptor>>\"\$file\""
  if flock --wait "$seconds" "$descriptor"; then return 0; fi
  eval "exec $descriptor>&-"
  lock_holders "$file"
  REPLY=${REPLY:-a process that has just ended}
  return 1
}
