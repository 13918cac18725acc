import { semMascara } from '../documento/documento.ts'
import { normalizeInscricao } from '../documento/inscricao-estadual.ts'
import { fold } from '../platform/texto.ts'
import type { Inscricao } from '../portal/rules-inscricao.ts'
import type { Laudo } from './rules-laudo.ts'
import {
  achado,
  type CertezaDaDecisao,
  camposDaParte,
  type DecisaoDoCadastro,
  type DecisaoSemRegra,
  doesNotApply,
  emVigorNoDia,
  hasIe,
  indeterminado,
  type ParteDaNota,
  type PartesDaNota,
  whyNotInForce,
} from './rules-partes.ts'

export type RespostaDoCadastro = { inscricoes: readonly Inscricao[]; consultado_em: string }

/** What the register of its state told of a party. Undefined: not asked, or no answer. */
export type RegistroDaParte = {
  porDocumento: RespostaDoCadastro | undefined
  porIe: RespostaDoCadastro | undefined
  /** Why there is no answer, in Portuguese; empty if there are all. */
  falta: string
}

export type InscricaoAchada = { inscricao: Inscricao; consultado_em: string }

/** The same number, with or without signs and zeros on the left. */
const sameIe = ({ uf }: Pick<ParteDaNota, 'uf'>, one: string, other: string): boolean => {
  const plain = (ie: string): string => {
    const bare = semMascara(ie)
    return (uf ? normalizeInscricao(uf, bare) : bare).replace(/^0+/, '')
  }
  return plain(one) === plain(other)
}

/** The registration of the party's own number among those of its document, or the one found by the number. */
export function inscricaoDaParte(
  parte: ParteDaNota,
  { porDocumento, porIe }: RegistroDaParte,
): InscricaoAchada | undefined {
  const own = porDocumento?.inscricoes.find((one) => sameIe(parte, one.inscricao_estadual, parte.ie))
  if (own && porDocumento) return { inscricao: own, consultado_em: porDocumento.consultado_em }
  const [first] = porIe?.inscricoes ?? []
  return first && porIe && { inscricao: first, consultado_em: porIe.consultado_em }
}

/** Whether the number is registered in the state (rules of 230 and 233). */
function existencia(parte: ParteDaNota, registro: RegistroDaParte): DecisaoSemRegra {
  const { uf = '', ie } = parte
  const found = inscricaoDaParte(parte, registro)
  if (found) return achado('ok', 'certa', `A IE ${ie} está no cadastro de ${uf}.`, found.consultado_em)
  const { porIe, falta } = registro
  if (!porIe) return indeterminado(falta || `O cadastro de ${uf} não foi consultado por esta IE.`)
  return achado(
    'falha',
    'provavel',
    `O cadastro de ${uf} não mostra a IE ${ie}, nem pelo número nem pelo documento.`,
    porIe.consultado_em,
  )
}

/** Whether the number belongs to the party's document (rules of 231, 234, 622 and 624). */
function vinculo(parte: ParteDaNota, registro: RegistroDaParte): DecisaoSemRegra {
  const { uf = '', ie, documento } = parte
  if (!documento) return indeterminado('A nota não traz um CNPJ ou CPF válido para comparar.')
  const found = inscricaoDaParte(parte, registro)
  if (!found) {
    const isMissing = existencia(parte, registro).resultado === 'falha'
    return isMissing
      ? doesNotApply('Só se verifica uma IE cadastrada.')
      : indeterminado(registro.falta || `O cadastro de ${uf} não foi consultado por esta IE.`)
  }
  const { inscricao, consultado_em } = found
  const isOwn = registro.porDocumento?.inscricoes.includes(inscricao) === true
  const owner = semMascara(inscricao.cpf_cnpj)
  if (isOwn || owner === documento.documento)
    return achado('ok', 'certa', `A IE ${ie} é do documento informado.`, consultado_em)
  if (documento.tipo === 'cpf' && owner.length === 14)
    return indeterminado(
      `Em ${uf}, a IE ${ie} consta com um CNPJ, e a nota traz o CPF: verifique se a inscrição já tem CNPJ.`,
      consultado_em,
    )
  if (owner.length !== documento.documento.length)
    return indeterminado(`O cadastro de ${uf} não diz de quem é a IE ${ie}.`, consultado_em)
  // One registration may serve several establishments of a company ("regime especial de IE única").
  if (documento.tipo === 'cnpj' && owner.slice(0, 8) === documento.documento.slice(0, 8))
    return indeterminado(
      `A IE ${ie} é de outro estabelecimento da mesma empresa: vale só com regime de IE única.`,
      consultado_em,
    )
  return achado('falha', 'certa', `Em ${uf}, a IE ${ie} é de outro documento.`, consultado_em)
}

