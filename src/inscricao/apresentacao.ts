import type { Static } from 'typebox'
import { dataBrasileira, oldest } from '../documento/dia.ts'
import { formatDocumento } from '../documento/documento.ts'
import { formatInscricao } from '../documento/inscricao-estadual.ts'
import { isUf, type Uf, unidades } from '../documento/uf.ts'
import {
  type Apresentacao,
  type Apresentar,
  type ApresentarEstado,
  ditos,
  type EstadoApresentado,
  type Fato,
  type Ficha,
  type Tom,
} from '../platform/pages/apresentacao.ts'
import {
  comDatas,
  countOf,
  formatCep,
  formatCnae,
  quando,
  semCaixaAlta,
  semOperador,
  semProtocolo,
} from '../platform/pages/formatos.ts'
import { type Content, html } from '../platform/pages/html.ts'
import { trusted } from '../platform/trusted.ts'
import { isOutOfReach, type SourceStatus } from '../platform/wire/source-status.ts'
import { isAtiva } from '../portal/rules-inscricao.ts'
import type { RespostaConsultar, RespostaConsultarIeTodos } from './api.ts'
import type { InscricaoItem, InscricoesDoEstado } from './schema.ts'

type Inscricao = Static<typeof InscricaoItem>
type Entrada = Static<typeof InscricoesDoEstado>

export const apresentarInscricoes: Apresentar = (corpo) => {
  const { uf, document, document_type, results, fonte, consultado_em, cached } =
    // The endpoint's own schema wrote it.
    trusted<RespostaConsultar>(corpo)
  const { em, nome } = unidades[uf]
  const [first] = results
  const ativas = results.filter(isAtiva).length
  const comum = {
    nome: first?.razao_social ?? '',
    onde: nome,
    ...(consultado_em !== '' && {
      respondido: { quem: quemRespondeu(uf, fonte), em: consultado_em, guardada: cached },
    }),
  }
  if (!first) {
    const isIe = document_type === 'ie'
    return {
      ...comum,
      tom: 'neutro',
      veredito: `Nenhuma inscrição ${isIe ? 'com este número ' : ''}${em} ${uf}`,
      frase: isIe
        ? `A SEFAZ-${uf} não conhece este número. Confira-o, ou consulte pelo CNPJ.`
        : `A SEFAZ-${uf} não tem inscrição estadual deste ${rotulos[document_type]}. Só a tem quem vende mercadoria ou presta serviço de transporte ou de comunicação; se esperava uma, confira o número.`,
      fatos: [fatoDoDocumento(document_type, document, uf)],
      partes: [],
    }
  }
  const isOnly = results.length === 1
  const ditas = { jaDitos: [first.razao_social, formatDocumento(document)] }
  return {
    ...comum,
    tom: ativas > 0 ? 'bom' : 'lento',
    veredito: isOnly ? vereditoDeUma(first) : contarAtivas(results.length, ativas),
    frase: isOnly ? fraseDeUma(first, uf) : fraseDeVarias(results, uf),
    // The day that the sentence says is not told twice.
    fatos: isOnly
      ? fatosDoVeredito(first).filter(({ valor }) => valor !== dataBrasileira(first.data_situacao))
      : [fatoDoDocumento(document_type, document, uf)],
    partes: isOnly
      ? [
          { titulo: 'No cadastro do estado', fatos: fatosDoCadastro(first) },
          { titulo: 'Endereço', fatos: fatosDoLugar(first) },
        ].filter(({ fatos }) => fatos.length > 0)
      : [{ titulo: 'Inscrições', fichas: emOrdem(results).map((one) => fichaDaInscricao(one, uf, ditas)) }],
  }
}

const rotulos = { cpf: 'CPF', cnpj: 'CNPJ', ie: 'Inscrição estadual' } as const

/** What was asked, as people write it. */
export const fatoDoDocumento = (tipo: keyof typeof rotulos, documento: string, uf: Uf | undefined): Fato => ({
  rotulo: rotulos[tipo],
  valor: tipo === 'ie' && uf ? formatInscricao(uf, documento) : formatDocumento(documento),
})

