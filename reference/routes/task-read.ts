import type { Call } from '../calls/call.ts'
import type { Setup } from '../state/setup.ts'
import type { Task } from '../world/world.ts'
import { refuse, succeed } from './answer.ts'
import { checksOf, firstRefusal } from './checks.ts'
import { show } from './show.ts'

/** GET /tasks/{task_id} */
export function readTask(setup: Setup, call: Call): Response {
  const { stated, open, store } = setup
  const find = () => stated.taskFor({ ...call, tasks: store.tasks(open.readLag(call)) })
  const found = find()
  const refusal = firstRefusal(setup, call, checksOf(setup, call, found, 'Task not found'))
  if (refusal) return refuse(setup, call, refusal, found)
  const task = found as Task
  if (!stated.readingTouches({ ...call, task })) {
    return succeed(setup, call, show(setup, call, 'task', task))
  }
  store.touch(task.id)
  return succeed(setup, call, show(setup, call, 'task', find() ?? task))
}
