import { readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { blankOf, finish } from '../../../program/report/finish.ts'
import { prepareReportsDir, removeEarlier } from '../../../program/report/reports-dir.ts'
import { makers } from '../../../program/run/contract.ts'
import { statementName } from '../../../reporting/seal.ts'
import { clause, reportWith, variedReport } from '../../reporting/sample-reports.ts'
import { openWorkerFolder } from '../../test-end.ts'

const apiKey = 'k9/Zq+W3 vT7&x"2'
const gatewayKey = 'gateway-secret-1'
const green = reportWith([clause('a')], { verdict: 'conformant' })

let dir: string
beforeEach(() => {
  dir = openWorkerFolder()
})

const finished = (given: Partial<Parameters<typeof finish>[1]> = {}, report = green) => {
  const output: string[] = []
  const out = { write: (text: string) => output.push(text) }
  const { exitCode } = finish(report, {
    dir,
    secrets: [apiKey, gatewayKey],
    out,
    verbose: false,
    ...given,
  })
  return { exitCode, output: output.join(''), files: readdirSync(dir).sort() }
}

const leaking = (text: string) => ({ 'a.json': () => '{}', 'b.txt': () => `x${text}y` })

describe('the key in something that was written', () => {
  test.each([
    ['as it is', apiKey],
    ['of a gateway', gatewayKey],
  ])('%s: the file is removed, and the run ends with 2, loudly', (_, text) => {
    const { exitCode, output, files } = finished({ makers: leaking(text), signal: 'SIGINT' })
    expect(exitCode).toBe(2)
    expect(files).toEqual(['a.json'])
    expect(output).toContain(`LEAK: ${join(dir, 'b.txt')} contained API_KEY`)
    expect(output).not.toContain(apiKey)
  })

  test('is not reported where it is absent', () => {
    const { exitCode, output, files } = finished()
    expect(exitCode, output).toBe(0)
    expect(files).toEqual([...Object.keys(makers), statementName].sort())
  })

  test('that is a word of the reports themselves is not a leak', () => {
    const { exitCode, output, files } = finished({ secrets: ['tests'] })
    expect(exitCode, output).toBe(0)
    expect(output).toContain(`could not check ${dir}`)
    expect(files).toContain('junit.xml')
  })

  test('is not looked for in the words of a report alone, which hold nothing of the service', () => {
    const report = { ...variedReport(), notices: ['tests'] }
    for (const make of Object.values(makers)) expect(make(blankOf(report))).not.toBe('')
    expect(JSON.stringify(blankOf(report))).not.toContain('tests')
  })
})

describe('a report that cannot be written', () => {
  // Every write fails because the disk is full.
  const fill = (name: string) => symlinkSync('/dev/full', join(dir, `${name}.draft`))

  test('leaves no partial file, costs no other, and does not turn the run green or hide a failure', () => {
    fill('report.json')
    fill('index.html')
    const { exitCode, output, files } = finished()
    expect(exitCode).toBe(2)
    const made = Object.keys(makers).filter((name) => !/^(report\.json|index\.html)$/.test(name))
    expect(files).toEqual([...made, statementName].sort())
    for (const name of ['report.json', 'index.html'])
      expect(output).toContain(`could not be written: ${join(dir, name)} (the disk is full)`)
    const red = reportWith([clause('a', { verdict: 'fail', reason: 'r' })])
    fill('junit.xml')
    expect(finished({}, red).exitCode).toBe(1)
  })

  test('a report that cannot be made does not cost the other files', () => {
    const stumbling = () => {
      throw new Error('oops')
    }
    const { exitCode, output, files } = finished({ makers: { a: stumbling, b: () => 'b' } })
    expect(exitCode).toBe(2)
    expect(output).toContain(`${join(dir, 'a')} (oops)`)
    expect(files).toEqual(['b'])
  })

  test('on a disk that is full is known before the first request', () => {
    symlinkSync('/dev/full', join(dir, '.probe.draft'))
    expect(() => prepareReportsDir(dir)).toThrow('(the disk is full); give a writable directory.')
  })

  test('of an earlier run what is ours is removed once there is something to write', () => {
    for (const name of ['report.json', 'junit.xml.draft', 'notes.txt'])
      writeFileSync(join(dir, name), '')
    prepareReportsDir(dir)
    expect(readdirSync(dir)).toContain('report.json')
    removeEarlier(dir)
    expect(readdirSync(dir).sort()).toEqual(['notes.txt'])
  })
})
