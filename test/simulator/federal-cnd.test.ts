import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { extractText, getDocumentProxy } from 'unpdf'
import { OUTRO_DOCUMENTO } from '../../simulator/mundo/comportamento.ts'
import { exemplos } from '../../simulator/mundo/exemplo.ts'
import { openSubscriber, reserved } from '../kit/simulator-portal.ts'

let now = new Date('2026-11-21T12:00:00Z')
const { authorities, json, post } = await openSubscriber(() => now)
after(() => authorities.close())

const question = (cnpj: string) => ({
  TipoContribuinte: 1,
  ContribuinteConsulta: cnpj,
  CodigoIdentificacao: '9001',
  GerarCertidaoPdf: true,
})
const ask = async (cnpj: string, more: Record<string, unknown> = {}, version = 'v1') => {
  const reply = await post(`/consulta-cnd/${version}/certidao`, { ...question(cnpj), ...more })
  return { http: reply.status, ...JSON.parse(reply.text) }
}
const outcome = async (name: string) => {
  const { http, Status, Certidao } = await ask(reserved(name))
  return [http, Status, Certidao?.TipoCertidao]
}
const textOf = async (pdf: string) => {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(Buffer.from(pdf, 'base64'))), {
    mergePages: true,
  })
  return text
}
const paper = async (name: string) => textOf((await ask(reserved(name))).Certidao.DocumentoPdf)
const issued = async (cnpj: string) => (await json('/estatisticas.json')).federal.emissoes[cnpj]

test('each status goes with its HTTP status', async () => {
  assert.deepEqual(await outcome('valida'), [200, 1, 1])
  assert.deepEqual(await outcome('emite'), [200, 2, 1])
  assert.deepEqual(await outcome('efeitos'), [200, 2, 2])
  assert.deepEqual(await outcome('positiva-no-papel'), [200, 1, 3])
  assert.deepEqual(await outcome('insuficiente'), [200, 3, undefined])
  assert.deepEqual(await outcome('inapta'), [200, 4, undefined])
  assert.deepEqual(await outcome('analise'), [202, 5, undefined])
  assert.deepEqual(await outcome('base-fora'), [202, 6, undefined])
  assert.deepEqual(await outcome('nao-inscrito'), [404, 8, undefined])
  assert.deepEqual(await outcome('parametro'), [400, 9, undefined])
  assert.deepEqual(await outcome('falha'), [500, 99, undefined])
  assert.deepEqual(await outcome('analise-uma-vez'), [202, 5, undefined])
  assert.deepEqual(await outcome('analise-uma-vez'), [200, 2, 1])
  assert.deepEqual(await outcome('cnd-positiva'), [200, 3, undefined])
  assert.deepEqual(await outcome('cnd-efeitos'), [200, 2, 2])
})

test('an issuance under way has a key, and ends as one issuance', async () => {
  const cnpj = reserved('processa')
  const first = await ask(cnpj)
  assert.deepEqual([first.http, first.Status, first.Certidao], [201, 7, null])
  const second = await ask(cnpj, { Chave: first.Chave })
  assert.deepEqual([second.http, second.Status, second.Chave], [201, 7, first.Chave])
  const third = await ask(cnpj, { Chave: first.Chave })
  assert.deepEqual([third.http, third.Status], [200, 2])
  assert.equal(await issued(cnpj), 1)
  const again = await ask(cnpj)
  assert.deepEqual([again.Status, again.Certidao.CodigoControle], [1, third.Certidao.CodigoControle])
  assert.equal(await issued(cnpj), 1)
})

test('an issuance of three minutes ends by the clock, whoever asks next', async () => {
  const cnpj = reserved('processa-muito')
  const { Chave } = await ask(cnpj)
  assert.equal((await ask(cnpj, { Chave })).Status, 7)
  now = new Date(now.getTime() + 181_000)
  assert.equal((await ask(cnpj)).Status, 1)
  assert.equal(await issued(cnpj), 1)
})

test('a key that is lost, unknown or of another company is 14', async () => {
  const cnpj = reserved('chave-perdida')
  const { Chave } = await ask(cnpj)
  assert.deepEqual([(await ask(cnpj, { Chave })).http, (await ask(cnpj, { Chave })).Status], [404, 14])
  assert.equal((await ask(reserved('processa'), { Chave: 'outra' })).Status, 14)
  assert.equal((await ask(cnpj)).Status, 1, 'the first issuance went on')
})

test('version 2 has codes of its own', async () => {
  const cnpj = reserved('valida')
  assert.equal((await ask(cnpj, { CodigoIdentificacao: '9201' }, 'v2')).Status, 1)
  assert.equal((await ask(cnpj, {}, 'v2')).http, 400)
  assert.equal((await ask(cnpj, { CodigoIdentificacao: '9201' })).http, 400)
})

test('a valid certificate is given again until it ends, and never anew', async () => {
  const first = await ask(reserved('vencendo'))
  assert.equal(first.Status, 1)
  assert.equal(first.Certidao.DataValidade, '2026-11-23T00:00:00')
  assert.equal((await ask(reserved('vencendo'))).Certidao.CodigoControle, first.Certidao.CodigoControle)
  now = new Date('2026-11-24T12:00:00Z')
  const next = await ask(reserved('vencendo'))
  assert.equal(next.Status, 2)
  assert.equal(next.Certidao.DataValidade, '2027-05-23T00:00:00')
})

