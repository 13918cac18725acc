import { dataBrasileira } from '../documento/dia.ts'
import {
  achado,
  camposDaParte,
  type DecisaoDoCadastro,
  type DecisaoSemRegra,
  doesNotApply,
  emVigorNoDia,
  type GrupoDaParte,
  indeterminado,
  type ParteDaNota,
  type PartesDaNota,
  whyNotInForce,
} from './rules-partes.ts'
import { addTempo, type Unidade } from './verificacoes/valores.ts'

/** An option as the base tells it: `S`, `N` or blank, and days (AAAA-MM-DD), empty where it has none. */
export type OpcaoNaBase = { opcao: string; data_opcao: string; data_exclusao: string }

/** What the monthly base tells of an establishment. Days are AAAA-MM-DD; what it does not tell is empty. */
export type EstabelecimentoNaBase = {
  /** 01, 02, 03, 04 or 08; another code decides nothing. */
  situacao: string
  data_situacao: string
  data_abertura: string
  uf: string
  /** Undefined if the company has no line among the options, which then were never made. */
  opcoes: { simples: OpcaoNaBase; mei: OpcaoNaBase } | undefined
}

export type RetratoDaBase = {
  /** AAAA-MM. */
  mes: string
  /** The earliest and the latest day that it may be of: one day, where its files tell it. */
  de: string
  ate: string
  /** A sample: it cannot say who is missing. */
  parcial: boolean
  comOpcoes: boolean
  find: (cnpj: string) => EstabelecimentoNaBase | undefined
}

type Caso = { parte: ParteDaNota; nota: PartesDaNota; base: RetratoDaBase }

/** What is known of the party's entry in the list: the entry, or why the rules end before it. */
type NaLista = { entrada: EstabelecimentoNaBase } | { fim: DecisaoSemRegra }

/** Days after which an opening is in the base and in the list. These bounds are our judgement. */
const ABERTURA_DIAS = 45
/** Days after which another change of situation is, which may be dated back. */
const MUDANCA_DIAS = 90
/** After an option, and after the request of one; the option of January is decided by the end of February. */
const ASSENTADA_MESES = 2
/** A new company may choose within 60 days of its opening, and the choice is then decided. */
const NOVA_MESES = 3
/** How far back an exclusion ex officio may reach. */
const EXCLUSAO_ANOS = 5

const depois = (dia: string, quantos: number, unidade: Unidade): string =>
  addTempo(dia, quantos, unidade) || '9999-12-31'

const mesBrasileiro = (mes: string): string => mes.split('-').toReversed().join('/')

const nomeDa = ({ mes, ate }: RetratoDaBase): string =>
  `A base CNPJ de ${mesBrasileiro(mes)} (dados até ${dataBrasileira(ate)})`

/** Whether the picture was taken after the day of the note, so that what happened until then is in it. */
const covers = ({ nota, base }: Caso): boolean => nota.dia < base.de

/** Whether the note is of a day after the month that follows the base's. */
const isVelha = ({ nota, base }: Caso): boolean =>
  nota.dia.slice(0, 7) > depois(`${base.mes}-01`, 1, 'meses').slice(0, 7)

const velha = ({ base }: Caso): DecisaoSemRegra =>
  indeterminado(`${nomeDa(base)} é velha demais para dizer como está o CNPJ no dia desta nota.`)

/** What speaks for a note, unless it is of after the picture: what changed in between is in no register. */
const pass = (caso: Caso, mensagem: string): DecisaoSemRegra =>
  covers(caso)
    ? achado('ok', 'certa', mensagem, '')
    : indeterminado(`${mensagem} Nada contra a nota até então; o que mudou depois a base não mostra.`)

/** In homologation test issuers pass, of which no public register tells: a failure of one decides nothing. */
const recusa = (caso: Caso, mensagem: string): DecisaoSemRegra =>
  caso.nota.ambiente === 'homologacao' && caso.parte.grupo === 'emit'
    ? indeterminado(
        `${mensagem} Em homologação um emitente marcado como de teste passa, e isso não é público.`,
      )
    : achado('falha', covers(caso) ? 'certa' : 'provavel', mensagem, '')

