import { descer } from '../nota/lugar.ts'
import type { Condicao, Numero } from '../rules.ts'
import type { Emenda } from '../rules-laudo.ts'
import { type Contexto, criarCena } from '../verificacoes/cena.ts'
import { compilarCondicao } from '../verificacoes/condicao.ts'
import { formatDecimal } from '../verificacoes/decimal.ts'
import { compilarNumero } from '../verificacoes/valores.ts'
import { criarCaminhos } from '../verificacoes/verificacoes-caminho.ts'
import type { Exame } from './exame.ts'
import type { Verificadores } from './verificadores.ts'

type Calculo = { caminho: string; calculos: Numero[] }

/**
 * The total that a check compares with what it computes. Where the rule allows several ways to compute it,
 * all of them.
 */
function comparacaoDoTotal(regra: Condicao): Calculo | undefined {
  if ('ou' in regra) {
    const partes = regra.ou.map(comparacaoDoTotal)
    const [primeira] = partes
    if (!primeira || partes.some((parte) => parte?.caminho !== primeira.caminho)) return undefined
    return { caminho: primeira.caminho, calculos: partes.flatMap((parte) => parte?.calculos ?? []) }
  }
  if (!('fecha' in regra)) return undefined
  const [total, calculo] = regra.fecha
  if (typeof total === 'string' || !('v' in total) || !total.v.startsWith('total/')) return undefined
  return { caminho: total.v, calculos: [calculo] }
}

/** Mends of totals that differ from what their items add up to. None while an item itself is in doubt. */
export function emendasDoTotal(exame: Exame, { porId }: Verificadores, contexto: Contexto): Emenda[] {
  const falhas = exame.achados.filter(({ resultado }) => resultado === 'falha')
  const isDoItem = (caminho: string): boolean => caminho.startsWith('det')
  if (exame.erros.some(({ caminho }) => isDoItem(caminho))) return []
  if (falhas.some(({ ocorrencias }) => ocorrencias.some(({ onde }) => onde.startsWith('item')))) return []
  const { infNFe, nfe } = exame.nota
  const caminhos = criarCaminhos()
  const cena = criarCena(nfe, contexto)
  const totais = falhas.flatMap(({ id, codigo }) => {
    const comparacao = comparacaoDoTotal(porId.get(id)?.regra ?? { e: [] })
    return comparacao ? [{ codigo, comparacao }] : []
  })
  // A total that is made of other totals waits until they are right.
  const dosItens = totais.filter(({ comparacao }) => !JSON.stringify(comparacao.calculos).includes('"total/'))
  return (dosItens.length > 0 ? dosItens : totais).flatMap(({ codigo, comparacao }) => {
    const de = descer(infNFe, comparacao.caminho)?.texto
    if (!de) return []
    const valores = comparacao.calculos.map((calculo) =>
      compilarNumero(calculo, { caminhos, condicao: compilarCondicao })(cena.infNFe, cena),
    )
    const [valor] = valores
    if (valor === undefined || valores.some((outro) => outro !== valor)) return []
    const para = formatDecimal(valor)
    // The totals of the note have two places and no sign.
    if (!/^\d{1,13}\.\d{2}$/.test(para) || para === de) return []
    const motivo = 'O total é calculado com os valores da própria nota.'
    return [{ caminho: comparacao.caminho, acao: 'trocar', de, para, motivo, codigo }]
  })
}
