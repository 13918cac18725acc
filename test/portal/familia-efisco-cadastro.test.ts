import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { estado as pe } from '../../src/estados/pe.ts'
import { SourceError } from '../../src/platform/wire/fonte.ts'
import { type Given, openPortal, type PortalAuthority } from '../kit/authority.ts'

let authority: PortalAuthority
before(async () => {
  authority = await openPortal('efisco.sefaz.pe.gov.br')
})
after(() => authority.close())

const CNPJ = '11222333000181'
const BASE = 'efisco.sefaz.pe.gov.br/sfi_trb_gcc'
const form = (body = '', sessao = 's1'): string =>
  `<form name="frm_principal"><input type="hidden" name="id_sessao" value="${sessao}"><input type="hidden" name="id_contexto_sessao" value="7"><input type="hidden" name="evento" value="">${body}</form>`
const chave = (ie: string, quem = CNPJ): string =>
  `<input type="hidden" name="chave_primaria" value="${[ie, quem, 'AÇAÍ LTDA', 'X', 'AÇAÍ DA ESQUINA'].join('[[*]]')}">`
const diac = (...cells: readonly string[]): string =>
  form(`<table id="table_tabeladados"><tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr></table>`)
const situacao = (ie: string, word: string): string =>
  diac('', ie, '11.222.333/0001-81', 'AÇAÍ LTDA', 'RECIFE', word)
const ask = (...answers: readonly Given[]) => {
  authority.answers(form(), ...answers)
  return pe.ie[1].ask({ tipo: 'cnpj', documento: CNPJ }, authority.meios)
}
const failing = (kind: string) => (error: unknown) => error instanceof SourceError && error.kind === kind

test('PE lists keys in one process, and tells each situation in another, by the registration', async () => {
  const lista = form(chave('018101010') + chave('018202020'))
  const found = await ask(
    ...[lista, form('', 's2'), situacao('0181010-10', 'ATIVO'), situacao('0182020-20', 'BAIXADO')],
  )
  assert.deepEqual(
    found.map((one) => [one.inscricao_estadual, one.razao_social, one.nome_fantasia, one.situacao_ie]),
    [
      ['018101010', 'AÇAÍ LTDA', 'AÇAÍ DA ESQUINA', 'ATIVA'],
      ['018202020', 'AÇAÍ LTDA', 'AÇAÍ DA ESQUINA', 'BAIXADA'],
    ],
  )
  assert.deepEqual(
    authority.seen.map(({ pedido }) => pedido),
    [
      `GET ${BASE}/PRConsultarExtratoCadastroContribuinteResumido`,
      `POST ${BASE}/PRConsultarExtratoCadastroContribuinteResumido`,
      `GET ${BASE}/PREmitirDIAC`,
      `POST ${BASE}/PREmitirDIAC`,
      `POST ${BASE}/PREmitirDIAC`,
    ],
  )
  const comum = {
    evento: 'processarFiltroConsulta',
    NmRazaoSocialPessoa: '',
    btt_localizar: 'Localizar (l)',
    id_contexto_sessao: '',
    nao_utilizar_id_contexto_sessao: 'true',
  }
  const [, procura, , primeira] = authority.seen
  const cnpj = { TpDocumentoIdentificacao: '2', NuDocumentoIdentificacao: CNPJ, qt_registros_pagina: '20' }
  assert.deepEqual(procura?.campos, { ...comum, ...cnpj, id_sessao: 's1' })
  const ie = {
    TpDocumentoIdentificacao: '1',
    NuDocumentoIdentificacao: '018101010',
    qt_registros_pagina: '1',
  }
  assert.deepEqual(primeira?.campos, { ...comum, ...ie, id_sessao: 's2' })
})

test('PE: nobody, the form again, somebody else', async () => {
  assert.deepEqual(await ask(form('<p>Nenhum registro encontrado</p>')), [])
  await assert.rejects(ask(form('<label>Número do Documento</label>')), failing('parse'))
  const other = form(chave('018101010', '00000000000191'))
  const hers = diac('', '0181010-10', '00.000.000/0001-91', 'OUTRA', 'RECIFE', 'ATIVO')
  await assert.rejects(ask(other, form(), hers), failing('parse'))
})

test('PE: a key, a column or a row of another form is no answer, nor is a list that may go on', async () => {
  const lista = form(chave('018101010'))
  await assert.rejects(ask(form(chave('AÇAÍ'))), failing('parse'))
  for (const page of [
    situacao('0181010-10', 'RECIFE'),
    situacao('0199999-99', 'ATIVO'),
    diac('0181010-10', '11.222.333/0001-81', 'ATIVO'),
    form(),
  ])
    await assert.rejects(ask(lista, form(), page), failing('parse'))
  const many = Array.from({ length: 20 }, (_, at) => chave(`0181010${10 + at}`))
  await assert.rejects(ask(form(many.join(''))), failing('parse'))
})
