import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { comCenario } from '../../simulator/nfe/cenarios.ts'
import { chaveDo, notaDe } from '../../simulator/nfe/nota.ts'
import { createEscrivao } from '../../simulator/nfe/proc.ts'
import { createAssinantes } from '../../simulator/platform/icp/icp.ts'
import { downloadAtPortal } from '../../src/nfe/source-portal.ts'
import { type Given, openPortal, type PortalAuthority } from '../kit/authority.ts'

const HOST = 'www.nfe.fazenda.gov.br'
const CHAVE = chaveDo(comCenario('dois-meses'), new Date('2026-09-01T12:00:00Z'))
const ENDERECO = 'downloadNFe.aspx?tipoConsulta=resumo&a=AbC/+d==&tipoConteudo=7PhJ%20gAVw2g=&lp=QWJD'
const BAIXADO = `GET ${HOST}/portal/downloadNFe.aspx?tipoConsulta=resumo&a=AbC%2F+d%3D%3D&tipoConteudo=7PhJ+gAVw2g%3D&lp=QWJD`

let authority: PortalAuthority
let nota: string
before(async () => {
  authority = await openPortal(HOST, 'www.sefaz.ba.gov.br')
  const found = notaDe(CHAVE)
  assert.ok(found)
  nota = await createEscrivao(createAssinantes())(found)
})
after(() => authority.close())

const pagina = (conteudo: string): string =>
  `<html><body><p>Portal da Nota Fiscal Eletrônica</p><form action="" method="post">
  <input type="hidden" name="__VIEWSTATE" value="v1">${conteudo}</form></body></html>`
const consulta = pagina(`<input name="ctl00$C$txtChaveAcessoResumo">
  <div class="h-captcha" data-sitekey="b7d1"></div>
  <input type="submit" name="ctl00$C$btnConsultarHCaptcha" value="Continuar">`)
const resumo = (baixar: string): string =>
  pagina(`<div class="XSLTNFeResumida">Situação: Autorizada</div>${baixar}`)
const botao = resumo('<input type="submit" name="ctl00$C$btnDownload" value="Download do documento">')
const xml = (text: string, media = 'application/xml'): Given => ({ utf8: text, media })
const erro = (status: number, text: string): Given => ({ utf8: text, media: 'text/html', status })

async function baixar(...answers: Given[]) {
  authority.answers(...answers)
  return downloadAtPortal(authority.meios, { chave: CHAVE })
}
const pedidos = (): string[] => authority.seen.map(({ pedido }) => pedido)

test('the key goes with what the page had hidden, the captcha under both its names, and the button', async () => {
  await baixar(consulta, botao, xml(nota))
  const sent = authority.seen[1]
  assert.deepEqual(sent?.campos, {
    __VIEWSTATE: 'v1',
    ctl00$C$txtChaveAcessoResumo: CHAVE,
    'h-captcha-response': 'resposta 1',
    'g-recaptcha-response': 'resposta 1',
    ctl00$C$btnConsultarHCaptcha: 'Continuar',
  })
  assert.deepEqual(authority.challenges, [`hcaptcha b7d1 https://${HOST}/portal/consultaRecaptcha.aspx`])
  assert.equal(authority.seen[2]?.campos.ctl00$C$btnDownload, 'Download do documento')
})

const ways: [way: string, ...answers: string[]][] = [
  ['a link', resumo(`<a href="${ENDERECO.replaceAll('&', '&amp;')}">Download do documento</a>`)],
  [
    'a button’s script',
    resumo(`<input type="button" id="btnDownload" onclick="window.open('${ENDERECO}')">`),
  ],
  ['a script of the page', resumo(`<script>function baixar() { location = "${ENDERECO}" }</script>`)],
  ['the page behind the button', botao, pagina(`<script>window.open('/portal/${ENDERECO}')</script>`)],
]
for (const [way, ...answers] of ways)
  test(`the file is found by ${way}`, async () => {
    const resposta = await baixar(consulta, ...answers, xml(nota))
    assert.deepEqual(resposta, { tipo: 'xml', xml: nota })
    assert.equal(decodeURIComponent(pedidos().at(-1) ?? ''), decodeURIComponent(BAIXADO))
  })

