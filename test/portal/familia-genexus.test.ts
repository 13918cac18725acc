import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { estado as rr } from '../../src/estados/rr.ts'
import { estado as to } from '../../src/estados/to.ts'
import { SourceError } from '../../src/platform/wire/fonte.ts'
import { type Given, imagem, openPortal, type PortalAuthority } from '../kit/authority.ts'
import { pdfOf } from '../kit/papers.ts'

let authority: PortalAuthority
let certidao: Buffer
before(async () => {
  authority = await openPortal('portalweb.sefaz.rr.gov.br', 'sintegra.sefaz.to.gov.br', 'www.sefaz.to.gov.br')
  certidao = await pdfOf([
    [
      'CERTIDÃO NEGATIVA DE DÉBITOS',
      'CNPJ: 11.222.333/0001-81',
      'Não constam débitos em nome do contribuinte.',
      'Emissão: 21/11/2026 Válida até: 20/12/2026',
    ],
  ])
})
after(() => authority.close())

const CNPJ = '11222333000181'
const PERGUNTA = { tipo: 'cnpj', documento: CNPJ } as const
const codigo = (expected: string) => (error: unknown) =>
  error instanceof SourceError && (error.codigo ?? error.kind) === expected
const erro = (texto: string): Given =>
  `<div class="gx_ev"><span class="ErrorViewerBullet">${texto}</span></div>`
const tabela =
  '<table id="TABLERESULTADO_0001"><tr><td>Inscrição Estadual:</td><td><span id="span_CTLCONINSEST_0001">24.006628-1</span></td></tr><tr><td>Razão Social:</td><td>FULANO LTDA</td></tr></table>'

const palavras =
  '<form id="MAINFORM"><input type="hidden" name="GXState" value="{}"><input type="hidden" name="_EventName" value=""><table id="TBLFILTRO"><tr><td><label><input type="radio" name="vDMNTIPODOCUMENTOCONTRIBUINTE" value="7" checked>IE</label></td><td><label><input type="radio" name="vDMNTIPODOCUMENTOCONTRIBUINTE" value="9">CPF</label></td></tr></table><div id="captchaImage"><img src="/cap?1"></div></form>'
const askRr = (...answers: Given[]) => {
  authority.answers(...answers)
  return rr.ie[0].ask(PERGUNTA, authority.meios)
}

test('RR takes every hidden field back with the word of the picture', async () => {
  const [found] = await askRr(palavras, imagem, tabela)
  assert.equal(found?.inscricao_estadual, '240066281')
  assert.deepEqual(authority.challenges, ['palavras'])
  assert.deepEqual(authority.seen[2]?.campos, {
    GXState: '{}',
    _EventName: '',
    vDMNTIPODOCUMENTOCONTRIBUINTE: '3',
    vDOCUMENTO: CNPJ,
    _cfield: 'resposta 1',
    BTNCONSULTAR: 'Consultar',
  })
  for (const [asked, value] of [
    [{ tipo: 'ie', documento: '240066281' }, '7'],
    [{ tipo: 'cpf', documento: '52998224725' }, '9'],
  ] as const) {
    authority.answers(palavras, imagem, erro('Nenhum registro encontrado'))
    assert.deepEqual(await rr.ie[0].ask(asked, authority.meios), [])
    assert.equal(authority.seen[2]?.campos.vDMNTIPODOCUMENTOCONTRIBUINTE, value)
  }
  authority.answers(palavras.replace('CPF', 'RG'), imagem)
  const cpf = { tipo: 'cpf', documento: '52998224725' } as const
  await assert.rejects(rr.ie[0].ask(cpf, authority.meios), codigo('parse'))
  assert.deepEqual(await askRr(palavras, imagem, erro('Nenhum registro encontrado')), [])
  await assert.rejects(askRr(palavras, imagem, palavras), codigo('parse'))
  const misread = [palavras, imagem, erro('A palavra digitada não confere com a imagem.')]
  await assert.rejects(askRr(...misread, ...misread, ...misread), codigo('captcha-errado'))
})

const click = (event: string): string => `onclick="gx.evt.execEvt('',false,&quot;${event}&quot;,this);"`
const comEstado = (state: object, more = ''): string =>
  `<form id="MAINFORM"><input type="hidden" name="GXState" value="${JSON.stringify(state).replaceAll('"', '&quot;')}">${more}</form>`
const estadoInicial = { _EventName: '', GX_AJAX_KEY: 'K', GPXRECAPTCHA1_Sitekey: 'chave' }
const stateSent = (at: number): unknown => JSON.parse(authority.seen[at]?.campos.GXState ?? '')

