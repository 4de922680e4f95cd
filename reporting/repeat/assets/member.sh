member() { tr -d '\r\n' <"$dir/$1" | sed -nE 's/.*"'"$2"'" *: *("([^"\\]|\\.)*"|[{]("([^"\\]|\\.)*"|[^"}])*[}]|[[][^]]*[]]|[^]{}", []+).*/\1/p'; } # NAME MEMBER: a member of a body, as JSON
