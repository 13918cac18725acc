import type { Fields, Question, Screen } from '../kit/simulator-portal.ts'
import type { Row } from './portal-contrato-rows.ts'

const TRIO = ['__VIEWSTATE', '__VIEWSTATEGENERATOR', '__EVENTVALIDATION']
const STALE = /^500[\s\S]*state information is invalid/
const SAT = 'sat.sef.sc.gov.br'
const CORPO = 'ctl00$ctl00$ctl00$Body$Main$Main$'
const CADESP = 'www.cadesp.fazenda.sp.gov.br'
const ABA = 'ctl00$conteudoPaginaPlaceHolder$filtroTabContainer$filtroEmitirCertidaoTabPanel$'
const MAIN = 'ctl00$MainContent$'

/** ASP.NET: the state of WebForms, the token of MVC, or neither. */
export const dotnet: readonly Row[] = [
  {
    portal: 'BA/cnd',
    prepare: async (visit, document) => {
      const path = '/sistemas/DSCRE/Modulos/Publico/EmissaoCertidao.aspx'
      const form = await visit.open('servicos.sefaz.ba.gov.br', path)
      return form.ask({
        ctl00$PHConteudo$TxtNumCNPJ: document,
        __EVENTTARGET: 'ctl00$PHConteudo$btnImprimir',
      })
    },
    answers: /window\.open\('\/sistemas\/DSCRE\/Relatorios\/Relatorio\.aspx'/,
    stranger: STALE,
    again: STALE,
    missing: STALE,
    leftOut: {
      __EVENTTARGET: /Preencha apenas um dos campos/,
      ctl00$PHConteudo$TxtNumCNPJ: /Preencha apenas um dos campos/,
    },
    free: ['__EVENTARGUMENT', 'ctl00$PHConteudo$TxtNumCPF', 'ctl00$PHConteudo$TxtNumInscricaoEstadual'],
    stamps: [TRIO, STALE],
    nobody: 'answers',
    invalid: /alert\('CNPJ inválido'\)/,
    otherForm: 'answers',
    otherMethod: /id="aspnetForm"/,
  },
  {
    portal: 'MS/ie',
    prepare: async (visit, document) => {
      const form = await visit.open('servicos.efazenda.ms.gov.br', '/consultapublica/')
      return form.ask({ documentoCNPJ: document, 'g-recaptcha-response': await form.token('recaptcha-v2') })
    },
    answers: /^302 \/consultapublica\/Home\/Resultado/,
    stranger: 'answers',
    again: /Marque a opção/,
    missing: /Informe a Inscrição Estadual ou o CNPJ/,
    leftOut: { 'g-recaptcha-response': /Marque a opção/ },
    captcha: /Marque a opção/,
    nobody: /^302 \/consultapublica\/Home\/Index/,
    invalid: /CNPJ inválido/,
    otherForm: 'answers',
    otherMethod: /^404/,
  },
  {
    portal: 'MS/cnd',
    prepare: async (visit, document) => {
      const form = await visit.open('servicos.efazenda.ms.gov.br', '/pndfis/Home/Emissao')
      const CaptchaNumero = await form.picture()
      return {
        ...form.ask({}),
        fields: { tipoIdentificacao: '1', numeroIdentificacao: document, CaptchaNumero },
      }
    },
    answers: /%PDF-/,
    stranger: /não confere com a Imagem/,
    again: /não confere com a Imagem/,
    missing: /Informe o tipo e o número/,
    leftOut: { CaptchaNumero: /não confere com a Imagem/ },
    captcha: /não confere com a Imagem/,
    nobody: /Documento não cadastrado no Estado/,
    invalid: /CNPJ inválido/,
    otherForm: 'answers',
    otherMethod: /^404/,
  },
  {
    portal: 'RS/ie',
    prepare: async (visit, document) => {
      const form = await visit.open('www.sefaz.rs.gov.br', '/consultas/contribuinte')
      const token = await form.token('recaptcha-v2')
      const answers = { recaptchaValor: token, 'g-recaptcha-response': token }
      return form.ask({ CodInscrCnpj: document, ...answers, validateButton: 'Pesquisar' })
    },
    answers: /<label>CNAE Fiscal:<\/label>/,
    stranger: /^500[\s\S]*anti-forgery/,
    again: /^500[\s\S]*anti-forgery/,
    missing: /Captcha inválido/,
    leftOut: {
      __RequestVerificationToken: /^500[\s\S]*anti-forgery/,
      CodInscrCnpj: /Inscrição Estadual ou CNPJ inválido/,
    },
    stamps: [['__RequestVerificationToken'], /^500[\s\S]*anti-forgery/],
    captcha: /Captcha inválido/,
    nobody: /Nenhum contribuinte encontrado/,
    invalid: /Inscrição Estadual ou CNPJ inválido/,
    otherForm: 'answers',
    otherMethod: /^404/,
  },
  {
    portal: 'RS/cnd',
    prepare: async (visit, document) => {
      const host = 'www.sefaz.rs.gov.br'
      const form = await visit.open(host, '/sat/CertidaoSitFiscalSolic.aspx')
      const altcha = await visit.proof(host, '/sat/AltchaDesafio.ashx')
      return form.ask({ campoCnpj: document, altcha, btnEnviar: 'Enviar' })
    },
    answers: /%PDF-/,
    stranger: 'answers',
    again: /ALTCHA inválida/,
    leftOut: { campoCnpj: /Informe o CNPJ/, altcha: /ALTCHA inválida/ },
    free: ['campoCpf', 'campoIe', 'btnEnviar'],
    captcha: /ALTCHA inválida/,
    nobody: 'answers',
    invalid: /CNPJ inválido/,
    otherForm: 'answers',
    otherMethod: /id="btnEnviar"/,
  },
  {
    portal: 'SC/ie',
    prepare: async (visit, document) => {
      const form = await visit.open(SAT, '/tax.NET/Sat.Cadastro.Web/ComprovanteIE/Consulta.aspx')
      const number = { [`${CORPO}sepBusca$idnContribuinte$MaskedField`]: document }
      return form.ask({ ...number, __EVENTTARGET: `${CORPO}sepBusca$btnBuscar` })
    },
    masked: true,
    answers: /ctnResultado_comprovante0/,
    stranger: STALE,
    again: STALE,
    missing: STALE,
    leftOut: {
      __EVENTTARGET: /class="sat-panel"/,
      [`${CORPO}sepBusca$idnContribuinte$IdentificationTypeField`]: /Preencha o campo de identificação/,
      [`${CORPO}sepBusca$idnContribuinte$MaskedField`]: /Preencha o campo de identificação/,
    },
    free: ['__EVENTARGUMENT'],
    stamps: [TRIO, STALE],
    nobody: /Nenhum registro encontrado\./,
    invalid: /CNPJ inválido\./,
    otherForm: /CNPJ inválido\./,
    otherMethod: /class="sat-panel"/,
  },
  {
    portal: 'SC/cnd',
    prepare: async (visit, document) => {
      const form = await visit.open(SAT, '/tax.NET/Sat.CtaCte.Web/SolicitacaoCnd.aspx')
      const number = { [`${CORPO}sepBusca$idnCnd$MaskedField`]: document }
      const token = { 'g-recaptcha-response': await form.token('recaptcha-v2') }
      return form.ask({ ...number, ...token, __EVENTTARGET: `${CORPO}sepBusca$btnBuscar` })
    },
    masked: true,
    answers: /Gerar CND/,
    stranger: STALE,
    again: STALE,
    missing: STALE,
    leftOut: {
      __EVENTTARGET: /class="sat-panel"/,
      [`${CORPO}sepBusca$idnCnd$IdentificationTypeField`]: /Preencha o campo de identificação/,
      [`${CORPO}sepBusca$idnCnd$MaskedField`]: /Preencha o campo de identificação/,
      'g-recaptcha-response': /Captcha inválido\./,
    },
    free: ['__EVENTARGUMENT'],
    stamps: [TRIO, STALE],
    captcha: /Captcha inválido\./,
    nobody: 'answers',
    invalid: /CNPJ inválido\./,
    otherForm: /CNPJ inválido\./,
    otherMethod: /class="sat-panel"/,
  },
  {
    portal: 'SP/ie',
    prepare: async (visit, document) => {
      const page = '/Pages/Cadastro/Consultas/ConsultaPublica/ConsultaPublica.aspx'
      const { headers } = await visit.visitor.get(CADESP, page)
      const path = headers.location ?? ''
      const first = await visit.open(CADESP, path)
      const list = `${ABA}tipoFiltroDropDownList`
      const chosen = first.ask({ __EVENTTARGET: list, [list]: '1' })
      const { text } = await visit.visitor.post(CADESP, path, { ...chosen.fields })
      const form = visit.see(CADESP, path, text)
      return form.ask({
        [`${ABA}valorFiltroTextBox`]: document,
        [`${ABA}imagemDinamicaTextBox`]: await form.picture(),
        [`${ABA}consultaPublicaButton`]: 'Consultar',
      })
    },
    answers: /lblCodigoControleCertidao/,
    stranger: 'answers',
    again: STALE,
    missing: STALE,
    leftOut: {
      [`${ABA}valorFiltroTextBox`]: /Informe o valor do filtro/,
      [`${ABA}imagemDinamicaTextBox`]: /não confere com a imagem/,
      [`${ABA}consultaPublicaButton`]: /id="aspnetForm"/,
    },
    free: [
      '__EVENTTARGET',
      '__EVENTARGUMENT',
      ...['nrCnpjConsultarCertidaoTextBox', 'nrCodigoValidadorTextBox'].map(
        (name) => ABA.replace('filtroEmitirCertidao', 'filtroConsultarCertidao') + name,
      ),
    ],
    stamps: [TRIO, STALE],
    captcha: /não confere com a imagem/,
    nobody: /Não existem registros que atendem/,
    invalid: /CNPJ inválido\./,
    otherForm: 'answers',
    otherMethod: /id="aspnetForm"/,
  },
  {
    portal: 'SP/cnd',
    prepare: async (visit, document) => {
      const path = '/CertidaoNegativaDeb/Pages/EmissaoCertidaoNegativa.aspx'
      const form = await visit.open('www10.fazenda.sp.gov.br', path)
      const token = await form.token('recaptcha-v2')
      const answers = { [`${MAIN}hdgrecaptcha`]: token, 'g-recaptcha-response': token }
      return form.ask({ [`${MAIN}txtDocumento`]: document, ...answers, [`${MAIN}btnPesquisar`]: ' Emitir ' })
    },
    masked: true,
    answers: /Certidão disponível para impressão/,
    stranger: STALE,
    again: STALE,
    missing: STALE,
    leftOut: {
      [`${MAIN}grupoDocumento`]: /Informe o CNPJ ou o CPF/,
      [`${MAIN}txtDocumento`]: /Informe o CNPJ ou o CPF/,
      [`${MAIN}hdgrecaptcha`]: /Captcha inválido/,
      'g-recaptcha-response': /Captcha inválido/,
      [`${MAIN}btnPesquisar`]: /id="ctl01"/,
    },
    free: ['__EVENTTARGET', '__EVENTARGUMENT'],
    stamps: [TRIO, STALE],
    captcha: /Captcha inválido/,
    nobody: 'answers',
    invalid: /CNPJ inválido\./,
    otherForm: /CNPJ inválido\./,
    otherMethod: /id="ctl01"/,
  },
]

const AL = '/sfz-cadastro-api/api/contribuinte/obterListaContribuintes/CNPJ/'
const script = { headers: { 'x-requested-with': 'XMLHttpRequest' } }
const EXPIRED = /Sessão expirada/

/** A form of TO. Its state holds the pressed button and the answer to reCAPTCHA. */
async function pressOfTo(form: Screen, _EventName: string, fields: Fields): Promise<Question> {
  const state: unknown = JSON.parse(form.fields.GXState ?? '')
  const key = /"GPXRECAPTCHA1_Sitekey":"([^"]+)"/.exec(form.fields.GXState ?? '')?.[1] ?? ''
  const GPXRECAPTCHA1_Response = await form.token('recaptcha-v2', { key })
  const GXState = JSON.stringify(Object.assign({}, state, { _EventName, GPXRECAPTCHA1_Response }))
  return form.ask({ ...fields, GXState }, script)
}

