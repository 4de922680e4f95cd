/** The forms in which a clause asks for what its sentence states, by what the sentence is silent on. */
export type Forms = Record<string, readonly string[]>

/** What of those dimensions, or of the forms of one, no request of a clause has, with the reason. */
export type Unasked = Record<string, string>

/** The forms of a clause that ran: what it noted of a dimension comes before what it declares. */
export const formsOf = (declared: Forms = {}, noted: Forms = {}): Forms | undefined => {
  const forms = { ...declared, ...noted }
  return Object.keys(forms).length === 0 ? undefined : forms
}

/** Adds forms of a dimension to those that are noted. */
export const withForms = (forms: Forms, dimension: string, more: readonly string[]): Forms => ({
  ...forms,
  [dimension]: [...new Set([...(forms[dimension] ?? []), ...more])],
})

/** Forms as words for people. */
export const describeForms = (forms: Forms): string =>
  Object.entries(forms)
    .map(([dimension, each]) => `${dimension}: ${each.join(', ')}`)
    .join('; ')

/** What was not asked, as words for people. */
export const describeUnasked = (unasked: Unasked): string =>
  Object.entries(unasked)
    .map(([what, reason]) => `${what}: ${reason}`)
    .join('; ')
