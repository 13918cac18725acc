import type { Titular } from '../../domain/certificado.ts'

/** Whether a certificate's holder is one of a note's participants: by the CPF, or by the root of the CNPJ, which all its branches share (decisions, "NF-e XML cache"). */
export const isParticipante = ({ tipo, documento }: Titular, participantes: readonly string[]): boolean =>
  participantes.some((participante) =>
    tipo === 'cpf'
      ? participante === documento
      : participante.length === 14 && participante.slice(0, 8) === documento.slice(0, 8),
  )
