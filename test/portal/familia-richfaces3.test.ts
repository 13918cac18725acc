import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { estado } from '../../src/estados/ma.ts'
import { RotaNaoAtende, SourceError } from '../../src/platform/wire/fonte.ts'
import { type Given, imagem, inscricaoDeTeste, openPortal, type PortalAuthority } from '../kit/authority.ts'
import { pdfOf } from '../kit/papers.ts'

let authority: PortalAuthority
let certidao: Buffer
before(async () => {
  authority = await openPortal('sistemas1.sefaz.ma.gov.br')
  certidao = await pdfOf([
    [
      'CERTIDÃO NEGATIVA DE DÉBITO',
      'Nº 226555/26 Data da Emissão: 21/11/2026',
      'CPF/CNPJ: 11.222.333/0001-81',
      'não constam débitos relativos aos tributos estaduais, administrados por esta Secretaria',
      'Validade da Certidão: 90 (noventa) dias: 18/02/2027',
    ],
  ])
})
after(() => authority.close())

const CNPJ = '11222333000181'
const codigo = (expected: string) => (error: unknown) =>
  error instanceof SourceError && (error.codigo ?? error.kind) === expected

/** A form of the engine, with the id that its script adds to an AJAX query. */
const form = (fields: string): string =>
  `<form id="form1" action="/x.jsf"><input type="hidden" name="form1" value="form1"><input type="hidden" name="javax.faces.ViewState" value="v1">${fields}</form>`
const script = (id: string): string =>
  `A4J.AJAX.Submit('_viewRoot','form1',event,{'similarityGroupingId':'${id}','parameters':{'${id}':'${id}'}})`
const ajax = (body: string): string =>
  `<?xml version="1.0"?><html><body>${body}<span id="ajax-view-state"><input type="hidden" name="javax.faces.ViewState" value="v2"/></span></body></html>`

const filtro = form(
  `<input type="radio" name="form1:tipoEmissao" value="2" onclick="${script('form1:j_id99')}"><div class="g-recaptcha" data-sitekey="chave"></div><div id="form1:pnlPrincipal4"><input type="button" value="Limpar"><input type="submit" name="form1:j_id98" value="Consulta"></div><input type="hidden" name="form1:panel_loadingOpenedState" value="">`,
)
const campo = ajax('<input type="text" name="form1:cpfCnpj" value=""/>')
const lista = (...nomes: readonly string[]): string =>
  `<form id="j_id6" action="/lista.jsf"><input type="hidden" name="j_id6" value="j_id6"><input type="hidden" name="javax.faces.ViewState" value="v3"><div id="j_id6:pnlCadastro">${nomes
    .map(
      (nome) =>
        `<span class="textoPequeno">120000385</span><input type="image" name="${nome}" src="lupa.gif">`,
    )
    .join('')}</div></form>`
const ficha = (ie: string, situacao = 'HABILITADO'): string =>
  `<table>${[
    ['CGC:', '11.222.333/0001-81'],
    ['Inscrição Estadual:', ie],
    ['Razão Social:', 'FULANO LTDA'],
    ['Regime Apuração:', 'NORMAL'],
    ['Complemento:', '&nbsp;'],
    ['Bairro:', 'CENTRO'],
    ['CNAE Principal:', '4711302 - COMÉRCIO VAREJISTA'],
    ['Situação Cadastral Vigente:', situacao],
    ['Data desta Situação Cadastral:', '01/02/2020'],
    ['NFe a partir de:', '01/12/2010'],
    ['EDF a partir de:', '&nbsp;'],
  ]
    .map(
      ([label, value]) =>
        `<tr><td><span class="texto_negrito">${label}</span></td><td><span class="texto">${value}</span></td></tr>`,
    )
    .join('')}</table>`
const askIe = (...answers: Given[]) => {
  authority.answers(...answers)
  return estado.ie[0].ask({ tipo: 'cnpj', documento: CNPJ }, authority.meios)
}

test('a registration is listed, and opened by its image, by the ids and the state that the pages have that day', async () => {
  const found = await askIe(
    ...[filtro, campo, lista('j_id6:t:0:j_id9', 'j_id6:t:1:j_id9'), ficha('12.000.038-5')],
    ficha('12.000.039-3', 'BAIXADO'),
  )
  assert.deepEqual(
    found.map((one) => [
      one.inscricao_estadual,
      one.razao_social,
      one.complemento,
      one.bairro,
      one.situacao_ie,
    ]),
    [
      ['120000385', 'FULANO LTDA', '', 'CENTRO', 'ATIVA'],
      ['120000393', 'FULANO LTDA', '', 'CENTRO', 'BAIXADA'],
    ],
  )
  assert.deepEqual(
    [found[0]?.regime_apuracao_icms, found[0]?.cnae_codigo, found[0]?.data_situacao, found[0]?.situacao_nfe],
    ['NORMAL', '4711302', '2020-02-01', 'EMITENTE DE NF-E DESDE 2010-12-01'],
  )
  const [, , , primeira, segunda] = authority.seen
  assert.equal(primeira?.pedido, 'POST sistemas1.sefaz.ma.gov.br/lista.jsf')
  const comum = { j_id6: 'j_id6', 'javax.faces.ViewState': 'v3' }
  assert.deepEqual(primeira?.campos, { ...comum, 'j_id6:t:0:j_id9.x': '1', 'j_id6:t:0:j_id9.y': '1' })
  assert.deepEqual(segunda?.campos, { ...comum, 'j_id6:t:1:j_id9.x': '1', 'j_id6:t:1:j_id9.y': '1' })
  const [, escolha, consulta] = authority.seen.map(({ campos }) => campos)
  assert.deepEqual(escolha, {
    AJAXREQUEST: '_viewRoot',
    form1: 'form1',
    'form1:tipoEmissao': '2',
    'form1:j_id99': 'form1:j_id99',
    'form1:panel_loadingOpenedState': '',
    'AJAX:EVENTS_COUNT': '1',
    'javax.faces.ViewState': 'v1',
  })
  assert.deepEqual(consulta, {
    form1: 'form1',
    'form1:tipoEmissao': '2',
    'form1:cpfCnpj': CNPJ,
    'g-recaptcha-response': 'resposta 1',
    'form1:j_id98': 'Consulta',
    'form1:panel_loadingOpenedState': '',
    'javax.faces.ViewState': 'v2',
  })
})

