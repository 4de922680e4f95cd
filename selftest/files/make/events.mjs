// Makes the list of events for all files of the corpus: always the same.
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const hex = (text) => createHash('sha256').update(text).digest('hex')
const id = (kind, n) =>
  hex(`${kind} ${n}`).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5')
const pick = (list, n, seed) =>
  list[Number.parseInt(hex(`${seed} ${n}`).slice(0, 6), 16) % list.length]

const kinds = {
  task: ['assigned', 'reassigned', 'unassigned', 'updated'],
  assessment: ['created', 'updated', 'completed'],
  screening: ['created', 'match_found'],
  inquiry: ['created', 'answered', 'closed'],
}
const comments = [
  '',
  'Please review',
  'See section 4, then decide',
  'He said "later"; it was not',
  "O'Neil asked for R&D papers",
  'Überprüfung bis Freitag',
  '確認してください',
  'Проверено 👍',
  'two\nlines',
  'a tab\there and a \\ there',
  '=1+1',
  '+49 30 1234',
  '-5 % margin',
  '@review today',
  'pipe | in the middle',
  '  spaces around  ',
]
const tags = ['', 'vip', 'high risk', 'R&D']

const first = Date.parse('2026-01-05T06:00:00.000Z')
const events = Array.from({ length: 600 }, (_, n) => {
  const event_type = pick(Object.keys(kinds), n, 'type')
  const isTask = event_type === 'task'
  return {
    id: id('event', n),
    // Ten hours and a little apart, across two changes of summer time.
    time: new Date(first + n * 36_123_457 + (n % 7) * 1_001).toISOString(),
    auditee_id: id('user', Number.parseInt(hex(`user ${n}`).slice(0, 4), 16) % 9),
    event_type,
    sub_type: pick(kinds[event_type], n, 'sub'),
    system_source: pick(['task_platform', 'assessment_service'], n, 'source'),
    task_id: isTask ? id('task', n % 23) : '',
    tag: pick(tags, n, 'tag'),
    comment: pick(comments, n, 'comment'),
  }
})
const folder = process.argv[2] ?? '.'
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'events.json'), `${JSON.stringify(events, null, 1)}\n`)
const few = events.slice(0, 120)
const columns = Object.keys(few[0])
writeFileSync(
  join(folder, 'few.cells'),
  [columns, ...few.map(Object.values)].map((row) => row.join('\u001f')).join('\u001e'),
)
writeFileSync(join(folder, 'few.json'), `${JSON.stringify(few, null, 1)}\n`)
