import type { Export } from '../../../../reference/calls/export-call.ts'
import type { ExportFile } from '../../../../reference/rules/stated-export.ts'
import { rawPdf } from '../../../engine/files/raw-pdf.ts'
import { bytesOf, inCsv, inPdf } from '../../bent/exports.ts'
import { type Fault, fault, tableOf } from '../../fault.ts'

const isOf = { csv: inCsv, pdf: inPdf }

type ExportWithFile = Export & { file: ExportFile }
const ofLimit = ['at', 'under', 'narrowed'].map((name) => `export.pdf-limit.${name}`)
const statuses: Fault[] = (['csv', 'pdf'] as const).flatMap((fileType) =>
  [201, 202, 206].map((status) =>
    fault(`a ${fileType} is answered ${status}`, {
      exportStatus: (asked) => (isOf[fileType](asked) ? status : 200),
      // For a PDF of as many events as one may hold 200 is stated as well.
      breaks: fileType === 'pdf' ? ['export.pdf.status', ...ofLimit] : ['export.csv.status'],
    }),
  ),
)

/** What stands in place of a file, and by which clause it is caught. */
const others = tableOf<[string, 'csv' | 'pdf', string, string]>([
  ['nothing', 'csv', '', 'export.csv.status'],
  ['nothing', 'pdf', '', 'export.pdf.status'],
  ['an error in JSON', 'csv', '{"error": "no"}', 'export.csv.readable'],
  ['an error in JSON', 'pdf', '{"error": "no"}', 'export.pdf.readable'],
  ['a page to log in', 'csv', '<!DOCTYPE html>\n<title>Log in</title>\n', 'export.csv.readable'],
  ['a page to log in', 'pdf', '<!DOCTYPE html>\n<title>Log in</title>\n', 'export.pdf.readable'],
  ['a PDF', 'csv', '%PDF-1.7\n1 0 obj\n', 'export.csv.readable'],
  ['a CSV', 'pdf', 'id,time\r\n1,2\r\n', 'export.pdf.readable'],
  ['the beginning of a PDF', 'pdf', '%PDF-1.7\n1 0 obj\n', 'export.pdf.readable'],
]).map(([what, fileType, content, breaks]) =>
  fault(`${what} in place of a ${fileType}`, {
    file: (asked: ExportWithFile) =>
      isOf[fileType](asked) ? { ...asked.file, content } : asked.file,
    disposition: () => undefined,
    breaks: [breaks],
  }),
)

const catalog = '<< /Type /Catalog /Pages 2 0 R >>'
const noPage = [catalog, '<< /Type /Pages /Kids [] /Count 0 >>']
const badPage = [
  catalog,
  '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] >>',
  '(none)',
]

/** Files that are not whole, or in an envelope. */
const wrapped = tableOf<[string, typeof inCsv, (bytes: Buffer) => string | Buffer, string[]]>([
  [
    'a CSV in JSON',
    inCsv,
    (bytes) => JSON.stringify({ data: { file: bytes.toString() } }),
    ['export.csv.readable'],
  ],
  [
    'a CSV in a list of JSON',
    inCsv,
    (bytes) => JSON.stringify([[bytes.toString()]]),
    ['export.csv.readable'],
  ],
  [
    'a PDF in JSON',
    inPdf,
    (bytes) => JSON.stringify({ file: bytes.toString('base64') }),
    ['export.pdf.readable'],
  ],
  ['half a PDF', inPdf, (bytes) => bytes.subarray(0, bytes.length / 2), ['export.pdf.readable']],
  ['a PDF without its end', inPdf, (bytes) => bytes.subarray(0, -8), ['export.pdf.readable']],
  ['a PDF of unknown objects', inPdf, () => '%PDF-1.7\n%%EOF\n', ['export.pdf.readable']],
  ['a PDF without a page', inPdf, () => rawPdf(noPage), ['export.pdf.readable']],
  ['a PDF with a page that is none', inPdf, () => rawPdf(badPage), ['export.pdf.readable']],
]).map(([name, isOf, bent, breaks]) =>
  fault(name, {
    file: async (asked: ExportWithFile) =>
      isOf(asked)
        ? { ...asked.file, content: bent(await bytesOf(asked.file)) as never }
        : asked.file,
    breaks,
  }),
)

const all = [...statuses, ...others, ...wrapped]
const isOfCsv = ({ breaks }: Fault) => breaks.some((id) => id.startsWith('export.csv'))

/** Everything that comes instead of a requested file. */
export const inPlaceOfCsv = all
  .filter(isOfCsv)
  // What is recorded cannot be seen either.
  .map((fault) => ({ ...fault, mayBreak: ['audit.*'] }))
export const inPlaceOfPdf = all.filter((fault) => !isOfCsv(fault))
