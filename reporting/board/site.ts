import type { Board } from './board.ts'
import { clausePageOf } from './clause-page.ts'
import { badgesOf, boardJson } from './json.ts'
import { clausePage, indexPage, targetPage } from './pages.ts'
import { targetPageOf } from './target-page.ts'

/** Every file of a board by its path, each made when it is asked for. */
export function siteOf(board: Board): [file: string, text: () => string][] {
  return [
    ['index.html', () => indexPage(board)],
    ['board.json', () => boardJson(board)],
    ...board.targets.map((target): [string, () => string] => [
      targetPage(target),
      () => targetPageOf(target, board),
    ]),
    ...board.clauses.map((facts): [string, () => string] => [
      clausePage(facts.id),
      () => clausePageOf(facts, board),
    ]),
    ...badgesOf(board).map(({ file, text }): [string, () => string] => [file, () => text]),
  ]
}
