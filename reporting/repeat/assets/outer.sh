outer() { tr -d '\r\n' <"$dir/$1" | sed -E -e ':a' -e 's/(.)[{][^{}]*[}]/\1<>/' -e 'ta' -e 's/<>/{}/g' >"$dir/outer"; } # NAME: its body without what objects in it hold
