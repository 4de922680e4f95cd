import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { FileSign } from '../../engine/findings/kind.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import type { Assignment } from '../../helpers/service/answers.ts'
import { listenTo } from '../../reference/listen.ts'
import { curlOf } from '../../reporting/parts/curl.ts'
import type { Plan } from '../../reporting/repeat/plan.ts'
import { scriptOf as textOf } from '../../reporting/repeat/script.ts'
import { bentService } from '../bent-service.ts'
import { sampleOf } from '../kept.ts'
import { isLong, testSeed } from '../long.ts'
import { frontOnPorts } from '../proofs/bent/around.ts'
import type { Bent, Fault } from '../proofs/fault.ts'
import { openWorkerFolder } from '../test-end.ts'
import { breach, exchange, reportWith, clause as sample } from './sample-reports.ts'
import { repeatable, type Scripted, scriptedOf } from './scripts-of.ts'

const target = { baseUrl: 'https://eu.example.com/v5', embedded: false }

const { requestHeaders } = exchange(0)
const put = exchange(0, {
  method: 'PUT',
  path: '/tasks/1/update-assignment',
  requestHeaders: { 'content-type': 'application/json', ...requestHeaders },
  requestBody: '{"a":1}',
})

/** The arguments that a real shell makes of the command, and any side effect. */
function argumentsOf(given: Partial<Exchange>, shell = 'bash'): string[] {
  const command = curlOf({ ...put, ...given }, { target })
  const script = `curl() { printf '%s\\0' "$@"; }\nAPI_KEY='k e"y'\n${command}\n`
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' }
  // bash reads its rc file if its input is a socket
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  return execFileSync(shell, ['-c', script], { env, stdio: [...stdio] })
    .toString()
    .split('\0')
    .slice(0, -1)
}

const headersIn = (args: string[]) => args.filter((_, at) => args[at - 1] === '-H')

test('a command is read in full, with the key of the shell', () => {
  expect(curlOf(put, { target })).toBe(`curl -sS -i -X PUT --compressed \\
  'https://eu.example.com/v5/tasks/1/update-assignment' \\
  -H 'content-type: application/json' \\
  -H "apikey: $API_KEY" \\
  --data-raw '{"a":1}'`)
  for (const shell of ['bash', 'sh']) expect(argumentsOf({}, shell)).toContain('apikey: k e"y')
})

// biome-ignore format: several on a line
test.each([
  "it's", '$(touch /tmp/x) `id` $HOME $API_KEY "x" \\', "'; rm -rf / #", "'\\''", '',
  'line\nbreak\ttab\r\n!! \u001b[31m', 'right \u202e left \u2066 \u200b \ufeff é 漢 👩‍🚀7',
  '@/etc/passwd', '-o /etc/passwd',
])('%j arrives as one argument, byte for byte', (text) => {
  const version = `v${text.replace(/[\r\n]/g, '')}`
  const path = `/tasks/${text}`
  const args = argumentsOf({ path, requestHeaders: { 'if-match': version }, requestBody: text })
  expect(args.slice(-2)).toEqual(['--data-raw', text])
  expect(headersIn(args)).toContain(`if-match: ${version}`)
  expect(args).toContain(`${target.baseUrl}${path}`)
})

