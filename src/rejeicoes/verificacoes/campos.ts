import { trusted } from '../../platform/trusted.ts'
import type { Caminho, Condicao, DaTabela, No, Numero, ValorDaNota } from '../rules.ts'
import type { CampoLido } from '../rules-laudo.ts'
import { lookUp, tellConsulta } from '../rules-tabela.ts'
import type { Caminhos, Cena, Leitor } from './caminho.ts'
import { compileNumero, compileValor, type Ferramentas, formatDecimal } from './valores.ts'

const CITACAO = 80

export const quote = (texto: string): string =>
  texto.length > CITACAO ? `${texto.slice(0, CITACAO).toWellFormed().trimEnd()}…` : texto

/** Elements that the layout lets repeat: their place always has a position. */
const repetidos: ReadonlySet<string> = new Set([
  'NFref',
  'autXML',
  'det',
  'NVE',
  'gCred',
  'DI',
  'adi',
  'detExport',
  'rastro',
  'arma',
  'origComb',
  'reboque',
  'vol',
  'lacres',
  'dup',
  'detPag',
  'obsCont',
  'obsFisco',
  'procRef',
  'forDia',
  'deduc',
  'defensivo',
])

const passos = new WeakMap<No, ReadonlyMap<No, string>>()

/** The last step to an element: its name, with its position where it may have siblings of that name. */
function passoDe(no: No, pai: No): string {
  const seus = passos.get(pai) ?? countPassos(pai)
  passos.set(pai, seus)
  return seus.get(no) ?? (repetidos.has(no.nome) ? `${no.nome}[1]` : no.nome)
}

/** Counts all siblings at once: to count them for each would walk over them each time. */
function countPassos({ filhos }: No): ReadonlyMap<No, string> {
  const passo = new Map<No, string>()
  for (const [nome, iguais] of Map.groupBy(filhos, (filho) => filho.nome)) {
    const comPosicao = iguais.length > 1 || repetidos.has(nome)
    for (const [i, filho] of iguais.entries()) passo.set(filho, comPosicao ? `${nome}[${i + 1}]` : nome)
  }
  return passo
}

/** Tells where an element is, as `det[5]/prod/NCM`; empty for `infNFe` and what holds it. */
export function lugarDe(no: No): string {
  const { nome, pai } = no
  if (!pai || nome === 'infNFe' || nome === 'NFe') return ''
  const aqui = passoDe(no, pai)
  const acima = lugarDe(pai)
  return acima ? `${acima}/${aqui}` : aqui
}

export type LeituraDeCampos = (ponto: No, cena: Cena) => CampoLido[]

/** How many places of one field are told, as of a total that sums the items. */
const LUGARES = 3

/** Of more than these, totals that add nothing are left out first. */
const CAMPOS = 12

const addsUp = ({ caminho, valor }: CampoLido): boolean =>
  !caminho.startsWith('total/') || (valor !== null && !/^0\.0+$/.test(valor))

/**
 * Each from the nearest element that it shares with the check's place: `det/prod/NCM` is of the same item.
 */
export function compileCampos(
  campos: readonly Caminho[],
  escopo: Caminho | undefined,
  caminhos: Caminhos,
): LeituraDeCampos {
  const leituras = campos.map((campo) => compileCampo(campo, escopo, caminhos))
  return (ponto, cena) => {
    const lidos = leituras.flatMap((read) => read(ponto, cena))
    if (lidos.length <= CAMPOS) return lidos
    return lidos.filter(addsUp).slice(0, CAMPOS)
  }
}

function compileCampo(campo: Caminho, escopo: Caminho | undefined, caminhos: Caminhos): LeituraDeCampos {
  const doEscopo = escopo?.split('/') ?? []
  const doCampo = campo.split('/')
  const comuns = doEscopo.findIndex((passo, i) => passo !== doCampo[i])
  const quantos = comuns < 0 ? doEscopo.length : comuns
  if (quantos === 0) return readCampo(campo, '', caminhos.read(campo), (ponto) => ponto)
  const resto = doCampo.slice(quantos).join('/')
  const acima = caminhos.sob(doEscopo.slice(0, quantos).join('/'))
  return readCampo(campo, resto, acima.read(resto ? `./${resto}` : '.'), (ponto) =>
    climb(ponto, doEscopo.length - quantos),
  )
}

