import { address } from '../../engine/settings/addresses.ts'
import { pem, toggle } from '../../engine/settings/parsers.ts'
import type { Table } from '../../engine/settings/table.ts'
import { headerName, headers } from './pairs.ts'

export const way = {
  WRONG_REGION_URL: {
    meaning: "another region's base, where the key must not work",
    example: 'https://api.other-region.example.com/v5',
    kind: address('https://api.other-region.example.com/v5'),
  },
  OUTSIDE_PROXY_URL: {
    meaning: 'an egress proxy whose address is outside the allow list',
    example: 'http://outside.example.com:3128',
    kind: address('http://outside.example.com:3128', { userinfo: true }),
  },
  PROXY_URL: {
    meaning: 'proxy through which the service is reached',
    example: 'http://proxy.example.com:3128',
    kind: address('http://proxy.example.com:3128', { userinfo: true }),
  },
  CA_FILE: {
    meaning: 'certificates (PEM) to check the certificate of the service against',
    example: 'certificates/ca.pem',
    kind: pem('CERTIFICATE'),
  },
  CLIENT_CERT_FILE: {
    meaning: 'client certificate (PEM), together with CLIENT_KEY_FILE',
    example: 'certificates/client.pem',
    kind: pem('CERTIFICATE'),
  },
  CLIENT_KEY_FILE: {
    meaning: 'private key of the client certificate (PEM, without a passphrase)',
    example: 'certificates/client-key.pem',
    kind: pem('PRIVATE KEY'),
  },
  EXTRA_HEADERS: {
    meaning: 'further headers for a gateway, secret like the key; a comma in a value is %2C',
    example: 'x-gateway-key=your-other-key,x-tenant=staging',
    kind: headers,
    default: {} as Record<string, string>,
  },
  TRACE: {
    meaning: 'send a traceparent with each request, to find it in the log of the service',
    example: '0',
    kind: toggle,
    default: true,
  },
  REVISION_HEADER: {
    meaning: 'response header that names the revision of the service, kept in every report',
    example: 'x-revision',
    kind: headerName,
  },
} satisfies Table
