import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAutoridades } from '../../simulator/autoridades.ts'
import { ufs } from '../../simulator/documento/inscricao-estadual.ts'
import { portais } from '../../simulator/estados/estados.ts'
import { listContribuintes } from '../../simulator/mundo/mundo.ts'
import { certidaoDe, lookUp } from '../../simulator/portal/registro.ts'
import { estadoOf } from '../../src/estados/estado.ts'
import type { Rota } from '../../src/portal/estado.ts'

const NOW = new Date('2026-11-21T15:00:00Z')
/** Whether a route is a page whose requests are known. */
const isPage = ({ familia, certeza }: Rota): boolean => familia !== 'cadastro' && certeza !== 'desconhecido'
const withPage = (servico: 'ie' | 'cnd'): string[] =>
  ufs.filter((uf) => estadoOf(uf)[servico].some(isPage)).sort()

test('every state has its certificates played once where its page is known, and its registrations where it has a portal', () => {
  const of = (servico: string) => portais.filter((one) => one.servico === servico).map(({ uf }) => uf)
  assert.deepEqual(of('cnd').sort(), withPage('cnd'))
  assert.deepEqual(of('ie').sort(), withPage('ie'))
})

test('authorities that share a name say each which paths are its own', () => {
  const all = createAutoridades({ agora: () => NOW })
  for (const host of new Set(all.flatMap(({ hosts }) => hosts))) {
    assert.equal(host, host.toLowerCase())
    const there = all.filter(({ hosts }) => hosts.includes(host))
    if (there.length > 1) for (const { nome, serves } of there) assert.ok(serves, `${nome} at ${host}`)
  }
})

test('a taxpayer is the same by document, by registration and on the certificate', () => {
  for (const { documento, tipoDocumento: tipo, nome, inscricoes } of listContribuintes().slice(0, 600)) {
    for (const { uf, ie } of inscricoes) {
      const byDocument = lookUp(uf, { tipo, documento })
      assert.ok(
        byDocument.some(({ inscricao }) => inscricao.ie === ie),
        `${uf} ${documento}`,
      )
      const [byIe, ...rest] = lookUp(uf, { tipo: 'ie', documento: ie })
      assert.deepEqual([byIe?.contribuinte.documento, byIe?.inscricao.ie, rest], [documento, ie, []])
      const certidao = certidaoDe(uf, { tipo, documento }, NOW)
      assert.equal(certidao.nome, nome)
      assert.ok(byDocument.some(({ inscricao }) => inscricao.ie === certidao.inscricao))
    }
  }
})
