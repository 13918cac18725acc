import type { Caminho, No } from '../rules.ts'
import type { CampoLido } from '../rules-laudo.ts'
import type { Caminhos, Cena, Leitor } from './caminho.ts'

/** The longest value that a message quotes, in characters. */
const CITACAO = 80

/** Shortens a value of the note. */
export const citar = (texto: string): string =>
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

/** The steps to the children of an element, which stays as it is. */
const passos = new WeakMap<No, ReadonlyMap<No, string>>()

/** The last step to an element: its name, with its position where it may have siblings of that name. */
function passoDe(no: No, pai: No): string {
  const seus = passos.get(pai) ?? contarPassos(pai)
  passos.set(pai, seus)
  return seus.get(no) ?? (repetidos.has(no.nome) ? `${no.nome}[1]` : no.nome)
}

/** Counts all siblings at once: to count them for each would walk over them each time. */
function contarPassos({ filhos }: No): ReadonlyMap<No, string> {
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

/** Reads the fields of a check at one of its places. */
export type LeituraDeCampos = (ponto: No, cena: Cena) => CampoLido[]

/** How many places of one field are told, as of a total that sums the items. */
const LUGARES = 3

/** How many fields are told in all. */
const CAMPOS = 12

/**
 * Compiles the fields that a check reads, each from the nearest element that it shares with the check's
 * place: the item of `det/prod/NCM` is the item that is checked.
 */
export function compilarCampos(
  campos: readonly Caminho[],
  escopo: Caminho | undefined,
  caminhos: Caminhos,
): LeituraDeCampos {
  const leituras = campos.map((campo) => compilarCampo(campo, escopo, caminhos))
  return (ponto, cena) => leituras.flatMap((ler) => ler(ponto, cena)).slice(0, CAMPOS)
}

function compilarCampo(campo: Caminho, escopo: Caminho | undefined, caminhos: Caminhos): LeituraDeCampos {
  const doEscopo = escopo?.split('/') ?? []
  const doCampo = campo.split('/')
  const comuns = doEscopo.findIndex((passo, i) => passo !== doCampo[i])
  const quantos = comuns < 0 ? doEscopo.length : comuns
  if (quantos === 0) return lerCampo(campo, '', caminhos.ler(campo), (ponto) => ponto)
  const resto = doCampo.slice(quantos).join('/')
  const acima = caminhos.sob(doEscopo.slice(0, quantos).join('/'))
  return lerCampo(campo, resto, acima.ler(resto ? `./${resto}` : '.'), (ponto) =>
    subir(ponto, doEscopo.length - quantos),
  )
}

const subir = (ponto: No, niveis: number): No =>
  niveis > 0 && ponto.pai ? subir(ponto.pai, niveis - 1) : ponto

function lerCampo(
  campo: Caminho,
  resto: string,
  { pontos, texto }: Leitor,
  base: (ponto: No) => No,
): LeituraDeCampos {
  const atributo = /@.+$/.exec(campo)?.[0]
  const escrever = (achado: No): string => [lugarDe(achado), atributo].filter((parte) => parte).join('/')
  return (ponto, cena) => {
    const inicio = base(ponto)
    const achados = pontos(inicio, cena).slice(0, LUGARES)
    if (achados.length > 0)
      return achados.map((achado) => ({ caminho: escrever(achado), valor: citar(texto(achado)) }))
    return [{ caminho: resto ? `${lugarDe(inicio)}/${resto}` : campo, valor: null }]
  }
}

/** How people call the places of a note. An element that repeats is followed by its number. */
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
