import type {
  Assessment,
  AuditEvent,
  Call,
  Change,
  ExportQuery,
  Fault,
  Letter,
  Order,
  Reply,
  Target,
  Task,
} from './model.ts'

type Outcome = 'done' | 'refused'

export interface SheetStyle {
  delimiter: string
  opening: string
  lineEnd: string
}

/**
 * Every place where a switch or a bug may reach in. The service hands over the value it
 * would use and goes on with the one it gets back; with nothing plugged in, that is the same.
 */
export interface HookSet {
  keyAccepted(ok: boolean, at: { call: Call; expected: string }): boolean
  fault(fault: Fault, at: { call: Call }): Fault
  reply(
    reply: Reply,
    at: { call: Call; fault: Fault | null; peek: (id: string) => Task | undefined },
  ): Reply

  order(order: Order, at: { before: Task }): Order
  versionMatches(ok: boolean, at: { given: string; before: Task; order: Order }): boolean
  idle(idle: boolean, at: { before: Task; order: Order }): boolean
  pause(ms: number, at: { order: Order }): number
  stamp(ms: number, at: { before: Task; order: Order }): number
  answer(task: Task, at: { before: Task; order: Order }): Task
  changes(
    changes: Change[],
    at: { before: Task; order: Order; outcome: Outcome; moment: number; siblings: Task[] },
  ): Change[]
  record(
    events: AuditEvent[],
    at: { before: Task; order: Order; outcome: Outcome; draft: () => AuditEvent },
  ): AuditEvent[]
  letters(
    letters: Letter[],
    at: { before: Task; order: Order; write: (target: Target) => Letter[] },
  ): Letter[]

  clock(text: string, at: { ms: number }): string
  lag(ms: number, at: { call: Call }): number
  shown(task: Task, at: { call: Call }): Task
  assessment(
    found: Assessment | undefined,
    at: { id: string; all: Assessment[] },
  ): Assessment | undefined

  query(query: ExportQuery, at: { call: Call }): ExportQuery
  problem(problem: Fault | null, at: { call: Call; query: ExportQuery }): Fault | null
  verdicts(
    verdicts: Record<string, boolean>,
    at: { event: AuditEvent; query: ExportQuery },
  ): Record<string, boolean>
  kept(kept: boolean, at: { verdicts: Record<string, boolean>; event: AuditEvent }): boolean
  chosen(events: AuditEvent[], at: { query: ExportQuery; all: readonly AuditEvent[] }): AuditEvent[]
  pdfLimit(limit: number, at: { query: ExportQuery }): number
  zone(zone: string, at: { page: number; query: ExportQuery }): string
  offset(minutes: number, at: { zone: string; ms: number }): number
  when(text: string, at: { ms: number; offset: number }): string
  sheet(style: SheetStyle, at: { query: ExportQuery }): SheetStyle
  cell(written: string, at: { raw: string; delimiter: string }): string
  firstOnPage(print: boolean, at: { page: number }): boolean
}

export type Plugin = Partial<HookSet>

export class Hooks {
  readonly #plugins: readonly Plugin[]

  constructor(plugins: readonly Plugin[]) {
    this.#plugins = plugins
  }

  run<K extends keyof HookSet>(
    point: K,
    value: Parameters<HookSet[K]>[0],
    at: Parameters<HookSet[K]>[1],
  ): ReturnType<HookSet[K]> {
    let current: unknown = value
    for (const plugin of this.#plugins) {
      const hook = plugin[point] as ((value: unknown, at: unknown) => unknown) | undefined
      if (hook) current = hook(current, at)
    }
    return current as ReturnType<HookSet[K]>
  }
}
