import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { estado as ce } from '../../src/estados/ce.ts'
import { estado as ms } from '../../src/estados/ms.ts'
import { estado as ro } from '../../src/estados/ro.ts'
import { estado as sc } from '../../src/estados/sc.ts'
import { ApiError } from '../../src/platform/errors.ts'
import { SourceError } from '../../src/platform/wire/fonte.ts'
import type { RotaCnd, RotaIe } from '../../src/portal/estado.ts'
import { type Given, imagem, openPortal, type PortalAuthority } from '../kit/authority.ts'

let authority: PortalAuthority
before(async () => {
  authority = await openPortal(
    'consultapublica.sefaz.ce.gov.br',
    'servicos.efazenda.ms.gov.br',
    'portalcontribuinte.sefin.ro.gov.br',
    'sat.sef.sc.gov.br',
  )
})
after(() => authority.close())

const pergunta = { tipo: 'cnpj', documento: '11222333000181', inscricoes: undefined } as const
const ask = async (rota: RotaCnd | RotaIe, ...answers: Given[]) => {
  authority.answers(...answers)
  return rota.ask(pergunta, authority.meios)
}
const failing = (kind: string, codigo?: string) => (error: unknown) =>
  error instanceof SourceError && error.kind === kind && error.codigo === codigo

const formCe = `<h1>Certidão Negativa de Débitos</h1><p>Quem possui débitos inscritos procure a agência.</p>
  <form action="consultar"><input type="radio" name="tipoDevedor"> CPF <input type="radio" name="tipoDevedor"> CNPJ
  <input name="codigoDevedor"></form>`
const formMs = `<form><select name="Tipo"><option>CNPJ</option></select><input name="n"></form>
  <div class="alert">Um pagamento aparece depois de 72 horas.</div><div class="alert" id="erro"></div>`

test('the state’s words are those that its form had not: no labels of the form that comes back with them', async () => {
  const words = 'Existem débitos em nome do requerente.'
  const found = await ask(ce.cnd[0], formCe, `<div>${words}</div>${formCe}`)
  assert.deepEqual(
    ['status' in found && found.status, 'status_raw' in found && found.status_raw],
    ['positiva', words],
  )
})

test('a page of a state that says nothing new is no outcome, whatever its headings and notices say', async () => {
  await assert.rejects(ask(ce.cnd[0], formCe, formCe), failing('parse'))
  await assert.rejects(ask(ms.cnd[0], formMs, imagem, formMs), failing('parse'))
})

test('what a form still wants, or an error of the portal, is no certificate refused', async () => {
  const said = (words: string): string => formMs.replace('id="erro">', `id="erro">${words}`)
  await assert.rejects(
    ask(ms.cnd[0], formMs, imagem, said('Campo obrigatório: identificação')),
    failing('parse'),
  )
  await assert.rejects(ask(ms.cnd[0], formMs, imagem, said('Selecione o tipo')), failing('parse'))
  await assert.rejects(
    ask(ms.cnd[0], formMs, imagem, said('Ocorreu um erro inesperado')),
    failing('http', 'indisponivel'),
  )
})

for (const [words, kind, codigo] of [
  ['Sessão expirada', 'http', 'sessao-expirada'],
  ['Sua sessão foi encerrada por inatividade', 'http', 'sessao-expirada'],
  ['Serviço disponível em dias úteis, das 06:00 às 21:00.', 'blocked', 'fechado'],
  ['Sistema em manutenção', 'http', 'indisponivel'],
] as const)
  test(`"${words}" is one and the same failure for registrations and certificates, at the first page or the last`, async () => {
    const page = `<p>${words}</p>`
    const painel =
      "<script>Sys.WebForms.PageRequestManager._initialize('ctl00$ScriptManager1', 'form1', ['tctl00$uppBusca',''], [], [], 90, '');</script>"
    const busca = (box: string): string =>
      `<form><input type="hidden" name="__VIEWSTATE" value="1"><select name="t" id="Body_Main_Main_sepBusca_${box}_IdentificationTypeField"><option value="2">CNPJ</option></select><input name="d" id="Body_Main_Main_sepBusca_${box}_MaskedField"><a id="Body_Main_Main_sepBusca_btnBuscar" href="javascript:__doPostBack(&#39;ctl00$b&#39;,&#39;&#39;)">Buscar</a></form>${painel}`
    for (const answers of [[page], [busca('idnContribuinte'), page]])
      await assert.rejects(ask(sc.ie[1], ...answers), failing(kind, codigo))
    for (const answers of [[page], [`${busca('idnCnd')}<b data-sitekey="k"></b>`, page]])
      await assert.rejects(ask(sc.cnd[0], ...answers), failing(kind, codigo))
  })

test('a document is refused by a page that was asked about it alone', async () => {
  await assert.rejects(ask(ro.ie[0], '<form></form>', '<p>CNPJ informado inválido.</p>'), ApiError)
  await assert.rejects(ask(sc.ie[1], '<p>CNPJ inválido</p>'), failing('parse'))
})

test('nothing found is told by words of the answer, not by a hint that stands on every page', async () => {
  const hint = '<p>Se ler "Nenhum resultado encontrado", confira o número.</p>'
  await assert.rejects(ask(ro.ie[0], hint, `${hint}<p>Texto novo</p>`), failing('parse'))
  assert.deepEqual(await ask(ro.ie[0], hint, `${hint}<p>Nenhum resultado encontrado</p>`), [])
})

test('a page that tells at length what certificates there are tells nothing of the taxpayer', async () => {
  const help = `<p>A certidão positiva certifica que constam débitos. ${'Veja os serviços da secretaria. '.repeat(80)}</p>`
  await assert.rejects(ask(ce.cnd[0], formCe, help), failing('parse'))
})
