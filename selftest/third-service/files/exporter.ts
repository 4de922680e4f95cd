import type { Archive } from '../archive.ts'
import { momentText, offsetOf } from '../calendar.ts'
import type { Hooks } from '../hooks.ts'
import { type AuditEvent, type Call, type ExportQuery, Fault, type Reply } from '../model.ts'
import { QueryReader } from './export-query.ts'
import { printPdf } from './pdf.ts'
import { columns, writeSheet } from './sheet.ts'

const PDF_LIMIT = 5000

/** Makes the file of an export. */
export class Exporter {
  readonly #archive: Archive
  readonly #hooks: Hooks

  constructor(archive: Archive, hooks: Hooks) {
    this.#archive = archive
    this.#hooks = hooks
  }

  async file(call: Call): Promise<Reply> {
    const read = new QueryReader(call.query).read()
    const query = this.#hooks.run('query', read.query, { call })
    const problem = this.#hooks.run('problem', read.problem, { call, query })
    if (problem) throw problem
    const lag = this.#hooks.run('lag', 0, { call })
    const until = lag > 0 ? Date.now() - lag : Number.POSITIVE_INFINITY
    const events = this.#archive.choose(query, until)
    const limit = this.#hooks.run('pdfLimit', PDF_LIMIT, { query })
    if (query.file === 'pdf' && events.length > limit)
      throw new Fault(400, 'PDF_TOO_LONG', `a PDF holds at most ${limit} events`)
    return query.file === 'pdf' ? this.#pdf(events, query) : this.#csv(events, query)
  }

  #csv(events: AuditEvent[], query: ExportQuery): Reply {
    const style = { delimiter: ',', opening: '', lineEnd: '\r\n' }
    const rows = events.map((event) => {
      const when = this.#when(event, query, 1)
      return columns.map((column) => column.of(event, when))
    })
    const text = writeSheet(rows, this.#hooks.run('sheet', style, { query }), this.#hooks)
    return fileReply('text/csv; charset=utf-8', 'csv', Buffer.from(text))
  }

  async #pdf(events: AuditEvent[], query: ExportQuery): Promise<Reply> {
    const bytes = await printPdf(events, query.locale, this.#hooks, (event, page) =>
      this.#when(event, query, page),
    )
    return fileReply('application/pdf', 'pdf', bytes)
  }

  #when(event: AuditEvent, query: ExportQuery, page: number): string {
    const ms = event.at
    const zone = this.#hooks.run('zone', query.zone, { page, query })
    const offset = this.#hooks.run('offset', offsetOf(zone, ms), { zone, ms })
    return this.#hooks.run('when', momentText(ms, offset, query.locale), { ms, offset })
  }
}

function fileReply(type: string, ending: string, payload: Buffer): Reply {
  const name = `trail-${new Date().toISOString().slice(0, 10)}.${ending}`
  return {
    status: 200,
    headers: { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` },
    payload,
  }
}
