import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { estado } from '../../src/estados/pr.ts'
import { ApiError } from '../../src/platform/errors.ts'
import { SourceError } from '../../src/platform/wire/fonte.ts'
import type { Pergunta } from '../../src/portal/estado.ts'
import { type Given, imagem, openPortal, type PortalAuthority } from '../kit/authority.ts'

let authority: PortalAuthority
before(async () => {
  authority = await openPortal('www.sintegra.fazenda.pr.gov.br')
})
after(() => authority.close())

const cnpj = { tipo: 'cnpj', documento: '11222333000181', inscricoes: undefined } as const
const [, sintegra] = estado.ie
const INICIO =
  '<form><input type="hidden" name="_method" value="POST"><img src="/sintegra/captcha?0.5"></form>'
const ficha = (ie: string, documento: string, outra = ''): string =>
  `<td>CNPJ:</td><td>${documento}</td><td>Inscrição Estadual:</td><td>${ie}</td><td>Nome Empresarial:</td><td>FULANO</td>` +
  `<td>E-mail:</td><td></td><td>Situação Atual:</td><td>ATIVO - DESDE 15/03/2010</td>${outra}`
const proxima = (anterior: string): string =>
  `<form><input type="hidden" name="_method" value="POST"><input type="hidden" name="data[Sintegra1][campoAnterior]" value="${anterior}">` +
  '<input type="submit" name="consultar" value="Próxima"></form>'
const ask = (pergunta: Pergunta, ...answers: Given[]) => {
  authority.answers(INICIO, imagem, ...answers)
  return sintegra.ask(pergunta, authority.meios)
}
const erro = (rest: string): Given => ({ para: `/sintegra/sintegra1/erro/${rest}` })
const empty = { Cnpj: '', Cadicms: '', CadicmsProdutor: '', CnpjCpfProdutor: '' }
const fields = (values: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ ...empty, CodImage: 'resposta 1', ...values }).map(([name, value]) => [
      `data[Sintegra1][${name}]`,
      value,
    ]),
  )

test('PR shows one registration a page, and its button is pressed until it is gone', async () => {
  const empresa = '11.222.333/0001-81'
  const first = ficha('90123456-78', empresa, proxima('um'))
  const found = await ask(
    cnpj,
    first,
    ficha('90123456-79', empresa, proxima('dois')),
    ficha('90123456-80', empresa),
  )
  assert.deepEqual(
    found.map((one) => one.inscricao_estadual),
    ['9012345678', '9012345679', '9012345680'],
  )
  assert.equal(found[0]?.situacao_ie, 'ATIVA')
  assert.equal(found[0]?.data_situacao, '2010-03-15')
  const [, figura, pedido, segunda] = authority.seen
  assert.equal(figura?.pedido, 'GET www.sintegra.fazenda.pr.gov.br/sintegra/captcha?0.5=')
  assert.deepEqual(pedido?.campos, {
    _method: 'POST',
    ...fields({ Cnpj: empresa }),
    empresa: 'Consultar Empresa',
  })
  assert.equal(segunda?.pedido, 'POST www.sintegra.fazenda.pr.gov.br/sintegra/sintegra1/consultar')
  assert.equal(segunda?.campos['data[Sintegra1][campoAnterior]'], 'um')
})

test('PR looks for a CPF, and for a number of theirs, among its producers', async () => {
  const cpf: Pergunta = { tipo: 'cpf', documento: '52998224725' }
  const [found] = await ask(cpf, ficha('95123456-78', '529.982.247-25').replace('CNPJ:', 'CPF:'))
  assert.equal(found?.tipo_ie, 'PRODUTOR RURAL')
  const produtor = 'Consultar Produtor'
  assert.deepEqual(authority.seen[2]?.campos, {
    _method: 'POST',
    ...fields({ CnpjCpfProdutor: '529.982.247-25' }),
    produtor,
  })
  await ask({ tipo: 'ie', documento: '9512345678' }, ficha('95123456-78', ''))
  assert.equal(authority.seen.at(2)?.campos['data[Sintegra1][CadicmsProdutor]'], '9512345678')
})

test('the reasons of PR are in the addresses that it redirects to, in any charset', async () => {
  const recusa = (words: string) => ask(cnpj, erro(`empresa/consulta/11222333000181+-+${words}`))
  for (const nao of ['N%E3o', 'N%C3%A3o', 'N\u00e3o'])
    assert.deepEqual(await recusa(`CNPJ+${nao}+Cadastrado+no+Cad.icms+Pr`), [])
  for (const words of ['Inscri%E7%E3o+CNPJ+Inv%E1lida', 'Inscri%C3%A7%C3%A3o+CNPJ+Inv%C3%A1lida'])
    await assert.rejects(recusa(words), (error) => error instanceof ApiError)
  const errada = [INICIO, imagem, erro('empresa/image/')]
  await assert.rejects(
    ask(cnpj, ...errada.slice(2), ...errada, ...errada),
    (error) => error instanceof SourceError && error.codigo === 'captcha-errado',
  )
  assert.equal(authority.challenges.length, 3)
})

test('another redirect of PR is followed, and a page without a registration has changed', async () => {
  const [found] = await ask(cnpj, { para: '/sintegra/outra' }, ficha('90123456-78', '11.222.333/0001-81'))
  assert.equal(found?.inscricao_estadual, '9012345678')
  const parse = (error: unknown): boolean => error instanceof SourceError && error.kind === 'parse'
  await assert.rejects(ask(cnpj, '<h1>Sintegra novo</h1>'), parse)
})
