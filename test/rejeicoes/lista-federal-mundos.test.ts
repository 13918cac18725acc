import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAleatorio } from '../../simulator/documento/aleatorio.ts'
import type { Uf } from '../../src/documento/uf.ts'
import {
  decideByListaFederal,
  type EstabelecimentoNaBase,
  type OpcaoNaBase,
  type RetratoDaBase,
} from '../../src/rejeicoes/rules-lista-federal.ts'
import type { ParteDaNota, PartesDaNota } from '../../src/rejeicoes/rules-partes.ts'
import { emitente, partes } from '../kit/rejeicoes.ts'

const CNPJ = '11222333000181'
const OUTRO = '99034721000180'
const COM_LETRAS = '12ABC34501DE35'

/** Days are counted from 2010-01-01. */
const diaDe = (numero: number): string =>
  new Date(Date.UTC(2010, 0, 1) + numero * 86_400_000).toISOString().slice(0, 10)
const numeroDe = (dia: string): number => (Date.parse(dia) - Date.UTC(2010, 0, 1)) / 86_400_000

/** An act: it holds from `efeito` on, and the register knows of it from `escrito` on. */
type Ato = { escrito: number; efeito: number } & (
  | { situacao: string }
  | { uf: Uf }
  | { regime: Regime; sai: boolean }
)
type Regime = '1' | '2' | '9'

/** A company: when the register got to know of it, and what happened to it since. */
type Empresa = { aberta: number; escrita: number; uf: Uf; regime: Regime; atos: Ato[] }

