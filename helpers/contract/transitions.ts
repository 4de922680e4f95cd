import type { SentObject } from './fields.ts'

type ChangeRow = { from: 'unassigned' | 'assigned'; by: SentObject; to: 'unassigned' | 'assigned' }

/** The changes of an assignment that the contract's table gives; `by`: the object in the body of the update. */
export const changes = {
  assign: { from: 'unassigned', by: 'update', to: 'assigned' },
  reassign: { from: 'assigned', by: 'update', to: 'assigned' },
  unassign: { from: 'assigned', by: 'unassign', to: 'unassigned' },
} as const satisfies Record<string, ChangeRow>

export type Change = keyof typeof changes

export const changeNames = Object.keys(changes) as Change[]

/** A task's assignment, as far as transitions go. */
export type State = 'unassigned' | 'user' | 'team'

type Row = { change: Change; from: State; to: State }

/** The changes, each from and to a user and a team. */
export const transitions = {
  'unassigned-to-user': { change: 'assign', from: 'unassigned', to: 'user' },
  'user-to-user': { change: 'reassign', from: 'user', to: 'user' },
  'user-to-team': { change: 'reassign', from: 'user', to: 'team' },
  'team-to-team': { change: 'reassign', from: 'team', to: 'team' },
  'team-to-user': { change: 'reassign', from: 'team', to: 'user' },
  'unassign-user': { change: 'unassign', from: 'user', to: 'unassigned' },
  'unassigned-to-team': { change: 'assign', from: 'unassigned', to: 'team' },
  'unassign-team': { change: 'unassign', from: 'team', to: 'unassigned' },
} as const satisfies Record<string, Row>

export type Transition = keyof typeof transitions

export const transitionNames = Object.keys(transitions) as Transition[]

/** The operation that a transition is an update of. */
export const operationOfTransition = (name: Transition) =>
  `assign.${changes[transitions[name].change].by}` as const
