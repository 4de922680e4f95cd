export const versions = ['0.1', '0.2'] as const

export const firstVersion = versions[0]
