import { createServer } from 'node:http'
import type { Open } from '../../../reference/rules/open.ts'
import type { ExportFile } from '../../../reference/rules/stated-export.ts'
import { opened } from '../../test-end.ts'
import type { Bent } from '../fault.ts'

type Delivered = ReturnType<Open['delivery']>

/** An answer with the address of a file in a store. */
export type InStore = (address: string, file: ExportFile) => Delivered

/** What the store answers instead of a file. */
type Given = { status: number; content: string }

/**
 * Exports that are fetched from a store of another origin. It needs no key: a client that sends one has
 * leaked it.
 */
export function throughStore(answer: InStore, given?: Given): Pick<Bent, 'open' | 'surroundings'> {
  const files = new Map<string, Promise<ArrayBuffer>>()
  let origin = ''
  return {
    surroundings: async () => {
      const server = createServer(async ({ url = '', headers }, response) => {
        const file = files.get(new URL(url, origin).pathname)
        if (headers.apikey !== undefined) return response.writeHead(400).end('a key')
        if (given) return response.writeHead(given.status).end(given.content)
        if (!file) return response.writeHead(404).end()
        return response.writeHead(200).end(Buffer.from(await file))
      })
      const put = await opened(server)
      origin = put.origin
      return { env: {}, close: put.close }
    },
    open: {
      disposition: () => undefined,
      delivery: ({ file }) => {
        const path = `/files/${files.size}`
        files.set(path, new Response(file.content).arrayBuffer())
        return answer(`${origin}${path}?sig=1`, file)
      },
    },
  }
}
