import type { Race, Writer } from '../parts/race.ts'
import { html, type Markup, number } from './markup.ts'

const width = 720
const left = 132
const right = 420
const row = 26
/** A bar is to be seen however short it was. */
const leastBar = 6

const words: Record<Writer['fate'], string> = {
  first: 'accepted',
  too: 'accepted too',
  refused: 'refused',
  unknown: 'unknown',
}
const classes: Record<Writer['fate'], string> = {
  first: 'pass',
  too: 'fail',
  refused: 'none',
  unknown: 'inconclusive',
}

/** A race as a picture: a bar for each writer, with the version that it was sent with and the one it made. */
export function pictureOf(race: Race): Markup {
  const { writers, versions, read, headline } = race
  const x = scaleOf(writers)
  const name = (version: string | undefined) =>
    version === undefined ? 'none' : `V${versions.indexOf(version) + 1}`
  const height = (writers.length + 1) * row + 6
  const said = ({ status, made, fate }: Writer) =>
    `${status ?? 'no answer'}${made === undefined ? '' : `, made ${name(made)}`}${fate === 'too' ? ': 409 was due' : ''}${read && made === read.shows ? ' (lasted)' : ''}`
  const bars = writers.map((writer, at) => {
    const { number: of, from, to, ifMatch, fate } = writer
    const y = (at + 1) * row
    const begin = x(from)
    const length = Math.max(leastBar, x(to) - begin)
    return html`<g class="${classes[fate]}"><text x="0" y="${y + 14}">#${of} If-Match ${name(ifMatch)}</text><rect x="${begin}" y="${y + 3}" width="${length}" height="14" rx="3"></rect><text x="${right + 12}" y="${y + 14}">${signs[fate]} ${said(writer)}</text></g>
`
  })
  const span =
    Math.max(...writers.map(({ to }) => to)) - Math.min(...writers.map(({ from }) => from))
  const told = writers
    .map(
      (each) =>
        `#${each.number}, If-Match ${name(each.ifMatch)}: ${said(each)}, ${words[each.fate]}`,
    )
    .join('. ')
  return html`<figure class="race"><figcaption>${headline}</figcaption>
<div class="wide" role="region" aria-label="Race (scrolls)" tabindex="0"><svg role="img" aria-label="${headline} ${told}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><text class="soft" x="${left}" y="14">${number(Math.round(span))} ms →</text><text class="soft" x="${right + 12}" y="14">answered</text>
${bars}</svg></div>
<p class="why">${versions.map((version, at) => `V${at + 1} = updated_at ${version}`).join(' · ')}${read && `. Afterwards #${read.number} shows ${versions.includes(read.shows) ? name(read.shows) : read.shows}.`}</p>
</figure>
`
}

const signs: Record<Writer['fate'], string> = { first: '✓', too: '✗', refused: '–', unknown: '?' }

/** From a time to a place: where nothing was under way for long, the time between is cut to a gap. */
function scaleOf(writers: readonly Writer[]): (time: number) => number {
  const spans: [number, number][] = []
  for (const { from, to } of writers.toSorted((a, b) => a.from - b.from)) {
    const last = spans.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else spans.push([from, Math.max(to, from + 1)])
  }
  const gap = 24
  const busy = spans.reduce((sum, [from, to]) => sum + to - from, 0)
  const unit = (right - left - gap * (spans.length - 1)) / busy
  return (time) => {
    let place = left
    for (const [from, to] of spans) {
      if (time <= to) return Math.round(place + Math.max(0, time - from) * unit)
      place += (to - from) * unit + gap
    }
    return right
  }
}
