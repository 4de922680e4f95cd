paired() { awk '{ # NAME: whether quotes stand around whole cells alone, in pairs
  line = part $0; copy = line; if (gsub(/"/, "", copy) % 2) { part = line "\n"; next }; part = ""
  gsub(/"([^"]|"")*"/, "\001", line); n = split(line, all, /[,;\t]/); for (i = 1; i <= n; i++) if (all[i] ~ /"|.\001|\001./) wrong = 1
  } END { exit (wrong || part != "") }' "$dir/$1.text"; }
