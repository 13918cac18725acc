import { descend, type Elemento } from '../arvore.ts'

/** What a group holds: `nome Tipo`, `nome? Tipo` for one that may be left out, or more than that. */
type Conteudo =
  | string
  | ({ campo: string; vezes?: string } & (
      | { conteudo: readonly Conteudo[] }
      | {
          base?: string
          padroes?: readonly string[]
          valores?: readonly string[]
          minimo?: number
          maximo?: number
        }
    ))
  | { sequencia: readonly Conteudo[]; vezes: string }
  | { escolha: readonly Conteudo[]; vezes: string }

/** One change that a package makes to the one before it: a row of `data/xsd/pacotes.json`. */
export type MudancaDoEsquema = {
  /** The fields of a note that it touches, from `infNFe` down. */
  caminhos: readonly string[]
  /** Where it is in the schema: a type, or a field from `infNFe` down; without it, the only path. */
  em?: string
  padroes?: readonly string[]
  /** Values besides those of the list. */
  valores?: readonly string[]
  maximo?: number
  /** Such as `0-1`, of the field or of the group that it is in. */
  vezes?: string
  vezes_do_grupo?: string
  nome?: string
  /** Fields that it adds, and where; or all that it holds now. */
  conteudo?: readonly Conteudo[]
  depois?: string
  depois_do_grupo_de?: string
  antes?: string
  ao_fim?: true
  so_estes?: true
}

/** Throws an Error for a place that the schemas do not have. */
export function applyMudancas(arquivos: readonly Elemento[], mudancas: readonly MudancaDoEsquema[]): void {
  const tipos = new Map<string, Elemento>()
  for (const filho of arquivos.flatMap(({ filhos }) => filhos).flatMap(({ filhos }) => filhos))
    if (filho.nome === 'complexType' || filho.nome === 'simpleType')
      tipos.set(filho.atributos.name ?? '', filho)
  for (const mudanca of mudancas) apply(mudanca, tipos)
}

type Tipos = ReadonlyMap<string, Elemento>

function apply(mudanca: MudancaDoEsquema, tipos: Tipos): void {
  const lugar = mudanca.em ?? mudanca.caminhos[0] ?? ''
  const alvo = find(lugar, tipos)
  if (!alvo) throw new Error(`the schemas have no ${lugar}`)
  const { padroes, valores, maximo, vezes, vezes_do_grupo, nome, conteudo } = mudanca
  if (padroes) replacePadroes(restricaoDe(alvo, lugar), padroes)
  if (valores) for (const valor of valores) put(restricaoDe(alvo, lugar), 'enumeration', { value: valor })
  if (maximo !== undefined)
    changeAtributos(faceta(restricaoDe(alvo, lugar), 'maxLength'), { value: String(maximo) })
  if (vezes) changeAtributos(alvo, ocorrencias(vezes))
  if (vezes_do_grupo && alvo.pai) changeAtributos(alvo.pai, ocorrencias(vezes_do_grupo))
  if (nome) changeAtributos(alvo, { name: nome })
  if (conteudo) putConteudo(mudanca, complexoDe(alvo, tipos), conteudo)
}

function find(lugar: string, tipos: Tipos): Elemento | undefined {
  const passos = lugar.split('/').filter((passo) => passo !== '')
  const comTipo = /^T[A-Z]/.test(passos[0] ?? '')
  const [tipo = '', ...resto] = comTipo ? passos : ['TNFe', 'infNFe', ...passos]
  return resto.reduce<Elemento | undefined>(
    (pai, nome) => pai && findDeclarado(complexoDe(pai, tipos), nome),
    tipos.get(tipo),
  )
}

const complexoDe = (alvo: Elemento, tipos: Tipos): Elemento =>
  descend(alvo, 'complexType') ?? tipos.get(semPrefixo(alvo.atributos.type ?? '')) ?? alvo

const semPrefixo = (nome: string): string => nome.slice(nome.indexOf(':') + 1)

function findDeclarado(pai: Elemento, nome: string): Elemento | undefined {
  for (const filho of pai.filhos) {
    if (filho.nome === 'element' && filho.atributos.name === nome) return filho
    if (filho.nome === 'attribute' && `@${filho.atributos.name}` === nome) return filho
    const dentro = GRUPOS.has(filho.nome) && findDeclarado(filho, nome)
    if (dentro) return dentro
  }
  return undefined
}

const GRUPOS: ReadonlySet<string> = new Set(['sequence', 'choice'])

