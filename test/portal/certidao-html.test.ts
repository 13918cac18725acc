import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { SourceError } from '../../src/platform/wire/fonte.ts'
import { readPdfText } from '../../src/platform/wire/pdf.ts'
import { certidao } from '../../src/portal/certidao.ts'
import { formulario } from '../../src/portal/formulario.ts'
import type { Certidao } from '../../src/portal/rules-certidao.ts'
import { openPortal, type PortalAuthority } from '../kit/authority.ts'

const HOST = 'www.sefaz.se.gov.br'
const CNPJ = '11222333000181'

let authority: PortalAuthority
before(async () => {
  authority = await openPortal(HOST)
})
after(() => authority.close())

const rota = (emHtml?: true) =>
  formulario('SE', {
    leitor: certidao({
      espera: { marca: '', minimo: 0, partes: [] },
      abrange: { debitos: 'ambos', origem: 'teste' },
      naoContribuinte: 'ie',
      layout: {},
      ...(emHtml && { emHtml }),
    }),
    url: `https://${HOST}/certidao`,
    documentos: { cnpj: '' },
    captcha: 'nenhum',
    fill: ({ documento }) => ({ documento }),
    certeza: 'memoria',
    origem: 'teste',
    em: '2026-11',
  })

function ask(pagina: string, route = rota(true)): Promise<Certidao> {
  authority.answers('<form action="/emitir;jsessionid=segredo?documento=11222333000181"></form>', pagina)
  return route.ask({ tipo: 'cnpj', documento: CNPJ, inscricoes: undefined }, authority.meios)
}

type Partes = { titulo?: string; documento?: string; corpo?: string; datas?: string; resto?: string }

const NEGATIVA = 'certificamos que <i>não constam débitos</i> em nome do contribuinte acima identificado.'
const paginaDe = ({
  titulo = 'CERTIDÃO NEGATIVA DE DÉBITOS ESTADUAIS',
  documento = '11.222.333/0001-81',
  corpo = NEGATIVA,
  datas = '<tr><td>Emitida em:</td><td>21/11/2026 09:00</td><td>Válida até:</td><td>20/12/2026</td></tr>',
  resto = '',
}: Partes = {}): string =>
  `<html><head><title>Portal</title></head><body><h1>ESTADO DE TESTE</h1><h2>${titulo}</h2><p>Certidão nº <b>123456/2026</b></p>
  <p>CNPJ: ${documento}</p><p>Ressalvado o direito de a Fazenda Pública cobrar o que venha a ser apurado, ${corpo}</p><table>${datas}</table>${resto}</body></html>`

const parse = (words: RegExp) => (error: unknown) =>
  error instanceof SourceError && error.kind === 'parse' && words.test(error.message)

test('a page that is the certificate is read as one, without a PDF', async () => {
  const { impressao_base64, ...certidao } = await ask(paginaDe())
  assert.deepEqual(certidao, {
    status: 'negativa',
    status_raw: 'CERTIDÃO NEGATIVA DE DÉBITOS ESTADUAIS',
    validade: '2026-12-20',
    emissao: '2026-11-21',
    protocolo: '123456/2026',
    pdf_base64: '',
    url_verificacao: '',
    codigo_autenticacao: '',
  })
  assert.ok(impressao_base64)
})

test('a page may also certify debts, suspended or not', async () => {
  const suspensos = await ask(
    paginaDe({
      titulo: 'CERTIDÃO POSITIVA COM EFEITOS DE NEGATIVA',
      corpo: 'certificamos que os débitos do contribuinte estão com a exigibilidade suspensa.',
    }),
  )
  assert.equal(suspensos.status, 'positiva_com_efeitos_de_negativa')
  const positiva = await ask(
    paginaDe({
      titulo: 'CERTIDÃO POSITIVA DE DÉBITOS',
      corpo: 'certificamos que constam débitos em seu nome.',
    }),
  )
  assert.equal(positiva.status, 'positiva')
})

const printed = async (pagina: string): Promise<string> =>
  readPdfText(Buffer.from((await ask(pagina)).impressao_base64 ?? '', 'base64'))

