// --on-breach COMMAND: collects the surroundings of a breach, such as log lines, while they exist.

import { spawn } from 'node:child_process'
import { type Exchange, traceIdOf } from '../../engine/http/exchange.ts'
import type { Problem } from '../../engine/problem.ts'
import type { Report } from '../../engine/run/report.ts'
import type { Judged } from '../../engine/run/run-clauses.ts'
import { clock } from '../../engine/time/timers.ts'
import { present } from '../../reporting/parts/texts.ts'

const limits = { ms: 10_000, bytes: 64 * 1024 }
const atOnce = 4
/** A service that breaks everything would cost minutes. */
const most = 100

type Place = { cwd: string; stop: AbortSignal; ms?: number }

type Said = { printed?: string; failed?: string }

/**
 * `ask` starts the command for the breaches of a clause as soon as it is judged; `finish` for those known only now,
 * waits for all, and adds the output to the breaches.
 */
export function createExplainer(
  command: string | undefined,
  { redact, ...place }: Place & { redact(text: string): string },
) {
  const asked = new Map<string, Promise<Said>>()
  let left = 0
  const keyOf = (clause: string, { sentence }: Problem) => `${clause} ${sentence}`
  const askOnce = (clause: string, breach: Problem, exchanges: readonly Exchange[]) => {
    const key = keyOf(clause, breach)
    if (command === undefined || asked.has(key)) return
    if (asked.size >= most) {
      left += 1
      return
    }
    // A few at once: each waits for the one that began some turns before.
    const turn = [...asked.values()].at(-atOnce) ?? Promise.resolve()
    const input = redact(JSON.stringify(questionOf(clause, breach, exchanges)))
    asked.set(
      key,
      turn.then(() => (place.stop.aborted ? {} : run(command, input, place))),
    )
  }
  return {
    ask({ facts, outcome, evidence }: Judged) {
      if (outcome.kind !== 'broken' || facts.level === 'observe') return
      for (const breach of outcome.breaches) askOnce(facts.id, breach, evidence)
    },
    async finish(report: Report): Promise<Report> {
      if (command === undefined) return report
      for (const { id, breaches = [] } of report.clauses)
        for (const breach of breaches) askOnce(id, breach, report.exchanges)
      const failed: string[] = []
      const explained = async (id: string, breach: Problem) => {
        const said = await asked.get(keyOf(id, breach))
        if (said?.failed) failed.push(`${id}: ${said.failed}`)
        return said?.printed ? { ...breach, log: redact(said.printed) } : breach
      }
      const clauses: Report['clauses'] = []
      for (const clause of report.clauses) {
        const breaches = clause.breaches?.map((breach) => explained(clause.id, breach))
        clauses.push(breaches ? { ...clause, breaches: await Promise.all(breaches) } : clause)
      }
      const notices = present([
        report.notices,
        failed[0] &&
          `--on-breach: the command failed for ${failed.length} of ${asked.size} breaches; ${failed[0]}`,
        left > 0 &&
          `--on-breach: the command was started for ${most} breaches, not for ${left} more`,
      ])
      return { ...report, clauses, notices }
    },
  }
}

function questionOf(clause: string, breach: Problem, exchanges: readonly Exchange[]) {
  const judged = exchanges.filter(({ number }) => breach.judged.includes(number))
  const exchange = judged.at(-1)
  const uuids = judged.flatMap(
    ({ path }) => path.match(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/gi) ?? [],
  )
  const { sentence, expected, got } = breach
  return {
    ...{ clause, time: exchange?.start, traceId: exchange && traceIdOf(exchange) },
    ...{ ids: [...new Set(uuids)], breach: { sentence, expected, got }, exchange },
  }
}

/** Runs a command in a shell with its input. Its failure is not an error of the run. */
const run = (command: string, input: string, { cwd, stop, ms = limits.ms }: Place) =>
  new Promise<Said>((resolve) => {
    // Its own process group, so that its children end with it.
    const isGroup = process.platform !== 'win32'
    const child = spawn(command, { cwd, shell: true, detached: isGroup })
    let [printed, complaint] = ['', '']
    let failed: string | undefined
    const end = (why: string) => {
      failed ??= why
      try {
        if (child.pid !== undefined) process.kill(isGroup ? -child.pid : child.pid, 'SIGKILL')
      } catch {
        // The command ended meanwhile.
      }
    }
    const hangs = `it did not end within ${limits.ms / 1000} s and was stopped`
    const timer = clock.setTimeout(() => end(hangs), ms)
    const aborted = () => end('the run was ended')
    stop.addEventListener('abort', aborted)
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      if (printed.length > limits.bytes) end('it printed more than 64 kB; the rest is left out')
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(0, 300)
    })
    // A command that reads nothing closes its input.
    child.stdin.on('error', () => {})
    child.stdin.end(`${input}\n`)
    child.on('error', ({ message }) => end(message))
    child.on('close', (code) => {
      clock.clear(timer)
      stop.removeEventListener('abort', aborted)
      const [why = ''] = complaint.trim().split('\n')
      if (code !== 0) failed ??= `it ended with ${code}${why ? ` (${why})` : ''}`
      printed = printed.slice(0, limits.bytes).trim()
      resolve({ ...(printed && { printed }), ...(failed && { failed }) })
    })
  })
