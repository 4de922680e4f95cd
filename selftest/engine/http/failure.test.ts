import { describe, expect, test } from 'vitest'
import { failureOf, type Stage } from '../../../engine/http/failure.ts'
import { Trouble } from '../../../engine/outcome.ts'
import { floods, type Wrong, wrongs } from '../../hostile/on-the-line.ts'
import { answering, clientFor } from './servers.ts'

const notHttp = 'Response does not match the HTTP/1.1 protocol (Invalid header token)'

/** The errors of undici and Node: a code, or a message without one. */
const errorOf = (code: string) =>
  /^[A-Z_\d]+$/.test(code) ? Object.assign(new Error('it failed'), { code }) : new Error(code)

describe('an error is described', () => {
  // biome-ignore format: one case a line
  test.for<[code: string, stage: Stage, sentence: string]>([
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
  ])('%s while %s', ([code, stage, sentence]) => {
    expect(failureOf(errorOf(code), stage, false).message).toBe(sentence)
  })

  test.for<[code: string, sentence: string]>([
    ['ENOTFOUND', "the proxy's host name is not known"],
    ['UND_ERR_HEADERS_TIMEOUT', 'no response from the proxy'],
    ['UND_ERR_PRX_TLS', "the proxy's certificate is not trusted"],
    ['Proxy response (407) !== 200 when HTTP Tunneling', 'the proxy responded 407 to CONNECT'],
    ['ECONNRESET', 'the connection was reset by the proxy while it was set up'],
    ['PROXY_CLOSED', 'the connection was closed by the proxy while it was set up'],
  ])('%s of a proxy', ([code, sentence]) => {
    expect(failureOf(errorOf(code), 'connecting', true).message).toBe(sentence)
  })

  // biome-ignore format: one case a line
  test.for<[code: string, sentence: string]>([
    ['CERT_HAS_EXPIRED', 'its certificate has expired'],
    ['CERT_NOT_YET_VALID', 'its certificate is not valid yet'],
    ['CERT_REVOKED', 'its certificate is revoked'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another host name'],
    ['CERT_UNTRUSTED', 'its certificate is not trusted (CERT_UNTRUSTED)'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'its certificate is not trusted (self-signed); set CA_FILE to its issuer'],
    ['UNABLE_TO_GET_ISSUER_CERT', 'its certificate is not trusted (issuer not known); set CA_FILE to the issuer'],
    ['EPROTO', 'the TLS handshake failed (EPROTO)'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'it does not speak TLS; for plain HTTP, start the address with http://'],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'it requires a client certificate; set CLIENT_CERT_FILE and CLIENT_KEY_FILE'],
    ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'it rejected the TLS handshake (alert handshake_failure)'],
  ])('%s is lasting', ([code, sentence]) => {
    const { message, lasting } = failureOf(errorOf(code), 'connecting', false)
    expect([message, lasting]).toEqual([sentence, true])
  })
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

describe.concurrent('a service that', () => {
  test.for(wrongs)('%s', (wrong) => expectTrouble(wrong, /within/.test(wrong[2]) ? 1000 : 10_000))
})

describe('a service that', () => {
  test.for(floods)('%s', (flood) => expectTrouble(flood, 10_000))
})