/**
 * Who answered, for a label: a state's treasury, or the national register in its place, the one source whose
 * id begins with BR. To load all states for a name would take a command longer than to ask.
 */
export const quemRespondeu = (uf: Uf, fonte: string): string => (isDoCcc(fonte) ? CCC : `SEFAZ-${uf}`)

const CCC = 'Cadastro nacional (CCC)'

const isDoCcc = (fonte: string): boolean => fonte.startsWith('BR/')

const vereditoDeUma = ({ situacao_ie }: Inscricao): string =>
  situacao_ie === '' ? '1 inscrição' : `Inscrição ${semCaixaAlta(situacao_ie).toLowerCase()}`

function contarAtivas(count: number, ativas: number): string {
  const todas = countOf(count, 'inscrição', 'inscrições')
  if (count === 0) return 'Nenhuma inscrição'
  if (ativas === 0) return count === 1 ? `${todas}, não ativa` : `${todas}, nenhuma ativa`
  if (ativas === count) return count === 1 ? `${todas}, ativa` : `${todas}, todas ativas`
  return `${todas}, ${countOf(ativas, 'ativa', 'ativas')}`
}

function fraseDeUma(inscricao: Inscricao, uf: Uf): Content {
  const { inscricao_estadual, situacao_ie, data_situacao, parcial } = inscricao
  const desde = data_situacao === '' ? '' : ` desde ${dataBrasileira(data_situacao)}`
  const numero = html`<b>${formatInscricao(uf, inscricao_estadual)}</b>`
  const estado = isAtiva(inscricao) ? 'está em vigor' : estar(situacao_ie)
  const risco = isAtiva(inscricao) ? '' : `: ${RISCO}`
  return html`A inscrição ${numero} ${estado}${desde}${risco}.${
    parcial && ' Só o cadastro nacional (CCC) respondeu, com o número, o nome e a situação.'
  }`
}

const RISCO = 'notas dela, ou para ela, podem ser rejeitadas'

/** `está baixada`, `não está habilitada`. */
const estar = (situacao: string): string =>
  situacao === ''
    ? 'não tem situação dita'
    : `está ${situacao.toLowerCase()}`.replace(/^está não /, 'não está ')

function fraseDeVarias(results: readonly Inscricao[], uf: Uf): Content {
  const [first, ...others] = results.filter(isAtiva)
  if (!first) return `Nenhuma está em vigor na SEFAZ-${uf}: ${RISCO}.`
  if (others.length === 0)
    return html`Só a <b>${formatInscricao(uf, first.inscricao_estadual)}</b> está em vigor na SEFAZ-${uf}.`
  return 'Use na nota a inscrição do lugar, ou da atividade, de que ela sai.'
}

/** Those in force come first. */
const emOrdem = (results: readonly Inscricao[]): Inscricao[] =>
  results.toSorted((one, other) => Number(isAtiva(other)) - Number(isAtiva(one)))

const tomDaSituacao = (inscricao: Inscricao): Tom => {
  if (isAtiva(inscricao)) return 'bom'
  return inscricao.situacao_ie === 'BAIXADA' ? 'neutro' : 'lento'
}

type NaFicha = { linha?: Content; jaDitos: readonly string[] }

