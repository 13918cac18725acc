import { mix } from '../documento/aleatorio.ts'
import {
  camposDeEmpresa,
  camposDeEstabelecimento,
  camposDeSimples,
  camposDeSocio,
  hasSimples,
  quantosSocios,
} from './linhas.ts'
import { conhecidos, type Empresa, empresa, type Plano } from './plano.ts'

/** A kind of dirt: companies whose number leaves `resto` when divided by `periodo` have it. */
type Sujeira = { periodo: number; resto: number; soil: (campos: string[]) => void }

const FANTASIA = 4
const SITUACAO = 5
const DATA = 6
const MOTIVO = 7
const LOGRADOURO = 14
const NUMERO = 15
const COMPLEMENTO = 16
const CEP = 18

const change = (coluna: number, valor: string | ((antes: string) => string)) => (campos: string[]) => {
  const antes = campos[coluna] ?? ''
  campos[coluna] = typeof valor === 'string' ? valor : valor(antes)
}

const ESTABELECIMENTO: Sujeira[] = [
  { periodo: 997, resto: 1, soil: change(FANTASIA, 'BAR DO "ZE DA ESQUINA') },
  { periodo: 997, resto: 2, soil: change(FANTASIA, 'CASA ""DOIS IRMAOS"" LANCHES') },
  { periodo: 997, resto: 3, soil: change(LOGRADOURO, (antes) => `${antes.slice(0, 3)}\0${antes.slice(3)}`) },
  { periodo: 997, resto: 4, soil: change(COMPLEMENTO, 'LETRA:A;SALA 2') },
  { periodo: 997, resto: 5, soil: change(COMPLEMENTO, 'BLOCO B\nAPT 301') },
  { periodo: 997, resto: 6, soil: change(LOGRADOURO, (antes) => `   ${antes.replaceAll(' ', '    ')}  `) },
  { periodo: 997, resto: 7, soil: change(DATA, '0') },
  { periodo: 997, resto: 8, soil: change(DATA, '00000000') },
  { periodo: 997, resto: 9, soil: change(DATA, '02020731') },
  { periodo: 997, resto: 10, soil: change(DATA, '41000101') },
  { periodo: 997, resto: 11, soil: change(CEP, '1310100') },
  { periodo: 997, resto: 12, soil: change(CEP, '0') },
  { periodo: 997, resto: 14, soil: change(CEP, 'SEM CEP') },
  { periodo: 997, resto: 15, soil: exterior },
  { periodo: 997, resto: 16, soil: boaEsperancaDoNorte },
  { periodo: 997, resto: 18, soil: change(MOTIVO, '32') },
  { periodo: 199, resto: 19, soil: change(SITUACAO, (antes) => antes.replace(/^0/, '')) },
  { periodo: 997, resto: 20, soil: change(LOGRADOURO, 'JOS\xc9 DE ALENCAR') },
  { periodo: 997, resto: 21, soil: change(COMPLEMENTO, 'FUNDOS\\') },
  { periodo: 997, resto: 22, soil: change(NUMERO, '') },
  { periodo: 20_011, resto: 23, soil: shift },
]

const EMPRESA: Sujeira[] = [
  { periodo: 997, resto: 30, soil: change(4, '-5000,00') },
  { periodo: 997, resto: 31, soil: change(4, '999999999999,00') },
  { periodo: 997, resto: 32, soil: change(4, '1061004829,23') },
  { periodo: 997, resto: 33, soil: change(5, '') },
  { periodo: 997, resto: 34, soil: change(1, (antes) => `${antes.replace(' ', ' "')}`) },
  { periodo: 997, resto: 35, soil: change(1, (antes) => ` ${antes.replaceAll(' ', '  ')} `) },
  { periodo: 3989, resto: 36, soil: change(2, '9997') },
]

const SOCIO: Sujeira[] = [
  { periodo: 97, resto: 40, soil: change(4, '36') },
  { periodo: 97, resto: 41, soil: change(6, '008') },
  { periodo: 97, resto: 42, soil: change(6, '367') },
  { periodo: 97, resto: 43, soil: change(3, '***123456**') },
  { periodo: 97, resto: 44, soil: change(5, '00000000') },
]

function exterior(campos: string[]): void {
  change(8, 'MONTEVIDEU')(campos)
  change(9, '845')(campos)
  campos.splice(13, 8, '', 'AVENIDA 18 DE JULIO', '1234', '', '', '', 'EX', '9707')
}

function boaEsperancaDoNorte(campos: string[]): void {
  campos.splice(18, 3, '78887000', 'MT', '1182')
}

/** A lost district pushes the rest one column to the left: the municipality lands in the state's place. */
function shift(campos: string[]): void {
  campos.splice(17, 1)
  campos.splice(21, 0, '')
}

function apply(tipos: readonly Sujeira[], plano: Plano, { numero }: Empresa, campos: string[]): void {
  if (!plano.sujeira) return
  for (const { periodo, resto, soil } of tipos) if (numero % periodo === resto) soil(campos)
}

export const soilEstabelecimento = apply.bind(null, ESTABELECIMENTO)

export const soilEmpresa = apply.bind(null, EMPRESA)

export const soilSocio = apply.bind(null, SOCIO)

/** Rows that a company lacks or has twice, by its number modulo 3,989 (partners: every 97th). */
export function linhasDaSujeira(
  plano: Plano,
  { numero }: Empresa,
): {
  empresas: 0 | 1 | 2
  estabelecimentos: 0 | 1 | 2
  socios: 1 | 2
} {
  if (!plano.sujeira) return { empresas: 1, estabelecimentos: 1, socios: 1 }
  const resto = numero % 3989
  return {
    empresas: resto === 50 ? 0 : resto === 53 ? 2 : 1,
    estabelecimentos: resto === 51 ? 0 : resto === 52 ? 2 : 1,
    socios: numero % 97 === 54 ? 2 : 1,
  }
}