/** The names of municipalities, in capitals without accents. */
type Municipios = { doIbge: (codigo: string) => string; existe: (nome: string) => boolean }

type Registros = { emitente: RegistroDaParte; destinatario: RegistroDaParte; municipios: Municipios }

type Caso = { nota: PartesDaNota; parte: ParteDaNota; registro: RegistroDaParte; municipios: Municipios }

const SEM_IE = 'A nota não traz a IE.'
const ATIVA = 'ATIVA'

/** A fact of the registration of the party's number; undecided where it was not found. */
function daInscricao(
  { parte, registro }: Caso,
  decide: (inscricao: Inscricao, consultado_em: string) => DecisaoSemRegra,
): DecisaoSemRegra {
  if (!hasIe(parte)) return doesNotApply(SEM_IE)
  const found = inscricaoDaParte(parte, registro)
  if (found) return decide(found.inscricao, found.consultado_em)
  return indeterminado(registro.falta || `A IE não foi achada no cadastro de ${parte.uf ?? ''}.`)
}

/** The same, undecided too where the registration may be another taxpayer's. */
const daPropria = (
  caso: Caso,
  decide: (inscricao: Inscricao, consultado_em: string) => DecisaoSemRegra,
): DecisaoSemRegra =>
  daInscricao(caso, (inscricao, em) =>
    vinculo(caso.parte, caso.registro).resultado === 'ok'
      ? decide(inscricao, em)
      : indeterminado('Não há certeza de que a IE achada seja do documento da nota.', em),
  )

const ativa =
  (quem: string, certeza: CertezaDaDecisao) =>
  ({ situacao_ie: situacao }: Inscricao, em: string): DecisaoSemRegra => {
    if (situacao === '') return indeterminado('O cadastro não diz a situação da IE.', em)
    return situacao === ATIVA
      ? achado('ok', certeza, `A IE do ${quem} está ativa no cadastro do estado.`, em)
      : achado('falha', certeza, `A IE do ${quem} consta como ${situacao}.`, em)
  }

/** Rule of 301: the issuer is in order with the state, of which its registration is a sign. */
const irregular = (caso: Caso): DecisaoSemRegra => daPropria(caso, ativa('emitente', 'provavel'))

/** Rule of 306: the recipient's registration is active. */
const inativa = (caso: Caso): DecisaoSemRegra => daInscricao(caso, ativa('destinatário', 'certa'))

/** Rules of 480 and 482, which a state may leave out: the municipality is that of the register. */
const municipio = (caso: Caso): DecisaoSemRegra =>
  daPropria(caso, (inscricao, em) => {
    const { parte, municipios } = caso
    const noCadastro = fold(inscricao.municipio).trim()
    const naNota = municipios.doIbge(parte.municipio)
    if (noCadastro === '') return indeterminado('O cadastro não diz o município.', em)
    if (naNota === noCadastro)
      return achado('ok', 'certa', `O município é o do cadastro: ${inscricao.municipio}.`, em)
    // A name that no table has may be another spelling of the same place.
    if (naNota === '' || !municipios.existe(noCadastro))
      return indeterminado(`O cadastro diz ${inscricao.municipio}; não se sabe que código é.`, em)
    return achado(
      'falha',
      'provavel',
      `cMun ${parte.municipio} é ${naNota}; o cadastro diz ${inscricao.municipio}. Cada estado escolhe se aplica esta regra.`,
      em,
    )
  })