const climb = (ponto: No, niveis: number): No =>
  niveis > 0 && ponto.pai ? climb(ponto.pai, niveis - 1) : ponto

function readCampo(
  campo: Caminho,
  resto: string,
  { pontos, texto }: Leitor,
  base: (ponto: No) => No,
): LeituraDeCampos {
  const atributo = /@.+$/.exec(campo)?.[0]
  const write = (achado: No): string => [lugarDe(achado), atributo].filter((parte) => parte).join('/')
  return (ponto, cena) => {
    const inicio = base(ponto)
    const achados = pontos(inicio, cena).slice(0, LUGARES)
    if (achados.length > 0)
      return achados.map((achado) => ({ caminho: write(achado), valor: quote(texto(achado)) }))
    return [{ caminho: resto ? `${lugarDe(inicio)}/${resto}` : campo, valor: null }]
  }
}

const nomes: Readonly<Record<string, string>> = {
  ide: 'identificação',
  NFref: 'documento referenciado',
  emit: 'emitente',
  enderEmit: 'endereço',
  dest: 'destinatário',
  enderDest: 'endereço',
  retirada: 'local de retirada',
  entrega: 'local de entrega',
  autXML: 'autorizado a baixar o XML',
  det: 'item',
  adi: 'adição',
  detExport: 'exportação',
  rastro: 'lote',
  veicProd: 'veículo novo',
  med: 'medicamento',
  arma: 'arma',
  comb: 'combustível',
  total: 'totais',
  transp: 'transporte',
  transporta: 'transportador',
  veicTransp: 'veículo',
  reboque: 'reboque',
  vol: 'volume',
  cobr: 'cobrança',
  fat: 'fatura',
  dup: 'duplicata',
  pag: 'pagamento',
  detPag: 'forma',
  card: 'cartão',
  infIntermed: 'intermediador',
  infAdic: 'informações adicionais',
  exporta: 'exportação',
  compra: 'compra',
  cana: 'cana',
  infRespTec: 'responsável técnico',
  infNFeSupl: 'informações suplementares',
}

/** Groups that only hold others: a place is told without them. */
const calados: ReadonlySet<string> = new Set(['infNFe', 'prod', 'imposto', 'ICMSTot'])

