import { enumerar } from '../../platform/texto.ts'

/** An atom of a pattern (a class, a group, an escape or a character) and how often it occurs. */
const PARTE =
  /(\[(?:\\.|[^\]\\])*\]|\((?:[^()[\]\\]|\\.|\[(?:\\.|[^\]\\])*\])*\)|\\.|[^|()])(?:\{(\d+)(,(\d*))?\})?/g

/**
 * Writes a pattern of a schema without counters. libxml2 mixes up the counters of alternatives: it takes 9
 * digits for `[0-9]{2}|[0-9]{8}`.
 */
export function semContadores(padrao: string): string {
  if (!padrao.includes('|') || padrao.includes('.*')) return padrao
  return padrao.replace(PARTE, (_inteiro, atomo: string, de?: string, faixa?: string, ate?: string) => {
    const parte = atomo.startsWith('(') ? `(${semContadoresNoGrupo(atomo)})` : atomo
    if (de === undefined) return parte
    const certos = parte.repeat(Number(de))
    if (!faixa) return certos
    return certos + (ate ? opcionais(parte, Number(ate) - Number(de)) : `${parte}*`)
  })
}

const semContadoresNoGrupo = (grupo: string): string =>
  grupo.slice(1, -1).replace(PARTE, (inteiro, atomo: string, de?: string, faixa?: string, ate?: string) => {
    if (de === undefined) return inteiro
    return atomo.repeat(Number(de)) + (faixa ? opcionais(atomo, Number(ate || de) - Number(de)) : '')
  })

const opcionais = (parte: string, quantos: number): string =>
  quantos > 0 ? `(${parte}${opcionais(parte, quantos - 1)})?` : ''

const DIGITOS = /^(?:\[0-9\]|\\d)(?:\{(\d+)(?:,(\d+))?\})?$/

/** Patterns that no general rule describes, by what they begin with or hold. */
const CONHECIDOS: readonly (readonly [RegExp, string])[] = [
  [/T\(20\|21/, 'data e hora com o fuso, como 2026-11-23T10:15:00-03:00'],
  [/^\(\(\(20/, 'data que existe, no formato AAAA-MM-DD'],
  [/^\(\(\[0-1\]\[0-9\]\)/, 'hora no formato HH:MM:SS'],
  [/^\(0\[1-9\]\|1\[0-2\]\)/, 'mês e ano no formato MM/AAAA'],
  [/^4\\\.00$/, '4.00'],
  [/^\[0-9\]\{2\}\[0\]/, '4 algarismos, o ano e o mês (AAMM)'],
  [
    /^\[0-9A-Z\]\{12\}\[0-9\]\{2\}$/,
    'os 14 caracteres do CNPJ: 12 algarismos ou letras maiúsculas, e 2 algarismos',
  ],
  [/^\[0-9\]\{0\}\|\[0-9A-Z\]\{12\}/, 'nenhum caractere, ou os 14 do CNPJ, sem pontuação'],
  [
    /^\[0-9\]\{6\}\[(?:0-9A-Z|A-Z0-9)\]\{12\}/,
    'os 44 caracteres da chave de acesso, que só tem letra onde o CNPJ do emitente a tem',
  ],
  [/^NFe/, 'NFe seguido dos 44 caracteres da chave de acesso'],
  [/\?chNFe=|\?p=/, 'o endereço do QR Code na forma que o manual da NFC-e fixa'],
  [/^SEM GTIN/, 'SEM GTIN, ou um GTIN de 8, 12, 13 ou 14 algarismos'],
  [/SEM CBENEF/, '8 ou 10 caracteres sem espaço, ou SEM CBENEF'],
  [
    /^\[!-ÿ\]\{1\}\[ -ÿ\]/,
    'texto sem espaço no começo e no fim, sem quebra de linha e sem caractere fora do alfabeto latino',
  ],
  [/^\[1,2,3,5,6,7\]/, '4 algarismos, o primeiro 1, 2, 3, 5, 6 ou 7'],
  [/^\[A-F0-9\]\{8\}-/, 'um identificador como 6BA7B810-9DAD-11D1-80B4-00C04FD430C8, com letras maiúsculas'],
  [/^\[A-Z\]\{2,3\}\[0-9\]\{4\}\|/, 'uma placa de veículo sem traço e sem espaço, como ABC1D23'],
]

/** Says in Portuguese what a pattern of the schema takes, to follow "esperado: ". */
export function descreverPadrao(padrao: string): string {
  const conhecido = CONHECIDOS.find(([forma]) => forma.test(padrao))
  if (conhecido) return conhecido[1]
  return descreverDigitos(padrao) ?? descreverDecimal(padrao) ?? `o formato que o esquema fixa, ${padrao}`
}

function descreverDigitos(padrao: string): string | undefined {
  const fixas: string[] = []
  const tamanhos: string[] = []
  for (const alternativa of padrao.split('|')) {
    const [inteiro, de = '1', ate] = DIGITOS.exec(alternativa) ?? []
    if (inteiro === undefined && !/^[A-Z ]+$/.test(alternativa)) return undefined
    if (inteiro === undefined) fixas.push(alternativa)
    else tamanhos.push(ate ? faixa(de, ate) : de === '0' ? 'nenhum' : de)
  }
  const algarismos =
    tamanhos.length > 0
      ? [`${enumerar(tamanhos, 'ou')} ${tamanhos.join() === '1' ? 'algarismo' : 'algarismos'}`]
      : []
  return enumerar([...algarismos, ...fixas], 'ou')
}

const faixa = (de: string, ate: string): string => (de === '0' ? `até ${ate}` : `${de} a ${ate}`)

function descreverDecimal(padrao: string): string | undefined {
  if (!padrao.includes('\\.'))
    return /^(?:0\|)?\[1-9\]/.test(padrao)
      ? 'número inteiro sem zero à esquerda, dentro do tamanho do campo'
      : undefined
  const inteiros = [...padrao.matchAll(/\[1-9\]\{1\}\[0-9\]\{0,(\d+)\}/g)].map(([, n]) => Number(n) + 1)
  const casas = [...padrao.matchAll(/\[0-9\]\{(\d+)(?:,(\d+))?\}/g)].flatMap(([todo, de, ate]) =>
    padrao[padrao.indexOf(todo) - 1] === '.' ? [ate ? `${de} a ${ate}` : `${de}`] : [],
  )
  const quantas = `${casas.at(-1) ?? ''} casas decimais`.trim()
  const antes = inteiros.length > 0 ? `até ${Math.max(...inteiros)} algarismos antes do ponto e ` : ''
  return `número com ${antes}${quantas}, separadas por ponto, sem separador de milhar e sem zero à esquerda`
}
