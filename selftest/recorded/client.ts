// A client that does what clients do, and records it: reads, assigns, exports; sometimes with an old version,
// two at once, a wrong key, an unknown id, a mistake in a body.
import { createHash } from 'node:crypto'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { clauses } from '../../engine/clause/clause.ts'
import { isObject, jsonIn } from '../../engine/http/answers.ts'
import { findingsIn } from '../../helpers/recorded/judge.ts'
import { briefOf, type Recorded, seenAs } from '../../helpers/service/seen.ts'
import { unassignBody, updateBody } from '../../helpers/service/update-request.ts'
import { readSettings } from '../../helpers/settings/read.ts'
import { type AuditEvent, metadataKeys } from '../../reference/calls/events.ts'
import type { Service } from '../../reference/service.ts'
import type { Task } from '../../reference/world/world.ts'
import '../../suites/all.ts'

type Sent = {
  method?: string
  key?: string | null
  headers?: Record<string, string>
  body?: unknown
}

/** A key that nobody was given. */
export const wrongKey = 'a-key-of-nobody-0123456789abcdef'

const words = {
  plain: 'Please look at the passport again',
  'non-latin': 'Пожалуйста, проверьте документы; παρακαλώ 请检查',
  quotes: 'The "second" page & <b>its</b> stamp',
  long: 'The address on the utility bill differs from that on the form. '.repeat(4).trim(),
  newlines: 'First line\nsecond line',
  emoji: 'Checked twice 👍 and filed 📁',
  'right-to-left': 'يرجى التحقق من العنوان שלום',
}