/** Writes a place, as `det[5]/prod/NCM`, in words: `item 5, campo NCM`. */
export function ondeDe(lugar: string): string {
  const passos = lugar.split('/').filter((passo) => passo !== '')
  const palavras = passos.map((passo, i) => {
    const [, nome = '', numero] = /^(@?[^[]*)(?:\[(\d+)\])?/.exec(passo) ?? []
    const conhecido = Object.hasOwn(nomes, nome) && nomes[nome]
    if (conhecido) return numero ? `${conhecido} ${numero}` : conhecido
    if (i < passos.length - 1) return calados.has(nome) ? '' : nome
    if (nome.startsWith('@')) return `atributo ${nome.slice(1)}`
    return `campo ${nome}${numero ? ` ${numero}` : ''}`
  })
  return palavras.filter((palavra) => palavra !== '').join(', ') || 'nota'
}

/** What a table says of a code, as a sentence without a stop, and whether nobody can tell. */
type Dito = { frase: string; isDuvida: boolean }

/** Undefined where the conditions ask no table; what it gives is undefined for one that is not at hand. */
export function tellTabela(
  condicoes: readonly Condicao[],
  caminhos: Caminhos,
): ((ponto: No, cena: Cena) => Dito | undefined) | undefined {
  const pergunta = primeiraPergunta(condicoes)
  if (!pergunta) return undefined
  const [nome, codigo] = pergunta
  const texto = compileValor(codigo, caminhos)
  return (ponto, cena) => {
    const tabela = cena.contexto.codigos(nome)
    const lido = texto(ponto, cena)
    if (!tabela || lido === undefined) return undefined
    const { dia } = cena.regencia
    return {
      frase: tellConsulta(tabela, quote(lido), dia),
      isDuvida: lookUp(tabela, lido, dia).situacao === 'duvida',
    }
  }
}

function primeiraPergunta(parte: unknown): readonly [string, ValorDaNota] | undefined {
  if (typeof parte !== 'object' || parte === null) return undefined
  // A check is of the catalogue's format, which has these names for nothing else.
  if ('tabela' in parte) return trusted<[string, ValorDaNota]>(parte.tabela)
  if ('coluna' in parte) return primeirosDois(trusted<DaTabela>(parte.coluna))
  for (const outra of Object.values(parte)) {
    const achada = primeiraPergunta(outra)
    if (achada) return achada
  }
  return undefined
}

const primeirosDois = ([nome, codigo]: DaTabela): [string, ValorDaNota] => [nome, codigo]

type Escrita = (ponto: No, cena: Cena) => string

const CITADOS = 3

/** Throws if the message asks for a side of a comparison or a table, and the rule has none. */
export function compileMensagem(modelo: string, regra: Condicao, ferramentas: Ferramentas): Escrita {
  const partes = modelo.split(/\{([^}]+)\}/).map((parte, i): Escrita => {
    if (i % 2 === 0) return () => parte
    if (parte === 'encontrado') return lado(regra, 0, ferramentas)
    if (parte === 'tabela') return tellFromTabela(regra, ferramentas.caminhos)
    if (parte === 'esperado') return lado(regra, 1, ferramentas)
    return quoteCampo(parte, ferramentas.caminhos)
  })
  return (ponto, cena) => partes.map((write) => write(ponto, cena)).join('')
}

function tellFromTabela(regra: Condicao, caminhos: Caminhos): Escrita {
  const tell = tellTabela([regra], caminhos)
  if (!tell) throw new Error('the message names a table, and the rule asks none')
  return (ponto, cena) => tell(ponto, cena)?.frase ?? 'o código não consta da tabela'
}

function quoteCampo(caminho: string, caminhos: Caminhos): Escrita {
  const { pontos, texto } = caminhos.read(caminho)
  return (ponto, cena) => {
    const achados = pontos(ponto, cena)
    if (achados.length === 0) return 'não informado'
    const citados = achados.slice(0, CITADOS).map((achado) => quote(texto(achado)) || 'vazio')
    return citados.join(', ') + (achados.length > CITADOS ? '…' : '')
  }
}

type Comparacao = { numeros: readonly Numero[] } | { textos: readonly ValorDaNota[] }

/** The first comparison of a rule that is made of it alone, not element by element. */
function primeiraComparacao(regra: Condicao): Comparacao | undefined {
  if ('fecha' in regra) return { numeros: regra.fecha }
  if ('menor' in regra) return { numeros: regra.menor }
  if ('maior' in regra) return { numeros: regra.maior }
  if ('igual' in regra) return { textos: regra.igual }
  if ('difere' in regra) return { textos: regra.difere }
  if ('antes' in regra) return { textos: regra.antes }
  if ('nao' in regra) return primeiraComparacao(regra.nao)
  const outras = 'e' in regra ? regra.e : 'ou' in regra ? regra.ou : []
  return outras.map(primeiraComparacao).find((comparacao) => comparacao !== undefined)
}

function lado(regra: Condicao, qual: 0 | 1, ferramentas: Ferramentas): Escrita {
  const comparacao = primeiraComparacao(regra)
  if (comparacao && 'numeros' in comparacao) {
    const numero = compileNumero(comparacao.numeros[qual] ?? '0', ferramentas)
    return (ponto, cena) => {
      const valor = numero(ponto, cena)
      return valor === undefined ? 'desconhecido' : formatDecimal(valor)
    }
  }
  if (!comparacao) throw new Error('the message names a side of a comparison, and the rule has none')
  const texto = compileValor(comparacao.textos[qual] ?? '', ferramentas.caminhos)
  return (ponto, cena) => quote(texto(ponto, cena) ?? 'desconhecido') || 'não informado'
}
