import { describe, expect, test } from 'vitest'
import { FateUnknown } from '../../../engine/http/fate-unknown.ts'
import { NotDecidable, Trouble } from '../../../engine/outcome.ts'
import { createCurrentVersion } from '../../../helpers/loans/current-version.ts'
import { openJournal } from '../../../helpers/loans/journal.ts'
import { needLendable } from '../../../helpers/loans/need-lendable.ts'
import { putBack } from '../../../helpers/loans/put-back.ts'
import { settleDebts } from '../../../helpers/loans/settle-debts.ts'
import type { Service } from '../../../helpers/service/service.ts'
import type { Settings } from '../../../helpers/settings/table.ts'
import { httpServer, settingsFor } from '../../engine/http/servers.ts'
import { openTestFolder } from '../../test-end.ts'
import { id, smallTask } from '../updates/small-task.ts'

const stop = new AbortController().signal
const settleMs = 30

describe('nobody is blamed', () => {
  test('for an update that was not answered, after which the task has changed', async () => {
    const { service, task } = smallTask()
    const lost = async () => {
      task.updated_at = '2026-02-01T00:00:00.000Z'
      throw new FateUnknown('the connection was reset before an answer')
    }
    const current = createCurrentVersion({ ...service, put: lost } as Service, new Set(), {
      settleMs,
      stop,
    })
    const sent = current.put({ ...task }, { unassign: {} })
    await expect(sent).rejects.toThrow(
      'the connection was reset before an answer, but the task has changed',
    )
    await expect(sent).rejects.toBeInstanceOf(Trouble)
  })

  test('for a task that cannot be read while it is put back', async () => {
    const answer = { method: 'GET', path: `/tasks/${id}`, status: 500, text: '' }
    const service = { readTask: async () => answer } as unknown as Service
    const ending = putBack(
      service,
      { task: id, before: null },
      { settleMs, stop, doubt: 'nothing' },
    )
    await expect(ending).resolves.toEqual({
      state: 'owed',
      reason: `GET /tasks/${id} answered 500`,
    })
  })
})

test('a service that never answers is not waited for without end', async () => {
  const url = await httpServer(() => {})
  const settings = settingsFor(url, {
    journalDir: openTestFolder(),
    settleMs: 20,
    timeoutMs: 300,
  })
  const run = { pid: 1, host: 'here' }
  openJournal(settings.journalDir, url).owe({
    task: id,
    target: url,
    found: 'then',
    before: null,
    run,
  })
  const { residue } = await settleDebts(settings, { patienceMs: 100 })
  expect(residue).toEqual([
    // On a busy machine the limit of one request strikes before that of all.
    {
      task: id,
      reason: expect.stringMatching(
        /the service did not answer within 420 ms|not answered in full within \d+ ms/,
      ),
    },
  ])
})

const knownTask = { id, lendable: true, assigned: 'none' as const }

test('tasks that another run has are waited for', () => {
  const settings = { taskIds: [id], notPermitted: [] } as unknown as Settings
  const held = { ...knownTask, lendable: false, heldBy: 'process 7 on here' }
  const need = () => needLendable(settings, [held])
  expect(need).toThrow(
    'every task of TASK_IDS is in use by another run (process 7 on here): try again after it',
  )
  expect(need).toThrow(NotDecidable)
})
