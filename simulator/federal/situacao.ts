import { mix } from '../documento/aleatorio.ts'
import { dvCnpj } from '../documento/dados-abertos-documento.ts'
import { sementeDe } from '../documento/documento.ts'
import { findComportamento, OUTRO_DOCUMENTO } from '../mundo/comportamento.ts'
import { exemplos } from '../mundo/exemplo.ts'
import { acharCadastro } from './cadastro.ts'
import { findCenarioFederal } from './cenarios.ts'
import type { Anterior, Demora, Desfecho } from './certidao.ts'
import { efeitoFederal } from './efeito.ts'
import type { Papel } from './papel-papel.ts'

/** How a company stands before the federal tax office, whichever way it asks. */
export type Situacao = {
  /** The CNPJ of its head office; that of the question where nobody knows it. */
  matriz: string
  nome: string
  desfecho: Desfecho
  anterior: Anterior
  demora: Demora
  papel: Papel
}

/**
 * The situation behind a CNPJ: of one in eight the information is insufficient, one in ten has debts without
 * effect. The unfit get no certificate; what is void is not registered.
 */
export function situacaoDe(cnpj: string): Situacao {
  const outro = efeitoFederal(cnpj, 'contrato')?.tipo === 'outro'
  const matriz = matrizDe(outro ? OUTRO_DOCUMENTO : cnpj)
  const cadastro = acharCadastro(matriz)
  const sorte = sementeDe(`certidão ${matriz}`)
  const natureza = cadastro?.empresa[2] ?? ''
  const lote = (['nenhuma', 'valida', 'vencendo'] as const)[mix(sorte, 1) % 3] ?? 'nenhuma'
  const usual = { demora: { vezes: mix(sorte, 2) % 3 === 0 ? 1 : 0 }, papel: papelDe(natureza) }
  const semPressa = reservado(matriz) ? ({ anterior: 'nenhuma', demora: { vezes: 0 } } as const) : {}
  const { desfecho = sortear(matriz, cadastro?.estabelecimento[5], sorte), ...resto }: Excecoes = {
    ...usual,
    ...semPressa,
    ...imposto(matriz),
    ...findCenarioFederal(matriz),
  }
  const { anterior = emite(desfecho) ? lote : 'nenhuma', demora = usual.demora, papel = usual.papel } = resto
  return { matriz, nome: cadastro?.empresa[1] ?? '', desfecho, anterior, demora, papel }
}

type Excecoes = Partial<Pick<Situacao, 'desfecho' | 'anterior' | 'demora' | 'papel'>>

const emite = (desfecho: Desfecho): boolean => desfecho === 'negativa' || desfecho === 'efeitos'

/** Public bodies are the legal natures that begin with 1. */
const papelDe = (natureza: string): Papel => (natureza.startsWith('1') ? 'raiz' : 'certo')

/** The head office of an establishment: by the registry, else order number 0001 of its root. */
function matrizDe(cnpj: string): string {
  if (acharCadastro(cnpj)?.estabelecimento[3] === '1' || findCenarioFederal(cnpj)) return cnpj
  const doze = `${cnpj.slice(0, 8)}0001`
  return doze + dvCnpj(doze)
}

const reservado = (cnpj: string): boolean =>
  findCenarioFederal(cnpj) !== undefined || findComportamento(cnpj) !== undefined

/** What a misbehaving document says of certificates in every state, it says here. */
function imposto(cnpj: string): { desfecho?: Desfecho; papel?: Papel } {
  const efeito = efeitoFederal(cnpj, 'contrato')
  if (efeito?.tipo === 'papel') return { desfecho: 'negativa', papel: efeito.papel }
  if (efeito?.tipo === 'certidao') return { desfecho: DOS_ESTADOS[efeito.desfecho] }
  return reservado(cnpj) ? { desfecho: 'negativa' } : {}
}

const DOS_ESTADOS = {
  positiva: 'insuficiente',
  irregular: 'inapta',
  efeitos: 'efeitos',
  'nao-inscrito': 'nao-inscrito',
} as const

function sortear(matriz: string, situacaoNoCnpj: string | undefined, sorte: number): Desfecho {
  const codigo = Number(situacaoNoCnpj)
  if (situacaoNoCnpj === undefined || codigo === 1) return 'nao-inscrito'
  if (codigo === 4) return 'inapta'
  if ([...exemplos().umaInscricao.values()].includes(matriz)) return 'negativa'
  const dado = mix(sorte, 3) % 40
  return dado < 5 ? 'insuficiente' : dado < 9 ? 'efeitos' : 'negativa'
}
