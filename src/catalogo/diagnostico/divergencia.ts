import type { Achado, Ocorrencia, Suspeita } from '../../domain/rejeicoes/laudo.ts'

const DIVERGENCIA = 'Regra posterior, ou diferença nossa: a SEFAZ autorizou a nota assim.'

const comDivergencia = (ocorrencia: Ocorrencia): Ocorrencia => ({
  ...ocorrencia,
  mensagem: `${DIVERGENCIA} ${ocorrencia.mensagem}`,
})

/** A rejection that an authorization contradicts is none. */
export const comoDivergencia = (suspeita: Suspeita): Suspeita => ({
  ...suspeita,
  ocorrencias: suspeita.ocorrencias.map(comDivergencia),
  certeza: 'provavel',
})

/** A check that an authorization contradicts decides nothing. */
export const semAcusar = (achado: Achado): Achado =>
  achado.resultado === 'falha'
    ? { ...achado, resultado: 'indeterminado', ocorrencias: achado.ocorrencias.map(comDivergencia) }
    : achado
