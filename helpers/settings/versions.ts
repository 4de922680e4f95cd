export const versions = ['0.1', '0.2', '0.3'] as const

export const firstVersion = versions[0]