function naLista(caso: Caso): NaLista {
  const { parte, nota, base } = caso
  const fim = (found: DecisaoSemRegra): NaLista => ({ fim: found })
  if (parte.cnpj === '') return fim(doesNotApply('Só se verifica quem tem CNPJ na nota.'))
  if (nota.ambiente === 'homologacao' && parte.grupo !== 'emit' && /[A-Z]/.test(parte.cnpj))
    return fim(doesNotApply('Em homologação não se verifica um CNPJ com letras.'))
  const { documento, uf } = parte
  if (documento?.tipo !== 'cnpj' || !uf)
    return fim(indeterminado('A nota não traz um CNPJ válido e a UF, que são a chave da lista.'))
  const entrada = base.find(documento.documento)
  if (!entrada) return fim(ausente(caso))
  if (entrada.uf === uf) return { entrada }
  const onde = entrada.uf === '' ? 'não diz a UF do CNPJ' : `tem o CNPJ em ${entrada.uf}`
  return fim(
    indeterminado(
      `${nomeDa(base)} ${onde}, e a nota em ${uf}. A lista é por UF e CNPJ: se não houve mudança de UF depois da base, a nota é recusada como CNPJ não cadastrado; confira o endereço.`,
    ),
  )
}

function ausente(caso: Caso): DecisaoSemRegra {
  const { nota, base } = caso
  if (base.parcial)
    return indeterminado('A base CNPJ deste servidor é uma amostra: não diz quem falta na nacional.')
  // Who existed on the day of the note was opened by then, and the base would have it by now.
  if (depois(nota.dia, ABERTURA_DIAS, 'dias') > base.de)
    return indeterminado(`${nomeDa(base)} não tem este CNPJ, que pode ter sido aberto depois dela.`)
  const found = recusa(caso, `${nomeDa(base)} não tem este CNPJ.`)
  // A line that our import could not read is missing, too.
  return found.resultado === 'falha' ? { ...found, certeza: 'provavel' } : found
}

/** Rule of 178, 181, 183 and 185: the list has the CNPJ in the state of the note. */
function existencia(caso: Caso): DecisaoSemRegra {
  const na = naLista(caso)
  if ('fim' in na) return na.fim
  const { nota, base, parte } = caso
  const { data_abertura } = na.entrada
  const tem = `${nomeDa(base)} tem o CNPJ em ${parte.uf}`
  if (!covers(caso)) return isVelha(caso) ? velha(caso) : pass(caso, `${tem}.`)
  if (data_abertura !== '' && depois(data_abertura, ABERTURA_DIAS, 'dias') <= nota.dia)
    return pass(caso, `${tem}.`)
  return indeterminado(`${tem}, mas não se sabe se já o tinha no dia desta nota.`)
}

function daEntrada(caso: Caso, decide: (entrada: EstabelecimentoNaBase) => DecisaoSemRegra): DecisaoSemRegra {
  const na = naLista(caso)
  if ('entrada' in na) return decide(na.entrada)
  return na.fim.resultado === 'falha' ? doesNotApply('Só se verifica um CNPJ da lista.') : na.fim
}

const SITUACOES: Readonly<Record<string, string>> = {
  '01': 'nula',
  '02': 'ativa',
  '03': 'suspensa',
  '04': 'inapta',
  '08': 'baixada',
}

