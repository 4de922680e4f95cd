import type { ListedEvent } from './corpus.ts'

type Column = keyof ListedEvent

/** A CSV of the corpus: its writer, and what no reader can recover. */
export type CsvFile = {
  path: string
  /** the script in `make`, and the version of the library with its defaults */
  by: string
  events?: 'all'
  /** its first column numbers the rows */
  numbered?: true
  /** in how many events a column reads differently from the list, and why */
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
  { path: 'csv-npm/fast-csv.csv', by: 'csv.mjs, fast-csv 5.0.8' },
  {
    path: 'csv-npm/papaparse-days.csv',
    by: 'csv.mjs, papaparse 5.7.1',
    otherwise: { time: { events: 120, why: 'it counts days, as spreadsheets do' } },
  },
]

const python = (name: string, more: Partial<CsvFile> = {}): CsvFile => ({
  path: `csv-languages/python-csv${name}.csv`,
  by: 'python.py, Python 3.11.2',
  ...more,
})
const commons = (name: string): CsvFile => ({
  path: `csv-languages/commons-csv-${name}.csv`,
  by: 'Csv.java, Apache Commons CSV 1.9.0',
})

const languages: CsvFile[] = [
  python('', { events: 'all' }),
  python('-tab'),
  python('-unix'),
  python('-escaped'),
  python('-backslash'),
  commons('default'),
  commons('excel'),
  commons('mysql'),
  commons('tdf'),
  { path: 'csv-languages/opencsv.csv', by: 'Csv.java, opencsv 5.2' },
  { path: 'csv-languages/php-fputcsv.csv', by: 'php.php, PHP 8.2' },
  { path: 'csv-languages/php-fputcsv-semicolon.csv', by: 'php.php, PHP 8.2' },
  { path: 'csv-languages/ruby-csv.csv', by: 'ruby.rb, Ruby 3.1' },
  { path: 'csv-languages/perl-csv-xs.csv', by: 'perl.pl, Text::CSV_XS 1.49' },
  {
    path: 'csv-languages/pandas-index.csv',
    by: 'python.py, pandas 1.5.3',
    numbered: true,
    otherwise: { time: { events: 120, why: 'it writes a space for T, and +00:00' } },
  },
]

/** What libraries for web exports write of the shared list of events. */
export const csvFiles: readonly CsvFile[] = [...npm, ...languages]
