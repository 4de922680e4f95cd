import { type Names, type Node, nameOf, nodesIn } from './sources.ts'
import { textsOf } from './texts.ts'

/** What a message is about; the page says for each what to do. */
export type Kind =
  | 'cannot run'
  | 'breach'
  | 'unmet'
  | 'trouble'
  | 'refused'
  | 'not settled'
  | 'setting'
  | 'data'
  | 'freedom'
  | 'clause'
  | 'notice'
  | 'stopped'
  | 'key in a file'
  | 'restore'

export type Message = { text: string; kind: Kind }

type Found = { kind: Kind; said: Node | undefined; hasSubject?: false }

/** Errors by their names, whose first argument is a sentence. */
const errors: Record<string, Kind> = {
  UsageError: 'cannot run',
  Impossible: 'cannot run',
  NoSuchClause: 'cannot run',
  SettingsError: 'cannot run',
  JournalError: 'cannot run',
  Trouble: 'trouble',
  Failure: 'trouble',
  FateUnknown: 'trouble',
  BoundReached: 'trouble',
}

/** Calls by their names, with the place of the sentence. */
const calls: Record<string, [Kind, number]> = {
  problem: ['breach', 0],
  expectThat: ['breach', 1],
  end: ['trouble', 0],
  flaw: ['breach', 0],
}

/** Members of values that hold sentences. */
const members: Record<string, Kind> = {
  sentence: 'breach',
  flaws: 'breach',
  stale: 'unmet',
  unmet: 'unmet',
  reasons: 'not settled',
  dangling: 'not settled',
  notices: 'notice',
}

/** What a command writes for itself, by its file. */
const written: Record<string, Kind> = {
  'contract.ts': 'cannot run',
  'program/run/interruption.ts': 'stopped',
  'program/run/loans.ts': 'stopped',
  'program/report/finish.ts': 'key in a file',
  'program/restore.ts': 'restore',
}

/** What stands before a sentence that is about a setting, or about a file of waivers or of a world. */
const subjectOf = (file: string, text: string): string => {
  if (file === 'program/input/world-file.ts') return '--world <file>: '
  if (file !== 'program/input/waivers.ts') return '<SETTING> '
  return /^[ :,]/.test(text) ? '--waivers <file>' : '--waivers <file>, entry <n>: '
}

const causes = ['setting', 'data', 'freedom', 'refused', 'clause'] as const
type Cause = (typeof causes)[number]
const isCause = (node: Node | undefined): node is Node & { value: Cause } =>
  node?.type === 'Literal' && causes.includes(node.value as Cause)

/** Every sentence that the program has, found where the code hands it over. */
export function messagesIn(sources: ReadonlyMap<string, Node>, names: Names): Message[] {
  const found = new Map<string, Message>()
  for (const tree of sources.values())
    for (const node of nodesIn(tree))
      for (const { kind, said, hasSubject } of handedOverIn(node)) {
        if (!said) continue
        // Sentences are printed, and looked up, line by line.
        for (const text of textsOf(said, names).flatMap((each) => each.split('\n'))) {
          const whole = tidy(hasSubject === false ? subjectOf(node.file, text) + text : text)
          if (isSentence(whole)) found.set(`${kind} ${whole}`, { text: whole, kind })
        }
      }
  return [...found.values()]
}

function handedOverIn(node: Node): Found[] {
  const given = (node.arguments ?? []) as Node[]
  switch (node.type) {
    case 'NewExpression': {
      const name = nameOf(node.callee as Node) ?? ''
      const kind = Object.hasOwn(errors, name) ? errors[name] : undefined
      if (kind) return [{ kind, said: given[0] }]
      return name === 'NotDecidable' && isCause(given[0])
        ? [{ kind: given[0].value, said: given[1] }]
        : []
    }
    case 'CallExpression':
      return byCall(node, given)
    case 'ArrayExpression': {
      const [cause, said] = node.elements as Node[]
      const isReason =
        said !== undefined && (said.type !== 'Literal' || String(said.value).includes(' '))
      return isCause(cause) && isReason ? [{ kind: cause.value, said }] : []
    }
    case 'Property':
      return byMember(nameOf(node.key as Node) ?? '', node.value as Node)
    default:
      return []
  }
}

function byCall(node: Node, given: Node[]): Found[] {
  const callee = node.callee as Node
  const name = nameOf(callee) ?? ''
  if (callee.type === 'Super')
    return [
      {
        kind: /^helpers\/(service|loans)/.test(node.file) ? 'trouble' : 'cannot run',
        said: given[0],
      },
    ]
  if (name === 'premise' && isCause(given[1])) return [{ kind: given[1].value, said: given[2] }]
  if (name === 'mistake') return [{ kind: 'cannot run', said: given[0], hasSubject: false }]
  if (name === 'push' || name === 'unshift') {
    const list = nameOf((callee.object as Node) ?? callee) ?? ''
    return given.flatMap((said) => byMember(list, said))
  }
  const kind = written[node.file]
  if (kind && ['write', 'say'].includes(name)) return [{ kind, said: given[0] }]
  const call = Object.hasOwn(calls, name) ? calls[name] : undefined
  return call ? [{ kind: call[0], said: given[call[1]] }] : []
}

function byMember(name: string, said: Node): Found[] {
  const kind = Object.hasOwn(members, name) ? members[name] : undefined
  return kind && said.file !== 'program/report/sample-report.ts' ? [{ kind, said }] : []
}

/** On one line, as a reader looks it up; values that follow one another are one. */
const tidy = (text: string) =>
  text
    .replace(/\s+/g, ' ')
    .replace(/(?:<[^<>]*>|…)*…(?:<[^<>]*>|…)*/g, '…')
    .replace(/ ([,;:.])/g, '$1')
    .trim()

/** Something of its own is said: a gap alone says what another place has said. */
const isSentence = (text: string) =>
  /^[\p{L}\d<'.…-]/u.test(text) &&
  (text.replace(/<[^>]*>|…/g, '').match(/\p{L}{2,}/gu) ?? []).length >= 2

/** Whether a sentence that was printed is one of these. */
export function matcherOf(messages: readonly Message[]): (sentence: string) => boolean {
  const forms = messages.map(({ text }) => {
    const parts = text
      .split(/<[^<>]*>|…/)
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    return new RegExp(`^${parts.join('[^]*')}$`)
  })
  return (sentence) => {
    const whole = tidy(sentence)
    return forms.some((form) => form.test(whole))
  }
}
