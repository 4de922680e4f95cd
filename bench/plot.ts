import { spreadOf, type Values } from './figures.ts'

/** Values over what they grow with; steps are drawn evenly, whatever lies between them. */
export type Panel = { title: string; points: { at: string; values: Values }[] }

const width = 240
const height = 170
const margin = { left: 44, top: 34, right: 16, bottom: 46 }
const panelWidth = width + margin.left + margin.right

// Colours that are read on white and on black, for viewers that ignore the second set.
const style = `
  text { font: 12px system-ui, sans-serif; fill: #57606a }
  .title { font-weight: 600; fill: #24292f }
  .axis { stroke: #8c959f; stroke-opacity: .5 }
  .line { stroke: #0969da; stroke-width: 2; fill: none }
  .range { stroke: #0969da; stroke-width: 1.5 }
  .point { fill: #0969da }
  @media (prefers-color-scheme: dark) {
    text { fill: #9198a1 }
    .title { fill: #e6edf3 }
    .line, .range { stroke: #58a6ff }
    .point { fill: #58a6ff }
  }`

/** Panels side by side on one scale: the median of each point, and a line from its least to its most. */
export function plotOf(unit: string, panels: Panel[]): string {
  const all = panels.flatMap(({ points }) => points.flatMap(({ values }) => known(values)))
  const top = niceAbove(Math.max(...all, 1))
  const size = `${panelWidth * panels.length} ${height + margin.top + margin.bottom}`
  const drawn = panels.map((panel, at) => drawnPanel(panel, at * panelWidth, top))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size}" role="img" aria-label="${unit}, by ${panels.map(({ title }) => title).join(', by ')}">
<style>${style}
</style>
<text class="title" x="${margin.left}" y="16">${unit}</text>
${drawn.join('\n')}
</svg>
`
}

function drawnPanel({ title, points }: Panel, left: number, top: number): string {
  const x = (at: number) => round(left + margin.left + (width * (at + 0.5)) / points.length)
  const y = (value: number) => round(margin.top + height * (1 - value / top))
  const scale = [0, top / 2, top].map(
    (value) =>
      `<line class="axis" x1="${left + margin.left}" x2="${left + margin.left + width}" y1="${y(value)}" y2="${y(value)}"/>` +
      `<text x="${left + margin.left - 8}" y="${y(value) + 4}" text-anchor="end">${value}</text>`,
  )
  const measured = points.flatMap(({ values }, at) => {
    const seconds = known(values)
    return seconds.length > 0 ? [{ at, ...spreadOf(seconds) }] : []
  })
  const line = measured.map(({ at, median }) => `${x(at)},${y(median)}`).join(' ')
  const marks = measured.map(
    ({ at, median, min, max }) =>
      `<line class="range" x1="${x(at)}" x2="${x(at)}" y1="${y(min)}" y2="${y(max)}"/>` +
      `<circle class="point" cx="${x(at)}" cy="${y(median)}" r="4"/>` +
      `<text x="${x(at)}" y="${y(max) - 9}" text-anchor="middle">${median.toFixed(1)}</text>`,
  )
  const below = margin.top + height
  const names = points.map(
    ({ at }, n) => `<text x="${x(n)}" y="${below + 18}" text-anchor="middle">${at}</text>`,
  )
  const middle = left + margin.left + width / 2
  return [
    ...scale,
    `<polyline class="line" points="${line}"/>`,
    ...marks,
    ...names,
    `<text class="title" x="${middle}" y="${below + 38}" text-anchor="middle">${title}</text>`,
  ].join('\n')
}

const known = (values: Values): number[] => (Array.isArray(values) ? values : [])

const round = (value: number) => Math.round(value * 10) / 10

/** The next round number, with room for the figure above the highest point. */
function niceAbove(value: number): number {
  const room = value * 1.15
  const power = 10 ** Math.floor(Math.log10(room))
  return ([1, 2, 4, 6, 8, 10].find((step) => step * power >= room) ?? 10) * power
}
