import { verificacoes } from './rejeicoes.ts'
import type { Fronteira } from './rejeicoes-fronteira.ts'

/** The wrong note of a check itself, on those days. */
function daFicha(verificacao: string, dias: Fronteira['dias']): Fronteira {
  const exemplo = verificacoes.find(({ id }) => id === verificacao)?.exemplo
  if (!exemplo) throw new Error(`no check ${verificacao}`)
  return { verificacao, nota: exemplo.nota, mudancas: [...(exemplo.certo ?? []), ...exemplo.errado], dias }
}

const noBalcao = ['337-mei-cfop-no-balcao', '743-importacao-no-balcao', '782-mei-csosn-no-balcao']

/** Rules of before 2025, and those of a sale at a counter that the list of the NFC-e does not have. */
export const deAntes: readonly Fronteira[] = [
  ...noBalcao.map((verificacao) =>
    daFicha(verificacao, [
      ['2026-08-02', 'nao_aplicavel'],
      ['2026-08-03', 'falha'],
    ]),
  ),
  daFicha('549-produtor-cnpj', [
    ['2026-10-04', 'falha'],
    ['2026-10-05', 'nao_aplicavel'],
  ]),
  daFicha('1032-reducao-em-compra-governamental', [
    ['2026-10-04', 'nao_aplicavel'],
    ['2026-10-05', 'falha'],
  ]),
  daFicha('806-st-exige-cest', [
    ['2018-03-31', 'nao_aplicavel'],
    ['2018-04-01', 'indeterminado'],
    ['2020-11-25', 'indeterminado'],
    ['2020-11-26', 'falha'],
  ]),
  daFicha('845-sem-frete-com-transportador', [
    ['2022-09-11', 'nao_aplicavel'],
    ['2022-09-12', 'falha'],
  ]),
  daFicha('847-frete-remetente', [
    ['2022-09-12', 'nao_aplicavel'],
    ['2026-11-10', 'nao_aplicavel'],
  ]),
  daFicha('852-numero-da-parcela', [
    ['2018-09-02', 'nao_aplicavel'],
    ['2018-09-03', 'falha'],
  ]),
  ...['883-gtin-em-branco', '888-gtin-em-branco'].map((verificacao) =>
    daFicha(verificacao, [
      ['2018-11-30', 'nao_aplicavel'],
      ['2018-12-01', 'indeterminado'],
      ['2022-09-11', 'indeterminado'],
      ['2022-09-12', 'falha'],
    ]),
  ),
  daFicha('600-csosn-com-nao-contribuinte', [
    ['2026-05-30', 'indeterminado'],
    ['2026-05-31', 'falha'],
  ]),
]
