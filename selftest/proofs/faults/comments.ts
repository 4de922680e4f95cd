import type { Update } from '../../../reference/calls/call.ts'
import { stated } from '../../../reference/rules/stated.ts'
import { type Fault, fault, faultsNamed } from '../fault.ts'

const short = [
  ...['plain', 'non-latin', 'quotes', 'placeholders', 'newlines', 'emoji', 'right-to-left'],
  'combining',
]
const asSent = [...short.slice(0, 2), 'long', ...short.slice(2), 'values']
const comments = (kinds: string[]) => kinds.map((kind) => `assign.comment.${kind}`)

const shownAs = (what: string, kinds: string[], bend: (comment: string) => string) =>
  fault(`comments ${what}`, {
    comment: ({ comment }) => (typeof comment === 'string' ? bend(comment) : comment),
    breaks: comments(kinds),
  })

const isUnassign = ({ op }: Update) => op === 'assign.unassign'

export const faults: Fault[] = [
  ...faultsNamed({ 'comments are lost': { comment: () => null, breaks: comments(asSent) } }),
  shownAs('are cut after 255 characters', ['long'], (comment) => comment.slice(0, 255)),
  shownAs('are cut after 20 characters', [...short, 'long'], (comment) => comment.slice(0, 20)),
  shownAs('are cut at the first line break', ['newlines'], (comment) =>
    comment.replace(/\n.*/s, ''),
  ),
  shownAs('get Windows line breaks', ['newlines'], (comment) => comment.replaceAll('\n', '\r\n')),
  shownAs('lose their line breaks', ['newlines'], (comment) => comment.replaceAll('\n', ' ')),
  shownAs(
    'are stored as Latin-1',
    ['non-latin', 'emoji', 'right-to-left', 'combining'],
    (comment) => Buffer.from(comment, 'latin1').toString('latin1'),
  ),
  shownAs('lose what takes four bytes', ['emoji'], (comment) =>
    comment.replaceAll(/[\u{10000}-\u{10ffff}]/gu, ''),
  ),
  shownAs('lose letters written from right to left', ['right-to-left'], (comment) =>
    comment.replaceAll(/[\u0590-\u06ff]/g, '?'),
  ),
  shownAs('are escaped for HTML', ['quotes', 'newlines'], (comment) =>
    comment.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
  ),
  shownAs('lose their markup', ['quotes'], (comment) => comment.replaceAll(/<[^>]*>/g, '')),
  shownAs('have their quotes doubled', ['quotes', 'newlines'], (comment) =>
    comment.replaceAll('"', '""'),
  ),
  shownAs('lose what a formatter fills in', ['placeholders'], (comment) =>
    comment.replaceAll(/%\d*\$?[sdif]/g, ''),
  ),
  shownAs('lose what a template fills in', ['placeholders'], (comment) =>
    comment.replaceAll(/\$?\{+\w*\}+/g, ''),
  ),
  shownAs('have their backslashes read', ['quotes'], (comment) =>
    comment.replaceAll('\\n', '\n').replaceAll('\\"', '"'),
  ),
  shownAs('have their entities read', ['quotes'], (comment) => comment.replaceAll('&amp;', '&')),
  shownAs('have doubled quotes read as one', ['quotes'], (comment) =>
    comment.replaceAll('""', '"').replaceAll("''", "'"),
  ),
  shownAs('are composed', ['combining'], (comment) => comment.normalize('NFC')),
  shownAs('have spaces for tabs', ['newlines'], (comment) => comment.replaceAll('\t', '    ')),
  shownAs('are numbers where they look like one', ['values'], (comment) =>
    /^\d{2,}(e\d+)?$/.test(comment) ? String(Number(comment)) : comment,
  ),
  ...faultsNamed({
    'a comment is inherited where none is sent': {
      comment: ({ task, sent, comment }) =>
        sent.assignment_comment === undefined ? task.assignment?.assignment_comment : comment,
      breaks: ['assign.comment.not-inherited'],
    },
    'an empty comment leaves the one before': {
      comment: ({ task, sent, comment }) =>
        sent.assignment_comment === '' ? task.assignment?.assignment_comment : comment,
      breaks: ['assign.comment.not-inherited'],
    },
    'the comment 0 is taken for none': {
      comment: ({ comment }) => (comment === '0' ? null : comment),
      breaks: ['assign.comment.plain'],
    },
    'the first comment stays': {
      comment: ({ task, comment }) => task.assignment?.assignment_comment || comment,
      breaks: comments([...asSent.slice(3), 'not-inherited']),
      // These two may be the first that their tasks get.
      mayBreak: [...comments(['plain', 'non-latin', 'long', 'null']), 'version.history'],
    },
    'no comment becomes a text': {
      comment: ({ comment }) => comment ?? 'none',
      breaks: ['assign.comment.null', 'assign.comment.omitted'],
      mayBreak: ['assign.comment.not-inherited'],
    },
    'a comment of null becomes the text null': {
      comment: ({ sent, comment }) => (sent.assignment_comment === null ? 'null' : comment),
      breaks: ['assign.comment.null'],
    },
    'a comment of null is refused': {
      sentFieldIsRight: (at) =>
        at.field === 'assignment_comment'
          ? typeof at.value === 'string'
          : stated.sentFieldIsRight(at),
      breaks: ['assign.comment.null', 'assign.comment.unassign-null'],
      mayBreak: ['version.model'],
    },
    'an assignment without a comment is refused': {
      requiredFields: (call) =>
        call.op === 'assign.update'
          ? [...stated.requiredFields(call), 'assignment_comment']
          : stated.requiredFields(call),
      breaks: ['assign.comment.omitted', 'version.model'],
    },
    'unassigning with a comment is refused': {
      transitionRefusal: (update) =>
        isUnassign(update) && update.sent.assignment_comment !== undefined ? 400 : undefined,
      breaks: ['assign.comment.unassign-with'],
    },
    'unassigning with a comment of null is refused': {
      transitionRefusal: (update) =>
        isUnassign(update) && update.sent.assignment_comment === null ? 400 : undefined,
      breaks: ['assign.comment.unassign-null'],
      mayBreak: ['version.model'],
    },
    'unassigning without a comment is refused': {
      transitionRefusal: (update) =>
        isUnassign(update) && update.sent.assignment_comment === undefined ? 400 : undefined,
      breaks: ['assign.comment.unassign-without'],
    },
  }),
]
