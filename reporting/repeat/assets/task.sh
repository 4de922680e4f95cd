look() { send "$1" GET "$task" -H "apikey: $API_KEY"; }
update() { send "$1" PUT "$task/update-assignment" -H "apikey: $API_KEY" -H 'content-type: application/json' -H "if-match: $2" --data-raw "$3"; }
version() { member "$1" updated_at | tr -d '"'; }
assigning() { # NAME: the update that brings the assignment which an answer shows
  member "$1" assignment | sed -E 's/^[{].*/{"update":&}/; s/^null$/{"unassign":{"assigned_by_id":""}}/; s/("assigned_by_id" *: *)"[^"]*"/\1"'"$by"'"/'
}
bring() { [ "$(assigning task)" = "$1" ] || { update set "$(version task)" "$1"; accepted set; look task; }; }
put_back() {
  code=$?; trap 'rm -rf "$dir"' EXIT; look task; old=$(assigning first); [ "$(assigning task)" != "$old" ] || exit $code
  [ -n "${KEEP-}" ] || { update back "$(version task)" "$old"; grep -q ^2 "$dir/back.status" && exit $code; }
  printf '%s\n' "$task is not put back. Its assignment was $(member first assignment). To put it back:" \
    "curl -X PUT '$base$task/update-assignment' -H \"apikey: \$API_KEY\" -H 'content-type: application/json' -H 'if-match: $(version task)' --data-raw '$(printf %s "$old" | sed "s/'/'\\\\''/g")'"
}
