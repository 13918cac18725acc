import { readFileSync } from 'node:fs'
import { type Aleatorio, createAleatorio, mix, type Sorteio, zipf } from '../documento/aleatorio.ts'

export type Municipio = { tom: string; ibge: string; uf: string; nome: string }

/** Rows of a domain table beside this file, `"codigo";"descricao"`, UTF-8. */
export function readTabela(
  nome: 'cnaes' | 'motivos' | 'naturezas' | 'paises' | 'qualificacoes',
): [string, string][] {
  const texto = readFileSync(new URL(`./dominios/${nome}.csv`, import.meta.url), 'utf8')
  return texto
    .trimEnd()
    .split('\n')
    .map((linha) => {
      const [, codigo, descricao] = /^"(\d+)";"(.+)"$/.exec(linha) ?? []
      if (!codigo || !descricao) throw new Error(`dominios/${nome}.csv: linha inválida: ${linha}`)
      return [codigo, descricao]
    })
}

/** Every Brazilian municipality of `data/municipios-siafi.csv`, by TOM code. */
export function readMunicipios(): Municipio[] {
  const texto = readFileSync(new URL('../../data/municipios-siafi.csv', import.meta.url), 'utf8')
  return texto
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((linha) => {
      const [tom = '', ibge = '', uf = '', ...nome] = linha.split(',')
      return { tom, ibge, uf, nome: nome.join(',') }
    })
}

/** Content of the six small sets in the official form (quoted, `;`, LF, latin-1), by set name. */
export function conteudoDosDominios(): Map<string, Buffer> {
  const municipios: [string, string][] = readMunicipios().map(({ tom, nome }) => [tom, nome])
  municipios.push(['9707', 'EXTERIOR'])
  municipios.sort(([a], [b]) => (a < b ? -1 : 1))
  const tabelas: [string, [string, string][]][] = [
    ['Cnaes', readTabela('cnaes')],
    ['Motivos', readTabela('motivos')],
    ['Municipios', municipios],
    ['Naturezas', readTabela('naturezas')],
    ['Paises', readTabela('paises')],
    ['Qualificacoes', readTabela('qualificacoes')],
  ]
  return new Map(
    tabelas.map(([conjunto, linhas]) => {
      const texto = linhas.map(([codigo, descricao]) => `"${codigo}";"${descricao}"\n`).join('')
      return [conjunto, Buffer.from(texto, 'latin1')]
    }),
  )
}

export type Vocabulario = {
  prenome: Sorteio
  sobrenome: Sorteio
  logradouro: Sorteio
  tipoLogradouro: Sorteio
  bairro: Sorteio
  ramo: Sorteio
  fantasia: Sorteio
  complemento: Sorteio
  /** A word of the long tail: 20,000 invented ones, so that the words of a dump have no small closed set. */
  rara: Sorteio
  cnae: Sorteio
  capital: Sorteio
  municipio: (aleatorio: Aleatorio) => Municipio
}

const CNAES_COMUNS =
  '4781400,9602501,5611203,4120400,4712100,4399103,8219999,4930202,5611201,4321500,7319002,4772500,4530703,4520001,8599604,5620104,4723700,1412602,4744099,5320202,9430800,8112500,6920601,8630503,6201501,7020400,4761003,4789099,4330404,9491000,4930201,4771701,5612100,4729699,8121400,4755502,9511800,4751201'.split(
    ',',
  )
const CAPITAIS =
  '0,00 1000,00 5000,00 10000,00 1,00 2000,00 500,00 3000,00 100,00 20000,00 50000,00 30000,00 100000,00 15000,00 40000,00 200000,00 60000,00 300000,00 80000,00 500000,00 1000000,00 2500,00 1500,00 1200,00 99800,00 110000,00'.split(
    ' ',
  )
/** TOM codes of the largest cities, largest first. */
const CIDADES =
  '7107 6001 4123 9701 1389 3849 7535 0255 9373 8801 2531 0427 6477 6291 0921 2873 5869 7075 1219 6969 5403 7145 7093 5877 4801 6919 2051 9051 7149 0301 8105 8179 4733 5833'.split(
    ' ',
  )

export function readVocabulario(): Vocabulario {
  const raras = invent(20_000)
  const sorteioRaro = zipf(raras, 0.7, 20)
  const comRaras = (nome: string, expoente: number, proporcao: number): Sorteio => {
    const comum = zipf(readPalavras(nome), expoente)
    return (aleatorio) => (aleatorio.chance(proporcao) ? sorteioRaro(aleatorio) : comum(aleatorio))
  }
  const cnaes = readTabela('cnaes').map(([codigo]) => codigo)
  return {
    prenome: comRaras('prenomes', 0.6, 0.04),
    sobrenome: comRaras('sobrenomes', 0.8, 0.08),
    logradouro: zipf(readPalavras('logradouros'), 0.6),
    tipoLogradouro: zipf(readPalavras('tipos-logradouro'), 2.2, 1),
    bairro: comRaras('bairros', 0.7, 0.12),
    ramo: zipf(readPalavras('ramos'), 0.8),
    fantasia: comRaras('fantasias', 0.6, 0.3),
    complemento: zipf(readPalavras('complementos'), 1.1),
    rara: sorteioRaro,
    cnae: zipf([...CNAES_COMUNS, ...cnaes.filter((codigo) => !CNAES_COMUNS.includes(codigo))], 0.8),
    capital: zipf(CAPITAIS, 1),
    municipio: pickMunicipio(),
  }
}

function readPalavras(nome: string): string[] {
  const texto = readFileSync(new URL(`./vocabulario/${nome}.txt`, import.meta.url), 'latin1')
  return texto.trimEnd().split('\n')
}

function pickMunicipio(): (aleatorio: Aleatorio) => Municipio {
  const porTom = new Map(readMunicipios().map((municipio) => [municipio.tom, municipio]))
  const menores = [...porTom.keys()].filter((tom) => !CIDADES.includes(tom))
  menores.sort((a, b) => mix(Number(a), 1) - mix(Number(b), 1))
  const tom = zipf([...CIDADES.filter((codigo) => porTom.has(codigo)), ...menores], 0.95, 1)
  const padrao = porTom.get('7107')
  if (!padrao) throw new Error('data/municipios-siafi.csv não tem 7107 (São Paulo).')
  return (aleatorio) => porTom.get(tom(aleatorio)) ?? padrao
}

function invent(quantas: number): string[] {
  const aleatorio = createAleatorio(7)
  aleatorio.seed(quantas, 0)
  const silabas =
    'BA BE BRA CA CAR CLE CO CRI DA DE DO DRI FA FER FI GA GLO GRA HE IS JA JU KA KE LA LE LI LU MA MAR ME MI NA NE NI NO PA PE PRO QUI RA RE RI RO SA SE SOL TA TE TI TRA VA VE VI XA ZE ZI'.split(
      ' ',
    )
  const finais = 'DO LI NE RA TO VIC ZA NI MAR LUX TEX NA RIO SAN VEL'.split(' ')
  const palavras = new Set<string>()
  while (palavras.size < quantas) {
    let palavra = ''
    for (let n = 1 + aleatorio.ate(3); n > 0; n--) palavra += silabas[aleatorio.ate(silabas.length)] ?? ''
    palavras.add(palavra + (finais[aleatorio.ate(finais.length)] ?? ''))
  }
  return [...palavras]
}
