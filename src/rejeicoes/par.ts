import { type Html, html } from '../platform/pages/html.ts'
import { emLinhas, type LinhaDeXml, OMITIDO } from './linhas.ts'
import { alinhar, type Lado } from './page-trecho.ts'
import type { VerificacaoDoCatalogo } from './rejeicao.ts'

/** What holds all groups of a note is shown only where the catalogue tells its attributes. */
const ENVOLTORIO = /^<\/?infNFe>$/

/** The level of the groups of a note. */
const RAIZ = 1

/** The pair of a check, wrong beside right, with what differs marked. */
export function parDaVerificacao(
  { par: { errado, certo } }: Pick<VerificacaoDoCatalogo, 'par'>,
  codigo: number,
): Html {
  const textos = { errado: emLinhas(errado), certo: emLinhas(certo) }
  const lados = alinhar(textos.errado, textos.certo)
  return html`<div class="par"><figure class="errado"><figcaption><span class="selo ruim">Errado</span> <span class="suave">recusada com ${codigo}</span></figcaption>${xml(
    lados.map(({ um, outro, igual }) => trecho(textos.errado[um ?? -1], textos.certo[outro ?? -1], igual)),
  )}</figure><figure class="certo"><figcaption><span class="selo bom">Certo</span></figcaption>${xml(
    lados.map(({ um, outro, igual }) => trecho(textos.certo[outro ?? -1], textos.errado[um ?? -1], igual)),
  )}</figure></div>`
}

/** A line of one text; undefined where only the other has one, which `falta` names if it is an element. */
type Trecho = { linha: LinhaDeXml | undefined; mudou: boolean; falta: LinhaDeXml | undefined }

const trecho = (
  own: LinhaDeXml | undefined,
  other: LinhaDeXml | undefined,
  igual: Lado['igual'],
): Trecho => ({
  linha: own,
  mudou: !igual && own?.texto !== OMITIDO,
  falta: own === undefined && other?.caminho !== '' ? other : undefined,
})

const xml = (trechos: readonly Trecho[]): Html => html`<pre><code>${linhas(trechos)}</code></pre>`

/** Of a group that is missing, its first line says so. */
function linhas(trechos: readonly Trecho[]): Html[] {
  let missing: LinhaDeXml | undefined
  return trechos.flatMap(({ linha, mudou, falta }) => {
    if (linha) {
      missing = undefined
      return ENVOLTORIO.test(linha.texto) ? [] : [umaLinha(linha, mudou)]
    }
    if (!falta || (missing && falta.nivel > missing.nivel)) return []
    missing = falta
    const name = falta.caminho.split('/').at(-1) ?? ''
    return [html`<span class="l falta">${recuo(falta)}falta ${name}\n</span>`]
  })
}

const recuo = ({ nivel }: LinhaDeXml): string => '  '.repeat(Math.max(nivel - RAIZ, 0))

function umaLinha(linha: LinhaDeXml, mudou: boolean): Html {
  const { texto } = linha
  if (mudou) return html`<span class="l mudou">${recuo(linha)}<mark>${texto}</mark>\n</span>`
  return html`<span class="l ${texto === OMITIDO && 'pulo'}">${recuo(linha)}${texto}\n</span>`
}
