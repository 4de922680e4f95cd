import type { Problem } from '../../engine/problem.ts'
import type { ClauseReport, Report } from '../../engine/run/report.ts'
import { cut } from '../parts/cut.ts'
import { library } from './library.ts'
import type { Plan } from './plan.ts'

/**
 * A plan as a script of sh with curl and node. Every value of a service stands in it as JSON between
 * single quotes, with what sh or a terminal could take for something else written as an escape.
 */
export function scriptOf(
  plan: Plan,
  { clause, breach, report }: { clause: ClauseReport; breach: Problem; report: Report },
): string {
  const { judged, control, task } = plan
  const own = { headers: { apikey: '(configured)', accept: '*/*' } }
  const put = (of: string) => ({
    method: 'PUT',
    path: `${task?.path}/update-assignment`,
    headers: { ...own.headers, 'content-type': 'application/json' },
    version: { of },
  })
  const read = { ...own, method: 'GET', path: task?.path }
  const reads = task ? { first: read, before: read, after: read, now: read } : {}
  const set = put('last')
  const writes = task ? { set0: set, set1: set, set2: set, back: put('now') } : {}
  const requests = { judged, ...(control ? { control } : {}), ...reads, ...writes }
  const said = (text: string) => comment(cut(text, 400))
  const { states = [], actor = '' } = task ?? {}
  return `${[
    '#!/bin/sh',
    `# ${said(`${clause.id} (${clause.level}, ${clause.section}): ${clause.statement}`)}`,
    `# expected ${said(breach.expected)}; came ${said(breach.got)}`,
    '# Takes API_KEY, and BASE_URL if it is another. Ends with 1: the breach shows, 0: it does not, 2: not tried.',
    `[ -n "\${API_KEY-}" ] || { echo 'set API_KEY' >&2; exit 2; }; U=\${BASE_URL:-${literal(report.target.baseUrl)}} S=\${SETTLE_S:-1} R=${literal(json(requests))}`,
    `T=$(mktemp -d) || exit 2; export U R T; J='${library.join('\n')}'`,
    'ask() { node -e "$J"\'fs.writeFileSync(T + "/c", conf(...process.argv.slice(1)))\' "$@" && curl -sS -g -m 60 --compressed --path-as-is -K "$T/c" -o "$T/$1" -w \'%{http_code}\' > "$T/$1.s" || { echo "no answer to $1" >&2; exit 2; }; }',
    ...(task ? around(states, actor) : ['trap \'rm -rf "$T"\' EXIT']),
    `${task ? 'ask before; ' : ''}ask judged${task ? `; ${settle}; ask after` : ''}${control ? '; ask control' : ''}`,
    `node -e "$J"'${check(plan, breach)}'`,
  ].join('\n')}\n`
}

/** What is written shows in reads some time later. */
const settle = 'sleep "$S"'

/** The task is read, brought to its state, and put back however the script ends. */
function around(states: readonly string[], actor: string): string[] {
  const back = `const { assignment: x } = r("first").body, y = r("now").body?.assignment; if (y !== undefined && !same(x, y)) console.log(JSON.stringify(x ? { update: { ...x, assigned_by_id: ${json(actor)} } } : { unassign: { assigned_by_id: ${json(actor)} } }))`
  const set = (state: string, at: number) => {
    const wanted = `const s = ${json(JSON.parse(state))}, x = last(); if (!x) process.exit(2); if (!same(x.assignment, s.update)) console.log(JSON.stringify(s))`
    return `B=$(node -e "$J"'${wanted}') || { echo 'the task cannot be read' >&2; exit 2; }; [ -z "$B" ] || { ask set${at} "$B"; grep -q ^2 "$T/set${at}.s" || { echo 'the task cannot be brought to its state' >&2; exit 2; }; }`
  }
  return [
    `back() { c=$?; [ -s "$T/first" ] && { ask now; B=$(node -e "$J"'${back}'); [ -z "$B" ] || ask back "$B"; }; rm -rf "$T"; exit $c; }; trap back EXIT; ask first`,
    ...states.map(set),
    // One that has just become stale is sent at once: versions may be compared to the second.
    ...(states.length > 1 ? [] : [settle]),
  ]
}

/** Prints what came beside what was expected; an answer of trouble is no breach, and none is none. */
const check = ({ holds, isRead }: Plan, { expected }: Problem) =>
  [
    `const a = r("${isRead ? 'after' : 'judged'}"), b = a.body, c = r("control"), o = r("before").body, t = r("after").body;`,
    `console.log("expected: " + ${json(cut(expected, 200))} + "\\ncame:     " + a.status + " " + (t ? JSON.stringify({ updated_at: b?.updated_at, assignment: b?.assignment }) + "\\nthen:     " + JSON.stringify({ updated_at: t.updated_at, assignment: t.assignment }) : a.text.slice(0, 300)));`,
    `if (!a.status || a.status === 429 || a.status > 501) process.exit(2); let ok; try { ok = ${ascii(holds)} } catch { ok = false } console.log(ok ? "the breach does not show" : "the breach shows"); process.exit(ok ? 0 : 1)`,
  ].join(' ')

/** JSON in letters that neither sh, nor a terminal, nor an editor takes for anything else. */
const json = (value: unknown): string => ascii(JSON.stringify(value))

const ascii = (text: string): string =>
  text.replace(
    /[^\x20-\x26\x28-\x7e]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const literal = (text: string): string => `'${ascii(text)}'`

/** A comment ends with its line. */
const comment = (text: string): string => text.replace(/[^\x20-\x7e]+/g, ' ')
