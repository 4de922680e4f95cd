import type { Faker } from '@faker-js/faker'
import { dayMs } from '../../engine/files/dates.ts'
import { isAccepted } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { clock } from '../../engine/time/timers.ts'
import {
  isReadOperation,
  type Operation,
  operations,
  type ReadOperation,
} from '../contract/operations.ts'
import { statuses } from '../contract/statuses.ts'
import type { Loan } from '../loans/lending.ts'
import type { Task } from '../service/answers.ts'
import { isSameId } from '../service/ids.ts'
import type { Service, Shared } from '../service/service.ts'
import { type How, unassignBody, updateBody } from '../service/update-request.ts'
import {
  assigneeIn,
  assigneesIn,
  createToken,
  needChangers,
  type OfRun,
} from '../updates/controls.ts'
import { needUpdated, send } from '../updates/sender.ts'
import type { SequenceView } from '../updates/sequence.ts'

/** valid except for the key to be tried */
export type KeyProbe = {
  operation: Operation
  send(how: How, by?: Service): Promise<Answer>
  /** counts only if the valid key is accepted in this form */
  sendOtherwise?: ((how: How) => Promise<Answer>) | undefined
  control: Answer
  /** false: it names an unknown id */
  targetExists: boolean
  /** returns its task; with a single task, the next probe would otherwise wait forever */
  giveBack(): Promise<void>
}

export type KeyProbes = {
  of(operation: Operation, options?: { unknownTarget?: true }): Promise<KeyProbe>
  close(): Promise<void>
}

const aSecondFrom = (time: number) => {
  const [start, end] = [time, time + 1000].map((each) => new Date(each).toISOString())
  return `range_start=${start}&range_end=${end}`
}

/** Of a day long past, or of yesterday if that is rejected. */
const smallExports = () => ({
  'a small export': aSecondFrom(Date.UTC(2020, 0, 1)),
  'a small export of yesterday': aSecondFrom(Math.floor(clock.date() / dayMs - 1) * dayMs),
})

type Deps = OfRun & { service: Service; shared: Shared; sequence: SequenceView; random: Faker }

export function openKeyProbes({
  settings,
  known,
  lending,
  service,
  shared,
  sequence,
  random,
  history,
}: Deps): KeyProbes {
  const loans = new Set<Loan>()

  const createProbe = async (
    operation: Operation,
    name: string,
    targetExists: boolean,
    request: (service: Service, how?: How) => Promise<Answer>,
  ): Promise<KeyProbe> => ({
    operation,
    send: (how, by = service) => request(by, how),
    control: await shared(name, (at) => request(at)),
    targetExists,
    giveBack: async () => {},
  })

  const probeExport = async () => {
    const probes: KeyProbe[] = []
    for (const [name, range] of Object.entries(smallExports())) {
      const request = (at: Service, how?: How) => at.exportEvents(range, how)
      const probe = await createProbe('export', name, true, request)
      const sendOtherwise = (how: How) => service.exportEvents('', how)
      if (isAccepted(probe.control)) return { ...probe, sendOtherwise }
      probes.push(probe)
    }
    return probes[0] as KeyProbe
  }

  const probeRead = (operation: ReadOperation, unknownTarget: boolean) => {
    const { resource } = operations[operation]
    const id = unknownTarget ? undefined : known.ids[resource].present.at(-1)
    const asked = id ?? random.string.uuid()
    const name = `${operation} ${id ? 'of what is known' : 'of nothing'}`
    const request = (at: Service, how?: How) => at.read(operation, asked, how)
    return createProbe(operation, name, id !== undefined, request)
  }

  /** An update of an unknown id changes nothing even if an invalid key is accepted. */
  const probeUnknownUpdate = (kind: 'update' | 'unassign') => {
    const by = settings.actorId ?? random.string.uuid()
    const to = assigneeIn(settings) ?? { id: random.string.uuid(), type: 'USER' as const }
    const body = kind === 'update' ? updateBody(by, to) : unassignBody(by)
    const id = random.string.uuid()
    const version = random.date.past().toISOString()
    const request = (at: Service, how?: How) => at.put(id, version, body, how)
    return createProbe(`assign.${kind}`, `${kind} of nothing`, false, request)
  }

  const probeUpdate = async (kind: 'update' | 'unassign'): Promise<KeyProbe> => {
    const { to } = needChangers(settings)
    // Before a task is borrowed: with a single task the control would wait forever.
    const controls = await sequence.needControls()
    const loan = await lending.borrow(kind === 'update' ? 'any state' : 'USER', service)
    loans.add(loan)
    let task: Task = loan.task
    // Assigning the current assignee may be rejected, and the contract does not specify the order of checks.
    const everybody = [...(controls.to ? [controls.to] : []), ...assigneesIn(settings)]
    const other = everybody.find(({ id }) => !isSameId(id, task.assignment?.assigned_to_id))
    const comment = controls.commented ? createToken(history) : undefined
    const assigning = { to: other ?? to, comment }
    const own = kind === 'update' ? assigning : {}
    const sendOwn = async (how: How) => {
      const answer = await send(loan, { ...own, how }, task)
      const unclear = kind === 'unassign' && task.assignment === null && !isAccepted(answer)
      if (!unclear || answer.status === statuses.badKey) return answer
      // The contract does not say what unassigning an unassigned task does: assign it first.
      task = await needUpdated(loan, assigning, task)
      return send(loan, { ...own, how }, task)
    }
    const team = assigneesIn(settings).find(
      ({ id, type }) => type === 'TEAM' && !isSameId(id, task.assignment?.assigned_to_id),
    )
    const sendToTeam = team && ((how: How) => send(loan, { to: team, comment, how }, task))
    return {
      operation: `assign.${kind}`,
      send: sendOwn,
      sendOtherwise: kind === 'update' ? sendToTeam : undefined,
      control: controls[kind],
      targetExists: true,
      giveBack: async () => {
        if (loans.delete(loan)) await loan.giveBack()
      },
    }
  }

  return {
    of: (operation, { unknownTarget = false } = {}) => {
      if (operation === 'export') return probeExport()
      if (isReadOperation(operation)) return probeRead(operation, unknownTarget)
      const kind = operations[operation].member
      const changeable = known.tasks.some(({ lendable }) => lendable)
      const able = changeable && settings.actorId && assigneeIn(settings)
      return able && !unknownTarget ? probeUpdate(kind) : probeUnknownUpdate(kind)
    },
    close: async () => {
      await Promise.all([...loans].map((loan) => loan.giveBack()))
    },
  }
}
