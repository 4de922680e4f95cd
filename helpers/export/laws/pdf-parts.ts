// The events that a PDF of a part of the window shows, and lacks.

import { countEntries } from '../../../engine/files/entries.ts'
import { type Identity, isOfIds, searchedOf } from '../../../engine/files/identity.ts'
import { type Problem, problem } from '../../../engine/problem.ts'
import { needPdf } from '../ask/exports.ts'
import type { PdfExport } from '../ask/pdf-export.ts'
import { decidesBy, exampleOf, pagesToRead } from './pdf-entries.ts'
import { eventsOf } from './words.ts'

/** A time that is not a part of another one: all numbers have all digits. */
const wholeTime = /^\d{4}-\d\d-\d\d\D?\d\d:\d\d:\d\d/

/** Events that a PDF lacks, and events that it must not show. */
export async function problemsOfShown(
  described: string,
  found: PdfExport,
  { wanted, all, identity }: { wanted: string[][]; all: string[][]; identity: Identity },
): Promise<Problem[]> {
  const { text = [] } = await needPdf(found, { text: true })
  const isWanted = new Set(wanted.map((row) => searchedOf(row, identity)))
  const others = all.filter((row) => !isWanted.has(searchedOf(row, identity)))
  const { missing, repeated } = countEntries(text, wanted, identity)
  const strange = countEntries(text, others, identity).count
  // Titles show times, events share times, and a short time may be a part of another; ids are sure.
  const isWhole = all.every((row) => wholeTime.test(searchedOf(row, identity)))
  const some = Math.min(others.length / 20, isWhole ? wanted.length : Number.POSITIVE_INFINITY)
  const byChance = isOfIds(all, identity) ? 0 : 2 + some
  const of = eventsOf(wanted.length)
  const problemOf = (sentence: string, got: string, value?: string) =>
    problem(sentence, {
      expected: of,
      got,
      judged: found,
      decides: decidesBy(wanted, identity, value),
      control: [wanted, all],
      again: pagesToRead,
    })
  return [
    ...(missing.length > 0
      ? [
          problemOf(
            `the ${described} lacks ${missing.length} of ${of}, ${exampleOf(missing)}`,
            `${wanted.length - missing.length} of them`,
            missing[0],
          ),
        ]
      : []),
    ...(repeated.length > byChance
      ? [problemOf(`the ${described} shows ${repeated.length} of ${of} more often`, 'more often')]
      : []),
    ...(strange > byChance
      ? [
          problemOf(
            `the ${described} shows ${eventsOf(strange)} beside the ${wanted.length} that belong there`,
            `${strange} more`,
          ),
        ]
      : []),
  ]
}
