import type { DueStatus, FileSign, FormSign, Sign } from '../../engine/findings/kind.ts'
import {
  asksForFile,
  type Breach,
  type ClauseReport,
  type Report,
} from '../../engine/run/report.ts'
import { assetAt } from '../html/page.ts'
import { headerOf, octal, quoted, unprintable } from '../parts/curl.ts'
import { cut, printable } from '../parts/texts.ts'
import { isDecisive, type Plan, type Request } from './plan.ts'

type About = {
  file: string
  clause: ClauseReport
  breach: Breach
  report: Report
  quotes: string[]
}

/** A plan as a readable sh script: what the contract says, what is sent, what to expect and what came. */
export function scriptOf(plan: Plan, about: About): string {
  const { task } = plan
  const rest = [
    settingsOf(plan, about),
    ...toolsOf(plan),
    ...(task ? around(task) : []),
    ...triesOf(plan, [...requestsOf(plan), ...verdictOf(plan, about)]),
    endOf(plan),
  ]
  const lines = [...headOf(plan, about, maxLines - rest.length), ...rest]
  const isLong = (line: string) => line.length > maxWidth && line.includes(joint)
  const broken = new Set(lines.filter(isLong).slice(0, maxLines - lines.length))
  const laid = lines.map((line) => line.replaceAll(joint, broken.has(line) ? ' \\\n  ' : ' '))
  return `${laid.join('\n')}\n`
}

/** A moment decides: what shows it may come with any of several answers. */
const triesOf = ({ isOfMoment }: Plan, lines: readonly string[]): readonly string[] =>
  isOfMoment ? ['for try in 1 2 3; do', ...lines.map((line) => `  ${line}`), 'done'] : lines

/** Marks where a line may break: a script holds no NUL. */
const joint = '\0'

const maxLines = 40
const maxWidth = 190

/** A text as comment lines. Nothing in it ends the line or controls a terminal. */
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

/** The contract's sentences get the lines that the other parts leave. */
function headOf(plan: Plan, { file, clause, breach, report, quotes }: About, most: number) {
  const { id, level, statement, section } = clause
  const came = `Came on ${report.startedAt.slice(0, 10)}: ${cut(breach.got, 160)}`
  const settings = `${report.target.embedded ? 'BASE_URL=... ' : ''}API_KEY=...`
  const keep = plan.task ? ' KEEP=1 leaves the task changed.' : ''
  const isKeyInPath = word(plan.judged.path).includes('API_KEY')
  const above = comment(`${id}: the service ${level} ${cut(statement, 300)}.`)
  const below = [
    `Expected: ${cut(breach.expected, 160)}. ${came}.`,
    `Start: ${settings} sh ${file}. ${plan.isCompared ? 'Exit code 3: compare what came' : 'Exit code 1: the breach shows, 0: it does not'}, 2: not tried.${keep}`,
    ...(plan.task ? [changes] : []),
    ...(plan.isOfMoment
      ? ['A moment decides whether it shows: it is tried up to three times.']
      : []),
    ...(isKeyInPath ? ['The key is sent in the address: access logs may keep it.'] : []),
  ].flatMap(comment)
  const says = quotes.flatMap((each) => comment(`The contract, ${section}: ${cut(each, 400)}`))
  const room = Math.max(0, most - 1 - above.length - below.length)
  const shown = says
    .slice(0, room)
    .map((line, at) => (at === room - 1 && says.length > room ? `${line} …` : line))
  return ['#!/bin/sh', ...above, ...shown, ...below]
}

const changes =
  'Changes the assignment of one task and restores it; its assigned_by_id is then ACTOR_ID (by). Assignees may get emails; audit events stay.'

/** A report of an older suite names no status. */
const badKeyOf = ({ statuses }: Report): string => `bad_key=${statuses?.badKey ?? 'unknown'}`

const stopIfKeyIsBad = (file: string): string =>
  `grep -q "^$bad_key" ${file} && stop 'API_KEY is not accepted'`

const settingsOf = ({ task }: Plan, { report }: About): string =>
  `${badKeyOf(report)} base=\${BASE_URL:${report.replayed ? '?' : `-${word(report.target.baseUrl)}`}}${task ? ` task=${word(task.path)} rest=${word(task.rest)} by=${word(task.actor)}` : ''}`

const tool = (name: string): string[] =>
  assetAt(new URL(`assets/${name}.sh`, import.meta.url))
    .trimEnd()
    .split('\n')

