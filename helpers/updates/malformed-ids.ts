import type { RefusedUpdate } from './refused-update.ts'

const updateOf = (what: string, id: NonNullable<RefusedUpdate['id']>): RefusedUpdate => ({
  what: `of an id that is ${what}`,
  on: 'any',
  body: (valid) => ({ update: valid }),
  id,
})

/** Valid updates, sent to ids that are no UUIDs; all but the first look like that of a task. */
export const malformedIds: readonly RefusedUpdate[] = [
  updateOf('a word', () => 'not-a-uuid'),
  updateOf('a UUID cut short', (known) => known.slice(0, -1)),
  updateOf('a UUID and a letter', (known) => `${known}x`),
  {
    ...updateOf('a UUID with _ for its last letter', (known) => `${known.slice(0, -1)}_`),
    what: 'that unassigns, of an id that is a UUID with _ for its last letter',
    on: 'assigned',
    body: ({ assigned_by_id }) => ({ unassign: { assigned_by_id } }),
  },
]
