import type { ProvidedContext } from 'vitest'
import type { ClauseFacts } from '../clause/clause.ts'
import type { Rests } from '../clause/law.ts'
import { NoSuchClause, type Selection } from '../clause/selection.ts'
import type { Exchange } from '../http/exchange.ts'
import { outcomeOf } from '../outcome.ts'
import { clock, type Timer } from '../time/timers.ts'
import type { Wait } from '../time/waits.ts'
import type { Outcome } from '../verdict.ts'
import { type Answers, openMainEnd } from './channel.ts'
import { inThread } from './clause-thread.ts'
import type { MetHere } from './report.ts'
import type { Ended, Failure, Runner, Said } from './runner.ts'

export type Judged = {
  facts: ClauseFacts
  outcome: Outcome
  evidence: Exchange[]
  rests?: Rests
  note?: string
  tookMs?: number
}

export type Watcher<Note> = {
  collected(total: number): void
  started(id: string): void
  judged(clause: Judged): void
  requested(count: number, answers: Answers): void
  noted(note: Note): void
  waits(waits: readonly Wait[]): void
}

export type Clauses = {
  judged: Judged[]
  errors: string[]
  declared: string[]
  met: MetHere[]
}

type Running = {
  id: string
  entry: string
  selection: Selection
  provide: Partial<ProvidedContext>
  runner?: Runner
}

/** A clause that computes without end does not react, and its tasks still have to be put back. */
const mostToEndMs = 5000

/** Aborting `stop` ends the clauses with its reason. */
export async function runClauses<Note>(
  { id, entry, selection, provide, runner = inThread }: Running,
  watcher: Watcher<Note>,
  stop: AbortSignal,
): Promise<Clauses> {
  const judged = new Map<string, Judged>()
  let collected: Extract<Said, { says: 'collected' }> | undefined
  const uncaught: Failure[] = []
  const met: MetHere[] = []
  let isListening = true
  const channel = openMainEnd<Note>(id, (message) => {
    if (message.says === 'requests') watcher.requested(message.count, message.answers)
    else if (message.says === 'met') met.push(message.met)
    else if (message.says === 'waits') watcher.waits(message.waits)
    else watcher.noted(message.note)
  })

  // After an abort, the thread may report a clause that was already given up.
  const judge = (clause: Ended) => {
    if (judged.has(clause.id)) return
    const found = judgedBy(clause, stop)
    judged.set(clause.id, found)
    watcher.judged(found)
  }
  const hear = (said: Said) => {
    if (said.says === 'began') watcher.started(said.id)
    else if (said.says === 'ended') judge(said.clause)
    else if (said.says === 'uncaught' && isListening) uncaught.push(said.error)
    else if (said.says === 'collected') {
      collected = said
      watcher.collected(said.clauses.length)
    }
  }

  const clauses = runner({ entry, provide: { ...provide, selection } }, hear)
  let saying: Timer | undefined
  let givingUp: Timer | undefined
  const end = () => {
    givingUp = clock.setTimeout(() => {
      isListening = false
      clauses.terminate()
    }, mostToEndMs)
    // Repeat it: a thread that is still loading does not listen yet.
    const say = () => channel.end(String(stop.reason))
    saying = clock.setInterval(say, 100)
    say()
    clauses.cancel()
  }
  stop.addEventListener('abort', end)
  if (stop.aborted) end()
  await clauses.done
  // A later abort, while tasks are put back, does not concern the clauses.
  stop.removeEventListener('abort', end)
  clock.clear(saying)
  clock.clear(givingUp)
  channel.close()

  const { clauses: all = [], declared = [], errors = [] } = collected ?? {}
  const noSuchClause = errors.find(({ name }) => name === NoSuchClause.kind)
  if (noSuchClause) throw new NoSuchClause(noSuchClause.message)
  // Clauses that the abort cut off were never reported.
  for (const clause of all) judge(clause)
  const inOrder = all.map(({ id }) => judged.get(id) as Judged)
  const trouble = [...errors, ...uncaught].map(textOf)
  return { judged: inOrder, errors: trouble, declared, met }
}

function judgedBy({ id, meta, tookMs, error }: Ended, stop: AbortSignal): Judged {
  const { clause, outcome, evidence = [], rests, note } = meta
  const facts = clause ?? { id, level: 'must', statement: id, section: '' }
  return {
    facts,
    outcome: outcome ?? unfinished(error, stop),
    evidence,
    ...(rests ? { rests } : {}),
    note,
    tookMs,
  }
}

function unfinished(error: Failure | undefined, stop: AbortSignal): Outcome {
  if (error) {
    const { name, message, why, otherWriter } = error
    return outcomeOf(Object.assign(new Error(message), { name, why, otherWriter }))
  }
  const reason = stop.aborted ? String(stop.reason) : 'the runner ended before this clause did'
  return { kind: 'trouble', reason }
}

const textOf = ({ message }: Failure): string =>
  message.split('\n').filter(Boolean).slice(0, 2).join(' ').replace(/\s+/g, ' ')