test('no command contains terminal control characters', () => {
  const command = curlOf({ ...put, requestBody: 'a\u001b[201~\n\u202eb\u2028' }, { target })
  expect(command.replaceAll(' \\\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u)
})

const get = { method: 'GET', requestBody: undefined }
const at = (path: string, base = target.baseUrl) => `${base}${path}`
const notHeld = ['--data-binary', '@the-body-that-this-report-does-not-hold']

// biome-ignore format: one exchange a line
test.each<[string, Partial<Exchange>, string[]]>([
  ['the key from the shell, in a path', { path: '/x?apikey=(configured)&a=1' }, [at('/x?apikey=k e"y&a=1')]],
  ['the key from the shell, in a body', { requestBody: `{"k":"(configured)'"}` }, [`{"k":"k e"y'"}`]],
  ['no user of an address', { base: 'http://(configured)@h:1/v5' }, [at(put.path, 'http://(configured)@h:1/v5')]],
  ['empty headers as empty, and leaves out others', { requestHeaders: { apikey: '', accept: '*/*' } }, ['apikey;', 'content-type:']],
  ['no header of its own', { ...get, requestHeaders: {} }, ['accept:']],
  ['brackets as they were', { ...get, path: '/x?id[]=1' }, ['--globoff']],
  ['dots as they were', { ...get, path: '/tasks/../x' }, ['--path-as-is']],
  ['to another base', { ...get, path: '/x', base: 'https://us.example.com/v5' }, [at('/x', 'https://us.example.com/v5')]],
  ['no body that is unknown', { requestBody: undefined }, notHeld],
  ['no body that is kept as a digest', { requestBody: `(5000 bytes, SHA-256 ${'a'.repeat(64)})` }, notHeld],
  ['no body with NUL', { requestBody: 'a\0b' }, notHeld],
])('curl sends %s', (_, given, expected) => {
  const args = argumentsOf(given)
  expect(args).toEqual(expect.arrayContaining(expected))
  expect(args.includes('-X')).toBe(given.method !== 'GET')
})

const place = openWorkerFolder()

/** The result of a script in a plain shell. */
const run = (script: string, env: Record<string, string>, cwd = place) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    const file = join(mkdtempSync(join(place, 'script-')), 'repeat.sh')
    writeFileSync(file, script)
    const given = { env: { PATH: process.env.PATH, ...env }, timeout: 60_000, cwd }
    execFile('sh', [file], given, (error, out, err) =>
      resolve({ code: error ? Number(error.code ?? 9) : 0, output: out + err }),
    )
  })

async function serve(bent: Bent, settleS = '0') {
  const service = bentService(bent)
  const { world } = service
  const { origin, close } = await (bent.front
    ? frontOnPorts(bent.front).listenTo(service.fetch)
    : listenTo(service.fetch, {}))
  const baseUrl = `${origin}/v5`
  const read = async (id: string) => {
    const headers = { apikey: world.apiKey }
    const answer = await service.fetch(new Request(`${baseUrl}/tasks/${id}`, { headers }))
    const body = (await answer.json().catch(() => null)) as { assignment?: Assignment } | null
    const { assigned_to_id, assigned_to_type, assignment_comment } = body?.assignment ?? {}
    return [assigned_to_id, assigned_to_type, assignment_comment || null]
  }
  const state = () => Promise.all(world.tasks.map(({ id }) => read(id)))
  /** as the run did */
  const update = async ({ path, body }: { path: string; body: string }) => {
    const headers = { apikey: world.apiKey, 'content-type': 'application/json' }
    const task = new Request(`${baseUrl}${path.replace(/\/[^/]*$/, '')}`, { headers })
    const { updated_at } = (await (await service.fetch(task)).json()) as { updated_at: string }
    const named = { ...headers, 'if-match': updated_at }
    const sent = { method: 'PUT', headers: named, body }
    expect((await service.fetch(new Request(`${baseUrl}${path}`, sent))).status).toBe(200)
  }
  return {
    env: { API_KEY: world.apiKey, BASE_URL: baseUrl, SETTLE_S: settleS },
    state,
    update,
    close,
  }
}

/** Nobody can put back a task if a fault loses or changes updates. */
const losesWhatIsWritten =
  /as it was at first|of the last update of any|every team is|comment|Latin-1|swapped|kept|stored|nothing is done|assigner|by LIKE|^unassign-\w+ is refused/

/** What depends on what comes before, at once or later in a run: the judged request alone does not show it. */
const hidden = new RegExp(
  [
    'in one place, and who waits',
    'carried out with the next accepted one',
    'keeps the assigner before',
    'but for the last two',
    'finds the events of who was assigned too',
    'pile up over requests',
    'the first who ever assigned',
    'undone after a while, and the task',
    'the version of the (first task|last update of any task) is compared',
  ].join('|'),
)

/** What depends on the earlier assigner, if the service does not accept that from a script either. */
const keepsWhoAssigned = /who assigned to a team stays/

