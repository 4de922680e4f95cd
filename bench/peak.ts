import { readdirSync, readFileSync } from 'node:fs'

/** Looks at a process again and again for the most memory that it and all that it started take. */
export function createPeak(): { look(pid: number): void; megabytes(): number } {
  let peakKb = 0
  return {
    look: (pid) => {
      const all = familyOf(pid).reduce((sum, each) => sum + sharesOf(each), 0)
      peakKb = Math.max(peakKb, all)
    },
    megabytes: () => peakKb / 1024,
  }
}

/** A process and all that it started. */
function familyOf(pid: number): number[] {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
    )
    return [pid, ...children.flatMap((child) => familyOf(Number(child)))]
  } catch {
    return []
  }
}

/** What of the memory is its own, and its share of what it has in common with others, in kB. */
function sharesOf(pid: number): number {
  try {
    return Number(/^Pss: +(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}
