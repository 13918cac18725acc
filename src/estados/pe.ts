import { semMascara } from '../documento/documento.ts'
import type { Uf } from '../documento/uf.ts'
import { failUnknown } from '../portal/desconhecida.ts'
import type { Pergunta, RotaIe } from '../portal/estado.ts'
import type { Frase } from '../portal/frase.ts'
import { toInscricao } from '../portal/inscricao.ts'
import type { Pagina } from '../portal/pagina.ts'
import type { Portal } from '../portal/portal.ts'
import { harvest } from '../portal/portal-form.ts'
import { readNone } from '../portal/resultado.ts'
import { type PortalOptions, portalIe } from '../portal/rota.ts'
import type { Inscricao } from '../portal/rules-inscricao.ts'
import { situacaoIe } from '../portal/situacao-ie.ts'

/** The options of e-Fisco's register in a state's file. `documentos` has e-Fisco's codes. */
export type EfiscoCadastroOptions = PortalOptions & {
  segunda?: true
  /** The process that tells the status, relative to `url`. */
  situacao: string
  frases: readonly Frase[]
}

const FORM = 'form[name=frm_principal]'

/** The most rows of a page. A full list may go on, but nobody knows the request for its next page. */
const PAGE_ROWS = 20

/**
 * The register of e-Fisco (PE). One process lists the registrations, another tells the status of each;
 * neither tells the address.
 */
export function efiscoCadastro(uf: Uf, options: EfiscoCadastroOptions): RotaIe {
  const { url, documentos, situacao, frases } = options
  return portalIe('efisco-cadastro', uf, options, async (portal, pergunta) => {
    const { tipo, documento } = pergunta
    const asked = { codigo: documentos[tipo] ?? '', documento, linhas: PAGE_ROWS }
    const lista = await search(portal, url, await portal.get(url), asked)
    const holders = holdersIn(portal, lista)
    if (holders.length === 0) return readNone(portal, pergunta, lista, { frases })
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
  })
}

/**
 * Sends the search of a process from its page. The field of the context stays empty: other processes fill it.
 */
const search = (
  portal: Portal,
  url: string,
  pagina: Pagina,
  { codigo, documento, linhas }: { codigo: string; documento: string; linhas: number },
): Promise<Pagina> =>
  portal.post(url, {
    ...harvest(portal, pagina, FORM),
    evento: 'processarFiltroConsulta',
    TpDocumentoIdentificacao: codigo,
    NuDocumentoIdentificacao: documento,
    NmRazaoSocialPessoa: '',
    qt_registros_pagina: String(linhas),
    btt_localizar: 'Localizar (l)',
    id_contexto_sessao: '',
    nao_utilizar_id_contexto_sessao: 'true',
  })

/** The holder of a registration, from the key of a row. */
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

/**
 * Reads the status of a registration: the sixth cell of the row in which the number stands right before the
 * holder's document.
 */
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
