import { setTimeout as wait } from 'node:timers/promises'
import type { Call, Update } from '../calls/call.ts'
import type { Breach, Broken } from './breach.ts'

const someVersion = {
  'assign.update': [
    'version.stale.assign',
    'version.stale.reassign',
    'version.wrong.older',
    'version.wrong.future',
    'version.wrong.other-task',
  ],
  'assign.unassign': ['version.stale.unassign', 'version.wrong.unassign'],
}

/** Forms that come close to a version, and whether a text is one of the current version. */
const near: Record<string, (given: string, current: string) => boolean> = {
  cut: (given, current) => !/\.\d/.test(given) && given.slice(0, 19) === current.slice(0, 19),
  shorter: (given, current) => given !== current && isWithout(current, given),
  zone: (given, current) => given.endsWith('+01:00') && given.slice(0, 19) === current.slice(0, 19),
  finer: (given, current) => given.replace(/5(?=Z|[+-])/, '') === current,
  padded: (given, current) => given.includes(current),
  near: (given, current) =>
    given.length === current.length && given.slice(0, 19) === current.slice(0, 19),
}

/** Whether a text is another with one character left out. */
const isWithout = (whole: string, part: string) =>
  [...whole].some((_, at) => `${whole.slice(0, at)}${whole.slice(at + 1)}` === part)

const isTime = (text: string) => !Number.isNaN(Date.parse(text))

/** Which values of If-Match are taken. */
const versions: Breach = {
  of: [
    ...Object.values(someVersion).flat(),
    ...Object.keys(near).map((form) => `version.wrong.${form}`),
    'version.wrong.garbage.status',
    'version.star',
    'version.required',
    'version.required.unassign',
  ],
  rules: (broken, { stated }) => ({
    stated: {
      ifMatchIsRequired: (call) =>
        !broken(call.op === 'assign.unassign' ? 'version.required.unassign' : 'version.required') &&
        stated.ifMatchIsRequired(call),
      versionMatches: (compared) => {
        const { op, given, current } = compared
        if (stated.versionMatches(compared)) return true
        if (given === '*') return broken('version.star')
        const isLike = ([form, like]: [string, (typeof near)[string]]) =>
          broken(`version.wrong.${form}`) && like(given, current)
        if (Object.entries(near).some(isLike)) return true
        if (!isTime(given)) return broken('version.wrong.garbage.status')
        return (someVersion[op as keyof typeof someVersion] ?? []).some(broken)
      },
    },
  }),
}

const fields = ['assigned_by_id', 'assigned_to_id', 'assigned_to_type', 'unassign-assigned_by_id']

const isAnswered = ({ op }: Call, field: string, broken: Broken) => {
  const id = `assign.required.${op === 'assign.unassign' ? 'unassign-' : ''}${field}`
  // What keeps nothing answers an incomplete body as it does a whole one.
  return broken(id) || (broken(`${id}.status`) && broken('assign.persisted'))
}

/** From here on a status breaks by itself what wants another. */
const failure = 500

/** Which bodies are carried out that are not as they must be. */
const bodies: Breach = {
  of: [
    ...fields.flatMap((field) => [`assign.required.${field}`, `assign.required.${field}.status`]),
    'assign.type-values',
    'assign.type-values.status',
    'assign.field-types',
    'assign.content-type-required',
    'assign.not-json',
    'assign.refused-keeps-version',
  ],
  rules: (broken, { open, stated }) => ({
    stated: {
      effectOfRefusal: (refused) =>
        broken('assign.refused-keeps-version') && refused.reason === 'invalid body'
          ? 'touched'
          : stated.effectOfRefusal(refused),
      requiredFields: (call) =>
        stated.requiredFields(call).filter((field) => !isAnswered(call, field, broken)),
      typeIsAllowed: (call) =>
        broken('assign.type-values') ||
        (broken('assign.type-values.status') && broken('assign.persisted')) ||
        stated.typeIsAllowed(call),
      // One that is refused with 500 is not carried out.
      sentFieldIsRight: (call) =>
        (broken('assign.field-types') &&
          open.invalidBodyStatus({ ...call, flaw: 'type' }) < failure) ||
        stated.sentFieldIsRight(call),
      contentTypeIsRight: (call) =>
        (broken('assign.content-type-required') && open.contentTypeStatus(call) < failure) ||
        stated.contentTypeIsRight(call),
    },
    open: {
      notJsonStatus: (call) => {
        const usual = open.notJsonStatus(call)
        return broken('assign.not-json') && usual < failure ? 200 : usual
      },
      invalidBodyStatus: (call) => {
        const { op, flaw, field } = call
        const id =
          flaw === 'value'
            ? 'assign.type-values'
            : `assign.required.${op === 'assign.unassign' ? 'unassign-' : ''}${field}`
        const isOf = flaw === 'value' || flaw === 'required'
        const usual = open.invalidBodyStatus(call)
        return isOf && broken(`${id}.status`) && usual < failure ? 200 : usual
      },
    },
  }),
}

const people = { USER: 'user', TEAM: 'team' }

/** The clause of a transition. */
const transitionOf = ({ op, task, sent }: Update): string => {
  const kind = (type: string | undefined) => people[type as keyof typeof people] ?? 'unassigned'
  const from = kind(task.assignment?.assigned_to_type)
  return op === 'assign.unassign'
    ? `assign.unassign-${from}`
    : `assign.${from}-to-${kind(sent.assigned_to_type)}`
}

/** What becomes of an update that was taken. */
const effects: Breach = {
  of: [
    ...['unassigned', 'user', 'team'].flatMap((from) => [
      `assign.${from}-to-user`,
      `assign.${from}-to-team`,
    ]),
    'assign.unassign-user',
    'assign.unassign-team',
    'assign.persisted',
    'assign.fields-as-given',
    'assign.new-version',
    'assign.new-version.same-assignee',
    'assign.answer-is-task',
    'version.one-winner',
    'version.history',
  ],
  rules: (broken, { open, stated }) => ({
    stated: {
      assigned: (update) => {
        if (isLeft(update, broken)) return update.task.assignment
        const usual = stated.assigned(update)
        return usual && broken('assign.fields-as-given')
          ? { ...usual, assigned_by_id: usual.assigned_to_id }
          : usual
      },
      unassigned: (update) =>
        isLeft(update, broken) ? update.task.assignment : stated.unassigned(update),
      stored: (update) => (broken('assign.persisted') ? update.task : stated.stored(update)),
      versionAfter: (update) =>
        broken('assign.new-version') && !broken('assign.persisted')
          ? update.task.updated_at
          : stated.versionAfter(update),
      // Quotes within a text end it too soon.
      answerText: (call) => {
        const usual = stated.answerText(call)
        const isUpdate = call.op.startsWith('assign.')
        return isUpdate && broken('assign.answer-is-task') ? usual.replaceAll('\\"', '"') : usual
      },
      betweenCheckAndWrite: (update) =>
        broken('version.one-winner') || broken('version.history')
          ? wait(20)
          : stated.betweenCheckAndWrite(update),
    },
    open: {
      leavesVersion: (update) => {
        const { task, assignment } = update
        const isSame =
          task.assignment !== null && task.assignment.assigned_to_id === assignment?.assigned_to_id
        return (isSame && broken('assign.new-version.same-assignee')) || open.leavesVersion(update)
      },
    },
  }),
}

/** Whether an update leaves the assignment; what keeps nothing shows that in reads alone. */
const isLeft = (update: Update, broken: Broken) =>
  broken(transitionOf(update)) && !broken('assign.persisted')

export const breachesOfUpdates = [versions, bodies, effects]
