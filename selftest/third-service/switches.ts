import { offsetText } from './calendar.ts'
import type { Plugin } from './hooks.ts'
import { type Letter, LIST_NAMES } from './model.ts'
import { json } from './router.ts'

export interface Switch<N extends string = string> {
  name: N
  /** The sentence of the contract that leaves the choice open. */
  leaves: string
  hooks: () => Plugin
}

const lawful = <const N extends string>(one: Switch<N>): Switch<N> => one

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

export const switches = [
  lawful({
    name: 'update-answers-202',
    // Success status codes of the three JSON operations below: not shown.
    leaves: 'Success status codes of the three JSON operations below: not shown.',
    hooks: () => ({
      reply: (reply, { call }) =>
        call.op === 'update' && reply.status === 200 ? { ...reply, status: 202 } : reply,
    }),
  }),
  lawful({
    name: 'numeric-problem-bodies',
    // Shape of the error response body: not shown.
    leaves: 'Shape of the error response body: not shown.',
    hooks: () => ({
      reply: (reply, { fault }) =>
        fault
          ? {
              ...json(fault.status, { errors: [{ code: fault.status * 100 + 7 }] }),
              headers: { 'content-type': 'application/problem+json' },
            }
          : reply,
    }),
  }),
  lawful({
    name: 'microsecond-times',
    // Timestamps are ISO 8601 UTC datetime strings. (How many digits: nothing is said.)
    leaves: 'Timestamps are ISO 8601 UTC datetime strings.',
    hooks: () => ({
      clock: (text, { ms }) => text.replace('Z', `${String((ms * 7919) % 1000).padStart(3, '0')}Z`),
      shown: (task) => ({ ...task, locked_at: task.locked_at.replace(/(\.\d{3})Z$/, '$1000Z') }),
    }),
  }),
  lawful({
    name: 'reads-lag-behind',
    // A task can be read by its id. (How soon after a change: nothing is said.)
    leaves: 'A task can be read by its id.',
    hooks: () => ({ lag: () => 300 }),
  }),
  lawful({
    name: 'spreadsheet-csv',
    // Content type and file name of the exported file: not shown. (Nor the dialect of the CSV.)
    leaves: 'Content type and file name of the exported file: not shown.',
    hooks: () => ({
      sheet: () => ({ delimiter: ';', opening: '\uFEFF', lineEnd: '\r\n' }),
      reply: (reply, { call }) =>
        call.op === 'export' && String(reply.headers['content-type']).startsWith('text/csv')
          ? { ...reply, headers: { ...reply.headers, 'content-type': 'application/vnd.ms-excel' } }
          : reply,
    }),
  }),
  lawful({
    name: 'worded-dates',
    // IANA time zone identifier used to format dates in the export. (The format is not given.)
    leaves: 'IANA time zone identifier used to format dates in the export.',
    hooks: () => ({
      when: (_text, { ms, offset }) => {
        const local = new Date(ms + offset * 60_000)
        const day = `${local.getUTCDate()} ${MONTHS[local.getUTCMonth()]} ${local.getUTCFullYear()}`
        return `${day}, ${local.toISOString().slice(11, 19)} ${offsetText(offset, '')}`
      },
    }),
  }),
  lawful({
    name: 'more-fields',
    // The response is the full Task object. (That it holds nothing else is not said.)
    leaves: 'Response: the full Task object.',
    hooks: () => ({
      reply: (reply, { call, fault }) =>
        call.op === 'export' || fault
          ? reply
          : {
              ...reply,
              payload: {
                $type: call.op,
                ...(reply.payload as object),
                due: { in_days: 30, on: null },
                links: [{ rel: 'self', href: `/${call.id}` }],
              },
            },
    }),
  }),
  lawful({
    name: 'same-assignee-is-no-change',
    // Assigned to the newly given user or team. (One who has it already is not newly given.)
    leaves: 'Assigned to the newly given user or team',
    hooks: () => ({
      idle: (idle, { before: { assignment: held }, order: { target, comment, by } }) =>
        idle ||
        (held !== null &&
          held.assigned_to_id === target?.id &&
          held.assigned_to_type === target.type &&
          held.assigned_by_id === by &&
          held.assignment_comment === comment),
    }),
  }),
  lawful({
    name: 'lists-by-comma',
    // Encoding of repeated values of the array parameters: not shown.
    leaves: 'Encoding of repeated values of the array parameters: not shown.',
    hooks: () => ({
      query: (query, { call }) => {
        const lists: typeof query.lists = {}
        for (const name of LIST_NAMES) {
          const last = call.query.getAll(name).at(-1)
          if (last) lists[name] = last.split(',')
        }
        return { ...query, lists }
      },
    }),
  }),
  lawful({
    name: 'one-mail-per-team',
    // Assigning a task sends an email notification to … the members of the assigned team.
    leaves:
      'Assigning a task sends an email notification to the assigned user or to the members of the assigned team.',
    hooks: () => ({
      letters: (letters) => {
        const merged = new Map<string, Letter>()
        for (const letter of letters) {
          const key = `${letter.subject}\n${letter.text}`
          merged.set(key, { ...letter, to: [...(merged.get(key)?.to ?? []), ...letter.to] })
        }
        return [...merged.values()]
      },
    }),
  }),
] as const

export type SwitchName = (typeof switches)[number]['name']
