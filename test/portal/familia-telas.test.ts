import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { estado as ap } from '../../src/estados/ap.ts'
import { estado as mg } from '../../src/estados/mg.ts'
import { estado as pa } from '../../src/estados/pa.ts'
import { estado as pb } from '../../src/estados/pb.ts'
import { RotaNaoAtende, SourceError } from '../../src/platform/wire/fonte.ts'
import { noSolver } from '../../src/portal/captcha.ts'
import type { PerguntaCnd, RotaCnd } from '../../src/portal/estado.ts'
import { type Given, inscricaoDeTeste, openPortal, type PortalAuthority } from '../kit/authority.ts'
import { pdfOf } from '../kit/papers.ts'

let authority: PortalAuthority
let certidao: Buffer
before(async () => {
  authority = await openPortal(
    'www.sefaz.ap.gov.br',
    'app.sefa.pa.gov.br',
    'www2.fazenda.mg.gov.br',
    'www.sefaz.pb.gov.br',
    'www4.sefaz.pb.gov.br',
  )
  certidao = await pdfOf([
    ['CERTIDÃO NEGATIVA DE NATUREZA TRIBUTÁRIA', 'CNPJ: 11.222.333/0001-81', 'Validade: 20/01/2027'],
  ])
})
after(() => authority.close())

const CNPJ = '11222333000181'
const askRoute = (cnd: RotaCnd, answers: Given[], more: Partial<PerguntaCnd> = {}) => {
  authority.answers(...answers)
  return cnd.ask({ tipo: 'cnpj', documento: CNPJ, inscricoes: undefined, ...more }, authority.meios)
}
const ask = (
  { cnd: [cnd] }: { cnd: readonly [RotaCnd] },
  answers: Given[],
  more: Partial<PerguntaCnd> = {},
) => askRoute(cnd, answers, more)
const is = (kind: string) => (error: unknown) => error instanceof SourceError && error.kind === kind

const SUBMETER =
  '<script>function acao(qual, form) { form.hidAcao.value = qual; form.submit(); }</script>' +
  '<form name="f" action="/sate/dia/x.do"><input type="hidden" name="hidAcao" value=""><input type="hidden" name="hidHistorico" value="-1"><input type="radio" name="tp" value="1" id="r1"><label for="r1">Estadual</label>' +
  '<input type="radio" name="tp" value="2">CNPJ <label><input type="radio" name="tp" value="3">CPF</label><input type="text" name="nr"> *' +
  '<input type="button" value="Submeter" onclick="acao(\'emitir\', this.form)"></form>'

test("AP's screen: the radio by its words, the action that the button's script fills, and the paper", async () => {
  const found = await askRoute(ap.cnd[1], [SUBMETER, certidao])
  assert.equal(found.status, 'negativa')
  assert.equal(found.validade, '2027-01-20')
  const [inicio, envio] = authority.seen
  assert.match(inicio?.pedido ?? '', /SEGf_AcessarFuncao\.jsp\?cdFuncao=DIA_060$/)
  assert.equal(envio?.pedido, 'POST www.sefaz.ap.gov.br/sate/dia/x.do')
  assert.deepEqual(envio?.campos, { hidAcao: 'emitir', hidHistorico: '-1', tp: '2', nr: CNPJ })
  const cpf = { tipo: 'cpf', documento: '52998224725' } as const
  await askRoute(ap.cnd[1], [SUBMETER, await pdfOf([['CERTIDÃO NEGATIVA', '529.982.247-25']])], cpf)
  assert.equal(authority.seen[1]?.campos.tp, '3')
})

test('a button that does not tell what it wants is not pressed', async () => {
  for (const [from, to] of [
    ['onclick=', 'data-x='],
    ['form.hidAcao.value = qual', 'enviar(qual)'],
    ['<script>function', '<script src="sate.js">function'],
    ['form.hidAcao.value = qual', 'if (x) form.hidAcao.value = qual; else form.hidAcao.value = "outra"'],
    ['form.submit()', 'acao("outra", form)'],
  ] as const) {
    await assert.rejects(askRoute(ap.cnd[1], [SUBMETER.replace(from, to), certidao]), is('parse'), to)
    assert.equal(authority.seen.length, 1)
  }
})

