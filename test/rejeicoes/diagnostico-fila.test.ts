import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QueueFull } from '../../src/platform/wire/threads.ts'
import { diagnose } from '../../src/rejeicoes/diagnostico/diagnostico.ts'
import { DiagnosticoDemorado, DiagnosticoRecusado } from '../../src/rejeicoes/rules-laudo.ts'
import { AGORA, CATALOGO, notaAssinada, notaDeItens } from '../kit/rejeicoes.ts'

const catalogo = CATALOGO

const pedir = (xml: string, owner = 'conta', signal?: AbortSignal) =>
  diagnose({ xml, agora: AGORA, catalogo }, { owner, signal })

/** Rejects with a refusal of this motive, whose message quotes nothing. */
async function recusa(xml: string, motivo: DiagnosticoRecusado['motivo']): Promise<void> {
  await assert.rejects(pedir(xml), (error) => {
    assert.ok(error instanceof DiagnosticoRecusado)
    assert.equal(error.motivo, motivo)
    assert.match(error.message, /[Ee]nvie/)
    return true
  })
}

test('a DOCTYPE is refused before anything is parsed', async () => {
  const bomba = `<!DOCTYPE NFe [<!ENTITY a "${'x'.repeat(1000)}">]><NFe>&a;</NFe>`
  await recusa(bomba, 'doctype')
  await recusa(`<?xml version="1.0"?>\n<!-- c -->${bomba}`, 'doctype')
})

test('more than 1 MiB, no XML, no NF-e and more than one note are refused', async () => {
  const nota = await notaAssinada()
  const nfe = /<NFe .*<\/NFe>/s.exec(nota)?.[0] ?? ''
  await recusa(`${nota}<!--${'é'.repeat(600_000)}-->`, 'grande')
  for (const texto of ['', '35261111222333000181550010000012051629304815', '{"xml":1}'])
    await recusa(texto, 'nao-e-xml')
  for (const texto of ['<CTe/>', '<html></html>', '<NFe><outra/></NFe>', '<enviNFe/>'])
    await recusa(texto, 'nao-e-nfe')
  await recusa(`<enviNFe>${nfe}${nfe}</enviNFe>`, 'mais-de-uma-nota')
})

test('a note that is deeper or has more elements than a note may have is refused', async () => {
  await recusa(`<NFe><infNFe>${'<a>'.repeat(200)}${'</a>'.repeat(200)}</infNFe></NFe>`, 'nao-e-nfe')
  await recusa(`<NFe><infNFe>${'<a/>'.repeat(210_000)}</infNFe></NFe>`, 'nao-e-nfe')
})

test('a note with more attributes, more namespaces or longer names than a note may have is refused', async () => {
  const muitos = (quantos: number, fazer: (i: number) => string): string =>
    Array.from({ length: quantos }, (_, i) => fazer(i)).join('')
  const nfe = (atributos: string, filhos = ''): string =>
    `<NFe xmlns="http://www.portalfiscal.inf.br/nfe"${atributos}><infNFe>${filhos}</infNFe></NFe>`
  await recusa(nfe(muitos(60, (i) => ` a${i}="1"`)), 'nao-e-nfe')
  await recusa(nfe(muitos(10_000, (i) => ` xmlns:a${i}="u"`)), 'nao-e-nfe')
  const aninhados = muitos(30, (i) => `<a xmlns:a${i}="u" xmlns:b${i}="u">`) + '</a>'.repeat(30)
  await recusa(nfe('', aninhados), 'nao-e-nfe')
  await recusa(nfe('', `<${'b'.repeat(200)}/>`), 'nao-e-nfe')
  await recusa(nfe(` ${'b'.repeat(200)}="1"`), 'nao-e-nfe')
  // Siblings each have their own.
  const irmaos = nfe(
    '',
    muitos(200, (i) => `<det xmlns:a${i}="u"/>`),
  )
  assert.equal((await pedir(irmaos)).esquema.valido, false)
})

test('the diagnosis is made in a thread, and what it gives is the same each time', async () => {
  const nota = await notaAssinada()
  const [um, outro] = await Promise.all([pedir(nota, 'um'), pedir(nota, 'outro')])
  assert.deepEqual(um, outro)
  assert.equal(um.assinatura.situacao, 'valida')
})

test('who hangs up leaves the queue and the thread', async () => {
  const nota = await notaDeItens(300)
  const desiste = new AbortController()
  const pedidos = Array.from({ length: 4 }, () => pedir(nota, 'conta', desiste.signal))
  desiste.abort(new Error('hung up'))
  const fim = await Promise.allSettled(pedidos)
  assert.deepEqual(
    fim.map((um) => um.status === 'rejected' && um.reason.message),
    Array.from({ length: 4 }, () => 'hung up'),
  )
  assert.equal((await pedir(await notaAssinada())).esquema.valido, true)
})

test('an owner fills its share of the queue, and another one is still served', async () => {
  const nota = await notaDeItens(100)
  const fim = await Promise.allSettled([
    ...Array.from({ length: 14 }, () => pedir(nota, 'ocupado')),
    pedir(nota, 'outro'),
  ])
  const recusados = fim.filter((um) => um.status === 'rejected' && um.reason instanceof QueueFull)
  assert.ok(recusados.length >= 4 && recusados.length <= 6, `${recusados.length} of 14`)
  assert.equal(fim.at(-1)?.status, 'fulfilled')
})

test('a note that is made to take long ends in time, without an error that quotes it', async () => {
  const itens = '<det nItem="1"><prod><x/></prod></det>'.repeat(26_000)
  const hostis = [
    `<NFe xmlns="http://www.portalfiscal.inf.br/nfe"><infNFe versao="4.00" Id="NFe1">${itens}</infNFe></NFe>`,
    `<NFe xmlns="http://www.portalfiscal.inf.br/nfe"><infNFe ${Array.from({ length: 40_000 }, (_, i) => `a${i}="segredo"`).join(' ')}/></NFe>`,
    `<NFe xmlns="http://www.portalfiscal.inf.br/nfe"><infNFe>${'<ide>'.repeat(30)}${'segredo '.repeat(100_000)}${'</ide>'.repeat(30)}</infNFe></NFe>`,
  ]
  for (const hostil of hostis) {
    const fim = await pedir(hostil).catch((error: unknown) => error)
    if (!(fim instanceof Error)) assert.equal('esquema' in Object(fim), true)
    else assert.ok(fim instanceof DiagnosticoDemorado || fim instanceof DiagnosticoRecusado, String(fim))
    assert.ok(!(fim instanceof Error) || !`${fim.message}${fim.stack}`.includes('segredo'))
  }
})
