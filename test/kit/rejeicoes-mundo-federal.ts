import { createAleatorio } from '../../simulator/documento/aleatorio.ts'
import type { Uf } from '../../src/documento/uf.ts'
import type { EstabelecimentoNaBase, OpcaoNaBase } from '../../src/rejeicoes/rules-lista-federal.ts'
import type { ParteDaNota, PartesDaNota } from '../../src/rejeicoes/rules-partes.ts'

export const CNPJ = '11222333000181'
export const OUTRO = '99034721000180'
export const COM_LETRAS = '12ABC34501DE35'

export const emit: ParteDaNota = {
  grupo: 'emit',
  documento: { tipo: 'cnpj', documento: CNPJ },
  cnpj: CNPJ,
  ie: '',
  uf: 'SP',
  municipio: '',
  crt: '3',
}

export const nota = (given: Partial<PartesDaNota> = {}): PartesDaNota => ({
  modelo: '55',
  tpEmis: '1',
  dia: '2026-11-20',
  ambiente: 'producao',
  emitente: emit,
  destinatario: undefined,
  retirada: undefined,
  entrega: undefined,
  ...given,
})

/** Days are counted from 2010-01-01. */
export const diaDe = (numero: number): string =>
  new Date(Date.UTC(2010, 0, 1) + numero * 86_400_000).toISOString().slice(0, 10)
export const numeroDe = (dia: string): number => (Date.parse(dia) - Date.UTC(2010, 0, 1)) / 86_400_000

/** An act: it holds from `efeito` on, and the register knows of it from `escrito` on. */
type Ato = { escrito: number; efeito: number } & (
  | { situacao: string }
  | { uf: Uf }
  | { regime: Regime; sai: boolean }
)
type Regime = '1' | '2' | '9'

/** A company: when the register got to know of it, and what happened to it since. */
export type Empresa = { aberta: number; escrita: number; uf: Uf; regime: Regime; atos: Ato[] }

export const TIPOS = [
  'ativa',
  'baixada',
  'suspensa',
  'inapta',
  'nula',
  'mudou de UF',
  'aberta há pouco',
  'Simples',
  'MEI',
  'saiu do Simples',
  'reativada',
  'inexistente',
] as const
export type Tipo = (typeof TIPOS)[number]

/** What the register says of a company on a day. Undefined: it does not know of it. */
export type Verdade = { situacao: string; uf: Uf; regime: Regime }

const ate = (atos: readonly Ato[], dia: number): Ato[] =>
  atos.filter(({ escrito }) => escrito <= dia).toSorted((a, b) => a.escrito - b.escrito)

/** What the register says of a company on a day: the acts that it knows of by then. */
export function verdadeEm({ escrita, uf, regime, atos }: Empresa, dia: number): Verdade | undefined {
  if (escrita > dia) return undefined
  return Object.assign({ situacao: '02', uf, regime }, ...ate(atos, dia).map(soDaVerdade))
}

function soDaVerdade(ato: Ato): Partial<Verdade> {
  if ('situacao' in ato) return { situacao: ato.situacao }
  return 'uf' in ato ? { uf: ato.uf } : { regime: ato.regime }
}

const SEM: OpcaoNaBase = { opcao: 'N', data_opcao: '', data_exclusao: '' }

/** The picture of a company that the base of a day has. */
export function retratoDe(empresa: Empresa, dia: number): EstabelecimentoNaBase | undefined {
  const verdade = verdadeEm(empresa, dia)
  if (!verdade) return undefined
  const atos = ate(empresa.atos, dia)
  const situacao = atos.findLast((ato) => 'situacao' in ato)
  return {
    situacao: verdade.situacao,
    data_situacao: diaDe(situacao?.efeito ?? empresa.aberta),
    data_abertura: diaDe(empresa.aberta),
    uf: verdade.uf,
    opcoes: opcoesDe(empresa, atos),
  }
}

function opcoesDe({ regime, aberta }: Empresa, atos: readonly Ato[]): EstabelecimentoNaBase['opcoes'] {
  let { simples, mei } = { simples: SEM, mei: SEM }
  const entrar = (em: Regime, dia: number): void => {
    const dentro = { opcao: 'S', data_opcao: diaDe(dia), data_exclusao: '' }
    if (simples.opcao === 'N' && em !== '9') simples = dentro
    if (em === '2') mei = dentro
  }
  const sair = (opcao: OpcaoNaBase, dia: number): OpcaoNaBase =>
    opcao.opcao === 'S' ? { ...opcao, opcao: 'N', data_exclusao: diaDe(dia) } : opcao
  entrar(regime, aberta)
  for (const ato of atos) {
    if (!('regime' in ato)) continue
    if (!ato.sai) entrar(ato.regime, ato.efeito)
    if (ato.sai && ato.regime === '9') simples = sair(simples, ato.efeito)
    if (ato.sai) mei = sair(mei, ato.efeito)
  }
  return simples === SEM && mei === SEM ? undefined : { simples, mei }
}

