import type { Familia } from './familia.ts'

/**
 * A return that gives back more than the notes it refers to. Parameters: `campo` (path), `nome`, `produtor`
 * (the rule spares notes of rural producers), `tolerancia` in reais, if the rule names it.
 */
export const familia: Familia = (ficha) => {
  const [campo, nome] = [ficha.um('campo'), ficha.um('nome')]
  const folga = ficha.talvez('tolerancia')
  const produtor = ficha.talvez('produtor') ? '; não se aplica se houver nota de produtor referenciada' : ''
  return {
    causas: [
      `A nota é de devolução (ide/finNFe = 4) e o ${nome} (${campo}) é maior que a soma do mesmo campo nas NF-e referenciadas (ide/NFref).`,
      `Faltou referenciar uma das notas devolvidas, ou a devolução calculou o ${nome} com base ou alíquota diferente da original.`,
      ...(folga ? [`Diferença de até R$ ${folga} é tolerada.`] : []),
      `A regra é da NF-e (modelo 55), exige que todas as notas referenciadas estejam na base da SEFAZ e pode ser dispensada se houver documento referenciado de outro modelo${produtor}.`,
    ],
    passos: [
      `Some ${campo} das notas referenciadas e compare com o da devolução.`,
      'Referencie todas as notas de onde saíram os itens devolvidos: desde {mes novembro-de-2026-devolucao}, em cada item (det/DFeReferenciado/chaveAcesso), e não mais em NFref (rejeição 321).',
      'Confira, item a item, quantidade, base e alíquota com as da nota original e corrija o que passou dela.',
      'Refaça os totais da devolução.',
    ],
  }
}
