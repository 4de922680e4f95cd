// What is done to one file on its way, and to which of the files of a run.

import { metadataKeys } from '../../../reference/calls/events.ts'
import type { ListedEvent } from '../../files/corpus.ts'
import { timeIn } from './forms.ts'

/** A file as it is written: the text of each of its events. */
export type Written = { head: string; entries: readonly Entry[] }
export type Entry = { event: ListedEvent; text: string }

/** What is asked for, as far as it matters which file is changed. */
export type AskedFor = { query: URLSearchParams; isPdf: boolean; time: number; isWhole: boolean }

/** A change to a file; undefined where there is nothing to change. */
export type FileOperator = {
  name: string
  /** it changes which events are in the file */
  ofEvents: boolean
  by(written: Written, others: readonly Entry[]): Written | undefined
}

const middle = (entries: readonly Entry[]) => entries.length >> 1
const withEntries = (written: Written, entries: readonly Entry[]): Written => ({
  ...written,
  entries,
})
const at = (written: Written, change: (entry: Entry) => Entry[]): Written =>
  withEntries(
    written,
    written.entries.flatMap((entry, n) =>
      n === middle(written.entries) ? change(entry) : [entry],
    ),
  )
const everywhere = (written: Written, change: (entry: Entry) => string): Written =>
  withEntries(
    written,
    written.entries.map((entry) => ({ ...entry, text: change(entry) })),
  )

/** What changes which events are in a file, and what changes what it shows of them. */
export const fileOperators: readonly FileOperator[] = [
  { name: 'drop an event', ofEvents: true, by: (written) => at(written, () => []) },
  {
    name: 'repeat an event',
    ofEvents: true,
    by: (written) => at(written, (entry) => [entry, entry]),
  },
  {
    name: 'put another event in its place',
    ofEvents: true,
    by: (written, [other]) => other && at(written, () => [other]),
  },
  {
    name: 'give an event another id',
    ofEvents: true,
    by: (written) =>
      at(written, ({ event, text }) => [
        { event, text: text.replace(event.id.slice(0, 4), '0bad') },
      ]),
  },
  {
    name: 'cut the tail',
    ofEvents: true,
    by: (written) => withEntries(written, written.entries.slice(0, -3)),
  },
  {
    name: 'drop a page',
    ofEvents: true,
    by: (written) =>
      written.entries.length > 60
        ? withEntries(written, [...written.entries.slice(0, 20), ...written.entries.slice(45)])
        : undefined,
  },
  {
    name: 'shift all times by an hour',
    ofEvents: false,
    by: (written) =>
      everywhere(written, ({ event, text }) => {
        const later = new Date(Date.parse(event.time) + 3_600_000).toISOString()
        return text.replace(event.time, later)
      }),
  },
  {
    name: 'take another zone',
    ofEvents: false,
    by: (written) =>
      everywhere(written, ({ event, text }) =>
        text.replace(event.time, timeIn(event.time, 'Asia/Kolkata')),
      ),
  },
  {
    name: 'drop a column',
    ofEvents: false,
    by: ({ head, entries }) => ({
      head: head.replace(/["=]*auditee_id"*[^\w"=]/, ''),
      entries: entries.map(({ event, text }) => {
        const cell = new RegExp(`["=]*${event.auditee_id}"*[^\\w"=]`)
        return { event, text: text.replace(cell, '') }
      }),
    }),
  },
  {
    name: 'replace a letter',
    ofEvents: false,
    by: (written) =>
      at(written, ({ event, text }) => [
        { event, text: text.replace(event.event_type, `x${event.event_type.slice(1)}`) },
      ]),
  },
]

/** Which of the files are changed; `apart`: all of a kind, so that none is left to compare with. */
export type Target = { name: string; apart?: true; holds(asked: AskedFor): boolean }

const isPlain = ({ query }: AskedFor) => !query.has('timezone') && !query.has('locale')
const isFiltered = ({ query }: AskedFor) =>
  ['auditee_id', 'event_type', 'sub_type', 'system_source'].some((name) => query.has(name)) ||
  metadataKeys.some((key) => query.has(`metadata[${key}]`))

export const targets: readonly Target[] = [
  { name: 'the whole CSV', holds: (asked) => !asked.isPdf && asked.isWhole && isPlain(asked) },
  {
    name: 'CSVs of a part of the range',
    holds: (asked) => !asked.isPdf && !asked.isWhole && !isFiltered(asked) && isPlain(asked),
  },
  { name: 'filtered CSVs', holds: (asked) => !asked.isPdf && isFiltered(asked) && isPlain(asked) },
  {
    name: 'every second answer to one request for a CSV',
    holds: (asked) => !asked.isPdf && asked.time % 2 === 0,
  },
  { name: 'the whole PDF', holds: (asked) => asked.isPdf && asked.isWhole && isPlain(asked) },
  {
    name: 'PDFs of a part of the range',
    holds: (asked) => asked.isPdf && !asked.isWhole && !isFiltered(asked) && isPlain(asked),
  },
  { name: 'filtered PDFs', holds: (asked) => asked.isPdf && isFiltered(asked) && isPlain(asked) },
  { name: 'all CSVs', apart: true, holds: ({ isPdf }) => !isPdf },
  { name: 'all files', apart: true, holds: () => true },
]
