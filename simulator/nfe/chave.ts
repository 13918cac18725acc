import type { Chamador } from '../platform/autoridade.ts'

/**
 * The parts of an access key of the simulator's NF-e, as they stand in it (MOC 7.0, Anexo I, "Chave de
 * acesso").
 */
export type PartesDaChave = {
  cUF: string
  /** Year and month of the emission: `2611`. */
  aamm: string
  /** The issuer's CNPJ, or its CPF after three zeros: 14 characters. */
  documento: string
  modelo: string
  serie: string
  /** Nine digits. */
  nNF: string
  tpEmis: string
  cNF: string
  dv: string
}

/**
 * What a key of the simulator tells: which scenario, who issued, and when the note was authorized, to the
 * second.
 */
export type Identidade = { numero: number; emitente: Pick<Chamador, 'tipo' | 'documento'>; autorizacao: Date }

const CHAVE =
  /^(?<cUF>\d\d)(?<aamm>\d{4})(?<documento>[0-9A-Z]{12}\d\d)(?<modelo>\d\d)(?<serie>\d{3})(?<nNF>\d{9})(?<tpEmis>\d)(?<cNF>\d{8})(?<dv>\d)$/

/** All notes are issued in São Paulo, model 55, series 1, in normal emission. */
const UF = '35'
const MODELO_E_SERIE = '55001'
const EMISSAO_NORMAL = '1'

const BRASILIA_MS = -3 * 3_600_000

/** The instant in Brasília, `AAAA-MM-DDThh:mm:ss`, without its offset; fractions are cut off. */
export function horaDeBrasilia(instante: Date): string {
  return new Date(instante.getTime() + BRASILIA_MS).toISOString().slice(0, 19)
}

/**
 * The key of the note of a scenario that was authorized at an instant: AAMM and cNF (`DDhhmmss`) are that
 * instant in Brasília. Two notes of one scenario authorized in the same second are the same note.
 */
export function fazerChave({ numero, emitente, autorizacao }: Identidade): string {
  const instante = horaDeBrasilia(autorizacao).replace(/\D/g, '')
  const semDv = [
    UF,
    instante.slice(2, 6),
    emitente.documento.padStart(14, '0'),
    MODELO_E_SERIE,
    String(numero).padStart(9, '0'),
    EMISSAO_NORMAL,
    instante.slice(6),
  ].join('')
  return semDv + dvDaChave(semDv)
}

/**
 * The parts of a key; undefined when it has not the shape of one. No rule is checked, not even the check
 * digit.
 */
export function lerChave(chave: string): PartesDaChave | undefined {
  const grupos = CHAVE.exec(chave)?.groups
  if (!grupos) return undefined
  const { cUF = '', aamm = '', documento = '', modelo = '', serie = '' } = grupos
  const { nNF = '', tpEmis = '', cNF = '', dv = '' } = grupos
  return { cUF, aamm, documento, modelo, serie, nNF, tpEmis, cNF, dv }
}

/**
 * When the note of such a key was authorized; undefined when its digits are no day and time. The century is
 * 20.
 */
export function autorizacaoDe({ aamm, cNF }: PartesDaChave): Date | undefined {
  const [, ano, mes, dia, hora, minuto, segundo] = /^(..)(..)(..)(..)(..)(..)$/.exec(aamm + cNF) ?? []
  const autorizacao = new Date(`20${ano}-${mes}-${dia}T${hora}:${minuto}:${segundo}-03:00`)
  return Number.isNaN(autorizacao.getTime()) ? undefined : autorizacao
}

/**
 * The check digit of a key's first 43 characters: weights 2 to 9 from the right, modulo 11, letters by their
 * code less 48 (NT Conjunta 2025.001).
 */
export function dvDaChave(semDv: string): string {
  let soma = 0
  for (let i = 0; i < semDv.length; i++) soma += (semDv.charCodeAt(semDv.length - 1 - i) - 48) * (2 + (i % 8))
  const dv = 11 - (soma % 11)
  return dv > 9 ? '0' : String(dv)
}
