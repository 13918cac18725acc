import { formatDocumento, semMascara } from '../../documento/documento.ts'
import { enumerate, fold, onOneLine } from '../../platform/texto.ts'

type EnderecoDito = { logradouro: string; numero: string; cep: string; municipio: string; uf: string }

/** What one register says of somebody; what it does not tell is empty. */
export type Registro = {
  /** Who says it, as a page tells it: Receita Federal; RS, inscrição 096/692278-6. */
  fonte: string
  /** The state whose register it is; empty for one of the whole country. */
  uf: string
  nome: string
  documento: string
  situacao: string
  /** Where this register knows the establishment; undefined where it tells no address. */
  endereco?: EnderecoDito | undefined
}

export type Divergencia = {
  campo: 'Nome' | 'CPF ou CNPJ' | 'Situação' | 'Endereço'
  frase: string
  ditos: readonly { fonte: string; dito: string }[]
}

/**
 * Where registers contradict each other about the holder of a document. Two ways to write one thing are no
 * contradiction, and the first register that tells a thing is what the others are compared with.
 */
export function findDivergencias(registros: readonly Registro[], documento: string): readonly Divergencia[] {
  return [
    porNome(registros),
    porDocumento(registros, documento),
    porSituacao(registros),
    porEndereco(registros, documento),
  ]
    .filter((one) => one !== undefined)
    .map(({ campo, frase, ditos }) => ({
      campo,
      frase: inicial(frase),
      ditos: ditos.map(({ fonte, dito }) => ({ fonte: fonte.replace(/^[ao] /, ''), dito })),
    }))
}

const inicial = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The name of a sole trader without the CPF after it, which registers write whole or masked. */
export const semCpfNoFim = (nome: string): string =>
  nome.replace(/[\s-]+(?:\d{3}|\*{3})\.?\d{3}\.?\d{3}-?(?:\d{2}|\*{2})$/, '')

export type Comparacao = { campo: Divergencia['campo']; cadastros: number }

/** What was compared, and among how many registers: what one alone tells proves nothing. */
export function findComparacoes(registros: readonly Registro[], documento: string): readonly Comparacao[] {
  const comSituacao = registros.filter(({ situacao }) => situacao.trim() !== '')
  const all: readonly Comparacao[] = [
    { campo: 'Nome', cadastros: registros.filter(({ nome }) => nome.trim() !== '').length },
    { campo: 'CPF ou CNPJ', cadastros: registros.filter((one) => isInteiro(one.documento)).length },
    { campo: 'Situação', cadastros: comSituacao.some(({ uf }) => uf === '') ? comSituacao.length : 0 },
    { campo: 'Endereço', cadastros: comEndereco(registros, documento).length },
  ]
  return all.filter(({ cadastros }) => cadastros > 1)
}

function porNome(registros: readonly Registro[]): Divergencia | undefined {
  const grupos = groupSame(
    registros.filter(({ nome }) => nome.trim() !== ''),
    (one, other) => isMesmoNome(one.nome, other.nome),
  )
  if (grupos.length < 2) return undefined
  return {
    campo: 'Nome',
    frase: `${quemDiz('nome', grupos)}. Confira qual está em dia e peça a atualização ${fontesDe(grupos.slice(1).flat()).length > 1 ? 'nos outros cadastros' : 'no outro cadastro'}.`,
    ditos: semRepetidos(grupos.flat().map(({ fonte, nome }) => ({ fonte, dito: nome }))),
  }
}

/** Those that say one thing stand together, in the order in which each thing was first said. */
function groupSame<T>(ditos: readonly T[], isSame: (one: T, other: T) => boolean): T[][] {
  const grupos: T[][] = []
  for (const dito of ditos) {
    const own = grupos.find(([first]) => first !== undefined && isSame(first, dito))
    if (own) own.push(dito)
    else grupos.push([dito])
  }
  return grupos
}

/** `A Receita Federal dá um nome; RS e o CNIR, outro`. */
const quemDiz = (coisa: string, grupos: readonly (readonly Pick<Registro, 'fonte'>[])[]): string =>
  grupos
    .map(fontesDe)
    .map((fontes, at) => {
      const diz = `${fontes.length > 1 ? ' dão' : ' dá'} um ${coisa}`
      return enumerate(fontes) + (at === 0 ? diz : ', outro')
    })
    .join('; ')

function porDocumento(registros: readonly Registro[], documento: string): Divergencia | undefined {
  const others = registros.filter(
    (one) => isInteiro(one.documento) && semMascara(one.documento) !== documento,
  )
  if (others.length === 0) return undefined
  return {
    campo: 'CPF ou CNPJ',
    frase: `Você perguntou por ${formatDocumento(documento)}, e há cadastro em outro número. Use na nota o número de cada cadastro.`,
    ditos: semRepetidos(
      others.map((one) => ({ fonte: one.fonte, dito: formatDocumento(semMascara(one.documento)) })),
    ),
  }
}

