import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo, Server, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'vitest'
import { isLong } from './long.ts'

/** The running test: vitest's own `onTestFinished` confuses concurrent ones. */
export const running = new AsyncLocalStorage<TestContext>()

/** A test that `npm run long` alone tries. */
export const ofLong = (name: string, body: () => unknown): void =>
  void (isLong && test(name, async () => void (await body())))

/** Runs a function when the running test ends, also when it fails. */
export function atTestEnd(act: () => unknown): void {
  const test = running.getStore()
  if (!test) throw new Error('no test is running: close what beforeAll opens in afterAll')
  test.onTestFinished(async () => void (await act()))
}

/** Returns a resource, and closes it when the running test ends. */
export function untilTestEnd<T extends { close(): unknown }>(opened: T): T {
  atTestEnd(() => opened.close())
  return opened
}

/** A new folder that is removed when the running test ends. */
export function openTestFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'contract-'))
  atTestEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A new folder for all tests of a worker. */
export const openWorkerFolder = (): string =>
  mkdtempSync(join(process.env.WORKER_FOLDERS ?? tmpdir(), 'contract-'))

/** A new file for all tests of a worker, with JSON unless the content is a text. */
export function fileWith(content: unknown, name = 'report.json'): string {
  const file = join(openWorkerFolder(), name)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

/** Lets a server listen on a free port; `close` cuts its connections. */
export async function opened(server: Server): Promise<{ origin: string; close(): Promise<void> }> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
  return { origin: `http://127.0.0.1:${port}`, close }
}
