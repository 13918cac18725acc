import type { Titular } from '../../domain/certificado.ts'
import { isMesmaEmpresa } from '../../domain/documento/documento.ts'

/**
 * Whether a certificate's holder is one of a note's participants: by the CPF, or by the CNPJ's root, which
 * all branches share.
 */
export const isParticipante = ({ tipo, documento }: Titular, participantes: readonly string[]): boolean =>
  participantes.some((participante) =>
    tipo === 'cpf' ? participante === documento : isMesmaEmpresa(participante, documento),
  )