/** Rule of 179, 182, 184 and 186: the list has the CNPJ active. */
function situacao(caso: Caso): DecisaoSemRegra {
  return daEntrada(caso, ({ situacao: codigo, data_situacao }) => {
    const { nota, base } = caso
    const nome = SITUACOES[codigo]
    if (!nome) return indeterminado(`${nomeDa(base)} não diz a situação de modo que decida.`)
    const desde = data_situacao === '' ? '' : ` desde ${dataBrasileira(data_situacao)}`
    const mensagem = `${nomeDa(base)} mostra o CNPJ como ${nome}${desde}.`
    if (codigo === '03' || codigo === '04')
      return indeterminado(`${mensagem} Essa situação pode mudar em dias: confira na Receita Federal.`)
    if (!covers(caso)) {
      if (codigo !== '02') return recusa(caso, mensagem)
      return isVelha(caso) ? velha(caso) : pass(caso, mensagem)
    }
    // A nullity counts from the opening, whenever it was declared.
    const isAntes = data_situacao !== '' && depois(data_situacao, MUDANCA_DIAS, 'dias') <= nota.dia
    if (!isAntes || codigo === '01')
      return indeterminado(`${mensagem} Não se sabe o que a lista dizia no dia desta nota.`)
    return codigo === '02' ? pass(caso, mensagem) : recusa(caso, mensagem)
  })
}

/** The regimes of the list: 1 Simples Nacional, 2 MEI, 9 none of both. */
const REGIMES: Readonly<Record<string, string>> = {
  '1': 'Simples Nacional',
  '2': 'MEI',
  '9': 'nenhum dos dois',
}
const REGIME_DO_CRT: Readonly<Record<string, string>> = { '1': '1', '2': '1', '3': '9', '4': '2' }

/** Undefined if an option is blank. */
function regimeDe({ opcoes }: EstabelecimentoNaBase): '1' | '2' | '9' | undefined {
  if (!opcoes) return '9'
  const { simples, mei } = opcoes
  if (![simples, mei].every(({ opcao }) => opcao === 'S' || opcao === 'N')) return undefined
  if (mei.opcao === 'S') return '2'
  return simples.opcao === 'S' ? '1' : '9'
}

/** Rule of 180: the CRT is the one of the regime. */
function regime(caso: Caso): DecisaoSemRegra {
  return daEntrada(caso, (entrada) => {
    const { nota, base, parte } = caso
    if (!base.comOpcoes)
      return indeterminado(`${nomeDa(base)} foi importada sem as opções pelo Simples e pelo MEI.`)
    const daNota = REGIME_DO_CRT[parte.crt]
    const daBase = regimeDe(entrada)
    if (!daNota || !daBase) return indeterminado('A nota ou a base não diz o regime de modo que decida.')
    const mensagem = `${nomeDa(base)} mostra o regime do emitente como ${REGIMES[daBase]}; a nota tem CRT ${parte.crt}.`
    const incerto = (porque: string): DecisaoSemRegra => indeterminado(`${mensagem} ${porque}`)
    if (covers(caso)) {
      if (!isAssentado(entrada, nota.dia))
        return incerto('A opção mudou perto do dia desta nota, ou depois dele.')
      return daNota === daBase ? pass(caso, mensagem) : recusa(caso, mensagem)
    }
    if (isVelha(caso)) return velha(caso)
    // Options begin in January, so the base of last year tells little.
    if (nota.dia.slice(0, 4) !== base.de.slice(0, 4))
      return incerto('A opção pode ter mudado na virada do ano.')
    if (daNota === daBase) return pass(caso, mensagem)
    if (mayHaveLeft(daBase, daNota)) return incerto('A empresa pode ter saído desse regime depois da base.')
    return isFechado(entrada, base)
      ? recusa(caso, mensagem)
      : incerto('Uma opção pode estar pedida e ainda não constar.')
  })
}

/** A choice is settled two months after its day; an exclusion may be written down years after it. */
function isAssentado({ opcoes, data_abertura }: EstabelecimentoNaBase, dia: string): boolean {
  const aberta = data_abertura !== '' && depois(data_abertura, NOVA_MESES, 'meses') <= dia
  const assentadas = [opcoes?.simples, opcoes?.mei].every(
    (opcao) =>
      !opcao ||
      ((opcao.data_opcao === '' || depois(opcao.data_opcao, ASSENTADA_MESES, 'meses') <= dia) &&
        (opcao.data_exclusao === '' || depois(opcao.data_exclusao, EXCLUSAO_ANOS, 'anos') <= dia)),
  )
  return aberta && assentadas
}

