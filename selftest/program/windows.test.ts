import { syncBuiltinESMExports } from 'node:module'
import path from 'node:path'
import { expect, test } from 'vitest'
import { folderOf } from '../../program/board.ts'
import { slugOf } from '../../reporting/board/board.ts'

/** Lets every module see the paths of Windows meanwhile. */
function onWindows<T>(act: () => T): T {
  const own = { ...path }
  try {
    Object.assign(path, path.win32)
    syncBuiltinESMExports()
    return act()
  } finally {
    Object.assign(path, own)
    syncBuiltinESMExports()
  }
}

test.each([
  ['D:\\runs\\eu\\report.json', ['D:\\runs'], 'eu'],
  ['D:\\runs\\eu\\2026-03-01\\report.json', ['D:\\runs'], 'eu'],
  ['D:\\runs\\eu\\report.json', ['D:\\runs\\eu'], 'eu'],
  ['D:\\runs\\eu.json', ['D:\\runs\\eu.json'], 'runs'],
])('a board by folder names %s by its folder', (file, dirs, folder) => {
  expect(onWindows(() => folderOf(file, dirs))).toBe(folder)
})

test.each(['https://eu.example.com:8443/v5', 'a<b>:"/\\|?*', 'CON', 'nul.'])(
  'the files of a target named %s have names that Windows takes',
  (name) => {
    expect(`${slugOf(name)}.html`).toMatch(/^(?!(con|nul|aux|prn)\.)[\w-]+\.html$/)
  },
)