/** The restriction of a type of one's own. A named type is changed by its name, since others have it too. */
function restricaoDe(alvo: Elemento, lugar: string): Elemento {
  const simples = alvo.nome === 'simpleType' ? alvo : descend(alvo, 'simpleType')
  const restricao = simples && descend(simples, 'restriction')
  if (!restricao) throw new Error(`${lugar} has no values of its own`)
  return restricao
}

function replacePadroes(restricao: Elemento, padroes: readonly string[]): void {
  restricao.filhos = restricao.filhos.filter(({ nome }) => nome !== 'pattern')
  for (const padrao of padroes) put(restricao, 'pattern', { value: padrao })
}

function faceta(restricao: Elemento, nome: string): Elemento {
  return descend(restricao, nome) ?? put(restricao, nome, {})
}

function changeAtributos(elemento: Elemento, novos: Readonly<Record<string, string>>): void {
  // Elements may share their attributes.
  elemento.atributos = { ...elemento.atributos, ...novos }
}

const ocorrencias = (vezes: string): Record<string, string> => {
  const [minOccurs = '1', maxOccurs = '1'] = vezes.split('-')
  return { minOccurs, maxOccurs }
}

/** Where the new fields go: into the group that holds their neighbour, or beside that group. */
function putConteudo(mudanca: MudancaDoEsquema, tipo: Elemento, conteudo: readonly Conteudo[]): void {
  const raiz = descend(tipo, 'sequence')
  if (!raiz) throw new Error(`${mudanca.em} holds no fields`)
  const vizinho = mudanca.depois ?? mudanca.antes ?? mudanca.depois_do_grupo_de
  const campo = vizinho === undefined ? undefined : findDeclarado(tipo, vizinho)
  if (vizinho !== undefined && !campo) throw new Error(`${mudanca.em} has no ${vizinho}`)
  if (mudanca.so_estes) raiz.filhos = []
  const marco = mudanca.depois_do_grupo_de ? campo?.pai : campo
  const grupo = marco?.pai ?? raiz
  const novos = conteudo.map((um) => create(um, grupo))
  const onde = marco ? grupo.filhos.indexOf(marco) + (mudanca.antes ? 0 : 1) : grupo.filhos.length
  grupo.filhos = grupo.filhos.toSpliced(onde, 0, ...novos)
}

function create(conteudo: Conteudo, pai: Elemento): Elemento {
  if (typeof conteudo === 'string') {
    const [nome = '', type = ''] = conteudo.split(' ')
    const opcional = nome.endsWith('?')
    return newElemento(pai, 'element', {
      name: nome.replace('?', ''),
      type,
      ...(opcional ? ocorrencias('0-1') : {}),
    })
  }
  const vezes = conteudo.vezes ? ocorrencias(conteudo.vezes) : {}
  if ('sequencia' in conteudo) return comFilhos(newElemento(pai, 'sequence', vezes), conteudo.sequencia)
  if ('escolha' in conteudo) return comFilhos(newElemento(pai, 'choice', vezes), conteudo.escolha)
  const campo = newElemento(pai, 'element', { name: conteudo.campo, ...vezes })
  if ('conteudo' in conteudo) {
    comFilhos(put(put(campo, 'complexType', {}), 'sequence', {}), conteudo.conteudo)
    return campo
  }
  const { base = 'xs:string', padroes = [], valores = [], minimo, maximo } = conteudo
  const restricao = put(put(campo, 'simpleType', {}), 'restriction', { base })
  if (minimo !== undefined) put(restricao, 'minLength', { value: String(minimo) })
  if (maximo !== undefined) put(restricao, 'maxLength', { value: String(maximo) })
  for (const value of padroes) put(restricao, 'pattern', { value })
  for (const value of valores) put(restricao, 'enumeration', { value })
  return campo
}

function comFilhos(grupo: Elemento, conteudo: readonly Conteudo[]): Elemento {
  grupo.filhos.push(...conteudo.map((um) => create(um, grupo)))
  return grupo
}

function put(pai: Elemento, nome: string, atributos: Record<string, string>): Elemento {
  const filho = newElemento(pai, nome, atributos)
  pai.filhos.push(filho)
  return filho
}

const newElemento = (pai: Elemento, nome: string, atributos: Record<string, string>): Elemento => ({
  nome,
  prefixo: pai.prefixo,
  atributos,
  filhos: [],
  texto: '',
  pai,
  inicio: pai.inicio,
  fim: pai.inicio,
})
