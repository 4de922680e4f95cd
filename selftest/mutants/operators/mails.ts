import { type Letter, type Operator, operator } from './operator.ts'

const mail = (
  part: string,
  what: string,
  by: (letter: Letter, before: readonly Letter[]) => readonly Letter[],
): Operator => operator('assign.update', 'mail', part, what, { to: 'mail', by })

const texts = (letter: Letter, by: (text: string) => string): Letter => ({
  ...letter,
  text: by(letter.text),
  html: by(letter.html),
})
/** Mails of one update differ in the recipient's name alone, if at all. */
const nameless = ({ text, to }: Letter) =>
  to.reduce((rest, { name }) => rest.replaceAll(name, ''), text)
const elsewhere = { name: 'Somebody Else', mail: 'somebody.else@example.org' }

export const mailOperators: readonly Operator[] = [
  mail('none', 'sends no mail', () => []),
  mail('twice', 'sends each mail twice', (letter) => [letter, letter]),
  mail('elsewhere', 'sends each mail to somebody else', (letter) => [
    { ...letter, to: [elsewhere] },
  ]),
  mail('one-of-many', 'mails the first member of a team only', (letter, before) =>
    before.some((one) => nameless(one) === nameless(letter)) ? [] : [letter],
  ),
  mail('every-second', 'loses every second mail', (letter, before) =>
    before.length % 2 === 1 ? [] : [letter],
  ),
  mail('and-another', 'mails somebody else as well', (letter) => [
    { ...letter, to: [...letter.to, elsewhere] },
  ]),
  mail('empty', 'sends mails without text', (letter) => [texts(letter, () => '')]),
  mail('half', 'sends half of each text', (letter) => [
    texts(letter, (text) => text.slice(0, Math.floor(text.length / 2))),
  ]),
]