test('TO takes its state back with the event of the document and the answer to the captcha inside', async () => {
  authority.answers(comEstado(estadoInicial), tabela)
  const [found] = await to.ie[0].ask(PERGUNTA, authority.meios)
  assert.equal(found?.razao_social, 'FULANO LTDA')
  assert.deepEqual(stateSent(1), {
    ...estadoInicial,
    _EventName: "E'CNPJ'.",
    GPXRECAPTCHA1_Response: 'resposta 1',
  })
  assert.equal(authority.seen[1]?.campos.vCNPJ, CNPJ)
  assert.equal(authority.seen[1]?.cabecalhos.gxajaxrequest, '1')
  const json = (value: object): Given => ({ utf8: JSON.stringify(value), media: 'application/json' })
  authority.answers(
    comEstado(estadoInicial),
    json({ gxCommands: [{ redirect: { url: 'wpsico02?1' } }] }),
    tabela,
  )
  assert.equal((await to.ie[0].ask(PERGUNTA, authority.meios))[0]?.razao_social, 'FULANO LTDA')
  assert.match(
    authority.seen[2]?.pedido ?? '',
    /^GET sintegra\.sefaz\.to\.gov\.br\/sintegra\/servlet\/wpsico02/,
  )
  authority.answers(comEstado(estadoInicial), json({ gxHiddens: {}, gxMessages: {}, gxCommands: [] }))
  await assert.rejects(to.ie[0].ask(PERGUNTA, authority.meios), codigo('parse'))
  authority.answers('<form id="MAINFORM"></form>')
  await assert.rejects(to.ie[0].ask(PERGUNTA, authority.meios), codigo('parse'))
})

const pedido = comEstado(
  estadoInicial,
  `<select id="vFINALIDADE1" name="vFINALIDADE1"><option value="1">LICITAÇÃO</option><option value="2">CADASTRO</option></select><input type="button" id="BUTTON3" ${click("E'EMITIR'.")}>`,
)
const feita = (state: object): string =>
  comEstado(state, `<input type="button" id="BUTTON6" ${click("E'IMPRIMIR'.")}>`)
const askTo = (...answers: Given[]) => {
  authority.answers(...answers)
  return to.cnd[0].ask({ ...PERGUNTA, inscricoes: undefined }, authority.meios)
}

test('TO makes the certificate at one event and prints it at another; its state tells the number', async () => {
  const found = await askTo(pedido, feita({ vERROCOD: 0, vCNDNUM: 4321, vDV: '5' }), certidao)
  assert.deepEqual([found.status, found.protocolo, found.validade], ['negativa', '4321-5', '2026-12-20'])
  assert.equal(authority.seen[1]?.campos.vFINALIDADE1, '2')
  assert.equal(authority.seen[1]?.campos.vNUM_CNPJ, '11.222.333/0001-81')
  assert.deepEqual(stateSent(2), { vERROCOD: 0, vCNDNUM: 4321, vDV: '5', _EventName: "E'IMPRIMIR'." })
})

test('the print of TO is a page of its own, in this tab or in another', async () => {
  const pronta = feita({ vERROCOD: 0, vCNDNUM: 4321, vDV: '5' })
  const json = (command: object): Given => ({
    utf8: JSON.stringify({ gxHiddens: {}, gxCommands: [command] }),
    media: 'application/json',
  })
  for (const leads of [
    json({ redirect: { url: 'com.cnd.arecrpcnd?n=1' } }),
    json({ popup: ['com.cnd.arecrpcnd?n=1', 1] }),
    "<script>window.open('com.cnd.arecrpcnd?n=1', '_blank')</script>",
    "<script>document.location.href = 'com.cnd.arecrpcnd?n=1'</script>",
  ]) {
    assert.equal((await askTo(pedido, pronta, leads, certidao)).status, 'negativa')
    assert.equal(authority.seen[3]?.pedido, 'GET www.sefaz.to.gov.br/cnd/com.cnd.arecrpcnd?n=1')
  }
  await assert.rejects(askTo(pedido, pronta, json({ print: 1 })), codigo('parse'))
})

test('the error viewer tells why there is none; an error without words is not understood', async () => {
  assert.equal((await askTo(pedido, erro('Existem débitos em nome do contribuinte.'))).status, 'positiva')
  await assert.rejects(askTo(pedido, feita({ vERROCOD: 7, vCNDNUM: '' })), codigo('parse'))
  await assert.rejects(askTo(pedido, '<p>Serviço fora do horário de atendimento.</p>'), codigo('fechado'))
})
