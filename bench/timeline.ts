// The time line of a run by its report: which clause had the changed tasks when, and who waited for what.
// npm run contract -- --seed 1 && node --import tsx bench/timeline.ts [reports/report.json]
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { Report } from '../engine/run/report.ts'

type Piece = { clause: string; requests: number; from: number; to: number }

/** Between two requests of a clause that does not wait lies no more. */
const atOnceMs = 40

/** The stretches in which clauses asked about tasks that the run changed, one after another. */
export function piecesOf({ clauses, exchanges, startedAt }: Report): Piece[] {
  const zero = Date.parse(startedAt)
  const owner = new Map<number, string>()
  for (const { id, evidence } of clauses)
    for (const { exchange } of evidence) if (!owner.has(exchange)) owner.set(exchange, id)
  const taskIn = (path: string) => /^\/tasks\/[^/?]+/.exec(path)?.[0]
  const changed = new Set(
    exchanges
      .filter(({ method, status = 0 }) => method === 'PUT' && status < 300)
      .map(({ path }) => taskIn(path)),
  )
  const pieces: Piece[] = []
  const asked = exchanges
    .filter(({ path }) => changed.has(taskIn(path)) && taskIn(path) !== undefined)
    .map(({ number, start, milliseconds }) => {
      const from = Date.parse(start) - zero
      return { clause: owner.get(number) ?? 'nobody', from, to: from + milliseconds }
    })
    .sort((a, b) => a.from - b.from)
  for (const { clause, from, to } of asked) {
    const last = pieces.at(-1)
    if (last?.clause === clause && from - last.to < atOnceMs) {
      last.requests += 1
      last.to = Math.max(last.to, to)
    } else pieces.push({ clause, requests: 1, from, to })
  }
  return pieces
}

/** The time line in lines: what was asked, and each wait with who came after it. */
export function timeline(report: Report): string[] {
  const lines: string[] = []
  let waited = 0
  let until = 0
  for (const { clause, requests, from, to } of piecesOf(report)) {
    const wait = from - until
    if (wait >= atOnceMs) {
      waited += wait
      lines.push(`${span(until, from)}  nothing is asked about the tasks; then ${clause}`)
    }
    lines.push(
      `${span(from, to)}  ${clause}: ${requests} ${requests === 1 ? 'request' : 'requests'}`,
    )
    until = Math.max(until, to)
  }
  const rest = report.durationMs - until
  lines.push(`${span(until, report.durationMs)}  the rest: exports, putting back, the end`)
  return [
    ...lines,
    `In ${seconds(report.durationMs)} s nothing was asked about the tasks for ${seconds(waited)} s, and for ${seconds(rest)} s at the end.`,
  ]
}

const seconds = (ms: number) => (ms / 1000).toFixed(2)

const span = (from: number, to: number) =>
  `${seconds(from).padStart(6)} to ${seconds(to).padStart(6)} s`

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const file = process.argv[2] ?? 'reports/report.json'
  console.log(timeline(JSON.parse(readFileSync(file, 'utf8'))).join('\n'))
}
