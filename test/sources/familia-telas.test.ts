import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { RotaNaoAtende } from '../../src/domain/rota-nao-atende.ts'
import { SourceError } from '../../src/domain/source-error.ts'
import type { PerguntaCnd, RotaCnd } from '../../src/sources/estado.ts'
import { estado as ap } from '../../src/sources/estados/ap.ts'
import { estado as mg } from '../../src/sources/estados/mg.ts'
import { estado as pa } from '../../src/sources/estados/pa.ts'
import { estado as pb } from '../../src/sources/estados/pb.ts'
import { pdfOf } from './pdf-de-teste.ts'
import { type Fala, imagem, inscricaoDeTeste, type Palco, startPalco } from './portal-em-cena.ts'

let palco: Palco
let certidao: Buffer
before(async () => {
  palco = await startPalco(
    'www.sefaz.ap.gov.br',
    'app.sefa.pa.gov.br',
    'www2.fazenda.mg.gov.br',
    'www.sefaz.pb.gov.br',
    'www4.sefaz.pb.gov.br',
  )
  certidao = await pdfOf([
    ['CERTIDÃO NEGATIVA DE NATUREZA TRIBUTÁRIA', 'CNPJ: 11.222.333/0001-81', 'Data de Emissão: 21/11/2026'],
  ])
})
after(() => palco.close())

const CNPJ = '11222333000181'
const ask = ({ cnd: [cnd] }: { cnd: readonly [RotaCnd] }, falas: Fala[], more: Partial<PerguntaCnd> = {}) => {
  palco.falas(...falas)
  return cnd.consultar({ tipo: 'cnpj', documento: CNPJ, inscricoes: undefined, ...more }, palco.meios)
}
const is = (kind: string) => (error: unknown) => error instanceof SourceError && error.kind === kind

const AVANCAR =
  '<form action="/sate/dia/x.do"><input type="hidden" name="hidAcao"><input type="hidden" name="hidHistorico"><input type="radio" name="tp" value="1" id="r1"><label for="r1">CNPJ</label>' +
  '<input type="radio" name="tp" value="2">CPF <label><input type="radio" name="tp" value="3">Inscrição Estadual</label><input type="text" name="nr"><input type="submit" name="b1" value="Avançar"></form>'
const IMPRIMIR =
  '<p>Documento gerado sem pendência</p><form><input type="hidden" name="hidAcao"><input type="hidden" name="doc" value="9"><button>Imprimir</button></form>'

test("AP's screens: the radio by its words, the button, and the print of who has nothing pending", async () => {
  const found = await ask(ap, [AVANCAR, IMPRIMIR, certidao])
  assert.equal(found.status, 'negativa')
  assert.equal(found.validade, '2027-01-20')
  const [, avancar, imprimir] = palco.vistos
  assert.equal(avancar?.pedido, 'POST www.sefaz.ap.gov.br/sate/dia/x.do')
  const fixo = { hidHistorico: '-1' }
  // In the charset that the page names: ç is one byte, which is no UTF-8.
  assert.deepEqual(avancar?.campos, { ...fixo, hidAcao: 'avancar', tp: '1', nr: CNPJ, b1: 'Avan\uFFFDar' })
  assert.deepEqual(imprimir?.campos, { ...fixo, hidAcao: 'imprimir', doc: '9' })
  await ask(ap, [AVANCAR, IMPRIMIR, await pdfOf([['CERTIDÃO NEGATIVA', '529.982.247-25']])], {
    tipo: 'cpf',
    documento: '52998224725',
  })
  assert.equal(palco.vistos[1]?.campos.tp, '2')
})

test("AP's words for debts and for who is unknown are outcomes without a certificate", async () => {
  assert.equal((await ask(ap, [AVANCAR, '<p>Contribuinte com débito</p>'])).status, 'positiva')
  assert.equal((await ask(ap, [AVANCAR, '<p>Contribuinte inexistente</p>'])).status, 'nao_contribuinte')
})

test('a page cut short before its button is no outcome, whatever it got to say', async () => {
  const cut = '<html><body><p>Documento gerado sem pendência</p><form><input type="hid'
  await assert.rejects(ask(ap, [AVANCAR, cut]), is('parse'))
})

const PA =
  '<form action="continuar.action"><select id="tipo" name="t"><option value="1">CPF</option><option value="2">CNPJ</option><option value="3">INSCRIÇÃO ESTADUAL</option></select>' +
  '<input id="identificacao" name="i"><button>Continuar</button></form>'

