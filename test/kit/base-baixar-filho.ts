import { downloadRemessa, findRemessa } from '../../src/cnpj/base/remessa.ts'
import { openShare } from '../../src/cnpj/base/webdav.ts'
import { openTransport } from '../../src/platform/wire/transport.ts'

/**
 * A process that the test kills. Its arguments are url, token and folder; it tells its parent what is on
 * disk.
 */
const [, , url = '', token = '', pasta = ''] = process.argv
const { signal } = new AbortController()
const share = openShare(openTransport({ mode: 'live', ca: [], hosts: {} }), { url, token, signal })
const remessa = await findRemessa(share, { simples: false })
await downloadRemessa(share, remessa, {
  pasta,
  onProgress: (nome, have, bytes) => process.send?.({ nome, have, bytes }),
})
