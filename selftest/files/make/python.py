"""CSVs of Python's own module and pandas, and PDFs of ReportLab, each with its defaults."""
import csv
import json

import pandas
from reportlab.lib.pagesizes import A4, landscape
from reportlab.pdfgen import canvas
from reportlab.platypus import SimpleDocTemplate, Table

few = json.load(open('few.json'))
every = json.load(open('events.json'))
columns = list(few[0])


def ascii_of(text):
    return ''.join(sign if ' ' <= sign <= '~' else '?' for sign in text)


def row_of(event):
    return [event['time'], event['id'], event['event_type'], event['sub_type'], ascii_of(event['comment'])]


def write(name, events=few, **options):
    with open(name, 'w', newline='', encoding='utf-8') as file:
        writer = csv.DictWriter(file, columns, **options)
        writer.writeheader()
        writer.writerows(events)


write('python-csv.csv', every)
write('python-csv-tab.csv', dialect='excel-tab')
write('python-csv-unix.csv', dialect='unix')
write('python-csv-escaped.csv', quoting=csv.QUOTE_NONE, escapechar='\\')
write('python-csv-backslash.csv', doublequote=False, escapechar='\\')

table = pandas.DataFrame(few)
table['time'] = pandas.to_datetime(table['time'])
table.to_csv('pandas-index.csv')

titles = ['Time', 'Id', 'Type', 'Action', 'Comment']
SimpleDocTemplate('reportlab-table.pdf', pagesize=landscape(A4)).build(
    [Table([titles] + [row_of(event) for event in every], repeatRows=1)]
)
page = canvas.Canvas('reportlab-canvas.pdf', pagesize=landscape(A4))
for start in range(0, len(few), 40):
    page.setFont('Helvetica', 7)
    for line, event in enumerate(few[start : start + 40]):
        for column, cell in enumerate(row_of(event)):
            page.drawString(20 + column * 150, 560 - line * 13, cell)
    page.showPage()
page.save()
