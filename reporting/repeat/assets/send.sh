[ -n "${API_KEY-}" ] || { echo 'Not tried: set API_KEY'; exit 2; }; dir=${TMPDIR:-/tmp}/repeat.$$; mkdir -m 700 "$dir" || exit 2
end() { code=$?; trap - EXIT; [ ! -f "$dir/first" ] || (restore) || echo "$task is not restored"; [ -f "$dir/first" ] || [ ! -f "$dir/last" ] || echo 'The task of the last accepted update is not restored.'; rm -rf "$dir"; printf '%s\n' "$said"; exit $code; }
stop() { said="Not tried: $1"; exit 2; }; said='Not tried: interrupted'; export LC_ALL=C; trap end EXIT; trap 'exit 2' HUP INT TERM
send() { # NAME METHOD PATH OPTIONS: one request; keeps the answer in the file NAME, its status in NAME.status
  name=$1 method=$2 path=$3 url=$base$3; case $path in http*) url=$path ;; esac; shift 3; : >"$dir/$name"
  curl -sSg -m 60 --compressed --path-as-is -w '%{http_code}\n' -X "$method" -o "$dir/$name" "$@" "$url" >"$dir/$name.status" || stop "no answer to $name"
  printf '%s: %s %s -> %s\n' "$name" "$method" "${path%%"$API_KEY"*}" "$(cat "$dir/$name.status")"; case $method$(cat "$dir/$name.status") in PUT2*) cp "$dir/$name" "$dir/last" ;; esac
}