/** A whole CPF or CNPJ: a masked one proves nothing. */
const INTEIRO = /^(?:\d{11}|[0-9A-Z]{12}\d{2})$/

const isInteiro = (documento: string): boolean => INTEIRO.test(semMascara(documento))

const ATIVA = /^(?:ATIV[AO]|REGULAR|HABILITAD[AO]|HABILITADA ATIVA)$/

const isAtiva = ({ situacao }: Registro): boolean => ATIVA.test(palavrasDe(situacao))

/** A registration that one state closed contradicts nobody, as long as another state has one in force. */
function porSituacao(registros: readonly Registro[]): Divergencia | undefined {
  const ditos = registros.filter(({ situacao }) => situacao.trim() !== '')
  const pais = ditos.find(({ uf }) => uf === '')
  const estados = ditos.filter(({ uf }) => uf !== '')
  if (!pais) return undefined
  const isContraria = estados.some(isAtiva) !== isAtiva(pais)
  const contrarios = ditos.filter((one) => isAtiva(one) !== isAtiva(pais) && (one.uf === '' || isContraria))
  if (contrarios.length === 0) return undefined
  const quem = enumerate(fontesDe(contrarios))
  return {
    campo: 'Situação',
    frase: isAtiva(pais)
      ? `Está em ordem para ${pais.fonte}, e não para ${quem}. ${contrarios.some(({ uf }) => uf !== '') ? 'Sem inscrição ativa, a nota que depende dela pode ser rejeitada' : 'Peça a atualização nesse cadastro'}.`
      : `Não está em ordem para ${pais.fonte}, e está ativo para ${quem}. Regularize primeiro o cadastro federal.`,
    ditos: semRepetidos(
      ditos
        .filter((one) => one.uf === '' || contrarios.includes(one))
        .map(({ fonte, situacao }) => ({ fonte, dito: situacao })),
    ),
  }
}

const fontesDe = (registros: readonly Pick<Registro, 'fonte'>[]): string[] => [
  ...new Set(registros.map(({ fonte }) => fonte)),
]

/**
 * Of one state alone: in another one the holder has another establishment, at another address. Several
 * registrations of a person in it are so many farms.
 */
function comEndereco(registros: readonly Registro[], documento: string) {
  const all = registros.flatMap(({ fonte, uf, endereco }) =>
    endereco && endereco.logradouro !== '' ? [{ fonte, uf, endereco }] : [],
  )
  const ditos = all.filter(({ endereco }) => endereco.uf === all[0]?.endereco.uf)
  const doEstado = ditos.filter(({ uf }) => uf !== '')
  return documento.length === 11 && doEstado.length > 1 ? ditos.filter(({ uf }) => uf === '') : ditos
}

function porEndereco(registros: readonly Registro[], documento: string): Divergencia | undefined {
  const grupos = groupSame(comEndereco(registros, documento), (one, other) =>
    isMesmoEndereco(one.endereco, other.endereco),
  )
  if (grupos.length < 2) return undefined
  return {
    campo: 'Endereço',
    frase: `${quemDiz('endereço', grupos)}. O endereço desatualizado faz voltar correspondência e pode suspender a inscrição.`,
    ditos: grupos.flat().map(({ fonte, endereco }) => ({ fonte, dito: enderecoPorExtenso(endereco) })),
  }
}

const enderecoPorExtenso = ({ logradouro, numero, municipio, uf, cep }: EnderecoDito): string =>
  [
    [logradouro, numero].filter((text) => text !== '').join(', '),
    [municipio, uf].filter((text) => text !== '').join(' · '),
    cep.replace(/^(\d{5})(\d{3})$/, 'CEP $1-$2'),
  ]
    .filter((text) => text !== '')
    .join(' · ')

const semRepetidos = (ditos: readonly { fonte: string; dito: string }[]) =>
  ditos.filter(
    ({ fonte, dito }, at) => ditos.findIndex((one) => one.fonte === fonte && one.dito === dito) === at,
  )

/** Without accents, case, punctuation and double spaces. */
const palavrasDe = (text: string): string => onOneLine(fold(text).replace(/[^0-9A-Zº&]+/g, ' '))

/** `R=RUA AV=AVENIDA`: each short word with the whole one. */
const readPares = (texto: string): ReadonlyMap<string, string> =>
  new Map([...texto.matchAll(/(\S+)=(\S+)/g)].map(([, curta = '', inteira = '']) => [curta, inteira]))