/** A registration as a card, with all that the state told of it but what stands above already. */
function fichaDaInscricao(inscricao: Inscricao, uf: Uf, { linha, jaDitos }: NaFicha): Ficha {
  const { inscricao_estadual, situacao_ie, razao_social, data_situacao, parcial } = inscricao
  const linhas = [linha, parcial && 'só o que o cadastro nacional (CCC) mostra'].filter(Boolean)
  const fatos = [
    ...ditos([
      { rotulo: 'Nome', valor: razao_social },
      { rotulo: 'Situação desde', valor: dataBrasileira(data_situacao) },
    ]),
    ...fatosDoVeredito(inscricao),
    ...fatosDoCadastro(inscricao),
    ...fatosDoLugar(inscricao),
  ]
  return {
    titulo: formatInscricao(uf, inscricao_estadual) || 'Sem número',
    ...(situacao_ie !== '' && {
      selo: { tom: tomDaSituacao(inscricao), palavra: semCaixaAlta(situacao_ie) },
    }),
    ...(linhas.length > 0 && { linha: linhas.map((one, at) => html`${at > 0 && ' · '}${one}`) }),
    fatos: fatos.filter(({ valor }) => !jaDitos.includes(String(valor))),
  }
}

/** Beside the number, the status and its day, which a sentence or the head of a card says. */
const fatosDoVeredito = (inscricao: Inscricao): readonly Fato[] =>
  ditos([
    {
      rotulo: inscricao.cpf_cnpj.replace(/\W/g, '').length === 11 ? 'CPF' : 'CNPJ',
      valor: inscricao.cpf_cnpj,
    },
    { rotulo: 'Apuração do ICMS', valor: inscricao.regime_apuracao_icms },
    { rotulo: 'Início da atividade', valor: dataBrasileira(inscricao.data_inicio_atividade) },
  ])

const fatosDoCadastro = (inscricao: Inscricao): readonly Fato[] =>
  ditos([
    { rotulo: 'Nome de fantasia', valor: inscricao.nome_fantasia },
    { rotulo: 'Cadastro', valor: semCaixaAlta(inscricao.situacao_cadastral) },
    { rotulo: 'Contribuinte', valor: semCaixaAlta(inscricao.situacao_contribuinte) },
    { rotulo: 'Emissão de NF-e', valor: comDatas(inscricao.situacao_nfe) },
    { rotulo: 'Atividade (CNAE)', valor: atividade(inscricao) },
    { rotulo: 'Tipo', valor: semCaixaAlta(inscricao.tipo_ie) },
    { rotulo: 'Regime de pagamento', valor: inscricao.regime_pagamento },
  ])

function fatosDoLugar(inscricao: Inscricao): readonly Fato[] {
  const { logradouro, numero, complemento, bairro, municipio, cep, uf_ie } = inscricao
  return ditos([
    { rotulo: 'Logradouro', valor: [logradouro, numero, complemento].filter(Boolean).join(', ') },
    { rotulo: 'Bairro', valor: bairro },
    { rotulo: 'Município', valor: municipio === '' ? '' : `${municipio} (${uf_ie})` },
    { rotulo: 'CEP', valor: formatCep(cep) },
  ])
}

const atividade = ({ cnae_codigo, cnae_descricao }: Inscricao): string =>
  [formatCnae(cnae_codigo), cnae_descricao].filter(Boolean).join(' · ')

export const apresentarInscricoesDoEstado: ApresentarEstado = (entrada) =>
  // The endpoint's own schema wrote it.
  estadoDasInscricoes(trusted<Entrada>(entrada), { guardada: false, jaDitos: [] })

function estadoDasInscricoes(
  entrada: Entrada,
  { guardada, jaDitos }: { guardada: boolean; jaDitos: readonly string[] },
): EstadoApresentado {
  const { uf, source_status, results, fonte, consultado_em } = entrada
  const falha = estadoSemResposta(uf, source_status)
  if (falha) return { ...falha, motivo: comCcc(falha.motivo) }
  if (results.length === 0) return { uf, desfecho: 'nada', palavra: 'Sem inscrição', fichas: [], motivo: '' }
  const ativas = results.filter(isAtiva).length
  const linha = linhaDoEstado(uf, { fonte, consultado_em, guardada })
  const [first] = results
  return {
    uf,
    desfecho: ativas > 0 ? 'achado' : 'pendencia',
    palavra:
      results.length === 1 && first ? semCaixaAlta(first.situacao_ie) : contarAtivas(results.length, ativas),
    fichas: emOrdem(results).map((one) => fichaDaInscricao(one, uf, { linha, jaDitos })),
    motivo: '',
  }
}

