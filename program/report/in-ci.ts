import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Report } from '../../engine/run/report.ts'
import type { Environment } from '../../engine/settings/table.ts'
import { annotationsOf, azureLine, githubLine } from '../../reporting/annotations.ts'
import type { Out } from '../../reporting/console.ts'
import { markdownOf } from '../../reporting/markdown.ts'
import { summaryOf } from '../../reporting/parts/summary.ts'
import { printable } from '../../reporting/parts/texts.ts'
import type { Checked } from './finish.ts'

export function showInCi({ exitCode, report }: Checked, dir: string, env: Environment, out: Out) {
  if (!report) return
  if (env.GITHUB_ACTIONS === 'true') {
    for (const line of annotationsOf(report, githubLine)) out.write(`${shownLine(line)}\n`)
    append(env.GITHUB_STEP_SUMMARY, markdownOf(report), out)
    append(env.GITHUB_OUTPUT, outputsOf(report, exitCode, dir), out)
  }
  if (env.TF_BUILD === 'True') {
    for (const line of annotationsOf(report, azureLine)) out.write(`${shownLine(line)}\n`)
    out.write(`##vso[task.uploadsummary]${join(dir, 'summary.md')}\n`)
  }
}

/** Keeps our own command to the log and disarms any that it quotes. */
const shownLine = (line: string): string => {
  const end = line.startsWith('::') ? line.indexOf('::', 2) + 2 : line.indexOf(']') + 1
  return line.slice(0, end) + printable(line.slice(end))
}

export function outputsOf(report: Report, exitCode: number, dir: string): string {
  const { line, verdict, figures } = summaryOf(report)
  const ended = { verdict, line: oneLine(line), 'exit-code': exitCode }
  const outputs = { ...ended, ...figures, report: join(dir, 'report.json') }
  return Object.entries(outputs)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
}

/** A line break would begin another output. */
const oneLine = (text: string) => printable(text).replace(/\s+/g, ' ')

/** A summary that cannot be written must not cost the verdict. */
function append(file: string | undefined, text: string, out: Out): void {
  if (!file) return
  try {
    appendFileSync(file, text.endsWith('\n') ? text : `${text}\n`)
  } catch (error) {
    out.write(`  could not be written: ${file} (${(error as NodeJS.ErrnoException).code})\n`)
  }
}
