import { mix } from '../documento/aleatorio.ts'
import { conhecidos } from './conhecido.ts'
import { camposDeEmpresa } from './linha-empresa.ts'
import { camposDeSimples, temSimples } from './linha-simples.ts'
import { camposDeSocio, quantosSocios } from './linha-socio.ts'
import { camposDeEstabelecimento } from './linhas.ts'
import { type Empresa, empresa, type Plano } from './plano.ts'
import { linhasDaSujeira, sujarEmpresa, sujarEstabelecimento, sujarSocio } from './sujeira.ts'

/** The sets whose rows are generated. */
export type Conjunto = 'Empresas' | 'Estabelecimentos' | 'Socios' | 'Simples'

/** One zip of a big set. */
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

/**
 * The content of one zip's member, latin-1, in pieces of about 64 KiB; bounded memory. `contar` hears of
 * every row.
 */
export function* conteudoDaParte(
  plano: Plano,
  { conjunto, parte }: Parte,
  contar: () => void,
): Generator<Buffer> {
  let texto = ''
  for (const linha of desordenadas(plano, linhas(plano, conjunto, parte))) {
    contar()
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
  sujarEmpresa(plano, dona, campos)
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
    if (indice === 0) sujarEstabelecimento(plano, dona, campos)
    for (let vez = 0; vez < estabelecimentos; vez++) yield linha(campos)
  }
}

function* linhasDeSocio(plano: Plano, dona: Empresa): Generator<string> {
  const quantos = quantosSocios(plano, dona)
  const vezes = linhasDaSujeira(plano, dona).socios
  for (let ordem = 0; ordem < quantos; ordem++) {
    const campos = camposDeSocio(plano, dona, ordem)
    sujarSocio(plano, dona, campos)
    for (let vez = 0; vez < vezes; vez++) yield linha(campos)
  }
}

function* linhasDeSimples(plano: Plano, dona: Empresa): Generator<string> {
  if (temSimples(plano, dona)) yield linha(camposDeSimples(plano, dona))
}

function* linhasConhecidas(conjunto: Conjunto): Generator<string> {
  for (const { raiz, empresa: campos, estabelecimentos } of conhecidos) {
    if (conjunto === 'Empresas') yield linha([raiz, ...campos])
    if (conjunto === 'Estabelecimentos') for (const resto of estabelecimentos) yield linha([raiz, ...resto])
  }
}

function linha(campos: readonly string[]): string {
  return `"${campos.join('";"')}"\n`
}
