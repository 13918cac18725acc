import type { Texto } from './familias/familia.ts'

/** A place of a text: `{path}`, a path, or the name of a field, which has a capital inside. */
const LUGAR =
  /\{([\w@*/]+)\}|(?<![\p{L}\d/@{.])((?:[A-Za-z@*][\w@*]*\/)+[A-Za-z@*][\w@*]*)(?![\p{L}\d/])|(?<![\p{L}\d/@.])([a-z]+[A-Z]\w*)(?![\p{L}\d/])/gu

type Genero = 'o' | 'a' | 'os' | 'as'

/** First words of labels that are feminine; words in `s` are plural, but for names of taxes. */
const FEMININAS = new Set(
  `alíquota assinatura bandeira base bc chave classificação condição declaração data descrição duplicata espécie
  exportação finalidade fatura forma guia hora identificação ie indicação informação inscrição justificativa marca
  modalidade moeda natureza nota numeração ocorrência operação origem parcela placa potência quantidade razão
  receita redução referência retenção série sigla situação solicitação totalização tributação uf unidade versão
  via área condições deduções informações notas outras placas guias referências parcelas`
    .split(/\s+/)
    .filter(Boolean),
)

function generoDe(rotulo: string): Genero {
  const primeira = (/^[\p{L}]+/u.exec(rotulo)?.[0] ?? '').toLowerCase()
  const isMuitos = /s$/.test(primeira) && !/^(pis|cofins|icms|is|ibs|cbs|iss|país|mês)$/.test(primeira)
  if (FEMININAS.has(primeira) || FEMININAS.has(primeira.replace(/s$/, '').replace(/õe$/, 'ão')))
    return isMuitos ? 'as' : 'a'
  return isMuitos ? 'os' : 'o'
}

/** The article with the preposition before it. */
const CONTRACOES: Readonly<Record<'art' | 'de' | 'em' | 'a' | 'por', Readonly<Record<Genero, string>>>> = {
  art: { o: 'o', a: 'a', os: 'os', as: 'as' },
  de: { o: 'do', a: 'da', os: 'dos', as: 'das' },
  em: { o: 'no', a: 'na', os: 'nos', as: 'nas' },
  a: { o: 'ao', a: 'à', os: 'aos', as: 'às' },
  por: { o: 'pelo', a: 'pela', os: 'pelos', as: 'pelas' },
}

const PREPOSICOES = new Map<string, keyof typeof CONTRACOES>([
  ...Object.entries(CONTRACOES).flatMap(([nome, formas]) =>
    Object.values(formas).map((forma): [string, keyof typeof CONTRACOES] => [
      forma,
      nome === 'de' || nome === 'em' || nome === 'a' || nome === 'por' ? nome : 'art',
    ]),
  ),
  ['de', 'de'],
  ['em', 'em'],
  ['por', 'por'],
])

/** Words after which `a` is a preposition. */
const PEDE_A = /\b(igual|iguais|superior|inferior|anterior|posterior|quanto|relativ[oa]|refere|junto)\s+a\s$/i

/** Words that stand where the article would. */
const SEM_ARTIGO =
  /(?:^|\s)(um|uma|est[ea]s?|ess[ea]s?|cada|outr[oa]s?|qualquer|algum|alguma|nenhum|nenhuma|novo|nova|seu|sua|mesmo|mesma|dois|duas|próprio|próprios)\s$/i

/** Names that keep their capital within a sentence. */
const NOMES_PROPRIOS =
  /^(Suframa|Manaus|Zona|Franca|Receita|Federal|Fisco|Brasil|Code|Simples|Nacional|Imposto|Seletivo|Portal|Estado|Difal|Verde|Amarelo)$/

/** A label within a sentence: without the capitals that the layout gives to plain words. */
const noMeio = (rotulo: string): string =>
  rotulo.replace(/(?<![\p{L}\d])\p{Lu}\p{Ll}+(?![\p{L}\d])/gu, (palavra) =>
    NOMES_PROPRIOS.test(palavra) ? palavra : palavra.toLowerCase(),
  )

/** The name of a field: the last step of its path. */
export const nomeDoCampo = (caminho: string): string =>
  caminho
    .split('/')
    .filter((passo) => passo !== '*')
    .at(-1)
    ?.replace('@', '') ?? caminho

/** Label and name of a field: `descrição do produto (xProd)`; the name alone where the label says it. */
export function rotuloENome(caminho: string, rotulo: string): string {
  const nome = nomeDoCampo(caminho)
  if (rotulo.endsWith(')')) return rotuloENome(caminho, rotulo.replace(/ \(([^()]*)\)$/, ', $1'))
  const isDito = new RegExp(`(?<![\\p{L}\\d])${nome}(?![\\p{L}\\d])`, 'u').test(rotulo)
  return isDito || nome === 'Id' ? noMeio(rotulo) : `${noMeio(rotulo)} (${nome})`
}

/** The same with its article. */
export const comArtigo = (caminho: string, rotulo: string): string =>
  `${CONTRACOES.art[generoDe(rotulo)]} ${rotuloENome(caminho, rotulo)}`

/** Whether a place of a text stands within parentheses. */
const isEntreParenteses = (texto: string, lugar: number): boolean =>
  texto.lastIndexOf('(', lugar) > texto.lastIndexOf(')', lugar)

/** Whether a place stands within backticks, or within what is quoted, such as an official reason. */
const isCitado = (texto: string, lugar: number): boolean =>
  (texto.slice(0, lugar).split('`').length - 1) % 2 === 1 ||
  texto.lastIndexOf('“', lugar) > texto.lastIndexOf('”', lugar)

/**
 * Writes fields as the screen calls them: label and name at the first mention in the causes and in the steps,
 * then the name alone, as within parentheses. Throws if a `{path}` has no label.
 */
export function comPalavrasDaTela(
  texto: Texto,
  rotulos: ReadonlyMap<string, string>,
  { codigo, campos }: { codigo: number; campos: readonly string[] },
): Texto {
  const citados = [...texto.causas, ...texto.passos].flatMap((frase) =>
    [...frase.matchAll(LUGAR)].flatMap(([, entre, solto]) => entre ?? solto ?? []),
  )
  const caminhos = [...new Set([...campos, ...citados])].filter((caminho) => rotulos.has(caminho))
  const porNome = new Map([...nomesUnicos(rotulos), ...Map.groupBy(caminhos, nomeDoCampo)])
  const escrever = (frases: readonly string[]): string[] => {
    const ditos = new Set<string>()
    return frases.map((frase) => escreverFrase(frase, { rotulos, codigo, porNome, ditos }))
  }
  return { causas: escrever(texto.causas), passos: escrever(texto.passos) }
}

const unicos = new WeakMap<ReadonlyMap<string, string>, ReadonlyMap<string, readonly string[]>>()

/** The names that one field of the layout has, or several that the screen calls the same. */
function nomesUnicos(rotulos: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> {
  const sabidos = unicos.get(rotulos)
  if (sabidos) return sabidos
  const todos = Map.groupBy(
    [...rotulos.keys()].filter((caminho) => !caminho.startsWith('infNFe')),
    nomeDoCampo,
  )
  const umRotulo = (caminhos: readonly string[]): boolean =>
    new Set(caminhos.map((caminho) => rotulos.get(caminho))).size === 1
  const feitos = new Map(
    [...todos]
      .filter(([, caminhos]) => umRotulo(caminhos))
      .map(([nome, caminhos]) => [nome, caminhos.slice(0, 1)]),
  )
  unicos.set(rotulos, feitos)
  return feitos
}

type Contexto = {
  rotulos: ReadonlyMap<string, string>
  codigo: number
  porNome: ReadonlyMap<string, readonly string[]>
  ditos: Set<string>
}

function escreverFrase(frase: string, { rotulos, codigo, porNome, ditos }: Contexto): string {
  let escrita = ''
  let from = 0
  for (const achado of frase.matchAll(LUGAR)) {
    const [inteiro, entre, solto, nome = ''] = achado
    const doNome = porNome.get(nome) ?? []
    const caminho = entre ?? solto ?? (doNome.length === 1 ? doNome[0] : undefined)
    if (caminho === undefined || isCitado(frase, achado.index)) continue
    if (
      /^(?:nItem|nOcor)$/.test(nome) ||
      (nome && /\b(?:tabela|coluna)\s$/.test(frase.slice(0, achado.index)))
    )
      continue
    const rotulo = rotulos.get(caminho) ?? rotuloDoFim(caminho, rotulos)
    if (rotulo === undefined && entre) throw new Error(`${codigo}: campos.csv has no ${caminho}`)
    if (rotulo === undefined) continue
    const depois = frase.slice(achado.index + inteiro.length)
    if (nome && /^ d[oae]s? ite(?:m|ns)\b/.test(depois) && !caminho.startsWith('det/')) continue
    escrita += frase.slice(from, achado.index)
    from = achado.index + inteiro.length
    const curto = nomeDoCampo(caminho)
    const isUnico = (porNome.get(curto) ?? []).length === 1 && /[a-z][A-Z]/.test(curto)
    if (isEntreParenteses(frase, achado.index)) {
      escrita += curto
      if (isUnico) ditos.add(caminho)
    } else if (ditos.has(caminho) && isUnico) escrita += curto
    else {
      escrita = juntar(escrita, { caminho, rotulo, isDito: ditos.has(caminho) })
      ditos.add(caminho)
    }
  }
  return limpar(escrita + frase.slice(from))
}

/** The label of an end of a path, such as `gRed/pRedAliq`, where all fields with it have the same. */
function rotuloDoFim(fim: string, rotulos: ReadonlyMap<string, string>): string | undefined {
  if (!/[a-z][A-Z]/.test(fim)) return undefined
  const achados = new Set(
    [...rotulos].flatMap(([caminho, rotulo]) => (caminho.endsWith(`/${fim}`) ? rotulo : [])),
  )
  return achados.size === 1 ? [...achados][0] : undefined
}

/** Puts a field behind what is written, with the article or contraction that the words before it ask for. */
function juntar(
  antes: string,
  { caminho, rotulo, isDito }: { caminho: string; rotulo: string; isDito: boolean },
): string {
  const comNome = isDito ? noMeio(rotulo.replace(/ \([^()]*\)$/, '')) : rotuloENome(caminho, rotulo)
  const comO = (preposicao: keyof typeof CONTRACOES): string =>
    `${CONTRACOES[preposicao][generoDe(rotulo)]} ${comNome}`
  const [, cabeca = '', ultima = ''] = /^(.*?)(\p{L}+)\s$/su.exec(antes) ?? []
  const isGrupo = /^grupo\b/i.test(rotulo)
  if (/^(campos?|tag|grupo)$/i.test(ultima))
    return isGrupo && ultima === 'grupo'
      ? `${cabeca}${comNome}`
      : `${antes}“${rotulo}” (${nomeDoCampo(caminho)})`
  if (ultima && ultima.toLowerCase() === (/^\p{L}+/u.exec(rotulo)?.[0] ?? '').toLowerCase())
    return `${cabeca}${comNome}`
  if (SEM_ARTIGO.test(antes)) return antes + comNome
  const preposicao = PEDE_A.test(antes) ? 'a' : PREPOSICOES.get(ultima.toLowerCase())
  if (preposicao === 'em' && !isGrupo)
    return `${cabeca}${comMaiusculaDe(ultima, 'no')} campo “${rotulo}”${comNome.endsWith(')') ? ` (${nomeDoCampo(caminho)})` : ''}`
  if (preposicao) return cabeca + comMaiusculaDe(ultima, comO(preposicao))
  const novo = comO('art')
  return antes === '' ? novo.charAt(0).toUpperCase() + novo.slice(1) : antes + novo
}

const comMaiusculaDe = (modelo: string, texto: string): string =>
  /^\p{Lu}/u.test(modelo) ? texto.charAt(0).toUpperCase() + texto.slice(1) : texto

/** Takes out a name that the words before it have said, as in `o CNPJ do destinatário (CNPJ)`. */
const limpar = (frase: string): string =>
  frase
    .replace(/ \((\w+)(?:,| e| ou) \1\)/g, ' ($1)')
    .replace(/ \(([A-Za-z]\w*)\)/g, (parenteses, nome: string, lugar: number, inteira: string) => {
      const perto = inteira.slice(Math.max(0, lugar - 70), lugar).replace(/.*[.:;] /, '')
      return new RegExp(`(?<![\\p{L}\\d])${nome}(?![\\p{L}\\d])`, 'u').test(perto) ? '' : parenteses
    })
    .replace(/(?<=\w\)?)=(?=\w)/g, ' = ')
    .replace(/ do item (?=(?:no|do|de cada) item\b)/g, ' ')
    .replace(/( do item \(\w+\)) do item\b/g, '$1')
    .replace(/ (do|pelo) (CNPJ d[oa] [^,.;()]{3,40}?) ou o CPF/g, ' $1 $2 ou $1 CPF')
    .replace(/\) \(/g, ', ')
    .replace(/(do IBS e da CBS)( \([^)]*\))? do IBS e da CBS/g, '$1$2')
    .replace(/\b([dn]?[oa]) (\p{L}+) d[oa] \2 (?=(?:d[oa]s?|e) )/gu, '$1 $2 ')
