import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { comportamentos } from '../../simulator/comportamento.ts'
import { portais as minas } from '../../simulator/estados/mg.ts'
import { portais as pernambuco } from '../../simulator/estados/pe.ts'
import { exemplos } from '../../simulator/mundo/exemplo.ts'
import { type PortalReply, type Portals, startPortais, type Visitor } from './portal.ts'

const PE = 'efisco.sefaz.pe.gov.br'
const EFISCO = '/sfi_trb_gcc/PREmitirCertidaoRegularidadeFiscalMovel'
const MG = 'www2.fazenda.mg.gov.br'
const SOL = '/sol/ctrl/SOL/CDT/SERVICO_829'

const company = (uf: 'PE' | 'MG') => exemplos().umaInscricao.get(uf) ?? ''
const reserved = (name: string) => comportamentos.find(({ nome }) => nome === name)?.documento ?? ''
const hidden = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(([, n = '', v = '']) => [
      n,
      v,
    ]),
  )

let portals: Portals
before(async () => {
  portals = await startPortais([...pernambuco, ...minas])
})
after(() => portals.close())

/** One step of e-Fisco: what the page before hides, and the event. */
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

test('PE issues nothing to debtors, to the irregular and to documents that cannot be', async () => {
  assert.match((await askPe(reserved('cnd-positiva'))).third.text, /possui débito/)
  assert.match((await askPe(reserved('cnd-sem-certidao'))).third.text, /pendência de IPVA/)
  assert.match((await askPe('11222333000180')).second.text, /CNPJ inválido/)
  assert.match((await askPe('')).second.text, /preenchimento obrigatório/)
})

async function askMg(document: string) {
  const visitor = portals.visitor()
  const press = (before: PortalReply, rest: Record<string, string>) =>
    visitor.post(MG, SOL, { ...hidden(before.text), ...rest })
  const first = await visitor.get(MG, `${SOL}?ACAO=INICIAR`)
  const identified = { identificadorCmbOpcao: '2', filtro: document, btnConfirmar: 'Confirmar' }
  const second = await press(first, identified)
  return { press, first, second }
}

test('MG confirms twice, then prints; a screen that was left does not work any more', async () => {
  for (const document of [company('MG'), reserved('cnd-positiva'), reserved('cnd-efeitos')]) {
    const { press, first, second } = await askMg(document)
    assert.match(second.headers['content-type'] ?? '', /iso-8859-1/)
    const third = await press(second, { btnConfirmar: 'Confirmar' })
    assert.match(third.text, /value="Imprimir Certidão"/)
    assert.match((await press(first, { filtro: document })).text, /Sessão expirada/)
    const pdf = await press(third, { btnImprimir: 'Imprimir Certidão' })
    assert.match(pdf.body.toString('latin1'), /^%PDF-/)
  }
})

test('MG says what is wrong on the first screen', async () => {
  assert.match((await askMg(reserved('cnd-sem-certidao'))).second.text, /pendência de IPVA/)
  assert.match((await askMg('11222333000180')).second.text, /CNPJ inválido/)
  assert.match((await askMg('')).second.text, /Informe o tipo e a identificação/)
  assert.match((await portals.visitor().post(MG, SOL, { ACAO: 'CONFIRMAR' })).text, /Sessão expirada/)
})
