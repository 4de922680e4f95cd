import type { ListedEvent } from './corpus.ts'

type Column = keyof ListedEvent

/** A CSV of the corpus: what made it, and what of it no reader gets back. */
export type CsvFile = {
  path: string
  /** the script in `make`, and the version of what wrote the file by its defaults */
  by: string
  events?: 'all'
  /** the columns that it has, where not all */
  columns?: readonly Column[]
  titles?: 'none'
  /** its first column numbers the rows */
  numbered?: true
  /** in how many events a column reads otherwise than it is listed, and why */
  otherwise?: Partial<Record<Column, { events: number; why: string }>>
}

const npm: CsvFile[] = [
  { path: 'csv-npm/papaparse.csv', by: 'csv.mjs, papaparse 5.7.1', events: 'all' },
  {
    path: 'csv-npm/papaparse-excel.csv',
    by: 'csv.mjs, papaparse 5.7.1',
    otherwise: { comment: { events: 38, why: 'it writes an apostrophe before = + - and @' } },
  },
  { path: 'csv-npm/csv-stringify.csv', by: 'csv.mjs, csv-stringify 6.9.0' },
  { path: 'csv-npm/csv-stringify-quoted.csv', by: 'csv.mjs, csv-stringify 6.9.0' },
  { path: 'csv-npm/json2csv.csv', by: 'csv.mjs, json2csv 5.0.7' },
  { path: 'csv-npm/json2csv-excel.csv', by: 'csv.mjs, json2csv 5.0.7' },
  { path: 'csv-npm/d3-dsv.csv', by: 'csv.mjs, d3-dsv 3.0.2' },
  { path: 'csv-npm/d3-dsv.tsv', by: 'csv.mjs, d3-dsv 3.0.2' },
  { path: 'csv-npm/sheetjs.csv', by: 'csv.mjs, xlsx 0.18.5' },
  { path: 'csv-npm/csv-writer.csv', by: 'csv.mjs, csv-writer 1.6.0' },
  { path: 'csv-npm/fast-csv.csv', by: 'csv.mjs, fast-csv 5.0.8' },
  { path: 'csv-later/export-to-csv.csv', by: 'later.mjs, export-to-csv 1.5.0' },
  {
    path: 'csv-later/papaparse-days.csv',
    by: 'later.mjs, papaparse 5.7.1',
    otherwise: { time: { events: 120, why: 'it counts days, as spreadsheets do' } },
  },
]

const python = (name: string, more: Partial<CsvFile> = {}): CsvFile => ({
  path: `csv-languages/python-csv${name}.csv`,
  by: 'python.py, Python 3.11.2',
  ...more,
})
const commons = (name: string, more: Partial<CsvFile> = {}): CsvFile => ({
  path: `csv-languages/commons-csv-${name}.csv`,
  by: 'Csv.java, Apache Commons CSV 1.9.0',
  ...more,
})

const languages: CsvFile[] = [
  python('', { events: 'all' }),
  python('-tab'),
  python('-unix'),
  python('-escaped'),
  python('-backslash'),
  python('-caret'),
  python('-single'),
  commons('default'),
  commons('excel'),
  commons('mysql'),
  commons('postgresql-csv'),
  commons('postgresql-text'),
  commons('tdf'),
  commons('informix'),
  { path: 'csv-languages/opencsv.csv', by: 'Csv.java, opencsv 5.2' },
  { path: 'csv-languages/php-fputcsv.csv', by: 'php.php, PHP 8.2' },
  { path: 'csv-languages/php-fputcsv-semicolon.csv', by: 'php.php, PHP 8.2' },
  { path: 'csv-languages/ruby-csv.csv', by: 'ruby.rb, Ruby 3.1' },
  { path: 'csv-languages/perl-csv-xs.csv', by: 'perl.pl, Text::CSV_XS 1.49' },
  {
    path: 'csv-later/univocity-escaped.csv',
    by: 'later.sh, univocity-parsers 2.9.1',
    otherwise: { comment: { events: 5, why: 'it takes spaces away around a text' } },
  },
  {
    path: 'csv-later/r-write-table.txt',
    by: 'later.sh, R 4.2.2',
    otherwise: { comment: { events: 12, why: 'it writes a backslash as it writes an escape' } },
  },
  {
    path: 'csv-later/pandas-index.csv',
    by: 'later.sh, pandas 1.5.3',
    numbered: true,
    otherwise: { time: { events: 120, why: 'it writes a space for T, and +00:00' } },
  },
]

const databases: CsvFile[] = [
  { path: 'csv-databases/sqlite-csv.csv', by: 'databases.sh, SQLite 3.40.1' },
  { path: 'csv-databases/sqlite-quote.csv', by: 'databases.sh, SQLite 3.40.1' },
  {
    path: 'csv-databases/sqlite-list.csv',
    by: 'databases.sh, SQLite 3.40.1',
    columns: ['id', 'time', 'event_type', 'sub_type', 'system_source', 'tag'],
  },
  { path: 'csv-databases/postgres-csv.csv', by: 'databases.sh, PostgreSQL 15.18' },
  { path: 'csv-databases/postgres-text.csv', by: 'databases.sh, PostgreSQL 15.18', titles: 'none' },
  { path: 'csv-databases/psql-csv.csv', by: 'databases.sh, PostgreSQL 15.18' },
  {
    path: 'csv-databases/mariadb-outfile.csv',
    by: 'databases.sh, MariaDB 10.11.19',
    titles: 'none',
  },
  {
    path: 'csv-databases/mariadb-outfile-csv.csv',
    by: 'databases.sh, MariaDB 10.11.19',
    titles: 'none',
  },
  { path: 'csv-databases/mariadb-batch.csv', by: 'databases.sh, MariaDB 10.11.19' },
  {
    path: 'csv-databases/libreoffice-calc.csv',
    by: 'prints.sh, LibreOffice 7.4.7',
    otherwise: {
      comment: { events: 20, why: 'it writes Windows-1252, and ? for what that lacks' },
    },
  },
]

/** What libraries, languages and databases write of the shared list of events. */
export const csvFiles: readonly CsvFile[] = [...npm, ...languages, ...databases]
