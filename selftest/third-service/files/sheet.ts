import type { Hooks, SheetStyle } from '../hooks.ts'
import type { AuditEvent, MetadataKey } from '../model.ts'

interface Column {
  title: string
  of(event: AuditEvent, when: string): string
}

const meta = (title: string, key: MetadataKey): Column => ({
  title,
  of: (event) => event.metadata[key] ?? '',
})

/** The columns of the sheet; the PDF prints the same ones. */
export const columns: readonly Column[] = [
  { title: 'Source', of: (event) => event.source },
  { title: 'What', of: (event) => event.kind },
  { title: 'Action', of: (event) => event.action },
  { title: 'Happened', of: (_event, when) => when },
  { title: 'Remark', of: (event) => event.remark ?? '' },
  { title: 'Caused by', of: (event) => event.causedBy },
  meta('Entity', 'entity_id'),
  meta('Assessment', 'assessment_id'),
  meta('Task', 'task_id'),
  meta('Workflow', 'workflow_instance_id'),
  meta('Step', 'workflow_step'),
  meta('Screening', 'screening_application_id'),
  meta('Screening setup', 'screening_config_id'),
  meta('Match', 'match_id'),
  meta('Inquiry', 'inquiry_id'),
  meta('Label', 'tag'),
  meta('Cache', 'cache_id'),
  { title: 'Reference', of: (event) => event.ref },
]

export function writeSheet(rows: string[][], style: SheetStyle, hooks: Hooks): string {
  const { delimiter, opening, lineEnd } = style
  const cell = (raw: string) => {
    const plain = !raw.includes(delimiter) && !/["\r\n]|^\s|\s$/.test(raw)
    const written = plain ? raw : `"${raw.replaceAll('"', '""')}"`
    return hooks.run('cell', written, { raw, delimiter })
  }
  const line = (cells: string[]) => cells.map(cell).join(delimiter) + lineEnd
  return opening + [columns.map((column) => column.title), ...rows].map(line).join('')
}
