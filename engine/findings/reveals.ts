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

type More = Context & Pick<RevealsFinding, 'members'>

export const revealsFinding = (of: Head, resource: string, more: More = {}): RevealsFinding => ({
  kind: 'reveals',
  of: headOf(of),
  resource,
  ...more,
})

export const reveals: Kind<RevealsFinding> = {
  wordsOf: (finding) => {
    const { although } = finding
    const { sentence, ...rest } = wordsWithin(finding)
    return { sentence: inContext(sentence, { although }), ...rest }
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
