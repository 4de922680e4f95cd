import type { Readable, Writable } from 'node:stream'
import { confirm, isCancel, multiselect, note, password, select, text } from '@clack/prompts'

export type Terminal = {
  input: Readable & { isTTY?: boolean }
  output: Writable & { isTTY?: boolean }
}

/** The user pressed Ctrl-C. */
export class Cancelled extends Error {}

/** The user pressed Escape: go back one question. */
export class Back extends Error {}

export type Choice = { value: string; label: string; hint?: string }

/** Asks questions on a terminal; throws if the user leaves. */
export function askerOn({ input, output }: Terminal) {
  const on = { input, output }
  let pressed: string | undefined
  input.on('keypress', (_, key?: { name?: string }) => {
    pressed = key?.name
  })
  const answered = async <T>(asked: Promise<T>): Promise<Exclude<T, symbol>> => {
    const answer = await asked
    if (isCancel(answer)) throw pressed === 'escape' ? new Back() : new Cancelled()
    return answer as Exclude<T, symbol>
  }
  return {
    say: (message: string, title: string) => note(message, title, on),
    text: async (message: string, initialValue = '', placeholder = '') =>
      (await answered(text({ message, initialValue, placeholder, ...on }))) ?? '',
    secret: async (message: string) => (await answered(password({ message, ...on }))) ?? '',
    confirm: (message: string, initialValue: boolean) =>
      answered(confirm({ message, initialValue, ...on })),
    one: (message: string, options: Choice[], initialValue?: string) =>
      answered(select({ message, options, initialValue, ...on })),
    some: (question: string, options: Choice[]) => {
      const message = `${question} (space selects, enter continues)`
      return answered(multiselect({ message, options, required: false, ...on }))
    },
  }
}

export type Asker = ReturnType<typeof askerOn>

/** Runs steps in order. Escape returns to the last one that asked. */
export async function inTurn(steps: readonly (() => Promise<boolean>)[]): Promise<void> {
  const asked: number[] = []
  for (let at = 0; at < steps.length; ) {
    try {
      if (await steps[at]?.()) asked.push(at)
      at += 1
    } catch (error) {
      if (!(error instanceof Back)) throw error
      const before = asked.pop()
      if (before === undefined) throw new Cancelled()
      at = before
    }
  }
}
