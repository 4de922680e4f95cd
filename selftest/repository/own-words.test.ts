import { beforeAll, expect, test } from 'vitest'
import { type Reader, readersIn } from './own-words.ts'
import { others, readers } from './own-words-sample.ts'

/** Why a file still reads such texts, and at how many places: a number may only become lower. */
const today: Record<string, [why: string, count: number]> = {
  'selftest/proofs/trials.ts': ['proves the notice itself, as a user reads it', 1],
}

const sample = 'selftest/repository/own-words-sample.ts'
const folders =
  /^(engine|helpers|suites|program|reporting|selftest\/proofs)\/|own-words-sample\.ts$/
let all: Reader[] = []
beforeAll(() => {
  all = readersIn(folders)
})

test('no code reads what is written for people: it carries the fact as data', () => {
  const product = all.filter(({ file }) => file !== sample)
  const files = new Set([...product.map(({ file }) => file), ...Object.keys(today)])
  const advice = [...files].flatMap((file) => {
    const places = product.filter((reader) => reader.file === file)
    const [, count] = today[file] ?? ['', 0]
    if (places.length === count) return []
    if (places.length < count)
      return `${file} reads ${places.length}, not ${count}: lower the number here.`
    return places.map(({ line, text }) => `${file}:${line} reads a text: ${text.slice(0, 100)}`)
  })
  expect(advice).toEqual([])
})

test('what reads a text is found through functions, lists and patterns', () => {
  expect(readers.length + others.length).toBe(8)
  const found = all.filter(({ file }) => file === sample)
  expect(found.map(({ text }) => text)).toEqual([
    "reason.startsWith('set ')",
    '/\\d/.test(text)',
    "textOf(report).split(': ')",
    "first === 'x'",
    "report.residue.map(({ reason }) => reason).includes('x')",
  ])
})
