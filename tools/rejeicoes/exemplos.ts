import type { Rejeicao, VerificacaoDoCatalogo } from '../../src/rejeicoes/rules.ts'

type Exemplo = NonNullable<Rejeicao['exemplos']>[number]

/** The most fragments of an entry, the most lines of one, and its most characters. */
export const LIMITES = { exemplos: 3, linhas: 8, letras: 500 } as const

/** A line of a pair: `caminho` names the groups that it stands in, `dentro` those of its own content. */
type Linha = { texto: string; caminho: string; dentro: string }

/** What a step says is done to the fields that it names after the word. */
const ACOES = {
  tira: /\b(retire|tire|apague|remova|exclua|deixe|mantenha)\b/gi,
  poe: /\b(inclua|informe|preencha|acrescente|grave|declare|complete|use|crie)\b/gi,
  muda: /\b(corrija|troque|informe|grave|refaça|acerte|ajuste|substitua|preencha|complete|deixe|use|mova|zere|copie|gere)\b/gi,
} as const

/** Fields as texts name them, where a step may speak of another one than the pair. */
const CAMPOS = /(?<![\p{L}\d])(?:[a-z]+[A-Z]\w*|CST|CSOSN|CFOP|NCM|CEST|CRT|IE|CNPJ|CPF)(?![\p{L}\d])/gu

type Acao = keyof typeof ACOES

/**
 * The wrong and the right fragment of each check, at the step that mends it: only the elements that differ. A
 * side is empty where the element is missing there.
 */
export function fazerExemplos(
  passos: readonly string[],
  verificacoes: readonly VerificacaoDoCatalogo[],
  rotulos: ReadonlyMap<string, string>,
): Exemplo[] {
  const vistos = new Set<string>()
  return verificacoes
    .map(({ id, par }): Exemplo => {
      const [certas, erradas] = [emLinhas(par.certo), emLinhas(par.errado)]
      const errado = diferentes(erradas, certas)
      const certo = semDataTirada(diferentes(certas, erradas), errado)
      return {
        passo: passoDe(passos, emendasDe(errado, certo, rotulos)),
        verificacao: id,
        errado: escrever(errado),
        certo: escrever(certo),
      }
    })
    .filter(({ passo, errado, certo }) => {
      const visto = JSON.stringify([passo, errado, certo])
      if (errado === certo || vistos.has(visto)) return false
      vistos.add(visto)
      return true
    })
    .slice(0, LIMITES.exemplos)
}

const isData = ({ texto }: Linha): boolean => texto.startsWith('<dhEmi>')

/** Without the day that a pair takes out only so that no other check fails: every note has one. */
const semDataTirada = (certo: readonly Linha[], errado: readonly Linha[]): readonly Linha[] =>
  errado.some(isData) ? certo : certo.filter((linha) => !isData(linha))

const nomeDe = (texto: string): string => /^<\/?(\w+)/.exec(texto)?.[1] ?? ''