test('a script that goes in circles, or calls itself ten thousand times, is left', async () => {
  const circle = SUBMETER.replace('form.submit()', 'acao(qual, form)')
  assert.equal((await askRoute(ap.cnd[1], [circle, certidao])).status, 'negativa')
  const calls = SUBMETER.replace('form.submit()', `${'acao(qual, form);'.repeat(10_000)}`)
  assert.equal((await askRoute(ap.cnd[1], [calls, certidao])).status, 'negativa')
})

test("AP's words for who has debts are no failure of the page", async () => {
  const dito = 'Não foi possível atender a sua solicitação. Favor comparecer a repartição fiscal.'
  const { status, status_raw } = await askRoute(ap.cnd[1], [SUBMETER, `<td class="msg">${dito}</td>`])
  assert.deepEqual([status, status_raw], ['positiva', dito])
})

test("AP's certificate as a page is one too", async () => {
  const html =
    '<html><body><p>ESTADO DO AMAPÁ</p><h3>CERTIDÃO CONJUNTA NEGATIVA DE DÉBITOS</h3><p>Certidão nº: 2026123</p><p>CNPJ: 11.222.333/0001-81</p>' +
    '<p>Não constam débitos.</p><p>Emitida em: 21/11/2026 Válida até: 20/01/2027</p></body></html>'
  const { status, pdf_base64, impressao_base64 } = await askRoute(ap.cnd[1], [SUBMETER, html])
  assert.deepEqual([status, pdf_base64], ['negativa', ''])
  assert.ok(impressao_base64)
})

const PA =
  '<form action="continuar.action"><select id="tipo" name="t"><option value="1">CPF</option><option value="2">CNPJ</option><option value="3">INSCRIÇÃO ESTADUAL</option></select>' +
  '<input id="identificacao" name="i"><button>Continuar</button></form>'

test('PA is asked by the registration of who has one, and gives the tax certificate of its two', async () => {
  const two =
    '<table><tr><td>Natureza Não Tributária</td><td><a href="emitirCertidao.action?n=2">Visualizar Certidão</a></td></tr>' +
    '<tr><td>Natureza Tributária</td><td><a href="emitirCertidao.action?n=1">Visualizar Certidão</a></td></tr></table>'
  await ask(pa, [PA, two, certidao], { inscricoes: [inscricaoDeTeste('151234567')] })
  const [, envio, pdf] = authority.seen
  assert.deepEqual(envio?.campos, { t: '3', i: '151234567' })
  assert.equal(pdf?.pedido, 'GET app.sefa.pa.gov.br/emissao-certidao/emitirCertidao.action?n=1')
  await ask(pa, [PA, two, certidao], { inscricoes: [] })
  assert.deepEqual(authority.seen[1]?.campos, { t: '2', i: CNPJ })
  const pede = '<p>Contribuinte possui Inscrição Estadual: informe a IE.</p>'
  await assert.rejects(ask(pa, [PA, pede]), RotaNaoAtende)
})

const TELA = (servico: number, conteudo: string): string =>
  '<html><script>function ir(acao) { if (acao != "") { document.formTela.ACAO.value = acao; document.formTela.submit(); } }\n' +
  'function imprimir() { ir("IMPRIMIR") }</script>' +
  `<form name="formTela" method="post" action="/sol/ctrl/SOL/CDT/SERVICO_${servico}"><input type="hidden" name="ACAO" value=""><input type="hidden" name="unifwScrollTop" value="0">${conteudo}</form></html>`
