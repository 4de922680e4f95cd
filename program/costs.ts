import { type ProfileName, profileNames, profiles } from '../helpers/settings/profiles.ts'

/** `updates`: those that are accepted; `seconds`: if each response takes 100 ms */
export type Cost = Record<'requests' | 'exports' | 'updates' | 'seconds', number>

/** What each profile costs on the reference service; a test keeps it true to 20 %. */
export const costs: Record<ProfileName, Cost> = {
  full: { requests: 1370, exports: 640, updates: 99, seconds: 20 },
  smoke: { requests: 52, exports: 31, updates: 0, seconds: 3 },
  reads: { requests: 114, exports: 0, updates: 0, seconds: 2 },
  updates: { requests: 660, exports: 47, updates: 95, seconds: 13 },
  export: { requests: 680, exports: 590, updates: 8, seconds: 12 },
}

/** A line for each profile; `chosen` is marked. */
export function profileLines(chosen?: ProfileName): string[] {
  const names = Object.keys(costs.full)
  const rows = profileNames.map((name) => {
    const figures = Object.values(costs[name]).map((each) => each.toLocaleString('en'))
    const cells = figures.map((text, at) => text.padStart(names[at]?.length ?? 0)).join('  ')
    return `${name === chosen ? '>' : ' '} ${name.padEnd(9)}${cells}  ${profiles[name].meaning}`
  })
  return [
    `  profile  ${names.join('  ')}  on the reference service, if each response takes 100 ms`,
    ...rows,
  ]
}
