# shellcheck shell=bash
# JSON without a program: every text becomes a valid string, whatever bytes it holds.

# json_string TEXT: puts the text as a JSON string, quotes included, into REPLY.
# Text that is no UTF-8 is read as Latin-1, so that nothing of it is lost.
json_string() {
  local LC_ALL=C text=$1
  if [[ $text != *[!\ -~]* ]]; then
    text=${text//\\/\\\\}
    REPLY=\"${text//\"/\\\"}\"
    return
  fi
  _json_bytes "$text"
}

_json_bytes() {
  local LC_ALL=C text=$1 index byte code is_utf8=1 made=''
  iconv -f UTF-8 -t UTF-8 <<<"$text" >/dev/null 2>&1 || is_utf8=
  for ((index = 0; index < ${#text}; index++)); do
    byte=${text:index:1}
    case $byte in
      [\"\\]) made+="\\$byte" ;;
      [\ -~]) made+=$byte ;;
      *)
        printf -v code '%d' "'$byte"
        code=$((code & 255))
        if ((code >= 128)) && [[ $is_utf8 ]]; then
          made+=$byte
        else
          printf -v byte '\\u%04x' "$code"
          made+=$byte
        fi
        ;;
    esac
  done
  REPLY=\"$made\"
}

# json_object NAME VALUE...: puts an object into REPLY. A value after a name that ends in ":" is taken as JSON.
json_object() {
  local made='' name
  while (($#)); do
    name=${1%:}
    json_string "$name"
    made+="${made:+, }$REPLY: "
    if [[ $1 == *: ]]; then REPLY=$2; else json_string "$2"; fi
    made+=$REPLY
    shift 2
  done
  REPLY="{$made}"
}
