// Which request goes where, and in which order it is checked.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { finish, sendExportError, sendJson, sendJsonError } from './answers.ts'
import { exportEvents } from './export.ts'
import { updateAssignment } from './update.ts'
import type { World } from './world.ts'
import { readFromReplica } from './world.ts'

const MAX_BODY_BYTES = 256 * 1024

export async function answer(
  world: World,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const url = new URL(req.url ?? '/', 'http://local')
  const text = await bodyOf(req)
  const path = url.pathname.startsWith('/v5/') ? url.pathname.slice(3) : undefined
  const exporting = path === '/audit-sentinel/events/export'
  const fail = exporting ? sendExportError : sendJsonError
  // the key comes before everything else: "When the header is missing or the key is invalid, …"
  if (req.headers.apikey !== world.apiKey) return fail(req, res, 401, 'Unauthorized')
  if (exporting) return answerExport(world, req, res, url.searchParams)
  const parts = /^\/(tasks|assessments)\/([^/]+)(\/update-assignment)?$/.exec(path ?? '')
  const id = decoded(parts?.[2] ?? '')
  if (id === undefined) return fail(req, res, 400, 'the path is not a URI')
  if (parts === null) return fail(req, res, 404, 'no such path')
  if (parts[1] === 'assessments') {
    const assessment = world.assessments.get(id)
    if (parts[3] !== undefined) return fail(req, res, 404, 'no such path')
    if (req.method !== 'GET') return fail(req, res, 405, 'GET only')
    if (assessment === undefined) return fail(req, res, 404, 'Not Found')
    const odd = world.assessmentIds.indexOf(assessment.id) % 2 === 1
    return sendJson(req, res, odd ? 203 : 200, assessment)
  }
  const task = world.tasks.get(id)
  if (req.method !== (parts[3] === undefined ? 'GET' : 'PUT')) return fail(req, res, 405, 'method')
  // legal and stated: an id of any shape that matches no task is not found
  if (task === undefined) return fail(req, res, 404, 'Task not found')
  if (req.method === 'GET') {
    return sendJson(req, res, task.quirks.getStatus, readFromReplica(world, task))
  }
  const type = req.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') return fail(req, res, 415, 'application/json is required')
  if (text === undefined) return fail(req, res, 413, 'body too large')
  const outcome = updateAssignment(world, task, req.headers['if-match'], text)
  if ('refused' in outcome) return fail(req, res, outcome.refused, outcome.why)
  if (task.quirks.processing) res.writeProcessing()
  sendJson(req, res, outcome.status, outcome.body)
}

function answerExport(
  world: World,
  req: IncomingMessage,
  res: ServerResponse,
  query: URLSearchParams,
): void {
  const outcome = req.method === 'GET' ? exportEvents(world, query) : undefined
  if (outcome === undefined) {
    sendExportError(req, res, 405, 'GET only')
  } else if ('refused' in outcome) {
    sendExportError(req, res, 400, outcome.refused)
  } else {
    res.setHeader('Content-Type', outcome.type)
    res.setHeader('Content-Disposition', outcome.disposition)
    finish(req, res, 200, outcome.file)
  }
}

async function bodyOf(req: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= MAX_BODY_BYTES) chunks.push(chunk)
  }
  return size > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks).toString('utf8')
}

function decoded(id: string): string | undefined {
  try {
    return decodeURIComponent(id).toLowerCase()
  } catch {
    return undefined
  }
}
