// Where code reads a text that we write for people. The program's types say where a value comes from.

import { join } from 'node:path'
import type { CallExpression, Expression, Node } from 'typescript/unstable/ast'
import * as is from 'typescript/unstable/ast/is'
import { API, type Symbol as Named, type Project } from 'typescript/unstable/sync'
import { root } from '../kept.ts'

/** The members that hold such a text, by the file of their type. */
const texts: Record<string, string> = {
  'engine/findings/kind.ts': 'sentence expected got what to although more why',
  'engine/run/report.ts':
    'reasons notices details reason shortReason fact statement reading note dangling notRepeated',
  'engine/verdict.ts': 'reason',
  'engine/clause/clause.ts': 'statement reading',
  'helpers/loans/put-back.ts': 'reason',
  'reporting/parts/blocks.ts': 'heading items',
  'reporting/parts/causes/cause.ts': 'title statement',
  'reporting/parts/groups.ts': 'title where',
  'reporting/parts/not-checked.ts': 'short heading remedy why',
  'reporting/parts/summary.ts': 'line notAsFound',
}

/** Functions that lay texts out, gather them or make them safe, and do not look at what they say. */
const layout =
  /^(code|comment|cut|differenceOf|distinct|fenced|firstLines?|groupedBy|hanging|html|inOneLine|oneLine|plain|present|printable|quoted|scriptOf|word|xml)$/

const reads =
  /^(startsWith|endsWith|includes|indexOf|lastIndexOf|match|matchAll|replace|replaceAll|search|split|localeCompare)$/

/** What they return is of the text that they are called on. */
const passes =
  /^(at|concat|filter|find|findLast|flat|flatMap|join|map|pop|shift|slice|sort|to(Reversed|Sorted|LowerCase|UpperCase)|trim|trimEnd|trimStart|values|split|replace|replaceAll)$/

const aliasFlag = 2097152

const api = new API({ cwd: root })
const opened = api.updateSnapshot({ openProjects: [join(root, 'tsconfig.json')] })
const project = opened.getProjects()[0] as Project
const { program, checker } = project

const nameOf = (path: string) => path.slice(root.length + 1)

export type Reader = { file: string; line: number; text: string }

/** Where the files of these folders read such a text, and how. */
export function readersIn(folders: RegExp): Reader[] {
  const files = program.getSourceFileNames().map(nameOf)
  const chosen = files.filter((file) => folders.test(file)).sort()
  const sources = chosen.flatMap((file) => program.getSourceFile(join(root, file)) ?? [])
  for (const source of sources) noteCalls(source)
  const readers = sources
    .flatMap((source) => nodesIn(source, readsText))
    .filter((node) => !isOfLayout(node))
  const places = readers.map((node) => ({
    file: nameOf(node.getSourceFile().fileName),
    line: lineOf(node),
    text: node.getText(),
  }))
  api.close()
  return places
}

const lineOf = (node: Node): number =>
  node.getSourceFile().text.slice(0, node.getStart()).split('\n').length

const isOfLayout = (node: Node | undefined): boolean =>
  node !== undefined && (layout.test(functionName(node)) || isOfLayout(node.parent))

function functionName(node: Node): string {
  const { name } = node as { name?: Node }
  return functionOf(node) && name ? name.getText() : ''
}

function nodesIn(node: Node, isWanted: (node: Node) => boolean): Node[] {
  const wanted = isWanted(node) ? [node] : []
  node.forEachChild((child) => {
    wanted.push(...nodesIn(child, isWanted))
  })
  return wanted
}

/** Whether this expression reads such a text. */
function readsText(node: Node): boolean {
  if (is.isBinaryExpression(node)) {
    const { left, right, operatorToken } = node
    if (!/^[!=]==$/.test(operatorToken.getText())) return false
    return !isNothing(left) && !isNothing(right) && (isText(left) || isText(right))
  }
  if (!is.isCallExpression(node) || !is.isPropertyAccessExpression(node.expression)) return false
  const { name, expression } = node.expression
  if (/^(test|exec)$/.test(name.getText())) return isText(node.arguments[0])
  return reads.test(name.getText()) && [expression, ...node.arguments].some(isText)
}

const isNothing = (node: Expression) => /^(''|undefined|null|true|false)$/.test(node.getText())

const known = new Map<Node, boolean>()

/** Whether the value is such a text, or made of some. */
function isText(node: Node | undefined): boolean {
  if (!node) return false
  const before = known.get(node)
  if (before !== undefined) return before
  // Where a value depends on itself, the rest decides.
  known.set(node, false)
  const result = isTextAnew(node)
  known.set(node, result)
  return result
}

