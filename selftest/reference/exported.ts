import Papa from 'papaparse'
import { expect } from 'vitest'
import { makeEvents } from '../../reference/calls/events.ts'
import { createService, type Service } from '../../reference/service.ts'
import { makeWorld } from '../../reference/world/world.ts'

export const smallWorld = makeWorld(1, { events: 1_200 })
export const events = makeEvents(smallWorld)
export const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)
export const service = createService({ world: smallWorld })

export type Query = Record<string, string | string[]>

/** Asks for an export. */
export const exported = (query: Query = {}, from: Service = service) => {
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, values]) =>
      [values].flat().map((value): [string, string] => [name, value]),
    ),
  )
  return from.fetch(
    new Request(`http://reference/v5/audit-sentinel/events/export?${search}`, {
      headers: { apikey: from.world.apiKey },
    }),
  )
}

/** The rows of a CSV that was exported. */
export const rowsOf = async (answer: Response, delimiter = ',') => {
  expect(answer.status).toBe(200)
  const { data, errors } = Papa.parse<Record<string, string>>(await answer.text(), {
    header: true,
    delimiter,
    newline: '\r\n',
    skipEmptyLines: true,
  })
  expect(errors).toEqual([])
  return data as ({ id: string; time: string } & Record<string, string>)[]
}

export const csv = async (query?: Query, from?: Service) => rowsOf(await exported(query, from))
export const ids = async (query?: Query, from?: Service) => idsOf(await csv(query, from))

/** The text of a PDF that was exported, and how many pages it has. */
export const pdfText = async (answer: Response) => {
  expect(answer.status).toBe(200)
  const { PDFParse } = await import('pdf-parse')
  const parser = new PDFParse({ data: Buffer.from(await answer.arrayBuffer()) })
  const { text, total } = await parser.getText({ pageJoiner: '' })
  await parser.destroy()
  return { text, pages: total }
}
