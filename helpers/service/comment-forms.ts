/** The clause that judges whether a comment of this form comes back as it was sent; none: it may be changed. */
export function ownerOfComment(comment: string): string | undefined {
  // How long a comment may be, and whether it is trimmed, is not shown.
  if (comment.length > 500 || comment !== comment.trim()) return undefined
  const form = forms.find(([, isSuch]) => isSuch(comment))?.[0] ?? 'plain'
  return `assign.comment.${form}`
}

const forms: [name: string, isSuch: (comment: string) => boolean][] = [
  ['long', (comment) => comment.length > 120],
  ['newlines', (comment) => /[\r\n]/.test(comment)],
  ['emoji', (comment) => /\p{Extended_Pictographic}|\p{Regional_Indicator}/u.test(comment)],
  ['right-to-left', (comment) => /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(comment)],
  ['non-latin', (comment) => /[^\x20-\x7e]/.test(comment)],
  ['quotes', (comment) => /["'<>&\\]/.test(comment)],
]
