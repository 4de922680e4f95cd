import { locales } from '../calls/locales.ts'
import { open } from '../rules/open.ts'
import type { ExportFile } from '../rules/stated-export.ts'
import { type Aspect, aspect, one } from './aspect.ts'
import { bodies, kinds } from './refusals.ts'
import * as is from './shapes.ts'

const contentType = is.like(/^none$|^[!-~]+\/[ -~]+$/)
const separated = ['comma', 'pipe', 'semicolon', 'space'] as const
const encodings = is.list(is.word('repeat', 'brackets', 'indices', 'json', ...separated))
const arrays = is.object(is.same(['one', 'several'], encodings))
const languages = is.list(is.word(...locales))
const byLanguage = is.each(is.either(is.refusal, is.word('as in English')))
const rows = is.object({ by: is.json, order: is.word('ascending', 'descending') })
const status = is.object({ status: is.either(is.refusal, is.success) })
const handedOver = (content: 'text' | 'PDF') =>
  is.object({ status: is.word(200), content: is.word(content), disposition: is.headerText })

/** The forms of export queries and of their files. */
export const exports: Aspect[] = [
  one('export.array-encoding', arrays, ({ one = [], several }, { note }) => {
    if (several?.length === 0)
      note('export.array-encoding', 'saw no form in which several values are understood')
    const understood = [...new Set([...one, ...(several ?? [])])]
    // Repeated names are also read where a separator is.
    const hasSeparator = separated.some((each) => understood.includes(each))
    const read = understood.filter((each) => !hasSeparator || each !== 'repeat')
    return read.length === 0 ? {} : { arrayEncodings: () => read }
  }),
  aspect(
    {
      'export.error-body': bodies,
      'export.unknown-parameter': status,
      'export.locale-unsupported': byLanguage,
    },
    (seen, { first }) => {
      const ofLanguages = [...new Set(Object.values(seen['export.locale-unsupported'] ?? {}))]
      const answers: Record<string, unknown> = {
        parameter: seen['export.unknown-parameter']?.status,
        locale: first('export.locale-unsupported', ofLanguages),
      }
      for (const [name, answer] of Object.entries(seen['export.error-body'] ?? {}))
        answers[kinds[name] ?? name] = answer === 'accepted' ? answer : answer.status
      return {
        queryRefusal: (call) => {
          const answer = answers[call.flaw]
          if (answer === undefined) return open.queryRefusal(call)
          return is.refusal(answer) ? answer : undefined
        },
      }
    },
  ),
  one('export.locales-that-change-the-file', languages, (changing) => ({
    locales: () => ['en', ...changing],
  })),
  aspect(is.same(['export.csv-content-type', 'export.pdf-content-type'], contentType), (seen) => ({
    exportContentType: (asked) => {
      const type = seen[`export.${asked.fileType}-content-type`] ?? open.exportContentType(asked)
      return type === 'none' ? undefined : type
    },
  })),
  aspect(
    {
      'export.delivery': is.object({ csv: handedOver('text'), pdf: handedOver('PDF') }),
      'export.file-name': is.object(is.same(['csv', 'pdf'], is.headerText)),
    },
    (seen) => ({
      disposition: (asked) => {
        const { disposition } = seen['export.delivery']?.[asked.fileType] ?? {}
        const name = seen['export.file-name']?.[asked.fileType]
        if (disposition === undefined && name === undefined) return open.disposition(asked)
        if (disposition === 'none') return undefined
        const type = disposition ?? 'attachment'
        return name === undefined || name === 'none' ? type : `${type}; filename="${name}"`
      },
    }),
  ),
  one(
    'export.bom',
    is.object({ byteOrderMark: is.flag, encoding: is.word('utf-8', 'utf-16le', 'utf-16be') }),
    ({ byteOrderMark: mark = false, encoding = 'utf-8' }) => ({
      byteOrderMark: () => mark,
      delivery: ({ file, fileType }) =>
        fileType === 'pdf' || encoding === 'utf-8'
          ? file
          : { ...file, content: recoded(file.content, encoding === 'utf-16be') },
    }),
  ),
  one('export.delimiter', is.like(/^[^\w\s"]$|^\t$/), (delimiter) => ({
    delimiter: () => delimiter,
  })),
  one('export.line-ending', is.word('\r\n', '\n', '\r', 'none'), (ending) =>
    ending === 'none' ? {} : { lineEnding: () => ending },
  ),
  one(
    'export.header-row',
    is.object({ header: is.flag, linesBeforeRows: is.count, linesBehindRows: is.count }),
    ({ header = true, linesBeforeRows = 1, linesBehindRows = 0 }) => {
      const before = linesBeforeRows - (header ? 1 : 0)
      return {
        headerRow: () => header,
        titleLines: ({ fileType }) => (fileType === 'csv' ? lines('Audit events', before) : []),
        closingLines: () => lines('End of the audit events', linesBehindRows),
      }
    },
  ),
  one('export.row-order', rows, ({ order }) =>
    order === 'descending' ? { rowOrder: (asked) => open.rowOrder(asked).toReversed() } : {},
  ),
]

const lines = (text: string, count: number) =>
  Array.from({ length: Math.max(0, count) }, (_, at) => (at === 0 ? text : `${text} (${at + 1})`))

/** Encodes a text; its byte order mark is a part of it. */
const recoded = (content: ExportFile['content'], isBigEndian: boolean) =>
  new Response(content).body
    ?.pipeThrough(new TextDecoderStream('utf-8', { ignoreBOM: true }))
    .pipeThrough(
      new TransformStream({
        transform(text: string, to) {
          const little = Buffer.from(text, 'utf16le')
          to.enqueue(isBigEndian ? little.swap16() : little)
        },
      }),
    )
