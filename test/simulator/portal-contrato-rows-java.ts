import { exemplos } from '../../simulator/mundo/exemplo.ts'
import type { Fields } from '../kit/simulator-portal.ts'
import type { Row } from './portal-contrato-rows.ts'

const latin1 = { charset: 'iso-8859-1' } as const
const SATE = '/sate/seg/SEGf_AcessarFuncao.jsp?cdFuncao='
const EFISCO = 'efisco.sefaz.pe.gov.br'
const STALE = /Sessão inválida ou expirada/

/** The states' own frameworks. Each of their buttons fills in a hidden field. */
export const java: readonly Row[] = [
  {
    portal: 'AP/ie',
    prepare: async (visit, document) => {
      const host = 'www.sefaz.ap.gov.br'
      const kinds = await visit.open(host, `${SATE}ARR_305`, latin1)
      const kind = kinds.ask({ cmbTpDocumento: '2', hidAcao: 'obterTipoContribuinte' })
      const { text } = await visit.visitor.post(kind.host, kind.path, { ...kind.fields })
      const form = visit.see(host, kind.path, text, latin1)
      const picture = await form.picture()
      const number = { edtNrDocumento: document, edtCaptchaResponse: picture }
      return form.ask({ ...number, hidAcao: 'obterDadosContribuinte' })
    },
    answers: /class="tbContribuinte"/,
    stranger: /sessão expirou/,
    again: /Código da imagem inválido/,
    missing: /sessão expirou/,
    stamps: [['hidHistorico', 'cmbTpDocumento'], /sessão expirou/],
    captcha: /Código da imagem inválido/,
    nobody: /Contribuinte inexistente/,
    invalid: /CNPJ inválido/,
    otherForm: /sessão expirou/,
    otherMethod: /sessão expirou/,
  },
  {
    portal: 'AP/cnd',
    prepare: async (visit, document) => {
      const form = await visit.open('www.sefaz.ap.gov.br', '/sate/dia/DIAf_EmitirCertidaoInternet.do', latin1)
      return form.ask({ rdbTpDocumento: '2', edtNrDocumento: document, hidAcao: 'emitirCertidao' })
    },
    answers: /%PDF-/,
    stranger: /sessão expirou/,
    again: 'answers',
    missing: /sessão expirou/,
    stamps: [['hidHistorico'], /sessão expirou/],
    nobody: 'answers',
    invalid: /CNPJ inválido/,
    otherForm: /sessão expirou/,
    otherMethod: /name="rdbTpDocumento"/,
  },
  {
    portal: 'MG/cnd',
    prepare: async (visit, document) => {
      const form = await visit.open(
        'www2.fazenda.mg.gov.br',
        '/sol/ctrl/SOL/CDT/SERVICO_829?ACAO=INICIAR',
        latin1,
      )
      return form.ask({ cmbTipoIdentificacao: '1', txtIdentificacao: document, ACAO: 'CONFIRMAR' })
    },
    masked: true,
    answers: /onclick="emitir\(\);"/,
    stranger: /Sessão expirada/,
    again: /Sessão expirada/,
    missing: /Sessão expirada/,
    leftOut: { cmbTipoIdentificacao: /Identificação inválida/, txtIdentificacao: /Identificação inválida/ },
    stamps: [['unifwScrollTop', 'unifwScrollLeft'], /Sessão expirada/],
    nobody: /Clique aqui para informar endereço/,
    invalid: /CNPJ inválido/,
    otherForm: /Identificação inválida/,
    otherMethod: /^404/,
  },
  {
    portal: 'PB/cnd',
    prepare: async (visit, document) => {
      const form = await visit.open('www4.sefaz.pb.gov.br', '/atf/dia/DIAf_EmitirCertidaoDebito.do', latin1)
      return form.ask({ edtNrDocumento: document, hidAcao: 'emitirCertidao' })
    },
    answers: /%PDF-/,
    stranger: /sessão expirou/,
    again: 'answers',
    missing: /sessão expirou/,
    stamps: [['hidHistorico'], /sessão expirou/],
    nobody: 'answers',
    invalid: /CNPJ inválido/,
    otherForm: /sessão expirou/,
    otherMethod: /id="tbCertidao"/,
  },
  {
    portal: 'PE/ie',
    prepare: async (visit, document) => {
      const path = '/sfi_trb_gcc/PRConsultarExtratoCadastroContribuinteResumido'
      const form = await visit.open(EFISCO, path, latin1)
      return form.ask({
        evento: 'processarFiltroConsulta',
        NuDocumentoIdentificacao: document,
        qt_registros_pagina: '20',
        btt_localizar: 'Localizar (l)',
        nao_utilizar_id_contexto_sessao: 'true',
      })
    },
    answers: /name="chave_primaria"/,
    stranger: STALE,
    again: 'answers',
    missing: /preenchimento obrigatório/,
    leftOut: { id_sessao: STALE },
    stamps: [['id_sessao'], STALE],
    nobody: /Nenhum registro encontrado/,
    invalid: /CNPJ inválido/,
    otherForm: /preenchimento obrigatório/,
    otherMethod: /name="btt_localizar"/,
  },
  {
    portal: 'PE/cnd',
    prepare: async (visit, document) => {
      const form = await visit.open(EFISCO, '/sfi_trb_gcc/PREmitirCertidaoRegularidadeFiscalMovel', latin1)
      const asked = { NuDocumentoIdentificacaoCertidaoRegularidade: document }
      return form.ask({ ...asked, evento: 'processarFiltroConsulta' })
    },
    answers: /name="btt_emitir"/,
    stranger: STALE,
    again: STALE,
    leftOut: {
      evento: STALE,
      id_sessao: STALE,
      id_contexto_sessao: STALE,
      NuDocumentoIdentificacaoCertidaoRegularidade: /preenchimento obrigatório/,
    },
    free: [
      'in_formulario_submetido',
      'parametro_metodo_botao',
      'TpDocumentoIdentificacaoCertidaoRegularidade',
    ],
    stamps: [['id_sessao', 'id_contexto_sessao'], STALE],
    nobody: 'answers',
    invalid: /CNPJ inválido/,
    otherForm: /preenchimento obrigatório/,
    otherMethod: /name="btt_localizar"/,
  },
  {
    portal: 'SE/ie',
    prepare: async (visit, document) => {
      const form = await visit.open('security.sefaz.se.gov.br', '/SIC/sintegra/index.jsp', latin1)
      return form.ask({ cdCnpj: document, dsImagem: (await form.picture()).toLowerCase() })
    },
    answers: /Emitente de NFe desde:/,
    stranger: /expirou/,
    again: /expirou/,
    missing: /expirou/,
    stamps: [['AppName', 'TransId', 'cdImagem'], /expirou/],
    captcha: /Código da imagem inválido/,
    nobody: /Nenhum resultado encontrado/,
    invalid: /CNPJ inválido/,
    otherForm: /expirou/,
    otherMethod: /^404/,
  },
  {
    portal: 'SE/cnd',
    prepare: async (visit, document) => {
      const path = '/internet/publico/process.jsp?AppName=SIC&TransId=T24070'
      const form = await visit.open('security.sefaz.se.gov.br', path, latin1)
      return form.ask({ tpPessoa: 'J', nrDocumento: document, okButton: '  Ok  ' })
    },
    answers: /location\.href='process\.jsp\?AppName=SIC/,
    stranger: /expirou/,
    again: 'answers',
    missing: /Preencha os campos obrigatórios/,
    stamps: [['AppName', 'TransId'], /Preencha os campos obrigatórios/],
    nobody: 'answers',
    invalid: /CNPJ inválido/,
    otherForm: 'answers',
    otherMethod: /name="nrDocumento"/,
  },
]

