import { commandLine } from '../../engine/called.ts'
import { isFunction, type Names, type Node, nameOf } from './sources.ts'

/** What stands where a sentence has a value: its name in the code, or nothing but that there is one. */
const gap = '…'
const maxTexts = 200
const maxInside = 4
const maxDepth = 8

/** The texts that an expression may give, each value in them as a gap. */
export function textsOf(node: Node, names: Names, depth = 0): string[] {
  const within = (inner: unknown) => textsOf(inner as Node, names, depth + 1)
  if (depth > maxDepth) return [gapOf(node)]
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? [node.value] : [gap]
    case 'TemplateLiteral':
      return ofTemplate(node, within)
    case 'BinaryExpression':
      return node.operator === '+' ? joined(within(node.left), within(node.right)) : [gap]
    case 'ConditionalExpression':
      return distinct([...within(node.consequent), ...within(node.alternate)])
    case 'LogicalExpression':
      return node.operator === '&&'
        ? within(node.right)
        : distinct([...within(node.left), ...within(node.right)])
    case 'ArrayExpression':
      return distinct((node.elements as Node[]).flatMap(within))
    case 'ObjectExpression':
      return distinct(
        (node.properties as Node[]).flatMap((each) =>
          each.type === 'Property' ? within(each.value) : [],
        ),
      )
    case 'MemberExpression':
      return ofMember(node, names, depth)
    case 'Identifier':
      return ofName(node, names, depth)
    case 'CallExpression':
      return ofCall(node, names, depth)
    case 'SpreadElement':
    case 'AwaitExpression':
      return within(node.argument)
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'ChainExpression':
      return within(node.expression)
    default:
      return isFunction(node) ? distinct(returned(node, names, depth)) : [gap]
  }
}

function ofTemplate(node: Node, within: (inner: unknown) => string[]): string[] {
  const own = (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked)
  const given = node.expressions as Node[]
  // Where it has no words of its own, the sentence is in its values.
  const isFrame = wordsIn(own.join(' ')) < 2
  const values = given.map((each) => {
    const texts = within(each)
    return isFrame ? (isValue(texts) ? [gapOf(each)] : texts) : inside(texts, each)
  })
  return own.slice(1).reduce(
    (texts, text, at) =>
      joined(
        texts,
        (values[at] ?? []).map((value) => value + text),
      ),
    own.slice(0, 1),
  )
}

/** Texts that differ but in how their values are called say the same. */
const distinct = (texts: readonly string[]) =>
  [...new Map(texts.map((text) => [text.replace(/<[^<>]*>/g, gap), text])).values()].slice(
    0,
    maxTexts,
  )
const wordsIn = (text: string) => (text.match(/\p{L}{2,}/gu) ?? []).length

/** Many forms of few words are those of a value. */
const isValue = (texts: readonly string[]) =>
  texts.length > maxInside && texts.every((text) => wordsIn(text.replace(/<[^<>]*>/g, gap)) < 4)

/** A value with many forms is a gap within a sentence: a reader looks for the words around it. */
function inside(texts: readonly string[], node: Node): readonly string[] {
  // What a name stands for goes with other names: each with each would say what nobody says.
  const most = node.type === 'CallExpression' || node.type === 'Identifier' ? 1 : maxInside
  return texts.length > most ? [gapOf(node)] : texts
}

const gapOf = (node: Node): string => {
  const name = nameOf(node)
  if (name === 'undefined') return gap
  const words = name?.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return words ? `<${words}>` : gap
}

const joined = (left: readonly string[], right: readonly string[]) =>
  distinct(left.flatMap((one) => right.map((other) => one + other)))

/** A member of a table in the code: one of its texts. */
function ofMember(node: Node, names: Names, depth: number): string[] {
  const table = node.object as Node
  if (table.type !== 'Identifier') return [gapOf(node)]
  const declared = names.declarationOf(table.name as string, node)
  const init = declared?.type === 'VariableDeclarator' ? bare(declared.init as Node) : undefined
  if (init?.type !== 'ObjectExpression') return [gapOf(node)]
  const wanted = node.computed ? undefined : ((node.property as Node).name as string)
  const properties = (init.properties as Node[]).filter(
    (each) =>
      each.type === 'Property' && (wanted === undefined || nameOf(each.key as Node) === wanted),
  )
  return some(
    distinct(properties.flatMap((each) => textsOf(each.value as Node, names, depth + 1))),
    node,
  )
}