/** Not every machine has it. */
const needsTool = 'Not tried: the text of a PDF needs the command pdftotext'

const isStale = ({ name }: Fault) => /^a stale If-Match is answered 412 on unassign/.test(name)
const stale = repeatable.find(isStale) as Fault
let ofStale: Promise<Scripted> | undefined
function scriptOf(fault: Fault): Promise<Scripted> {
  if (fault === stale) ofStale ??= scriptedOf(fault)
  return fault === stale && ofStale ? ofStale : scriptedOf(fault)
}

/** `npm test` runs the script of one fault, `npm run prove -- repeats` of all that are made before. */
const { REPEAT_SHARE = isLong ? '0.002' : '0', SCRIPTS } = process.env
const made: Record<string, Scripted> = SCRIPTS ? JSON.parse(readFileSync(SCRIPTS, 'utf8')) : {}
const some = SCRIPTS
  ? repeatable.filter((_, at) => made[at])
  : [stale, ...sampleOf(repeatable, Math.ceil(repeatable.length * Number(REPEAT_SHARE)), testSeed)]

describe.concurrent('the script of a breach', () => {
  test.for(some)('$name', { timeout: 120_000 }, async (fault: Fault) => {
    const scripted = made[repeatable.indexOf(fault)] ?? (await scriptOf(fault))
    const { clause, script, why, earlier = [] } = scripted
    expect(clause).toBeDefined()
    if (script === undefined) return expect(why).toMatch(/\w+ \w+/)
    expect(script.trimEnd().split('\n').length).toBeLessThanOrEqual(40)
    expect(script).not.toMatch(/\beval\b|\bnode\b/)
    const codes: number[] = []
    // A good service has no other router in front of it.
    const good = { events: fault.events, pdfLimit: fault.pdfLimit }
    for (const bent of fault.front ? [fault] : [fault, good]) {
      const service = await serve(bent, /\d m?s later/.test(fault.name) ? '1' : '0')
      for (const update of earlier) await service.update(update)
      const before = await service.state()
      const { code, output } = await run(script, service.env)
      codes.push(code)
      if (output.includes(needsTool)) return service.close()
      expect(output).toContain('Expected: ')
      expect(output).toMatch(
        /\n(The breach (shows|does not show(?: in three tries)?)|Compare what came with .*)\.\n$/,
      )
      expect(output).not.toContain(service.env.API_KEY)
      if (!losesWhatIsWritten.test(fault.name))
        expect(await service.state(), output).toEqual(before)
      await service.close()
    }
    // Only a reader sees it.
    if (script.includes('Compare what came')) expect(codes).toEqual(codes.map(() => 3))
    else if (keepsWhoAssigned.test(fault.name)) expect(codes[1], script).toBe(0)
    else expect(codes, script).toEqual([hidden.test(fault.name) ? 0 : 1, 0].slice(0, codes.length))
  })
})

test('a script that changes a task does nothing with a wrong key; with KEEP=1 it prints how to put it back', async () => {
  const { script = '' } = await scriptOf(stale)
  const service = await serve(stale)
  const before = await service.state()
  const refused = await run(script, { ...service.env, API_KEY: 'wrong' })
  expect(refused.code).toBe(2)
  expect(refused.output).toContain('Not tried: API_KEY is not accepted')
  expect(await service.state()).toEqual(before)
  const { code, output } = await run(script, { ...service.env, KEEP: '1' })
  expect(code).toBe(1)
  expect(await service.state()).not.toEqual(before)
  expect(output).toMatch(/\/tasks\/[\w-]+ is not restored\. Its assignment was (null|\{.*\})/)
  const [command = ''] = /^curl -X PUT .*$/m.exec(output) ?? []
  expect(command).toContain('"apikey: $API_KEY"')
  expect((await run(command, service.env)).code).toBe(0)
  expect(await service.state()).toEqual(before)
  await service.close()
})

const jsonFile = '{\n  "url": "https://files.test/1"\n}\n'
const csvFile = 'id,time\n1,09:00\n2,10:00\n3,11:00\n'

