import type { Report } from '../engine/run/report.ts'
import { readFirst, summaryOf } from './parts/summary.ts'
import { cut, firstLine, present } from './parts/texts.ts'

/** GitHub shows ten of a kind for each step; the page of the report has all. */
const most = 10
const longest = 1000

type Kind = 'error' | 'warning' | 'notice'
type Writer = (kind: Kind, title: string, text: string) => string

const oneLine = (text: string, percent: string) =>
  text.replaceAll('%', percent).replaceAll('\r', '%0D').replaceAll('\n', '%0A')

export const githubLine: Writer = (kind, title, text) => {
  const named = oneLine(title, '%25').replaceAll(':', '%3A').replaceAll(',', '%2C')
  return `::${kind} title=${named}::${oneLine(cut(text, longest), '%25')}`
}

export const azureLine: Writer = (kind, title, text) => {
  const order = kind === 'notice' ? '##[section]' : `##vso[task.logissue type=${kind}]`
  return `${order}${oneLine(cut(`${title}: ${text}`, longest), '%AZP25')}`
}

export function annotationsOf(report: Report, write: Writer): string[] {
  const lines = (kind: Kind, sentences: string[]) => {
    const left = sentences.length - most + 1
    return present([
      sentences.slice(0, most - 1),
      left > 0 && `and ${left} more: see the report`,
    ]).map((sentence) => write(kind, 'Contract', sentence))
  }
  const { line, verdict, groups } = summaryOf(report)
  const told = (wanted: string) =>
    groups.flatMap((group) => {
      const { id, statement, reason = '' } = readFirst(group, report)
      const { length } = group.clauses
      const title = length > 1 ? `${length} clauses: ${group.title}; ` : ''
      return group.verdict === wanted ? `${title}${id}: ${firstLine(reason) || statement}` : []
    })
  return [
    write(verdict === 'conformant' ? 'notice' : 'error', 'Contract', line),
    ...lines('error', report.reasons),
    ...lines('error', told('fail')),
    ...lines('warning', told('warn')),
  ]
}
