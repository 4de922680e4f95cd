import type { Mutant } from './mutants.ts'

/**
 * The text of a module that has every one of its mutants, each asleep behind a question to the runtime:
 * no mutant needs a text of its own, and a line that is reached says so.
 */
export function instrumented(
  text: string,
  mutants: readonly Mutant[],
  { runtime, base }: { runtime: string; base: number },
): string {
  const outer = mutants.toSorted(
    ({ at: one }, { at: two }) => one[0] - two[0] || two[1] - one[1] || 0,
  )
  const render = (start: number, end: number, list: readonly Mutant[]): string => {
    let made = ''
    let from = start
    let rest = list
    for (let first = rest[0]; first; first = rest[0]) {
      const [begin, stop] = first.at
      const inner = rest.slice(1).filter(({ at }) => at[1] <= stop)
      const asked = `$line(${base + first.line})`
      made += text.slice(from, begin)
      if (begin === stop) made += ` if (${asked}) return;`
      else {
        const put = `(${asked} ? (${first.put}) : (${render(begin, stop, inner)}))`
        made += first.isStatement ? `void ${put}` : put
      }
      from = stop
      rest = rest.slice(1 + (begin === stop ? 0 : inner.length))
    }
    return made + text.slice(from, end)
  }
  return `import { isOn as $line } from ${JSON.stringify(runtime)};${render(0, text.length, outer)}`
}
