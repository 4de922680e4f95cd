// The words that statements, messages, docs, comments and names avoid: the last step of `npm run check`.

import { read, tree } from './tree.ts'

/** Phrases of prose that a reader stumbles over; common words say the same. */
const phrases: readonly RegExp[] = [
  /\b(?:tells? of|told(?! apart| by)|stumbl\w+|astray|whatever|whoever|whichever|whomever)\b/,
  /\b(?:stands? on|rests? on|stands? for|lets? in|let in|as chance has it|think better of)\b/,
  /(?<!\bthere )\b(?:is|are|was|were) (?:no (?!longer\b|more\b|later\b)\w+|none\b)/,
  /\b(?:is|are|was|were|holds?|held) (?:held )?against (?:it|nobody|them|no)\b/,
  /\b(?:of (?:which|whom)|somebody|nobody else|be it|all the same|whereabouts)\b/,
  // "takes" for "accepts": what takes time or place is fine.
  /\btakes (?:it|them|what|those|that|such|either|any|every|no|none|nothing|under|both|bounds|columns)\b/,
  /\blikes\b/,
]

/** What users read has one word for one thing: that of the contract, of HTTP or of spreadsheets. */
const forUsers: readonly RegExp[] = [
  /\b(?:refus(?:e[sd]?|ing|als?)|let(?:s|ting)? in|carr(?:y|ies|ied|ying) (?:it |this )?out)\b/,
  /\b(?:un)?answer(?:s|ed|ing)?\b/,
  /\b(?:gives|gave|holds|held)\b/,
  /\bas (?:it|they) (?:was|were)\b|\bchang\w+ nothing\b|\ban unassign\b(?! (?:request|object))/,
  /\b(?:who assigned, to whom|not named|not shown|whatever)\b/,
  /\b(?:bad|wrong) keys?\b/,
  /(?<!\btime )\bzones?\b/,
  /\b(?:row of )?titles\b/,
  /\bmail(?:s|ed|ing)?\b/,
  /\b(?:undecided|(?<!do not )touch(?:es|ed)?)\b/,
  // Double negatives, and a pronoun where a noun belongs.
  /\bnot (?:\w+ )?(?:no|none|nothing|never|not)\b/,
  /\b(?:ones?|those|such|none)(?=[.,;:]|$)/,
]

/** Each on purpose: where, what, and why. */
// biome-ignore format: one exception a line
const allowed: readonly [file: RegExp, text: RegExp, why: string][] = [
  [/^suites/, /'bad key, /, 'a member of an observed value, which earlier reports have'],
  [/^(?:helpers\/updates|suites)/, /'not carried out'/, 'a value that no text shows'],
  [/^program\/input\/commands/, /answer/, 'what a person answers to a question'],
  [/^engine\/http\/failure/, /ECONNREFUSED/, 'the words of every program for it'],
  [/^helpers\/settings\/table/, /: none, /, 'a value of the setting'],
  [/^reporting\/repeat\/(?:script|version)|^reporting\/html\/data/, /./, 'code within a template'],
  [/^program\/serve/, /held \?/, 'code within a template'],
  [/^(?:suites\/notif|helpers\/trail)/, /'somebody/, 'an observed value, which earlier reports have'],
  [/^selftest\/steady/, /somebody/, 'a seed: another text draws other people'],
  [/^helpers\/updates\/attempts/, /a gateway answers/, 'the name of a finding, which no text shows'],
  [/commands|flags/, /takes under a minute/, 'what takes time is fine'],
  [/^docs\/reports/, /\| refused \|/, 'the name of a cause'],
  [/^docs\/settings/, /BODIES/, 'a value of the setting'],
  [/^engine\/run\/report|^helpers\/export\/laws\/file/, /export type/, 'named so by the files around it'],
  [/^CHANGELOG/, /takes no team/, 'what a release said'],
]

const metaphors =
  'vigils?|patien(?:ce|t)|legs?|journeys?|aftermath|gains?|gained|lulls?|stor(?:y|ies)'
const capital = metaphors.replace(/(?<=^|\|)[a-z]/g, (letter) => letter.toUpperCase())
/** Metaphors that name nothing: not in prose, and not as a part of a name of the code or of a file. */
const poetry = new RegExp(
  `(?<![a-zA-Z])(?:${metaphors})(?![a-z])|(?<![A-Z])(?:${capital})(?![a-z])`,
)

/** Participles as types: they do not say of what. */
const participle =
  /\bexport (?:type|interface|class) (?:Seen|Shown|Found|Asked|Told|Known|Kept|Met|Sent)\b/

/** The contract's sentences, which are quoted, and this list. */
const skipped = [
  'helpers/contract/sentences.ts',
  'selftest/repository/words.ts',
  'helpers/contract/contract.md',
]
/** The names of proofs stand in the golden matrix, which does not change. */
const isName = (file: string) => /^selftest\/proofs\/(?:faults|variants|dead)\//.test(file)
/** Pages for users; the others are for developers. */
const isPage = (file: string) => /^(?:docs\/(?!adding-|how-it-|when-)|README).*\.md$/.test(file)
const code = /^```[\s\S]*?^```|^ {4,}.*$|`[^`\n]*`|"[^"\n]*"/gm
const isMessage = (file: string, text: string) =>
  /^(?:engine|helpers|suites|program|reporting)\/|^[^/]+\.ts$/.test(file) &&
  / [a-z]+ |^[^a-z]*[a-z]+[,;:]? [a-z]+/.test(text)

const comment = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/
const text = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/
const pieces = new RegExp(`${comment.source}|${text.source}`, 'gm')
const isComment = (piece: string) => /^\/[/*]/.test(piece)
const isPath = (piece: string) => /^.(?:\.{1,2}\/|node:)/.test(piece)

type Avoided = { file: string; line: number; word: string; text: string }

/** A statement completes "The service must …" in at most so many words. */
const mostWords = 22
const statement = /\b(?:must|should|observe):\s+(['"`])(.*?)\1,?$/gm

