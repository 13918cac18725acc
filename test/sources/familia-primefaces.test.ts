import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { SourceError } from '../../src/domain/source-error.ts'
import { estado } from '../../src/sources/estados/pi.ts'
import { primeFacesPedido } from '../../src/sources/families/primefaces-pedido.ts'
import { pdfOf } from './pdf-de-teste.ts'
import { type Fala, imagem, type Palco, startPalco } from './portal-em-cena.ts'

let palco: Palco
let certidao: Buffer
before(async () => {
  palco = await startPalco('webas.sefaz.pi.gov.br')
  certidao = await pdfOf([
    [
      'CERTIDÃO DE SITUAÇÃO FISCAL E TRIBUTÁRIA - NEGATIVA',
      'Certidão Nº 2026112233',
      'CNPJ: 11.222.333/0001-81',
      'Não constam débitos em nome do contribuinte.',
      'Data de Emissão: 21/11/2026 Válida até: 19/01/2027',
    ],
  ])
})
after(() => palco.close())

const CNPJ = '11222333000181'
const codigo = (expected: string) => (error: unknown) =>
  error instanceof SourceError && (error.codigo ?? error.kind) === expected

test('the registration is asked for with the letters of the image, by the button that reads so', async () => {
  const filtro =
    '<form id="f" action="index.jsf"><input type="hidden" name="javax.faces.ViewState" value="v1"><img src="dynamiccontent.properties.jsf?primefaces_image=k1&amp;n=securityCaptcha"><button name="f:j_idt9" type="submit"><span>Consultar</span></button></form>'
  const achado =
    '<div class="ui-panel-content"><label>Inscrição Estadual</label><input value="19.301.656-7"><label>Razão Social/Nome</label><input value="FULANO LTDA"><label>Complemento</label><input value=""><label>Bairro</label><input value="CENTRO"></div>'
  palco.falas(filtro, imagem, achado)
  const [found] = await estado.ie[0].consultar({ tipo: 'cnpj', documento: CNPJ }, palco.meios)
  assert.deepEqual(
    [found?.inscricao_estadual, found?.complemento, found?.bairro],
    ['193016567', '', 'CENTRO'],
  )
  assert.deepEqual(palco.vistos[2]?.campos, {
    'javax.faces.ViewState': 'v1',
    cnpj: '11.222.333/0001-81',
    ie: '',
    captcha: 'resposta 1',
    'f:j_idt9': '',
  })
})

const inicio = '<a href="/c/solicitar.xhtml">Solicitar</a><a href="/c/consultar.xhtml">Consultar</a>'
const tela = (nome: string): Fala =>
  `<form action="/c/${nome}.xhtml"><input type="hidden" name="javax.faces.ViewState" value="v1"><button id="b:j_1" name="b:j_1" onclick='PrimeFaces.ab({s:"b:j_1",u:"b:alvo"});return false;'>${nome}</button></form>`
const parcial = (html: string): Fala => ({
  media: 'text/xml;charset=UTF-8',
  utf8: `<partial-response><changes><update id="b:alvo"><![CDATA[${html}]]></update><update id="javax.faces.ViewState"><![CDATA[v2]]></update></changes></partial-response>`,
})
const BAIXAR = '<button type="submit" name="g:0:baixar">Baixar</button>'
const grade = (...rows: [pedida: string, kind: string, situacao: string, validade: string][]): Fala =>
  parcial(
    `<div id="g:resultsDataTable"><table>${rows
      .map(
        ([pedida, kind, situacao, validade], at) =>
          `<tr data-ri="${at}"><td>${at}</td><td>${pedida}</td><td>${kind}</td><td>${situacao}</td><td>${validade}</td><td>${situacao === 'Concluída' ? BAIXAR : ''}</td></tr>`,
      )
      .join('')}</table></div>`,
  )
const FISCAL = 'Situação Fiscal e Tributária'
const registrada = parcial('<span class="ui-messages-info-detail">Solicitação registrada</span>')
const look = (found: Fala): Fala[] => [tela('Consultar'), found]
const request = (said: Fala): Fala[] => [tela('Solicitar'), said]
const ask = (falas: Fala[], deadlineMs = 10_000) => {
  palco.falas(inicio, ...falas)
  const meios = { ...palco.meios, deadlineMs }
  return estado.cnd[0].consultar({ tipo: 'cnpj', documento: CNPJ, inscricoes: undefined }, meios)
}

