import { semMascara } from '../documento/documento.ts'
import type { Uf } from '../documento/uf.ts'
import { cadastro } from '../portal/cadastro.ts'
import { type CertidaoOptions, certidao } from '../portal/certidao.ts'
import type { Estado, Pergunta, RotaCnd, RotaIe } from '../portal/estado.ts'
import { harvest } from '../portal/form.ts'
import { toInscricao } from '../portal/inscricao.ts'
import { isPdf, type Pagina } from '../portal/pagina.ts'
import { type InscricoesOptions, inscricoes, readNone } from '../portal/resultado.ts'
import { type PortalOptions, rota } from '../portal/rota.ts'
import { type Inscricao, situacaoIe } from '../portal/rules-inscricao.ts'
import { type Campos, failUnknown, type Portal } from '../portal/visita.ts'

/** `documentos` has e-Fisco's codes. */
type EfiscoOptions = PortalOptions &
  CertidaoOptions & {
    campoTipo: string
    campoDocumento: string
    /** The events of the process in order, each with the fields that its button sends. */
    eventos: readonly Campos[]
  }

const FORM = 'form[name=frm_principal]'

/** One form at one address tells by `evento` what is asked. A page without it is the answer. */
function efisco(uf: Uf, options: EfiscoOptions): RotaCnd {
  const { url, campoTipo, campoDocumento, eventos, documentos } = options
  const leitor = certidao(options)
  return rota('efisco', uf, { ...options, leitor }, async (portal, pergunta) => {
    const fixed = {
      [campoTipo]: documentos[pergunta.tipo] ?? '',
      [campoDocumento]: pergunta.documento,
      in_formulario_submetido: 'true',
    }
    let pagina = await portal.get(url)
    for (const [at, evento] of eventos.entries()) {
      if (at > 0 && isLast(pagina)) break
      const hidden = harvest(portal, pagina, FORM)
      pagina = await portal.post(url, { ...hidden, ...fixed, ...evento })
    }
    return leitor.read(portal, pergunta, pagina)
  })
}

const isLast = (pagina: Pagina): boolean =>
  isPdf(pagina) || pagina.html()(`${FORM} [name=id_contexto_sessao]`).length === 0

type EfiscoCadastroOptions = PortalOptions &
  InscricoesOptions & {
    /** The process that tells the status, relative to `url`. */
    situacao: string
  }

const FORM_DO_CADASTRO = 'form[name=frm_principal]'

/** The most rows of a page. A full list may go on, but nobody knows the request for its next page. */
const PAGE_ROWS = 20

/** One process lists the registrations, another tells the status of each; neither the address. */
function efiscoCadastro(uf: Uf, options: EfiscoCadastroOptions): RotaIe {
  const { url, documentos, situacao } = options
  return rota(
    'efisco-cadastro',
    uf,
    { ...options, leitor: inscricoes(options) },
    async (portal, pergunta) => {
      const { tipo, documento } = pergunta
      const asked = { codigo: documentos[tipo] ?? '', documento, linhas: PAGE_ROWS }
      const lista = await search(portal, url, await portal.get(url), asked)
      const holders = holdersIn(portal, lista)
      if (holders.length === 0) return readNone(portal, pergunta, lista, options)
      if (holders.length >= PAGE_ROWS)
        throw portal.failure('parse', 'listou mais inscrições do que se sabe ler')
      const target = new URL(situacao, url).href
      const inicio = await portal.get(target)
      const found: Inscricao[] = []
      for (const holder of holders) {
        const { ie, cpf_cnpj, razao_social, nome_fantasia } = holder
        const one = { codigo: documentos.ie ?? '', documento: ie, linhas: 1 }
        const page = await search(portal, target, inicio, one)
        const situacao_cadastral = situacaoIn(portal, pergunta, page, holder)
        const lidos = { inscricao_estadual: ie, cpf_cnpj, razao_social, nome_fantasia, situacao_cadastral }
        found.push(toInscricao(lidos, portal, pergunta))
      }
      return found
    },
  )
}

/** The field of the context stays empty: other processes fill it. */
const search = (
  portal: Portal,
  url: string,
  pagina: Pagina,
  { codigo, documento, linhas }: { codigo: string; documento: string; linhas: number },
): Promise<Pagina> =>
  portal.post(url, {
    ...harvest(portal, pagina, FORM_DO_CADASTRO),
    evento: 'processarFiltroConsulta',
    TpDocumentoIdentificacao: codigo,
    NuDocumentoIdentificacao: documento,
    NmRazaoSocialPessoa: '',
    qt_registros_pagina: String(linhas),
    btt_localizar: 'Localizar (l)',
    id_contexto_sessao: '',
    nao_utilizar_id_contexto_sessao: 'true',
  })

type Holder = { ie: string; cpf_cnpj: string; razao_social: string; nome_fantasia: string }

