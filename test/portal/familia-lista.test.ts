import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { estado as mt } from '../../src/estados/mt.ts'
import { SourceError } from '../../src/platform/wire/fonte.ts'
import { type Given, imagem, openPortal, type PortalAuthority } from '../kit/authority.ts'

let authority: PortalAuthority
before(async () => {
  authority = await openPortal('www.sefaz.mt.gov.br')
})
after(() => authority.close())

const CNPJ = '11222333000181'
const PAGE =
  '<form><img id="imagemCaptcha" src="/cadastro/emissaocartao/imagem"><input name="captchaDigitado"></form>'
const row = (...cells: readonly string[]): string =>
  `<tr>${cells.map((cell, at) => `<td><font>${at === 0 ? `<a href="#">${cell}</a>` : cell}</font></td>`).join('')}</tr>`
const ask = (...answers: readonly Given[]) => {
  authority.answers(...answers)
  return mt.ie[1].ask({ tipo: 'cnpj', documento: CNPJ }, authority.meios)
}
const failing = (expected: string) => (error: unknown) =>
  error instanceof SourceError && (error.codigo ?? error.kind) === expected

test('MT takes its parameters in the address, and lists number, name and situation', async () => {
  const found = await ask(
    PAGE,
    imagem,
    row('13.012.345-6', 'AÇAÍ LTDA', 'ATIVO') + row('13.999.888-7', 'AÇAÍ LTDA', 'BAIXADO'),
  )
  assert.deepEqual(
    found.map((one) => [one.inscricao_estadual, one.razao_social, one.situacao_ie]),
    [
      ['130123456', 'AÇAÍ LTDA', 'ATIVA'],
      ['139998887', 'AÇAÍ LTDA', 'BAIXADA'],
    ],
  )
  const [, picture, asked] = authority.seen
  assert.equal(picture?.pedido, 'GET www.sefaz.mt.gov.br/cadastro/emissaocartao/imagem')
  const now = authority.meios.now().getTime()
  const query = `pagn=Pesquisar&numrDoct=${CNPJ}&codigoTipoDocumento=2&ajaxRequest=1&vU=${now}&captchaDigitado=resposta+1`
  const path = '/cadastro/emissaocartao/emissaocartaocontribuinteacessodireto'
  assert.equal(asked?.pedido, `POST www.sefaz.mt.gov.br${path}?${query}`)
  assert.deepEqual(asked?.campos, {})
})

test('MT: a name where the situation stands, and a row without a number, are no answer', async () => {
  for (const cells of [
    ['13.012.345-6', 'ATIVO', 'AÇAÍ LTDA'],
    ['AÇAÍ LTDA', '13.012.345-6', 'ATIVO'],
    ['13.012.345-6', 'AÇAÍ LTDA', ''],
  ])
    await assert.rejects(ask(PAGE, imagem, row(...cells)), failing('parse'))
  await assert.rejects(ask('<form></form>'), failing('parse'))
  assert.deepEqual(await ask(PAGE, imagem, '<p>Nenhum registro encontrado</p>'), [])
})

test("an image misread is tried in a new session, twice; MT's third is given up", async () => {
  const wrong: Given[] = [PAGE, imagem, '<p>Código de caracteres inválido!</p>']
  const [found] = await ask(...wrong, PAGE, imagem, row('13.012.345-6', 'X LTDA', 'ATIVO'))
  assert.equal(found?.razao_social, 'X LTDA')
  assert.equal(authority.seen[3]?.cabecalhos.cookie, undefined)
  assert.match(authority.seen[5]?.pedido ?? '', /captchaDigitado=resposta\+2$/)
  await assert.rejects(ask(...wrong, ...wrong, ...wrong), failing('captcha-errado'))
  assert.equal(authority.seen.length, 9)
})
