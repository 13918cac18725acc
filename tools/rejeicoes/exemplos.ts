import type { Rejeicao, VerificacaoDoCatalogo } from '../../src/domain/rejeicoes/rejeicao.ts'

type Exemplo = NonNullable<Rejeicao['exemplos']>[number]

/** The most fragments of an entry, the most lines of one, and its most characters. */
export const LIMITES = { exemplos: 3, linhas: 8, letras: 500 } as const

/** A line of a pair: `caminho` names the groups that it stands in, `dentro` those of its own content. */
type Linha = { texto: string; caminho: string; dentro: string }

/** The step that mends: the first that tells to change and names a field of the fragment. */
const MUDA =
  /\b(corrija|informe|grave|troque|retire|inclua|preencha|refaça|acerte|ajuste|apague|mova|substitua|complete|deixe|use)\b/i

/**
 * The wrong and the right fragment of each check, at the step that mends it: only the elements that differ. A
 * side is empty where the element is missing there.
 */
export function fazerExemplos(
  passos: readonly string[],
  verificacoes: readonly VerificacaoDoCatalogo[],
): Exemplo[] {
  return verificacoes
    .map(({ id, par }): Exemplo => {
      const [certas, erradas] = [emLinhas(par.certo), emLinhas(par.errado)]
      const certo = diferentes(certas, erradas)
      const errado = diferentes(erradas, certas)
      return {
        passo: passoDe(passos, [...errado, ...certo]),
        verificacao: id,
        errado: escrever(errado),
        certo: escrever(certo),
      }
    })
    .filter(({ errado, certo }) => errado !== certo)
    .slice(0, LIMITES.exemplos)
}

const nomeDe = (texto: string): string => /^<\/?(\w+)/.exec(texto)?.[1] ?? ''

function passoDe(passos: readonly string[], linhas: readonly Linha[]): number {
  const nomes = [...new Set(linhas.map(({ texto }) => nomeDe(texto)).filter(Boolean))]
  const cita = (passo: string): boolean => nomes.some((nome) => new RegExp(`\\b${nome}\\b`).test(passo))
  const antesDoFim = passos.slice(0, -1)
  const achado = [
    antesDoFim.findIndex((passo) => MUDA.test(passo) && cita(passo)),
    antesDoFim.findIndex((passo) => MUDA.test(passo)),
    antesDoFim.findIndex(cita),
  ].find((lugar) => lugar >= 0)
  return (achado ?? Math.min(1, antesDoFim.length - 1)) + 1
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
