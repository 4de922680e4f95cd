import { engineKinds, type Finding, type Kinds, wordsOf } from '../../engine/findings/finding.ts'
import { effect } from './effect.ts'
import { email } from './email.ts'
import { text } from './text.ts'
import { undone } from './undone.ts'
import { winners } from './winners.ts'

/** Every kind of finding: those of the engine, and those that speak of this service. */
export const kinds: Kinds = { ...engineKinds, effect, email, text, undone, winners }

/** Why another fact cannot be judged, in the words of this finding. */
export const sentenceOf = (finding: Finding): string => wordsOf(finding, kinds).sentence
