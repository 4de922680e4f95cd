import type { Exchange } from '../../../engine/http/exchange.ts'
import { isMisread } from '../../../engine/misread.ts'
import type { Breach } from '../../../engine/run/report.ts'
import { differenceOf } from '../differences.ts'
import { ifMatchOf, versionIn } from '../evidence.ts'
import { isAccepted, type Scene, type Symptom } from './cause.ts'

/** The causes of a breach that is in words alone, the most telling first. */
export function causesOfSaid({ breach, judged, route, statement, statuses }: Scene): Symptom[] {
  const { again, decides = {} } = breach
  const { status = 0, method } = judged
  const sent = decides['If-Match that was sent']
  const due = statuses.staleVersion
  const isOther = sent !== undefined && sent !== 'none' && sent !== decides['current updated_at']
  if (due !== undefined && isOther && isAccepted(judged))
    return [
      {
        key: `${due} as ${status} `,
        title: `Responds ${status}, not ${due}, to a wrong or stale If-Match`,
      },
    ]
  if (method === 'PUT' && status >= 400)
    return [{ key: `${status}, done`, title: `Responds ${status} to an update that takes effect` }]
  if (/\bonly (right )?after\b/.test(again?.why ?? ''))
    return [
      {
        key: 'unsteady',
        title: 'Does not always return the same rows to the same request',
      },
    ]
  const version = method === 'PUT' && versionIn(judged as Exchange)
  if (version && version === ifMatchOf(judged as Exchange))
    return [{ key: 'old version', title: 'Responds to an update with the version before it' }]
  const misread = isMisread(breach.expected, breach.got)
    ? [{ key: 'misread', title: 'Returns text in a wrong encoding' }]
    : []
  const others = misread.length > 0 ? [] : otherOf(breach, route, statement)
  return [...misread, ...(textsOf(breach, route) ?? others)]
}

/** Of a comment that was sent and is lost or changed, in answers, files and mails. */
function textsOf({ expected, got }: Breach, kind: string): Symptom[] | undefined {
  const [text] = /Contract\b[^"]*/.exec(expected) ?? []
  if (text === undefined) return undefined
  const title = /^n(ull|one|o )/.test(got) ? 'Loses a text that was sent' : 'Returns a text changed'
  return [{ key: `text ${text}` }, { key: `${kind}: ${title}`, title }]
}

/** A member with its change, or else what the statement says of any parameter. */
function otherOf({ expected, got, again }: Breach, kind: string, statement: string): Symptom[] {
  const [{ member } = {}] = again?.signs ?? []
  const [wanted, came] = differenceOf(bare(expected), bare(got)).map((pieces) =>
    pieces.flatMap((each) => (each.differs ? each.text : [])).join(''),
  )
  const change = wanted || came ? `${wanted} → ${came}` : statement.replace(named, '…')
  return [{ key: `${member ?? kind} ${change}` }]
}

const bare = (value: string) =>
  value
    .replace(/^"|"$/g, '')
    .replace(/[\da-f]{8}-[\da-f-]{20,}/g, '…')
    .replace(/\d[\d.:TZ-]*/g, 'N')

const named = /\b[a-z]+(_[a-z]+)+\b|(?<=metadata\[)\w+/g