const TIPOS = [
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
type Tipo = (typeof TIPOS)[number]

/** What the register says of a company on a day. Undefined: it does not know of it. */
type Verdade = { situacao: string; uf: Uf; regime: Regime }

const ate = (atos: readonly Ato[], dia: number): Ato[] =>
  atos.filter(({ escrito }) => escrito <= dia).toSorted((a, b) => a.escrito - b.escrito)

/** What the register says of a company on a day: the acts that it knows of by then. */
function verdadeEm({ escrita, uf, regime, atos }: Empresa, dia: number): Verdade | undefined {
  if (escrita > dia) return undefined
  return Object.assign({ situacao: '02', uf, regime }, ...ate(atos, dia).map(soDaVerdade))
}

function soDaVerdade(ato: Ato): Partial<Verdade> {
  if ('situacao' in ato) return { situacao: ato.situacao }
  return 'uf' in ato ? { uf: ato.uf } : { regime: ato.regime }
}

const SEM: OpcaoNaBase = { opcao: 'N', data_opcao: '', data_exclusao: '' }

/** The picture of a company that the base of a day has. */
function retratoDe(empresa: Empresa, dia: number): EstabelecimentoNaBase | undefined {
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

type Sorte = ReturnType<typeof criarSorte>

/** Choices of a case that are always the same. */
function criarSorte(caso: number) {
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
function criarEmpresa(tipo: Tipo, nota: number, sorte: Sorte): Empresa | undefined {
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

/** A note, the companies that it names, and the picture that the base has of them. */
type Mundo = {
  nota: PartesDaNota
  retrato: RetratoDaBase
  dia: number
  empresas: { parte: ParteDaNota; empresa: Empresa | undefined; deTeste: boolean }[]
}

const mesmoOuDepois = (dia: string, de: string): boolean => numeroDe(dia) >= numeroDe(de)

/** Whether the rules are in force, told by the dates of the technical note and of the notice. */
function vigorDe({ dia, ambiente }: PartesDaNota): 'fora' | 'disputado' | 'vale' {
  const [texto, aviso] = ambiente === 'producao' ? ['2026-11-03', '2026-11-16'] : ['2026-10-05', '2026-10-26']
  if (mesmoOuDepois(dia, aviso ?? '')) return 'vale'
  return mesmoOuDepois(dia, texto ?? '') ? 'disputado' : 'fora'
}

function criarMundo(caso: number): Mundo {
  const sorte = criarSorte(caso)
  const { entre, um, chance } = sorte
  const ambiente = chance(0.3) ? 'homologacao' : 'producao'
  const dia =
    numeroDe(ambiente === 'producao' ? '2026-11-01' : '2026-10-03') +
    (chance(0.2) ? entre(0, 25) : entre(20, 300))
  // Stale, of the month or so, or of later than the note.
  const extracao = dia + um([entre(-150, -60), entre(-60, 0), entre(-30, 0), entre(1, 60), entre(60, 300)])
  const tipoDe = (): Tipo => um(TIPOS)
  const criar = (grupo: ParteDaNota['grupo'], cnpj: string, tipo: Tipo) => {
    const empresa = criarEmpresa(tipo, dia, sorte)
    return { parte: parteDe({ grupo, cnpj, empresa, dia }, sorte), empresa, deTeste: chance(0.2) }
  }
  const empresas = [
    criar('emit', chance(0.2) ? COM_LETRAS : CNPJ, TIPOS[caso % TIPOS.length] ?? 'ativa'),
    criar(
      um(['dest', 'retirada', 'entrega'] as const),
      chance(0.3) ? COM_LETRAS.replace('E35', 'F16') : OUTRO,
      tipoDe(),
    ),
  ]
  const de = (grupo: ParteDaNota['grupo']) => empresas.find(({ parte }) => parte.grupo === grupo)?.parte
  const semDia = chance(0.1)
  const parcial = chance(0.1)
  const mes = diaDe(extracao).slice(0, 7)
  const ultimo = numeroDe(`${diaDe(numeroDe(`${mes}-01`) + 31).slice(0, 7)}-01`) - 1
  const faltam = parcial && chance(0.5)
  return {
    nota: partes({
      dia: diaDe(dia),
      ambiente,
      emitente: de('emit') ?? emitente,
      destinatario: de('dest'),
      retirada: de('retirada'),
      entrega: de('entrega'),
    }),
    retrato: {
      mes,
      de: semDia ? `${mes}-01` : diaDe(extracao),
      ate: diaDe(semDia ? ultimo : extracao),
      parcial,
      comOpcoes: chance(0.9),
      find: (cnpj) => {
        const { empresa } = empresas.find(({ parte }) => parte.cnpj === cnpj) ?? {}
        return empresa && !faltam ? retratoDe(empresa, extracao) : undefined
      },
    },
    dia,
    empresas,
  }
}

const CRT_DO_REGIME = { '1': ['1', '2'], '2': ['4'], '9': ['3'] } as const

/** A party as a note of the day has it: with its address of then or an older one, its CRT or a wrong one. */
function parteDe(
  {
    grupo,
    cnpj,
    empresa,
    dia,
  }: { grupo: ParteDaNota['grupo']; cnpj: string; empresa: Empresa | undefined; dia: number },
  { um, chance }: Sorte,
): ParteDaNota {
  const verdade = empresa && verdadeEm(empresa, dia)
  const uf = (chance(0.5) ? verdade?.uf : undefined) ?? empresa?.uf ?? 'SP'
  const certo = CRT_DO_REGIME[verdade?.regime ?? '9']
  const escrito = chance(0.6) ? um<string>(certo) : um(['1', '2', '3', '4'])
  return {
    ...emitente,
    grupo,
    cnpj,
    documento: { tipo: 'cnpj', documento: cnpj },
    uf,
    crt: escrito,
  }
}

/** What the authority does of a code: it refuses, lets pass, or does not look. */
function autoridade(
  codigo: number,
  { nota: { ambiente }, dia }: Mundo,
  { parte, empresa, deTeste }: Mundo['empresas'][number],
): 'recusa' | 'passa' | 'nao olha' {
  const isEmit = codigo <= 180
  if (ambiente === 'homologacao' && (isEmit ? deTeste : /[A-Z]/.test(parte.cnpj))) return 'nao olha'
  const verdade = empresa && verdadeEm(empresa, dia)
  const naLista = verdade !== undefined && verdade.uf === parte.uf
  if ([178, 181, 183, 185].includes(codigo)) return naLista ? 'passa' : 'recusa'
  if (!naLista) return 'nao olha'
  const certo: readonly string[] = CRT_DO_REGIME[verdade.regime]
  const cumpre = codigo === 180 ? certo.includes(parte.crt) : verdade.situacao === '02'
  return cumpre ? 'passa' : 'recusa'
}

test('2,400 companies of twelve kinds: no wrong ok, no wrong failure', () => {
  const contagem = new Map<string, number>()
  const contar = (what: string): void => void contagem.set(what, (contagem.get(what) ?? 0) + 1)
  for (let caso = 0; caso < 2400; caso++) {
    const mundo = criarMundo(caso)
    const vigor = vigorDe(mundo.nota)
    for (const decisao of decideByListaFederal(mundo.nota, mundo.retrato)) {
      const { codigo, resultado, mensagem } = decisao
      const onde = `case ${caso}, ${codigo}: ${mensagem}`
      if (vigor !== 'vale') {
        assert.equal(resultado, vigor === 'fora' ? 'nao_aplicavel' : 'indeterminado', onde)
        contar(vigor)
        continue
      }
      const grupo = decisao.campos[0]?.caminho.split('/')[0]
      const dela = mundo.empresas.find(({ parte }) => parte.grupo === grupo)
      assert.ok(dela, onde)
      const faz = autoridade(codigo, mundo, dela)
      contar(`${codigo} ${resultado}`)
      if (resultado === 'falha') assert.equal(faz, 'recusa', onde)
      if (resultado === 'nao_aplicavel') assert.equal(faz, 'nao olha', onde)
      if (resultado === 'ok')
        assert.ok(faz === 'passa' || (faz === 'nao olha' && codigo <= 180 && dela.deTeste), onde)
    }
  }
  for (let codigo = 178; codigo <= 186; codigo++)
    for (const resultado of ['ok', 'falha', 'indeterminado'])
      assert.ok((contagem.get(`${codigo} ${resultado}`) ?? 0) >= 5, JSON.stringify([...contagem].sort()))
  assert.ok((contagem.get('disputado') ?? 0) >= 100 && (contagem.get('fora') ?? 0) >= 50)
})
