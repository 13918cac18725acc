import { acharItem } from '../alcance.ts'
import type { Familia } from './familia.ts'

/**
 * A group that a sale to a consumer may not carry: NFC-e, and NF-e with the simplified DANFE of type 2,
 * unless `soNfce`. Parameters: `grupo` (path), `nome`, `motivo` (a sentence), `saida` (what to do if it is
 * due), `conserto` (how to mend it, where taking the group out is not enough).
 */
export const familia: Familia = (ficha) => {
  const [grupo, nome] = [ficha.um('grupo'), ficha.um('nome')]
  const quem = ficha.talvez('soNfce')
    ? 'A NFC-e (modelo 65)'
    : 'A NFC-e (modelo 65) ou a NF-e com DANFE Simplificado Tipo 2 (ide/tpImp = 6, desde {dia nt-2026.002-agosto})'
  return {
    causas: [`${quem} traz ${nome} (${grupo}), que esse documento não admite.`, ficha.um('motivo')],
    passos: [
      `${acharItem(ficha)} e confira ide/mod e ide/tpImp: veja se a venda deveria sair neste tipo de documento.`,
      ficha.talvez('conserto') ||
        `Se é venda a consumidor comum, retire ${grupo} do item e corrija o cadastro que o gerou.`,
      ficha.um('saida'),
      'Refaça os totais de que o grupo fazia parte.',
    ],
  }
}
