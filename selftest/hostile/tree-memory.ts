import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Reading all of /proc takes milliseconds; a single process reports its own peak. */
const everyMs = 100

/** Watches the total megabytes of a process group, if /proc shows them; resolves with the peak. */
export function watchMemory(group: number): () => number {
  let most = 0
  const timer = setInterval(() => {
    most = Math.max(most, megabytesOf(group))
  }, everyMs)
  return () => {
    clearInterval(timer)
    return most
  }
}

const pageBytes = 4096

function megabytesOf(group: number): number {
  if (!existsSync('/proc')) return 0
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const pages = pids.reduce((sum, pid) => sum + pagesOf(pid, group), 0)
  return (pages * pageBytes) / (1024 * 1024)
}

function pagesOf(pid: string, group: number): number {
  try {
    // After the name, which may hold anything: state, parent, group, and later the resident pages.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return Number(fields[2]) === group ? Number(fields[21]) : 0
  } catch {
    // It ended meanwhile.
    return 0
  }
}
