import type { Uf } from '../../simulator/documento/uf.ts'
import { exemplos } from '../../simulator/mundo/exemplo.ts'
import type { Question, Visit } from '../kit/simulator-portal.ts'

/**
 * A pattern for the answer's status, location and text. `answers` means that the portal answers the request
 * all the same.
 */
export type Said = RegExp | 'answers'

/** The good answer of one portal, and its refusals. */
export type Row = {
  portal: `${Uf}/${'ie' | 'cnd'}`
  /** Makes the visit up to the request that asks about the document. That request is not sent. */
  prepare: (visit: Visit, document: string) => Promise<Question>
  /** The document to ask about. Without it, the company with one registration in the state. */
  document?: string
  /** Whether documents are sent with their punctuation. */
  masked?: boolean
  /** The good answer. */
  answers: RegExp
  /** The same request from a visitor who has no session. */
  stranger: Said
  /** The same request once more. */
  again: Said
  /** The request without one of its fields. */
  missing?: Said
  /** Fields whose absence has a refusal of its own. */
  leftOut?: Readonly<Record<string, Said>>
  /** Fields that may be left out. */
  free?: readonly string[]
  /** Fields of the page that must come back unchanged, and the refusal when they do not. */
  stamps?: readonly [fields: readonly string[], said: RegExp]
  /** A wrong answer to the captcha, and a used one. */
  captcha?: RegExp
  /** A document that nobody has. */
  nobody: Said
  /** A document with a wrong check digit. */
  invalid: RegExp
  /** The document with punctuation where the portal wants none, and without it where the portal wants it. */
  otherForm: Said
  /** The other method at the same address. */
  otherMethod: RegExp
}

const latin1 = { charset: 'iso-8859-1' } as const

