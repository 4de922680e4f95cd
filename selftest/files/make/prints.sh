#!/usr/bin/env bash
# PDFs that programs print of the pages and texts of pdf.mjs.
set -eu
for page in all few people; do
  chromium --headless --no-sandbox --disable-gpu --no-pdf-header-footer --print-to-pdf="chromium-$page.pdf" "$page.html" 2>/dev/null
done
wkhtmltopdf -q all.html wkhtmltopdf.pdf
wkhtmltopdf -q people.html wkhtmltopdf-people.pdf
weasyprint -q few.html weasyprint.pdf
fop -q all.fo fop.pdf