function toolsOf({ task, signs, file, control, isAccepted }: Plan): string[] {
  const kinds = file.map((sign) => (typeof sign === 'string' ? sign : sign.kind))
  const needs = {
    send: true,
    accepted: task || control || isAccepted,
    member: task || signs.length > 0,
    task,
    text: readsText(file),
    records: kinds.includes('records'),
    lines: kinds.some((kind) => ['in parts', 'in whole'].includes(kind)),
    ids: kinds.includes('ids of control'),
    quotes: file.includes('paired quotes'),
  }
  return Object.entries(needs).flatMap(([name, isNeeded]) => (isNeeded ? tool(name) : []))
}

/** These are shown by its bytes. */
const byBytes: readonly FileSign[] = [
  'filled',
  '%PDF- first',
  '%PDF-',
  '%%EOF',
  'no NUL',
  'delimited text',
  'other lines',
]

const readsText = (file: Plan['file']): boolean => file.some((sign) => !byBytes.includes(sign))

type Task = NonNullable<Plan['task']>

/** Reads the task, brings it to its state, and puts it back however the script ends. */
const around = ({ state, other }: Task): string[] => [
  'look read; accepted read; cp "$dir/read" "$dir/first" # from here on it is restored',
  ...(other
    ? [
        `state=${word(state)}`,
        `bring ${word(other)}; stale=$(version read); bring "$state"; ${keep} # that version is stale now`,
      ]
    : [`state=${word(state)}; bring "$state"; ${keep}`]),
]

const keep = 'cp "$dir/read" "$dir/before"'

function requestsOf(plan: Plan): string[] {
  const { task, judged, before, control, isRead, isAccepted, signs } = plan
  const { furtherJudged = [], furtherControls = [] } = plan
  // An unknown id is refused with the valid key too.
  const controlled = plan.isControlAccepted
    ? 'accepted control'
    : stopIfKeyIsBad('"$dir/control.status"')
  // What an update left is seen although the service refuses the update as invalid.
  const isSeen = isRead
    ? `; grep -qE '^4(00|22)' "$dir/TEST.status" || accepted TEST`
    : '; accepted TEST'
  const whenAccepted = isAccepted ? isSeen : ''
  const looks = task && (isRead || signs.some(({ of }) => of))
  return [
    ...(control && !task
      ? [
          '# the control: the same with nothing wrong',
          `${sending('control', control)}; ${controlled}`,
        ]
      : []),
    ...before.map((each, at) => {
      const line = sending(`before${at + 1}`, each, task)
      return task && each.method !== 'GET'
        ? `was=$(version read); ${line}; look read; [ "$was" = "$(version read)" ] || stale=$was; ${keep}`
        : line
    }),
    `${sending('TEST', judged, task)}${whenAccepted}`,
    ...furtherJudged.map((each, at) => sendingFile(`TEST${at + 2}`, each)),
    ...furtherControls.map((each, at) => sendingFile(`control${at + 2}`, each)),
    ...(looks ? [`sleep "\${SETTLE_S:-1}"; look after # a change may take a moment to show`] : []),
    ...(control && task
      ? [`look read; bring "$state"`, `${sending('control', control, task)}; ${controlled}`]
      : []),
  ]
}

const sendingFile = (name: string, request: Request): string =>
  `${sending(name, request)}; accepted ${name}`

function sending(
  name: string,
  { method, path, base, headers, body, version }: Request,
  task?: Task,
): string {
  const isUpdate = task && !base && path === `${task.path}${task.rest}`
  const where = isUpdate ? '"$task$rest"' : word(`${base ?? ''}${path}`)
  const ifMatch = Object.keys(headers).find((name) => /^if-match$/i.test(name)) ?? 'if-match'
  const named = Object.entries(headers).filter(([name]) => !version || name !== ifMatch)
  if (isUpdate && version && body !== undefined && `${named.toSorted()}` === plain)
    return `update ${name} "${version}"${joint}${word(body)}`
  const sent = named.map((each) => headerOf(each, word))
  const options = [...sent, ...(version ? [`-H "${ifMatch}: ${version}"`] : [])]
  const data = body === undefined ? '' : `${joint}--data-raw ${word(body)}`
  return `send ${[name, method, where, ...options].join(' ')}${data}`
}

/** The headers of an update besides its version, as the tool sends them. */
const plain = 'apikey,(configured),content-type,application/json'