test('a file is a file whatever it is called, and may have more tags than a page', async () => {
  const long = nota.replace('</infNFe>', `${'<det/>'.repeat(40_000)}</infNFe>`)
  for (const media of ['application/octet-stream', 'text/html'])
    assert.deepEqual(await baixar(consulta, botao, xml(long, media)), { tipo: 'xml', xml: long })
  const declared = await baixar(consulta, botao, xml(`\uFEFF<?xml version="1.0"?>${nota}`))
  assert.equal(declared.tipo, 'xml')
})

test('a note keeps its letters, whatever charset the portal says that its files are in', async () => {
  const acentuada = nota.replace(/<xNome>[^<]*/, '<xNome>AÇAÍ &amp; CIA')
  for (const media of ['application/xml; charset=ISO-8859-1', 'text/xml; charset=utf-8', 'text/xml'])
    assert.deepEqual(await baixar(consulta, botao, xml(acentuada, media)), { tipo: 'xml', xml: acentuada })
})

test('words in the place of the file are why it is not given', async () => {
  const said = 'É necessária a manifestação do destinatário para o download.'
  assert.deepEqual(await baixar(consulta, botao, pagina(`<span>${said}</span>`)), {
    tipo: 'negada',
    texto: said,
  })
})

const failures: [what: string, answers: Given[], error: object][] = [
  ['its page of errors', [{ para: '/portal/erro.aspx' }, pagina('')], { codigo: 'erro.aspx' }],
  ['a server that is down', [erro(503, '<h1>Service Unavailable</h1>')], { unavailable: true }],
  ['an error of the server', [consulta, erro(500, '<h1>Erro</h1>')], { unavailable: true, status: 500 }],
  ['maintenance', [consulta, pagina('<p>Sistema em manutenção</p>')], { codigo: 'indisponivel' }],
  [
    'its firewall',
    ['<html><head><title>Request Rejected</title></head></html>'],
    { codigo: 'waf', unavailable: true },
  ],
  [
    'its firewall, at the file',
    [consulta, botao, erro(403, '<p>Request Rejected</p>')],
    { codigo: 'waf', unavailable: true },
  ],
  [
    'a certificate that it does not take',
    [consulta, botao, erro(403, '<h2>403.16 - Forbidden</h2>')],
    { kind: 'blocked', unavailable: false, message: /recusou o certificado/ },
  ],
  ['another form', [pagina('<input name="chave">')], { kind: 'parse' }],
  ['no captcha', [consulta.replace('data-sitekey', 'data-x')], { kind: 'parse' }],
  ['no summary', [consulta, pagina('<p>Bem-vindo</p>')], { kind: 'parse' }],
  ['no way to the file', [consulta, resumo('')], { kind: 'parse' }],
  ['the summary again', [consulta, botao, botao], { kind: 'parse' }],
  ['an empty page', [consulta, botao, ''], { kind: 'parse' }],
  ['an empty file', [consulta, botao, xml('')], { kind: 'parse' }],
  [
    'a round of redirects',
    Array<Given>(9).fill({ para: '/portal/consultaRecaptcha.aspx' }),
    { kind: 'parse' },
  ],
]
for (const [what, answers, error] of failures)
  test(`no answer: ${what}`, async () => {
    await assert.rejects(baixar(...answers), { name: 'SourceError', source: 'AN/portal', ...error })
  })

test('the certificate goes to no address that is not the Treasury’s', async () => {
  const away = `https://www.sefaz.ba.gov.br/portal/${ENDERECO}`
  await assert.rejects(baixar(consulta, resumo(`<a href="${away}">Download</a>`)), { kind: 'parse' })
  assert.equal(authority.seen.length, 2)
})
