import type { Again, Kind, Words } from '../../engine/findings/kind.ts'
import { describeAnswer, type Head, headOf } from '../../engine/head.ts'
import { shown } from '../../engine/shown.ts'
import { inOneMoment } from './not-scripted.ts'

/** A task shows again what an accepted update had replaced. */
type UndoneFinding = { kind: 'undone' } & Undone

type Undone =
  /** a read at the end of the run shows an earlier version, although this answer showed the last update */
  | { shows: 'version'; of: Head; wanted: string; got: string }
  /** the same of comments; `wanted` is null if the last update has none */
  | { shows: 'comment'; of: Head; wanted: string | null; got: string }
  /** after simultaneous updates, the comment of this one, which another had replaced: their exchanges */
  | { shows: 'update'; replaced: number; by: number; wanted: string | null; got: string }

declare module '../../engine/findings/finding.ts' {
  interface FindingKinds {
    undone: UndoneFinding
  }
}

export const undoneFinding = (undone: Undone): UndoneFinding => ({
  kind: 'undone',
  ...undone,
  ...('of' in undone ? { of: headOf(undone.of) } : {}),
})

export const undone: Kind<UndoneFinding> = {
  wordsOf,
  symptomsOf: () => [
    {
      key: 'undone',
      title: 'Undoes an accepted update',
      explainedBy: ['update that is not stored'],
    },
  ],
  againOf,
}

function wordsOf(finding: UndoneFinding): Words {
  const atEnd = 'but at the end of the run a read returned'
  switch (finding.shows) {
    case 'version': {
      const { of, wanted, got } = finding
      return {
        sentence: `${describeAnswer(of)} with updated_at ${wanted}, ${atEnd} the replaced updated_at ${got} again`,
        expected: `updated_at ${wanted} or a new one`,
        got: `updated_at ${got}`,
      }
    }
    case 'comment': {
      const { of, wanted, got } = finding
      const expected = describeComment(wanted)
      return {
        sentence: `${describeAnswer(of)} with ${expected}, ${atEnd} the earlier comment ${shown(got)} again`,
        expected,
        got: describeComment(got),
      }
    }
    case 'update': {
      const { replaced, by, wanted, got } = finding
      return {
        sentence: `the task shows the assignment of #${replaced}, which #${by} had replaced`,
        expected: describeComment(wanted),
        got: describeComment(got),
      }
    }
  }
}

const describeComment = (comment: string | null): string =>
  comment ? `the comment ${shown(comment)}` : 'no comment'

function againOf({ shows }: UndoneFinding): Again {
  return shows === 'update' ? inOneMoment : { why: 'it shows only some time after the update' }
}
