import { expect, test } from 'vitest'
import { failureOf, type Stage } from '../../../engine/http/failure.ts'
import { Trouble } from '../../../engine/outcome.ts'
import { floods, type Wrong, wrongs } from '../../hostile/on-the-line.ts'
import { answering, clientFor } from './servers.ts'

const notHttp = 'Response does not match the HTTP/1.1 protocol (Invalid header token)'

/** The errors of undici and Node: a code, or a message without one. */
const errorOf = (code: string) =>
  /^[A-Z_\d]+$/.test(code) ? Object.assign(new Error('it failed'), { code }) : new Error(code)

// biome-ignore format: one case a line
test.for<[code: string, where: Stage | 'proxy', sentence: string, isLasting?: boolean]>([
  ['ENOTFOUND', 'connecting', 'the host name is not known'],
  ['EAI_AGAIN', 'connecting', 'the host name could not be looked up'],
  ['EHOSTUNREACH', 'connecting', 'the host cannot be reached'],
  ['ETIMEDOUT', 'connecting', 'no connection in time'],
  ['ECONNREFUSED', 'connecting', 'connection refused'],
  ['UND_ERR_HEADERS_TIMEOUT', 'asked', 'no response in time'],
  ['EPIPE', 'connecting', 'the connection was reset while it was set up'],
  ['ECONNRESET', 'asked', 'the connection was reset before a response'],
  ['ECONNRESET', 'answering', 'the connection was reset in the body'],
  ['UND_ERR_SOCKET', 'connecting', 'the connection was closed while it was set up'],
  ['UND_ERR_SOCKET', 'asked', 'the connection was closed before a response'],
  ['UND_ERR_SOCKET', 'answering', 'the connection was closed in the body'],
  ['ENEW', 'connecting', 'failed while it was set up (ENEW)'],
  ['ENEW', 'asked', 'failed before a response (ENEW)'],
  ['ENEW', 'answering', 'failed in the body (ENEW)'],
  [notHttp, 'asked', 'the response is not HTTP (Invalid header token)'],
  [notHttp, 'answering', 'the body is not framed as HTTP requires (Invalid header token)'],
  ['bad response', 'asked', 'the response does not belong to the request'],
  ['UND_ERR_HEADERS_OVERFLOW', 'asked', 'the headers of the response are larger than 16 kB'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'answering', 'the length of the body is not its Content-Length'],
  ['UND_ERR_DESTROYED', 'asked', 'the client was closed'],
  ['ENOTFOUND', 'proxy', "the proxy's host name is not known"],
  ['UND_ERR_HEADERS_TIMEOUT', 'proxy', 'no response from the proxy'],
  ['UND_ERR_PRX_TLS', 'proxy', "the proxy's certificate is not trusted"],
  ['Proxy response (407) !== 200 when HTTP Tunneling', 'proxy', 'the proxy responded 407 to CONNECT'],
  ['ECONNRESET', 'proxy', 'the connection was reset by the proxy while it was set up'],
  ['PROXY_CLOSED', 'proxy', 'the connection was closed by the proxy while it was set up'],
  ['CERT_HAS_EXPIRED', 'connecting', 'its certificate has expired', true],
  ['CERT_NOT_YET_VALID', 'connecting', 'its certificate is not valid yet', true],
  ['CERT_REVOKED', 'connecting', 'its certificate is revoked', true],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'connecting', 'its certificate is for another host name', true],
  ['CERT_UNTRUSTED', 'connecting', 'its certificate is not trusted (CERT_UNTRUSTED)', true],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'connecting', 'its certificate is not trusted (self-signed); set CA_FILE to its issuer', true],
  ['UNABLE_TO_GET_ISSUER_CERT', 'connecting', 'its certificate is not trusted (issuer not known); set CA_FILE to the issuer', true],
  ['EPROTO', 'connecting', 'the TLS handshake failed (EPROTO)', true],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'connecting', 'it does not speak TLS; for plain HTTP, start the address with http://', true],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'connecting', 'it requires a client certificate; set CLIENT_CERT_FILE and CLIENT_KEY_FILE', true],
  ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'connecting', 'it rejected the TLS handshake (alert handshake_failure)', true],
])('%s while %s is described', ([code, where, sentence, isLasting]) => {
  const isProxy = where === 'proxy'
  const failure = failureOf(errorOf(code), isProxy ? 'connecting' : where, isProxy)
  expect(failure).toMatchObject({ message: sentence, ...(isLasting && { lasting: true }) })
})

/** Node ends a socket before it resets it: which one a client sees first is chance. */
const eitherEnd = (message: string) => message.replace('was reset', 'was closed')

async function expectTrouble([, send, message]: Wrong, timeoutMs: number) {
  const { url } = await answering(send)
  const { client, exchanges } = clientFor(url, { timeoutMs })
  const asked = client.ask({ method: 'GET', path: '/tasks/1', retries: false })
  const error = await asked.catch((error) => error)
  expect(error).toBeInstanceOf(Trouble)
  expect(eitherEnd(error.message)).toBe(eitherEnd(`GET /tasks/1: ${message}`))
  expect(exchanges).toHaveLength(1)
  expect(eitherEnd(exchanges[0]?.trouble ?? '')).toBe(eitherEnd(message))
  expect(exchanges[0]?.body).toBeUndefined()
}

test.concurrent.for(wrongs)('a service that %s', (wrong) =>
  expectTrouble(wrong, /within/.test(wrong[2]) ? 1000 : 10_000),
)

test.for(floods)('a service that %s', (flood) => expectTrouble(flood, 10_000))
