import { sampleOf } from './sample.ts'

/** Files of tests that take longest. `npm test` takes some of them, `npm run long` all. */
const long = [
  'files/bad-runs',
  'files/cut',
  'helpers/aftermath/settings',
  'helpers/loans/kept-reads',
  'helpers/settings/lean-settings',
  'helpers/updates/another-user',
  'helpers/updates/another-writer',
  'helpers/updates/max-writes',
  'helpers/watch/late-traces',
  'helpers/watch/mailbox-down',
  'hostile/at-random',
  'hostile/bombs',
  'hostile/hostile',
  'hostile/endless/endless',
  'hostile/far/far',
  'hostile/midway',
  'hostile/midway-answers',
  'learned/docs',
  'learned/mixtures',
  'messages/listed',
  'mutants/mutants',
  'package/ci',
  'program/observations',
  'program/plan',
  'program/secrets/keys',
  'program/shards',
  'proofs/warm-threads',
  'reporting/sizes',
  'second-service/second-service',
  'third-service/third-service',
  'fourth-service/fourth-service',
].map((name) => `selftest/${name}.test.ts`)

const { LONG, LONG_SEED = '1' } = process.env
const chosen =
  LONG === 'all' ? long : sampleOf(long, Math.floor(long.length / 4), Number(LONG_SEED))

/** Those that are not run this time; whoever names a file gets it with LONG=all. */
export const leftOut = long.filter((file) => !chosen.includes(file))