/** Rule of 481, which a state may leave out: the CRT is that of the register. */
const regime = (caso: Caso): DecisaoSemRegra =>
  daPropria(caso, ({ regime_apuracao_icms, regime_pagamento }, em) => {
    const { crt } = caso.parte
    const said = regime_apuracao_icms || regime_pagamento
    const words = fold(`${regime_apuracao_icms} ${regime_pagamento}`)
    const isSimples = /\bSIMPLES NACIONAL\b|\bSIMEI\b|\bMEI\b/.test(words)
    const isNormal = /\bNORMAL\b|\bPERIODICO DE APURACAO\b/.test(words)
    // "Não optante", "excluído": words about the regime that the taxpayer does not have.
    const isDenied = /\bNAO\b|\bEXCLU|\bDESENQUADR/.test(words)
    if (isDenied || isSimples === isNormal || !['1', '3'].includes(crt))
      return indeterminado('O cadastro não diz o regime de modo que decida o CRT.', em)
    const fits = isSimples === (crt === '1')
    if (fits) return achado('ok', 'provavel', `CRT ${crt} combina com o cadastro: ${said}.`, em)
    const mensagem = `CRT ${crt} não combina com o cadastro, que diz ${said}. Cada estado escolhe se aplica esta regra.`
    return achado('falha', 'provavel', mensagem, em)
  })

/** Rule of 232: who has to tell a registration tells it. The register does not show who may leave it out. */
function naoInformada({ parte, registro: { porDocumento, falta } }: Caso): DecisaoSemRegra {
  if (hasIe(parte)) return doesNotApply('A nota traz a IE do destinatário.')
  if (parte.documento?.tipo !== 'cnpj') return doesNotApply('Só se verifica um destinatário com CNPJ.')
  if (!porDocumento) return indeterminado(falta)
  const { inscricoes, consultado_em } = porDocumento
  const comAtiva = inscricoes.find(({ situacao_ie }) => situacao_ie === ATIVA)
  if (!comAtiva) return achado('ok', 'provavel', SEM_ATIVA, consultado_em)
  return indeterminado(
    `O destinatário tem a IE ativa ${comAtiva.inscricao_estadual} e a nota não a traz. Se o estado a exige dele, a nota é recusada (232, ou 728 com indIEDest 1); o cadastro público não diz.`,
    consultado_em,
  )
}

const SEM_ATIVA = 'O cadastro não mostra IE ativa deste CNPJ no estado.'

/** Whether the register of the issuer's state is asked of a note that has no number of his, for 163. */
export const mayLackIe = ({ modelo, dia, ambiente, emitente }: PartesDaNota): boolean =>
  modelo === '55' &&
  !hasIe(emitente) &&
  emitente.documento?.tipo === 'cnpj' &&
  dia !== '' &&
  emVigorNoDia(dia, ambiente) !== 'nao'

/** Rule of 163: an issuer that leaves his number out has no active one of the kinds 1 and 5. */
function emitenteSemIe({ nota, parte, registro: { porDocumento, falta } }: Caso): DecisaoSemRegra {
  if (hasIe(parte)) return doesNotApply('A nota traz a IE do emitente.')
  if (parte.documento?.tipo !== 'cnpj') return doesNotApply('Só se verifica um emitente com CNPJ.')
  if (nota.dia === '') return indeterminado('A nota não diz o dia em que foi emitida (dhEmi).')
  const vigor = emVigorNoDia(nota.dia, nota.ambiente)
  if (vigor === 'nao') return doesNotApply(whyNotInForce(nota.dia, nota.ambiente))
  if (!porDocumento) return indeterminado(falta || 'O cadastro não foi consultado.')
  const { inscricoes, consultado_em } = porDocumento
  const comAtiva = inscricoes.find(({ situacao_ie }) => situacao_ie === ATIVA)
  if (vigor === 'talvez') return indeterminado(whyNotInForce(nota.dia, nota.ambiente))
  if (!comAtiva) return achado('ok', 'provavel', SEM_ATIVA, consultado_em)
  return indeterminado(
    `O emitente tem a IE ativa ${comAtiva.inscricao_estadual} e a nota não a traz. Se é a inscrição normal dele, informe-a em emit/IE: sem ela a nota é recusada (163).`,
    consultado_em,
  )
}

