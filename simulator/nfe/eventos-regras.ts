import { tipoDoDocumento } from '../documento/documento.ts'
import { atributosDe, ehFolha, semTexto } from '../platform/area.ts'
import type { TpAmb } from './ambiente-nacional.ts'
import type { EventoPedido } from './evento.ts'
import { conferirChave } from './nacional-chave.ts'
import type { EventoRegistrado, Nota } from './nota.ts'
import { notaDe } from './notas.ts'
import { findTipo, type TipoDeEvento } from './tipos.ts'

const MINUTO_MS = 60_000
const DIA_MS = 86_400_000
const AMBIENTE_NACIONAL = '91'

/**
 * `xJust` of the layout: 15 to 255 printable characters, no spaces at the ends
 * (leiauteConfRecebto_v1.00.xsd).
 */
const JUSTIFICATIVA = /^[!-ÿ][ -ÿ]{13,253}[!-ÿ]$/

/**
 * Rules 491, 492 and 493 of an event: its kind, its version, and the form of that kind (NT 2020.001 v1.50,
 * 6.3.6).
 */
export function conferirTipo({ tpEvento, verEvento, detEvento }: EventoPedido): number | undefined {
  const tipo = findTipo(tpEvento)
  if (!tipo) return 491
  if (verEvento !== '1.00') return 492
  const [descEvento, xJust, ...resto] = detEvento.filhos
  const certo =
    detEvento.atributos.versao === '1.00' &&
    semTexto(detEvento) &&
    detEvento.filhos.every(ehFolha) &&
    descEvento?.nome === 'descEvento' &&
    descEvento.texto === tipo.descEvento &&
    resto.length === 0
  if (!certo) return 493
  if (!xJust) return undefined
  const justifica =
    tipo.justificativa !== 'nenhuma' && xJust.nome === 'xJust' && atributosDe(xJust).length === 0
  return justifica && JUSTIFICATIVA.test(xJust.texto) ? undefined : 493
}

/**
 * Rules 572, 250, 252, 489, 490, 236 and 614 to 619 of an event: what it says of itself (NT 2020.001 v1.50,
 * 6.3.7).
 */
export function conferirCampos(evento: EventoPedido, ambiente: TpAmb, agora: Date): number | undefined {
  const { id, tpEvento, chave, nSeqEvento, cOrgao, tpAmb, autor } = evento
  if (id !== `ID${tpEvento}${chave}${nSeqEvento.padStart(2, '0')}`) return 572
  if (cOrgao !== AMBIENTE_NACIONAL) return 250
  if (tpAmb !== ambiente) return 252
  if (tipoDoDocumento(autor.documento) !== autor.tipo) return autor.tipo === 'cnpj' ? 489 : 490
  return conferirChave(chave, ['55', '65'], agora)
}

/**
 * Rules 578, 577 and 573 of an event: when it is said to have happened, and whether it is there already. 579,
 * not before the authorization, never comes: the simulator's notes are authorized when they are issued.
 */
export function conferirOcorrencia(
  evento: EventoPedido,
  nota: Nota | undefined,
  registrados: readonly EventoRegistrado[],
  agora: Date,
): number | undefined {
  const { dhEvento, tpEvento, nSeqEvento } = evento
  if (dhEvento.getTime() > agora.getTime() + 5 * MINUTO_MS) return 578
  if (nota && dhEvento < nota.autorizacao) return 577
  const repetido = registrados.some(
    (outro) => outro.tpEvento === tpEvento && outro.nSeqEvento === Number(nSeqEvento),
  )
  return repetido ? 573 : undefined
}

/** A refusal, with the words that stand for the code's own. */
export type Recusa = { cStat: number; detalhe?: string }

/**
 * Rules 575, 595, 594, 596, 650, 651, 655 and 496 of a manifestation (NT 2020.001 v1.50, 6.3.7 and 6.3.8).
 * They compare the author by the whole number, and count the window to the second, from the authorization to
 * the event's reception.
 */
export function conferirManifestacao(
  evento: EventoPedido,
  tipo: TipoDeEvento,
  nota: Nota | undefined,
  registrados: readonly EventoRegistrado[],
  agora: Date,
): Recusa | undefined {
  const { autor, nSeqEvento, chave, tpEvento, detEvento } = evento
  const sequencia = Number(nSeqEvento)
  if (nota && nota.destinatario.documento !== autor.documento) return { cStat: 575 }
  if (tipo.justificativa === 'obrigatoria' && detEvento.filhos.length < 2) return { cStat: 595 }
  if (sequencia < 1 || sequencia > tipo.vezes) return { cStat: 594 }
  if (nota && agora.getTime() - nota.autorizacao.getTime() > tipo.prazoDias * DIA_MS)
    return { cStat: 596, detalhe: `${FORA_DO_PRAZO}: [${tipo.prazoDias} dias]` }
  if (nota && nota.situacao !== 'autorizada') {
    if (tpEvento === CIENCIA) return { cStat: 650 }
    if (tpEvento === DESCONHECIMENTO) return { cStat: 651 }
  }
  const concluida = registrados.some((outro) => findTipo(outro.tpEvento)?.conclusivo)
  if (tpEvento === CIENCIA && concluida) return { cStat: 655 }
  return /[1-7]/.test(chave.charAt(34)) ? undefined : { cStat: 496 }
}

/** As captured in 2026. */
const FORA_DO_PRAZO = 'Evento apresentado apos o prazo permitido para o evento'

const CIENCIA = '210210'
const DESCONHECIMENTO = '210220'

/** The note of a key, if the national environment has it. */
export function notaConhecida(chave: string): Nota | undefined {
  const nota = notaDe(chave)
  return nota?.cenario.existe === 'sim' ? nota : undefined
}