test('nothing found is none, a page without its table has changed, and a refused token is tried three times', async () => {
  assert.deepEqual(await askIe(filtro, campo, '<p>Nenhum resultado encontrado</p>'), [])
  await assert.rejects(askIe(filtro, campo, '<p>Bem-vindo</p>'), codigo('parse'))
  await assert.rejects(askIe(filtro, ajax('<b>nada</b>')), codigo('parse'))
  await assert.rejects(askIe('<h1>Sessão expirada</h1>'), codigo('sessao-expirada'))
  const listada = [filtro, campo, lista('j_id6:t:0:j_id9')]
  await assert.rejects(askIe(...listada, '<p>Nenhum resultado encontrado</p>'), codigo('parse'))
  await assert.rejects(askIe(filtro, campo, lista()), codigo('parse'))
  const refused = [filtro, campo, '<p>Captcha inválido.</p>']
  await assert.rejects(askIe(...refused, ...refused, ...refused), codigo('captcha-errado'))
  assert.equal(authority.seen.length, 9)
})

const emissao = form(
  `<input type="radio" name="form1:tipoEmissao" value="2"><input type="text" name="form1:cpfCnpj"><input type="text" name="form1:inscricaoEstadual"><img src="/certidoes/a4j/g/Paint2DResource/DATA/x"><input type="text" maxlength="4" name="form1:j_id77"><input type="submit" id="form1:btn" name="form1:btn" value="Emitir" onclick="${script('form1:j_id55')}">`,
)
const valida = ajax('<span id="org.ajax4jsf.oncomplete"><![CDATA[if(true){emitir()}]]></span>')
const recusa = (texto: string): Given =>
  ajax(`<span class="pf-messages-error-detail">${texto}</span><script>if(false){emitir()}</script>`)
const askCnd = (inscricoes: ReturnType<typeof inscricaoDeTeste>[] | undefined, ...answers: Given[]) => {
  authority.answers(...answers)
  return estado.cnd[0].ask({ tipo: 'cnpj', documento: CNPJ, inscricoes }, authority.meios)
}

test('a certificate is validated with the letters of the image, then issued with the renewed state', async () => {
  const found = await askCnd(undefined, emissao, imagem, valida, certidao)
  assert.deepEqual(
    [found.status, found.protocolo, found.emissao, found.validade],
    ['negativa', '226555/26', '2026-11-21', '2027-02-18'],
  )
  const [, , validacao, pedido] = authority.seen.map(({ campos }) => campos)
  assert.equal(validacao?.['form1:j_id55'], 'form1:j_id55')
  // The fields are in the page's charset: ã is one byte, which is no UTF-8.
  assert.deepEqual(pedido, {
    form1: 'form1',
    'form1:tipoEmissao': '2',
    'form1:cpfCnpj': CNPJ,
    'form1:j_id77': 'resposta 1',
    'form1:btn': 'Emitir Certid\uFFFDo',
    'javax.faces.ViewState': 'v2',
  })
})

test('who has a registration in force is asked about by it, at once or when the portal says so', async () => {
  const pede = recusa(
    'Existe Inscrição Estadual ativa para este CPF/CNPJ. Favor emitir pela Inscrição Estadual',
  )
  await askCnd([inscricaoDeTeste('120000385')], emissao, imagem, valida, certidao)
  assert.equal(authority.seen[2]?.campos['form1:inscricaoEstadual'], '120000385')
  assert.equal(authority.seen[2]?.campos['form1:tipoEmissao'], '1')
  await askCnd([inscricaoDeTeste('1', 'SUSPENSA')], emissao, imagem, pede, emissao, imagem, valida, certidao)
  assert.equal(authority.seen.length, 7)
  await assert.rejects(askCnd(undefined, emissao, imagem, pede), RotaNaoAtende)
})

test('the validation tells a debtor, another impediment and misread letters; an error page is an outage', async () => {
  const said = async (texto: string) => (await askCnd(undefined, emissao, imagem, recusa(texto))).status
  assert.equal(await said('Este CPF/CNPJ é devedor.'), 'positiva')
  assert.equal(await said('Existe pendência de IPVA ou de Auto de IPVA.'), 'sem_certidao')
  const misread = [emissao, imagem, recusa('Código da imagem inválido.')]
  await assert.rejects(askCnd(undefined, ...misread, ...misread, ...misread), codigo('captcha-errado'))
  const erro = { para: '/certidoes/jsp/util/paginaErro.jsf' }
  await assert.rejects(askCnd(undefined, emissao, imagem, valida, erro, '<h1>Erro</h1>'), codigo('http'))
  await assert.rejects(askCnd(undefined, emissao, imagem, ajax('if(false)')), codigo('parse'))
})
