look() { send "$1" GET "$task" -H "apikey: $API_KEY"; }
update() { send "$1" PUT "$task$rest" -H "apikey: $API_KEY" -H 'content-type: application/json' -H "if-match: $2" --data-raw "$3"; }
version() { member "$1" updated_at | tr -d '"'; }
assigning() { member "$1" assignment | sed -E 's/^[{].*/{"update":&}/; s/^null$/{"unassign":{"assigned_by_id":""}}/; s/("assigned_by_id" *: *)"[^"]*"/\1"'"$by"'"/'; } # as an update
bring() { [ "$(assigning read)" = "$1" ] || { update prepare "$(version read)" "$1"; accepted prepare; look read; }; }
restore() {
  look read; old=$(assigning first); [ "$(assigning read)" != "$old" ] || { [ -s "$dir/last" ] && [ "$(assigning last)" != "$old" ] && [ -z "${KEEP-}" ] && update restore "$(version last)" "$old"; return 0; } # reads may lag
  [ -n "${KEEP-}" ] || { update restore "$(version read)" "$old"; grep -q ^2 "$dir/restore.status" && return; }
  printf '%s\n%s ' "$task is not restored. Its assignment was $(member first assignment). To restore it:" "curl -X PUT '$base$task$rest'"
  printf '%s\n' "-H \"apikey: \$API_KEY\" -H 'content-type: application/json' -H 'if-match: $(version read)' --data-raw '$(printf %s "$old" | sed "s/'/'\\\\''/g")'"
}
