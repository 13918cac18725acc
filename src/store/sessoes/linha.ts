import type { DadosDaSessao } from '../../domain/sigef/sessao.ts'
import type { LinhaDaSessao } from './io.ts'

const instantOrNull = (at: number | null): Date | null => (at === null ? null : new Date(Number(at)))

/** What a row tells of a session without its secrets. */
export const toDados = (linha: Omit<LinhaDaSessao, 'selada' | 'versao'>): DadosDaSessao => ({
  importada_em: new Date(Number(linha.importada_em)),
  renovada_em: instantOrNull(linha.renovada_em),
  vence_em: new Date(Number(linha.vence_em)),
  login_ate: instantOrNull(linha.login_ate),
  renovavel: Number(linha.renovavel) === 1,
  estado: linha.estado,
  motivo: linha.motivo,
})