const some = (texts: string[], node: Node) => (texts.length > 0 ? texts : [gapOf(node)])

const bare = (node: Node): Node =>
  node?.type === 'TSAsExpression' || node?.type === 'TSSatisfiesExpression'
    ? bare(node.expression as Node)
    : node

function ofName(node: Node, names: Names, depth: number): string[] {
  const declared = names.declarationOf(node.name as string, node)
  const isLet = (declared?.parent as Node | undefined)?.kind === 'let'
  if (declared?.type === 'VariableDeclarator' && declared.init && !isLet)
    return textsOf(declared.init as Node, names, depth + 1)
  if (declared?.type === 'Parameter' && (declared.param as Node).type === 'Identifier')
    return ofParameter(declared, node, names, depth)
  return [gapOf(node)]
}

/** What calls give for a parameter of a function that has a name. */
function ofParameter({ of, at }: Node, node: Node, names: Names, depth: number): string[] {
  const called = of as Node
  const holder = called.type === 'FunctionDeclaration' ? called : (called.parent as Node)
  const name = ((holder.id ?? holder.key) as Node | undefined)?.name as string | undefined
  if (!name) return [gapOf(node)]
  const given = names.callsOf(name).flatMap((call) => {
    const argument = (call.arguments as Node[])[at as number]
    const isOurs = names.declarationOf(name, call) === holder
    return argument && isOurs ? textsOf(argument, names, depth + 1) : []
  })
  // Where one call gives a value, the words that others give stand for one as well.
  return given.includes(gap) ? [gapOf(node)] : some(distinct(given), node)
}

function ofCall(node: Node, names: Names, depth: number): string[] {
  const callee = node.callee as Node
  const name = nameOf(callee)
  const [first] = node.arguments as Node[]
  if (callee.type === 'MemberExpression') {
    if ((name === 'map' || name === 'flatMap') && first) return textsOf(first, names, depth + 1)
    if (['filter', 'slice', 'flat', 'toSorted'].includes(name ?? ''))
      return textsOf(callee.object as Node, names, depth + 1)
    return [gap]
  }
  if (name === 'commandLine') return inClone(node.arguments as Node[])
  const declared = name === undefined ? undefined : names.declarationOf(name, node)
  const body = declared?.type === 'VariableDeclarator' ? (declared.init as Node) : declared
  return body && isFunction(body) ? some(distinct(returned(body, names, depth)), node) : [gap]
}

/** A command of this program as it is started in a clone: how it was started is known only then. */
function inClone([command, args]: Node[]): string[] {
  const given = (node?: Node) => (node?.type === 'Literal' ? String(node.value) : '')
  return command?.type === 'Literal'
    ? [commandLine(given(command), given(args))]
    : [`npm run <command>${given(args) && ` -- ${given(args)}`}`]
}

/** What a function gives: what it returns, or yields. */
function returned(node: Node, names: Names, depth: number): string[] {
  const body = node.body as Node
  if (body.type !== 'BlockStatement') return textsOf(body, names, depth + 1)
  const texts: string[] = []
  for (const inner of own(body))
    if ((inner.type === 'ReturnStatement' || inner.type === 'YieldExpression') && inner.argument)
      texts.push(...textsOf(inner.argument as Node, names, depth + 1))
  return distinct(texts)
}

/** The nodes of a function, without those of functions within it. */
function* own(node: Node): Generator<Node> {
  yield node
  for (const [name, value] of Object.entries(node)) {
    if (name === 'parent') continue
    for (const child of (Array.isArray(value) ? value : [value]) as Node[])
      if (
        child &&
        typeof child === 'object' &&
        typeof child.type === 'string' &&
        !isFunction(child)
      )
        yield* own(child)
  }
}
