import type { Race, Writer } from '../parts/race.ts'
import { html, type Markup, number } from './markup.ts'

/** Fits a phone; larger screens scale it up. */
const width = 400
const row = 38
/** The least width of a bar, so that it stays visible. */
const leastBar = 6

const looks: Record<Writer['fate'], { look: string; sign: string }> = {
  first: { look: 'pass', sign: '✓' },
  too: { look: 'fail', sign: '✗' },
  refused: { look: 'none', sign: '–' },
  unknown: { look: 'inconclusive', sign: '?' },
}

/** A race as a picture: a bar for each writer, with the version it sent and the one it made. */
export function pictureOf(race: Race): Markup {
  const { writers, versions, read, headline } = race
  const begun = Math.min(...writers.map(({ from }) => from))
  const span = Math.max(...writers.map(({ to }) => to)) - begun
  const x = (time: number) => Math.round(((time - begun) / Math.max(1, span)) * width)
  const name = (version: string | undefined) =>
    version === undefined ? 'none' : `V${versions.indexOf(version) + 1}`
  const height = writers.length * row + 4
  const said = ({ status, made, fate }: Writer) => {
    const version = made === undefined ? '' : `, made ${name(made)}`
    const lasted = read && made === read.shows ? ' (lasted)' : ''
    return `${status ?? 'no answer'}${version}${lasted}${fate === 'too' ? ': 409 was expected' : ''}`
  }
  const bars = writers.map((writer, at) => {
    const { from, to, ifMatch, fate } = writer
    const begin = Math.min(x(from), width - leastBar)
    const length = Math.max(leastBar, x(to) - begin)
    return html`<g class="${looks[fate].look}"><text y="${at * row + 14}">${looks[fate].sign} #${writer.number} If-Match ${name(ifMatch)} → ${said(writer)}</text><rect x="${begin}" y="${at * row + 19}" width="${length}" height="12" rx="3"></rect></g>
`
  })
  return html`<figure class="race"><figcaption>${headline}</figcaption>
<svg viewBox="0 0 ${width} ${height}">
${bars}</svg>
<p class="why">Each bar spans from request to response. The full width is ${number(Math.round(span))} ms. ${versions.map((version, at) => `V${at + 1} = updated_at ${version}`).join(' · ')}${read && `. Afterwards #${read.number} shows ${versions.includes(read.shows) ? name(read.shows) : read.shows}.`}</p>
</figure>
`
}