export type Conjunto = 'Empresas' | 'Estabelecimentos' | 'Socios' | 'Simples'

export type Parte = { conjunto: Conjunto; parte: number }

/** Share of the rows in part 0; the other parts divide the rest evenly. */
const FATIA_ZERO: Record<Conjunto, number> = {
  Empresas: 0.3,
  Estabelecimentos: 0.41,
  Socios: 0.34,
  Simples: 1,
}
const SAL: Record<Conjunto, number> = { Empresas: 11, Estabelecimentos: 12, Socios: 13, Simples: 14 }
const PEDACO = 64 * 1024
/** Displaced rows wait in a pool of this many, so they turn up among rows some thousands of roots later. */
const ESPERA = 200
const FORA_DE_ORDEM = 0.08

/** The content of one zip's member, latin-1, in pieces of about 64 KiB. */
export function* conteudoDaParte(
  plano: Plano,
  { conjunto, parte }: Parte,
  count: () => void,
): Generator<Buffer> {
  let texto = ''
  for (const linha of desordenadas(plano, linhas(plano, conjunto, parte))) {
    count()
    texto += linha
    if (texto.length >= PEDACO) {
      yield Buffer.from(texto, 'latin1')
      texto = ''
    }
  }
  if (texto) yield Buffer.from(texto, 'latin1')
}

/** Holds back 8 % of the rows and lets each go in the place of a later one. */
function* desordenadas(plano: Plano, ordenadas: Iterable<string>): Generator<string> {
  const espera: string[] = []
  let numero = 0
  for (const linha of ordenadas) {
    const sorte = mix(numero++, plano.semente + 21)
    if (sorte >= FORA_DE_ORDEM * 0x100000000) yield linha
    else if (espera.length < ESPERA) espera.push(linha)
    else {
      const lugar = sorte % ESPERA
      yield espera[lugar] ?? ''
      espera[lugar] = linha
    }
  }
  yield* espera
}

function* linhas(plano: Plano, conjunto: Conjunto, parte: number): Generator<string> {
  if (parte === plano.partes - 1) yield* linhasConhecidas(conjunto)
  for (let numero = 0; numero < plano.empresas; numero++) {
    if (conjunto === 'Estabelecimentos') yield* linhasDeEstabelecimento(plano, numero, parte)
    else if (parteDe(plano, conjunto, numero, 0) === parte) {
      if (conjunto === 'Empresas') yield* linhasDeEmpresa(plano, empresa(plano, numero))
      else if (conjunto === 'Socios') yield* linhasDeSocio(plano, empresa(plano, numero))
      else yield* linhasDeSimples(plano, empresa(plano, numero))
    }
  }
}

/** The part a row goes to: by hash, so that neither ranges of roots nor the parts of two sets coincide. */
function parteDe(plano: Plano, conjunto: Conjunto, numero: number, indice: number): number {
  const p = mix(numero, mix(plano.semente, SAL[conjunto] + indice * 64)) / 0x100000000
  const zero = FATIA_ZERO[conjunto]
  if (p < zero || plano.partes === 1) return 0
  return 1 + Math.floor(((p - zero) / (1 - zero)) * (plano.partes - 1))
}

function* linhasDeEmpresa(plano: Plano, dona: Empresa): Generator<string> {
  const { empresas } = linhasDaSujeira(plano, dona)
  if (empresas === 0) return
  const campos = camposDeEmpresa(plano, dona)
  soilEmpresa(plano, dona, campos)
  if (empresas === 2) yield linha(campos.with(1, ''))
  yield linha(campos)
}

function* linhasDeEstabelecimento(plano: Plano, numero: number, parte: number): Generator<string> {
  let dona: Empresa | undefined
  const filiais = plano.filiais(numero)
  for (let indice = 0; indice <= filiais; indice++) {
    if (parteDe(plano, 'Estabelecimentos', numero, indice) !== parte) continue
    dona ??= empresa(plano, numero)
    const { estabelecimentos } = linhasDaSujeira(plano, dona)
    if (estabelecimentos === 0) return
    const campos = camposDeEstabelecimento(plano, dona, indice)
    if (indice === 0) soilEstabelecimento(plano, dona, campos)
    for (let vez = 0; vez < estabelecimentos; vez++) yield linha(campos)
  }
}

function* linhasDeSocio(plano: Plano, dona: Empresa): Generator<string> {
  const quantos = quantosSocios(plano, dona)
  const vezes = linhasDaSujeira(plano, dona).socios
  for (let ordem = 0; ordem < quantos; ordem++) {
    const campos = camposDeSocio(plano, dona, ordem)
    soilSocio(plano, dona, campos)
    for (let vez = 0; vez < vezes; vez++) yield linha(campos)
  }
}

function* linhasDeSimples(plano: Plano, dona: Empresa): Generator<string> {
  if (hasSimples(plano, dona)) yield linha(camposDeSimples(plano, dona))
}

function* linhasConhecidas(conjunto: Conjunto): Generator<string> {
  for (const { raiz, empresa: campos, estabelecimentos } of conhecidos) {
    if (conjunto === 'Empresas') yield linha([raiz, ...campos])
    if (conjunto === 'Estabelecimentos') for (const resto of estabelecimentos) yield linha([raiz, ...resto])
  }
}

const linha = (campos: readonly string[]): string => `"${campos.join('";"')}"\n`
