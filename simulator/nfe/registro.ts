import type { X509Certificate } from 'node:crypto'
import type { MeiosDoAn, TpAmb } from './ambiente-nacional.ts'
import { conferirAssinatura } from './assinatura.ts'
import type { EfeitoNfe } from './cenario.ts'
import { horaDeBrasilia } from './chave.ts'
import { efeitoDoEvento } from './efeito.ts'
import type { EventoPedido } from './evento.ts'
import {
  conferirCampos,
  conferirManifestacao,
  conferirOcorrencia,
  conferirTipo,
  notaConhecida,
  type Recusa,
} from './eventos-regras.ts'
import { notaDe } from './notas.ts'
import { findTipo } from './tipos.ts'

/**
 * What became of an event: its code, its number when it was registered, and what goes wrong with the answer.
 */
export type Desfecho = Recusa & {
  evento: EventoPedido
  nProt?: string
  efeito?: EfeitoNfe | undefined
}

/** Judges an event of a message and registers it. */
export type Registrar = (evento: EventoPedido, area: string, ambiente: TpAmb) => Promise<Desfecho>

/**
 * The rules of one event in the order of NT 2020.001 v1.50, 6.3.6 to 6.3.8; what goes wrong by scenario comes
 * after 573.
 */
export function criarRegistro({ agora, livro }: MeiosDoAn, cadeia: readonly X509Certificate[]): Registrar {
  let ultimo = 0
  const registrar = (evento: EventoPedido, cStat: number, efeito?: EfeitoNfe): Desfecho => {
    ultimo += 1
    const nProt = `891${horaDeBrasilia(agora()).slice(2, 4)}${String(ultimo).padStart(10, '0')}`
    const { chave, tpEvento, nSeqEvento } = evento
    livro.registrar(chave, { tpEvento, nSeqEvento: Number(nSeqEvento) })
    return { evento, cStat, nProt, efeito }
  }
  return async (evento, area, ambiente) => {
    const forma =
      conferirTipo(evento) ??
      (await conferirAssinatura(evento, { area, cadeia, agora: agora() })) ??
      conferirCampos(evento, ambiente, agora())
    // Nothing is awaited from here on: of two equal events at once one is a duplicate.
    const nota = notaConhecida(evento.chave)
    const registrados = livro.eventosDe(evento.chave)
    const cStat = forma ?? conferirOcorrencia(evento, nota, registrados, agora())
    if (cStat) return { evento, cStat }
    const efeito = efeitoDoEvento(evento.tpEvento, notaDe(evento.chave), evento.autor.documento)
    if (efeito?.tipo === 'codigo')
      return REGISTRA.includes(efeito.cStat)
        ? registrar(evento, efeito.cStat)
        : { evento, cStat: efeito.cStat }
    if (efeito && ANTES.includes(chegada(efeito))) return { evento, cStat: 999, efeito }
    const tipo = findTipo(evento.tpEvento)
    const recusa = tipo ? conferirManifestacao(evento, tipo, nota, registrados, agora()) : { cStat: 491 }
    return recusa ? { evento, ...recusa, efeito } : registrar(evento, nota ? 135 : 136, efeito)
  }
}

const REGISTRA: readonly number[] = [135, 136]

/** What goes wrong before the service gets to see the event, so that nothing is registered. */
const ANTES: readonly string[] = ['fault', 'pagina', 'redireciona', 'tls', 'queda antes']

function chegada(efeito: EfeitoNfe): string {
  return efeito.tipo === 'queda' ? `queda ${efeito.quando}` : efeito.tipo
}
