// The proofs that a mutant meets, one after another, as `npm run mutants -- --lines` asks for them.
import { expect, inject, test } from 'vitest'
import { mistakesIn } from '../proofs/prove.ts'
import { proofs } from '../proofs/proofs.ts'
import { runWatched } from '../sites/watched.ts'
import { stepOf } from './order.ts'
import { memory, takeReached } from './runtime.ts'

declare module 'vitest' {
  interface ProvidedContext {
    lineProofs: string[]
  }
  interface TaskMeta {
    /** the files of the sites that decided in a proof */
    deciding?: string[]
  }
}

for (const wanted of inject('lineProofs')) {
  const proof = proofs.find((each) => stepOf(each) === wanted)
  test(wanted, async ({ task: { meta } }) => {
    if (!proof) throw new Error(`there is no proof named ${wanted}`)
    const { checked, watch } = await runWatched(proof.bent, proof.by).finally(() => {
      meta.reached = memory && takeReached(memory)
    })
    const sites = watch.deeds.ended.flatMap(({ sites }) => sites)
    meta.deciding = [...new Set(sites.map((site) => site.split(' ')[0] ?? ''))]
    expect(mistakesIn(checked, proof), checked.output).toEqual([])
  })
}
