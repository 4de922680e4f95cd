records() { awk '{ quotes += gsub(/"/, "") } quotes % 2 == 0 && NF { n++ } END { print n + 0 }' "$dir/$1.text"; } # NAME: how many, with line breaks in quotes