const VIEW = 'javax.faces.ViewState'
const EXPIRED = /Sessão expirada/
const partial = { 'faces-request': 'partial/ajax' }
const prime = { ...partial, 'x-requested-with': 'XMLHttpRequest' }

/** The ViewState of an AJAX answer: an update, or an element. */
function viewIn(text: string): Fields {
  const [, update] = /ViewState"><!\[CDATA\[([^\]]+)/.exec(text) ?? []
  const [, element = ''] = /name="javax\.faces\.ViewState" value="([^"]+)"/.exec(text) ?? []
  return { [VIEW]: update ?? element }
}

/** The fields that the script of RichFaces 3 sends besides the form. */
function ajaxOf(text: string): Fields {
  const id = /'parameters':\{'([^']+)'/.exec(text)?.[1] ?? ''
  return { AJAXREQUEST: '_viewRoot', [id]: id }
}

/** The fields that the script of a PrimeFaces button sends besides the form. */
function clickOf(onclick: string): Fields {
  const [, id = '', targets = ''] = /s:"([^"]+)",u:"([^"]+)"/.exec(onclick.replaceAll('&#34;', '"')) ?? []
  return {
    'javax.faces.partial.ajax': 'true',
    'javax.faces.source': id,
    'javax.faces.partial.execute': '@all',
    'javax.faces.partial.render': targets,
    [id]: id,
  }
}

/** The fields that the script of a JSF field or button sends on an event. */
function eventOf(id: string, event: string, render: string, behaviour: string): Fields {
  return {
    'javax.faces.source': id,
    'javax.faces.partial.event': event,
    'javax.faces.behavior.event': behaviour,
    'javax.faces.partial.execute': id,
    'javax.faces.partial.render': render,
    'javax.faces.partial.ajax': 'true',
  }
}

const FORM_RJ = 'consultaCertidao'
const TIPO_RJ = `${FORM_RJ}:pessoaFisicaJuridica`

/**
 * JSF and its component libraries: the ViewState of the step before, and the changes that AJAX made since.
 */
export const jsf: readonly Row[] = [
  {
    portal: 'MA/ie',
    prepare: async (visit, document) => {
      const host = 'sistemas1.sefaz.ma.gov.br'
      const path = '/sintegra/jsp/consultaSintegra/consultaSintegraFiltro.jsf'
      const form = await visit.open(host, path, latin1)
      const chosen = form.ask({ 'form1:tipoEmissao': '2', 'AJAX:EVENTS_COUNT': '1', ...ajaxOf(form.text) })
      const { text } = await visit.visitor.post(host, path, { ...chosen.fields }, latin1)
      const button = /type="submit" name="([^"]+)" value="Consulta"/.exec(form.text)?.[1] ?? ''
      const { 'form1:inscricaoEstadual': _, ...fields } = form.ask({
        'form1:tipoEmissao': '2',
        'form1:cpfCnpj': document,
        'g-recaptcha-response': await form.token('recaptcha-v2'),
        [button]: 'Consulta',
        ...viewIn(text),
      }).fields
      return { host, path, fields, sent: latin1 }
    },
    answers: /^302 \S*consultaSintegraResultadoListaConsulta\.jsf/,
    stranger: EXPIRED,
    again: EXPIRED,
    missing: /Preencha os campos obrigatórios/,
    leftOut: { [VIEW]: EXPIRED, 'g-recaptcha-response': /Captcha inválido/ },
    stamps: [[VIEW], EXPIRED],
    captcha: /Captcha inválido/,
    nobody: /Nenhum resultado encontrado/,
    invalid: /CNPJ inválido/,
    otherForm: 'answers',
    otherMethod: /id="form1:painel"/,
  },
  {
    portal: 'MA/cnd',
    document: exemplos().semInscricao,
    prepare: async (visit, document) => {
      const host = 'sistemas1.sefaz.ma.gov.br'
      const path = '/certidoes/jsp/emissaoCertidaoNegativa/emissaoCertidaoNegativa.jsf'
      const form = await visit.open(host, path, latin1)
      const captcha = /name="([^"]+)" maxlength="4"/.exec(form.text)?.[1] ?? ''
      const picture = await form.picture('img[src*="Paint2DResource"]')
      const asked = { 'form1:tipoEmissao': '2', 'form1:cpfCnpj': document, [captcha]: picture }
      return form.ask({ ...asked, ...ajaxOf(form.text) })
    },
    answers: /if\(true\)/,
    stranger: EXPIRED,
    again: EXPIRED,
    missing: /Preencha os campos obrigatórios/,
    leftOut: {
      [VIEW]: EXPIRED,
      // Without this field the form asks for the paper, for which nothing was validated.
      AJAXREQUEST: /^302 \/certidoes\/jsp\/util\/paginaErro\.jsf/,
    },
    free: ['form1:inscricaoEstadual'],
    stamps: [[VIEW], EXPIRED],
    captcha: /Código da imagem inválido/,
    nobody: 'answers',
    invalid: /CNPJ inválido/,
    otherForm: 'answers',
    otherMethod: /id="form1:imagem"/,
  },
  {
    portal: 'PI/ie',
    prepare: async (visit, cnpj) => {
      const form = await visit.open('webas.sefaz.pi.gov.br', '/SintegraConsultaPublica/')
      const button = /<button id="([^"]+)"/.exec(form.text)?.[1] ?? ''
      return form.ask({ cnpj, captcha: await form.picture(), [button]: '' })
    },
    answers: /Motivo da Situação:/,
    stranger: EXPIRED,
    again: EXPIRED,
    missing: /Informe o CNPJ ou a Inscrição Estadual/,
    leftOut: { [VIEW]: EXPIRED },
    stamps: [[VIEW], EXPIRED],
    captcha: /não confere com a Imagem/,
    nobody: /Nenhum resultado encontrado/,
    invalid: /CNPJ inválido/,
    otherForm: 'answers',
    otherMethod: /id="formConsulta"/,
  },
  {
    portal: 'PI/cnd',
    prepare: async (visit, document) => {
      const [host, path] = ['webas.sefaz.pi.gov.br', '/certidaonft-web/index.xhtml']
      const page = await visit.open(host, path)
      const onclick = /id="mainMenuForm:item2consultar"[^>]*onclick="([^"]+)"/.exec(page.text)?.[1] ?? ''
      const entry = page.ask(clickOf(onclick))
      const opened = await visit.visitor.post(host, path, { ...entry.fields }, { headers: prime })
      const tab = visit.see(host, path, /<!\[CDATA\[([\s\S]*?)\]\]>/.exec(opened.text)?.[1] ?? '')
      const number = /name="([^"]+contribuinteCpfCnpjId)"/.exec(tab.text)?.[1] ?? ''
      const pressed = /<button [^>]*onclick="([^"]+)"/.exec(tab.text)?.[1] ?? ''
      const asked = tab.ask({ [number]: document, ...clickOf(pressed), ...viewIn(opened.text) })
      return { ...asked, sent: { headers: prime } }
    },
    answers: /resultsDataTable_data/,
    stranger: EXPIRED,
    again: EXPIRED,
    missing: EXPIRED,
    leftOut: {
      'javax.faces.partial.ajax': /id="mainMenuForm:mainMenuBar"/,
      'tabView:tabContent_tabItem0:certidaoSituacaoTv:formConsultar:contribuinteCpfCnpjId':
        /campo obrigatório/,
    },
    free: ['tabView:tabContent_tabItem0:certidaoSituacaoTv:formConsultar:tipoPessoa_input'],
    stamps: [[VIEW], EXPIRED],
    nobody: 'answers',
    invalid: /CNPJ inválido/,
    otherForm: 'answers',
    otherMethod: /id="mainMenuForm:mainMenuBar"/,
  },
  {
    portal: 'RJ/ie',
    prepare: async (visit, document) => {
      const [host, path] = ['sucief-sincad-web.fazenda.rj.gov.br', '/sincad-web/index.jsf']
      const id = 'formulario:txtCNPJ'
      const form = await visit.open(host, path)
      const component = { 'org.richfaces.ajax.component': id, 'AJAX:EVENTS_COUNT': '1' }
      const change = { ...eventOf(id, 'change', '@component', 'valueChange'), ...component }
      const changed = form.ask({ [id]: document, ...change })
      const { text } = await visit.visitor.post(host, path, { ...changed.fields }, { headers: partial })
      const picture = { 'formulario:cap': await form.picture() }
      const button = { 'formulario:btnPesquisar': 'formulario:btnPesquisar' }
      return form.ask({ [id]: document, ...picture, ...button, ...viewIn(text) })
    },
    masked: true,
    answers: /id="formulario:tabelaIE:0"/,
    stranger: EXPIRED,
    again: EXPIRED,
    missing: /Informe o CNPJ, o CPF ou a Inscrição Estadual/,
    leftOut: { [VIEW]: EXPIRED },
    free: ['formulario:txtCPF', 'formulario:txtInsEst'],
    stamps: [[VIEW], EXPIRED],
    captcha: /Código da imagem inválido/,
    nobody: /Nenhum resultado encontrado/,
    invalid: /CNPJ inválido/,
    otherForm: /CNPJ em formato incorreto/,
    otherMethod: /id="formulario:imgCaptcha"/,
  },
  {
    portal: 'RJ/cnd',
    prepare: async (visit, document) => {
      const [host, path] = ['www4.fazenda.rj.gov.br', '/certidao-fiscal-web/emitirCertidao.jsf']
      const form = await visit.open(host, path)
      const click = eventOf(`${TIPO_RJ}:1`, 'click', `${FORM_RJ}:painel`, 'click')
      const chosen = form.ask({ [TIPO_RJ]: 'J', ...click })
      const { text } = await visit.visitor.post(host, path, { ...chosen.fields }, { headers: partial })
      const button = { [`${FORM_RJ}:j_idt21`]: 'Enviar' }
      return form.ask({ [TIPO_RJ]: 'J', [`${FORM_RJ}:cpfCnpj`]: document, ...button, ...viewIn(text) })
    },
    masked: true,
    answers: /%PDF-/,
    stranger: EXPIRED,
    again: EXPIRED,
    missing: /Informe o tipo e o número/,
    leftOut: { [VIEW]: EXPIRED, [`${FORM_RJ}:cpfCnpj`]: /CNPJ inválido/ },
    stamps: [[VIEW], EXPIRED],
    nobody: 'answers',
    invalid: /CNPJ inválido/,
    otherForm: /CNPJ inválido/,
    otherMethod: /id="consultaCertidao:painel"/,
  },
]
