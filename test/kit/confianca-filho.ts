import { getCACertificates, rootCertificates } from 'node:tls'
import { trustAlso } from '../../src/platform/wire/dial.ts'
import { openTransport } from '../../src/platform/wire/transport.ts'

/**
 * A process that trusts the authority of argv. It tells its parent which addresses it then reaches, and which
 * roots it lost or gained.
 */
const [, , ca = '', ...urls] = process.argv
trustAlso([ca])
const http = openTransport({ mode: 'live', ca: 'process', hosts: {} })
const source = { id: 'teste', nome: 'Teste' }
const reached: boolean[] = []
for (const url of urls)
  reached.push(
    await http.send({ source, method: 'GET', url, deadlineMs: 10_000, repeatable: false }).then(
      () => true,
      () => false,
    ),
  )
await http.close()
const bare = (pems: readonly string[]): Set<string> => new Set(pems.map((pem) => pem.replaceAll(/\s/g, '')))
const roots = bare(rootCertificates)
const trusted = bare(getCACertificates('default'))
process.send?.({
  reached,
  lost: roots.difference(trusted).size,
  more: trusted.difference(roots).size,
})