export type Sorte = ReturnType<typeof criarSorte>

/** Choices of a case that are always the same. */
export function criarSorte(caso: number) {
  const numeros = createAleatorio(2026)
  numeros.seed(caso, 13)
  const entre = (de: number, a: number): number => de + numeros.ate(a - de + 1)
  const um = <T>(list: readonly T[]): T => {
    const one = list[numeros.ate(list.length)]
    if (one === undefined) throw new Error('an empty list')
    return one
  }
  return { entre, um, chance: (p: number): boolean => numeros.chance(p) }
}

const UFS = ['SP', 'RJ', 'MG', 'RS', 'BA'] as const
const ANO = 365

/** The first of January of the year that a day is in. */
const janeiro = (dia: number): number => numeroDe(`${diaDe(dia).slice(0, 4)}-01-01`)
const inicioDoMes = (dia: number): number => numeroDe(`${diaDe(dia).slice(0, 7)}-01`)

/** A company of a kind, whose story may change on any day around the day of a note. */
export function criarEmpresa(tipo: Tipo, nota: number, sorte: Sorte): Empresa | undefined {
  const { entre, um, chance } = sorte
  if (tipo === 'inexistente') return undefined
  const aberta = tipo === 'aberta há pouco' ? nota - entre(-10, 60) : nota - entre(60, 12 * ANO)
  const escrita = aberta + entre(0, 20)
  const empresa: Empresa = { aberta, escrita, uf: um(UFS), regime: '9', atos: [] }
  const escrito = Math.max(escrita + 1, nota + entre(-250, 200))
  const situar = (situacao: string, em: number, atraso: number): void => {
    empresa.atos.push({ escrito: em, efeito: Math.max(aberta, em - atraso), situacao })
  }
  switch (tipo) {
    case 'baixada':
      if (chance(0.3)) situar(um(['03', '04']), Math.max(escrita, escrito - entre(1, 90)), 0)
      situar('08', escrito, entre(0, 80))
      break
    case 'suspensa':
    case 'inapta':
      situar(tipo === 'suspensa' ? '03' : '04', escrito, entre(0, 30))
      if (chance(0.5)) situar('02', escrito + entre(1, 60), entre(0, 5))
      break
    case 'nula':
      // The nullity counts from the opening.
      situar('01', escrito, escrito - aberta)
      break
    case 'reativada':
      situar('03', Math.max(escrita, escrito - entre(30, 300)), 0)
      situar('02', escrito, entre(0, 60))
      break
    case 'mudou de UF':
      empresa.atos.push({ escrito, efeito: escrito - entre(0, 30), uf: um(UFS) })
      break
    case 'Simples':
    case 'MEI':
      escolher(empresa, tipo === 'MEI' ? '2' : '1', escrito, sorte)
      break
    case 'saiu do Simples': {
      escolher(empresa, um(['1', '2']), aberta, sorte)
      const [entrada] = empresa.atos
      if (entrada && 'regime' in entrada && entrada.escrito < escrito) {
        const oficio = chance(0.3) ? entre(60, 4 * ANO) : entre(0, 60)
        const efeito = Math.max(entrada.efeito + 1, inicioDoMes(escrito - oficio))
        const regime = entrada.regime === '2' && chance(0.5) ? '1' : '9'
        empresa.atos.push({ escrito, efeito, regime, sai: true })
      }
      break
    }
    default:
      break
  }
  return empresa
}

/** A company chooses at its opening, or in January; the choice holds from then on, and is decided later. */
function escolher(empresa: Empresa, regime: Regime, perto: number, { entre, chance }: Sorte): void {
  const { aberta, escrita } = empresa
  const atos = empresa.atos
  if (chance(0.5)) {
    atos.push({ escrito: Math.max(escrita, aberta + entre(0, 75)), efeito: aberta, regime, sai: false })
    return
  }
  const efeito = janeiro(Math.max(perto, aberta + ANO))
  atos.push({ escrito: efeito + entre(1, 55), efeito, regime, sai: false })
}
