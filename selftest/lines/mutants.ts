import { digestOf } from '../kept.ts'
import { childrenOf, isFunction, type Node, nodesIn } from '../messages/sources.ts'
import { linesOf, scopeOf, spanOf, treeOf } from '../sites/site.ts'

/** What a mutant does to a line. */
export const operators = ['negate', 'shift', 'drop', 'return', 'swap', 'empty'] as const
export type Operator = (typeof operators)[number]

/** One change of one line. */
export type Mutant = {
  /** file, function, what is done and to what: it outlives lines that move */
  name: string
  file: string
  line: number
  operator: Operator
  /** the stretch of text that is replaced; an empty one stands where a function begins */
  at: [start: number, end: number]
  put: string
  /** it is a whole statement, and may not begin with a bracket */
  isStatement: boolean
}

type Change = [operator: Operator, node: Node, put: string]

/** The mutants of a module, one a line, chosen by seed. */
export function mutantsIn(text: string, file: string, seed: number): Mutant[] {
  const tree = treeOf(text, file)
  const lineOf = linesOf(text)
  const counts = new Map<string, number>()
  const found = changesIn(tree, text, []).map(({ change: [operator, node, put], scope }) => {
    const at = placeOf(operator, node)
    const line = lineOf(operator === 'empty' ? lastLineOf(node) : at[0])
    const was = text.slice(...spanOf(node)).replace(/\s+/g, ' ')
    const said = operator === 'return' ? '' : ` ${was.length > 60 ? `${was.slice(0, 59)}…` : was}`
    const plain = `${file} ${scope} ${operator}${said}`
    const count = (counts.get(plain) ?? 0) + 1
    counts.set(plain, count)
    const name = count === 1 ? plain : `${plain} #${count}`
    const isStatement = node.parent?.type === 'ExpressionStatement'
    return { name, file, line, operator, at, put, isStatement }
  })
  const chosen = new Map<number, Mutant>()
  for (const each of inOrderOf(seed, found)) if (!chosen.has(each.line)) chosen.set(each.line, each)
  return [...chosen.values()].toSorted((one, two) => one.line - two.line)
}

/** In the order of a seed; it does not change where others come or go. */
export function inOrderOf<T extends { name: string }>(seed: number, list: readonly T[]): T[] {
  const keyed = list.map((each) => ({ each, key: digestOf(`${seed} ${each.name}`) }))
  return keyed.toSorted((one, two) => (one.key < two.key ? -1 : 1)).map(({ each }) => each)
}

/** The line that a node ends on; a call in a chain of many lines counts as on the line of its own name. */
const lastLineOf = (node: Node): number => {
  const callee = node.type === 'CallExpression' ? (node.callee as Node) : undefined
  return spanOf(callee?.type === 'MemberExpression' ? (callee.property as Node) : node)[0]
}

const placeOf = (operator: Operator, node: Node): [number, number] => {
  const [start, end] = spanOf(node)
  return operator === 'return' ? [start + 1, start + 1] : [start, end]
}

function changesIn(
  node: Node,
  text: string,
  scope: readonly string[],
): { change: Change; scope: string }[] {
  if (isType(node)) return []
  const own = scopeOf(node)
  const inner = own === undefined ? scope : [...scope, own]
  const here = isWithin(node) ? [] : changesOf(node, text)
  return [
    ...here.map((change) => ({ change, scope: inner.join('/') || 'module' })),
    ...childrenOf(node).flatMap((child) => changesIn(child, text, inner)),
  ]
}

const bare = [
  'TSAsExpression',
  'TSNonNullExpression',
  'TSSatisfiesExpression',
  'TSInstantiationExpression',
]

/** Types are gone when a module runs. */
const isType = ({ type }: Node) =>
  (type.startsWith('TS') && !bare.includes(type)) || type === 'ImportDeclaration'

/**
 * A part of `a?.b.c()`, which ends where it ends as a whole; or the beginning of a statement, where a
 * bracket would go on with the line before.
 */
