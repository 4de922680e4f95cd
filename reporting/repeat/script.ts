import type { Sign } from '../../engine/problem.ts'
import type { Breach, ClauseReport, Report } from '../../engine/run/report.ts'
import { assetAt } from '../html/page.ts'
import { octal, quoted, unprintable } from '../parts/curl.ts'
import { cut } from '../parts/cut.ts'
import { printable } from '../parts/printable.ts'
import type { Plan, Request } from './plan.ts'

/** What a script is about. */
export type About = {
  file: string
  clause: ClauseReport
  breach: Breach
  report: Report
  quotes: string[]
}

/** A plan as a script of sh, to be read: what the contract says, what is sent, what to expect and what came. */
export function scriptOf(plan: Plan, about: About): string {
  const { task } = plan
  return `${[
    ...headOf(plan, about),
    ...toolsOf(plan),
    ...(task ? around(task, plan) : []),
    ...requestsOf(plan),
    ...verdictOf(plan, about),
  ].join('\n')}\n`
}

const maxWidth = 130

/** Lines of a comment that is one text; nothing in it ends a line, or is obeyed by a terminal. */
function comment(text: string): string[] {
  const words = printable(text).replace(/\s+/g, ' ').trim().split(' ')
  const lines = ['#']
  for (const word of words) {
    const last = `${lines.at(-1)} ${word}`
    if (last.length > maxWidth && lines.at(-1) !== '#') lines.push(`#   ${word}`)
    else lines[lines.length - 1] = last
  }
  return lines
}

function headOf({ task }: Plan, { file, clause, breach, report, quotes }: About): string[] {
  const { id, level, statement, section } = clause
  const came = `Came on ${report.startedAt.slice(0, 10)}: ${cut(breach.got, 160)}`
  const keep = task ? ' KEEP=1 does not put the task back.' : ''
  return [
    '#!/bin/sh',
    ...comment(`${id}: the service ${level} ${cut(statement, 300)}.`),
    ...quotes.flatMap((says) => comment(`The contract, ${section}: ${cut(says, 400)}`)),
    ...comment(`Expected: ${cut(breach.expected, 160)}. ${came}.`),
    ...comment(
      `Start: API_KEY=... sh ${file}. Exit code 1: the breach shows, 0: it does not, 2: not tried.${keep}`,
    ),
    `base=\${BASE_URL:-${word(report.target.baseUrl)}}`,
    ...(task ? [`task=${word(task.path)} by=${word(task.actor)}`] : []),
  ]
}

// Read as they are: what is common to scripts.
const tool = (name: string): string[] =>
  assetAt(new URL(`assets/${name}.sh`, import.meta.url))
    .trimEnd()
    .split('\n')
const tools = {
  send: tool('send'),
  accepted: tool('accepted'),
  member: tool('member'),
  outer: tool('outer'),
  records: tool('records'),
  task: tool('task'),
}

const toolsOf = ({ task, signs, key, control, isAccepted }: Plan): string[] => [
  ...tools.send,
  ...(task || key || control || isAccepted ? tools.accepted : []),
  ...(task || usesMembers(signs) ? tools.member : []),
  ...(flat(signs).some(isOuter) ? tools.outer : []),
  ...(usesRecords(signs) ? tools.records : []),
  ...(task ? tools.task : []),
]

const flat = (signs: readonly Sign[]): Exclude<Sign, { any: readonly Sign[] }>[] =>
  signs.flatMap((sign) => ('any' in sign ? flat(sign.any) : [sign]))

const usesMembers = (signs: readonly Sign[]) => flat(signs).some((sign) => 'member' in sign)
/** Whether it is a member of the body itself, which an object within it may have too. */
const isOuter = (sign: Sign): boolean =>
  'member' in sign && !sign.member.includes('.') && ('is' in sign || 'matches' in sign)
const usesRecords = (signs: readonly Sign[]) =>
  flat(signs).some((sign) => 'records' in sign || 'events' in sign)

type Task = NonNullable<Plan['task']>