/** Interfaces that a script asks, and GeneXus, whose script sends the whole state. */
export const comScript: readonly Row[] = [
  {
    portal: 'AL/ie',
    prepare: async (_, document) => ({
      host: 'cadastro.sefaz.al.gov.br',
      path: `${AL}${encodeURIComponent(document)}/0/50`,
      fields: {},
      as: 'get',
    }),
    answers: /"numeroCaceal":"24/,
    stranger: 'answers',
    again: 'answers',
    nobody: /^404[\s\S]*"Not Found"/,
    invalid: /^400[\s\S]*CNPJ inválido/,
    otherForm: /^404[\s\S]*Recurso não encontrado/,
    otherMethod: /^404[\s\S]*Recurso não encontrado/,
  },
  {
    portal: 'AL/cnd',
    prepare: async (_, numeroDocumento) => ({
      host: 'contribuinte.sefaz.al.gov.br',
      path: '/certidao/sfz-certidao-api/api/public/emitirCertidao?cacheBuster=1795261840000',
      fields: { numeroDocumento, tipoDocumento: 'CNPJ' },
      as: 'json',
    }),
    answers: /"conteudo":"JVBERi/,
    stranger: 'answers',
    again: 'answers',
    leftOut: { numeroDocumento: /^500[\s\S]*CNPJ inválido/, tipoDocumento: /^400[\s\S]*Requisição inválida/ },
    nobody: 'answers',
    invalid: /^500[\s\S]*CNPJ inválido/,
    otherForm: /^500[\s\S]*CNPJ inválido/,
    otherMethod: /^400[\s\S]*Requisição inválida/,
  },
  {
    portal: 'ES/cnd',
    prepare: async (visit, numIdentificacao) => {
      const host = 's2-internet.sefaz.es.gov.br'
      await visit.open(host, '/certidao/cnd')
      const { text } = await visit.visitor.post(host, '/certidao/renderiza', { passo: 'R1' }, script)
      const form = visit.see(host, '/certidao/cnd', text, script)
      const fields = { numIdentificacao, 'cf-turnstile-response': await form.token('turnstile') }
      return { host, path: '/certidao/emitir-certidao-internet', fields, sent: script }
    },
    answers: /"blbCertidao":"JVBERi/,
    stranger: EXPIRED,
    again: /Verificação de segurança inválida/,
    leftOut: {
      numIdentificacao: /CPF\/CNPJ incompleto/,
      'cf-turnstile-response': /Complete a verificação/,
    },
    captcha: /Verificação de segurança inválida/,
    nobody: 'answers',
    invalid: /CNPJ inválido/,
    otherForm: /CPF\/CNPJ incompleto/,
    otherMethod: /^404/,
  },
  {
    portal: 'RR/ie',
    prepare: async (visit, document) => {
      const form = await visit.open(
        'portalweb.sefaz.rr.gov.br',
        '/sintegra/servlet/wp_siate_consultasintegra',
      )
      const _cfield = await form.picture('#captchaImage img', 'palavras')
      const kind = { vDMNTIPODOCUMENTOCONTRIBUINTE: '3' }
      return form.ask({ ...kind, vDOCUMENTO: document, _cfield, BTNCONSULTAR: 'Consultar' })
    },
    answers: /span_CTLCONINSEST/,
    stranger: EXPIRED,
    again: EXPIRED,
    missing: EXPIRED,
    leftOut: {
      vDMNTIPODOCUMENTOCONTRIBUINTE: /Informe o documento/,
      vDOCUMENTO: /Informe o documento/,
      _cfield: /Informe o documento/,
      BTNCONSULTAR: /Informe o documento/,
    },
    stamps: [['GXState'], EXPIRED],
    captcha: /palavra digitada não confere/,
    nobody: /Nenhum resultado encontrado/,
    invalid: /CNPJ inválido/,
    otherForm: /Informe o documento/,
    otherMethod: /id="TBLFILTRO"/,
  },
  {
    portal: 'TO/ie',
    prepare: async (visit, vCNPJ) => {
      const form = await visit.open('sintegra.sefaz.to.gov.br', '/sintegra/servlet/wpsico01')
      return pressOfTo(form, "E'CNPJ'.", { vCNPJ })
    },
    answers: /span_CTLCONINSEST/,
    stranger: EXPIRED,
    again: EXPIRED,
    missing: EXPIRED,
    leftOut: { vCNPJ: /Informe: CNPJ/ },
    free: ['vCPF', 'vIE'],
    stamps: [['GXState'], EXPIRED],
    captcha: /Captcha inválido/,
    nobody: /Nenhum resultado encontrado/,
    invalid: /CNPJ inválido/,
    otherForm: 'answers',
    otherMethod: /id="TABLE1"/,
  },
  {
    portal: 'TO/cnd',
    prepare: async (visit, vNUM_CNPJ) => {
      const form = await visit.open('www.sefaz.to.gov.br', '/cnd/com.cnd.hecwbcnd01')
      return pressOfTo(form, "E'EMITIR'.", { vNUM_CNPJ })
    },
    masked: true,
    answers: /BUTTON6/,
    stranger: EXPIRED,
    again: EXPIRED,
    missing: EXPIRED,
    leftOut: { vNUM_CNPJ: /Informe o CPF ou o CNPJ/, vFINALIDADE1: /Informe o CPF ou o CNPJ/ },
    free: ['vNUM_CPF'],
    stamps: [['GXState'], EXPIRED],
    captcha: /Captcha inválido/,
    nobody: 'answers',
    invalid: /CNPJ inválido/,
    otherForm: /CNPJ inválido/,
    otherMethod: /BUTTON3/,
  },
]
