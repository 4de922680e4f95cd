import { withArticle } from '../article.ts'
import { describeAnswer, type Head, headOf } from '../head.ts'
import { inContext } from './context.ts'
import type { Context, Kind, Words } from './kind.ts'

/** An answer shows what its request may not see. */
export type RevealsFinding = Context & {
  kind: 'reveals'
  of: Head
  /** the name of the resource */
  resource: string
  /** the members whose values are in the body; left out: the body is the resource */
  members?: string[]
}

type Facts = Omit<RevealsFinding, 'kind'>

export const revealsFinding = (facts: Facts): RevealsFinding => ({
  kind: 'reveals',
  ...facts,
  of: headOf(facts.of),
})

export const reveals: Kind<RevealsFinding> = {
  wordsOf: (finding) => {
    const { sentence, expected, got } = wordsWithin(finding)
    return { sentence: inContext(sentence, finding), expected, got }
  },
}

function wordsWithin({ of, resource, members }: RevealsFinding): Words {
  const answer = describeAnswer(of)
  if (!members) {
    const got = withArticle(resource)
    return { sentence: `${answer} with ${got}`, expected: `no ${resource}`, got }
  }
  const got = members.join(', ')
  return {
    sentence: `${answer} with values of the ${resource} in its body: ${got}`,
    expected: `nothing of the ${resource}`,
    got,
  }
}
