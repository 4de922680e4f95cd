import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Self-signed certificates for a service and a client; `made` is false without openssl. */
export function makeCertificates() {
  const folder = mkdtempSync(join(tmpdir(), 'certificates-'))
  const file = (name: 'service' | 'client', kind: 'pem' | 'key') => join(folder, `${name}.${kind}`)
  const make = (name: 'service' | 'client') => {
    const subject = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2'
    const files = ['-keyout', file(name, 'key'), '-out', file(name, 'pem')]
    const names = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1']
    execFileSync('openssl', [...subject.split(' '), ...files, ...names], { stdio: 'ignore' })
  }
  const remove = () => rmSync(folder, { recursive: true })
  try {
    make('service')
    make('client')
    return { file, remove, made: true }
  } catch {
    return { file, remove, made: false }
  }
}
