import type { Exchange } from '../../engine/http/exchange.ts'
import type { ClauseReport } from '../../engine/run/report.ts'

/**
 * The exchange that a verdict rests on: the last that its reason names, or else the last of all. Where
 * a reason lists several in lines of their own, it is the one of the first: there a reader begins.
 */
export function decisive({ reason = '', evidence }: ClauseReport): Exchange | undefined {
  for (const line of reason.split('\n').filter(Boolean)) {
    const named = askedIn(line, evidence) ?? meantBy(line, evidence)
    if (named) return named
  }
  return evidence.at(-1)
}

/** What a line tells outright, as `GET /tasks/1 answered 200`; best with the status that it had. */
function askedIn(line: string, evidence: readonly Exchange[]): Exchange | undefined {
  const asked = evidence.filter((each) => stands(`${each.method} ${each.path}`, line))
  const told = ({ method, path, status }: Exchange) => `${method} ${path} answered ${status}`
  return asked.findLast((each) => stands(told(each), line)) ?? asked.at(-1)
}

/**
 * What a line tells by its values alone, as `task 1: name is missing` or `34 events in Europe/Berlin`:
 * the exchange that has the most of them, where they tell it from the others.
 */
function meantBy(line: string, evidence: readonly Exchange[]): Exchange | undefined {
  const lower = line.toLowerCase()
  const shared = evidence.map(
    (exchange) => valuesOf(exchange).filter((value) => stands(value.toLowerCase(), lower)).length,
  )
  const most = Math.max(...shared)
  return most > Math.min(...shared) ? evidence[shared.lastIndexOf(most)] : undefined
}

function valuesOf({ method, path, status }: Exchange): string[] {
  const [route = '', query = ''] = path.split(/\?(.*)/s)
  const values = [...route.split('/'), ...new URLSearchParams(query).values()]
  return [...new Set([method, String(status), ...values])].filter(Boolean)
}

/** Whether a text holds these words, and not merely as a part of longer ones. */
function stands(words: string, text: string): boolean {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const [before = '', after = ''] = [text[at - 1], text[at + words.length]]
    if (!isInWord.test(before) && !isInWord.test(after)) return true
  }
  return false
}

const isInWord = /[\w%&/?-]/
