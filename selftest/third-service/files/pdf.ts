import { createRequire } from 'node:module'
import { setImmediate as letOthersRun } from 'node:timers/promises'
import PDFDocument from 'pdfkit'
import type { Hooks } from '../hooks.ts'
import type { AuditEvent } from '../model.ts'
import { columns } from './sheet.ts'

const WIDE_FONT = createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')
const TITLES: Record<string, string> = {
  en: 'Trail of events',
  de: 'Verlauf der Ereignisse',
  es: 'Historial de eventos',
  fr: 'Historique des événements',
  it: 'Cronologia degli eventi',
  nl: 'Verloop van gebeurtenissen',
  pt: 'Histórico de eventos',
}
const MARGIN = 36
const LINE = 11
const SIZE = 8
const BOTTOM = 36
const WRITE = { lineBreak: false }
const NEEDS_WRAP = /\n/
const PLAIN = /^[\x20-\x7e\xa0-\xff\n]*$/

type When = (event: AuditEvent, page: number) => string

/** Most of the time of a long print goes into looking up pairs of letters; none are moved here. */
function withoutKerning(doc: object): void {
  const { font } = (doc as { _font: { font: { getKernPair?: () => number } } })._font
  if (font.getKernPair) font.getKernPair = () => 0
}

/** Prints the events one below the other, each as a small block of titled lines. */
class Printer {
  readonly #doc = new PDFDocument({ size: 'A4', margin: MARGIN, autoFirstPage: false })
  readonly #title: string
  #page = 0
  #y = 0

  constructor(locale: string) {
    this.#title = TITLES[locale] ?? 'Trail of events'
    withoutKerning(this.#doc.font('Helvetica'))
  }

  get page(): number {
    return this.#page
  }

  turn(): void {
    this.#doc.addPage()
    this.#page += 1
    this.#doc.font('Helvetica').fontSize(SIZE)
    this.#doc.text(`${this.#title} - ${this.#page}`, MARGIN, MARGIN, WRITE)
    this.#y = MARGIN + 2 * LINE
  }

  /** Whether a block of that many lines has to go on a new page. */
  isFull(lines: number): boolean {
    return this.#y + lines * LINE > this.#doc.page.height - BOTTOM
  }

  line(text: string): void {
    if (this.isFull(1)) this.turn()
    this.#doc.font(PLAIN.test(text) ? 'Helvetica' : WIDE_FONT).fontSize(SIZE)
    this.#doc.text(text, MARGIN, this.#y, WRITE)
    this.#y += LINE
  }

  /** Cuts a long text into lines that fit on the page, at blanks where it can. */
  wrap(text: string): string[] {
    if (text.length < 110 && !NEEDS_WRAP.test(text)) return [text]
    const cut = /.{1,104}(?:\s|$)|.{1,104}/gu
    return text.split(/\r?\n/).flatMap((part) => part.match(cut)?.map((s) => s.trimEnd()) ?? [''])
  }

  gap(): void {
    this.#y += LINE / 2
  }

  async finish(): Promise<Buffer> {
    const pieces: Buffer[] = []
    this.#doc.on('data', (piece: Buffer) => pieces.push(piece))
    const ended = new Promise((done) => this.#doc.on('end', done))
    this.#doc.end()
    await ended
    return Buffer.concat(pieces)
  }
}

export async function printPdf(
  events: AuditEvent[],
  locale: string,
  hooks: Hooks,
  when: When,
): Promise<Buffer> {
  const printer = new Printer(locale)
  printer.turn()
  for (const [at, event] of events.entries()) {
    if (at % 100 === 99) await letOthersRun()
    const size = blockOf(event, '', printer).length
    if (printer.isFull(size) && size < 50) {
      printer.turn()
      if (!hooks.run('firstOnPage', true, { page: printer.page })) continue
    }
    for (const line of blockOf(event, when(event, printer.page), printer)) printer.line(line)
    printer.gap()
  }
  return printer.finish()
}

function blockOf(event: AuditEvent, when: string, printer: Printer): string[] {
  return columns
    .map((column) => ({ title: column.title, value: column.of(event, when) }))
    .filter(({ title, value }) => value !== '' || title === 'Happened')
    .flatMap(({ title, value }) => printer.wrap(`${title}: ${value}`))
}