function isWithin(node: Node): boolean {
  // What leads sites takes the argument of a throw as it stands, without a bracket.
  if (node.parent?.type === 'ThrowStatement') return true
  let part = node
  for (let of = node.parent; of; of = of.parent) {
    if (of.type === 'ChainExpression') return true
    if (of.type === 'ExpressionStatement')
      return part !== node && spanOf(of)[0] === spanOf(node)[0] && node.type !== 'BlockStatement'
    if (isFunction(of)) return false
    part = of
  }
  return false
}

const opposite: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' }
const comparing = [...Object.keys(opposite), '===', '!==', '==', '!=', 'in', 'instanceof']
const listing = ['map', 'filter', 'flatMap', 'toSorted', 'slice']

function changesOf(node: Node, text: string): Change[] {
  const raw = (one: Node) => text.slice(...spanOf(one))
  const { type, operator } = node as Node & { operator?: string }
  const changes: Change[] = []
  const isComparison = type === 'BinaryExpression' && comparing.includes(operator ?? '')
  const isNot = type === 'UnaryExpression' && operator === '!'
  if (isNot) changes.push(['negate', node, raw(node.argument as Node)])
  else if (isComparison || (isTest(node) && type !== 'Literal'))
    changes.push(['negate', node, `!(${raw(node)})`])
  if (type === 'BinaryExpression') {
    // Brackets around either side are in the text, and not in the tree.
    const [start, end] = spanOf(node)
    const [from, to] = [spanOf(node.left as Node)[1], spanOf(node.right as Node)[0]]
    const between = text.slice(from, to)
    const sign = between.indexOf(operator ?? '')
    const { type: kind, value } = node.right as Node
    const other = opposite[operator ?? '']
    if (other && operator) {
      const shifted = between.replace(operator, other)
      changes.push(['shift', node, text.slice(start, from) + shifted + text.slice(to, end)])
    }
    if ((operator === '+' || operator === '-') && kind === 'Literal' && value === 1)
      changes.push(['shift', node, text.slice(start, from) + between.slice(0, sign)])
  }
  if (type === 'CallExpression' || type === 'AwaitExpression') {
    const call = type === 'AwaitExpression' ? (node.argument as Node) : node
    if (node.parent?.type === 'ExpressionStatement' && (call.callee as Node)?.type !== 'Super')
      changes.push(['drop', node, 'undefined'])
  }
  if (type === 'CallExpression') {
    const callee = node.callee as Node
    const [one, two] = node.arguments as Node[]
    if (one && two && isSwappable(one) && isSwappable(two) && raw(one) !== raw(two)) {
      const [start, end] = spanOf(node)
      const [[a, b], [c, d]] = [spanOf(one), spanOf(two)]
      const swapped = text.slice(start, a) + raw(two) + text.slice(b, c) + raw(one)
      changes.push(['swap', node, swapped + text.slice(d, end)])
    }
    const name = callee.type === 'MemberExpression' ? (callee.property as Node).name : undefined
    if (listing.includes(String(name))) changes.push(['empty', node, '[]'])
  }
  if (type === 'ArrayExpression' && (node.elements as Node[]).length > 0)
    changes.push(['empty', node, '[]'])
  if (type === 'BlockStatement' && isBody(node)) changes.push(['return', node, ''])
  return changes
}

const isTest = ({ parent, start }: Node): boolean =>
  ['IfStatement', 'ConditionalExpression', 'WhileStatement'].includes(parent?.type ?? '') &&
  (parent?.test as Node | undefined)?.start === start

const isSwappable = (node: Node) => node.type !== 'SpreadElement' && !isFunction(node)

/** A constructor has to call the one above it. */
const isBody = (node: Node): boolean =>
  node.parent !== undefined &&
  isFunction(node.parent) &&
  (node.body as Node[]).length > 0 &&
  node.parent.parent?.kind !== 'constructor' &&
  ![...nodesIn(node)].some(({ type }) => type === 'Super')
