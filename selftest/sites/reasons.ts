/** Why sites are kept that no proof needs: names or globs of sites, each with a sentence. */
export const reasons: Readonly<Record<string, string>> = {
  'engine/http/*':
    'The reference service answers in this process: what a network does to a request is shown by the tests of engine/http.',
  'engine/files/*':
    'A file that is cut, endless or too large is shown by the tests of engine/files and of selftest/hostile.',
}
