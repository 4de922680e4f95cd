/** Clauses whose breach is not imitated, by the beginning or a pattern of their ids, each with the reason. */
const reasons: [RegExp, string][] = [
  [/^auth\.(wrong-region|ip-allow-list)$/, 'it is about where the service is, not how it answers'],
  [
    /^auth\.(other-carriers|invalid-besides)|^auth\.refused-/,
    'it follows from keys, versions and bodies that are accepted, which are imitated',
  ],
  [
    /^version\.(model|retry|refused-|mismatch-|current-|wrong\.(repeated|garbage)$)|^assign\.(new-version\.shown$|persisted\.)/,
    'it follows from what becomes of single updates, which is imitated',
  ],
  [
    /^(task|assessment)\.read\./,
    'the id does not say which field was wrong, nor what it held; incomplete updates that are carried out are imitated',
  ],
  [
    /^assign\.(comment\.|only-|by-another|extra-fields)/,
    'the id does not say what became of the text or the field',
  ],
  [
    /^(audit|notify)\./,
    'the id says that some events or mails were wrong, and not which; all of them missing is imitated',
  ],
  [
    /^export\.(csv|pdf|cells-are-values|text-intact|few-events|error-|default-|no-filter|deterministic)/,
    'the id does not say how the file was wrong; one file for all requests, and another file for a PDF, are imitated',
  ],
  [
    /^export\.(range|timezone|locale|filter|metadata)\./,
    'it compares several files, and the id does not say which was wrong; filters and ranges without effect are imitated',
  ],
]

/** Why the breach of a clause is not imitated; undefined: no reason is known. */
export const whyNotBroken = (id: string): string | undefined =>
  reasons.find(([pattern]) => pattern.test(id))?.[1]
