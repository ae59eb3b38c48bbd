# shellcheck shell=bash
# Where things are on the node, and who may read them: users too, whatever the mask of who started us. CW_ROOT is empty there; tests put a scratch folder into it.

umask 022
export CW_ROOT=${CW_ROOT:-}
export CW_ETC=$CW_ROOT/etc/clusterwright
export CW_STATE=$CW_ROOT/var/lib/clusterwright
export CW_STEP_STATE=$CW_STATE/steps
export CW_CACHE=$CW_STATE/downloads
export CW_STATUS_FILE=$CW_STATE/status.json
export CW_LOGS=$CW_ROOT/var/log/clusterwright
export CW_EVENTS=$CW_LOGS/lifecycle.jsonl
export CW_RUN=$CW_ROOT/run
# In memory: the reason of a failure is to be had on a full disk as well.
export CW_REASONS=$CW_RUN/clusterwright-reasons
export CW_LOCK_FILE=$CW_RUN/clusterwright.lock

mkdir -p "$CW_ETC" "$CW_STEP_STATE" "$CW_CACHE" "$CW_LOGS/steps" "$CW_RUN" "$CW_REASONS"
