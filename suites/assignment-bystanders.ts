import { describe } from 'vitest'
import { expect } from '../engine/clause/matchers.ts'
import { describeAnswer } from '../engine/http/answers.ts'
import { distinctProblems, problem } from '../engine/problem.ts'
import { shown } from '../engine/shown.ts'
import { clause } from '../helpers/clause.ts'
import { isByOther, spills, touchedTasks, updatedTasks } from '../helpers/history/questions.ts'
import type { Loan } from '../helpers/loans/lending.ts'
import { bodiesOf } from '../helpers/reads/readings.ts'
import { again } from '../helpers/service/again.ts'
import { premise } from '../helpers/service/answers.ts'
import { isSameId } from '../helpers/service/ids.ts'
import { isKept, otherFields } from '../helpers/service/other-fields.ts'
import { unassignBody, updateBody } from '../helpers/service/update-request.ts'
import { answeredBy, wasTouched } from '../helpers/updates/after-update.ts'
import { fetchChangedAlong, nearness, suspectsAmong } from '../helpers/updates/other-tasks.ts'
import { acceptedOf } from '../helpers/updates/step.ts'

const section = 'States and transitions'

describe('Assign, reassign, unassign', () => {
  clause(
    'assign.only-the-assignment',
    {
      should: 'leave the ids, names and metadata of a task, its step and created_at as they were',
      section,
    },
    async ({ journey, note }) => {
      // A read of another version may show what somebody else changed: then answers are judged alone.
      const steps = await journey.accepted('transitions')
      const read = steps.filter((step) => step.versionWasRead)
      const own = read.length > 0 ? read : steps.filter((step) => wasTouched(step, steps))
      premise(
        own.length > 0,
        'clause',
        'no read gave the version of an answer',
        'assign.new-version',
      )
      const kept = otherFields.filter((field) =>
        own.some(({ before, stored }) => before[field] != null || stored?.[field] != null),
      )
      premise(
        kept.length > 0 ||
          otherFields.some((field) => own.some(({ before }) => !(field in before))),
        'freedom',
        `${otherFields.join(', ')} are null, and which fields can be null is not shown`,
      )
      premise(
        kept.length > 0,
        'clause',
        `reads do not show ${otherFields.join(', ')}`,
        'task.read.fields',
      )
      const changed = read.flatMap((step) =>
        kept
          .filter((field) => !isKept(step.before[field], step.stored?.[field]))
          .map((field) => {
            const [expected, got] = [shown(step.before[field]), shown(step.stored?.[field])]
            const judged = [acceptedOf(step), step.stored]
            const seen = {
              expected,
              got,
              judged,
              control: step.before,
              again: again.kept(field, 'read'),
            }
            return problem(`${field} was ${expected} and is ${got}`, seen)
          }),
      )
      const answered = own.flatMap((step) => {
        const answer = answeredBy(step)
        return kept
          .filter((field) => field in answer && !isKept(step.before[field], answer[field]))
          .map((field) => {
            const [expected, got] = [shown(step.before[field]), shown(answer[field])]
            return problem(
              `${describeAnswer(acceptedOf(step))} with ${field} ${got}, which was ${expected}`,
              {
                expected,
                got,
                judged: answer,
                control: step.before,
                again: again.kept(field),
              },
            )
          })
      })
      expect(distinctProblems([...changed, ...answered])).toBeNone()
      note(
        `${kept.join(', ')} before and after ${read.length} updates, and in ${own.length} answers`,
      )
    },
  )

  clause(
    'assign.only-this-task',
    { should: 'leave other tasks as they are', section },
    async ({ service, session, taskReadings, people, alone, actor, settings, over, note }) => {
      const still = session.known.tasks.filter(
        ({ lendable, heldBy }) => !lendable && heldBy === undefined,
      )
      premise(still.length > 0, 'setting', 'set READ_TASK_IDS: tasks that must stay as they are')
      const readable = bodiesOf(taskReadings)
      const isReadable = (id: string) => readable.some((each) => each.id === id)
      const others = taskReadings
        .filter(({ id }) => isReadable(id) && still.some((each) => each.id === id))
        .slice(0, 5)
      premise(others.length > 0, 'refused', 'none of READ_TASK_IDS can be read; correct it')
      const [to] = people
      const update = async ({ task: { id }, current }: Loan) => {
        const task = await current.read(id)
        const body = task.assignment || !to ? unassignBody(actor) : updateBody(actor, to)
        premise(await current.put(task, body))
        return performance.now()
      }
      // Which kind of update changes them is not known: there is one of each.
      const updateAll = async (loan: Loan) => {
        const kinds = (['USER', 'TEAM'] as const).map((kind) =>
          people.find(({ type }) => type === kind),
        )
        for (const each of kinds) {
          const task = await loan.current.read(loan.task.id)
          if (each) await loan.current.put(task, updateBody(actor, each))
        }
        const task = await loan.current.read(loan.task.id)
        await loan.current.put(task, unassignBody(actor))
      }
      // Who touches other tasks comes between them as well: those of other clauses show it too.
      const own = session.lending.lend('any', service, update)
      const lost = await own.then(over, (error: unknown) => over().then(() => error))
      // Some of those that are lent too may have versions that neither an update of theirs nor anybody else made.
      const { history } = session
      const isTouched =
        spills(history) ||
        (touchedTasks(history, settings.settleMs).length > 0 && !isByOther(history, null))
      const lent = updatedTasks(history)
      const suspects = [...(await suspectsAmong(service, others)), ...(isTouched ? lent : [])]
      const { settleMs } = settings
      const amongOthers = ({ task }: Loan) => ({
        ids: suspects.filter((id) => !isSameId(id, task.id)),
        settleMs,
        stop: session.stop,
      })
      const { changed, restless } =
        suspects.length > 0
          ? await alone((loans) => {
              const near = ({ task }: Loan) => nearness(task.id, suspects, readable)
              const loan = loans.reduce((best, each) => (near(each) > near(best) ? each : best))
              return fetchChangedAlong(service, amongOthers(loan), () => updateAll(loan))
            })
          : { changed: [], restless: [] }
      premise(
        others.some(({ id }) => !restless.includes(id)),
        'freedom',
        'every task of READ_TASK_IDS changes by itself; transitions of a status are not shown',
      )
      expect(changed).toBeNone()
      if (lost) throw lost
      const calm = others.filter(({ id }) => !restless.includes(id))
      note(`${calm.length} other tasks before and after the updates of the run`)
    },
  )
})