const LINK = (acao: string, image: string): string => `<a href="#" onclick="ir('${acao}');">${image}</a>`
const IMAGEM = '<img src="/sol/images/sicaf/bt_confirmar2.gif">'
const QUEM = TELA(
  841,
  'Identificação: <select name="cmbTipo"><option value=""></option><option value="2">CPF</option><option value="1">CNPJ</option></select><input type="text" name="txtId">' +
    LINK('CONFIRMAR', IMAGEM.replace('>', ' alt="Confirmar" title="Confirmar">')),
)
const CONFIRMA = TELA(
  839,
  `FULANO LTDA ${LINK('CONFIRMAR2', IMAGEM)}<a href="/sol/ctrl/SOL/CDT/SERVICO_839?ACAO=DESISTIR">Desistir</a>`,
)
const IMPRIME = TELA(863, '<td class="ctnftr"><a href="javascript:imprimir()">Imprimir Certidão</a></td>')
const CDT =
  '<html><body><p>CERTIDÃO DE DÉBITOS TRIBUTÁRIOS</p><p>Negativa</p><p>CERTIDÃO EMITIDA EM: 21/11/2026</p><p>CERTIDÃO VÁLIDA ATÉ: 19/02/2027</p><p>CNPJ/CPF: 11.222.333/0001-81</p>' +
  '<p>é certificado que não constam débitos relativos a tributos.</p><p>CÓDIGO DE CONTROLE DE CERTIDÃO: 2026000123456</p></body></html>'

test("MG's links are found by the words of their image or by the image, and do what the page's script says", async () => {
  const found = await ask(mg, [QUEM, CONFIRMA, IMPRIME, CDT])
  const { status, protocolo, emissao, validade, pdf_base64, impressao_base64 } = found
  assert.deepEqual(
    [status, protocolo, emissao, validade, pdf_base64],
    ['negativa', '2026000123456', '2026-11-21', '2027-02-19', ''],
  )
  assert.ok(impressao_base64)
  const [inicio, um, dois, tres] = authority.seen
  const fixo = { unifwScrollTop: '0' }
  assert.match(inicio?.pedido ?? '', /SERVICO_829\?ACAO=INICIAR$/)
  assert.deepEqual(
    [um, dois, tres].map((one) => one?.pedido.replace('POST www2.fazenda.mg.gov.br/sol/ctrl/SOL/CDT/', '')),
    ['SERVICO_841', 'SERVICO_839', 'SERVICO_863'],
  )
  assert.deepEqual(um?.campos, { ...fixo, ACAO: 'CONFIRMAR', cmbTipo: '1', txtId: '11.222.333/0001-81' })
  assert.deepEqual(dois?.campos, { ...fixo, ACAO: 'CONFIRMAR2' })
  assert.deepEqual(tres?.campos, { ...fixo, ACAO: 'IMPRIMIR' })
})

test("MG's certificate in a frame is fetched from it", async () => {
  const quadro =
    '<html><frameset><frame src="topo.html"><frame src="/CWS/BIN/cws_mv2.asp?CONTEXTO/CND/ACNT1004"></frameset></html>'
  assert.equal((await ask(mg, [QUEM, CONFIRMA, IMPRIME, quadro, CDT])).status, 'negativa')
  assert.equal(
    authority.seen[4]?.pedido,
    'GET www2.fazenda.mg.gov.br/CWS/BIN/cws_mv2.asp?CONTEXTO%2FCND%2FACNT1004=',
  )
})

test("MG's screen that wants an address first is the answer: nothing more is pressed", async () => {
  const endereco = CONFIRMA.replace(
    'FULANO',
    '<td class="tabftrlnk"><a href="#">(Clique aqui para informar endereço)</a></td> FULANO',
  )
  await assert.rejects(ask(mg, [QUEM, endereco, IMPRIME, CDT]), (error) => {
    assert.ok(error instanceof SourceError)
    assert.deepEqual([error.codigo, error.unavailable], ['sem-endereco', false])
    assert.match(error.message, /contribuinte informa seu endereço.*SIARE/)
    return true
  })
  assert.equal(authority.seen.length, 2)
})

test('a screen of MG without its image, its action or its form has changed', async () => {
  const denovo = await ask(mg, [QUEM, QUEM.replace('Identificação', 'Contribuinte possui débitos.')])
  assert.equal(denovo.status, 'positiva')
  assert.equal(authority.seen.length, 2, 'the form with a message is the answer, not one more confirmation')
  for (const answers of [
    [QUEM.replace('alt="Confirmar" title="Confirmar"', '')],
    [QUEM.replace('formTela.ACAO', 'formTela.outra')],
    [QUEM.replace('name="formTela"', '')],
    [QUEM, CONFIRMA.replace('bt_confirmar2', 'bt_ok')],
    [QUEM, CONFIRMA, IMPRIME.replace('ir("IMPRIMIR")', 'window.print()')],
  ])
    await assert.rejects(ask(mg, [...answers, CDT]), is('parse'))
})

