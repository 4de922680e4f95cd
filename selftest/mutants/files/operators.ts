// Changes to a file, and which files of a run they affect.

import { metadataKeys } from '../../../reference/calls/events.ts'
import type { ListedEvent } from '../../files/corpus.ts'
import { timeIn } from './forms.ts'

/** A file as the text of each of its events. */
export type Written = { head: string; entries: readonly Entry[] }
export type Entry = { event: ListedEvent; text: string }

/** The request, as far as it decides which file is changed. */
export type AskedFor = { query: URLSearchParams; isPdf: boolean; time: number; isWhole: boolean }

/** A change to a file; undefined if there is nothing to change. */
export type FileOperator = {
  name: string
  /** whether it changes which events are in the file */
  ofEvents: boolean
  by(written: Written, others: readonly Entry[]): Written | undefined
}

/** Changes which entries there are. */
const entries = (
  name: string,
  by: (entries: readonly Entry[], others: readonly Entry[]) => readonly Entry[] | undefined,
): FileOperator => ({
  name,
  ofEvents: true,
  by(written, others) {
    const changed = by(written.entries, others)
    return changed && { ...written, entries: changed }
  },
})
/** Changes the text of every entry, or of the one in the middle. */
const texts = (
  name: string,
  by: (entry: Entry) => string,
  { ofEvents = false, isOne = false } = {},
): FileOperator => ({
  name,
  ofEvents,
  by: (written) => ({
    ...written,
    entries: written.entries.map((entry, n, { length }) =>
      !isOne || n === length >> 1 ? { ...entry, text: by(entry) } : entry,
    ),
  }),
})
const middle = <T>(list: readonly T[], ...others: T[]) =>
  list.toSpliced(list.length >> 1, 1, ...others)

export const fileOperators: readonly FileOperator[] = [
  entries('drop an event', (all) => middle(all)),
  entries('repeat an event', (all) => {
    const one = all[all.length >> 1]
    return one && middle(all, one, one)
  }),
  entries('put another event in its place', (all, [other]) => other && middle(all, other)),
  texts(
    'give an event another id',
    ({ event, text }) => text.replace(event.id.slice(0, 4), '0bad'),
    {
      ofEvents: true,
      isOne: true,
    },
  ),
  entries('cut the tail', (all) => all.slice(0, -3)),
  entries('drop a page', (all) =>
    all.length > 60 ? [...all.slice(0, 20), ...all.slice(45)] : undefined,
  ),
  texts('shift all times by an hour', ({ event, text }) =>
    text.replace(event.time, new Date(Date.parse(event.time) + 3_600_000).toISOString()),
  ),
  texts('take another zone', ({ event, text }) =>
    text.replace(event.time, timeIn(event.time, 'Asia/Kolkata')),
  ),
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
  texts(
    'replace a letter',
    ({ event, text }) => text.replace(event.event_type, `x${event.event_type.slice(1)}`),
    { isOne: true },
  ),
]

/** Which files are changed; `apart`: all of a kind, so that none is left to compare with. */
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
