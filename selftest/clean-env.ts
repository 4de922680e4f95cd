export function cleanEnv(): NodeJS.ProcessEnv {
  const names = Object.keys(process.env).filter((name) =>
    /^(VITEST|VITE_|NODE_ENV|TEST$)/.test(name),
  )
  return { ...process.env, SEED: '1', ...Object.fromEntries(names.map((one) => [one, undefined])) }
}
