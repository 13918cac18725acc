import type { Chamador } from '../platform/autoridade.ts'
import type { Cenario } from './cenario.ts'
import { findCenario } from './cenarios.ts'
import { autorizacaoDe, fazerChave, lerChave } from './chave.ts'
import { empresa, estabelecimento } from './empresa.ts'
import type { Nota } from './nota.ts'

const DIA_MS = 86_400_000

/**
 * The other parties of a note, besides the scenario's holder. Their names need escaping and hold more than
 * ASCII, on purpose.
 */
const EMITENTE = empresa('987630010001', 'INDÚSTRIA & COMÉRCIO DE PÃES SÃO JOÃO SIMULADA LTDA')
const DESTINATARIO = empresa('987630020001', 'MERCEARIA "BOA VIZINHANÇA" SIMULADA LTDA')
const TRANSPORTADOR = empresa('987630030001', "TRANSPORTES D'OESTE SIMULADA LTDA")

/** The key of the scenario's note that was authorized at an instant; fractions of a second are cut off. */
export function chaveDo(cenario: Cenario, autorizacao: Date): string {
  return fazerChave({ numero: cenario.numero, emitente: emitenteDo(cenario), autorizacao })
}

/**
 * The note of a key; undefined when no scenario has such a note: the national environment does not know it
 * (217).
 */
export function notaDe(chave: string): Nota | undefined {
  const partes = lerChave(chave)
  const cenario = partes && findCenario(Number(partes.nNF))
  const autorizacao = partes && autorizacaoDe(partes)
  if (!cenario || !autorizacao || chaveDo(cenario, autorizacao) !== chave) return undefined
  const { papel, titular, situacao, recepcaoDias = 0 } = cenario
  return {
    chave,
    cenario,
    autorizacao,
    recepcao: new Date(autorizacao.getTime() + recepcaoDias * DIA_MS),
    situacao,
    emitente: emitenteDo(cenario),
    destinatario: destinatarioDo(cenario),
    transportador: papel === 'transportador' ? titular : TRANSPORTADOR,
    autorizados: papel === 'autorizado' ? [titular] : [],
  }
}

function emitenteDo({ papel, titular, emitente = EMITENTE }: Cenario): Chamador {
  if (papel === 'emitente') return titular
  return papel === 'matriz-do-emitente' ? estabelecimento(titular, '0002') : emitente
}

function destinatarioDo({ papel, titular }: Cenario): Chamador {
  switch (papel) {
    case 'destinatario':
      return titular
    case 'filial':
      return estabelecimento(titular, '0001')
    case 'matriz':
      return estabelecimento(titular, '0002')
    default:
      return DESTINATARIO
  }
}
