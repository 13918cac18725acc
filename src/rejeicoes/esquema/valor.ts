import { enumerar } from '../../platform/texto.ts'
import type { Queixa } from './conferir.ts'
import { descreverPadrao } from './padrao.ts'

/** How many values of a list are told. */
const CONTADOS = 40

/** What is wrong with a value, to follow `O campo NCM `, and what is expected. */
export function explicarValor(valor: string, queixas: readonly Queixa[]): string {
  const esperados = queixas.flatMap((queixa) => esperado(queixa, valor) ?? [])
  const fim = esperados.length > 0 ? ` Esperado: ${[...new Set(esperados)].join('; ')}.` : ''
  return `${problema(valor, queixas)}.${fim}`
}

function problema(valor: string, queixas: readonly Queixa[]): string {
  const tipos = new Set(queixas.map(({ tipo }) => tipo))
  if (tipos.has('filhos-em-campo')) return 'tem outros elementos dentro, e só pode ter um valor'
  if (tipos.has('texto-solto')) return 'tem texto solto entre os seus elementos'
  if (tipos.has('repetido')) return 'repete um valor que só pode aparecer uma vez'
  if (tipos.has('sem-declaracao'))
    return 'não é da NF-e: confira o namespace http://www.portalfiscal.inf.br/nfe'
  if (valor === '') return 'está vazio'
  if (valor !== valor.trim()) return 'tem espaço ou quebra de linha no começo ou no fim'
  const longo = queixas.find((queixa) => queixa.tipo === 'tamanho' && queixa.faceta === 'maxLength')
  if (longo) return `tem ${[...valor].length} caracteres, mais do que o campo aceita`
  if (tipos.has('tamanho')) return `tem ${[...valor].length} caracteres, fora do tamanho do campo`
  if (tipos.has('lista')) return 'tem um valor que não está na lista do esquema'
  return 'não tem o formato que o esquema pede'
}

function esperado(queixa: Queixa, valor: string): string | undefined {
  switch (queixa.tipo) {
    case 'padrao':
      return descreverPadrao(queixa.padrao)
    case 'tamanho':
      return `${FACETAS[queixa.faceta]} ${queixa.limite} ${queixa.limite === '1' ? 'caractere' : 'caracteres'}`
    case 'lista': {
      const { valores } = queixa
      const mais = valores.length > CONTADOS ? ` (e mais ${valores.length - CONTADOS})` : ''
      return valor === '' && valores.length > CONTADOS
        ? 'um valor da lista do esquema'
        : `${enumerar(valores.slice(0, CONTADOS), 'ou')}${mais}`
    }
    case 'casas':
      return queixa.faceta === 'totalDigits'
        ? `no máximo ${queixa.limite} algarismos`
        : `no máximo ${queixa.limite} casas decimais`
    case 'limite':
      return queixa.faceta.startsWith('min') ? `no mínimo ${queixa.limite}` : `no máximo ${queixa.limite}`
    case 'tipo':
      return TIPOS[queixa.qual]
    case 'fixo':
      return queixa.valor
    default:
      return undefined
  }
}

const FACETAS = { length: 'exatamente', minLength: 'no mínimo', maxLength: 'no máximo' } as const

const TIPOS: Readonly<Record<string, string>> = {
  base64Binary: 'texto em base64',
  gYearMonth: 'ano e mês, como 2026-11',
  ID: 'um identificador sem espaço, que não começa por algarismo',
  anyURI: 'um endereço',
}
