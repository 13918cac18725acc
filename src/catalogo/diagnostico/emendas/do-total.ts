import type { Emenda } from '../../../domain/rejeicoes/laudo.ts'
import type { Condicao } from '../../../domain/rejeicoes/verificacao.ts'
import { criarCaminhos } from '../../../domain/verificacoes/caminho.ts'
import { type Contexto, criarCena } from '../../../domain/verificacoes/cena.ts'
import { compilarCondicao } from '../../../domain/verificacoes/condicao.ts'
import { formatDecimal } from '../../../domain/verificacoes/decimal.ts'
import { compilarNumero } from '../../../domain/verificacoes/numero.ts'
import type { Exame } from '../exame.ts'
import { descer } from '../nota/arvore.ts'
import type { Verificadores } from '../verificadores.ts'

/** The field that a check compares with what it computes, if it is a total of the note. */
function comparacaoDoTotal(regra: Condicao) {
  if (!('fecha' in regra)) return undefined
  const [total, calculo] = regra.fecha
  if (typeof total === 'string' || !('v' in total) || !total.v.startsWith('total/')) return undefined
  return { caminho: total.v, calculo }
}

/** Mends of totals that differ from what their items add up to. None while an item itself is in doubt. */
export function emendasDoTotal(exame: Exame, { porId }: Verificadores, contexto: Contexto): Emenda[] {
  const falhas = exame.achados.filter(({ resultado }) => resultado === 'falha')
  const isDoItem = (caminho: string): boolean => caminho.startsWith('det')
  if (exame.erros.some(({ caminho }) => isDoItem(caminho))) return []
  if (falhas.some(({ ocorrencias }) => ocorrencias.some(({ onde }) => onde.startsWith('item')))) return []
  const { infNFe, nfe } = exame.nota
  const caminhos = criarCaminhos()
  const condicao = (outra: Condicao) => compilarCondicao(outra, caminhos)
  const cena = criarCena(nfe, contexto)
  return falhas.flatMap(({ id, codigo }) => {
    const comparacao = comparacaoDoTotal(porId.get(id)?.regra ?? { e: [] })
    const de = comparacao && descer(infNFe, comparacao.caminho)?.texto
    if (!comparacao || !de) return []
    const valor = compilarNumero(comparacao.calculo, { caminhos, condicao })(cena.infNFe, cena)
    const para = valor === undefined ? '' : formatDecimal(valor)
    // The totals of the note have two places and no sign.
    if (!/^\d{1,13}\.\d{2}$/.test(para) || para === de) return []
    const motivo = 'O total é calculado com os valores da própria nota.'
    return [{ caminho: comparacao.caminho, acao: 'trocar', de, para, motivo, codigo }]
  })
}
