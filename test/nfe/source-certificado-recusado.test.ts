import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createCadeia, createServidores, NOSSOS_NOMES } from '../../simulator/platform/icp/cadeia.ts'
import { issue, pem } from '../../simulator/platform/icp/certificado.ts'
import { recusaDoCertificado } from '../../src/nfe/source.ts'
import type { ClientCertificate } from '../../src/platform/wire/dial.ts'
import { SourceError } from '../../src/platform/wire/fonte.ts'
import { openTransport } from '../../src/platform/wire/transport.ts'

const source = { id: 'AN/eventos', nome: 'O Ambiente Nacional da NF-e' }
const cadeia = await createCadeia(NOSSOS_NOMES, new Date(Date.now() + 86_400_000 * 30))
const ca = pem(cadeia.raiz.certificado.raw)

/** A certificate to present, of an RSA key of so many bits. */
function certificateOf(bits: number): ClientCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: bits })
  const [inicio, fim] = [new Date(Date.now() - 86_400_000), cadeia.fim]
  const folha = issue(
    { nome: [['CN', 'CLIENTE']], publica: publicKey, inicio, fim, extensoes: [] },
    cadeia.intermediaria,
  )
  const key = Buffer.from(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  return { impressao: String(bits), key, cert: pem(folha) }
}

/** The failure of a request to a server that demands a certificate, with this certificate or without any. */
async function failureWith(
  t: TestContext,
  version: 'TLSv1.2' | 'TLSv1.3',
  certificate?: ClientCertificate,
): Promise<unknown> {
  const { key, cert } = createServidores(cadeia, () => new Date())('an.test')
  const server = createServer(
    {
      key,
      cert,
      ca: [ca],
      requestCert: true,
      rejectUnauthorized: true,
      minVersion: version,
      maxVersion: version,
    },
    (_, reply) => reply.end(),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port }: Partial<AddressInfo> = Object(server.address())
  const gateway = { host: '127.0.0.1', port: port ?? 0 }
  const http = openTransport({ mode: 'simulator', ca, gateway, hosts: {} }, { certificate })
  t.after(() => http.close())
  const ask = { source, method: 'POST', url: 'https://an.test/x', body: 'x', deadlineMs: 5_000 } as const
  return http.send({ ...ask, repeatable: true }).catch((error: unknown) => error)
}

for (const [version, codigo] of [
  ['TLSv1.2', 'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE'],
  ['TLSv1.3', 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'],
] as const) {
  test(`the alert of a ${version} server that gets no certificate is a refusal, and no outage`, async (t) => {
    const recusa = recusaDoCertificado(await failureWith(t, version), source)
    assert.ok(recusa)
    const { kind, unavailable, message, ...rest } = recusa
    assert.deepEqual([kind, unavailable, rest.codigo, rest.source], ['blocked', false, codigo, source.id])
    assert.match(message, /recusou o certificado enviado na requisição \(na conexão segura\)/)
  })
}

test('a key that OpenSSL itself finds too short to be presented is the certificate too', async (t) => {
  const recusa = recusaDoCertificado(await failureWith(t, 'TLSv1.3', certificateOf(1024)), source)
  assert.equal(recusa?.codigo, 'ERR_SSL_EE_KEY_TOO_SMALL')
})

const failure = (code: string): SourceError => {
  const cause = Object.assign(new Error('wire'), { code })
  return new SourceError('network', 'x', { source: source.id, elapsedMs: 7, cause })
}

for (const code of [
  'ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE',
  'ERR_SSL_SSL/TLS_ALERT_UNSUPPORTED_CERTIFICATE',
  'ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_REVOKED',
  'ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED',
  'ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_UNKNOWN',
  'ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE',
  'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
  'ERR_SSL_TLSV1_ALERT_ACCESS_DENIED',
  'ERR_SSL_CA_MD_TOO_WEAK',
]) {
  test(`${code} is a refusal of the certificate`, () => {
    const recusa = recusaDoCertificado(failure(code), source)
    assert.deepEqual([recusa?.kind, recusa?.unavailable, recusa?.elapsedMs], ['blocked', false, 7])
  })
}

test('what is about the server, the network or another page is not', () => {
  for (const code of [
    'ECONNRESET',
    'UND_ERR_SOCKET',
    'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR',
    'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'CERT_HAS_EXPIRED',
  ])
    assert.equal(recusaDoCertificado(failure(code), source), undefined, code)
  const busy = new SourceError('blocked', 'x', { source: source.id, elapsedMs: 1, status: 429 })
  assert.equal(recusaDoCertificado(busy, source), undefined)
  assert.equal(recusaDoCertificado(new Error('ALERT_BAD_CERTIFICATE'), source), undefined)
})
