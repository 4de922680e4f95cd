/** Measured values, or the reason why there are none. */
export type Values = number[] | { missing: string }

export type Spread = { median: number; min: number; max: number }

export type Row = {
  what: string
  unit: 's' | 'ms' | 'MB' | 'bytes' | ''
  values: Values
  /** beside what the part compares with */
  ratio?: Values
  /** what the ratio, or else the value, is to be at most */
  most?: number
}

export function spreadOf(values: number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  const at = (place: number) => sorted[place] ?? Number.NaN
  return {
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    min: at(0),
    max: at(sorted.length - 1),
  }
}

/** Why there are values missing, in sentences. */
export function missingIn(rows: Row[]): string[] {
  const reasons = rows.flatMap(({ values, ratio }) =>
    [values, ratio ?? []].flatMap((each) => (Array.isArray(each) ? [] : [each.missing])),
  )
  return [...new Set(reasons)].map((reason) => `none: ${reason}`)
}

/** Rows as a table that is read in a terminal as well as in Markdown. */
export function tableOf(rows: Row[]): string {
  const cells = [
    ['what', 'median', 'min to max', 'ratio', 'at most'],
    ...rows.map(({ what, unit, values, ratio, most }) => [
      what,
      Array.isArray(values) ? `${told(spreadOf(values).median)}${unit && ` ${unit}`}` : 'none',
      Array.isArray(values) ? range(values) : '',
      ratio === undefined ? '' : Array.isArray(ratio) ? told(spreadOf(ratio).median) : 'none',
      most === undefined ? '' : told(most),
    ]),
  ]
  const widths = [0, 1, 2, 3, 4].map((at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)))
  const line = (row: string[], fill = ' ') =>
    `| ${row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0, fill) : cell.padStart(widths[at] ?? 0, fill))).join(' | ')} |`
  const [head = [], ...body] = cells
  const rule = `|${widths.map((width, at) => (at === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`
  return [line(head), rule, ...body.map((row) => line(row))].join('\n')
}

function range(values: number[]): string {
  const { min, max } = spreadOf(values)
  return values.length < 2 ? 'once' : `${told(min)} to ${told(max)}`
}

const told = (value: number): string =>
  value >= 100 || Number.isInteger(value) ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2)
