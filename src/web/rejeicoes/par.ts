import type { VerificacaoDoCatalogo } from '../../domain/rejeicoes/rejeicao.ts'
import { type Html, html } from '../html.ts'
import { alinhar, type Lado } from './diferenca.ts'
import { emLinhas, type Linha } from './linhas.ts'

/** The most lines of fields that are shown beside those that differ. */
const LIDAS = 14
/** The level of the groups of the note: `NFe` and `infNFe` hold all of them. */
const RAIZ = 2
/** The lines around one that differs. */
const PERTO = 1

type Trecho = { linha: Linha | undefined; mudou: boolean; falta: string | undefined }

/**
 * The pair of a check, wrong beside right. Of each XML there are the lines that differ, the fields that the
 * check reads, and the elements that hold them.
 */
export function parDaVerificacao(
  { par: { errado, certo }, campos }: VerificacaoDoCatalogo,
  codigo: number,
): Html {
  const [um, outro] = [emLinhas(errado), emLinhas(certo)]
  const lados = alinhar(um, outro)
  const shown = mostrados(lados, { um, outro, campos })
  const lado = (nome: 'um' | 'outro'): Html =>
    trechos(lados, shown, (one) => trecho(one, nome, { um, outro }))
  return html`<div class="par"><figure class="errado"><figcaption><span class="selo ruim">Errado</span> <span class="suave">recusada com ${codigo}</span></figcaption>${lado('um')}</figure><figure class="certo"><figcaption><span class="selo bom">Certo</span></figcaption>${lado('outro')}</figure></div>`
}

type Textos = { um: readonly Linha[]; outro: readonly Linha[] }

/** What stands in one of the texts. Of a group that is not there, its first line says so. */
function trecho(lado: Lado, nome: keyof Textos, textos: Textos): Trecho {
  const own = lado[nome]
  const other = nome === 'um' ? lado.outro : lado.um
  const linha = own === undefined ? undefined : textos[nome][own]
  const there = other === undefined ? undefined : textos[nome === 'um' ? 'outro' : 'um'][other]
  return { linha, mudou: !lado.igual, falta: linha ? undefined : there?.caminho.split('/').at(-1) }
}

/** Which lines are shown: `place` in the aligned texts. */
function mostrados(
  lados: readonly Lado[],
  { um, outro, campos }: Textos & { campos: readonly string[] },
): ReadonlySet<number> {
  const shown = new Set<number>()
  const isRead = lidosPor(campos)
  let read = 0
  for (const [place, lado] of lados.entries()) {
    const linha = um[lado.um ?? -1] ?? outro[lado.outro ?? -1]
    const isField = linha !== undefined && isRead(linha.caminho) && read++ < LIDAS
    if (!lado.igual) for (let near = -PERTO; near <= PERTO; near++) shown.add(place + near)
    else if (isField) shown.add(place)
  }
  for (const place of [...shown].sort((a, b) => b - a)) {
    for (const one of pais(lados, place, { um, outro })) shown.add(one)
  }
  return shown
}

const linhaEm = (lado: Lado | undefined, { um, outro }: Textos): Linha | undefined =>
  um[lado?.um ?? -1] ?? outro[lado?.outro ?? -1]

/** The elements that hold a line, from the inside; but for those that hold the whole note. */
function pais(lados: readonly Lado[], place: number, textos: Textos): number[] {
  const found: number[] = []
  let nivel = linhaEm(lados[place], textos)?.nivel ?? 0
  for (let at = place - 1; at >= 0 && nivel > 0; at--) {
    const linha = linhaEm(lados[at], textos)
    if (!linha || linha.nivel >= nivel || linha.caminho === '') continue
    nivel = linha.nivel
    if (nivel >= RAIZ) found.push(at)
  }
  return found
}

/** Whether a path of the XML is one of the fields, which start at `infNFe`; `*` is any one name. */
function lidosPor(campos: readonly string[]): (caminho: string) => boolean {
  const patterns = campos
    .filter((campo) => !campo.startsWith('@'))
    .map((campo) =>
      campo
        .replace(/^\.\//, '')
        .replace(/\/@.*$/, '')
        .split('/'),
    )
  return (caminho) => {
    const names = caminho.split('/')
    const own = names.slice(names.indexOf('infNFe') + 1)
    return patterns.some(
      (names) => names.length === own.length && names.every((name, at) => name === '*' || name === own[at]),
    )
  }
}

function trechos(lados: readonly Lado[], shown: ReadonlySet<number>, of: (lado: Lado) => Trecho): Html {
  const lines: Html[] = []
  let isGap = false
  let isFirst = true
  let faltou = false
  for (const [place, lado] of lados.entries()) {
    const { linha, mudou, falta } = of(lado)
    if (!linha && faltou) continue
    faltou = !linha
    if (!shown.has(place)) {
      if (linha?.caminho !== '') isGap = true
      continue
    }
    if (isGap && !isFirst) lines.push(html`<span class="l pulo">…\n</span>`)
    isGap = false
    isFirst = false
    if (linha) lines.push(umaLinha(linha, mudou))
    else if (falta !== undefined) lines.push(html`<span class="l falta">falta ${falta}\n</span>`)
  }
  return html`<pre><code>${lines}</code></pre>`
}

const umaLinha = ({ nivel, texto }: Linha, mudou: boolean): Html => {
  const indent = '  '.repeat(Math.max(nivel - RAIZ, 0))
  return mudou
    ? html`<span class="l mudou">${indent}<mark>${texto}</mark>\n</span>`
    : html`<span class="l">${indent}${texto}\n</span>`
}
