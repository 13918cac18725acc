import { type CnpjRoom, openCnpj } from './cnpj/cnpj.ts'
import { type ContasRoom, openContas } from './contas/contas.ts'
import { type EstadosRoom, openEstados } from './estados/estados.ts'
import { type FederalRoom, openFederal } from './federal/federal.ts'
import type { InscricaoRoom } from './inscricao/inscricao.ts'
import { type NfeRoom, openNfe } from './nfe/nfe.ts'
import type { Authorities } from './platform/authorities.ts'
import { openBooks } from './platform/books.ts'
import type { Config } from './platform/config/settings.ts'
import { correioDe } from './platform/correio.ts'
import { openPlatform, type Platform } from './platform/platform.ts'
import { closeInTurn } from './platform/start.ts'
import type { Clock } from './platform/wire/dial.ts'
import type { Leitura } from './platform/wire/leituras.ts'
import { openRejeicoes, type RejeicoesRoom } from './rejeicoes/rejeicoes.ts'
import { openRural, type RuralRoom } from './rural/rural.ts'
import { openSefaz, type SefazRoom } from './sefaz/sefaz.ts'

export type Rooms = {
  platform: Platform
  estados: EstadosRoom
  federal: FederalRoom
  cnpj: CnpjRoom
  inscricao: InscricaoRoom
  nfe: NfeRoom
  sefaz: SefazRoom
  rural: RuralRoom
  rejeicoes: RejeicoesRoom
  contas: ContasRoom
}

type Opening = {
  now: () => Date
  clock: Clock
  log: Platform['log']
  isClosing: Platform['isClosing']
  opening: Promise<Authorities>
  /** Takes the reading of each query to a source, besides the store. */
  onCall?: ((leitura: Leitura) => void) | undefined
}

/** Throws StartError or StoreError for what the operator can mend. */
export async function openRooms(
  config: Config,
  { clock, opening, ...given }: Opening,
): Promise<{ rooms: Rooms; authorities: Authorities; close: () => Promise<void> }> {
  // Settings that do not go together are told before anything is open.
  const correio = correioDe(config)
  const books = await openBooks(config, given.now, true)
  try {
    const authorities = await opening
    const { contrato, cnir, sigef } = authorities.federais
    const { platform, close: closePlatform } = openPlatform(config, { ...given, books, authorities })
    const estados = openEstados(platform, authorities.captcha)
    const federal = openFederal(estados, contrato)
    const { cnpj, close: closeCnpj } = openCnpj(platform, federal)
    const inscricao = { ...estados, ...cnpj }
    const nfe = openNfe(estados)
    const { sefaz, close: closeSefaz } = openSefaz(estados, clock)
    const rural = openRural(inscricao, { cnir, sigef })
    const rejeicoes = openRejeicoes(inscricao)
    const { contas, close: closeContas } = openContas(platform, correio)
    // The doors first: an answer that still comes in reads the base.
    const close = () =>
      closeInTurn([closeSefaz, closePlatform, closeCnpj, closeContas, books.close, authorities.close])
    return {
      rooms: { platform, estados, federal, cnpj, inscricao, nfe, sefaz, rural, rejeicoes, contas },
      authorities,
      close,
    }
  } catch (error) {
    await books.close()
    throw error
  }
}