/** 163 of an issuer whose number is active is told, although nothing is decided. */
export function avisosDosCadastros(
  { autorizada }: Pick<Laudo['regras'], 'autorizada'>,
  decisoes: readonly DecisaoDoCadastro[],
): string[] {
  const falhas = decisoes.filter(({ resultado }) => resultado === 'falha').map(({ codigo }) => codigo)
  if (autorizada)
    return falhas.length === 0
      ? []
      : [
          `Esta nota foi autorizada. O que os cadastros mostram contra ela (${falhas.join(', ')}) é posterior ou diferença nossa, e não é uma rejeição provável.`,
        ]
  return decisoes
    .filter(
      ({ codigo, resultado, consultado_em }) =>
        codigo === 163 && resultado === 'indeterminado' && consultado_em !== '',
    )
    .map(({ mensagem }) => mensagem)
}

/**
 * Rule of 203: the state lets the issuer issue notes. Its service tells it (`indCredNFe`), its page does not.
 */
const credenciamento = (caso: Caso): DecisaoSemRegra =>
  daPropria(caso, ({ situacao_nfe: dito }, em) => {
    if (caso.nota.ambiente === 'homologacao')
      return indeterminado('O cadastro diz o credenciamento em produção; a nota é de homologação.', em)
    const mensagem = `O cadastro diz do emitente, sobre a NF-e: ${dito}.`
    if (dito === 'NÃO CREDENCIADO') return achado('falha', 'provavel', mensagem, em)
    if (/^CREDENCIADO\b/.test(dito)) return achado('ok', 'provavel', mensagem, em)
    return indeterminado('O cadastro não diz se o emitente está credenciado para a NF-e.', em)
  })

/**
 * Rules of 302, 303 and 305: the state forbids or blocks the recipient. Its public register seldom says it.
 */
function vedado({ parte, registro }: Caso, words: RegExp, is: string): DecisaoSemRegra {
  const { porDocumento, porIe, falta } = registro
  const answer = porDocumento ?? porIe
  if (!answer) return indeterminado(falta || 'O cadastro não foi consultado.')
  const { inscricoes, consultado_em } = answer
  const said = inscricoes
    .filter((one) => !hasIe(parte) || one === inscricaoDaParte(parte, registro)?.inscricao)
    .flatMap((one) => [one.situacao_ie, one.situacao_contribuinte, one.situacao_cadastral])
    .find((text) => words.test(fold(text)))
  if (said)
    return achado('falha', 'provavel', `O cadastro diz que o destinatário está ${said}.`, consultado_em)
  return indeterminado(`O cadastro público não diz se o destinatário está ${is}.`, consultado_em)
}

const VEDADO = /^(?:OPERACAO )?VEDAD/
const BLOQUEADO = /^BLOQUEAD/

type RegraDoCadastro = { codigo: number; campos: readonly string[]; decide: (caso: Caso) => DecisaoSemRegra }

const identidadeDe = (grupo: string, ender: string): string[] => [
  `${grupo}/IE`,
  `${grupo}/CNPJ`,
  `${grupo}/CPF`,
  `${grupo}/${ender}/UF`,
]
const doEmitente = identidadeDe('emit', 'enderEmit')
const doDestinatario = identidadeDe('dest', 'enderDest')

const comIe =
  (decide: (parte: ParteDaNota, registro: RegistroDaParte) => DecisaoSemRegra) =>
  ({ parte, registro }: Caso): DecisaoSemRegra =>
    hasIe(parte) ? decide(parte, registro) : doesNotApply(SEM_IE)

/** Rules of 231 and 234, of 622 and 624: the number is of the CNPJ, or of the CPF. */
const vinculoDe =
  (tipo: 'cnpj' | 'cpf') =>
  (caso: Caso): DecisaoSemRegra => {
    const { documento } = caso.parte
    const isOther = tipo === 'cpf' ? documento?.tipo !== 'cpf' : documento?.tipo === 'cpf'
    return isOther
      ? doesNotApply(`Só se verifica quem tem ${tipo.toUpperCase()} na nota.`)
      : comIe(vinculo)(caso)
  }

