import { type Andamento, autorizacaoOf, isInWindow } from './andamento.ts'
import { type Motivo, proximoPasso } from './manifestacao.ts'
import { type Evento, eventos } from './nfe.ts'
import { fimDoPrazo, formatPrazo } from './prazo.ts'

/** Which event a real call would send next; `mensagem` is Portuguese, for who asked. */
export type Previsao =
  | { evento: null; mensagem: string }
  | {
      evento: Evento
      /** `tpEvento`. */
      codigo: string
      /** With its accents. */
      nome: string
      /** The last second of its window; null where no summary told when the note was authorized. */
      prazo: Date | null
      /** Whether it is surely within the window now; out of it, the authority itself is still asked about the Ciência. */
      noPrazo: boolean
      mensagem: string
    }

const efeitos = {
  ciencia: 'O registro não pode ser desfeito e não impede uma manifestação posterior.',
  confirmacao:
    'Ela declara que a operação ocorreu, não pode ser desfeita e impede o emitente de cancelar a nota.',
} as const satisfies Record<Evento, string>

/** Why no event would follow, where the call would have ended for another reason than the note's own answer. */
const semEvento: Partial<Record<Motivo, string>> = {
  xml: 'o XML já está disponível',
  'sem-manifestar': 'manifestar = false não autoriza eventos',
  'passou-do-prazo': 'o prazo de toda manifestação terminou',
  'evento-nao-suportado': 'o certificado não tem chave RSA, e os eventos só aceitam assinatura RSA-SHA1',
  cancelada: 'nota cancelada ou denegada não recebe evento',
}

/**
 * The event that a real call, come as far as this one, would send next: by the decision itself (manifestacao.ts), with a
 * portal that is still to be asked taken as one that does not release the note.
 */
export function preverEvento(andamento: Andamento): Previsao {
  const passo = proximoPasso(andamento)
  switch (passo.fazer) {
    case 'ciencia':
    case 'confirmacao':
      return prever(andamento, passo.fazer)
    case 'portal':
      return preverEvento({ ...andamento, feitos: [...andamento.feitos, RECUSA_DO_PORTAL] })
    case 'consultar':
      return nenhum('só a consulta à SEFAZ diz se a nota pede manifestação')
    case 'responder':
      return nenhum(semEvento[passo.motivo] ?? 'nenhum cabe na situação desta nota')
  }
}

const RECUSA_DO_PORTAL = { passo: 'portal', resposta: { tipo: 'negada', texto: '' } } as const

const nenhum = (porque: string): Previsao => ({
  evento: null,
  mensagem: `Uma consulta real não registraria evento: ${porque}.`,
})

function prever(andamento: Andamento, evento: Evento): Previsao {
  const { tpEvento: codigo, nome } = eventos[evento]
  const prazo = fimDe(andamento, evento)
  const noPrazo = isInWindow(andamento, evento)
  const verbo =
    evento === 'ciencia'
      ? 'registraria'
      : 'consultaria o portal nacional e, se ele não liberasse a nota, registraria'
  return {
    evento,
    codigo,
    nome,
    prazo,
    noPrazo,
    mensagem: `Uma consulta real ${verbo} a ${nome} (${codigo}), ${describePrazo(andamento, evento)}. ${efeitos[evento]}${evento === 'ciencia' ? seRecusada(andamento) : ''}`,
  }
}

function fimDe(andamento: Andamento, evento: Evento): Date | null {
  const autorizacao = autorizacaoOf(andamento)
  return autorizacao ? fimDoPrazo(autorizacao, andamento.prazos[evento]) : null
}

function describePrazo(andamento: Andamento, evento: Evento): string {
  const fim = fimDe(andamento, evento)
  if (!fim) return `aceita até ${andamento.prazos[evento]} dias depois da autorização`
  return isInWindow(andamento, evento)
    ? `aceita até ${formatPrazo(fim)}`
    : `cujo prazo terminou em ${formatPrazo(fim)}: a SEFAZ deve recusá-la (596)`
}

/** What follows a Ciência that is refused for its window. */
const seRecusada = (andamento: Andamento): string =>
  ` Se ela fosse recusada por prazo e o portal nacional não liberasse a nota, seria registrada a ${eventos.confirmacao.nome} (${eventos.confirmacao.tpEvento}), ${describePrazo(andamento, 'confirmacao')}. ${efeitos.confirmacao}`
