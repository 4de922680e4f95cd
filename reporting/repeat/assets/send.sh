stop() { echo "Not tried: $1" >&2; exit 2; }
[ -n "${API_KEY-}" ] || stop 'set API_KEY'; dir=$(mktemp -d) || exit 2; trap 'rm -rf "$dir"' EXIT; export LC_ALL=C
send() { # NAME METHOD PATH OPTIONS: one request; keeps the answer in the file NAME, its status in NAME.status
  name=$1 method=$2 path=$3; shift 3; : >"$dir/$name"; set -- -X "$method" "$base$path" "$@" -o "$dir/$name"
  curl -sSg -m 60 --compressed --path-as-is -w '%{http_code}\n' "$@" >"$dir/$name.status" || stop "no answer to $name"
  echo "$name: $method $path -> $(cat "$dir/$name.status")"
}