const MARK =
  'Impressão feita por este serviço do texto que a SEFAZ-SE mostrou em https://www.sefaz.se.gov.br/emitir em 21/11/2026, 09:00 (horário de Brasília); não é o documento original.'
const oneLine = (text: string): string => text.replace(/\s+/g, ' ')

test('the print says on each page what it is, whence and of when, and is read again as the page was', async () => {
  const text = oneLine(await printed(paginaDe()))
  assert.ok(text.includes(MARK), text)
  assert.doesNotMatch(text, /segredo/)
  assert.match(text, /CNPJ: 11\.222\.333\/0001-81/)
  assert.match(text, /certificamos que não constam débitos em nome do contribuinte acima identificado\./)
  assert.match(text, /Emitida em: 21\/11\/2026 09:00 Válida até: 20\/12\/2026/)
  const linhas = Array.from({ length: 150 }, (_, n) => `<p>Processo ${n}</p>`).join('')
  const long = oneLine(await printed(paginaDe({ resto: linhas })))
  assert.equal(long.split(MARK).length - 1, 3)
})

test('the print is the same for the same page at the same instant', async () => {
  const [um, outro] = [await ask(paginaDe()), await ask(paginaDe())]
  assert.equal(um.impressao_base64, outro.impressao_base64)
})

test('letters that the fonts of a PDF lack are put on paper without their marks, or as a question mark', async () => {
  const text = await printed(
    paginaDe({ resto: '<p>Ação &ldquo;&#536;&rdquo; &ndash; &euro; &rArr; conferir</p>' }),
  )
  assert.match(text, /Ação “S” – € \? conferir/)
})

test('somebody else’s certificate is not delivered', async () => {
  await assert.rejects(ask(paginaDe({ documento: '45.997.418/0001-53' })), parse(/outro documento/))
})

test('a certificate with dates that cannot be is not delivered', async () => {
  const de = (datas: string) => ask(paginaDe({ datas: `<tr><td>${datas}</td></tr>` }))
  await assert.rejects(de('Emitida em 21/11/2026, válida até 20/11/2026'), parse(/datas/))
})

test('a page that says both is not the better answer', async () => {
  await assert.rejects(
    ask(paginaDe({ corpo: 'certificamos que constam débitos em nome do contribuinte acima identificado.' })),
    parse(/não se entende/),
  )
})

const AJUDA =
  '<html><body><h1>Perguntas frequentes</h1><p>Consulta de 11.222.333/0001-81.</p><h2>CERTIDÃO NEGATIVA DE DÉBITOS</h2><p>Certifica que não constam débitos em nome do contribuinte. ' +
  'É válida por 60 dias.</p><h2>CERTIDÃO POSITIVA DE DÉBITOS</h2><p>Certifica que constam débitos.</p></body></html>'

test('a page that explains certificates is none, nor is a form that shows one', async () => {
  await assert.rejects(ask(AJUDA), SourceError)
  for (const partes of [
    { datas: '' },
    { titulo: 'Confira os seus dados' },
    { resto: '<form><input type="text" name="documento"></form>' },
  ])
    await assert.rejects(ask(paginaDe(partes)), SourceError, JSON.stringify(partes))
  const bare = paginaDe().replace('Certidão nº <b>123456/2026</b>', '')
  await assert.rejects(ask(bare), SourceError)
})

test('a page longer than any certificate is none', async () => {
  await assert.rejects(ask(paginaDe({ resto: '<p>outro assunto</p>'.repeat(300) })), SourceError)
  await assert.rejects(ask(paginaDe({ resto: `<p>${'outro assunto '.repeat(2_000)}</p>` })), SourceError)
})

test('a page cut short is none, whatever it got to say', async () => {
  const cut = paginaDe({ resto: '<p>fim' }).replace('</body></html>', '')
  await assert.rejects(ask(cut), parse(/termina no meio/))
})

test('a route that does not say so takes no page for a certificate', async () => {
  await assert.rejects(ask(paginaDe(), rota()), parse(/não a enviou/))
})
