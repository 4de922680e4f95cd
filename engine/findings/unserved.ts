import { counted } from '../counted.ts'
import { describeAnswer, type Head, headOf } from '../head.ts'
import { inContext } from './context.ts'
import type { Context, Kind } from './kind.ts'

/** A request gets no response, or no file. */
export type UnservedFinding = Context & { kind: 'unserved' } & Lack

type Lack =
  /** in any of these tries; `last`: why the last one got none, in words of the client. `to` names the request. */
  | { lacks: 'response'; tries: number; last: string }
  /** the response names an address, in a header or in JSON, and that responds with another status */
  | { lacks: 'file'; of: Head; named: { by: string; address: string; status: number } }

export const unservedFinding = (lack: Lack, context: Context = {}): UnservedFinding =>
  lack.lacks === 'file'
    ? { kind: 'unserved', ...lack, of: headOf(lack.of), ...context }
    : { kind: 'unserved', ...lack, ...context }

export const unserved: Kind<UnservedFinding> = {
  wordsOf(finding) {
    if (finding.lacks === 'file') {
      const { by, address, status } = finding.named
      const fact = `${describeAnswer(finding.of)}: ${by} names ${address}, which responded ${status}, not with a file`
      return {
        sentence: inContext(fact, finding),
        expected: 'a file at that address',
        got: String(status),
      }
    }
    const { to, although, last, tries } = finding
    const request = to ? ` ${to}` : ''
    const end = although ? `, although ${although}` : ''
    return {
      sentence: `no response${request} in ${counted(tries, 'try', 'tries')}${end}; the last: ${last}`,
      expected: 'a response',
      got: 'none',
    }
  },
  againOf: ({ lacks }) => (lacks === 'file' ? { why: ofAddress } : undefined),
}

const ofAddress =
  'the file is at another address than the request, and that address differs each time'
