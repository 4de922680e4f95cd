import { describe, expect, test } from 'vitest'
import { contract } from '../../program/run/contract.ts'
import { blocksIn, unitsIn } from '../../reporting/parts/contract-text.ts'
import * as samples from './sample-reports.ts'

const { brokenReport, clause, exchange, hostileReport, htmlOf, reportWith, variedReport } = samples

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

test('updates that were under way at once have a bar each; those in turn have none', () => {
  const racing = (milliseconds: number) => {
    const requestHeaders = { 'if-match': 'v1' }
    const path = '/tasks/1/update-assignment'
    const update = (at: number) =>
      exchange(at, { method: 'PUT', path, milliseconds, requestHeaders })
    return textOf(htmlOf(brokenReport({ judged: [1, 2] }, ...[0, 1].map(update))))
  }
  expect(racing(20)).toMatch(/If-Match Status 0 s 30 ms #1 v1 200 #2 v1 200/)
  expect(racing(5)).not.toContain('15 ms')
})

test('a text in a wrong encoding is shown by its first bytes', () => {
  const [sent, got] = ['"a façade with walls"', '"a faÃ§ade with walls"']
  const page = htmlOf(brokenReport({ expected: sent, got }, exchange(0)))
  expect(textOf(page)).toContain('Ã§a (c3 83 c2 a7 61), not çad (c3 a7 61 64)')
})

describe('the page says', () => {
  test('first the verdict and what was tested, loudly if it was the embedded service', () => {
    const { target, ...rest } = variedReport()
    expect(textOf(htmlOf({ ...rest, target }))).toMatch(
      /NONCONFORMANT \(INTERRUPTED\) ?: 1 of 5 musts broken, 1 waived .* Tested: https:\/\/eu\.example\.com\/v5/,
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

  test('of a breach what was expected, what came, what decides, and where the control differs', () => {
    const decides = { 'If-Match sent': 'V1', now: 'V2' }
    const differs = ['header apikey', 'query range_start', 'body update assigned_to_id']
    const judged = exchange(1, { body: '{"id":"1","name":null}' })
    const found = { judged: [2], control: [3], decides, differs }
    const page = htmlOf(brokenReport(found, judged, exchange(2)))
    expect(textOf(page)).toMatch(/Expected 404 Actual 200 If-Match sent V1 now V2/)
    expect(page).toContain('{\n  "id": "1",\n  "name": null\n}')
    expect(textOf(page)).toMatch(/Request GET \S+ apikey: \(configured\) Response/)
    expect(textOf(page)).toContain(`The mistake is in: ${differs.join(', ')}`)
  })

  test('the whole contract in its order, and what it leaves out', () => {
    const [, section = ''] = htmlOf(variedReport()).split('The contract, sentence by sentence')
    const text = textOf(section.replace(/<a class="mark"[\s\S]*?<\/a>|<\/?code>/g, ''))
    const plain = (words: string) => words.replace(/[|\s]+/g, ' ').trim()
    const shown = plain(text.replaceAll('&#60;', '<').replaceAll('&#62;', '>'))
    const units = blocksIn(contract.text).flatMap(unitsIn)
    let from = 0
    for (const unit of units) {
      const at = shown.indexOf(plain(unit.text), from)
      expect(at, unit.text).toBeGreaterThanOrEqual(from)
      from = at
    }
    for (const sentence of Object.values(contract.sentences).flat())
      if ('unsaid' in sentence) expect(shown).toContain(sentence.unsaid)
  })

  test('beside each sentence of the contract the gravest verdict of its clauses', () => {
    const report = reportWith([
      clause('task.read.types', { verdict: 'fail', reason: 'x' }),
      clause('task.read.fields'),
    ])
    const [, row = ''] = /<tr>(<td[^>]*>locked_at<[\s\S]*?)<\/tr>/.exec(htmlOf(report)) ?? []
    expect(textOf(row)).toMatch(/locked_at string Timestamp. ✗ fail 2 clauses/)
  })
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
  test('no control character of a service is left in it, and it does not grow with its texts', () => {
    const page = htmlOf(hostileReport())
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
