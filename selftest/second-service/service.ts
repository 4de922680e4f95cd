// A stranger's implementation of the contract: every stated sentence is kept, and every silence is
// filled with an odd choice that a careless suite would condemn. The odd choices, each with the
// silence that permits it ("n.s." stands for "not shown" in the contract):
//
// Answers of the JSON operations
// - 200, 201, 202 or 203 on success: "Success status codes of the three JSON operations: n.s."
// - errors with no body, or with null, false, a number, a string, a list, {}: "Shape of the error
//   response body: n.s."; never text or XML there, as "all … response bodies are JSON"
// - `application/vnd.oddly+json`, `text/json`, mixed case, odd parameters; leading line breaks,
//   tabs, \u escapes, any order of keys; br or gzip where accepted; no Content-Length; a body in
//   two parts; 102 first; a strange reason phrase, ETag, cookies; connections closed: no sentence
// - a clock 0.7 s ahead of the caller's: no sentence on clocks
// - fields beyond the tables, nested ones too: nothing says that the tables are closed
//
// Tasks
// - nulls in locked_at, microfrontend_id, step_name, data_version, assessment_template_id, c_name,
//   created_at: "Which task fields other than … can be null: n.s."
// - ids in upper case, and not of a UUID version or variant: "UUID-shaped" is all that is said
// - basic, week, comma, minute and hour-offset spellings, `Z` and `+00:00` in one object, 0 to 9
//   digits of a second: all are "ISO 8601 UTC datetime strings"
// - status IN_PROGRESS_2, spaces, Cyrillic: "Allowed values of status other than INCOMPLETE: n.s."
// - data_version that stands still, jumps or falls: "Meaning and update rules …: n.s."
// - custom_metadata null, {} or nested: "Contents of custom_metadata: n.s."
// - reads up to 300 ms behind the writes, going back and forth: no sentence on reading one's writes
// - a change by the service about 200 ms after an update, and one read task that changes every
//   0.9 s: no sentence says that callers alone change a task
// - updated_at earlier than the one before (a node that is 5 min behind), or a little in the future
//   (whole seconds, never repeated): "a new updated_at" is promised, a later one is not
//
// Update of the assignment
// - no If-Match: 428, 400 or 412; another Content-Type: 415: no status is shown for either
// - invalid body: 400 or 422, before or after 409: "Status returned for an invalid or incomplete
//   assignment body: n.s."; unknown fields and ids of nobody count as invalid on some or all tasks
// - both objects: refused, or one of them wins; neither: refused, or accepted as nothing to do:
//   "Behaviour when both or neither is sent: n.s."
// - unassign of an unassigned task: accepted unchanged, 409 or 422: "… no assignment: n.s."
// - assignment_comment absent from the answer where there is none: it is "optional"
//
// Assessments
// - error fields as objects, lists, numbers, false, "", some null on a failure: "Types … n.s."
//
// Audit export
// - CSV with a byte order mark, `sep=;`, semicolons, CRLF, own headings, no id, metadata in one
//   column, events in no order, dates to the minute: no columns or format but "CSV" are given
// - compressed PDF text in wrapped lines, octet-stream, no file name or a .txt one: "Content type
//   and file name …: n.s."; text, HTML, XML or empty errors: the export is excepted from JSON
// - dates in Asia/Kolkata unless a zone is asked for: the default of timezone is not mentioned
// - arrays as `x[]=a&x[]=b` or one `x=a`, else 400: "Encoding of repeated values …: n.s."
// - en, de and pt only: "List of supported locales: n.s."; 400 for an unknown metadata key or zone
// - events appear after 0.3 s; a comment on some tasks as an event of the entity alone; events of
//   refused updates (without the comment) and of exports: "complete lists of event types: n.s."
//
// Arguable (a strict reader may call them illegal; `arguable: false` leaves them out)
// - assigned ids echoed in another letter case; If-Match also taken in quotes; comments over 255
//   characters refused; an empty comment taken as none; an apostrophe before `=` in the CSV
//
// Dropped as illegal: 404 before 401 ("when the key is missing … 401"); 400 or 422 for a malformed
// id (it "does not match a task"); text or XML errors of the JSON operations; null ids of what a
// task belongs to; nulls in assessments (no "n.s." there); trimmed comments; an update without a
// change that keeps updated_at ("a new updated_at").
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sendJsonError } from './answers.ts'
import { answer } from './routes.ts'
import { makeWorld } from './seed.ts'
import type { World } from './world.ts'
import { commit } from './world.ts'

export type OddOptions = { seed?: number; arguable?: boolean }
export type OddService = {
  baseUrl: string
  apiKey: string
  taskIds: string[]
  readTaskIds: string[]
  assessmentIds: string[]
  actorId: string
  userIds: string[]
  teamIds: string[]
  mailboxUrl?: undefined
  close(): Promise<void>
}

const OWN_TOUCH_MS = 900

export async function startOddService(options: OddOptions = {}): Promise<OddService> {
  const world = makeWorld(options.seed ?? 1, options.arguable ?? true)
  const server = createServer((req, res) => {
    answer(world, req, res).catch(() => {
      if (!res.headersSent) sendJsonError(req, res, 500, 'unexpected')
      else res.destroy()
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const stopTouching = touchOneReadTask(world)
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v5`,
    apiKey: world.apiKey,
    taskIds: world.taskIds,
    readTaskIds: world.readTaskIds,
    assessmentIds: world.assessmentIds,
    actorId: world.actorId,
    userIds: world.userIds,
    teamIds: [...world.teams.keys()],
    close: async () => {
      stopTouching()
      world.stop()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

/** Legal: one of the read tasks is changed by a process of the service, again and again. */
function touchOneReadTask(world: World): () => void {
  const task = world.tasks.get((world.readTaskIds[1] ?? '').toLowerCase())
  const timer = setInterval(() => {
    if (task !== undefined) commit(task, { sla: { recalculated: task.used.size } })
  }, OWN_TOUCH_MS)
  return () => clearInterval(timer)
}