/** What registers shorten in names, and the size of a company, which left the names of firms in 2018. */
const NOME = readPares(`
  LIMITADA=LTDA CIA=COMPANHIA COM=COMERCIO IND=INDUSTRIA DISTRIB=DISTRIBUIDORA TRANSP=TRANSPORTES
  AGROPEC=AGROPECUARIA PROD=PRODUTOS SERV=SERVICOS &=E
`)

const PORTES: ReadonlySet<string> = new Set(['ME', 'EPP', 'MEI'])

const LIGACOES: ReadonlySet<string> = new Set(['DE', 'DA', 'DO', 'DAS', 'DOS', 'E'])

function canonicoDoNome(nome: string): string {
  const plain = palavrasDe(semCpfNoFim(nome))
    .replace(/\bS A\b/g, 'SA')
    .replace(/\bSOCIEDADE ANONIMA\b/g, 'SA')
    // A sole trader's name may have the root of the CNPJ before it.
    .replace(/^\d{2} \d{3} \d{3} (?=[A-Z])/, '')
  return plain
    .split(' ')
    .map((one) => NOME.get(one) ?? one)
    .filter((one) => !PORTES.has(one) && !LIGACOES.has(one))
    .join(' ')
}

/** Some registers have room for thirty characters and cut the rest. */
const MENOR_CORTADO = 25

function isMesmoNome(one: string, other: string): boolean {
  const [a, b] = [canonicoDoNome(one), canonicoDoNome(other)]
  const [curto, longo] = a.length < b.length ? [a, b] : [b, a]
  return a === b || (curto.length >= MENOR_CORTADO && longo.startsWith(curto))
}

/** What registers shorten in addresses. */
const LOGRADOURO = readPares(`
  R=RUA AV=AVENIDA AVE=AVENIDA ROD=RODOVIA RDV=RODOVIA EST=ESTRADA ESTR=ESTRADA PCA=PRACA PC=PRACA
  TV=TRAVESSA TRAV=TRAVESSA AL=ALAMEDA LG=LARGO LRG=LARGO QD=QUADRA LT=LOTE LOT=LOTEAMENTO FAZ=FAZENDA
  SIT=SITIO CHAC=CHACARA VL=VILA JD=JARDIM DR=DOUTOR DRA=DOUTORA PROF=PROFESSOR PROFA=PROFESSORA
  CEL=CORONEL GAL=GENERAL GEN=GENERAL MAL=MARECHAL CAP=CAPITAO TEN=TENENTE PRES=PRESIDENTE GOV=GOVERNADOR
  SEN=SENADOR DEP=DEPUTADO VER=VEREADOR PE=PADRE ENG=ENGENHEIRO STA=SANTA STO=SANTO NSA=NOSSA SRA=SENHORA
`)

const TIPOS: ReadonlySet<string> = new Set(
  'RUA AVENIDA RODOVIA ESTRADA PRACA TRAVESSA ALAMEDA LARGO'.split(' '),
)

const palavrasDoLogradouro = (logradouro: string): string[] =>
  palavrasDe(logradouro)
    .split(' ')
    .map((one) => LOGRADOURO.get(one) ?? one)
    .filter((one) => !LIGACOES.has(one))

/** The kind of the street counts only where both registers tell it. */
function isMesmoLogradouro(one: string, other: string): boolean {
  const [a, b] = [palavrasDoLogradouro(one), palavrasDoLogradouro(other)]
  const nu = (palavras: string[]): string =>
    (TIPOS.has(palavras[0] ?? '') ? palavras.slice(1) : palavras).join(' ')
  const isBoth = [a, b].every(([first = '']) => TIPOS.has(first))
  return isBoth ? a.join(' ') === b.join(' ') : nu(a) === nu(b)
}

/** No number, however a register writes that, is one value; zeros before a number do not count. */
function numeroDe(numero: string): string {
  const plain = palavrasDe(numero).replace(/ /g, '').replace(/^0+/, '')
  return ['', 'SN', 'SNº', 'SEMNUMERO'].includes(plain) ? 'SN' : plain
}

function isMesmoEndereco(one: EnderecoDito, other: EnderecoDito): boolean {
  const isSame = (a: string, b: string): boolean => a === '' || b === '' || a === b
  return (
    isSame(palavrasDe(one.municipio), palavrasDe(other.municipio)) &&
    isSame(semMascara(one.cep), semMascara(other.cep)) &&
    numeroDe(one.numero) === numeroDe(other.numero) &&
    isMesmoLogradouro(one.logradouro, other.logradouro)
  )
}