// biome-ignore format: one sign a line
test.each<[FileSign, right: string[], wrong: string[]]>([
  ['filled', ['a'], ['']],
  ['%PDF- first', ['%PDF-1.7\n\0', '\ufeff\r\n %PDF-1.7'], ['Warning\n%PDF-1.7', '']],
  ['%PDF-', ['Warning\n%PDF-1.7'], ['{}', `${' '.repeat(1024)}%PDF-1.7`]],
  ['%%EOF', ['%PDF-1.7\n\0%%EOF\n'], [`%%EOF${' '.repeat(1024)}`]],
  ['no NUL', [csvFile], [`${csvFile}4,\0\n`]],
  ['delimited text', [csvFile, '', '[a],b\n', '"{1}",2\n'], [jsonFile, '\ufeff[{"id":1}]', '<!DOCTYPE html>', '%PDF-1.7']],
  ['other lines', ['id,time\n1,18:00\n2,19:00\n3,20:00\n'], [csvFile, '# UTC\n3,11:00\n2,10:00\n1,09:00\n']],
  ['first line once', [csvFile], [`${csvFile}${csvFile}`]],
  ['same first line', ['id,time\n'], ['time,id\n']],
  ['paired quotes', [csvFile, 'a,b\n"""c"" d",""\n'], ['a,b\n"c "d"",e\n', 'a,b\n"c,d\n']],
  ['whole JSON', [jsonFile, '[]'], ['{"error":', '']],
  ['ids of control', [csvFile], []],
  [{ kind: 'has', text: '2,10:00' }, [csvFile], ['id,time\n', '']],
  [{ kind: 'has event', text: '2,10:00' }, [csvFile], ['id,time\n', '']],
  [{ kind: 'title', text: 'time' }, [csvFile, '\ufeff"time"\tid\r\n'], ['ID,TIME\n', 'id,timestamp\n']],
  [{ kind: 'line', text: '2,', shows: '10:00' }, [csvFile], ['2,11:00\n3,10:00\n']],
  [{ kind: 'in parts', text: '2,10:00' }, [csvFile, 'id,time\n'], [`${csvFile}2,10:00\n`]],
  [{ kind: 'in whole', text: '2,10:00' }, [csvFile, `${csvFile}2,10:00\n`], ['id,time\n']],
  [{ kind: 'lacks', text: '2,10:00' }, ['id,time\n'], [csvFile]],
  [{ kind: 'has once', text: '2,10:00' }, [csvFile, ''], [`${csvFile}${csvFile}`]],
  [{ kind: 'same line', text: '2,' }, ['2,10:00\n'], ['2,11:00\n']],
  [{ kind: 'in both', text: '2,10:00' }, [csvFile], ['id,time\n']],
  [{ kind: 'in both', text: '4,12:00' }, ['id,time\n'], ['4,12:00\n']],
  [{ kind: 'records', least: 0, most: 0 }, ['a\r\n"b\r\n""c"\r\nd\r\ne'], ['a\n', `${csvFile}4\n`]],
  [{ kind: 'records', most: 1 }, ['', `${csvFile}4\n`], [`${csvFile}4\n5\n`]],
])('a script sees of a file: %j', async (sign, right, wrong) => {
  const files = [csvFile, ...right, ...wrong]
  const fileOf = ({ url }: Request) => files[Number(new URL(url).pathname.slice(1))]
  const { origin, close } = await listenTo(async (request) => new Response(fileOf(request)), {})
  const at = (place: number) => ({ method: 'GET', path: `/${place}`, headers: {} })
  const about = { file: 'repeat/a.sh', breach: breach('', 1), report: reportWith([]), quotes: [] }
  const codes: number[] = []
  for (const place of files.keys()) {
    if (place === 0) continue
    const plan = { judged: at(place), before: [], control: at(0), signs: [], file: [sign] }
    const script = textOf({ ...plan, isAccepted: true }, { ...about, clause: sample('a') })
    codes.push((await run(script, { API_KEY: 'k', BASE_URL: origin })).code)
  }
  expect(codes).toEqual([...right.map(() => 0), ...wrong.map(() => 1)])
  await close()
})

