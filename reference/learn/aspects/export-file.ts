import type { AuditEvent } from '../../calls/events.ts'
import type { Export } from '../../calls/export-call.ts'
import { open } from '../../rules/open.ts'
import type { ExportFile } from '../../rules/stated-export.ts'
import type { Aspect } from '../aspect.ts'
import { isMembers, type Seen, shown } from '../seen.ts'

/** Content types, names and how files are handed over. */
const delivery: Aspect = {
  of: [
    'export.delivery',
    'export.csv-content-type',
    'export.pdf-content-type',
    'export.file-name',
    'export.bom',
  ],
  rules(seen) {
    const id = 'export.delivery'
    const ways = seen.members(id)
    const types = {
      csv: seen.value('export.csv-content-type'),
      pdf: seen.value('export.pdf-content-type'),
    }
    const names = seen.members('export.file-name')
    const wayOf = (fileType: Export['fileType']) => {
      const way = ways[fileType]
      return isMembers(way) ? way : {}
    }
    for (const { content, status } of [wayOf('csv'), wayOf('pdf')]) {
      if (content !== undefined && !['text', 'PDF', ...links].includes(String(content)))
        seen.unclear(id, `saw ${content} in place of a file`)
      if (status !== undefined && status !== 200)
        seen.unclear(id, `saw ${status}; the contract states 200`)
    }
    const encoding = String(seen.members('export.bom').encoding ?? 'utf-8')
    if (!['utf-8', ...Object.keys(encoders)].includes(encoding))
      seen.unclear('export.bom', `saw ${encoding}, an encoding that this service cannot write`)
    return {
      open: {
        exportContentType: (asked) => {
          const type = types[asked.fileType]
          if (type === 'none') return undefined
          return typeof type === 'string' ? type : open.exportContentType(asked)
        },
        disposition: (asked) => {
          const { disposition } = wayOf(asked.fileType)
          const name = names[asked.fileType]
          if (disposition === undefined && name === undefined) return open.disposition(asked)
          if (disposition === 'none') return undefined
          const type = typeof disposition === 'string' ? disposition : 'attachment'
          return name === undefined || name === 'none' ? type : `${type}; filename="${name}"`
        },
        delivery: ({ file, ...asked }) => {
          const content = wayOf(asked.fileType).content
          const isLink = links.some((link) => link === content)
          if (isLink && !asked.query.has('ticket')) return linkTo(asked, String(content), file)
          const encode = asked.fileType === 'csv' ? encoders[encoding] : undefined
          return encode ? { ...file, content: recoded(file, encode) } : file
        },
      },
    }
  },
}

const links = ['a Location header', 'a Link header', 'a link in JSON']

/** In place of the file says that it is at the same address, with a ticket. */
function linkTo({ query }: Export, how: string, file: ExportFile) {
  const place = `/v5/audit-sentinel/events/export?${query}&ticket=1`
  if (how === 'a link in JSON')
    return { type: 'application/json', content: JSON.stringify({ download_url: place }) }
  const headers: Record<string, string> =
    how === 'a Location header' ? { location: place } : { link: `<${place}>; rel="enclosure"` }
  return { ...file, content: '', headers }
}

const encoders: Record<string, (text: string) => Buffer> = {
  'utf-16le': (text) => Buffer.from(text, 'utf16le'),
  'utf-16be': (text) => Buffer.from(text, 'utf16le').swap16(),
}

const recoded = ({ content }: ExportFile, encode: (text: string) => Buffer) =>
  new ReadableStream({
    async start(controller) {
      // As it stands there: the mark at its beginning is a part of it.
      const bytes = Buffer.from(await new Response(content).arrayBuffer())
      controller.enqueue(encode(bytes.toString()))
      controller.close()
    },
  })

/** How a CSV is written. */
const csv: Aspect = {
  of: [
    'export.delimiter',
    'export.bom',
    'export.line-ending',
    'export.header-row',
    'export.formula-cells',
  ],
  rules(seen) {
    const delimiter = seen.value('export.delimiter')
    const ending = seen.word('export.line-ending', ['\r\n', '\n', '\r', 'none'])
    const mark = seen.members('export.bom').byteOrderMark
    const { header, linesBeforeRows, linesBehindRows } = seen.members('export.header-row')
    const before = Math.max(0, Number(linesBeforeRows ?? 1) - (header === false ? 0 : 1))
    const behind = Number(linesBehindRows ?? 0)
    const guard = guardIn(seen)
    if (delimiter !== undefined && (typeof delimiter !== 'string' || delimiter.length !== 1))
      seen.unclear('export.delimiter', `holds ${shown(delimiter)}, which is no one character`)
    return {
      open: {
        delimiter: () =>
          typeof delimiter === 'string' && delimiter.length === 1 ? delimiter : ',',
        lineEnding: (asked) => (ending && ending !== 'none' ? ending : open.lineEnding(asked)),
        byteOrderMark: () => mark === true,
        headerRow: () => header !== false,
        titleLines: ({ fileType }) => (fileType === 'csv' ? lines('Audit events', before) : []),
        closingLines: () => lines('End of the audit events', behind),
        cellForm: ({ text }) => (guard && /^[=+\-@]/.test(text) ? `${guard}${text}` : text),
      },
    }
  },
}

const lines = (text: string, count: number) =>
  Array.from({ length: Math.min(count, 20) }, (_, at) => (at === 0 ? text : `${text} (${at + 1})`))

/** What stands before cells that begin like a formula. */
function guardIn(seen: Seen): string | undefined {
  const starts = seen.words('export.formula-cells')
  const guards = new Set(starts.map((start) => start.slice(0, -1)))
  return guards.size === 1 ? [...guards][0] : undefined
}

/** The order of rows. */
const rowOrder: Aspect = {
  of: ['export.row-order'],
  rules(seen) {
    const id = 'export.row-order'
    const value = seen.value(id)
    if (value === undefined) return {}
    if (value === 'none seen') return { open: { rowOrder: ({ events }) => shuffled(events) } }
    const { order } = seen.members(id)
    return {
      open: {
        rowOrder: (asked) => {
          const sorted = open.rowOrder(asked)
          return order === 'descending' ? sorted.toReversed() : sorted
        },
      },
    }
  },
}

/** In no order that a column shows, and the same each time. */
const shuffled = (events: AuditEvent[]) =>
  events.toSorted((a, b) => keyOf(a) - keyOf(b) || (a.id < b.id ? -1 : 1))

const keyOf = ({ id, time }: AuditEvent) => {
  let key = 0
  for (const letter of `${time}${id}`) key = (key * 31 + letter.charCodeAt(0)) % 99_991
  return key
}

export const aspectsOfFiles = [delivery, csv, rowOrder]
