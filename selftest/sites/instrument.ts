import { type Node, nameOf, nodesIn } from '../messages/sources.ts'
import { type Found, matcherOf, sitesIn, spanOf, treeOf } from './site.ts'

/** What stands in place of a stretch of text; of an empty one: what is put in. */
type Edit = [start: number, end: number, text: string]

/**
 * The text of a module with every site led through the runtime, and each line where it was. Undefined:
 * there is nothing to lead.
 */
export function instrumented(text: string, file: string, runtime: string): string | undefined {
  const tree = treeOf(text, file)
  const edits = [
    ...sitesIn(text, file, tree).flatMap((site) => ofSite(site, text)),
    ...[...nodesIn(tree)].flatMap(ofOther),
  ]
  if (edits.length === 0) return undefined
  let made = `import * as $sites from ${JSON.stringify(runtime)};`
  let from = 0
  // Of two in one place a site comes first: it stands within the other.
  for (const [start, end, put] of edits.toSorted((one, two) => one[0] - two[0])) {
    made += text.slice(from, start) + put
    from = end
  }
  return made + text.slice(from)
}

const around = ([start, end]: [number, number], before: string, after = ')'): Edit[] => [
  [start, start, before],
  [end, end, after],
]

function ofSite({ name, kind, node, at }: Found, text: string): Edit[] {
  const id = JSON.stringify(name)
  if (node.type === 'NewExpression') return around(at, `$sites.made(${id}, `)
  const callee = spanOf(node.callee as Node)
  const matcher = matcherOf(node)
  if (matcher) {
    const [, end] = spanOf(matcher.of)
    const lines = text.slice(end, callee[1]).replace(/[^\n]/g, '')
    return [
      [callee[0], callee[0], `$sites.asserting(${id}, `],
      [end, callee[1], `${lines}, ${JSON.stringify(matcher.name)})`],
    ]
  }
  if (kind === 'handed') return around(callee, `$sites.handing(${id}, (owned) => `, '(owned))')
  return around(callee, `$sites.calling(${id}, `)
}

/** What is no site and has to know of them: every throw, and where a clause ends. */
function ofOther(node: Node): Edit[] {
  const [start] = spanOf(node)
  if (node.type === 'ThrowStatement') {
    const [from, to] = spanOf(node.argument as Node)
    return [
      [start, from, 'for (const $thrown of $sites.thrown('],
      [to, to, ')) throw $thrown'],
    ]
  }
  const isEnd = node.type === 'CallExpression' && nameOf(node.callee as Node) === 'outcomeOf'
  return isEnd ? around(spanOf(node.callee as Node), '$sites.ending(') : []
}
