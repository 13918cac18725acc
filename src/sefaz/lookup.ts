import { type Uf, ufs } from '../documento/uf.ts'
import { enumerar } from '../platform/texto.ts'
import { formatInstante } from '../platform/wire/certificado.ts'
import type { Situacao } from './classificacao.ts'
import type { Doc } from './rules.ts'
import { situacaoDe } from './rules-quadro.ts'
import type { Pausa, Quadro } from './sefaz-rodada.ts'
import type { Sefaz } from './store.ts'

/** How a state stands, as the answer lists it. */
type SituacaoDoEstado = { uf: Uf } & Situacao

/** How the 27 states stand for a document (specification, "GET /api/v1/sefaz/status"). */
export type SituacaoSefaz = {
  doc: Doc
  /** The end of the last round in which a service answered, ISO 8601 UTC. */
  timestamp: string
  /** Who said it: the status services, or the public pages, which tell no time. */
  fonte: Quadro['rodada']['fonte']
  /** What to know besides; usually empty. */
  avisos: readonly string[]
  /** In alphabetical order of the states. */
  states: readonly SituacaoDoEstado[]
}

/** What is needed of the service. */
type Recursos = { store: { sefaz: Pick<Sefaz, 'quadro'> } }

/** The board that may be shown. Undefined while the monitor is down: no round has ended lately. */
export function quadroVigente({ store }: Recursos): Quadro | undefined {
  const quadro = store.sefaz.quadro()
  return quadro?.parado === false ? quadro : undefined
}

const SEM_SERVICO =
  'Nenhum serviço respondeu na última rodada: o mais provável é uma falha de rede, de endereço ou de certificado deste serviço, e não das SEFAZ.'
const SEM_ANTERIOR = 'Não há leitura anterior, e nada se sabe delas.'
const SEM_CERTIFICADO =
  'Sem certificado do operador em vigor, a situação vem das páginas públicas das SEFAZ, que não dizem tempo nem nada da NFC-e.'

const avisosDe = (doc: Doc, { rodada: { semRede, fonte }, lida, pausas }: Quadro): string[] => [
  ...(semRede ? [`${SEM_SERVICO} ${lida ? valeDe(lida.fim) : SEM_ANTERIOR}`] : []),
  ...(fonte === 'paginas' ? [SEM_CERTIFICADO] : []),
  ...pausas.filter(({ autorizador }) => autorizador.doc === doc).map(tellPausa),
]

const valeDe = (instant: number): string =>
  `Até que respondam, vale a leitura de ${formatInstante(new Date(instant))}.`

/** Why the last reading of an authorizer stands: we leave it alone. */
function tellPausa({ autorizador: { ufs: states }, isRecusa, ate, lida }: Pausa): string {
  const why = isRecusa
    ? 'a SEFAZ pediu que este serviço pergunte menos (consumo indevido), o que nada diz do atendimento a outros'
    : 'a SEFAZ recusou perguntas deste serviço, e ele lhe pergunta menos'
  const last =
    lida === undefined
      ? 'Não há leitura anterior'
      : `Vale a última leitura, de ${formatInstante(new Date(lida))}`
  return `${enumerar([...states])}: ${why}. ${last}; nova pergunta a partir de ${formatInstante(new Date(ate))}.`
}

/** All 27 states of a board for a document: one without a reading has the class 0, and is not left out. */
export const situacaoSefaz = (doc: Doc, quadro: Quadro): SituacaoSefaz => ({
  doc,
  timestamp: new Date((quadro.lida ?? quadro.rodada).fim).toISOString(),
  fonte: quadro.rodada.fonte,
  avisos: avisosDe(doc, quadro),
  states: ufs.map((uf) => ({ uf, ...situacaoDe(quadro, doc, uf) })),
})

/** A state whose class is another than it was. */
type Mudanca = SituacaoDoEstado & { antes: Situacao['status_code'] }

/** The states whose class differs between two answers of one document. */
export const mudancas = (antes: SituacaoSefaz, agora: SituacaoSefaz): Mudanca[] =>
  agora.states.flatMap((state, at) => {
    const before = antes.states[at]?.status_code ?? 0
    return before === state.status_code ? [] : [{ ...state, antes: before }]
  })
