import type { Readable, Writable } from 'node:stream'
import { confirm, isCancel, multiselect, note, password, text } from '@clack/prompts'

/** Where questions are asked. */
export type Terminal = {
  input: Readable & { isTTY?: boolean }
  output: Writable & { isTTY?: boolean }
}

/** Somebody ended the questions with Ctrl-C or Escape. */
export class Cancelled extends Error {}

export type Choice = { value: string; label: string; hint?: string }

/** The questions that a terminal can be asked; a cancelled one throws. */
export function askerOn({ input, output }: Terminal) {
  const on = { input, output }
  const answered = async <T>(asked: Promise<T>): Promise<Exclude<T, symbol>> => {
    const answer = await asked
    if (isCancel(answer)) throw new Cancelled()
    return answer as Exclude<T, symbol>
  }
  return {
    say: (message: string, title: string) => note(message, title, on),
    text: (message: string, initialValue = '') =>
      answered(text({ message, initialValue, ...on })).then((answer) => answer ?? ''),
    secret: (message: string) =>
      answered(password({ message, ...on })).then((answer) => answer ?? ''),
    confirm: (message: string, initialValue: boolean) =>
      answered(confirm({ message, initialValue, ...on })),
    /** any of these, and others that are written */
    several: async (message: string, options: Choice[], initialValues: string[] = []) => {
      const hint = 'space takes one, enter goes on'
      const chosen =
        options.length === 0
          ? []
          : await answered(
              multiselect({
                message: `${message} (${hint})`,
                options,
                initialValues,
                required: false,
                ...on,
              }),
            )
      const more = await answered(
        text({
          message: options.length === 0 ? message : 'Others, separated by commas',
          placeholder: 'none',
          ...on,
        }),
      )
      return [...chosen, ...(more ?? '').split(/[\s,;]+/).filter(Boolean)]
    },
  }
}

export type Asker = ReturnType<typeof askerOn>
