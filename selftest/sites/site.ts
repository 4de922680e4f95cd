import { parseAst } from 'vitest/node'
import { childrenOf, isFunction, type Node, nameOf } from '../messages/sources.ts'

/**
 * What a place does where it decides: it condemns, lets nothing through, leaves undecided, gives up as
 * trouble, or hands a breach to the clause that owns the sentence.
 */
export type Kind = 'assertion' | 'premise' | 'undecided' | 'trouble' | 'handed'

/** A place in the code that ends a clause, or turns it. */
export type Site = {
  /** file, clause or function, and what stands there: it outlives lines that move */
  name: string
  file: string
  line: number
  kind: Kind
}

/** A site with its syntax, for whoever rewrites it. */
export type Found = Site & { node: Node; at: [start: number, end: number] }

const errors: Readonly<Record<string, Kind>> = {
  NotDecidable: 'undecided',
  Breach: 'assertion',
  Trouble: 'trouble',
  FateUnknown: 'trouble',
  ForeignChange: 'trouble',
  BoundReached: 'trouble',
}
const calls: Readonly<Record<string, Kind>> = { premise: 'premise', expectThat: 'assertion' }

/** Where a sort of site is made, its parts are no sites: those who call it are. */
const makers = new Set(Object.keys(calls))

export const spanOf = (node: Node): [number, number] => [node.start as number, node.end as number]

/** The syntax tree of a file, each node with the one that it stands in. */
export function treeOf(text: string, file: string): Node {
  const tree = parseAst(text, { lang: 'ts' }) as unknown as Node
  const mark = (node: Node) => {
    node.file = file
    for (const child of childrenOf(node)) {
      child.parent = node
      mark(child)
    }
  }
  mark(tree)
  return tree
}

/** Every site of a file, in the order of the text. */
export function sitesIn(text: string, file: string, tree: Node = treeOf(text, file)): Found[] {
  const lineAt = linesOf(text)
  const counts = new Map<string, number>()
  const found: Found[] = []
  const look = (node: Node, scope: readonly string[]) => {
    const [kind, word] = kindOf(node) ?? []
    if (kind && word && !makers.has(scope.at(-1) ?? '')) {
      const base = [file, [...new Set(scope)].join('/'), word].filter(Boolean).join(' ')
      const count = (counts.get(base) ?? 0) + 1
      counts.set(base, count)
      const at = spanOf(node)
      const name = count === 1 ? base : `${base} ${count}`
      found.push({ name, file, line: lineAt(at[0]), kind, node, at })
    }
    const inner = scopeOf(node)
    for (const child of childrenOf(node))
      look(child, inner === undefined ? scope : [...scope, inner])
  }
  look(tree, [])
  return found.sort((one, two) => one.at[0] - two.at[0])
}

function kindOf(node: Node): [Kind, string] | undefined {
  if (node.type === 'NewExpression') {
    const name = nameOf(node.callee as Node) ?? ''
    const kind = Object.hasOwn(errors, name) ? errors[name] : undefined
    return kind && !isHandedOn(node) ? [kind, name] : undefined
  }
  if (node.type !== 'CallExpression') return undefined
  const callee = node.callee as Node
  const name = nameOf(callee) ?? ''
  if (name === 'met') return isPassedOn(node) ? undefined : ['handed', 'met']
  if (callee.type === 'Identifier') {
    const kind = Object.hasOwn(calls, name) ? calls[name] : undefined
    return kind ? [kind, name] : undefined
  }
  return matcherOf(node) ? ['assertion', 'expect'] : undefined
}

/** `met: (owned) => met(…)` hands to the next what another place has found. */
const isPassedOn = ({ parent }: Node): boolean =>
  parent?.type === 'ArrowFunctionExpression' && scopeOf(parent) === 'met'

/** What ends a request or the whole run from outside is no clause's own decision. */
function isHandedOn({ parent }: Node): boolean {
  return (
    parent?.type === 'CallExpression' &&
    ['abort', 'end'].includes(nameOf(parent.callee as Node) ?? '')
  )
}

/** The assertion and the name of the matcher of `expect(…)[.not].toBe…(…)`. */
export function matcherOf(node: Node): { of: Node; name: string } | undefined {
  const callee = node.callee as Node
  if (callee.type !== 'MemberExpression' || callee.computed) return undefined
  const of = callee.object as Node
  const name = (callee.property as Node).name as string
  let root: Node = of
  while (root.type === 'MemberExpression') root = root.object as Node
  const isExpect =
    root.type === 'CallExpression' &&
    (root.callee as Node).type === 'Identifier' &&
    (root.callee as Node).name === 'expect'
  return isExpect ? { of, name } : undefined
}

/** The name that a node gives to what is in it: the id of a clause, or the name of a function. */
export function scopeOf(node: Node): string | undefined {
  if (node.type === 'CallExpression' && nameOf(node.callee as Node) === 'clause')
    return textOf((node.arguments as Node[])[0])
  if (!isFunction(node)) return undefined
  if (node.id) return (node.id as Node).name as string
  const { parent } = node
  if (parent?.type === 'VariableDeclarator') return (parent.id as Node).name as string | undefined
  if (parent?.type === 'Property' || parent?.type === 'MethodDefinition')
    return (parent.key as Node).name as string | undefined
  if (parent?.type === 'CallExpression' && nameOf(parent.callee as Node) === 'extend')
    return textOf((parent.arguments as Node[])[0])
  return undefined
}

/** A literal, with `*` for each value in it. */
function textOf(node: Node | undefined): string | undefined {
  if (node?.type === 'Literal') return String(node.value)
  if (node?.type !== 'TemplateLiteral') return undefined
  return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('*')
}

export function linesOf(text: string): (at: number) => number {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
  return (at) => starts.filter((start) => start <= at).length
}
