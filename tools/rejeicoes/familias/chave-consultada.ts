import type { Familia } from './familia.ts'

/**
 * A part of the key of a query that cannot be. Parameters: `caracteres` (such as `1º e 2º`), `defeito` (what
 * they are), `conserto` (what belongs there).
 */
export const familia: Familia = (ficha) => ({
  causas: [
    `Na {consSitNFe/chNFe}, os caracteres ${ficha.um('caracteres')} ${ficha.um('defeito')}.`,
    'A chave foi digitada, lida ou cortada com erro antes da consulta; a nota em si não é o problema.',
  ],
  passos: [
    `Olhe os caracteres ${ficha.um('caracteres')} da chave: ali vai ${ficha.um('conserto')}.`,
    'Copie a chave inteira, de 44 caracteres, do XML autorizado ou do DANFE, sem espaços nem pontos.',
    'Confira o dígito verificador antes de consultar.',
  ],
})
