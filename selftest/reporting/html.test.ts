import { describe, expect, test } from 'vitest'
import { sentences } from '../../helpers/contract.ts'
import * as samples from './sample-reports.ts'

const { breach, clause, exchange, hostileReport, htmlOf, reportWith, variedReport } = samples

/** Looks like a tag that a careful page never writes: a quote ended a value too soon. */
const brokenTags = (page: string) =>
  [...page.replace(/<(script|style)[^>]*>[\s\S]*?<\/\1>/g, '').matchAll(/<[\s\S]{1,9000}?(?=<|$)/g)]
    .map(([text]) => text)
    .filter(
      (text) => !/^<(!doctype html|\/?[a-z]+[1-6]?( (?!on)[a-z-]+(="[^"<>]*")?)*)>/i.test(text),
    )
    .map((text) => text.slice(0, 80))

/** Roughly what a reader sees. */
const textOf = (page: string) =>
  page
    .replace(/<(script|style)[^>]*>[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')

/** What its script shows on demand. */
const dataOf = (page: string) => {
  const [, text = ''] = /id="data">([\s\S]*?)<\/script>/.exec(page) ?? []
  return JSON.parse(text)
}

test('the timeline shows for how long no request was under way, and what the pace held back', () => {
  const start = (at: number) => new Date(Date.UTC(2026, 0, 1) + at).toISOString()
  const timed = [0, 500, 9000].map((at, n) =>
    exchange(n, { start: start(at), milliseconds: 1000, heldMs: n === 2 ? 8000 : undefined }),
  )
  const report = reportWith([clause('a', { evidence: timed })], { durationMs: 80_000 })
  expect(textOf(htmlOf(report))).toMatch(
    /The whole width is the run, 80 s\. .* delayed requests \(7\.5 s\), .* or computed: 70 s in all, 70 s at most .* others 3 2\.5 s /,
  )
})

test('updates that were under way at once have a bar each; those in turn have none', () => {
  const racing = (...starts: number[]) => {
    const evidence = starts.map((at, n) =>
      exchange(n, {
        method: 'PUT',
        path: '/tasks/1/update-assignment',
        start: new Date(Date.UTC(2026, 0, 1) + at).toISOString(),
        milliseconds: 20,
        requestHeaders: { 'if-match': 'v1' },
      }),
    )
    const breaches = [breach('two were accepted', 1, 2)]
    return textOf(htmlOf(reportWith([clause('a', { verdict: 'fail', breaches, evidence })])))
  }
  expect(racing(0, 5)).toMatch(/If-Match Status 0 s 25 ms #1 v1 200 #2 v1 200/)
  expect(racing(0, 900)).not.toContain('25 ms')
})

test('a text in a wrong encoding is shown by its first bytes', () => {
  const [sent, got] = ['"a façade with walls"', '"a faÃ§ade with walls"']
  const evidence = [exchange(0)]
  const breaches = [{ ...breach('wrong', 1), expected: sent, got }]
  const page = htmlOf(
    reportWith([clause('a', { verdict: 'fail', reason: 'x', breaches, evidence })]),
  )
  expect(textOf(page)).toContain('Ã§a (c3 83 c2 a7 61), not çad (c3 a7 61 64)')
})

describe('the page says', () => {
  test('first the verdict and what was tested, loudly if it was the embedded service', () => {
    const { target, ...rest } = variedReport()
    expect(textOf(htmlOf({ ...rest, target }))).toMatch(
      /NONCONFORMANT \(INTERRUPTED\): 1 of 5 musts broken, 1 waived .* Tested: https:\/\/eu\.example\.com\/v5/,
    )
    const embedded = htmlOf({ ...rest, target: { ...target, embedded: true } })
    expect(textOf(embedded)).toMatch(/NONCONFORMANT.{0,140} Tested: the EMBEDDED REFERENCE SERVICE/)
  })

  test('what was not checked before what passed', () => {
    const text = textOf(htmlOf(variedReport()))
    const order = [
      'why it is fail',
      'why it is warn',
      'a reason of the run',
      'task task-1: refused',
      'a notice of the run',
      'why it is inconclusive',
      'why it is skip',
      'Observed: 1',
      'what task.read.pass states',
    ].map((words) => text.indexOf(words))
    expect(order).not.toContain(-1)
    expect(order).toEqual([...order].sort((a, b) => a - b))
  })

  test('every detail of a clause, on demand', () => {
    const data = dataOf(htmlOf(variedReport()))
    const text = JSON.stringify(data, null, 1)
    const waived = 'waived until 2027-01-31 (T-1): known since May'
    const details = ['a reading', 'a note', 'status\\": 418', 'attempt 2', 'Trouble: reset']
    for (const said of [waived, ...details, 'apikey: $API_KEY']) expect(text).toContain(said)
    const [, evidence] = data.clauses[6]
    expect(evidence.split(' ')).toHaveLength(40)
    expect(evidence).toMatch(/^11 .* 20(\.judged)? .* 50$/)
  })

  test('of a breach what was expected, what came and what decides', () => {
    const decides = { 'If-Match sent': 'V1', now: 'V2' }
    const breaches = [{ ...breach('responded 200, not 409', 2), decides }]
    const evidence = [exchange(1, { body: '{"id":"1","name":null}' })]
    const stale = clause('version.stale', { verdict: 'fail', reason: 'r', breaches, evidence })
    const page = htmlOf(reportWith([stale]))
    expect(textOf(page)).toMatch(/Expected 404 Actual 200 If-Match sent V1 now V2/)
    expect(page).toContain('{\n  "id": "1",\n  "name": null\n}')
    expect(textOf(page)).toMatch(/Request GET \S+ apikey: \(configured\) Response/)
  })

  test('in what a judged request and its control differ', () => {
    const differs = ['header apikey', 'query range_start', 'body update assigned_to_id']
    const breaches = [{ ...breach('responded 403, not 401', 2), control: [3], differs }]
    const evidence = [1, 2].map((at) => exchange(at))
    const refused = clause('auth.missing', { verdict: 'fail', reason: 'r', breaches, evidence })
    expect(textOf(htmlOf(reportWith([refused])))).toContain(
      `The mistake is in: ${differs.join(', ')}`,
    )
  })

  test('every sentence of the contract, with its clauses or why it has none', () => {
    const text = textOf(htmlOf(variedReport())).split('The contract, sentence by sentence')[1]
    for (const each of Object.values(sentences).flat())
      expect(text?.replaceAll('&#60;', '<').replaceAll('&#62;', '>')).toContain(
        'says' in each ? each.says : each.unsaid,
      )
  })
})

test('an exchange that clauses share is written once, with its bodies if one of the clauses has them', () => {
  const { body, ...without } = exchange(1, { body: 'the only one' })
  const a = clause('a', { evidence: [without] })
  const b = clause('b', { verdict: 'fail', evidence: [{ ...without, body }] })
  const page = htmlOf(reportWith([a, b]))
  expect(page.match(/the only one/g)).toHaveLength(1)
  expect(dataOf(page).exchanges).toHaveLength(1)
})

test('bodies of green clauses are cut, those of others are kept', () => {
  const body = 'y'.repeat(4000)
  const evidence = [exchange(1, { body })]
  const green = htmlOf(reportWith([clause('a', { evidence })]))
  expect(green).toContain('the first 200 of 4,000 characters')
  const red = htmlOf(reportWith([clause('a', { verdict: 'fail', reason: 'x', evidence })]))
  expect(red).toContain(body)
})

describe('the page is safe', () => {
  test('everything in the report stays text', () => {
    const page = htmlOf(hostileReport())
    // Foreign markup would show as an unknown element, or as one too many.
    expect(page.match(/<(img|iframe|object|embed|base)\b/g)).toBe(null)
    expect(page.match(/<\/?script[\s>]/g)).toHaveLength(4)
    for (const name of ['style', 'main', 'html', 'body'])
      expect(page.match(new RegExp(`</?${name}[\\s>]`, 'g')), name).toHaveLength(2)
    expect(() => dataOf(page)).not.toThrow()
    expect(brokenTags(page)).toEqual([])
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(page.match(/[\u0000-\u0008\u000b-\u001f\u202a-\u202e\u2066-\u2069]/g)).toBe(null)
    expect(page.match(/\p{Cs}/gu)).toBe(null)
    expect(page.length).toBeLessThan(500_000)
  })

  test('no link leads out of it, and its policy forbids everything but its own style and script', () => {
    const page = htmlOf(hostileReport())
    const links = [...page.matchAll(/\s(?:href|src|action|data-go)="([^"]*)"/g)]
    expect(links.filter(([, to]) => !to?.startsWith('#') && to !== 'data:,')).toEqual([])
    const [, policy = ''] = /Content-Security-Policy" content="([^"]*)"/.exec(page) ?? []
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+';/,
    )
    expect(policy).not.toContain('unsafe')
  })
})

test('a page of 230 clauses that failed, with 700 exchanges, stays under 3 MB', () => {
  const report = samples.largeReport()
  for (const broken of report.clauses) Object.assign(broken, { verdict: 'fail', reason: 'x' })
  expect(Buffer.byteLength(htmlOf(report))).toBeLessThan(3_000_000)
})
