import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { estado } from '../../src/estados/pe.ts'
import { SourceError } from '../../src/platform/wire/fonte.ts'
import { type Given, openPortal, type PortalAuthority } from '../kit/authority.ts'
import { pdfOf } from '../kit/papers.ts'

let authority: PortalAuthority
let certidao: Buffer
before(async () => {
  authority = await openPortal('efisco.sefaz.pe.gov.br')
  certidao = await pdfOf([
    [
      'CERTIDÃO DE REGULARIDADE FISCAL',
      'Número da Certidão: 2026.000001234567-89',
      'Data de Emissão: 21/11/2026',
      'CNPJ: 11.222.333/0001-81',
      'Certifica-se que o requerente está em situação regular. Válida até 18/02/2027.',
    ],
  ])
})
after(() => authority.close())

const CNPJ = '11222333000181'
const form = (contexto: string, texto = ''): string =>
  `${texto}<form name="frm_busca"><input type="hidden" name="outro" value="1"></form><form name="frm_principal"><input type="hidden" name="evento">` +
  `<input type="hidden" name="id_sessao" value="s"><input type="hidden" name="id_contexto_sessao" value="${contexto}"></form>`
const ask = (...answers: Given[]) => {
  authority.answers(...answers)
  return estado.cnd[0].ask({ tipo: 'cnpj', documento: CNPJ, inscricoes: undefined }, authority.meios)
}

test('e-Fisco is asked four times at one address, with the context of the page before, also for who is not registered', async () => {
  const naoAchou = form('c2', '<p>Nenhum registro encontrado</p>')
  const found = await ask(form('c1'), naoAchou, form('c3'), certidao)
  assert.equal(found.status, 'negativa')
  assert.equal(found.protocolo, '2026.000001234567-89')
  assert.equal(found.validade, '2027-02-18')
  const address = 'efisco.sefaz.pe.gov.br/sfi_trb_gcc/PREmitirCertidaoRegularidadeFiscalMovel'
  assert.deepEqual(
    authority.seen.map(({ pedido }) => pedido),
    [`GET ${address}`, `POST ${address}`, `POST ${address}`, `POST ${address}`],
  )
  const fixos = {
    id_sessao: 's',
    in_formulario_submetido: 'true',
    NuDocumentoIdentificacaoCertidaoRegularidade: CNPJ,
    TpDocumentoIdentificacaoCertidaoRegularidade: '2',
  }
  const [, filtro, confirmacao, documento] = authority.seen
  assert.deepEqual(filtro?.campos, {
    ...fixos,
    id_contexto_sessao: 'c1',
    evento: 'processarFiltroConsulta',
    qt_registros_pagina: '20',
    btt_localizar: 'Localizar (l)',
  })
  assert.deepEqual(confirmacao?.campos, {
    ...fixos,
    id_contexto_sessao: 'c2',
    evento: 'exibirConfirmacaoRegularidadeFiscal',
    qt_registros_pagina: '20',
  })
  assert.deepEqual(documento?.campos, {
    ...fixos,
    id_contexto_sessao: 'c3',
    evento: 'exibirDocumento',
    parametro_metodo_botao: 'in_content_type_app_octetstream',
  })
  assert.equal(documento?.cabecalhos.cookie, 'JSESSIONID=1')
})

test('a page of e-Fisco without its form is its last word', async () => {
  const deve = 'Não foi possível emitir a Certidão de Regularidade Fiscal: o contribuinte possui débito.'
  const positiva = await ask(form('c1'), form('c2'), `<p>${deve}</p>`)
  assert.deepEqual([positiva.status, positiva.status_raw, positiva.pdf_base64], ['positiva', deve, ''])
  const agencia = 'Não foi possível emitir a certidão pela internet. Procure uma agência da Receita Estadual.'
  assert.equal((await ask(form('c1'), `<p>${agencia}</p>`)).status, 'sem_certidao')
  assert.equal(authority.seen.length, 2)
})

test('e-Fisco that lost the session, changed its first page or sends a certificate of another gives no certificate', async () => {
  const is = (kind: string) => (error: unknown) => error instanceof SourceError && error.kind === kind
  await assert.rejects(ask(form('c1'), '<p>Sessão inválida ou expirada</p>'), is('http'))
  await assert.rejects(ask('<form name="novo"></form>'), is('parse'))
  const outra = await pdfOf([['CERTIDÃO DE REGULARIDADE FISCAL', 'CNPJ: 11.444.777/0001-61']])
  await assert.rejects(ask(form('c1'), form('c2'), form('c3'), outra), is('parse'))
})