/** Tags by which a step may name what differs, and the words of the screen for them. */
function nomesDe(linhas: readonly Linha[], rotulos: ReadonlyMap<string, string>): string[] {
  const nomes = linhas.flatMap(({ texto, caminho }) => {
    const nome = nomeDe(texto)
    const inteiro = `${caminho.replace(/^infNFe\/?/, '')}/${nome}`.replace(/^\//, '')
    const rotulo = rotulos.get(inteiro)?.replace(/ \([^()]*\)$/, '')
    return rotulo ? [nome, rotulo.toLowerCase()] : [nome]
  })
  return [...new Set(nomes)].filter(Boolean)
}

/** What a pair does, how a step may tell it, and whether it only follows from another. */
type Emenda = { acao: Acao; nomes: readonly string[]; valores: readonly string[]; segue: boolean }

function emendasDe(
  errado: readonly Linha[],
  certo: readonly Linha[],
  rotulos: ReadonlyMap<string, string>,
): Emenda[] {
  const fora = (umas: readonly Linha[], outras: readonly Linha[]): readonly Linha[] => {
    const nomes = new Set(outras.map(({ texto }) => nomeDe(texto)))
    return umas.filter(({ texto }) => !nomes.has(nomeDe(texto)))
  }
  const [saem, entram] = [fora(errado, certo), fora(certo, errado)]
  // Where elements only go or only come, what else changes are mostly values that follow from it.
  const segue = saem.length > 0 !== entram.length > 0
  const emendas: [Acao, readonly Linha[], boolean][] = [
    ['tira', saem, false],
    ['poe', entram, false],
    ['muda', segue ? fora(errado, saem) : [...errado, ...certo], segue],
  ]
  return emendas
    .filter(([, linhas]) => linhas.length > 0)
    .map(([acao, linhas, isConsequencia]) => ({
      acao,
      nomes: nomesDe(linhas, rotulos),
      valores: certo
        .map(({ texto }) => />([^<]{2,})</.exec(texto)?.[1] ?? '')
        .filter(Boolean)
        .flatMap((valor) => (/^0\.0+$/.test(valor) ? [valor, 'zero'] : [valor])),
      segue: isConsequencia,
    }))
}

/** The step that mends. Where none does, the second. */
function passoDe(passos: readonly string[], emendas: readonly Emenda[]): number {
  const antesDoFim = passos.slice(0, -1)
  const notas = antesDoFim.map((passo) => Math.max(0, ...emendas.map((emenda) => notaDo(passo, emenda))))
  const melhor = Math.max(...notas)
  return (melhor > 0 ? notas.indexOf(melhor) : Math.min(1, antesDoFim.length - 1)) + 1
}

/** How far behind a word its field may stand, in characters. */
const PERTO = 90

const lugaresDe = (passo: string, palavra: RegExp): number[] =>
  [...passo.matchAll(palavra)].map(({ index }) => index)

const palavraInteira = (texto: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\d])${texto.replace(/[.*+?()[\]]/g, '\\$&')}(?![\\p{L}\\d])`, 'giu')

/**
 * How well a step tells the mend: best is a word that does it with the field behind it (more so with the
 * right value), then the right value, then word and field anywhere, then the word where the step speaks of
 * nothing else.
 */
function notaDo(passo: string, { acao, nomes, valores, segue }: Emenda): number {
  const lugares = nomes.flatMap((nome) => lugaresDe(passo, palavraInteira(nome)))
  const palavras = lugaresDe(passo, ACOES[acao])
  const todas = Object.values(ACOES).flatMap((palavra) => lugaresDe(passo, palavra))
  const isJunto = lugares.some((lugar) => {
    const ultima = Math.max(-1, ...todas.filter((palavra) => palavra < lugar))
    return palavras.includes(ultima) && lugar - ultima < PERTO
  })
  const isDito = valores.some((valor) => palavraInteira(valor).test(passo))
  if (isJunto) return (segue ? 4.5 : 5) + (isDito ? 0.3 : 0)
  if (todas.length > 0 && isDito) return 4
  if (lugares.length > 0 && palavras.length > 0) return 3
  const outros = lugaresDe(passo, CAMPOS).length + lugaresDe(passo, /\brefaça\b/gi).length
  if (palavras.length > 0) return outros > 0 ? 0.8 : 2
  return lugares.length > 0 ? 0.6 : todas.length > 0 ? 0.5 : 0
}

/** The lines of a pair, without what stands for others and what closes a group. */
function emLinhas(xml: string): Linha[] {
  const abertos: string[] = []
  return xml.split('\n').flatMap((inteira): Linha[] => {
    const texto = inteira.trim()
    if (texto.startsWith('</')) {
      abertos.pop()
      return []
    }
    if (texto === '…' || texto === '') return []
    const caminho = abertos.join('/')
    const isGrupo = !/<\/\w+>$|\/>$/.test(texto)
    if (isGrupo) abertos.push(nomeDe(texto))
    return [{ texto, caminho, dentro: isGrupo ? abertos.join('/') : '' }]
  })
}

/** Consequences of a change of the key, which are no mend of their own. */
const isDaChave = ({ texto }: Linha): boolean => /^<(infNFe\b|cDV>)/.test(texto)

/** The lines that the other text lacks; each is looked for as often as it is there. */
function diferentes(linhas: readonly Linha[], outras: readonly Linha[]): Linha[] {
  const vezes = new Map<string, number>()
  for (const { caminho, texto } of outras)
    vezes.set(`${caminho} ${texto}`, (vezes.get(`${caminho} ${texto}`) ?? 0) + 1)
  const so = linhas.filter(({ caminho, texto }) => {
    const sobram = vezes.get(`${caminho} ${texto}`) ?? 0
    vezes.set(`${caminho} ${texto}`, sobram - 1)
    return sobram <= 0
  })
  const proprias = so.filter((linha) => !isDaChave(linha))
  return proprias.length > 0 ? proprias : so
}

/** Prints lines with what closes their groups, cut to the limits with `…`. */
function escrever(linhas: readonly Linha[]): string {
  const saida: string[] = []
  const abertos: { nome: string; dentro: string }[] = []
  const fechar = (caminho: string | undefined): void => {
    for (let aberto = abertos.at(-1); aberto; aberto = abertos.at(-1)) {
      if (caminho !== undefined && `${caminho}/`.startsWith(`${aberto.dentro}/`)) return
      abertos.pop()
      saida.push(`${'  '.repeat(abertos.length)}</${aberto.nome}>`)
    }
  }
  for (const { texto, caminho, dentro } of linhas) {
    fechar(caminho)
    saida.push('  '.repeat(abertos.length) + texto)
    if (dentro) abertos.push({ nome: nomeDe(texto), dentro })
  }
  fechar(undefined)
  const cabem = saida.slice(0, LIMITES.linhas)
  while (cabem.length > 1 && cabem.join('\n').length > LIMITES.letras) cabem.pop()
  const texto = cabem.join('\n').slice(0, LIMITES.letras)
  return cabem.length < saida.length ? `${texto}\n…` : texto
}