/** Reads the parts of each row's key. The meaning of the fourth part is unknown. */
function holdersIn(portal: Portal, pagina: Pagina): Holder[] {
  const $ = pagina.html()
  return $('input[name=chave_primaria]')
    .map((_, one) => {
      const [ie = '', cpf_cnpj = '', razao_social = '', , nome_fantasia = ''] = (
        $(one).attr('value') ?? ''
      ).split('[[*]]')
      if (!/^\d{9,14}$/.test(ie) || !/^\w{11,14}$/.test(cpf_cnpj))
        throw portal.failure('parse', 'mudou a chave da linha')
      return { ie, cpf_cnpj, razao_social, nome_fantasia }
    })
    .get()
}

/** The sixth cell of the row in which the number stands right before the holder's document. */
function situacaoIn(portal: Portal, { tipo }: Pergunta, pagina: Pagina, { ie, cpf_cnpj }: Holder): string {
  const $ = pagina.html()
  const rows = $('table#table_tabeladados tr')
    .toArray()
    .map((row) =>
      $(row)
        .children('td')
        .toArray()
        .map((cell) => $(cell).text().trim()),
    )
  const row = rows.find((cells) =>
    cells.some((cell, at) => semMascara(cell) === ie && semMascara(cells[at + 1] ?? '') === cpf_cnpj),
  )
  if (!row) failUnknown(portal, pagina, 'falta a situação da inscrição', tipo)
  const situacao = row.length === 6 ? (row[5] ?? '') : ''
  if (!situacaoIe(situacao)) throw portal.failure('parse', 'mudou as colunas da situação')
  return situacao
}

const lista = { qt_registros_pagina: '20' }

export const estado = {
  uf: 'PE',
  exemplo: '99026700000112',
  ie: [
    cadastro('PE', {
      producao: 'https://nfe.sefaz.pe.gov.br/nfe-service/services/CadConsultaCadastro4',
      homologacao: 'https://nfehomolog.sefaz.pe.gov.br/nfe-service/services/CadConsultaCadastro4',
      certeza: 'verificado',
      origem: 'Portal Nacional da NF-e, lista de web services',
      em: '2026-09-18',
    }),
    efiscoCadastro('PE', {
      segunda: true,
      url: 'https://efisco.sefaz.pe.gov.br/sfi_trb_gcc/PRConsultarExtratoCadastroContribuinteResumido',
      situacao: 'PREmitirDIAC',
      charset: 'windows-1252',
      documentos: { ie: '1', cnpj: '2', cpf: '3' },
      captcha: 'nenhum',
      // Another client of the page makes the same pause.
      paceMs: 1000,
      frases: [{ desfecho: 'nao-encontrado', texto: 'Nenhum registro' }],
      // The words of the pages are unknown.
      espera: {
        marca: '',
        minimo: 20,
        campos: ['inscricao_estadual', 'razao_social', 'situacao_ie', 'cpf_cnpj'],
      },
      certeza: 'verificado',
      origem: 'três códigos abertos de consulta ao e-Fisco, sem navegador',
      em: '2025-04-30',
      nota: 'Conta a inscrição, o nome, o nome fantasia e a situação; o endereço não. De quem tem 20 inscrições ou mais não se sabe pedir a página seguinte.',
    }),
  ],
  cnd: [
    efisco('PE', {
      url: 'https://efisco.sefaz.pe.gov.br/sfi_trb_gcc/PREmitirCertidaoRegularidadeFiscalMovel',
      charset: 'windows-1252',
      campoTipo: 'TpDocumentoIdentificacaoCertidaoRegularidade',
      campoDocumento: 'NuDocumentoIdentificacaoCertidaoRegularidade',
      documentos: { cnpj: '2', cpf: '3' },
      eventos: [
        { ...lista, evento: 'processarFiltroConsulta', btt_localizar: 'Localizar (l)' },
        { ...lista, evento: 'exibirConfirmacaoRegularidadeFiscal' },
        { evento: 'exibirDocumento', parametro_metodo_botao: 'in_content_type_app_octetstream' },
      ],
      captcha: 'nenhum',
      layout: {
        // Seen on e-Fisco's certificates of debts (2023-05-27).
        forma: /\d{4}\.\d{12}-\d{2}/,
      },
      abrange: { debitos: 'desconhecido', origem: '' },
      naoContribuinte: 'ie',
      espera: {
        marca: 'regularidade fiscal',
        minimo: 200,
        // e-Fisco gives its certificate of debts the same look and end (2023-05-27).
        titulo:
          /CERTIDAO DE (?:IR)?REGULARIDADE FISCAL|CERTIDAO (?:NEGATIVA|POSITIVA|NARRATIVA)[^.:;]{0,20}DE DEBITOS FISCAIS/,
        partes: ['protocolo', 'emissao', 'validade'],
      },
      certeza: 'verificado',
      origem: 'código aberto de emissão, com testes',
      em: '2026-09',
      nota: 'Três impressões de 2025-05 a 2026-02 trazem o título PREmitirCertidaoRegularidadeFiscal, sem Movel. Verificada por CPF; o código do CNPJ é o de duas outras páginas do e-Fisco. Quem não tem registro recebe a certidão mesmo assim.',
    }),
  ],
} satisfies Estado