test('a branch gets the certificate of its head office', async () => {
  const { Certidao } = await ask('48271936000264')
  assert.equal(Certidao.ContribuinteCertidao, '48271936000183')
  assert.match(await textOf(Certidao.DocumentoPdf), /CNPJ: 48\.271\.936\/0001-83/)
})

test('the companies of the world have a certificate, old or new, or a refusal', async () => {
  const seen = new Set<number>()
  for (const cnpj of exemplos().umaInscricao.values()) seen.add((await ask(cnpj)).Status)
  assert.deepEqual([...seen].filter((status) => status !== 7).sort(), [1, 2, 4])
  assert.equal((await ask(exemplos().desconhecido)).Status, 8)
})

test('the paper has the lines of a real one, in their order', async () => {
  const lines = [
    'MINISTÉRIO DA FAZENDA',
    'Secretaria da Receita Federal do Brasil',
    'Procuradoria-Geral da Fazenda Nacional',
    'CERTIDÃO NEGATIVA DE DÉBITOS RELATIVOS AOS TRIBUTOS FEDERAIS E À DÍVIDA ATIVA DA UNIÃO',
    'Nome: ',
    `CNPJ: ${reserved('emite').replace(/^(..)(...)(...)(....)/, '$1.$2.$3/$4-')}`,
    'não constam pendências em seu nome',
    'A aceitação desta certidão',
    'Portaria Conjunta RFB/PGFN nº 1.751, de 2/10/2014.',
    'Emitida às 09:00:00 do dia 21/11/2026 <hora e data de Brasília>.',
    'Válida até 20/05/2027.',
    'Código de controle da certidão: ',
    'Qualquer rasura ou emenda invalidará este documento.',
  ]
  const text = (await paper('emite')).replace(/\s+/g, ' ')
  let at = 0
  for (const line of lines) {
    const found = text.indexOf(line, at)
    assert.ok(found >= at, line)
    at = found + line.length
  }
  assert.match(await paper('efeitos'), /POSITIVA COM EFEITOS DE NEGATIVA/)
})

test('each paper that readers stumble over is as it says', async () => {
  assert.match(await paper('papel-quebrado'), /CERTIDÃO NEGATIVA\s+DE DÉBITOS/)
  assert.match(await paper('papel-colado'), /Códigodecontroledacertidão/)
  assert.match(await paper('papel-sem-acentos'), /Codigo de controle/)
  assert.match(await paper('papel-raiz'), /CNPJ: 98\.764\.\d{3}\s/)
  assert.match(
    (await paper('papel-contradiz')).replace(/\s+/g, ' '),
    /CERTIDÃO NEGATIVA.*1\. constam débitos/,
  )
  assert.doesNotMatch(await paper('papel-sem-codigo'), /controle/)
  assert.match(await paper('papel-datas'), /Válida até \d\d\/\d\d\/2025/)
  assert.match(await paper('cnd-pdf-de-outro'), new RegExp(OUTRO_DOCUMENTO.slice(2, 5)))
  const { Certidao: html } = await ask(reserved('cnd-html-como-pdf'))
  assert.match(Buffer.from(html.DocumentoPdf, 'base64').toString(), /^<!DOCTYPE html/)
  const { Certidao: two } = await ask(reserved('papel-duas-paginas'))
  const pages = await getDocumentProxy(new Uint8Array(Buffer.from(two.DocumentoPdf, 'base64')))
  assert.equal(pages.numPages, 2)
  await assert.rejects(paper('cnd-pdf-corrompido'))
})

test('the answer has the variants that clients met', async () => {
  assert.match(
    (await ask(reserved('data-uri'))).Certidao.DocumentoPdf,
    /^data:application\/pdf;base64,JVBER.*\r\n/,
  )
  assert.ok(!('DocumentoPdf' in (await ask(reserved('sem-pdf'))).Certidao))
  assert.ok(!('DocumentoPdf' in (await ask(reserved('valida'), { GerarCertidaoPdf: false })).Certidao))
  const other = await ask(reserved('nomes-trocados'))
  assert.deepEqual([other.Certidao.TipoCertidão, typeof other.Messagem], [1, 'string'])
  assert.match((await ask(reserved('codigo-corrido'))).Certidao.CodigoControle, /^[0-9A-F]{16}$/)
  assert.equal((await ask(reserved('tipo-e-papel'))).Certidao.TipoCertidao, 1)
})

test('a parameter that is wrong is HTTP 400, with a status of its own', async () => {
  const status = async (more: Record<string, unknown>) => (await ask(reserved('valida'), more)).Status
  assert.equal(await status({ TipoContribuinte: '1' }), 9)
  assert.equal(await status({ ContribuinteConsulta: '98.764.010/0001-00' }), 10)
  assert.equal(await status({ GerarCertidaoPdf: 'true' }), 12)
})
