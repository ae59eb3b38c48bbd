# shellcheck shell=bash
# Files from the mirror, or from their publisher where a checksum is known. Nothing is used before its checksum is right.

# download_component COMPONENT: fetches the files of a component, and puts their paths into the array DOWNLOADED.
download_component() {
  local component=$1 name version file url sha256
  DOWNLOADED=()
  while IFS='|' read -r name version file url sha256; do
    [[ $name == "$component" ]] || continue
    if [[ $CW_MIRROR_URL ]]; then
      _read_mirror
      sha256=$(_mirror_checksum "$file")
      [[ $sha256 ]] || fail "the mirror $CW_MIRROR_URL lacks $file: run clusterwright scripts mirror again"
      url=$CW_MIRROR_URL/$file
    fi
    [[ $sha256 ]] || fail "the image lacks $name $version, and $file has no published checksum: $MIRROR_ADVICE"
    [[ $url != https://*github* ]] || fail "the image lacks $name $version, and nodes do not read GitHub: $MIRROR_ADVICE"
    download "$url" "$sha256" "$CW_CACHE/$file"
    DOWNLOADED+=("$CW_CACHE/$file")
  done <<<"$CW_ARTIFACTS"
  ((${#DOWNLOADED[@]})) || {
    pinned "$component"
    fail "the image lacks $component ${REPLY:-}, and the set names no file to install it from: take an image that has it"
  }
}

MIRROR_ADVICE="give nodes a mirror made by clusterwright scripts mirror (software.mirror), or an image that has it"

# download URL SHA256 PATH: fetches a file, unless it is there already.
download() {
  local url=$1 sha256=$2 path=$3 found fresh
  [[ -f $path && $(sha256_of "$path") == "$sha256" ]] && return
  mkdir -p "${path%/*}"
  fresh=$(mktemp "$path.XXXXXX")
  retry "${CW_DOWNLOAD_ATTEMPTS:-5}" _fetch "$url" "$fresh" || {
    rm -f "$fresh"
    fail "cannot download ${path##*/} from $url: ${LAST_WORDS:-no answer}"
  }
  found=$(sha256_of "$fresh")
  if [[ $found != "$sha256" ]]; then
    rm -f "$fresh"
    fail "${path##*/} from $url has the SHA-256 $found, expected $sha256"
  fi
  chmod 0644 "$fresh"
  mv -f "$fresh" "$path"
  log "downloaded ${path##*/} from $url"
}

# sha256_of FILE: prints its SHA-256.
sha256_of() {
  local digest
  digest=$(sha256sum "$1")
  printf '%s' "${digest%% *}"
}

# _fetch URL PATH: one attempt. What is not there ends the step: to ask again does not help.
_fetch() {
  local url=$1 path=$2 status=0
  case $url in
    s3://*) LAST_WORDS=$(aws s3 cp --region "$CW_REGION" --only-show-errors "$url" "$path" 2>&1) || status=$? ;;
    file://*) LAST_WORDS=$(cp "${url#file://}" "$path" 2>&1) || status=$? ;;
    https://*)
      LAST_WORDS=$(curl --fail --location --silent --show-error --connect-timeout 20 --speed-time 60 --speed-limit 1024 \
        --output "$path" "$url" 2>&1) || status=$?
      ;;
    *) fail "cannot download $url: nodes read s3, https and file addresses" ;;
  esac
  LAST_WORDS=${LAST_WORDS##*$'\n'}
  ((status == 0)) && return
  if [[ $LAST_WORDS =~ 404|NoSuchKey|"Not Found"|"No such file" ]]; then
    rm -f "$path"
    fail "cannot download ${url##*/} from ${url%/*}: $LAST_WORDS"
  fi
  return "$status"
}

# _read_mirror: fetches the mirror's manifest, whose own checksum the cluster's file pins.
_read_mirror() {
  download "$CW_MIRROR_URL/manifest.json" "$CW_MIRROR_MANIFEST_SHA256" "$CW_CACHE/manifest-$CW_MIRROR_MANIFEST_SHA256.json"
}

# _mirror_checksum FILE: prints what the manifest says of a file; nothing if it does not name it.
_mirror_checksum() {
  python3 - "$CW_CACHE/manifest-$CW_MIRROR_MANIFEST_SHA256.json" "$1" <<'PYTHON'
import json, sys
manifest = json.load(open(sys.argv[1], encoding="utf-8"))
entries = manifest["artifacts"] if isinstance(manifest, dict) else manifest
print(next((each["sha256"] or "" for each in entries if each["file"] == sys.argv[2]), ""))
PYTHON
}

# unpack FILE FOLDER: unpacks an archive into a folder that is emptied first.
unpack() {
  rm -rf "$2"
  mkdir -p "$2"
  tar --extract --file "$1" --directory "$2" --strip-components 1 --no-same-owner
}