/**
 * A regime is left in any month, and entered in January or at the opening (LC 123/2006, arts. 16, 18-A, 31).
 */
const mayHaveLeft = (daBase: string, daNota: string): boolean =>
  daBase === '2' || (daBase === '1' && daNota === '9')

/** Whether no choice of this year can still be on its way to the base. */
function isFechado({ opcoes, data_abertura }: EstabelecimentoNaBase, { de }: RetratoDaBase): boolean {
  const dias = [opcoes?.simples, opcoes?.mei].flatMap((opcao) =>
    opcao ? [opcao.data_opcao, opcao.data_exclusao] : [],
  )
  const quietas = [...dias, `${de.slice(0, 4)}-01-01`].every(
    (dia) => dia === '' || depois(dia, ASSENTADA_MESES, 'meses') <= de,
  )
  return quietas && data_abertura !== '' && depois(data_abertura, NOVA_MESES, 'meses') <= de
}

type Regra = { codigo: number; campo: string; decide: (caso: Caso) => DecisaoSemRegra }

type RegrasDaParte = { uf: string; regras: readonly Regra[] }

const doCnpj = (
  grupo: GrupoDaParte,
  uf: string,
  [existe, ativo]: readonly [number, number],
): RegrasDaParte => ({
  uf: `${grupo}/${uf}`,
  regras: [
    { codigo: existe, campo: `${grupo}/CNPJ`, decide: existencia },
    { codigo: ativo, campo: `${grupo}/CNPJ`, decide: situacao },
  ],
})

const doEmitente = doCnpj('emit', 'enderEmit/UF', [178, 179])

const REGRAS: Readonly<Record<GrupoDaParte, RegrasDaParte>> = {
  emit: { ...doEmitente, regras: [...doEmitente.regras, { codigo: 180, campo: 'emit/CRT', decide: regime }] },
  dest: doCnpj('dest', 'enderDest/UF', [181, 182]),
  retirada: doCnpj('retirada', 'UF', [183, 184]),
  entrega: doCnpj('entrega', 'UF', [185, 186]),
}

/** 178 to 186 (NT 2026.007 v1.10). What may have changed since the day of the base is never decided. */
export function decideByListaFederal(
  nota: PartesDaNota,
  base: RetratoDaBase | undefined,
): DecisaoDoCadastro[] {
  const { modelo, emitente, destinatario, retirada, entrega } = nota
  const partes = [emitente, destinatario, ...(modelo === '55' ? [retirada, entrega] : [])]
  const porque = impedimento(nota, base)
  return partes.flatMap((parte) => {
    if (!parte) return []
    const { uf, regras } = REGRAS[parte.grupo]
    return regras.map(({ codigo, campo, decide }) => ({
      codigo,
      campos: camposDaParte(parte, codigo === 180 ? [campo, 'emit/CNPJ', uf] : [campo, uf]),
      ...(base && !porque ? decide({ parte, nota, base }) : (porque ?? indeterminado(SEM_BASE))),
    }))
  })
}

const SEM_BASE = 'A base CNPJ não está neste servidor: sem ela a lista federal não se decide.'

/** Why none of the rules is decided for the note; undefined if they are. */
function impedimento(
  { dia, ambiente }: PartesDaNota,
  base: RetratoDaBase | undefined,
): DecisaoSemRegra | undefined {
  if (dia === '') return indeterminado('A nota não diz o dia em que foi emitida (dhEmi).')
  const vigor = emVigorNoDia(dia, ambiente)
  if (vigor === 'nao') return doesNotApply(whyNotInForce(dia, ambiente))
  if (vigor === 'talvez') return indeterminado(whyNotInForce(dia, ambiente))
  if (!base) return indeterminado(SEM_BASE)
  // What changed on the day of the picture itself is on neither side of it.
  return base.de <= dia && dia <= base.ate
    ? indeterminado(`${nomeDa(base)} é do dia desta nota, ou não diz de que dia é.`)
    : undefined
}
