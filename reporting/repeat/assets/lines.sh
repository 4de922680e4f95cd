lines() { id=$1; shift; for name; do grep -aF -e "$id" "$dir/$name.text"; done | wc -l; } # TEXT NAMES: in how many lines it is
