import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { maskDocumento } from '../../simulator/documento/documento.ts'
import { portais as minas } from '../../simulator/estados/mg.ts'
import { portais as pernambuco } from '../../simulator/estados/pe.ts'
import { exemplos } from '../../simulator/mundo/exemplo.ts'
import { reservado } from '../kit/simulator.ts'
import { openPortais, type PortalReply, type Portals, type Visitor } from '../kit/simulator-portal.ts'

const PE = 'efisco.sefaz.pe.gov.br'
const EFISCO = '/sfi_trb_gcc/PREmitirCertidaoRegularidadeFiscalMovel'
const MG = 'www2.fazenda.mg.gov.br'
const SOL = '/sol/ctrl/SOL/CDT/SERVICO_'

const company = (uf: 'PE' | 'MG') => exemplos().umaInscricao.get(uf) ?? ''
const hidden = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(([, n = '', v = '']) => [
      n,
      v,
    ]),
  )

let portals: Portals
before(async () => {
  portals = await openPortais([...pernambuco, ...minas])
})
after(() => portals.close())

/** One step of e-Fisco: the hidden fields of the page before, and the event. */
const step = (visitor: Visitor, before: PortalReply, evento: string, rest: Record<string, string> = {}) =>
  visitor.post(PE, EFISCO, { ...hidden(before.text), evento, ...rest })

async function askPe(document: string) {
  const visitor = portals.visitor()
  const first = await visitor.get(PE, EFISCO)
  const number = { NuDocumentoIdentificacaoCertidaoRegularidade: document }
  const second = await step(visitor, first, 'processarFiltroConsulta', number)
  const third = await step(visitor, second, 'exibirConfirmacaoRegularidadeFiscal')
  return { visitor, first, second, third }
}

const BINARY = { parametro_metodo_botao: 'in_content_type_app_octetstream' }

test('PE hands out the certificate at the fourth request, each with the context of the page before', async () => {
  const { visitor, second, third } = await askPe(company('PE'))
  const stale = await step(visitor, second, 'exibirConfirmacaoRegularidadeFiscal')
  assert.match(stale.text, /Sessão inválida ou expirada/)
  const pdf = await step(visitor, third, 'exibirDocumento', BINARY)
  assert.equal(pdf.headers['content-type'], 'application/octet-stream')
  assert.match(pdf.body.toString('latin1'), /^%PDF-/)
  assert.match((await step(visitor, third, 'exibirDocumento', BINARY)).text, /Sessão inválida/)
})

test('PE keeps to its order, its session and its button', async () => {
  const { visitor, third } = await askPe(company('PE'))
  assert.match((await step(visitor, third, 'processarFiltroConsulta')).text, /Sessão inválida/)
  const other = await askPe(company('PE'))
  assert.match((await step(visitor, other.third, 'exibirDocumento', BINARY)).text, /Sessão inválida/)
  assert.match((await step(other.visitor, other.third, 'exibirDocumento')).text, /Sessão inválida/)
})

test('PE says that nobody is registered, and certifies all the same', async () => {
  const { visitor, second, third } = await askPe(exemplos().semInscricao)
  assert.match(second.text, /Nenhum registro encontrado/)
  const pdf = await step(visitor, third, 'exibirDocumento', BINARY)
  assert.match(pdf.body.toString('latin1'), /^%PDF-/)
})

test('PE issues nothing to debtors and to the irregular', async () => {
  assert.match((await askPe(reservado('cnd-positiva'))).third.text, /possui débito/)
  assert.match((await askPe(reservado('cnd-sem-certidao'))).third.text, /pendência de IPVA/)
})

async function askMg(document: string) {
  const visitor = portals.visitor()
  const press = (servico: number, ACAO: string, rest: Record<string, string> = {}) =>
    visitor.post(MG, `${SOL}${servico}`, { ACAO, unifwScrollTop: '0', unifwScrollLeft: '0', ...rest })
  const first = await visitor.get(MG, `${SOL}829?ACAO=INICIAR`)
  const identified = { cmbTipoIdentificacao: '1', txtIdentificacao: document }
  const second = await press(841, 'CONFIRMAR', identified)
  return { press, first, second }
}
const formOf = (text: string): string => /<form[^>]*name="formTela" action="([^"]*)"/.exec(text)?.[1] ?? ''

test('MG confirms twice by an image, of which the second has no words, then shows the certificate as a page', async () => {
  for (const [document, title] of [
    [company('MG'), 'NEGATIVA'],
    [reservado('cnd-positiva'), 'POSITIVA'],
    [reservado('cnd-efeitos'), 'POSITIVA COM EFEITO DE NEGATIVA'],
  ] as const) {
    const { press, first, second } = await askMg(maskDocumento(document))
    assert.match(second.headers['content-type'] ?? '', /iso-8859-1/)
    assert.match(
      first.text,
      /<a href="#"[^>]*><img src="[^"]*bt_confirmar2\.gif" alt="Confirmar" title="Confirmar"/,
    )
    assert.match(second.text, /<a href="#"[^>]*><img src="[^"]*bt_confirmar2\.gif" border="0"><\/a>/)
    const third = await press(839, 'CONFIRMAR_EMISSAO')
    assert.match(third.text, /<td class="ctnftr"><a[^>]*>Imprimir Certidão</)
    assert.deepEqual(
      [first, second, third].map(({ text }) => formOf(text).slice(-3)),
      ['841', '839', '863'],
    )
    const page = await press(863, 'IMPRIMIR')
    assert.match(
      page.text,
      new RegExp(`CERTIDÃO DE DÉBITOS TRIBUTÁRIOS</b></center>\\s*<center><b>${title}<`),
    )
  }
})

test('MG wants an address of whom it does not know, and leads no further', async () => {
  const { press, second } = await askMg(maskDocumento(exemplos().semInscricao))
  assert.match(second.text, /<td class="tabftrlnk"><a[^>]*>\(Clique aqui para informar endereço\)</)
  assert.match((await press(839, 'CONFIRMAR_EMISSAO')).text, /Sessão expirada/)
})

test('MG says what is wrong on the first screen, and does not take a step that is not next', async () => {
  assert.match((await askMg(maskDocumento(reservado('cnd-sem-certidao')))).second.text, /msgErro">[^<]*IPVA/)
  const { press } = await askMg(maskDocumento(company('MG')))
  assert.match((await press(863, 'IMPRIMIR')).text, /Sessão expirada/)
})
