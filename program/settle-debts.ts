import { openClient } from '../helpers/http/client.ts'
import { openJournal } from '../helpers/loans/journal.ts'
import { restore } from '../helpers/loans/restore.ts'
import { serviceThrough } from '../helpers/service.ts'
import type { Settings } from '../helpers/settings/settings.ts'

export type Settled = { residue: { task: string; reason: string }[]; requests: number }

/** Puts back whatever the journal says is not yet as it was found, and strikes out what is. */
export async function settleDebts(settings: Settings): Promise<Settled> {
  const journal = openJournal(settings.journalDir, settings.baseUrl)
  const debts = journal.open()
  if (debts.length === 0) return { residue: [], requests: 0 }
  // Putting back goes before politeness: the machine that runs this may be about to go away.
  const client = openClient({ ...settings, requestsPerSecond: undefined })
  const service = serviceThrough(client, () => {})
  try {
    const outcomes = await Promise.all(
      debts.map(async ({ task, before }) => {
        const reason = await restore(
          service,
          { id: task, before },
          {
            actor: settings.actorId ?? '',
            consumed: new Set(),
            settleMs: settings.settleMs,
          },
        )
        if (reason === undefined) journal.settle(task)
        return { task, reason }
      }),
    )
    journal.close()
    const residue = outcomes.flatMap(({ task, reason }) => (reason ? [{ task, reason }] : []))
    return { residue, requests: client.requests }
  } finally {
    await client.close()
  }
}