test('PA is asked by the registration of who has one, and gives the tax certificate of its two', async () => {
  const two =
    '<table><tr><td>Natureza Não Tributária</td><td><a href="emitirCertidao.action?n=2">Visualizar Certidão</a></td></tr>' +
    '<tr><td>Natureza Tributária</td><td><a href="emitirCertidao.action?n=1">Visualizar Certidão</a></td></tr></table>'
  await ask(pa, [PA, two, certidao], { inscricoes: [inscricaoDeTeste('151234567')] })
  const [, envio, pdf] = palco.vistos
  assert.deepEqual(envio?.campos, { t: '3', i: '151234567' })
  assert.equal(pdf?.pedido, 'GET app.sefa.pa.gov.br/emissao-certidao/emitirCertidao.action?n=1')
  await ask(pa, [PA, two, certidao], { inscricoes: [] })
  assert.deepEqual(palco.vistos[1]?.campos, { t: '2', i: CNPJ })
  const pede = '<p>Contribuinte possui Inscrição Estadual: informe a IE.</p>'
  await assert.rejects(ask(pa, [PA, pede]), RotaNaoAtende)
})

test("MG's two confirmations and its print go through the form of each page", async () => {
  const inicio =
    `<form><input type="hidden" name="ACAO" value="EXIBIR">${PA.slice(PA.indexOf('<select'), PA.indexOf('<button'))}<input type="submit" name="ACAO_CONFIRMAR" value="Confirmar"></form>`.replace(
      '<input id=',
      '<input type="text" id=',
    )
  const confirma =
    '<form action="/sol/outro"></form><form action="/sol/dois"><input type="hidden" name="passo" value="2"><input type="button" value="Confirmar"></form>'
  const imprime = '<a href="javascript:x()">Voltar</a><a href="/sol/pdf?id=7">Imprimir Certidão</a>'
  await ask(mg, [inicio, confirma, imprime, certidao])
  const [, um, dois, pdf] = palco.vistos
  assert.deepEqual(um?.campos, { ACAO: 'EXIBIR', t: '2', i: CNPJ, ACAO_CONFIRMAR: 'Confirmar' })
  assert.deepEqual([dois?.pedido, dois?.campos], ['POST www2.fazenda.mg.gov.br/sol/dois', { passo: '2' }])
  assert.equal(pdf?.pedido, 'GET www2.fazenda.mg.gov.br/sol/pdf?id=7')
  const denovo = await ask(mg, [inicio, `<p>Contribuinte possui débitos</p>${inicio}`])
  assert.equal(denovo.status, 'positiva')
  assert.equal(palco.vistos.length, 2, 'the form with a message is the answer, not one more confirmation')
})

test("PB's form is in a frame, its captcha in a table of its own, and a misread one begins anew", async () => {
  const fora =
    '<iframe src="https://www4.sefaz.pb.gov.br/atf/dia/DIAf_EmitirCertidaoDebito.do?limparSessao=true"></iframe>'
  const dentro =
    '<form action="DIAf_EmitirCertidaoDebito.do"><input type="hidden" name="hidAcao"><table id="tbCertidao"><tr><td><input type="text" name="doc"></table>' +
    '<table id="tbCaptcha"><tr><td><img src="/atf/captcha.jpg"><input type="text" name="letras"></table></form>'
  const visita = [fora, dentro, imagem]
  await ask(pb, [...visita, '<p>Código da imagem inválido</p>', ...visita, certidao])
  const [pagina, , figura, envio] = palco.vistos
  assert.equal(pagina?.pedido.endsWith('/emissao-de-certidao-de-debitos-empresa'), true)
  assert.equal(figura?.pedido, 'GET www4.sefaz.pb.gov.br/atf/captcha.jpg')
  assert.equal(envio?.pedido, 'POST www4.sefaz.pb.gov.br/atf/dia/DIAf_EmitirCertidaoDebito.do')
  const campos = { hidAcao: 'emitir', hidHistorico: '-1', doc: CNPJ, letras: 'resposta 1' }
  assert.deepEqual(envio?.campos, campos)
  assert.deepEqual(palco.vistos[7]?.campos, { ...campos, letras: 'resposta 2' })
})

test('a screen without its frame, option, field, button or image has changed', async () => {
  await assert.rejects(ask(pb, ['<p>nada</p>']), is('parse'))
  for (const [from, to] of [
    ['CNPJ<', 'Empresa<'],
    ['identificacao', 'outro'],
    ['Continuar', 'Seguir'],
  ] as const)
    await assert.rejects(ask(pa, [PA.replace(from, to)]), is('parse'))
})