const later = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Has the client use a service; gives what a recorder between the two writes. */
export async function useService(
  { fetch, world }: Pick<Service, 'fetch' | 'world'>,
  events: AuditEvent[],
  part: 'tasks' | 'exports',
): Promise<Recorded[]> {
  const recorded: Recorded[] = []
  let number = 0

  const ask = async (
    path: string,
    { method = 'GET', key = world.apiKey, headers = {}, body }: Sent = {},
  ) => {
    number += 1
    const own = number
    const requestBody = typeof body === 'string' ? body : JSON.stringify(body)
    const requestHeaders: Record<string, string> = {
      host: 'api.example.com',
      'user-agent': 'client/1.0',
      'x-request-id': String(own),
      ...(key === null ? {} : { apikey: key }),
      ...(requestBody !== undefined && {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(requestBody)),
      }),
      ...headers,
    }
    const start = Date.now()
    await later(3 + (own % 3))
    const given: Pick<Recorded, 'status' | 'headers' | 'body'> = { status: 0, headers: {} }
    try {
      const sent = { method, headers: requestHeaders, ...(requestBody && { body: requestBody }) }
      const url = `http://api.example.com/v5${path}`
      const response = await fetch(new Request(url, sent), '127.0.0.1')
      given.status = response.status
      given.headers = Object.fromEntries(response.headers)
      const bytes = Buffer.from(await response.arrayBuffer())
      const decode = { gzip: gunzipSync, br: brotliDecompressSync, deflate: inflateSync }[
        given.headers['content-encoding'] ?? ''
      ]
      given.body = decode ? decode(bytes) : bytes
    } catch {
      // The recording holds what came.
    }
    await later(3 + (own % 4))
    const asked = { method, path, requestHeaders, ...(requestBody && { requestBody }) }
    recorded.push({ number: own, recorder: 0, start, end: Date.now(), ...asked, ...given })
    const json = jsonIn({ text: String(given.body ?? '') })
    return { status: given.status, json: isObject(json) ? (json as Task) : undefined }
  }

  const tasks = world.tasks.map(({ id }) => id)
  const users = world.users.map(({ id }) => id)
  const teams = world.teams.map(({ id }) => id)
  const [actor = '', anna = '', ben = ''] = users
  const [blue = '', green = ''] = teams
  const unknown = '5b0c5a8e-4c1b-4b57-9d43-0d6d0c0f4f11'

  const read = (id: string, sent?: Sent) => ask(`/tasks/${id}`, sent)
  const put = (id: string, version: string | undefined, body: unknown, sent: Sent = {}) =>
    ask(`/tasks/${id}/update-assignment`, {
      method: 'PUT',
      body,
      ...sent,
      headers: { ...(version === undefined ? {} : { 'if-match': version }), ...sent.headers },
    })
  const to = (id: string, comment?: string | null) =>
    updateBody(actor, { id, type: teams.includes(id) ? 'TEAM' : 'USER' }, comment)
  const off = (comment?: string | null) => unassignBody(actor, comment)
  /** Reads, updates with what was read, and reads again. */
  const change = async (id: string, body: unknown) => {
    await put(id, (await read(id)).json?.updated_at ?? '', body)
    await read(id)
  }

  // A list is opened: tasks and their assessments.
  for (const id of tasks) await read(id)
  for (const { id } of world.assessments) await ask(`/assessments/${id}`)
  for (const id of tasks.slice(0, 3)) await read(id)
  // Ids that are mistyped, of another kind, or of nothing.
  const assessment = world.assessments[0]
  const odd = [unknown, 'not-a-uuid', tasks[0]?.slice(0, -1) ?? '', `${tasks[0]}x`]
  for (const id of odd) await read(id)
  for (const id of odd)
    await ask(`/assessments/${id.replace(tasks[0] ?? '', assessment?.id ?? '')}`)
  // A page that shows them asks again and again.
  for (let times = 0; times < 3; times += 1)
    for (const { id } of world.assessments.slice(0, 2)) await ask(`/assessments/${id}`)
  // The page is loaded again.
  await read(tasks[1] ?? '')
  await ask(`/assessments/${world.assessments[1]?.id}`)
  await read(unknown)
  await ask(`/assessments/${unknown}`)
  await ask(`/assessments/${assessment?.id}`)
  await read(assessment?.id ?? '')
  await ask(`/assessments/${tasks[0]}`)
  for (const id of [unknown, 'not-a-uuid']) {
    await put(id, world.tasks[0]?.updated_at, to(anna))
    await put(id, world.tasks[0]?.updated_at, off())
    await read(id)
  }
  const days = ['csv', 'pdf'].map(
    (type) =>
      `?file_type=${type}&range_start=2025-01-01T00:00:00.000Z&range_end=2025-01-03T00:00:00.000Z`,
  )
  // Without a key, with an empty one, with that of nobody.
  const [first = '', ...further] = tasks
  for (const [at, key] of [null, '', wrongKey].entries()) {
    const own = further[at] ?? ''
    const version = (await read(own)).json?.updated_at
    for (const id of [own, unknown]) {
      await read(id, { key })
      await ask(`/assessments/${id === own ? assessment?.id : unknown}`, { key })
      await put(id, version, to(anna), { key })
      await put(id, version, off(), { key })
    }
    // After a log-in.
    await read(own)
    for (const query of ['', ...days]) await ask(`/audit-sentinel/events/export${query}`, { key })
  }
  for (const query of days) await ask(`/audit-sentinel/events/export${query}`)
  await read(first)

  if (part === 'tasks') {
    // Work: tasks go from hand to hand, with comments and without.
    const [one = '', two = '', three = '', four = ''] = tasks
    const walk = [
      to(anna, words.plain),
      to(ben),
      to(blue, words.quotes),
      to(green, words.plain),
      to(anna, words.long),
      off(),
      to(blue, null),
      off('No longer needed'),
      to(anna, words.newlines),
      to(ben, words.emoji),
      to(blue, words['non-latin']),
      to(anna, words['right-to-left']),
      off(null),
      to(green),
      to(ben, null),
      to(ben, words.plain),
      off(),
    ]
    for (const id of [one, two, three]) for (const body of walk) await change(id, body)
    await read(four)
    for (const id of tasks.slice(0, 6)) await read(id)

    // A tab that was left open sends an old version; one reads again and retries.
    for (const [id, body] of [
      [one, to(anna)],
      [one, to(ben)],
      [two, to(blue, words.plain)],
      [two, off()],
      [three, to(anna)],
    ] as const) {
      const old = (await read(id)).json?.updated_at
      await put(id, old, to(green, 'taken in another tab'))
      const stale = await put(id, old, body)
      const now = await read(id)
      let retry = stale
      for (let tries = 0; retry.status === 409 && tries < 3; tries += 1)
        retry = await put(id, now.json?.updated_at, body)
      await read(id)
    }
    for (const id of [one, three]) {
      const { json } = await read(id)
      if (json?.assignment) await put(id, json.updated_at, off())
      const empty = (await read(id)).json?.updated_at
      await put(id, empty, to(anna, 'first come'))
      const assigned = (await read(id)).json?.updated_at
      await put(id, assigned, off('gone again'))
      await put(id, assigned, to(ben, 'from an old page'))
      await read(id)
    }
    // Two at once.
    for (const [left, right] of [
      [to(anna, 'left hand'), to(blue, 'right hand')],
      [off('left hand'), off('right hand')],
      [to(anna, 'left hand'), to(ben, 'right hand')],
      [to(anna, 'left hand'), off('right hand')],
      [to(blue, 'left hand'), to(green, 'right hand')],
    ])
      for (const id of [one, two, three, four]) {
        const now = (await read(id)).json?.updated_at
        await Promise.all([put(id, now, left), put(id, now, right)])
        await read(id)
      }
    // A client whose dates lose their fraction, one that forgets the header, one that wants any version.
    for (const id of [one, two]) {
      const now: string = (await read(id)).json?.updated_at ?? ''
      for (const sent of [now.replace(/\.\d+/, ''), undefined, '*', 'latest'])
        await put(id, sent, to(id === one ? ben : green, 'a careless client'))
      await put(id, undefined, off())
      await read(id)
    }
    // Forms that lack a field, or have one too many signs.
    const { update } = to(ben)
    for (const id of [two, four])
      for (const body of [
        ...['assigned_by_id', 'assigned_to_id', 'assigned_to_type'].map((member) => ({
          update: { ...update, [member]: undefined },
        })),
        { unassign: {} },
        { update: { ...update, assigned_to_type: 'PERSON' } },
        '{"update": ',
      ])
        await change(id, body)
    // The next morning.
    await later(120_000)
    for (const id of tasks.slice(0, 6)) await read(id)
    for (const { id } of world.assessments.slice(0, 2)) await ask(`/assessments/${id}`)
    return inOrder(recorded)
  }
  // Reports: of a month, by filters, in other languages and zones, as PDF.
  const file = (query: Record<string, string>) =>
    ask(
      `/audit-sentinel/events/export?${new URLSearchParams(query).toString().replaceAll('%5B', '[').replaceAll('%5D', ']')}`,
    )
  const [from, mid, end] = [
    '2025-02-01T00:00:00.000Z',
    '2025-03-02T12:00:00.000Z',
    '2025-05-01T00:00:00.000Z',
  ]
  const range = { range_start: from, range_end: end }
  const csv = { file_type: 'csv', ...range }
  const pdf = { ...csv, file_type: 'pdf' }
  const within = events.filter(({ time }) => time >= from && time < end)
  const used = (values: (string | undefined)[]) =>
    [...new Set(values)].filter((each): each is string => Boolean(each)).slice(0, 3)
  const by = (name: string, values: (string | undefined)[]) =>
    [...used(values), unknown].map((value) => ({ ...csv, [name]: value }))
  const [event_type = ''] = used(within.map((each) => each.event_type))
  const [system_source = ''] = used(
    within.filter((each) => each.event_type === event_type).map((each) => each.system_source),
  )
  const some = within.find(({ metadata }) => metadata.entity_id && metadata.assessment_id)
  const { entity_id = '', assessment_id = '' } = some?.metadata ?? {}
  const at = within[Math.floor(within.length / 2)]?.time ?? mid
  const month = (name: string, days: number) => ({
    range_start: `2025-${name}-01T00:00:00.000Z`,
    range_end: `2025-${name}-${days}T23:59:59.999Z`,
  })
  const parameters = ['auditee_id', 'event_type', 'sub_type', 'system_source'] as const
  // biome-ignore format: one thing at a time
  const queries: Record<string, string>[] = [
    csv, csv,
    ...parameters.flatMap((name) => by(name, within.map((each) => each[name]))),
    csv,
    ...metadataKeys.flatMap((key) => by(`metadata[${key}]`, within.map(({ metadata }) => metadata[key]))),
    csv,
    { ...csv, event_type, system_source },
    { ...csv, 'metadata[entity_id]': entity_id, 'metadata[assessment_id]': assessment_id },
    range,
    ...['en', 'de', 'fr'].map((locale) => ({ ...csv, locale })),
    ...['Asia/Tokyo', 'America/New_York', 'UTC'].map((timezone) => ({ ...csv, timezone })),
    { ...csv, range_end: mid }, { ...csv, range_start: mid },
    { ...csv, ...month('02', 28) }, { ...csv, ...month('03', 31) },
    { ...csv, range_end: at }, { ...csv, range_start: at },
    csv,
  ]
  for (const query of queries) await file(query)
  await ask('/audit-sentinel/events/export')
  // biome-ignore format: one thing at a time
  const more: Record<string, string>[] = [
    pdf, { ...pdf, event_type }, { ...pdf, range_end: mid }, { ...pdf, locale: 'de' }, { ...pdf, timezone: 'Asia/Tokyo' },
    { ...csv, event_type, timezone: 'Asia/Tokyo' }, { ...csv, event_type, range_end: mid },
    { ...csv, range_end: mid }, { ...csv, event_type },
    csv,
    { range_start: end, range_end: from }, { range_start: end, range_end: from, file_type: 'pdf' },
    { ...csv, file_type: 'xlsx' }, { ...csv, 'metadata[colour]': 'blue' }, { ...csv, range_start: 'yesterday' }, { ...csv, timezone: 'Mars/Olympus' },
    csv,
  ]
  for (const query of more) await file(query)
  return inOrder(recorded)
}

