import type { Texto } from './familias/familia.ts'

/** A place of a text: `{path}`, a path, or the name of a field, which has a capital inside. */
const LUGAR =
  /\{([\w@*/]+)\}|(?<![\p{L}\d/@{.])((?:[A-Za-z@*][\w@*]*\/)+[A-Za-z@*][\w@*]*)(?![\p{L}\d/])|(?<![\p{L}\d/@.])([a-z]+[A-Z]\w*)(?![\p{L}\d/])/gu

type Genero = 'o' | 'a' | 'os' | 'as'

/** First words of labels that are feminine; words in `s` are plural, but for names of taxes. */
const FEMININAS = new Set(
  `alíquota assinatura bandeira base bc chave classificação condição declaração data descrição duplicata espécie
  exportação finalidade fatura forma guia hora hash identificação ie indicação informação inscrição justificativa marca
  modalidade moeda natureza nota numeração ocorrência operação origem parcela placa potência quantidade razão
  receita redução referência retenção série sigla situação solicitação totalização tributação uf unidade versão
  via área condições deduções informações notas outras placas guias referências parcelas`
    .split(/\s+/)
    .filter(Boolean),
)

function generoDe(rotulo: string): Genero {
  const primeira = (/^[\p{L}]+/u.exec(rotulo)?.[0] ?? '').toLowerCase()
  const isPlural = /s$/.test(primeira) && !/^(pis|cofins|icms|is|ibs|cbs|iss|país|mês)$/.test(primeira)
  if (FEMININAS.has(primeira)) return isPlural ? 'as' : 'a'
  return isPlural ? 'os' : 'o'
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
  /(?:^|\s)(um|uma|est[ea]s?|ess[ea]s?|cada|outr[oa]s?|qualquer|algum|alguma|nenhum|nenhuma|novo|nova|seu|sua|mesmo|mesma|dois|duas|só|próprio|próprios)\s$/i

/** A label within a sentence: without its capital, unless it begins with a short name such as CNPJ. */
const noMeio = (rotulo: string): string =>
  /^\p{Lu}\p{Ll}/u.test(rotulo) ? rotulo.charAt(0).toLowerCase() + rotulo.slice(1) : rotulo

/** The name of a field: the last step of its path. */
export const nomeDoCampo = (caminho: string): string =>
  caminho
    .split('/')
    .filter((passo) => passo !== '*')
    .at(-1) ?? caminho

/** Label and name of a field: `descrição do produto (xProd)`; the name alone where the label says it. */
export function rotuloENome(caminho: string, rotulo: string): string {
  const nome = nomeDoCampo(caminho)
  const isDito = new RegExp(`(?<![\\p{L}\\d])${nome.replace('@', '')}(?![\\p{L}\\d])`, 'u').test(rotulo)
  return isDito || nome === '@Id' ? noMeio(rotulo) : `${noMeio(rotulo)} (${nome})`
}

/** The same with its article, and with the preposition that `antes` ends in. */
export function comArtigo(caminho: string, rotulo: string, antes: keyof typeof CONTRACOES = 'art'): string {
  return `${CONTRACOES[antes][generoDe(rotulo)]} ${rotuloENome(caminho, rotulo)}`
}

/** Whether a place of a text stands within parentheses. */
const isEntreParenteses = (texto: string, lugar: number): boolean =>
  texto.lastIndexOf('(', lugar) > texto.lastIndexOf(')', lugar)

const isEntreCrases = (texto: string, lugar: number): boolean =>
  (texto.slice(0, lugar).split('`').length - 1) % 2 === 1

/**
 * Writes fields as the screen calls them: the label at the first mention in the causes and in the steps, with
 * the name of the field behind it, then the name alone. Within parentheses stands the name. Throws if a
 * `{path}` has no label.
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
  const porNome = Map.groupBy(caminhos, nomeDoCampo)
  const escrever = (frases: readonly string[]): string[] => {
    const ditos = new Set<string>()
    return frases.map((frase) => escreverFrase(frase, { rotulos, codigo, porNome, ditos }))
  }
  return { causas: escrever(texto.causas), passos: escrever(texto.passos) }
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
    const unicos = porNome.get(nome) ?? []
    const caminho = entre ?? solto ?? (unicos.length === 1 ? unicos[0] : undefined)
    if (caminho === undefined || isEntreCrases(frase, achado.index)) continue
    const rotulo = rotulos.get(caminho)
    if (rotulo === undefined && entre) throw new Error(`${codigo}: campos.csv has no ${caminho}`)
    if (rotulo === undefined) continue
    escrita += frase.slice(from, achado.index)
    from = achado.index + inteiro.length
    const curto = nomeDoCampo(caminho)
    const isUnico = (porNome.get(curto) ?? []).length === 1 && /[a-z][A-Z]/.test(curto)
    if (isEntreParenteses(frase, achado.index)) {
      escrita += curto === '@Id' ? 'Id' : curto
      if (isUnico) ditos.add(caminho)
    } else if (ditos.has(caminho) && isUnico) escrita += curto
    else {
      escrita = juntar(escrita, caminho, rotulo)
      ditos.add(caminho)
    }
  }
  return limpar(escrita + frase.slice(from))
}

/** Puts a field behind what is written, with the article or contraction that the words before it ask for. */
function juntar(antes: string, caminho: string, rotulo: string): string {
  const comNome = rotuloENome(caminho, rotulo)
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
  if (preposicao) return cabeca + comMaiusculaDe(ultima, comArtigo(caminho, rotulo, preposicao))
  const novo = comArtigo(caminho, rotulo)
  return antes === '' ? novo.charAt(0).toUpperCase() + novo.slice(1) : antes + novo
}

const comMaiusculaDe = (modelo: string, texto: string): string =>
  /^\p{Lu}/u.test(modelo) ? texto.charAt(0).toUpperCase() + texto.slice(1) : texto

/** Takes out a name that the words before it have said, as in `o CNPJ do destinatário (CNPJ)`. */
const limpar = (frase: string): string =>
  frase
    .replace(/ \(([A-Za-z]\w*)\)/g, (parenteses, nome: string, lugar: number, inteira: string) => {
      const perto = inteira.slice(Math.max(0, lugar - 70), lugar).replace(/.*[.:;] /, '')
      return new RegExp(`(?<![\\p{L}\\d])${nome}(?![\\p{L}\\d])`, 'u').test(perto) ? '' : parenteses
    })
    .replace(/(?<=\w\)?)=(?=\w)/g, ' = ')
