text() { # NAME: the text of a file as lines; that of a PDF as one word, because cells are wrapped
  case $(head -c 1024 "$dir/$1" | grep -ac %PDF-) in 0) tr -d '\000' <"$dir/$1" | tr '\r' '\n' >"$dir/$1.text"; return ;; esac
  command -v pdftotext >"$dir/tool" || stop 'the text of a PDF needs the command pdftotext'; pdftotext -raw "$dir/$1" - 2>"$dir/tool" | tr -d ' \n\f\r' >"$dir/$1.text"
}
has() { grep -qaF -e "$2" "$dir/$1.text"; }
having() { id=$1 files=0; shift; for name; do has "$name" "$id" && files=$((files + 1)); done; echo $files; } # TEXT NAMES: how many files have it
