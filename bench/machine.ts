import { cpus, loadavg, release, totalmem } from 'node:os'

/** The machine, and how busy it was when this was asked. */
export function machine(): string {
  const [cpu] = cpus()
  const gigabytes = Math.round(totalmem() / 1024 ** 3)
  const [one = 0, five = 0] = loadavg()
  return `${cpus().length} cores (${cpu?.model}), ${gigabytes} GB, ${process.platform} ${release()}, Node ${process.versions.node}; load average at the start ${one.toFixed(2)} (${five.toFixed(2)} over five minutes)`
}
