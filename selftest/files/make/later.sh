#!/bin/sh
# Files of Debian packages that were not used while building: r-base-core, python3-pandas,
# libunivocity-parsers-java, php-dompdf, texlive-latex-base. Run beside few.json and python-csv.csv.
set -eu
Rscript -e 'd <- read.csv("python-csv.csv", colClasses="character", encoding="UTF-8", nrows=120)' \
  -e 'write.table(d, "r-write-table.txt", row.names=FALSE)'
/usr/bin/python3 - <<'PY'
import json
import pandas
few = json.load(open("few.json", encoding="utf-8"))
table = pandas.DataFrame(few)
table["time"] = pandas.to_datetime(table["time"])
table.to_csv("pandas-index.csv")
lines = "".join(
    f"{each['time']} & \\texttt{{{each['id']}}} & {each['event_type']} \\\\\n" for each in few
)
with open("latex-longtable.tex", "w") as file:
    file.write("\\documentclass{article}\\usepackage{longtable}\\begin{document}\\small")
    file.write("\\begin{longtable}{lll}\n" + lines + "\\end{longtable}\\end{document}")
PY
pdflatex -interaction=batchmode latex-longtable.tex
pdflatex -interaction=batchmode latex-longtable.tex
php -r 'require "/usr/share/php/dompdf/autoload.php";
$html = "<style>table{font-size:6pt}</style><table>";
foreach (json_decode(file_get_contents("few.json"), true) as $e)
  $html .= "<tr><td>{$e["time"]}</td><td>{$e["id"]}</td><td>{$e["event_type"]}</td><td>" . htmlspecialchars($e["comment"]) . "</td></tr>";
$d = new Dompdf\Dompdf(); $d->setPaper("A4", "landscape"); $d->loadHtml("$html</table>"); $d->render();
file_put_contents("dompdf.pdf", $d->output());'
cat > Later.java <<'JAVA'
import com.univocity.parsers.csv.*;
import java.io.*;
import java.nio.file.*;
public class Later {
  public static void main(String[] a) throws Exception {
    CsvWriterSettings s = new CsvWriterSettings();
    s.getFormat().setQuoteEscape('\\');
    s.getFormat().setDelimiter('|');
    s.setQuoteAllFields(true);
    CsvWriter w = new CsvWriter(new OutputStreamWriter(new FileOutputStream("univocity-escaped.csv"), "UTF-8"), s);
    for (String row : new String(Files.readAllBytes(Paths.get("few.cells")), "UTF-8").split("\u001e"))
      if (!row.isEmpty()) w.writeRow((Object[]) row.split("\u001f", -1));
    w.close();
  }
}
JAVA
javac -cp /usr/share/java/univocity-parsers.jar Later.java
java -cp /usr/share/java/univocity-parsers.jar:. Later