/** The codes of one script against a service whose answers come in turn, the last one again and again. */
async function codeOf(answers: readonly string[], more: Pick<Plan, 'file'> & Partial<Plan>) {
  let count = 0
  const { origin, close } = await listenTo(async () => {
    count += 1
    return new Response(answers[count - 1] ?? answers.at(-1))
  }, {})
  const judged = { method: 'GET', path: '/a', headers: {} }
  const plan: Plan = { judged, before: [], signs: [], isAccepted: true, ...more }
  const about = { file: 'repeat/a.sh', breach: breach('', 1), report: reportWith([]), quotes: [] }
  const script = textOf(plan, { ...about, clause: sample('a') })
  const { code, output } = await run(script, { API_KEY: 'k', BASE_URL: origin })
  await close()
  return { code, output, count }
}

test('what a moment decides is tried up to three times', async () => {
  const plan = { file: ['filled'], isOfMoment: true } as const
  expect(await codeOf(['a', 'a', ''], plan)).toMatchObject({ code: 1, count: 3 })
  const right = await codeOf(['a'], plan)
  expect(right).toMatchObject({ code: 0, count: 3 })
  expect(right.output).toContain('The breach does not show in three tries.')
})

test('an id in a file that comes and goes is seen by the ids of another response', async () => {
  const [one, other] = [1, 2].map((n) => `0000000${n}-0000-4000-8000-000000000000,a\n`)
  const control = { method: 'GET', path: '/b', headers: {} }
  const plan: Partial<Plan> & Pick<Plan, 'file'> = { file: ['ids of control'], control }
  expect(await codeOf([`${one}${other}`, `${one}`], plan)).toMatchObject({ code: 1 })
  expect(await codeOf([`${one}`, `${other}${one}`], plan)).toMatchObject({ code: 0 })
})

test('an event that no file of the controls has any more decides nothing', async () => {
  const control = { method: 'GET', path: '/b', headers: {} }
  const file = [{ kind: 'has event', text: '1,09:00' }] as const
  const plan = { file, control, furtherControls: [control] }
  expect(await codeOf(['', '', csvFile], plan)).toMatchObject({ code: 1 })
  expect(await codeOf(['', '', ''], plan)).toMatchObject({ code: 2 })
})

describe('a script is safe', () => {
  const nasty = `/tasks/'"$(touch owned)\`touch owned\`;\n\u0007\u202e|touch owned&`
  const of = (path: string, body?: string) => {
    const judged = { method: 'GET', path, headers: { 'x-a': nasty, apikey: '(configured)' }, body }
    const broken = { ...breach(nasty, 1), expected: nasty, got: nasty }
    const about = { file: 'repeat/a.sh', breach: broken, report: reportWith([]), quotes: [nasty] }
    const signs = [{ member: 'a' }, { member: 'b', is: nasty }]
    const changes = body !== undefined && {
      task: { path, rest: nasty, actor: nasty, state: nasty, other: nasty },
    }
    const plan = { judged, before: [], control: judged, signs, file: [], ...changes }
    return textOf(plan, { ...about, clause: sample(nasty, { statement: nasty }) })
  }

  test('nothing in a path, a header, a body or a sentence is executed', async () => {
    const cwd = mkdtempSync(join(place, 'safe-'))
    const script = of(nasty, nasty)
    expect(script).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
    const env = { API_KEY: 'k', BASE_URL: 'http://127.0.0.1:9' }
    expect((await run(script, env, cwd)).code).toBe(2)
    expect(readdirSync(cwd)).toEqual([])
  })

  test('without a key, or without an answer, it ends with 2 and says why', async () => {
    const missing = { code: 2, output: 'Not tried: set API_KEY\n' }
    expect(await run(of('/tasks/1'), {})).toMatchObject(missing)
    const env = { API_KEY: 'k', BASE_URL: 'http://127.0.0.1:9' }
    expect((await run(of('/tasks/1'), env)).output).toContain('no answer to control')
  })
})
