import { type Operation, operations, pathOf } from '../contract/operations.ts'

export const taskPath = (id: string) => pathOf('task.read', id)
export const updatePath = (id: string) => pathOf('assign.update', id)
export const exportPath = (query = '') => `${pathOf('export')}${query === '' ? '' : `?${query}`}`

/** In words, as costs are counted. */
export function kindOf(operation: Operation, query = ''): string {
  if (operation !== 'export') return operations[operation].plural
  const isPdf = new URLSearchParams(query).get('file_type')?.toLowerCase() === 'pdf'
  return isPdf ? 'exports as PDF' : 'exports as CSV'
}
