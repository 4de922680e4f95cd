import { counted } from '../counted.ts'
import { describeAnswer, type Head, headOf } from '../head.ts'
import { shown } from '../shown.ts'
import { inContext } from './context.ts'
import type { Context, FileSign, Kind, Words } from './kind.ts'

/** A body is not a file, or cannot be read as what it has to be. */
export type MalformedFinding = Context & {
  kind: 'malformed'
  flaw: Flaw
  /** left out if the file is known from several answers */
  of?: Head
}

/** Where numbers say where it is, bytes count from 0, records and pages from 1. */
export type Flaw =
  | { is: 'empty' }
  /** it begins as something else does */
  | { is: 'not delimited text'; got: string }
  | { is: 'not JSON'; got: string }
  | { is: 'two encodings' }
  | { is: 'two header rows'; rows: number }
  | { is: 'another width'; record: number; cells: number; usual: number }
  | { is: 'NUL'; byte: number }
  | { is: 'line feed'; byte: number }
  /** in the words of the reader of CSV */
  | { is: 'invalid CSV'; record: number; message: string }
  | { is: 'no beginning of a PDF'; got: string }
  | { is: 'text before the PDF'; got: string }
  | { is: 'no end of a PDF'; bytes: number }
  | { is: 'no page' }
  /** in the words of the reader of PDFs; without a page it does not open */
  | { is: 'invalid PDF'; page?: number; pages?: number; message: string }
  /** on the fullest page, and on that of a PDF without events */
  | { is: 'no text'; letters: number; without: number }

export const malformedFinding = (
  flaw: Flaw,
  { of, ...context }: Context & { of?: Head } = {},
): MalformedFinding => ({
  kind: 'malformed',
  flaw,
  ...(of ? { of: headOf(of) } : {}),
  ...context,
})

export const malformed: Kind<MalformedFinding> = {
  wordsOf({ flaw, of, ...context }) {
    const begin = of ? `${describeAnswer(of)}: ` : ''
    const { sentence, expected, got } = wordsOfFlaw(flaw)
    return { sentence: inContext(`${begin}${sentence}`, context), expected, got }
  },
  againOf: ({ flaw }) => {
    const sign = signOf(flaw)
    if (sign) return { file: [sign] }
    return flaw.is === 'another width' ? { why: ofCells } : undefined
  },
}

/** What a right file has in place of the flaw; left out: a shell cannot see it. */
function signOf(flaw: Flaw): FileSign | undefined {
  switch (flaw.is) {
    case 'empty':
      return 'filled'
    case 'not delimited text':
      return 'delimited text'
    case 'NUL':
      return 'no NUL'
    case 'no beginning of a PDF':
      return '%PDF-'
    case 'text before the PDF':
      return '%PDF- first'
    case 'no end of a PDF':
      return '%%EOF'
    case 'not JSON':
      return 'whole JSON'
    case 'two header rows':
      return 'first line once'
    case 'invalid CSV':
      return 'paired quotes'
    case 'no page':
    case 'no text':
    case 'invalid PDF':
      return 'readable PDF'
    default:
      return undefined
  }
}

const ofCells = 'the cells of a CSV have to be understood, which takes more than counting its lines'

export const describeFlaw = (flaw: Flaw): string => wordsOfFlaw(flaw).sentence

function wordsOfFlaw(flaw: Flaw): Words {
  switch (flaw.is) {
    case 'empty':
      return { sentence: 'the file has 0 bytes', expected: 'a file', got: '0 bytes' }
    case 'not delimited text':
      return wordsOfContent(flaw)
    case 'not JSON': {
      const got = shown(flaw.got)
      return { sentence: `${got} is not JSON`, expected: 'JSON', got }
    }
    case 'text before the PDF': {
      const got = shown(flaw.got)
      return { sentence: `${got} stands before %PDF-`, expected: '%PDF-', got }
    }
    case 'no text':
      return wordsOfLetters(flaw)
    case 'no beginning of a PDF':
    case 'no end of a PDF':
    case 'no page':
    case 'invalid PDF':
      return wordsOfPdf(flaw)
    default:
      return wordsOfCsv(flaw)
  }
}

type Of<Name extends Flaw['is']> = Extract<Flaw, { is: Name }>

const contents: Readonly<Record<string, string>> = { PDF: 'a PDF', nothing: 'empty' }

function wordsOfContent({ got: content }: Of<'not delimited text'>): Words {
  const got = contents[content] ?? content
  const expected = 'delimited text'
  return { sentence: `the file is ${got}, not ${expected}`, expected, got }
}

function wordsOfLetters({ letters, without }: Of<'no text'>): Words {
  return {
    sentence: 'the fullest page has no more text than a PDF without events',
    expected: `more than ${without} letters on a page`,
    got: counted(letters, 'letter'),
  }
}

type CsvFlaw = Of<
  'two encodings' | 'two header rows' | 'another width' | 'NUL' | 'line feed' | 'invalid CSV'
>

function wordsOfCsv(flaw: CsvFlaw): Words {
  switch (flaw.is) {
    case 'two encodings':
      return {
        sentence: 'letters of one byte are among those of UTF-8',
        expected: 'one encoding',
        got: 'two encodings',
      }
    case 'two header rows': {
      const got = counted(flaw.rows, 'header row')
      return { sentence: `the CSV has ${got}, not one`, expected: 'one header row', got }
    }
    case 'another width':
      return wordsOfWidth(flaw)
    case 'NUL':
      return wordsOfForm(`byte ${flaw.byte} is NUL`)
    case 'line feed':
      return wordsOfForm(
        `byte ${flaw.byte} is a line feed outside of quotes, where records end with CR LF`,
      )
    case 'invalid CSV':
      return wordsOfForm(`record ${flaw.record} is not valid CSV: ${flaw.message}`)
  }
}

function wordsOfWidth({ record, cells, usual }: Of<'another width'>): Words {
  const got = counted(cells, 'cell')
  return {
    sentence: `record ${record} has ${got}, but the first row ${usual}`,
    expected: counted(usual, 'cell'),
    got,
  }
}

const wordsOfForm = (sentence: string): Words => ({
  sentence,
  expected: 'well-formed CSV',
  got: sentence,
})

type PdfFlaw = Of<'no beginning of a PDF' | 'no end of a PDF' | 'no page' | 'invalid PDF'>

function wordsOfPdf(flaw: PdfFlaw): Words {
  const sentence = sentenceOfPdf(flaw)
  return { sentence, expected: 'a PDF that opens and has a page', got: sentence }
}

function sentenceOfPdf(flaw: PdfFlaw): string {
  switch (flaw.is) {
    case 'no beginning of a PDF':
      return `it does not begin with %PDF- but with ${flaw.got === '' ? 'nothing' : shown(flaw.got)}`
    case 'no end of a PDF':
      return `byte ${flaw.bytes}: the file ends without %%EOF, as one that was cut off`
    case 'no page':
      return 'the PDF has no page'
    case 'invalid PDF':
      return `${describePageRead(flaw)}: ${flaw.message}`
  }
}

export const describePageRead = ({ page, pages }: { page?: number; pages?: number }): string =>
  page === undefined ? 'opening the PDF' : `page ${page} of ${pages} of the PDF`
