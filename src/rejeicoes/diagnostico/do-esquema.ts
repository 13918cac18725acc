import type { Queixa } from '../esquema/conferir.ts'
import type { ValorErrado } from '../esquema/esquema-conferir.ts'
import type { Defeito } from '../esquema/esquema-estrutura.ts'
import { caminhoDe, lugarDe } from '../nota/lugar.ts'
import type { Elemento } from '../nota/nota-arvore.ts'
import type { Emenda } from '../rules-laudo.ts'
import type { Exame } from './exame.ts'

const ESQUEMA = 225

/** How many moves are proposed. Each looks for its place among its siblings. */
const MOVIDOS = 100

/** Mends of the schema's errors: surrounding blanks, and the order of elements. */
export function emendasDoEsquema({ conferencia: { valores, defeitos } }: Exame): Emenda[] {
  const estranhos = new Set(
    defeitos.flatMap((defeito) => (defeito.tipo === 'fora-de-ordem' ? [] : paiDe(defeito))),
  )
  const ordem = defeitos
    .flatMap((defeito) =>
      defeito.tipo === 'fora-de-ordem' && defeito.elemento.pai && !estranhos.has(defeito.elemento.pai)
        ? [defeito]
        : [],
    )
    .slice(0, MOVIDOS)
    .map(mover)
  return [...ordem, ...valores.flatMap(aparar)]
}

const paiDe = (defeito: Defeito): Elemento[] => {
  const pai = defeito.tipo === 'falta' ? defeito.pai : defeito.elemento.pai
  return pai ? [pai] : []
}

function mover({ elemento, antesDe }: Defeito & { tipo: 'fora-de-ordem' }): Emenda {
  const seguinte = elemento.pai?.filhos.find(({ nome }) => nome === antesDe)
  return {
    caminho: lugarDe(elemento),
    acao: 'mover',
    de: null,
    para: seguinte ? lugarDe(seguinte) : null,
    motivo: `O leiaute fixa a ordem dos campos: ${elemento.nome} vem ${antesDe ? `antes de ${antesDe}` : 'por último'}.`,
    codigo: ESQUEMA,
  }
}

function aparar({ elemento, atributo, queixas }: ValorErrado): Emenda[] {
  const valor = atributo ? (elemento.atributos[atributo] ?? '') : elemento.texto
  const limpo = valor.trim()
  if (limpo === valor || limpo === '' || !queixas.every((queixa) => aceita(queixa, limpo))) return []
  return [
    {
      caminho: caminhoDe(elemento, atributo),
      acao: 'trocar',
      de: valor,
      para: limpo,
      motivo: 'Sem o espaço ou a quebra de linha no começo ou no fim, o esquema aceita o valor.',
      codigo: ESQUEMA,
    },
  ]
}

function aceita(queixa: Queixa, valor: string): boolean {
  const { length } = [...valor]
  switch (queixa.tipo) {
    case 'padrao':
      return new RegExp(`^(?:${queixa.padrao})$`).test(valor)
    case 'lista':
      return queixa.valores.includes(valor)
    case 'tamanho':
      if (queixa.faceta === 'maxLength') return length <= Number(queixa.limite)
      return queixa.faceta === 'minLength'
        ? length >= Number(queixa.limite)
        : length === Number(queixa.limite)
    default:
      return false
  }
}
