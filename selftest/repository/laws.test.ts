// The laws of ARCHITECTURE.md that neither the compiler nor Biome holds. Each lists the files that break it today,
// with the number of places: a list may only get shorter. TypeScript 7 offers its parser as unstable only.

import { basename, dirname, join } from 'node:path'
import type { Node } from 'typescript/unstable/ast'
import * as is from 'typescript/unstable/ast/is'
import { API, type Project, SignatureKind } from 'typescript/unstable/sync'
import { expect, test } from 'vitest'
import { root } from '../kept.ts'
import { read } from './tree.ts'

const api = new API({ cwd: root })
const opened = api.updateSnapshot({ openProjects: [join(root, 'tsconfig.json')] })
const { program, checker } = opened.getProjects()[0] as Project
const files = program
  .getSourceFileNames()
  .map((path) => path.slice(root.length + 1))
  .filter((file) => /^(engine|helpers|suites|program|reporting|reference)\//.test(file))
  .sort()

const has = (node: Node, isWanted: (each: Node) => boolean): boolean =>
  isWanted(node) || node.forEachChild((each) => has(each, isWanted) || undefined) === true
const declaredIn = (node: Node) =>
  is.isFunctionDeclaration(node) || is.isVariableDeclaration(node) ? node.name : undefined
const isWithin = (node: Node | undefined, name: RegExp): boolean =>
  !!node && (name.test(declaredIn(node)?.getText() ?? '') || isWithin(node.parent, name))
const isCall = (node: Node, name: RegExp) =>
  is.isCallExpression(node) && name.test(node.expression.getText())
const isLoop = (node: Node) => is.isStatement(node) && /^(for|while|do)\b/.test(node.getText())
const lineAt = (node: Node, at = node.getStart()) =>
  node.getSourceFile().text.slice(0, at).split('\n').length

/** Names of functions, and what the type that they return, a line break and the rest of their text match. */
const names: [RegExp, RegExp][] = [
  [/^open[A-Z]/, /\b(close|end|destroy|Client|Dispatcher)\b/],
  [/^create[A-Z]/, /^(?!Promise<)/],
  [/^fetch[A-Z]/, /^(Promise|AsyncGenerator)</],
  [/^need[A-Z]/, /\n(.|\n)*\b(throw|premise\(|need[A-Z]\w*\()/],
  [/^(is|has)[A-Z]/, /^.*\b(boolean|true|false)\b/],
  [/^problems[A-Z]/, /^.*\b(Problem|Owned|Broken|Departure)\[\]/],
  [/^describe[A-Z]/, /^(Promise<)?string(\[\])?>?\n/],
  [/[a-z]Of$/, /^(?!(Promise<)?void>?\n).*\n(?!\(\)| = (async )?\(\))/],
]
function isMisnamed(node: Node): boolean {
  const name = declaredIn(node)
  const rules = names.filter(([form]) => name && form.test(name.getText()))
  const type = name && rules.length > 0 ? checker.getTypeAtLocation(name) : undefined
  const [call] = type ? checker.getSignaturesOfType(type, SignatureKind.Call) : []
  const returned = call && checker.getReturnTypeOfSignature(call)
  if (!name || !returned) return false
  const rest = node.getSourceFile().text.slice(name.end, node.end)
  return !rules.every(([, right]) => right.test(`${checker.typeToString(returned)}\n${rest}`))
}

/** What breaks each law, and the files that hold it today. */
const laws: Record<string, [breaks: (node: Node, file: string) => boolean, today?: string]> = {
  'Only helpers/history keeps what was sent about tasks: ask it.': [
    (node, file) =>
      isCall(node, /^createHistory$|\.begin$/) &&
      !/^helpers\/(service\/service|session)\.ts$/.test(file),
  ],
  'Only helpers/loans repeats work because another writer changed the task: leave it to a loan.': [
    (node, file) =>
      (is.isBinaryExpression(node) || is.isImportSpecifier(node)) &&
      /^(\w+ instanceof ForeignChange|maxRounds)$/.test(node.getText()) &&
      !file.startsWith('helpers/loans/'),
  ],
  'Only sender.ts and helpers/loans send updates: what others want sent is data for `send`.': [
    (node, file) =>
      isCall(node, /\.put(Together)?$/) &&
      !/^(helpers\/(loans|updates\/sender)|reference)\b/.test(file),
    // To ids that no task has: nothing is lent.
    'helpers/access/: key-probes, suites/: assignment-refusals 2',
  ],
  'Only confirmed.ts requests a file anew with .fresh: judge by `confirmed`.': [
    (node, file) =>
      (is.isPropertyAccessExpression(node) || is.isBindingElement(node)) &&
      node.name?.getText() === 'fresh' &&
      /^(helpers|suites)\/(?!.*\/confirmed\.ts)/.test(file),
    `helpers/export/laws/: comments 2, pdf-entries 2, reordered 5,
    same-file 1, helpers/export/learn/: known-events 2, window 1,
    helpers/trail/: alike 2, new-rows 2, recorded, refusals`,
  ],
  'Problems are made by laws: call `problem` in a function whose name begins with `problem`.': [
    (node) => isCall(node, /^problem(Unless)?$/) && !isWithin(node, /^problem/),
    `suites/: export-zones`,
  ],
  'The body of a clause has at most 12 lines and no loop: move what judges into its law.': [
    (node, file) =>
      file.startsWith('suites/') &&
      is.isArrowFunction(node) &&
      isCall(node.parent, /\)$/) &&
      (has(node.body, isLoop) || lineAt(node, node.end) - lineAt(node.body) > 13),
  ],
  'A function is what its name says: rename it, or see `names` in laws.test.ts.': [
    isMisnamed,
    `engine/http/: pace, helpers/access/: key-probes, helpers/export/learn/: filters, helpers/loans/: journal,
    helpers/service/: schema,
    program/input/: order, program/run/: loans, program/: verify,
    reference/export/: pdf-pages, reporting/parts/: count`,
  ],
}

const found: { law: string; file: string; place: string }[] = []
for (const file of files)
  has(program.getSourceFile(join(root, file)) as Node, (node) => {
    for (const [law, [breaks]] of Object.entries(laws))
      if (breaks(node, file)) found.push({ law, file, place: `${file}:${lineAt(node)}` })
    return false
  })
api.close()

test.each(Object.entries(laws))('%s', (law, [, today = '']) => {
  // "folder/: name, name 2" lists one place of the first file and two of the second.
  const listed = new Map<string, number>()
  let folder = ''
  for (const [, next, name, count = '1'] of today.matchAll(/(\S+\/):|([\w-]+)(?: (\d+))?/g))
    if (next) folder = next
    else listed.set(`${folder}${name}.ts`, Number(count))
  const advice = files.concat([...listed.keys()]).flatMap((file, at, all) => {
    const places = found.filter((each) => each.law === law && each.file === file)
    const most = listed.get(file) ?? 0
    if (places.length === most || all.indexOf(file) < at) return []
    return places.length > most
      ? `${law} It is broken at ${places.map(({ place }) => place).join(' and ')}; ${most} of them are listed.`
      : `${file} breaks it ${places.length} times, not ${most}: lower the number in laws.test.ts.`
  })
  expect(advice).toEqual([])
})

/** Each name once for each further file that has it. */
const sharedNames = `all answers attempt breaches clause clauses client comments comments compare
  contract exchange filters mailbox pairs pdf plan
  query ranges refusals report service setup table versions`
test('a basename names one thing', () => {
  const all = files.map((file) => basename(file, '.ts')).sort()
  const shared = all.filter((name, at) => name === all[at - 1])
  const listed = sharedNames.split(/\s+/)
  expect(shared, 'Give the new file a name of its own, or shorten sharedNames.').toEqual(listed)
})

/** The door itself, and the ids of records, which no replay asks for. */
const ownClock = /^engine\/(time\/(entering|timers)|http\/record\/warc)\.ts$/
test('time, timers and chance come from engine/time/timers.ts alone', () => {
  const own =
    /(?<![\w.])(performance\.now|Date\.now|set(Timeout|Interval|Immediate)|random(UUID|Bytes|Int)|Math\.random)\(|new Date\(\)|node:timers/
  const broken = files.filter(
    (file) =>
      /^(engine|helpers|suites|program|reporting)\//.test(file) &&
      !ownClock.test(file) &&
      own.test(read(file).replace(/^\s*(\/\/|\/?\*).*$/gm, '')),
  )
  expect(broken, 'Use clock and chance, so that a record can repeat it.').toEqual([])
})

test('biome.layers.json says of every folder what it may import', () => {
  const layers = read('biome.layers.json')
  const free = files.filter((file) => !layers.includes(`"includes": ["${dirname(file)}/*.ts"]`))
  expect(free, 'Add a line to biome.layers.json for the folder of these files.').toEqual([])
})
