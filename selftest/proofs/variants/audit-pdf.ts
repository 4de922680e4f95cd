import type { Column } from '../../../reference/calls/export-call.ts'
import { open } from '../../../reference/rules/open.ts'
import { stated } from '../../../reference/rules/stated.ts'
import { inPdf, isOf } from '../bent/exports.ts'
import { type Variant, variantsNamed } from '../fault.ts'

const columnsOfPdf = (...columns: Column[]): Variant['open'] => ({
  columns: (asked) => (inPdf(asked) ? columns : open.columns(asked)),
})

/** As long as a sentence on an assignment is: one on an unassignment is two letters longer. */
const mostInLine = 'assigned: Contract test, please ignore 0123456789 (0)'.length

/** How a PDF shows comments, and whether it does, is left open. */
export const pdfTrails = variantsNamed({
  'the PDF has no column of comments': { ...columnsOfPdf('time', 'id', 'event_type', 'sub_type') },
  'the PDF cuts comments after thirty letters': {
    cells: (asked) =>
      inPdf(asked)
        ? asked.cells.map((cell) => (cell === asked.event.comment ? `${cell.slice(0, 30)}…` : cell))
        : asked.cells,
  },
  'the PDF has a sentence for each event, and cuts those that are longer than others': {
    cells: (asked) => {
      const { sub_type, comment, id } = asked.event
      const sentence = `${sub_type}: ${comment}`.slice(0, mostInLine)
      return inPdf(asked) ? [id, sentence] : stated.cells(asked)
    },
    ...columnsOfPdf('id', 'comment'),
  },
  'the PDF breaks comments, and beside some of them the kinds of their events': {
    ...columnsOfPdf('sub_type', 'comment'),
    // On lines of eighteen letters a whole trail would fill thousands of pages.
    pdfLayout: (asked) =>
      [isOf('entity_id'), isOf('task_id')].some((is) => asked.filters.some(is))
        ? { long: 'wrap', page: [125, 595], margin: 24, size: 6 }
        : open.pdfLayout(asked),
  },
  'the PDF shows events half a second after the CSV': {
    env: { AUDIT_WAIT_S: '5' },
    rows: (asked) =>
      asked.events.filter(
        ({ time }) => !inPdf(asked) || Date.parse(`${time.slice(0, 23)}Z`) < Date.now() - 500,
      ),
  },
})