function isTextAnew(node: Node): boolean {
  if (is.isIdentifier(node)) return declarationsOf(node).some(isDeclaredAsText)
  if (is.isPropertyAccessExpression(node)) return holdsText(checker.getSymbolAtLocation(node.name))
  if (is.isElementAccessExpression(node)) return isText(node.expression)
  if (is.isTemplateExpression(node))
    return node.templateSpans.some(({ expression }) => isText(expression))
  if (is.isConditionalExpression(node)) return isText(node.whenTrue) || isText(node.whenFalse)
  if (is.isBinaryExpression(node)) {
    const isEither = /^(\?\?|\|\||\+|&&)$/.test(node.operatorToken.getText())
    return isEither && (isText(node.left) || isText(node.right))
  }
  if (is.isArrayLiteralExpression(node)) return node.elements.some(isText)
  if (is.isCallExpression(node)) return isReturnedText(node)
  return isWrapped(node) && isText(node.expression)
}

const isWrapped = (node: Node): node is Node & { expression: Expression } =>
  is.isSpreadElement(node) ||
  is.isParenthesizedExpression(node) ||
  is.isAsExpression(node) ||
  is.isNonNullExpression(node) ||
  is.isAwaitExpression(node)

function isReturnedText({ expression, arguments: given }: CallExpression): boolean {
  if (is.isPropertyAccessExpression(expression)) {
    const name = expression.name.getText()
    const [act] = given
    if (/^(map|flatMap)$/.test(name) && act && is.isArrowFunction(act))
      return returnedBy(act).some(isText)
    return passes.test(name) && isText(expression.expression)
  }
  if (!is.isIdentifier(expression)) return false
  if (layout.test(expression.getText())) return given.some(isText)
  const called = declarationsOf(expression).flatMap((node) => functionOf(node) ?? [])
  return called.some((node) => returnedBy(node).some(isText))
}

function functionOf(node: Node): Node | undefined {
  if (is.isFunctionDeclaration(node)) return node
  const value = is.isVariableDeclaration(node) ? node.initializer : undefined
  return value && isFunction(value) ? value : undefined
}

const isFunction = (node: Node): boolean =>
  is.isArrowFunction(node) || is.isFunctionExpression(node) || is.isFunctionDeclaration(node)

/** The values that a function returns. */
function returnedBy(node: Node): Node[] {
  const { body } = node as { body?: Node }
  if (!body) return []
  return is.isArrowFunction(node) && !is.isBlock(body) ? [body] : returnedIn(body)
}

function returnedIn(node: Node): Node[] {
  if (is.isReturnStatement(node)) return node.expression ? [node.expression] : []
  const values: Node[] = []
  node.forEachChild((child) => {
    if (!isFunction(child)) values.push(...returnedIn(child))
  })
  return values
}

function isDeclaredAsText(node: Node): boolean {
  if (is.isBindingElement(node)) return isBoundText(node)
  if (is.isParameterDeclaration(node)) return isGivenText(node)
  if (!is.isVariableDeclaration(node)) return false
  const { parent: statement } = node.parent
  return isText(is.isForOfStatement(statement) ? statement.expression : node.initializer)
}

function isBoundText(node: Node): boolean {
  const { propertyName, name } = node as { propertyName?: Node; name?: Node }
  const pattern = node.parent
  if (!is.isObjectBindingPattern(pattern)) return isDeclaredAsText(pattern.parent)
  const type = checker.getTypeAtLocation(pattern)
  const member = (propertyName ?? name)?.getText() ?? ''
  return holdsText(type && checker.getPropertyOfType(type, member))
}

/** By the list whose callback it is, or where the function is called. */
function isGivenText(node: Node): boolean {
  const { parent: owner } = node
  const { parameters = [] } = owner as { parameters?: readonly Node[] }
  const at = parameters.indexOf(node)
  if (is.isCallExpression(owner.parent)) {
    const { expression } = owner.parent
    return is.isPropertyAccessExpression(expression) && at === 0 && isText(expression.expression)
  }
  const named = is.isFunctionDeclaration(owner) ? owner : owner.parent
  if (layout.test(functionName(named))) return false
  return (calls.get(named) ?? []).some((call) => isText(call.arguments[at]))
}

/** The calls of each function, by its declaration. */
const calls = new Map<Node, CallExpression[]>()

function noteCalls(source: Node): void {
  const all = nodesIn(source, is.isCallExpression) as CallExpression[]
  const plain = all.filter(({ expression }) => is.isIdentifier(expression))
  const symbols = checker.getSymbolAtLocation(plain.map(({ expression }) => expression))
  for (const [at, call] of plain.entries())
    for (const node of nodesOf(symbols[at])) calls.set(node, [...(calls.get(node) ?? []), call])
}

const declarationsOf = (node: Node): Node[] => nodesOf(checker.getSymbolAtLocation(node))

function nodesOf(symbol: Named | undefined): Node[] {
  const isImported = symbol && (symbol.flags & aliasFlag) !== 0
  const meant = isImported ? checker.getAliasedSymbol(symbol) : symbol
  return (meant?.declarations ?? []).flatMap((handle) => handle.resolve(project) ?? [])
}

const holdsText = (symbol: Named | undefined): boolean =>
  nodesOf(symbol).some((node) => {
    const names = texts[nameOf(node.getSourceFile().fileName)] ?? ''
    return names.split(' ').includes(symbol?.name ?? '')
  })
