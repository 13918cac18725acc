import type { Row } from './contrato-linha.ts'

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