/** The task is read, brought to its state, and put back however the script ends. */
const around = ({ state, other }: Task, { signs }: Plan): string[] => {
  const keep = flat(signs).length > 0 ? '; cp "$dir/task" "$dir/before"' : ''
  return [
    'look first; accepted first; cp "$dir/first" "$dir/task"; trap put_back EXIT',
    ...(other
      ? [
          `state=${word(state)}`,
          `bring ${word(other)}; stale=$(version task); bring "$state"${keep} # that version is stale now`,
        ]
      : [`state=${word(state)}; bring "$state"${keep}`]),
  ]
}

function requestsOf({
  task,
  judged,
  control,
  key,
  isRead,
  isAccepted,
  isControlAccepted,
  signs,
}: Plan): string[] {
  const outer = flat(signs).find(isOuter)
  // An id that nothing has is not accepted with the valid key either.
  const controlled = isControlAccepted
    ? 'accepted control'
    : `grep -q ^401 "$dir/control.status" && stop 'API_KEY is not accepted'`
  const looks = task && (isRead || flat(signs).some((sign) => 'of' in sign))
  return [
    ...(key ? ['# shows that the key is valid', `${sending('key', key)}; accepted key`] : []),
    ...(control && !task
      ? [
          '# the control: the same with nothing wrong',
          `${sending('control', control)}; ${controlled}`,
        ]
      : []),
    ...judged.map((each, at) => {
      const line = sending(at === 0 ? 'judged' : `judged${at + 1}`, each, task)
      return isAccepted ? `${line}; accepted judged` : line
    }),
    ...(looks ? [`sleep "\${SETTLE_S:-1}"; look after # a change may take a moment to show`] : []),
    ...(outer ? [`outer ${isRead || ('of' in outer && outer.of) ? 'after' : 'judged'}`] : []),
    ...(control && task
      ? [`look task; bring "$state"`, `${sending('control', control, task)}; ${controlled}`]
      : []),
  ]
}

function sending(
  name: string,
  { method, path, base, headers, body, version }: Request,
  task?: Task,
): string {
  const where =
    task && path === `${task.path}/update-assignment` ? '"$task/update-assignment"' : word(path)
  const sent = Object.entries(headers).map(
    ([header, value]) =>
      `-H ${value.trim() === '' ? word(`${header};`) : word(`${header}: ${value}`)}`,
  )
  const options = [
    ...sent,
    ...(version ? [`-H "if-match: ${version}"`] : []),
    ...(body === undefined ? [] : [`--data-raw ${word(body)}`]),
  ]
  const line = `send ${[name, method, where, ...options].join(' ')}`
  return base === undefined ? line : `(base=${word(base)}; ${line}) || exit 2`
}

/** One word of sh, printable, and in sh's own way of writing what is not. */
const word = (text: string): string =>
  quoted(text, (part) =>
    unprintable.test(part) || /[^\x20-\x7e]/.test(part)
      ? `"$(printf '${[...part].map((char) => (/[\x20-\x7e]/.test(char) && !/['\\%]/.test(char) ? char : octal(char))).join('')}')"`
      : `'${part.replaceAll("'", `'\\''`)}'`,
  )

function verdictOf(plan: Plan, { breach }: About): string[] {
  const { judged, isRead, status, or, signs } = plan
  const answer = isRead ? 'after' : 'judged'
  const statuses = judged.length > 1 ? '"$dir"/judged*.status' : '"$dir/judged.status"'
  const shows = `echo 'The breach shows.'; exit 1`
  return [
    ...signs.flatMap((sign) => ('events' in sign ? [countingOf(sign.titles, judged.length)] : [])),
    `echo ${word(printable(`Expected: ${cut(breach.expected, 160)}`))}; echo "Came: $(cat ${statuses} | tr '\\n' ' ')${cameOf(signs, answer)}"`,
    `grep -qE '^(429|50[2-9])' ${statuses} && stop 'the service is in trouble'`,
    ...(or ? [`grep -q '^${pattern(or)}' ${statuses} && { ${doesNot}; }`] : []),
    ...(status ? [`grep -qv '^${pattern(status)}' ${statuses} && { ${shows}; }`] : []),
    ...signs.map((sign) => `${conditionOf(sign, answer)} || { ${shows}; }`),
    or && signs.length === 0 ? shows : doesNot,
  ]
}

const countingOf = (titles: number, files: number): string => {
  const counts = Array.from(
    { length: files },
    (_, at) => `$(records judged${at === 0 ? '' : at + 1})`,
  )
  return `events=$((${counts.join(' + ')} - ${titles * files})) # without the titles of ${files} files`
}