/** One word of sh; unprintable characters are written as octal. */
const word = (text: string): string =>
  quoted(text, (part) =>
    unprintable.test(part) || /[^\x20-\x7e]/.test(part)
      ? `"$(printf '${[...part].map((char) => (/[\x20-\x7e]/.test(char) && !/['\\%]/.test(char) ? char : octal(char))).join('')}')"`
      : `'${part.replaceAll("'", `'\\''`)}'`,
  )

const trouble = /^(429|50[2-9])/

const wrongStatus = (due: DueStatus): string =>
  typeof due === 'object'
    ? `grep -q '^${due.not}'`
    : `grep -qv '^${String(due).replaceAll('x', '')}'`

/** The statuses that came in place of the one that is due. */
const statusesIn = ({ finding }: Breach): number[] =>
  finding?.kind === 'status' ? [finding.of.status, ...(finding.all ?? [])] : []

function verdictOf(plan: Plan, { breach, report }: About): string[] {
  const { status, signs, file, task, control } = plan
  const came = statusesIn(breach)
  const answered = '"$dir/TEST.status"'
  const shows = `said='The breach shows.'; exit 1`
  return [
    `came="$(cat ${answered} | tr '\\n' ' ')${cameOf(plan, report)}"`,
    `printf '%s\\n' ${word(printable(`Expected: ${cut(breach.expected, 500)}`))}${joint}"Came: \${came%%"$API_KEY"*}"`,
    // Trouble, unless it is what was judged.
    ...(came.some((each) => trouble.test(`${each}`))
      ? []
      : [
          `grep -qE '${trouble.source}' ${answered} && stop 'the service responded 429, or 502 to 509'`,
        ]),
    // A read without a control: only an invalid key explains its status where another one came.
    ...(task || control || [breach.again?.due, ...came].includes(report.statuses?.badKey)
      ? []
      : [stopIfKeyIsBad(answered)]),
    ...(status ? [`${wrongStatus(status)} ${answered} && { ${shows}; }`] : []),
    ...signs.flatMap((sign) =>
      isDecisive(sign) ? `${conditionOf(sign, plan)} || { ${shows}; }` : [],
    ),
    ...(readsText(file) ? [readingOf(plan)] : []),
    ...file.map((sign) => `${conditionOfFile(sign, plan)} || ${unlike(sign, shows, plan)}`),
  ]
}

function endOf({ isCompared, isOfMoment }: Plan): string {
  if (isCompared) return compare
  return isOfMoment ? doesNotInTries : doesNot
}

/** What a reader compares: members, or the answer if it is short. */
function cameOf(plan: Plan, report: Report): string {
  const { signs, judged, isRead, control } = plan
  const members = signs.map((sign) => {
    const [member = ''] = sign.member.split('.')
    return `with ${member} $(member ${answerOf(sign, plan)} ${member})`
  })
  if (signs.length > 0) return [...new Set(members)].join(', ')
  const names = isRead ? ['after'] : ['TEST', ...(control ? ['control'] : [])]
  return asksForFile(judged, report)
    ? names
        .map(
          (name) => `$(wc -l <"$dir/${name}") lines and $(wc -c <"$dir/${name}") bytes in ${name}`,
        )
        .join(', ')
    : `$(tr '\\r\\n' '  ' <"$dir/${names[0]}" | cut -c1-300)`
}

const doesNot = `said='The breach does not show.'; exit 0`
const doesNotInTries = `said='The breach does not show in three tries.'; exit 0`

const compare = `said='Compare what came with what was expected.'; exit 3`

const answerOf = ({ of }: Sign, { isRead }: Plan) => (of || isRead ? 'after' : 'TEST')

const judgedFiles = ({ furtherJudged = [] }: Plan): string[] => [
  'TEST',
  ...furtherJudged.map((_, at) => `TEST${at + 2}`),
]

const controlFiles = ({ control, furtherControls = [] }: Plan): string[] => [
  ...(control ? ['control'] : []),
  ...furtherControls.map((_, at) => `control${at + 2}`),
]

const readingOf = (plan: Plan): string =>
  [...judgedFiles(plan), ...controlFiles(plan)].map((name) => `text ${name}`).join('; ')

/** What follows if the file is not as the sign says. */
function unlike(sign: FileSign, shows: string, plan: Plan): string {
  if (typeof sign === 'string') return `{ ${shows}; }`
  if (sign.kind === 'needs') return `stop 'the file no longer has the event that shows it'`
  const controls = controlFiles(plan)
  if (sign.kind !== 'has event' || !plan.furtherControls || controls.length === 0)
    return `{ ${shows}; }`
  const isThere = `[ "$(having ${word(sign.text)} ${controls.join(' ')})" -gt 0 ]`
  return `{ ${isThere} || stop 'no control has the event that shows it any more'; ${shows}; }`
}

/** Whether the file TEST is right. */
function conditionOfFile(sign: FileSign, plan: Plan): string {
  if (typeof sign === 'string') return ofForm[sign]
  const files = { judged: judgedFiles(plan).join(' '), controls: controlFiles(plan).join(' ') }
  if (sign.kind === 'records') {
    const { least, most } = sign
    const more = `more=$(($(records TEST) - $(records control)))`
    const bounds = [
      ...(least === undefined ? [] : [`[ "$more" -ge ${least} ]`]),
      ...(most === undefined ? [] : [`[ "$more" -le ${most} ]`]),
    ]
    return `{ ${[more, ...bounds].join(' && ')}; }`
  }
  const text = word(sign.text)
  switch (sign.kind) {
    case 'has':
    case 'has event':
    case 'needs':
      return `has TEST ${text}`
    case 'lacks':
      return `! has TEST ${text}`
    case 'has once':
      return `[ "$(grep -oaF -e ${text} "$dir/TEST.text" | wc -l)" -le 1 ]`
    case 'same line':
      return `[ "$(grep -aF -e ${text} "$dir/TEST.text")" = "$(grep -aF -e ${text} "$dir/control.text")" ]`
    case 'in both':
      return `[ $(($(having ${text} ${files.judged}) > 0)) -eq $(($(having ${text} ${files.controls}) > 0)) ]`
    case 'in one':
      return `[ "$(having ${text} ${files.judged})" -le 1 ]`
    case 'in parts':
      return `[ "$(lines ${text} TEST)" -le "$(lines ${text} ${files.controls})" ]`
    case 'in whole':
      return controlFiles(plan)
        .map((name) => `[ "$(lines ${text} ${name})" -le "$(lines ${text} TEST)" ]`)
        .join(' && ')
    case 'line':
      return `grep -aF -e ${text} "$dir/TEST.text" | grep -qaF -e ${word(sign.shows)}`
    case 'title':
      return `head -n 10 "$dir/TEST.text" | sed "1s/^$(printf '\\357\\273\\277')//" | tr -d '"' | tr ',;|\t' '\n' | grep -qxF -e ${text}`
  }
}

/** grep reads bytes, as the script says LC_ALL=C. */
const ofForm: Readonly<Record<FormSign, string>> = {
  filled: '[ -s "$dir/TEST" ]',
  '%PDF- first': `tr -d '\\357\\273\\277 \\t\\r\\n' <"$dir/TEST" | head -c 5 | grep -q %PDF-`,
  '%PDF-': 'head -c 1024 "$dir/TEST" | grep -aq %PDF-',
  '%%EOF': 'tail -c 1024 "$dir/TEST" | grep -aq %%EOF',
  'no NUL': `[ "$(tr -cd '\\000' <"$dir/TEST" | wc -c)" -eq 0 ]`,
  'delimited text': `! head -c 1024 "$dir/TEST" | tr -d '\\357\\273\\277\\r\\n' | grep -aqiE '^ *([{] *["}]|[[] *[[{]|<(!--|!doctype|html|head|body)|%PDF-|PK)'`,
  'readable PDF': '[ -s "$dir/TEST.text" ]',
  'first line once': `[ "$(grep -acxF -e "$(head -n 1 "$dir/TEST.text")" "$dir/TEST.text")" -le 1 ]`,
  'ids of control': `ids TEST; ids control; [ -z "$(comm -23 "$dir/control.ids" "$dir/TEST.ids")" ]`,
  'same first line': `[ "$(head -n 1 "$dir/TEST.text")" = "$(head -n 1 "$dir/control.text")" ]`,
  'paired quotes': 'paired TEST',
  'whole JSON': `tr -d '\n ' <"$dir/TEST.text" | grep -qE '^[{].*[}]$|^[[].*[]]$'`,
  'other lines': `[ "$(grep -acvxFf "$dir/control" "$dir/TEST")" -gt "$(($(wc -l <"$dir/TEST") / 2))" ]`,
}

function conditionOf({ as, unlike, is, anyCase, ...sign }: Sign, plan: Plan): string {
  const name = sign.member.replace(/^.*\./, '')
  const shown = (of: string) =>
    name === 'assignment' ? `"$(assigning ${of})"` : `"$(member ${of} ${name})"`
  const came = shown(answerOf(sign, plan))
  const others = { before: 'before', answer: 'TEST', control: 'control' }
  if (as) return `[ ${came} = ${shown(others[as])} ]`
  if (unlike) return `[ ${came} != ${shown('before')} ]`
  const [value, wanted] = [`"$(member ${answerOf(sign, plan)} ${name})"`, word(JSON.stringify(is))]
  return anyCase ? `printf '%s\\n' ${value} | grep -qixF ${wanted}` : `[ ${value} = ${wanted} ]`
}
