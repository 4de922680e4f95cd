export const versions = ['0.1', '0.2', '0.3'] as const