/** What a file holds of them. */
function avoidedIn(file: string, source: string): Avoided[] {
  const lines = source.split('\n')
  const all: Avoided[] = []
  const look = (piece: string, at: number, patterns: readonly RegExp[]) => {
    // A phrase may go on in the next line of a comment.
    const flat = piece.replace(/\n\s*(?:\*|\/\/|#)?/g, (gap) => ' '.repeat(gap.length))
    for (const pattern of patterns)
      for (const found of flat.matchAll(new RegExp(pattern, pattern === poetry ? 'g' : 'gi'))) {
        const line = source.slice(0, at + found.index).split('\n').length
        all.push({ file, line, word: found[0].replace(/\s+/g, ' '), text: lines[line - 1] ?? '' })
      }
  }
  if (file.endsWith('.py'))
    for (const { 0: piece, index } of source.matchAll(/"[^"\n]*"|#[^\n]*/g))
      look(piece, index, [...phrases, poetry])
  else if (!/\.(?:ts|mjs|js)$/.test(file)) {
    look(source, 0, [...phrases, poetry])
    if (isPage(file))
      look(
        source.replace(code, (found) => found.replace(/[^\n]/g, ' ')),
        0,
        forUsers,
      )
  } else {
    for (const { 0: piece, index } of source.matchAll(pieces)) {
      if (isPath(piece) || (!isComment(piece) && isName(file))) continue
      const prose = isComment(piece)
        ? piece
        : piece.replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, (code) => ' '.repeat(code.length))
      const isRead = !isComment(piece) && isMessage(file, prose)
      look(prose, index, [...phrases, poetry, ...(isRead ? forUsers : [])])
    }
    const bare = source.replace(pieces, (piece) => piece.replace(/[^\n]/g, ' '))
    look(bare, 0, [poetry, participle])
  }
  for (const { 2: said = '', index } of /^suites/.test(file) ? source.matchAll(statement) : []) {
    const { length } = said.replace(/\$\{[^}]*\}/g, 'X').split(' ')
    const line = source.slice(0, index).split('\n').length
    if (length > mostWords) all.push({ file, line, word: `${length} words`, text: said })
  }
  if (poetry.test(file)) all.push({ file, line: 0, word: file, text: 'the name of the file' })
  return all
}

const all = tree
  .filter((file) => /\.(?:ts|mjs|js|py|md|yml|sh)$|\.env\.example$/.test(file))
  .filter((file) => !skipped.includes(file))
  .flatMap((file) => avoidedIn(file, read(file)))
  .filter(({ file, text }) => !allowed.some(([in_, what]) => in_.test(file) && what.test(text)))
for (const { file, line, word, text } of all)
  console.log(`${file}:${line}: ${word} | ${text.trim().slice(0, 110)}`)
console.log(`${all.length} found; what stays on purpose is listed with its reason in words.ts`)
process.exitCode = all.length > 0 ? 1 : 0
