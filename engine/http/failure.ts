import { Trouble } from '../outcome.ts'

export type Stage = 'connecting' | 'asked' | 'answering'

/** Why one attempt brought no whole answer. The message is half a sentence for people. */
export class Failure extends Trouble {
  override name = 'Failure'
  /** only `false` is certain */
  sent: boolean | 'unknown'
  lasting: boolean
  /** the service was not reached or the answer broke off; false if the answer is unusable */
  transport: boolean
  silent: boolean

  constructor(
    message: string,
    stage: Stage,
    kind: { lasting?: boolean; transport?: boolean; silent?: boolean } = {},
  ) {
    super(message)
    this.sent = stage === 'connecting' ? false : stage === 'asked' ? 'unknown' : true
    this.lasting = kind.lasting ?? false
    this.transport = kind.transport ?? true
    this.silent = kind.silent ?? false
  }
}

export const unusable = (message: string): Failure =>
  new Failure(message, 'answering', { lasting: true, transport: false })

export function failureOf(error: unknown, stage: Stage, proxied: boolean): Failure {
  if (error instanceof Failure) return error
  const code = codeOf(error)
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof Trouble) return new Failure(message, stage, { lasting: true })
  if (code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED')
    return new Failure(`cannot be sent: ${invalid(message)}`, 'connecting', {
      lasting: true,
      transport: false,
    })
  const certificate = certificates[code]
  if (certificate) return new Failure(certificate, stage, { lasting: true })
  if (/^(CERT_|UNABLE_TO_|CRL_)/.test(code))
    return new Failure(`its certificate is not trusted (${code})`, stage, { lasting: true })
  return new Failure(sentence(code, message, stage, proxied && stage === 'connecting'), stage)
}

export function span(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`
}

const selfSigned = 'its certificate is not trusted (self-signed); set CA_FILE to its issuer'
const unknownIssuer = 'its certificate is not trusted (issuer not known); set CA_FILE to the issuer'
const notTls = 'it does not speak TLS; for plain HTTP, start the address with http://'

const certificates: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: selfSigned,
  SELF_SIGNED_CERT_IN_CHAIN: selfSigned,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownIssuer,
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  CERT_REVOKED: 'its certificate is revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
  UND_ERR_PRX_TLS: "the proxy's certificate is not trusted",
  EPROTO: 'the TLS handshake failed (EPROTO)',
  ERR_SSL_WRONG_VERSION_NUMBER: notTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: notTls,
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED:
    'it requires a client certificate; set CLIENT_CERT_FILE and CLIENT_KEY_FILE',
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: 'it rejected the TLS handshake (alert handshake_failure)',
}

const places = {
  connecting: 'while it was set up',
  asked: 'before a response',
  answering: 'in the body',
}

function sentence(code: string, message: string, stage: Stage, byProxy: boolean): string {
  const refusal = /Proxy response \((\d+)\)/.exec(message)
  if (refusal) return `the proxy responded ${refusal[1]} to CONNECT`
  // undici's parser errors have no code
  const broken = /does not match the HTTP\/1.1 protocol \((.*)\)/.exec(message)?.[1]
  if (broken)
    return stage === 'answering'
      ? `the body is not framed as HTTP requires (${broken})`
      : `the response is not HTTP (${broken})`
  if (message === 'bad response' || message === 'bad upgrade')
    return 'the response does not belong to the request'
  const by = byProxy ? ' by the proxy' : ''
  const host = byProxy ? "the proxy's host name" : 'the host name'
  const reset = `the connection was reset${by} ${places[stage]}`
  const closed = `the connection was closed${by} ${places[stage]}`
  const sentences: Record<string, string> = {
    ECONNREFUSED: `connection refused${by}`,
    ENOTFOUND: `${host} is not known`,
    EAI_AGAIN: `${host} could not be looked up`,
    EHOSTUNREACH: 'the host cannot be reached',
    ENETUNREACH: 'the host cannot be reached',
    ETIMEDOUT: 'no connection in time',
    UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
    UND_ERR_HEADERS_TIMEOUT: byProxy ? 'no response from the proxy' : 'no response in time',
    ECONNRESET: reset,
    EPIPE: reset,
    UND_ERR_SOCKET: closed,
    PROXY_CLOSED: closed,
    UND_ERR_HEADERS_OVERFLOW: 'the headers of the response are larger than 16 kB',
    UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the length of the body is not its Content-Length',
    UND_ERR_DESTROYED: 'the client was closed',
    UND_ERR_CLOSED: 'the client was closed',
  }
  return sentences[code] ?? `failed ${places[stage]} (${code || message})`
}

export function codeOf(error: unknown): string {
  const { code, errors, cause } = (error ?? {}) as Record<string, unknown>
  // A name with several addresses fails with one error per address.
  if (Array.isArray(errors) && errors.length > 0) return codeOf(errors[0])
  if (typeof code === 'string') return code
  return cause ? codeOf(cause) : ''
}

const invalid = (message: string): string =>
  message === 'invalid request path'
    ? 'its path contains characters that a path cannot hold'
    : `HTTP cannot carry it (${message})`
