import type { CertidaoGuardada, EmissaoTerminada, SituacaoFederal } from '../../src/federal/rules.ts'

/** Friday, 12:00 in Brasília. */
export const AGORA = new Date('2026-11-20T15:00:00Z')

export const MINUTO_MS = 60_000
export const HORA_MS = 60 * MINUTO_MS
export const DIA_MS = 24 * HORA_MS

/** So many minutes before `AGORA`. */
export const haMinutos = (minutos: number): Date => new Date(AGORA.getTime() - minutos * MINUTO_MS)

/** The day so many days after the day of `AGORA`. */
export const emDias = (dias: number): string =>
  new Date(Date.parse('2026-11-20') + dias * DIA_MS).toISOString().slice(0, 10)

/** A call for a CNPJ of which nothing is known, where the portal can issue. */
export const chamada = (parts: Partial<SituacaoFederal> = {}): SituacaoFederal => ({
  guardada: undefined,
  emCurso: false,
  recusadaEm: undefined,
  emitirNova: false,
  issuesNova: true,
  agora: AGORA,
  ...parts,
})

/** A stored certificate with so many days left, found at the authority long ago. */
export const guardada = (dias: number, parts: Partial<CertidaoGuardada> = {}): CertidaoGuardada => ({
  validade: emDias(dias),
  conferidaEm: haMinutos(60 * 24),
  emissao: undefined,
  ...parts,
})

/** A certificate of 180 days whose issuance ended so many minutes ago. */
export const emitidaHa = (minutos: number, parts: Partial<EmissaoTerminada> = {}): CertidaoGuardada =>
  guardada(180, {
    conferidaEm: haMinutos(minutos),
    emissao: { fim: haMinutos(minutos), anunciada: false, ...parts },
  })