const regrasDoEmitente: readonly RegraDoCadastro[] = [
  { codigo: 163, campos: doEmitente, decide: emitenteSemIe },
  { codigo: 203, campos: doEmitente, decide: credenciamento },
  { codigo: 230, campos: doEmitente, decide: comIe(existencia) },
  { codigo: 231, campos: doEmitente, decide: vinculoDe('cnpj') },
  { codigo: 301, campos: doEmitente, decide: irregular },
  { codigo: 480, campos: ['emit/enderEmit/cMun', 'emit/IE'], decide: municipio },
  { codigo: 481, campos: ['emit/CRT', 'emit/IE'], decide: regime },
  { codigo: 622, campos: doEmitente, decide: vinculoDe('cpf') },
]

const regrasDoDestinatario: readonly RegraDoCadastro[] = [
  { codigo: 232, campos: doDestinatario, decide: naoInformada },
  { codigo: 233, campos: doDestinatario, decide: comIe(existencia) },
  { codigo: 234, campos: doDestinatario, decide: vinculoDe('cnpj') },
  {
    codigo: 302,
    campos: doDestinatario,
    decide: (caso) => (hasIe(caso.parte) ? vedado(caso, VEDADO, 'vedado') : doesNotApply(SEM_IE)),
  },
  {
    codigo: 303,
    campos: doDestinatario,
    decide: (caso) =>
      hasIe(caso.parte) || caso.parte.documento?.tipo !== 'cnpj'
        ? doesNotApply('Só se verifica um destinatário com CNPJ e sem IE na nota.')
        : vedado(caso, VEDADO, 'vedado'),
  },
  { codigo: 305, campos: doDestinatario, decide: (caso) => vedado(caso, BLOQUEADO, 'bloqueado') },
  { codigo: 306, campos: doDestinatario, decide: inativa },
  { codigo: 482, campos: ['dest/enderDest/cMun', 'dest/IE'], decide: municipio },
  { codigo: 624, campos: doDestinatario, decide: vinculoDe('cpf') },
]

/** What the registers of the states decide of a note. Model 65 is checked for its issuer alone. */
export function decideByCadastros(
  nota: PartesDaNota,
  { emitente: doEmit, destinatario: doDest, municipios }: Registros,
): DecisaoDoCadastro[] {
  const { modelo, tpEmis, emitente, destinatario } = nota
  const excuseOf = (codigo: number): string => {
    if (modelo === '65' && codigo in NA_NFCE) return NA_NFCE[codigo] ?? ''
    if ([230, 231].includes(codigo) && tpEmis === '3') return 'Não se aplica à emissão pela NFF (tpEmis 3).'
    return ''
  }
  const decisoes = decideRegras(
    regrasDoEmitente,
    { nota, parte: emitente, registro: doEmit, municipios },
    excuseOf,
  )
  if (modelo !== '55' || !destinatario) return decisoes
  const caso = { nota, parte: destinatario, registro: doDest, municipios }
  return [...decisoes, ...decideRegras(regrasDoDestinatario, caso, () => '')]
}

/** What the NFC-e is refused with instead. */
const NA_NFCE: Readonly<Record<number, string>> = {
  163: 'Na NFC-e a recusa por falta da IE do emitente é a 156.',
  203: 'Na NFC-e a recusa por falta de credenciamento é a 781.',
  301: 'Na NFC-e a recusa por situação do emitente é a 781.',
}

const decideRegras = (
  regras: readonly RegraDoCadastro[],
  caso: Caso,
  excuseOf: (codigo: number) => string,
): DecisaoDoCadastro[] =>
  regras.map(({ codigo, campos, decide }) => {
    const why = excuseOf(codigo)
    const lidos = camposDaParte(caso.parte, campos)
    return { codigo, campos: lidos, ...(why === '' ? decide(caso) : doesNotApply(why)) }
  })
