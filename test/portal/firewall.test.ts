import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bloqueio, findFirewall, firewalls } from '../../src/portal/desfecho.ts'
import { normalize } from '../../src/portal/pagina.ts'
import { classifyCertidao, findRecusa } from '../../src/portal/rules-certidao.ts'

/** What the states' firewalls say, with the code that tells them apart in the log. */
const paginas: readonly [codigo: string, said: string][] = [
  ['waf', 'Acesso negado. A sua requisição viola a política de segurança deste site.'],
  ['waf', 'A requisição foi bloqueada.'],
  ['waf', 'Request Rejected'],
  ['waf', 'The requested URL was rejected. Please consult with your administrator.'],
  ['waf', 'Request unsuccessful. Incapsula incident ID: 877000490123'],
  ['waf', 'Please enable JavaScript to view the page content.'],
  ['waf', 'Your support ID is: 1234567890'],
  ['cloudflare', 'Just a moment...'],
  ['cloudflare', 'Checking your browser before accessing the site.'],
  ['cloudflare', 'Attention Required! | Cloudflare'],
  ['automatizada', 'Seu computador ou rede pode estar enviando consultas automatizadas.'],
]

/** Only an answer of a state says these things. A foot or a link of a page may have the same words. */
const respostas = [
  'Acesso negado',
  'Políticas de segurança',
  'Não podemos processar sua solicitação',
  'Requisição bloqueada',
  'Consultas automatizadas',
  'Access Denied',
  'Attention Required!',
]

test('the words of a firewall block any page, and any text in the place of a certificate', () => {
  for (const [codigo, said] of paginas) {
    const words = normalize(said)
    assert.equal(firewalls.find(({ palavras }) => palavras.test(words))?.codigo, codigo, said)
    assert.equal(findRecusa(said), 'bloqueado', said)
    assert.equal(classifyCertidao(said, 'pagina').situacao, 'bloqueado', said)
  }
})

test('a firm that is called like a firewall blocks no page, for a block would stop all who ask that state', () => {
  for (const nome of ['REQUEST REJECTED LTDA', 'CAFÉ REQUEST REJECTED E CIA LTDA', 'YOUR SUPPORT ID IS ME'])
    assert.ok(!bloqueio.test(normalize(`Razão Social: ${nome}`)), nome)
  assert.ok(!bloqueio.test(normalize('Nome Fantasia: JUST A MOMENT CAFÉ')))
})

test('a page that shows a document is no page of a firewall that has its own, whatever the firm is called', () => {
  const nomes = ['Request Rejected Transportes', 'The requested URL was rejected', 'Just a moment...']
  for (const nome of [...nomes, 'Your support ID is 7', 'Attention Required! | Cloudflare']) {
    for (const documento of ['11.222.333/0001-81', '12.ABC.345/01DE-35', '11222333000181', '***.982.247-**'])
      assert.equal(findFirewall(normalize(`CNPJ: ${documento} Nome Fantasia: ${nome}`)), undefined, nome)
    assert.ok(
      findFirewall(normalize(`${nome} ID: 11223344556677889900, 187.12.201.12, 877000490123-45`)),
      nome,
    )
    assert.ok(findFirewall(normalize('CNPJ: 11.222.333/0001-81'), normalize(nome)), `the title ${nome}`)
  }
  const formulario =
    'CNPJ 11.222.333/0001-81 Seu computador ou rede pode estar enviando consultas automatizadas'
  assert.equal(findFirewall(normalize(formulario))?.codigo, 'automatizada')
})

test('every firewall of the list is met by one of these pages', () => {
  for (const { palavras, texto } of firewalls)
    assert.ok(
      paginas.some(([, said]) => palavras.test(normalize(said))),
      texto,
    )
})

test('words that a foot may have block an answer, and no page', () => {
  for (const said of respostas) {
    assert.ok(bloqueio.test(normalize(said)), said)
    assert.ok(!firewalls.some(({ palavras }) => palavras.test(normalize(said))), said)
  }
})
