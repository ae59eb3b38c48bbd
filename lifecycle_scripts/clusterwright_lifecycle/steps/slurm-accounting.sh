#!/usr/bin/env bash
# The record of jobs: slurmdbd, with MariaDB on this node or a database of yours.
set -euo pipefail
# shellcheck source=../lib/step.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/../lib/step.sh"
# shellcheck source=../lib/slurm.sh
source "$CW_BUNDLE/lib/slurm.sh"
PASSWORD_FILE=/etc/clusterwright/slurmdbd.password

# accounting NAME: puts a field of the cluster's accounting into REPLY.
accounting() {
  REPLY=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["accounting"][sys.argv[2]])' \
    "$SLURM_FILES/pools.json" "$1")
}

# make_password: puts the password of the local database into REPLY; it is made once, and never leaves the node.
make_password() {
  [[ -s $CW_ROOT$PASSWORD_FILE ]] \
    || head --bytes 24 /dev/urandom | sha256sum | cut --characters 1-48 | write_file "$PASSWORD_FILE" 0600
  REPLY=$(<"$CW_ROOT$PASSWORD_FILE")
}

set_up_mariadb() {
  local database=$1 password=$2
  has_command mariadb || has_command mysql || install_packages mariadb-server
  # slurmdbd's own advice: its rollups hold locks for long, and it reads much.
  write_file /etc/mysql/mariadb.conf.d/60-clusterwright.cnf <<TEXT
[mysqld]
bind-address=127.0.0.1
innodb_buffer_pool_size=1024M
innodb_log_file_size=64M
innodb_lock_wait_timeout=900
TEXT
  if [[ $CHANGED ]]; then restart_service mariadb; else start_service mariadb; fi
  "$(command -v mariadb || command -v mysql)" <<SQL || fail "MariaDB does not take its new database"
CREATE DATABASE IF NOT EXISTS \`$database\`;
CREATE USER IF NOT EXISTS 'slurm'@'localhost';
ALTER USER 'slurm'@'localhost' IDENTIFIED BY '$password';
GRANT ALL ON \`$database\`.* TO 'slurm'@'localhost';
SQL
}

# read_secret ARN: puts user and password of a database, on a line each, into REPLY.
read_secret() {
  local answer
  answer=$(retry 3 aws --region "$CW_REGION" secretsmanager get-secret-value --secret-id "$1" \
    --query SecretString --output text) || fail "cannot read the secret $1: may the node's role read it?"
  REPLY=$(python3 -c 'import json, sys; found = json.load(sys.stdin); print(found["username"], found["password"], sep="\n")' \
    <<<"$answer") || fail "the secret $1 is no JSON with username and password"
}

# write_slurmdbd USER PASSWORD
write_slurmdbd() {
  local text
  [[ $2 != *[[:space:]#\'\"]* ]] || fail "slurmdbd.conf cannot hold a password with blanks, quotes or #: choose another"
  text=$(<"$SLURM_FILES/slurmdbd.conf")
  text=${text/CLUSTERWRIGHT_USER/"$1"}
  write_file "$SLURM_ETC/slurmdbd.conf" 0600 <<<"${text/CLUSTERWRIGHT_PASSWORD/"$2"}"
  chown slurm: "$CW_ROOT$SLURM_ETC/slurmdbd.conf"
}

accounting kind
kind=$REPLY
[[ $kind != none ]] || {
  log "jobs are not accounted for (orchestrator.accounting)"
  exit 0
}
start_munge
make_slurm_folders
accounting database
database=$REPLY
if [[ $kind == local ]]; then
  make_password
  user=slurm password=$REPLY
  set_up_mariadb "$database" "$password"
else
  accounting secret_arn
  read_secret "$REPLY"
  { read -r user && read -r password; } <<<"$REPLY"
fi
write_slurmdbd "$user" "$password"
if [[ $CHANGED ]]; then restart_service slurmdbd; else start_service slurmdbd; fi
listens() { (exec 3<>/dev/tcp/127.0.0.1/6819) 2>/dev/null; }
retry "${CW_SLURM_ATTEMPTS:-6}" listens || fail "slurmdbd does not answer: $(last_words slurmdbd)"