/** What came, as the first sign sees it. */
function cameOf(signs: readonly Sign[], answer: string): string {
  const [sign] = flat(signs)
  if (sign && 'events' in sign) return 'and $events events'
  if (sign && 'records' in sign) return `and $(records ${answer}) records`
  if (!sign || !('member' in sign)) return `$(head -c 300 "$dir/${answer}")`
  const member = sign.member.replace(/\..*$/, '')
  return `with ${member} $(member ${sign.of === 'read' ? 'after' : answer} ${member})`
}

const doesNot = `echo 'The breach does not show.'; exit 0`

const pattern = (status: string) => status.replaceAll('x', '')

function conditionOf(sign: Sign, answer: string): string {
  const file = `"$dir/${answer}"`
  if ('any' in sign) return `{ ${sign.any.map((each) => conditionOf(each, answer)).join(' || ')}; }`
  if ('lacks' in sign)
    return `{ ${sign.lacks.map((text) => `! grep -qiF ${word(text)} ${file}`).join(' || ')}; }`
  if ('file' in sign) return fileCondition(sign.file, file)
  if ('events' in sign) {
    const { least, most } = sign.events
    return `{ ${within('"$events"', least, most)}; }`
  }
  if ('records' in sign) return recordCondition(sign.records, answer)
  return memberCondition(sign, answer)
}

function fileCondition(is: Extract<Sign, { file: unknown }>['file'], file: string): string {
  if (is === 'some') return `[ -s ${file} ]`
  if (is === 'other') return `! cmp -s "$dir/control" ${file}`
  if (is === 'delimited')
    return `! head -c 100 ${file} | tr -d ' \\r\\n' | grep -qE '^([[{<]|%PDF|PK)'`
  if (is === 'the same lines')
    return `[ "$(sort ${file} | cksum)" = "$(sort "$dir/control" | cksum)" ]`
  const whole = is === 'JSON' ? '^([{].*[}]|\\[.*\\]|".*"|[a-z0-9.-]+)$' : '^[{].*[}]$'
  return `tr -d ' \\r\\n' <${file} | grep -qE '${whole}'`
}

function recordCondition(
  bounds: Extract<Sign, { records: unknown }>['records'],
  answer: string,
): string {
  const count = `"$(records ${answer})"`
  if (bounds === 'as many') return `[ ${count} -eq "$(records control)" ]`
  if (bounds === 'at most') return `[ ${count} -le "$(records control)" ]`
  const any = bounds.map(({ least, most }) => within(count, least, most))
  return any.length === 1 ? `{ ${any}; }` : `{ ${any.map((each) => `{ ${each}; }`).join(' || ')}; }`
}

function within(count: string, least = 0, most?: number): string {
  if (least === most) return `[ ${count} -eq ${least} ]`
  const tests = [
    ...(least ? [`[ ${count} -ge ${least} ]`] : []),
    ...(most === undefined ? [] : [`[ ${count} -le ${most} ]`]),
  ]
  return tests.join(' && ') || 'true'
}

type Member = Extract<Sign, { member: string }>

function memberCondition(sign: Member, answer: string): string {
  const [, parent, name = sign.member] = /^(.*)\.([^.]*)$/.exec(sign.member) ?? []
  const of = isOuter(sign) ? 'outer' : sign.of === 'read' ? 'after' : answer
  const shown = (in_: string) =>
    name === 'assignment' ? `"$(assigning ${in_})"` : `"$(member ${in_} ${name})"`
  const others = { before: 'before', answer: 'judged', control: 'control' }
  if ('as' in sign) return `[ ${shown(of)} = ${shown(others[sign.as])} ]`
  if ('unlike' in sign) return `[ ${shown(of)} != ${shown('before')} ]`
  if ('is' in sign) {
    const [value, wanted] = [`"$(member ${of} ${name})"`, word(JSON.stringify(sign.is))]
    return sign.anyCase
      ? `printf '%s\\n' ${value} | grep -qixF ${wanted}`
      : `[ ${value} = ${wanted} ]`
  }
  const matches = `member ${of} ${name} | grep -qE ${word(sign.matches)}`
  return parent ? `{ [ "$(member ${of} ${parent})" = null ] || ${matches}; }` : matches
}
