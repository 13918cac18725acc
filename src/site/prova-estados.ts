import type { EntradaCnd } from '../certidao/lookup.ts'
import { dataBrasileira } from '../documento/dia.ts'
import { formatInscricao } from '../documento/inscricao-estadual.ts'
import type { Uf } from '../documento/uf.ts'
import { estadoOf } from '../estados/estado.ts'
import type { Entrada, EntradaIe } from '../inscricao/lookup.ts'
import { countOf } from '../platform/pages/formatos.ts'
import { isOutOfReach } from '../platform/wire/source-status.ts'
import { isAtiva } from '../portal/rules-inscricao.ts'

/** How a state is painted: good and other news, bad news, nothing there, a failure, and never asked. */
type Cor = 'bom' | 'outra' | 'ruim' | 'nada' | 'falhou' | 'fora'

/** What one state answered, in the few words of a card. Unknown texts are empty. */
export type EstadoDaProva = {
  uf: Uf
  cor: Cor
  palavra: string
  numero: string
  nome: string
  detalhe: string
  quem: string
  /** When it answered, ISO 8601 UTC. */
  em: string
}

export const perguntas = ['inscricoes', 'certidoes'] as const

export type PerguntaDaProva = (typeof perguntas)[number]

const vazio = { numero: '', nome: '', detalhe: '' }

/** What a failure is for who asks: one that may pass, or a state that cannot be asked so at all. */
function falhaDe({ uf, source_status }: Entrada): EstadoDaProva | undefined {
  if (source_status.status === 'success') return undefined
  return isOutOfReach(source_status)
    ? { ...vazio, uf, cor: 'fora', palavra: 'Não consultável', quem: '', em: '' }
    : { ...vazio, uf, cor: 'falhou', palavra: 'Falhou agora', quem: '', em: '' }
}

/** Who answered, as `SEFAZ-RS`. */
function quemRespondeu(uf: Uf, fonte: string): string {
  const { ie, cnd } = estadoOf(uf)
  const nome = [...ie, ...cnd].find(({ source }) => source.id === fonte)?.source.nome ?? 'O cadastro nacional'
  return nome.replace(/^[AO] /, '')
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1).toLowerCase()

/** The registrations of a state as one card: one that is in force stands for all. */
export function estadoDaInscricao(entrada: EntradaIe): EstadoDaProva {
  const { uf, results, fonte, consultado_em: em } = entrada
  const falha = falhaDe(entrada)
  if (falha) return falha
  const quem = quemRespondeu(uf, fonte)
  const [uma] = results.toSorted((a, b) => Number(isAtiva(b)) - Number(isAtiva(a)))
  if (!uma) return { ...vazio, uf, cor: 'nada', palavra: 'Sem inscrição', quem, em }
  const mais = results.length - 1
  const partes = [uma.regime_pagamento, uma.tipo_ie].filter((text) => text !== '').slice(0, 1)
  if (mais > 0) partes.push(`mais ${countOf(mais, 'inscrição', 'inscrições')}`)
  return {
    uf,
    cor: isAtiva(uma) ? 'bom' : 'outra',
    palavra: capitalize(uma.situacao_ie || 'Inscrita'),
    numero: formatInscricao(uf, uma.inscricao_estadual),
    nome: uma.razao_social,
    detalhe: partes.map(capitalize).join(', '),
    quem,
    em,
  }
}

const certidoes = {
  negativa: ['bom', 'Negativa'],
  positiva: ['ruim', 'Positiva: há débitos'],
  positiva_com_efeitos_de_negativa: ['outra', 'Positiva, com efeitos de negativa'],
  nao_contribuinte: ['nada', 'Não contribuinte'],
  sem_certidao: ['outra', 'Sem certidão'],
  erro: ['falhou', 'Falhou agora'],
} as const satisfies Record<NonNullable<EntradaCnd['result']>['status'], readonly [Cor, string]>

/** The certificate of a state as one card. */
export function estadoDaCertidao(entrada: EntradaCnd): EstadoDaProva {
  const { uf, result, fonte, consultado_em: em } = entrada
  const falha = falhaDe(entrada)
  if (falha || !result) return falha ?? { ...vazio, uf, cor: 'falhou', palavra: 'Falhou agora', quem: '', em }
  const { status, validade, protocolo } = result
  const [cor, palavra] = certidoes[status]
  const detalhe = validade === '' ? '' : `Válida até ${dataBrasileira(validade)}`
  return { uf, cor, palavra, numero: protocolo, nome: '', detalhe, quem: quemRespondeu(uf, fonte), em }
}

const destaques: Readonly<Record<PerguntaDaProva, readonly Cor[]>> = {
  inscricoes: ['bom', 'outra'],
  certidoes: ['ruim', 'outra', 'bom'],
}

/** The cards that are worth seeing, the most telling first. */
export const achadosDe = (pergunta: PerguntaDaProva, estados: readonly EstadoDaProva[]): EstadoDaProva[] =>
  destaques[pergunta].flatMap((cor) => estados.filter((one) => one.cor === cor))

const palavras: Readonly<Record<PerguntaDaProva, readonly (readonly [Cor, string, string])[]>> = {
  inscricoes: [
    ['bom', 'estado com inscrição ativa', 'estados com inscrição ativa'],
    ['outra', 'com outra situação', 'com outra situação'],
    ['nada', 'sem inscrição', 'sem inscrição'],
    ['falhou', 'falhou agora', 'falharam agora'],
    ['fora', 'não consultável', 'não consultáveis'],
  ],
  certidoes: [
    ['ruim', 'estado com débitos', 'estados com débitos'],
    ['bom', 'negativa', 'negativas'],
    ['outra', 'com pendência', 'com pendências'],
    ['nada', 'onde não é contribuinte', 'onde não é contribuinte'],
    ['falhou', 'falhou agora', 'falharam agora'],
    ['fora', 'não consultável', 'não consultáveis'],
  ],
}

/** `3 estados com inscrição ativa · 22 sem inscrição · 2 não consultáveis`. */
export const resumoDe = (pergunta: PerguntaDaProva, estados: readonly EstadoDaProva[]): string =>
  palavras[pergunta]
    .map(([cor, one, many]) => {
      const quantos = estados.filter((estado) => estado.cor === cor).length
      return quantos === 0 ? '' : countOf(quantos, one, many)
    })
    .filter((text) => text !== '')
    .join(' · ')

/** What it would have cost an account: a credit for each state that answered. */
export const custoDe = (estados: readonly EstadoDaProva[]): number =>
  estados.filter(({ cor }) => cor !== 'falhou' && cor !== 'fora').length