const inOrder = (recorded: Recorded[]) =>
  recorded.sort((a, b) => a.start - b.start || a.number - b.number)

type Judging = { actorId?: string | undefined; wrongKeys?: string[]; pdfLimit?: number | undefined }

/** What is judged of a recording, by clause; the wrong keys were given to nobody. */
export async function judgementOf(
  recorded: readonly Recorded[],
  { actorId, wrongKeys = [], pdfLimit }: Judging = {},
) {
  const texts = { API_KEY: '(configured)', BASE_URL: 'http://localhost/v5', SEED: '1' }
  const settings = readSettings({ ...texts, ...(actorId && { ACTOR_ID: actorId }) }, { cwd: '/' })
  const all = recorded.flatMap((each) => seenAs(each, wrongKeys) ?? [])
  const byNumber = new Map(all.map((each) => [each.number, each]))
  const readAt = (number: number) => byNumber.get(number)
  return findingsIn(all.map(briefOf), { clauses, settings, pdfLimit, readAt })
}

/** The clauses of a judgement that found a breach. */
export const brokenBy = (all: Awaited<ReturnType<typeof judgementOf>>): string[] =>
  [...all].flatMap(([id, { problems }]) => (problems.length > 0 ? [id] : []))

/** What a recorder would see of the service, however it came about. */
export const signatureOf = ({ status, body, headers }: Recorded): string =>
  `${status} ${headers['content-type']} ${createHash('sha256')
    .update(body ?? '')
    .digest('hex')}`
