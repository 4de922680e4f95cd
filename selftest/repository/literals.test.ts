// Code takes the contract's facts from helpers/contract. Statements hold them literally, so that a search finds them.
import { describe, expect, test } from 'vitest'
import { fields, sentFields } from '../../helpers/contract/fields.ts'
import { encodings } from '../../helpers/contract/list-encodings.ts'
import { metadataKeys } from '../../helpers/contract/metadata-keys.ts'
import { arrayParameters, fileTypes } from '../../helpers/contract/parameters.ts'
import { pdfLimit, pdfLimitInWords } from '../../helpers/contract/pdf-limit.ts'
import { statuses } from '../../helpers/contract/statuses.ts'
import { transitionNames } from '../../helpers/contract/transitions.ts'
import { codeOf, tree } from './tree.ts'

type Rule = {
  /** the part of the code that it finds */
  find: RegExp
  /** what it does not count, where it found something */
  unless?: RegExp
  rooms: readonly string[]
  /** files for which it does not hold, each with the reason */
  apart?: Record<string, string>
  advice: string
  finds: readonly string[]
  passes: readonly string[]
}

/** engine/ and reporting/ know no service, as biome.layers.json says: there, a number is one of HTTP. */
const ofService = ['helpers', 'suites', 'program']
const everywhere = ['engine', 'reporting', ...ofService]

const either = (words: readonly (string | number)[]) => `(?:${words.join('|')})`

const limitInCode = pdfLimitInWords.replaceAll(',', '_?')

const isOfHttp = (status: number) => [200, 400, 500].includes(status)
const all = Object.values(statuses)
const inHttpToo = either(all.filter(isOfHttp))
const before = /(?:responds?|responded|with|not|than|and|an?|or)/.source

const names = Object.values({ ...fields, ...sentFields }).map((each) => Object.keys(each))
const fieldNames = [...new Set(names.flat())]
const more = /(?:'[\w-]+',\s*)*/.source
/** An array that names two of these words, or as many as are given. */
const listOf = (words: readonly string[], count = 2) => {
  const word = `'${either(words)}'`
  const further = `,\\s*${more}${word}`.repeat(count - 1)
  return new RegExp(`\\[\\s*${more}${word}${further}`)
}

/** A task or an assessment has a field of the same name as the other keys. */
const keysAlone = metadataKeys.filter((key) => !names.flat().includes(key) && key !== 'tag')

/** The contract's facts, and statuses that are HTTP's own. */
const isTable = (file: string): boolean =>
  file.startsWith('helpers/contract/') || file === 'engine/http/preconditions.ts'

