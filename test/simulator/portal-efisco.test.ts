import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { portais } from '../../simulator/estados/pe.ts'
import { exemplos } from '../../simulator/mundo/exemplo.ts'
import { findContribuinte } from '../../simulator/mundo/mundo.ts'
import { hiddenOf, openPortais, type Portals } from '../kit/simulator-portal.ts'

const HOST = 'efisco.sefaz.pe.gov.br'
const LISTA = '/sfi_trb_gcc/PRConsultarExtratoCadastroContribuinteResumido'
const DIAC = '/sfi_trb_gcc/PREmitirDIAC'
const latin1 = { charset: 'iso-8859-1' } as const
const company = exemplos().umaInscricao.get('PE') ?? assert.fail()
const ie = findContribuinte(company)?.inscricoes.find(({ uf }) => uf === 'PE')?.ie ?? assert.fail()

let portals: Portals
before(async () => {
  portals = await openPortais(portais)
})
after(() => portals.close())

async function search(path: string, tipo: string, documento: string, more: Record<string, string> = {}) {
  const visitor = portals.visitor()
  const hidden = hiddenOf((await visitor.get(HOST, path)).text)
  const fields = {
    ...hidden,
    evento: 'processarFiltroConsulta',
    TpDocumentoIdentificacao: tipo,
    NuDocumentoIdentificacao: documento,
    NmRazaoSocialPessoa: '',
    qt_registros_pagina: '20',
    btt_localizar: 'Localizar (l)',
    id_contexto_sessao: '',
    nao_utilizar_id_contexto_sessao: 'true',
    ...more,
  }
  return (await visitor.post(HOST, path, fields, latin1)).text
}

test('PE lists keys of parts joined by [[*]], and the situation in the sixth cell of the DIAC', async () => {
  const key = /name="chave_primaria" value="([^"]*)"/.exec(await search(LISTA, '2', company))?.[1] ?? ''
  const parts = key.split('[[*]]')
  assert.deepEqual(parts.slice(0, 2), [ie, company])
  const diac = await search(DIAC, '1', ie, { qt_registros_pagina: '1' })
  const cells = [...diac.matchAll(/<td>([^<]*)<\/td>/g)].map(([, cell]) => cell)
  assert.deepEqual([cells.length, cells[5]], [6, 'ATIVO'])
})

test('PE wants the context of the session to come empty', async () => {
  assert.match(await search(LISTA, '2', company, { id_contexto_sessao: '7' }), /preenchimento obrigatório/)
})
