import { SaxesParser } from 'saxes'
import type { Report } from '../../engine/run/report.ts'
import { junitOf } from '../../reporting/junit.ts'

type Element = {
  name: string
  at: Record<string, string>
  text: string
  inside: Element[]
}

/** Reads XML strictly: malformed XML throws. */
export function parsed(xml: string): Element {
  const root: Element = { name: '', at: {}, text: '', inside: [] }
  const path = [root]
  const here = () => path.at(-1) as Element
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, at: attributes as Record<string, string>, text: '', inside: [] }
    here().inside.push(element)
    path.push(element)
  })
  parser.on('text', (text) => {
    here().text += text
  })
  parser.on('closetag', () => path.pop())
  parser.write(xml).close()
  return root.inside[0] as Element
}

/** The elements of this name in another. */
export const named = (element: Element, name: string) =>
  element.inside.filter((e) => e.name === name)

/** The suites and cases of a report's junit.xml. */
export const casesOf = (report: Report) => {
  const suites = named(parsed(junitOf(report)), 'testsuite')
  const cases = suites.flatMap((suite) => named(suite, 'testcase'))
  const caseOf = (name: string) => cases.find((one) => one.at.name === name) as Element
  return { suites, cases, caseOf }
}
