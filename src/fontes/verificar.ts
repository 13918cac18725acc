import type { Documento } from '../documento/documento.ts'
import type { Uf } from '../documento/uf.ts'
import type { Estado, PerguntaCnd, Rota, RotaCnd } from '../portal/estado.ts'
import { askRotas, type Consulta } from '../portal/rotas.ts'
import type { Certidao } from '../portal/rules-certidao.ts'
import type { Inscricao } from '../portal/rules-inscricao.ts'
import type { Servico } from './nacionais.ts'
import { resultadoOf, type VerificacaoDeFonte } from './verificacao.ts'

/** The options of a verification. */
export type Prova = {
  servicos: readonly Servico[]
  /** Replaces each state's example. */
  documento: Documento | undefined
  /** Whether the simulator is asked. It has to know its own examples. */
  simulado: boolean
  consulta: (uf: Uf, servico: Servico) => Consulta
  /** The unknown labels in the last answer of a source (its id). */
  rotulosDe: (fonte: string) => readonly string[]
}

/** A route's answer in Portuguese, and whether it is right for the simulator's example. */
type Resposta = { detalhe: string; exemplar: boolean }

type Passo = {
  place: Pick<VerificacaoDeFonte, 'uf' | 'servico' | 'ordem'>
  rota: Rota
  documento: Documento
  ask: (documento: Documento) => Promise<Resposta>
}

/** Asks each route of a state, one after another, and tells how it did. */
export async function verifyEstado(estado: Estado, prova: Prova): Promise<VerificacaoDeFonte[]> {
  const { uf, exemplo, ie, cnd } = estado
  const documento = prova.documento ?? { tipo: 'cnpj' as const, documento: exemplo }
  const mustKnow = prova.simulado && prova.documento === undefined
  const consulta = prova.consulta(uf, 'ie')
  const found: Inscricao[][] = []
  const verificacoes: VerificacaoDeFonte[] = []
  for (const [index, rota] of prova.servicos.includes('ie') ? ie.entries() : []) {
    const ask = async (about: Documento): Promise<Resposta> => {
      const { resposta: inscricoes } = await askRotas([rota], about, consulta)
      found.push(inscricoes)
      return describeInscricoes(inscricoes)
    }
    const place = { uf, servico: 'ie' as const, ordem: index + 1 }
    verificacoes.push(await verifyRota({ place, rota, documento, ask }, mustKnow, prova.rotulosDe))
  }
  if (!prova.servicos.includes('cnd')) return verificacoes
  const certify = async (rota: RotaCnd, about: Documento): Promise<Resposta> => {
    // A certificate is asked for with the registrations, if they can be had.
    const inscricoes = found[0] ?? (await askRotas(ie, about, consulta).catch(() => undefined))?.resposta
    const pergunta: PerguntaCnd = { ...about, inscricoes }
    return describeCertidao((await askRotas([rota], pergunta, prova.consulta(uf, 'cnd'))).resposta)
  }
  for (const [index, rota] of cnd.entries()) {
    const place = { uf, servico: 'cnd' as const, ordem: index + 1 }
    const ask = (about: Documento): Promise<Resposta> => certify(rota, about)
    verificacoes.push(await verifyRota({ place, rota, documento, ask }, mustKnow, prova.rotulosDe))
  }
  return verificacoes
}

async function verifyRota(
  { place, rota, documento, ask }: Passo,
  mustKnow: boolean,
  rotulosDe: Prova['rotulosDe'],
): Promise<VerificacaoDeFonte> {
  const identity = { ...place, fonte: rota.source.id, rota: rota.familia }
  const started = performance.now()
  const outcome = await ask(documento).then(
    ({ detalhe, exemplar }) =>
      mustKnow && !exemplar
        ? { resultado: 'resposta-inesperada' as const, detalhe: `do exemplo: ${detalhe}` }
        : { resultado: 'respondeu' as const, detalhe },
    (error) => resultadoOf(error, mustKnow),
  )
  const ms = outcome.resultado === 'nao-consultada' ? null : Math.round(performance.now() - started)
  return { ...identity, ...outcome, rotulos_novos: rotulosDe(rota.source.id), ms }
}

function describeInscricoes({ length }: readonly Inscricao[]): Resposta {
  const detalhe = length === 0 ? 'nenhuma inscrição' : length === 1 ? '1 inscrição' : `${length} inscrições`
  return { detalhe, exemplar: length > 0 }
}

const describeCertidao = ({ status, status_raw, validade }: Certidao): Resposta => ({
  detalhe: `certidão ${status}${validade && ` até ${validade}`}${status === 'negativa' ? '' : `: ${status_raw}`}`,
  exemplar: status === 'negativa',
})
