import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { UsageError } from './mistakes.ts'
import type { ServeFlags } from './serve-flags.ts'

/** A folder that an earlier `--save` wrote is gone on with: what was prepared there is not replaced. */
export function goingOn(flags: ServeFlags, cwd: string): ServeFlags {
  const { save, world, like, isSeeded } = flags
  if (save === undefined || world !== undefined) return flags
  const kept = (name: string) => {
    const path = join(save, name)
    return existsSync(resolve(cwd, path)) ? path : undefined
  }
  const savedWorld = kept('world.json')
  if (savedWorld === undefined) return flags
  if (isSeeded)
    throw new UsageError(
      `${savedWorld} holds what --seed would make up, and --save would replace it; leave out --seed, or give --save another folder.`,
    )
  const savedLike = kept('like.json')
  const isLearned = like.length > 0 || savedLike === undefined
  return { ...flags, world: savedWorld, like: isLearned ? like : [savedLike] }
}