const FORA =
  '<iframe src="https://www4.sefaz.pb.gov.br/atf/dia/DIAf_EmitirCertidaoDebito.do?limparSessao=true"></iframe>'
const DENTRO =
  '<script>function emitir() { document.forms[0].elements["hidAcao"].value = "emitir"; document.forms[0].submit() }</script>' +
  '<form action="DIAf_EmitirCertidaoDebito.do"><input type="hidden" name="hidAcao"><table id="tbCertidao"><tr><td>Certidão<td></tr><tr><td>Filtro<td><input type="text" name="outro"></tr><tr><td>Documento</td><td><input type="text" name="doc"></td></tr></table>' +
  '<table id="tbCaptcha"><tr><td><div id="recaptcha"></div><button class="botoes" onclick="emitir()">Emitir</button></td></tr></table></form>'

test("PB's form is in a frame, its field the third of its table, its button in the table of the captcha", async () => {
  assert.equal((await askRoute(pb.cnd[0], [FORA, DENTRO, certidao])).status, 'negativa')
  const [pagina, , envio] = authority.seen
  assert.equal(pagina?.pedido.endsWith('/emissao-de-certidao-de-debitos-empresa'), true)
  assert.equal(envio?.pedido, 'POST www4.sefaz.pb.gov.br/atf/dia/DIAf_EmitirCertidaoDebito.do')
  assert.deepEqual(envio?.campos, { hidAcao: 'emitir', doc: CNPJ })
  assert.deepEqual(authority.challenges, [])
})

test("PB's page of the ATF is asked by itself where its portal is out of reach", async () => {
  assert.equal(pb.cnd[1].source.id, 'PB/cnd-antiga')
  assert.equal((await askRoute(pb.cnd[1], [DENTRO, certidao])).status, 'negativa')
  assert.match(
    authority.seen[0]?.pedido ?? '',
    /^GET www4\.sefaz\.pb\.gov\.br\/atf\/dia\/DIAf_EmitirCertidaoDebito\.do\?limparSessao=true/,
  )
})

test("PB's captcha is solved where the page draws one, and a refused answer begins anew", async () => {
  const widget = '<div id="recaptcha"><div class="g-recaptcha" data-sitekey="6Lpb"></div></div>'
  const visita = [FORA, DENTRO.replace('<div id="recaptcha"></div>', widget)]
  await askRoute(pb.cnd[0], [...visita, '<p>Captcha inválido</p>', ...visita, certidao])
  assert.deepEqual(authority.seen[2]?.campos, {
    hidAcao: 'emitir',
    doc: CNPJ,
    'g-recaptcha-response': 'resposta 1',
  })
  assert.equal(authority.seen[5]?.campos['g-recaptcha-response'], 'resposta 2')
  assert.match(authority.challenges[0] ?? '', /^recaptcha-v2 6Lpb https:\/\/www4\.sefaz\.pb\.gov\.br\/atf\//)
  authority.answers(...visita, certidao)
  const semSolucao = { ...authority.meios, captcha: noSolver }
  const pergunta = { tipo: 'cnpj', documento: CNPJ, inscricoes: undefined } as const
  await assert.rejects(pb.cnd[0].ask(pergunta, semSolucao), RotaNaoAtende)
})

test('a screen without its frame, option, field, button or image has changed', async () => {
  await assert.rejects(askRoute(pb.cnd[0], ['<p>nada</p>']), is('parse'))
  for (const [from, to] of [
    ['CNPJ<', 'Empresa<'],
    ['identificacao', 'outro'],
    ['Continuar', 'Seguir'],
  ] as const)
    await assert.rejects(ask(pa, [PA.replace(from, to)]), is('parse'))
})