/** For want of it a CNPJ was looked up in the national register, if that is asked: it had none. */
const comCcc = (motivo: string): string =>
  motivo.replace(/consulta automática(?=\.)/, '$&, e do cadastro nacional (CCC) não veio inscrição')

type Origem = Pick<Entrada, 'fonte' | 'consultado_em'> & { guardada: boolean }

/** SEFAZ-RS, 28/11/2026 às 17:46. */
export const linhaDoEstado = (uf: Uf, { fonte, consultado_em, guardada }: Origem): Content =>
  html`${quemRespondeu(uf, fonte)}, ${quando(new Date(consultado_em))}${guardada && ' (reaproveitada)'}`

/**
 * What is said of a state that gave no answer; undefined of one that did. Out of reach for ever means that
 * the service cannot ask it as it stands: a certificate, a captcha or a known page is missing.
 */
export function estadoSemResposta(uf: Uf, status: SourceStatus): EstadoApresentado | undefined {
  if (status.status === 'success') return undefined
  const { error_message: motivo } = status
  if (isOutOfReach(status))
    return {
      uf,
      desfecho: 'nao_conectado',
      palavra: palavraSemConexao(motivo),
      fichas: [],
      motivo: semProtocolo(motivo),
    }
  const palavra = status.status === 'timeout' ? 'Demorou' : 'Falhou'
  return { uf, desfecho: 'falhou', palavra, fichas: [], motivo: semOperador(motivo) }
}

/** The names of the settings stand in the message that the routes write. */
function palavraSemConexao(motivo: string): string {
  if (motivo.includes('A1_FILE')) return 'Falta o certificado'
  if (motivo.includes('CAPTCHA_')) return 'Falta o captcha'
  if (motivo.includes('não publica como se consulta')) return 'Só no site'
  return motivo.includes('não oferece consulta por') ? 'Não consulta assim' : 'Não consultável'
}

export const apresentarInscricoesTodos: Apresentar = (corpo) => {
  // The endpoint's own schema wrote it.
  const resposta = trusted<RespostaConsultarIeTodos>(corpo)
  const { document, document_type, results, cached_ufs } = resposta
  const guardadas = new Set(cached_ufs)
  const achadas = results.flatMap((entrada) => entrada.results)
  const nome = achadas.find(({ razao_social }) => razao_social !== '')?.razao_social ?? ''
  const jaDitos = [nome, formatDocumento(document)]
  const porEstado = results.map((entrada) =>
    estadoDasInscricoes(entrada, { guardada: guardadas.has(entrada.uf), jaDitos }),
  )
  const ativas = achadas.filter(isAtiva).length
  const respondidas = results.filter(({ source_status }) => source_status.status === 'success')
  const isNenhuma = achadas.length === 0
  return {
    tom: tomComFalhas(isNenhuma ? tomSemAchado(respondidas.length) : ativas > 0 ? 'bom' : 'lento', porEstado),
    veredito:
      respondidas.length === 0
        ? 'Nenhum estado respondeu'
        : `${vereditoDeTodos(achadas)}${ressalvaDe(porEstado)}`,
    nome,
    fatos: [{ rotulo: rotulos[document_type], valor: formatDocumento(document) }],
    partes: [],
    porEstado,
    ...fraseDosEstados(porEstado),
    ...respondidoPor(
      respondidas,
      respondidas.map(({ uf }) => guardadas.has(uf)),
    ),
  }
}

function vereditoDeTodos(achadas: readonly Inscricao[]): string {
  const [first, ...others] = achadas
  if (!first || others.length > 0 || !isUf(first.uf_ie))
    return contarAtivas(achadas.length, achadas.filter(isAtiva).length)
  const { uf_ie, inscricao_estadual, situacao_ie } = first
  const numero = [uf_ie, formatInscricao(uf_ie, inscricao_estadual)].join(' ').trim()
  return `1 inscrição: ${numero}, ${isAtiva(first) ? 'ativa' : semCaixaAlta(situacao_ie).toLowerCase() || 'não ativa'}`
}