const rules: Record<string, Rule> = {
  'a status': {
    find: new RegExp(`\\b${either(all.filter((status) => !isOfHttp(status)))}\\b`),
    rooms: everywhere,
    apart: {
      'helpers/trail/mailbox.ts': 'its server is one of emails, not the service',
    },
    advice: 'use the name in helpers/contract/statuses.ts',
    finds: [`answer.status === ${statuses.staleVersion}`, `'respond ${statuses.unknownId}'`],
    passes: ['status >= 400', 'const port = 4010'],
  },
  'a status that HTTP compares too': {
    // A class of statuses, such as from 400 on, is a matter of HTTP.
    find: new RegExp(
      `(?:[!=]==|\\?\\?|\\bstatus =) ${inHttpToo}\\b|['"\`][^'"\`]*\\b${before} ${inHttpToo}\\b(?! characters)`,
    ),
    rooms: ofService,
    advice: 'use the name in helpers/contract/statuses.ts',
    finds: ['answer.status !== 500', 'status === 200', "'it responded 400'", '{ status = 500 }'],
    passes: ['status >= 400 && status < 500', 'cut(text, 200)', "'a comment of 500 characters'"],
  },
  'the limit of a PDF': {
    // As people write it; in code, where it is compared or has a name of its kind.
    find: new RegExp(
      `\\b${pdfLimitInWords}\\b|(?:[<>]=?|[!=]==|\\b\\w*(?:[Ll]imit|[Pp]df|[Ee]vents)\\w*[:=]| =) ${limitInCode}\\b`,
    ),
    // A name that says what it counts counts something else.
    unless: /\w+(?:Ms|Records)\b/,
    rooms: ofService,
    advice: 'use pdfLimit in helpers/contract/pdf-limit.ts',
    finds: [
      `count > ${pdfLimit}`,
      `'more than ${pdfLimitInWords} events'`,
      `const limit = ${pdfLimit}`,
      `{ limit: ${pdfLimit} }`,
    ],
    passes: [`const waitMs = ${pdfLimit}`, `count > ${pdfLimit}0`, `default: ${pdfLimit}`],
  },
  'a metadata key': {
    find: new RegExp(
      `'${either([...keysAlone, 'tag'])}'|\\b${either(keysAlone)}\\b|metadata: \\{ ${either(metadataKeys)}\\b|metadata\\[${either(metadataKeys)}\\]|\\b${either(metadataKeys)}=(?!=)`,
    ),
    rooms: everywhere,
    advice: 'use keyOf or metadataKeys in helpers/contract/metadata-keys.ts',
    finds: [
      "filters.known('task_id')",
      '{ metadata: { entity_id: id } }',
      'metadata: { tag }',
      "'tag'",
    ],
    passes: ['task.entity_id', 'const { assessment_id } = task'],
  },
  'a list of fields': {
    find: listOf(fieldNames),
    rooms: everywhere,
    advice: 'use fieldsOf, fieldsWith or requiredFields in helpers/contract/fields.ts',
    finds: [
      "['name', 'c_name']",
      "[\n  'entity_id',\n  'template_id',\n]",
      "['id', 'other', 'status']",
    ],
    passes: ["['entity_id']", 'task.name'],
  },
  'a list of parameters, encodings, file types or transitions': {
    find: new RegExp(
      // Two parameters are a choice; more are the list.
      [listOf(arrayParameters, 3), listOf(encodings), listOf(fileTypes), listOf(transitionNames)]
        .map(({ source }) => source)
        .join('|'),
    ),
    rooms: everywhere,
    advice: 'use the lists in helpers/contract',
    // These are the pipes of a process.
    unless: /\bstdio\b/,
    finds: [
      "['csv', 'pdf']",
      "['event_type', 'x', 'sub_type', 'auditee_id']",
      "['repeat', 'comma']",
    ],
    passes: ["['csv']", "['auto', 'none']", "['event_type', 'sub_type']"],
  },
}

/** What is found in the code, apart from statements: these may go on in the next line. */
function placesIn(code: string, { find, unless }: Rule): string[] {
  const lines = code.split('\n')
  const isStatement = (line = '') =>
    /^\s*(must|should|observe|reading|const statement)\b/.test(line)
  const everything = new RegExp(find.source, 'g')
  return [...code.matchAll(everything)].flatMap(({ index }) => {
    const at = code.slice(0, index).split('\n').length
    const line = lines[at - 1] ?? ''
    const isInStatement = isStatement(line) || isStatement(lines[at - 2])
    return isInStatement || unless?.test(line) ? [] : `${at} ${line.trim()}`
  })
}

describe.each(Object.entries(rules))('no code has %s', (_, rule) => {
  test('the rule finds what it should, and no more', () => {
    for (const code of rule.finds) expect(placesIn(code, rule), code).toHaveLength(1)
    for (const code of rule.passes) expect(placesIn(code, rule), code).toEqual([])
  })

  test('nor does the tree', () => {
    const places = tree
      .filter((file) => /\.(ts|js|sh)$/.test(file) && rule.rooms.includes(file.split('/')[0] ?? ''))
      .filter((file) => !isTable(file) && !rule.apart?.[file])
      .flatMap((file) => placesIn(codeOf(file), rule).map((place) => `${file}:${place}`))
    expect(places, rule.advice).toEqual([])
  })

  test('a file apart needs to be', () => {
    const needless = Object.keys(rule.apart ?? {}).filter(
      (file) => placesIn(codeOf(file), rule).length === 0,
    )
    expect(needless, 'take it off the list').toEqual([])
  })
})
