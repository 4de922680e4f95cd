#!/usr/bin/env bash
# PDFs that programs print of the pages and texts of pdf.mjs.
set -eu
for page in all few people; do
  chromium --headless --no-sandbox --disable-gpu --no-pdf-header-footer --print-to-pdf="chromium-$page.pdf" "$page.html" 2>/dev/null
done
wkhtmltopdf -q all.html wkhtmltopdf.pdf
wkhtmltopdf -q people.html wkhtmltopdf-people.pdf
weasyprint -q few.html weasyprint.pdf
soffice --headless --convert-to pdf:writer_web_pdf_Export --outdir office all.html >/dev/null 2>&1
mv office/all.pdf libreoffice-writer.pdf
soffice --headless --convert-to pdf:calc_pdf_Export --outdir office few.xlsx >/dev/null 2>&1
mv office/few.pdf libreoffice-calc.pdf
soffice --headless --convert-to csv --outdir office few.xlsx >/dev/null 2>&1
mv office/few.csv libreoffice-calc.csv
rm -r office
fop -q all.fo fop.pdf
groff -t -ms -Tpdf few.ms 2>/dev/null > groff.pdf
groff -t -ms -Tps few.ms 2>/dev/null | ps2pdf - ghostscript.pdf
enscript -q -B -r -f Courier6 -p - few.txt | ps2pdf - enscript.pdf