test('a certificate in the grid that still holds is fetched, and none is requested', async () => {
  const rows = grade(
    ['20/11/2026', 'Negativa de Dívida Ativa', 'Concluída', '19/01/2027'],
    ['01/02/2026', FISCAL, 'Concluída', '02/04/2026'],
    ['20/11/2026', FISCAL, 'Concluída', '19/01/2027'],
  )
  const found = await ask([...look(rows), certidao])
  assert.deepEqual([found.status, found.validade], ['negativa', '2027-01-19'])
  const [, , click, download] = palco.vistos
  assert.equal(click?.cabecalhos['faces-request'], 'partial/ajax')
  assert.deepEqual(click?.campos, {
    'javax.faces.ViewState': 'v1',
    tipoPessoa: 'PJ',
    cpfCnpj: CNPJ,
    'javax.faces.partial.ajax': 'true',
    'javax.faces.source': 'b:j_1',
    'javax.faces.partial.execute': '@all',
    'javax.faces.partial.render': 'b:alvo',
    'b:j_1': 'b:j_1',
  })
  assert.equal(download?.campos['javax.faces.ViewState'], 'v2')
  assert.equal(download?.campos['g:0:baixar'], '')
})

test('where the grid has none that holds one is requested, and what the grid then says is the answer', async () => {
  const old: [string, string, string, string] = ['01/02/2026', FISCAL, 'Não emitida: existem débitos', '']
  const ready = grade(old, ['21/11/2026', FISCAL, 'Concluída', '19/01/2027'])
  const found = await ask([...look(grade(old)), ...request(registrada), ...look(ready), certidao])
  assert.equal(found.status, 'negativa')
  const refused = grade(['21/11/2026 10:00', FISCAL, 'Não emitida: existem débitos', ''])
  assert.equal((await ask([...look(grade()), ...request(registrada), ...look(refused)])).status, 'positiva')
})

test('a refusal that comes after the request is the answer to it, whatever its date says', async () => {
  const old: [string, string, string, string] = ['01/02/2026', FISCAL, 'Não emitida: existem débitos', '']
  const refused = grade(old, ['22/11/2026 00:01', FISCAL, 'Não emitida: existem débitos', ''])
  const found = await ask([...look(grade(old)), ...request(registrada), ...look(refused)])
  assert.equal(found.status, 'positiva')
})

test('a certificate that is not ready within the time is being processed, and is not requested twice', async () => {
  const pending = grade(['21/11/2026', FISCAL, 'Em processamento', ''])
  await assert.rejects(ask(look(pending), 4_000), codigo('em-processamento'))
  assert.equal(palco.vistos.length, 3)
})

test('the grid is looked at again until the certificate is there', async () => {
  const rota = primeFacesPedido('PI', {
    ...estado.cnd[0],
    documentos: { cnpj: 'PJ' },
    campos: { tipo: 'tipoPessoa', documento: 'cpfCnpj' },
    vazios: ['contribuinteIncricaoId'],
    certidao: FISCAL,
    registrada: 'Solicitação registrada',
    processando: 'Em processamento',
    intervaloMs: 1,
    mensagem: '.ui-messages-info-detail',
    layout: {},
  })
  const pending = look(grade(['21/11/2026', FISCAL, 'Em processamento', '']))
  const ready = look(grade(['21/11/2026', FISCAL, 'Concluída', '19/01/2027']))
  palco.falas(
    inicio,
    ...look(grade()),
    ...request(registrada),
    ...look(grade()),
    ...pending,
    ...ready,
    certidao,
  )
  const asked = { tipo: 'cnpj', documento: CNPJ, inscricoes: undefined } as const
  assert.equal((await rota.consultar(asked, palco.meios)).status, 'negativa')
  assert.equal(palco.vistos[4]?.campos.contribuinteIncricaoId, '')
})

test('a page in the place of the pieces is read as a page, and a grid that is gone is a change', async () => {
  await assert.rejects(ask(look('<p>Serviço fora do horário de atendimento.</p>')), codigo('fechado'))
  await assert.rejects(ask(look(parcial('<p>novo</p>'))), codigo('parse'))
})
