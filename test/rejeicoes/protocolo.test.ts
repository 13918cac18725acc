import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeLaudo } from '../../src/rejeicoes/diagnostico/laudo.ts'
import { semEspacos } from '../../src/rejeicoes/nota.ts'
import { CATALOGO, NA_EMISSAO, notaBase } from '../kit/rejeicoes.ts'

const laudoDe = (xml: string) => makeLaudo({ xml, agora: NA_EMISSAO, catalogo: CATALOGO })

const nota = notaBase('venda-interna').replace(/^<\?xml[^>]*>\s*/, '')
const chave = /Id="NFe(\d+)/.exec(nota)?.[1]

const protocolo = (cStat: string): string =>
  `<protNFe versao="4.00"><infProt><chNFe>${chave}</chNFe><dhRecbto>2026-11-10T10:20:00-03:00</dhRecbto><cStat>${cStat}</cStat></infProt></protNFe>`

const envelope = (nome: string, dentro: string, mais = ''): string =>
  `<${nome} xmlns="http://www.portalfiscal.inf.br/nfe"${mais} versao="4.00">${dentro}</${nome}>`

const isAutorizada = (xml: string): boolean => laudoDe(xml).regras.autorizada

test('the protocol of a note stands beside it in nfeProc, and a refusal before it is none', () => {
  assert.equal(isAutorizada(envelope('nfeProc', nota + protocolo('100'))), true)
  assert.equal(isAutorizada(envelope('nfeProc', nota + protocolo('204') + protocolo('100'))), true)
  assert.equal(isAutorizada(envelope('nfeProc', nota + protocolo('204'))), false)
  assert.equal(isAutorizada(envelope('enviNFe', nota + protocolo('100'))), false)
  assert.equal(isAutorizada(nota.replace('</NFe>', `${protocolo('100')}</NFe>`)), false)
})

test('a namespace that a note inherits is written into it as it was', () => {
  const xml = envelope(
    'nfeProc',
    nota.replace('<ide>', '<ide z:a="1">') + protocolo('100'),
    ' xmlns:z="http://a?b=1&amp;c=2"',
  )
  assert.equal(laudoDe(xml).chave, chave)
})

test('blanks between elements are layout, and those of an element that has nothing else are what it says', () => {
  assert.equal(semEspacos('<a>\n <b> </b>\n\t<c>1</c>\r\n</a>'), '<a><b> </b><c>1</c></a>')
  assert.equal(semEspacos('<a>\u00a0<b/> <c/></a>'), '<a>\u00a0<b/><c/></a>')
})