/** Nobody answered, or all said that there is nothing. */
export const tomSemAchado = (respondidas: number): Tom => (respondidas === 0 ? 'ruim' : 'neutro')

/** A state that failed may hold what the others do not: with one, nothing is good news. */
export const tomComFalhas = (tom: Tom, porEstado: readonly EstadoApresentado[]): Tom =>
  (tom === 'bom' || tom === 'neutro') && porEstado.some(({ desfecho }) => desfecho === 'falhou')
    ? 'nota'
    : tom

/**
 * ` (26 falharam)`: the verdict is of the other states alone. That some are never asked is told in the
 * sentence, and here only where nothing was found: ` em 25 estados`.
 */
export function ressalvaDe(porEstado: readonly EstadoApresentado[]): string {
  const count = semRespostaEm(porEstado)
  if (count === 0) return ''
  const falhas = porEstado.filter(({ desfecho }) => desfecho === 'falhou').length
  if (falhas > 0) return ` (${countOf(falhas, 'falhou', 'falharam')})`
  return porEstado.some(({ fichas }) => fichas.length > 0)
    ? ''
    : ` em ${countOf(porEstado.length - count, 'estado', 'estados')}`
}

/** How many states gave no answer, for whatever reason. */
export const semRespostaEm = (porEstado: readonly EstadoApresentado[] = []): number =>
  porEstado.filter(({ desfecho }) => desfecho === 'falhou' || desfecho === 'nao_conectado').length

/** Who answered of all states, and when the oldest answer came. `guardadas`: of each, whether it was kept. */
export function respondidoPor(
  respondidas: readonly Pick<Entrada, 'fonte' | 'consultado_em'>[],
  guardadas: readonly boolean[],
): Pick<Apresentacao, 'respondido'> {
  const [first, ...others] = respondidas.map(({ consultado_em }) => consultado_em)
  if (first === undefined) return {}
  const proprias = respondidas.filter(({ fonte }) => !isDoCcc(fonte)).length
  const secretarias = countOf(proprias, 'secretaria', 'secretarias')
  const e = proprias < respondidas.length ? ' e o cadastro nacional (CCC)' : ''
  const todas = proprias === 0 ? CCC : `${secretarias}${e}`
  const velhas = guardadas.filter(Boolean).length
  const guardada = velhas === respondidas.length
  const algumas = guardada || velhas === 0 ? '' : ` (${countOf(velhas, 'reaproveitada', 'reaproveitadas')})`
  return { respondido: { quem: `${todas}${algumas}`, em: oldest(first, ...others), guardada } }
}

/** `24 sem inscrição · 2 falharam agora · 1 não consultável`, and the same without who failed. */
export const fraseDosEstados = (
  porEstado: readonly EstadoApresentado[],
): Pick<Apresentacao, 'frase' | 'contagem'> => ({
  frase: contarEstados(porEstado).join(' · '),
  contagem: { frases: [], contados: contarSemFalhas(porEstado) },
})

export const contarSemFalhas = (porEstado: readonly EstadoApresentado[]): readonly string[] =>
  contarEstados(porEstado.filter(({ desfecho }) => desfecho !== 'falhou'))

/** Only of what there is. */
function contarEstados(porEstado: readonly EstadoApresentado[]): readonly string[] {
  const count = (desfecho: EstadoApresentado['desfecho']): number =>
    porEstado.filter((one) => one.desfecho === desfecho).length
  const said = [
    [count('nada'), 'sem inscrição', 'sem inscrição'],
    [count('falhou'), 'falhou agora', 'falharam agora'],
    [count('nao_conectado'), 'não consultável', 'não consultáveis'],
  ] as const
  return said.filter(([many]) => many > 0).map(([many, one, more]) => countOf(many, one, more))
}
