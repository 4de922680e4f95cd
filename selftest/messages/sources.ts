import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseAst } from 'vitest/node'

/** A node of a syntax tree, with the one that it stands in. */
export type Node = {
  type: string
  parent?: Node
  file: string
  [member: string]: unknown
}

const root = join(import.meta.dirname, '../..')

/** What the program is made of; the reference service says nothing to anybody who tests another one. */
const product = ['engine', 'helpers', 'suites', 'reporting', 'program', 'contract.ts']

/** The syntax trees of the product, by file. */
export function readSources(): Map<string, Node> {
  const listed = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', ...product],
    {
      cwd: root,
      encoding: 'utf8',
    },
  )
  const files = listed.split('\n').filter((file) => file.endsWith('.ts'))
  return new Map(
    files.map((file) => {
      const tree = parseAst(readFileSync(join(root, file), 'utf8'), {
        lang: 'ts',
      }) as unknown as Node
      for (const node of nodesIn(tree)) {
        node.file = file
        for (const child of childrenOf(node)) child.parent = node
      }
      return [file, tree]
    }),
  )
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

export const childrenOf = (node: Node): Node[] =>
  Object.entries(node).flatMap(([name, value]) =>
    name === 'parent'
      ? []
      : Array.isArray(value)
        ? value.filter(isNode)
        : isNode(value)
          ? [value]
          : [],
  )

/** A node and all within it. */
export function* nodesIn(node: Node): Generator<Node> {
  yield node
  for (const child of childrenOf(node)) yield* nodesIn(child)
}

/** Names to what declares them: constants, functions, parameters and imports, by where they are known. */
export class Names {
  readonly #sources: Map<string, Node>
  readonly #calls = new Map<string, Node[]>()

  constructor(sources: Map<string, Node>) {
    this.#sources = sources
    for (const tree of sources.values())
      for (const node of nodesIn(tree)) {
        const name = node.type === 'CallExpression' && nameOf(node.callee as Node)
        if (name) this.#calls.set(name, [...(this.#calls.get(name) ?? []), node])
      }
  }

  /** What a name stands for where it is used: the node that declares it. */
  declarationOf(name: string, at: Node): Node | undefined {
    for (let scope: Node | undefined = at; scope; scope = scope.parent) {
      const found = declaredIn(scope, name)
      if (found) return found.type === 'ImportSpecifier' ? this.#imported(found) : found
    }
    return undefined
  }

  #imported(specifier: Node): Node | undefined {
    const from = ((specifier.parent as Node).source as Node).value as string
    if (!from.startsWith('.')) return undefined
    const tree = this.#sources.get(join(dirname(specifier.file), from))
    return tree && declaredIn(tree, (specifier.imported as Node).name as string)
  }

  /** The calls of a function that has a name. */
  callsOf(name: string): Node[] {
    return this.#calls.get(name) ?? []
  }
}

/** The last name of what is called: `mistake` of `reading.mistake`. */
export function nameOf(callee: Node): string | undefined {
  if (callee.type === 'Identifier') return callee.name as string
  if (callee.type === 'MemberExpression')
    return (callee.property as Node).name as string | undefined
  return undefined
}

export const isFunction = ({ type }: Node) =>
  ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'].includes(type)

function declaredIn(scope: Node, name: string): Node | undefined {
  if (isFunction(scope)) {
    const params = scope.params as Node[]
    const at = params.findIndex((param) =>
      [...nodesIn(patternOf(param))].some(
        (node) => node.type === 'Identifier' && node.name === name,
      ),
    )
    return at < 0
      ? undefined
      : { type: 'Parameter', file: scope.file, of: scope, at, param: params[at], name }
  }
  if (scope.type !== 'Program' && scope.type !== 'BlockStatement') return undefined
  for (const statement of scope.body as Node[]) {
    const bare =
      statement.type === 'ExportNamedDeclaration'
        ? (statement.declaration as Node | null)
        : statement
    if (!bare) continue
    if (bare.type === 'FunctionDeclaration' && (bare.id as Node).name === name) return bare
    if (bare.type === 'ImportDeclaration') {
      const found = (bare.specifiers as Node[]).find((each) => (each.local as Node).name === name)
      if (found) return found
    }
    if (bare.type === 'VariableDeclaration')
      for (const each of bare.declarations as Node[])
        if ((each.id as Node).name === name) return each
  }
  return undefined
}

const patternOf = (param: Node): Node =>
  param.type === 'AssignmentPattern' ? (param.left as Node) : param
