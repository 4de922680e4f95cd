ids() { grep -aoiE '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}' "$dir/$1.text" | sort -u >"$dir/$1.ids"; } # NAME: which ids it has
