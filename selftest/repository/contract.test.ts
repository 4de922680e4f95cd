import { describe, expect, test } from 'vitest'
import { distance } from '../../engine/nearest.ts'
import type { Sentence } from '../../engine/run/contract.ts'
import { type Field, fields, fieldsOf, headingOfTable } from '../../helpers/contract/fields.ts'
import { metadataKeys } from '../../helpers/contract/metadata-keys.ts'
import { operations } from '../../helpers/contract/operations.ts'
import { arrayParameters } from '../../helpers/contract/parameters.ts'
import { pdfLimit, pdfLimitInWords } from '../../helpers/contract/pdf-limit.ts'
import { sentences as byHeading } from '../../helpers/contract/sentences.ts'
import { statuses } from '../../helpers/contract/statuses.ts'
import { metadataKeys as referenceKeys } from '../../reference/calls/events.ts'
import { pdfLimit as statedLimit } from '../../reference/rules/stated-export.ts'
import { blocksIn, type Unit, unitsIn } from '../../reporting/parts/contract-text.ts'
import { read } from './tree.ts'

const text = read('helpers/contract/contract.md')
const units = blocksIn(text).flatMap(unitsIn)

/** The sentences before the first heading stand under it on the page. */
const headingOf = ({ heading }: Unit) => (heading in byHeading ? heading : 'What the service does')

const quotesIn = (sentence: Sentence): string[] =>
  'says' in sentence ? sentence.says.split(' … ') : []

const checksOf = (sentence: Sentence): string =>
  'clauses' in sentence ? sentence.clauses.join(', ') : sentence.unchecked

const meet = (one: string, other: string) => one.includes(other) || other.includes(one)

describe('sentences and clauses', () => {
  test('every row and sentence of the contract is quoted', () => {
    const unquoted = units.filter((unit) => {
      const quotes = (byHeading[headingOf(unit)] ?? []).flatMap(quotesIn)
      return !quotes.some((quote) => meet(unit.text, quote))
    })
    const advice = 'quote them in helpers/contract/sentences.ts, with the clauses that check them'
    expect(unquoted.map(describeUnquoted), advice).toEqual([])
  })

  test('every quote stands in the contract, in its order', () => {
    for (const [heading, sentences] of Object.entries(byHeading)) {
      const lines = sentences.flatMap((sentence) => {
        const [quote] = quotesIn(sentence)
        return quote === undefined ? [] : lineOf(heading, quote)
      })
      expect(lines, heading).toEqual(lines.toSorted((one, other) => one - other))
    }
  })
})

/** The line, the unit, and what was quoted that is nearest to it. */
function describeUnquoted(unit: Unit): string {
  const all = Object.values(byHeading).flat()
  const nearness = (sentence: Sentence) =>
    Math.min(...quotesIn(sentence).map((quote) => distance(quote, unit.text)))
  const [nearest] = all
    .filter((sentence) => 'says' in sentence)
    .toSorted((one, other) => nearness(one) - nearness(other))
  const like = nearest && `; the nearest quote is checked by: ${checksOf(nearest)}`
  return `contract.md:${unit.line} ${unit.text}${like ?? ''}`
}

const lineOf = (heading: string, quote: string): number =>
  units.find((unit) => headingOf(unit) === heading && meet(unit.text, quote))?.line ??
  Number.POSITIVE_INFINITY

/** How a schema says each form. */
const inSchema = {
  id: /uuid/,
  timestamp: /timestamp/,
  text: /"string"/,
  integer: /"integer"/,
  object: /"object"/,
  assignment: /assignment\.schema/,
  state: /"enum"/,
  any: /^true$/,
}

describe('what the contract states is what the table and the reference say', () => {
  const rowsUnder = (heading: string) =>
    units
      .filter((unit) => unit.heading === heading && unit.text.includes(' | '))
      .map((unit) => unit.text.split(' | '))
  const found = (form: RegExp) => form.exec(plainText)?.[1]
  const plainText = units.map((unit) => unit.text).join('\n')

  // That no row of the table of errors is forgotten says stated-elsewhere.test.ts.
  test.each<[meaning: keyof typeof statuses, form: RegExp]>([
    ['exported', /Response: status (\d+) and a downloadable file/],
    ['invalidExport', /^(\d+) \| Bad Request \| Export/m],
    ['badKey', /^(\d+) \| Unauthorized/m],
    ['unknownId', /^(\d+) \| Task not found/m],
    ['staleVersion', /^(\d+) \| Version mismatch/m],
    ['failedExport', /^(\d+) \| Internal Server Error/m],
  ])('the status %s', (meaning, form) => {
    expect(statuses[meaning]).toBe(Number(found(form)))
  })

  test('the limit of a PDF', () => {
    const advice = 'correct helpers/contract/pdf-limit.ts'
    expect(pdfLimitInWords, advice).toBe(found(/\| ([\d,]+) events per request \|/))
  })

  test('the limit of a PDF in the reference', () => {
    expect(statedLimit, 'correct reference/rules/stated-export.ts').toBe(pdfLimit)
  })

  test('the metadata keys', () => {
    const keys = found(/Allowed keys: ([^.]*)\./)?.split(', ')
    expect(metadataKeys).toEqual(keys)
    expect([...referenceKeys].sort()).toEqual(keys?.toSorted())
  })

  test('the parameters with several values', () => {
    const rows = rowsUnder('Export audit events')
    const lists = rows.filter(([, type]) => type === 'array of strings').map(([name]) => name)
    expect(arrayParameters).toEqual(lists)
  })

  test.each(Object.keys(fields) as (keyof typeof fields)[])('the fields of: %s', (name) => {
    const stated = rowsUnder(headingOfTable(name)).map(([field]) => field)
    expect(fieldsOf(name).toSorted()).toEqual(stated.toSorted())
  })

  test('the schemas', () => {
    const names = Object.keys(fields) as (keyof typeof fields)[]
    for (const name of names) {
      const { properties } = JSON.parse(read(`schemas/${name}.schema.json`))
      expect(Object.keys(properties).sort()).toEqual(fieldsOf(name).toSorted())
      for (const [field, { form }] of Object.entries<Field>(fields[name]))
        expect(JSON.stringify(properties[field]), `${name}.${field}`).toMatch(inSchema[form])
    }
  })

  test('the operations', () => {
    const stated = plainText.matchAll(/^Method and path: (.*)$/gm)
    const rows = Object.values(operations).map(({ method, path }) => `${method} ${path}`)
    expect(new Set(rows)).toEqual(new Set(Array.from(stated, ([, row]) => row)))
  })
})