/** Plain forms: their fields, an image or a token, and at most a cookie. */
export const simples: readonly Row[] = [
  {
    portal: 'AM/ie',
    prepare: async (visit, document) => {
      const form = await visit.open('online.sefaz.am.gov.br', '/sintegra/index.asp', latin1)
      const token = await form.token('recaptcha-v2')
      return form.ask({ cgc: document, 'g-recaptcha-response': token, B3: 'Consultar' })
    },
    answers: /sintegra_detalhe\.asp\?ie=/,
    stranger: /^302 index\.asp\?nErr=1/,
    again: /^302 index\.asp\?nErr=5/,
    missing: /^302 index\.asp\?nErr=5/,
    captcha: /^302 index\.asp\?nErr=5/,
    nobody: /Nenhum registro encontrado/,
    invalid: /CNPJ inválido/,
    otherForm: /^302 index\.asp\?nErr=5/,
    otherMethod: /^404/,
  },
  {
    portal: 'AM/cnd',
    document: exemplos().semInscricao,
    prepare: async (visit, document) => {
      const host = 'sistemas.sefaz.am.gov.br'
      const page = '/GAE/mnt/dividaAtiva/certidaoNegativa/emitirCertidaoNegativaNaoContPortal.do'
      const form = await visit.open(host, page, latin1)
      const frame = await visit.open(host, /<iframe src="([^"]+)"/.exec(form.text)?.[1] ?? '')
      const key = /data-sitekey="([^"]+)"/.exec(frame.text)?.[1] ?? ''
      const token = await form.token('recaptcha-v2', { key, widget: { invisivel: true } })
      return form.ask({ nrDocumento: document, method: 'emitir', 'g-recaptcha-response': token })
    },
    answers: /CERTIDÃO NEGATIVA/,
    stranger: /sessão expirou/,
    again: /Captcha inválido/,
    missing: /Informe o campo CPF ou CNPJ/,
    captcha: /Captcha inválido/,
    nobody: 'answers',
    invalid: /CNPJ inválido/,
    otherForm: /Informe o campo CPF ou CNPJ/,
    otherMethod: /name="certidaoNegativaForm"/,
  },
  {
    portal: 'BA/ie',
    prepare: async (visit, document) => {
      const path = '/scripts/cadastro/cadastroBa/consultaBa.asp'
      const form = await visit.open('portal.sefaz.ba.gov.br', path, latin1)
      return form.ask({ CGC: document, B1: 'CNPJ  ->' })
    },
    answers: /Emitente de NFe desde/,
    stranger: /Sessão expirada/,
    again: 'answers',
    missing: /Parâmetro inválido/,
    leftOut: { CGC: /CNPJ inválido/ },
    free: ['IE'],
    nobody: /^302 consulta_vazia\.htm/,
    invalid: /CNPJ inválido/,
    otherForm: /Digite apenas números/,
    otherMethod: /^404/,
  },
  {
    portal: 'CE/ie',
    prepare: async (visit, document) => {
      const form = await visit.open('consultapublica.sefaz.ce.gov.br', '/sintegra/preparar-consultar')
      return { ...form.ask({ numcnpjcgf: document }), as: 'get' }
    },
    answers: /<table id="dadossintegra">/,
    stranger: 'answers',
    again: 'answers',
    missing: /Preencha corretamente/,
    nobody: /Nenhum contribuinte encontrado/,
    invalid: /CNPJ inválido/,
    otherForm: /Preencha corretamente/,
    otherMethod: /^404/,
  },
  {
    portal: 'CE/cnd',
    prepare: async (visit, document) => {
      const form = await visit.open('consultapublica.sefaz.ce.gov.br', '/certidaonegativa/preparar-consultar')
      return form.ask({ codigoDevedor: document })
    },
    answers: /id="tabelaDados"/,
    stranger: /expirou/,
    again: 'answers',
    leftOut: { tipoDevedor: /Informe o tipo/, codigoDevedor: /CNPJ inválido/ },
    nobody: 'answers',
    invalid: /CNPJ inválido/,
    otherForm: 'answers',
    otherMethod: /^404/,
  },
  {
    portal: 'GO/ie',
    prepare: async (visit, document) => {
      const form = await visit.open('appasp.sefaz.go.gov.br', '/Sintegra/Consulta/default.asp', latin1)
      return form.ask({ tDoc: document, tCNPJ: document, btCGC: 'Consultar' })
    },
    masked: true,
    answers: />Inscri[^<]*Estadual</,
    stranger: /expirada/,
    again: 'answers',
    leftOut: { rTipoDoc: /Selecione o tipo de documento/, tDoc: /^500/ },
    free: [
      'zion.SystemAction',
      'zion.OnSubmited',
      'zion.FormElementPosted',
      'zionPostMethod',
      'zionRichValidator',
      'tCCE',
      'tCNPJ',
      'tCPF',
      'btCGC',
    ],
    nobody: /nenhum contribuinte/,
    invalid: /CNPJ inválido/,
    otherForm: 'answers',
    otherMethod: /^302 default\.asp/,
  },
  {
    portal: 'GO/cnd',
    document: exemplos().desconhecido,
    prepare: async (visit, document) => {
      const path = '/Certidao/Emissao/001frmEmiteCertidao_c.asp'
      const form = await visit.open('www.sefaz.go.gov.br', path, latin1)
      return form.ask({
        'Certidao.TipoDocumento': '2',
        'Certidao.NumeroDocumento': document,
        'Certidao.NumeroDocumentoCNPJ': document,
        Emitir: 'Emitir',
      })
    },
    answers: /%PDF-/,
    stranger: /expirada/,
    again: 'answers',
    missing: /inválido: Certidao\./,
    free: ['Certidao.NumeroDocumentoCPF', 'Emitir'],
    nobody: 'answers',
    invalid: /CNPJ inválido/,
    otherForm: /inválido: Certidao\.NumeroDocumento/,
    otherMethod: /^404/,
  },
  {
    portal: 'MT/ie',
    prepare: async (visit, document) => {
      const path = '/cadastro/emissaocartao/emissaocartaocontribuinteacessodireto'
      const form = await visit.open('www.sefaz.mt.gov.br', path, latin1)
      const asked = { numrDoct: document, captchaDigitado: await form.picture('#imagemCaptcha') }
      return { ...form.ask({ ...asked, pagn: 'Pesquisar', ajaxRequest: '1', vU: '1' }), as: 'query' }
    },
    answers: /FormularioListaEnviar/,
    stranger: /expirou/,
    again: /Código de caracteres inválido!/,
    missing: /não informado: /,
    leftOut: { captchaDigitado: /Código de caracteres inválido!/ },
    captcha: /Código de caracteres inválido!/,
    nobody: /Nenhum registro encontrado/,
    invalid: /CNPJ inválido/,
    otherForm: /não informado: numrDoct/,
    otherMethod: /name="captchaDigitado"/,
  },
  {
    portal: 'MT/cnd',
    prepare: async (visit, document) => {
      const path = '/cnd/certidao/servlet/ServletRotdAberto'
      const form = await visit.open('www.sefaz.mt.gov.br', `${path}?origem=60`, latin1)
      const number = { numeroDocumento: document, numrDoctFinal: document }
      const token = await form.token('turnstile')
      return form.ask({ ...number, botaoSubmit: '     OK     ', 'cf-turnstile-response': token })
    },
    answers: /REQUERIMENTO|Existe certidão vigente/,
    stranger: /expirou/,
    again: /segurança inválida/,
    missing: /documento informado está incorreto/,
    captcha: /segurança inválida/,
    nobody: 'answers',
    invalid: /CNPJ inválido/,
    otherForm: /documento informado está incorreto/,
    otherMethod: /expirou/,
  },
  {
    portal: 'PA/cnd',
    document: exemplos().semInscricao,
    prepare: async (visit, document) => {
      const form = await visit.open('app.sefa.pa.gov.br', '/emissao-certidao/template.action')
      return form.ask({ tipo: '2', identificacao: document })
    },
    answers: /Visualizar Certidão/,
    stranger: /expirou/,
    again: 'answers',
    missing: /Informe o tipo e a identificação/,
    nobody: 'answers',
    invalid: /CNPJ inválido/,
    otherForm: /Informe o tipo e a identificação/,
    otherMethod: /^404/,
  },
  {
    portal: 'PB/ie',
    prepare: async (visit, document) => {
      const form = await visit.open('www4.sefaz.pb.gov.br', '/sintegra/SINf_ConsultaSintegra.jsp', latin1)
      const token = await form.token('recaptcha-v2')
      return form.ask({ nrDocumento: document, 'g-recaptcha-response': token })
    },
    answers: /Regime de Pagamento:/,
    stranger: 'answers',
    again: /Captcha inválido/,
    missing: /Informe o documento/,
    leftOut: { 'g-recaptcha-response': /Captcha inválido/ },
    free: ['tipoDoc'],
    captcha: /Captcha inválido/,
    nobody: /^404[\s\S]*Contribuinte não localizado/,
    invalid: /CNPJ inválido/,
    otherForm: /Informe o documento/,
    otherMethod: /^404[\s\S]*was not found on this server/,
  },
  {
    portal: 'PR/ie',
    prepare: async (visit, document) => {
      const form = await visit.open('www.sintegra.fazenda.pr.gov.br', '/sintegra/', latin1)
      const data = (name: string) => `data[Sintegra1][${name}]`
      const asked = { [data('Cnpj')]: document, [data('CodImage')]: await form.picture() }
      return form.ask({ ...asked, empresa: 'Consultar Empresa' })
    },
    masked: true,
    answers: /ATIVO - DESDE/,
    stranger: /^302 \/sintegra\/sintegra1\/erro\/empresa\/sessao\//,
    again: /^302 \/sintegra\/sintegra1\/erro\/empresa\/image\//,
    missing: /^302 \/sintegra\/sintegra1\/erro\/empresa\/sessao\//,
    captcha: /^302 \/sintegra\/sintegra1\/erro\/empresa\/image\//,
    nobody: /^302 \S*\/erro\/empresa\/consulta\/\w{14}\+-\+CNPJ\+N%E3o\+Cadastrado\+no\+Cad\.icms\+Pr/,
    invalid: /^302 \S*\/erro\/empresa\/consulta\/\w{14}\+-\+Inscri%E7%E3o\+CNPJ\+Inv%E1lida/,
    otherForm: /^302 \S*\/erro\/empresa\/consulta\/\w{14}\+-\+Inscri%E7%E3o\+CNPJ\+Inv%E1lida/,
    otherMethod: /Sintegra1Form/,
  },
  {
    portal: 'RO/ie',
    prepare: async (visit, document) => {
      const form = await visit.open(
        'portalcontribuinte.sefin.ro.gov.br',
        '/Publico/parametropublica.jsp',
        latin1,
      )
      return form.ask({ TipoDevedor: '3', NuDevedor: document, B1: 'Consultar Cadastro' })
    },
    answers: /Utilização do Estabelecimento:/,
    stranger: /expirou/,
    again: 'answers',
    leftOut: { TipoDevedor: /Informe o tipo/, NuDevedor: /CNPJ inválido/, B1: /expirou/ },
    nobody: /Nenhum resultado encontrado/,
    invalid: /CNPJ inválido/,
    otherForm: /Informe o tipo de documento/,
    otherMethod: /expirou/,
  },
]
