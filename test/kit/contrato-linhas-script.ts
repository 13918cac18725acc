import type { Row } from './contrato-linha.ts'
import type { Fields, Question, Screen } from './simulator-portal.ts'

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
