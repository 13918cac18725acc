import type { Rejeicao } from '../rules.ts'
import type { Achado, Ocorrencia, Suspeita } from '../rules-laudo.ts'
import { plain } from '../textos.ts'
import { lugarDe, ondeDe, quote } from '../verificacoes/campos.ts'
import { type Exame, ocorrenciaDe, type Verificadores } from './exame.ts'

export type Resposta = {
  codigo: number | undefined
  /** The number of the item, `[nItem: 5]`. */
  nItem: string | undefined
  /** The key of the note that the authority has, `[chNFe: …]`. */
  chave: string | undefined
}

/** The authority's sentence has 255 characters at most (MOC 7.0, xMotivo); what is behind is not read. */
const MAIOR = 500

/** The code may stand in the sentence alone. */
export function readResposta(
  cstat: number | undefined,
  motivo: string | undefined,
  porCodigo: ReadonlyMap<number, Rejeicao>,
): Resposta {
  const texto = motivo?.slice(0, MAIOR) ?? ''
  return {
    codigo: cstat ?? codigoEscrito(texto) ?? codigoDaFrase(texto, porCodigo),
    nItem: /\[\s*n?Item\s*:\s*0*(\d{1,3})\s*\]/i.exec(texto)?.[1],
    chave: /\[\s*chNFe\s*:\s*([0-9A-Z]{44})\s*\]/i.exec(texto)?.[1],
  }
}

export function avisosDaResposta(
  { codigo }: Resposta,
  motivo: string | undefined,
  porCodigo: ReadonlyMap<number, Rejeicao>,
): string[] {
  if (porCodigo.size === 0) return []
  if (codigo === undefined)
    return motivo?.trim()
      ? [
          'O texto informado não é o motivo de uma rejeição conhecida: informe o código (cStat) que a SEFAZ devolveu.',
        ]
      : []
  return porCodigo.has(codigo)
    ? []
    : [`O código ${codigo} não está no catálogo de rejeições: confira o cStat na resposta da SEFAZ.`]
}

/** `539`, `539 - Rejeição…`, `cStat: 539`, `Rejeição 539: …`. */
function codigoEscrito(texto: string): number | undefined {
  const achado =
    /^\s*(\d{3,4})\b/.exec(texto) ?? /\b(?:cStat|Rejei[cç][aã]o|c[oó]digo)\W{0,4}(\d{3,4})\b/i.exec(texto)
  return achado ? Number(achado[1]) : undefined
}

function codigoDaFrase(texto: string, porCodigo: ReadonlyMap<number, Rejeicao>): number | undefined {
  const frase = simplify(texto)
  if (frase.length < 8) return undefined
  const iguais = [...porCodigo.values()].filter(({ motivo }) => simplify(motivo) === frase)
  return iguais.length === 1 ? iguais[0]?.codigo : undefined
}

/** Without the prefix, the placeholders, accents and marks, which vary from authority to authority. */
const simplify = (texto: string): string =>
  plain(texto)
    .replace(/^\s*rejeicao\W*/, '')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()

type Entradas = ReadonlyMap<number, Rejeicao>

const CONTADOS = 50

/** The schema of the batch, and of the message: the authority answers one or the other. */
const ESQUEMA = 225
const ESQUEMAS: readonly number[] = [215, ESQUEMA]

const DA_CHAVE: ReadonlySet<number> = new Set([253, 502])

export function suspect(
  codigo: number,
  origem: Suspeita['origem'],
  ocorrencias: Ocorrencia[],
  entradas: Entradas,
  aplicacao: Suspeita['aplicacao'] = 'obrigatoria',
): Suspeita {
  const { titulo = `Rejeição ${codigo}`, url_blog = '/blog/rejeicoes/' } = entradas.get(codigo) ?? {}
  const contadas = ocorrencias.slice(0, CONTADOS)
  return { codigo, titulo, url_blog, origem, aplicacao, ocorrencias: contadas, certeza: 'certa' }
}

/**
 * In the order in which the authority looks for them. A signature of which only the layout is wrong comes
 * last.
 */
export function listSuspeitas(exame: Exame, daForma: readonly Suspeita[], entradas: Entradas): Suspeita[] {
  const { erros, assinatura, achados } = exame
  const doEsquema = erros.length > 0 ? [suspect(ESQUEMA, 'esquema', erros.map(ocorrenciaDe), entradas)] : []
  const daAssinatura =
    assinatura.codigo === undefined
      ? []
      : [suspect(assinatura.codigo, 'assinatura', [ocorrenciaDaAssinatura(assinatura)], entradas)]
  const [antes, depois] = assinatura.soFormatacao ? [[], daAssinatura] : [daAssinatura, []]
  return [...daForma, ...doEsquema, ...antes, ...dasVerificacoes(achados, entradas), ...depois]
}

const ocorrenciaDaAssinatura = ({ campos = [], mensagem }: Exame['assinatura']): Ocorrencia => ({
  onde: 'assinatura',
  campos,
  mensagem,
})

export function dasVerificacoes(achados: readonly Achado[], entradas: Entradas): Suspeita[] {
  const falhas = achados.filter(({ resultado }) => resultado === 'falha')
  const porCodigo = Map.groupBy(falhas, ({ codigo }) => codigo)
  const suspeitas = [...porCodigo].map(([codigo, seus]) => {
    const ocorrencias = seus.flatMap((achado) => achado.ocorrencias)
    const aplicacao = seus.some((achado) => achado.aplicacao === 'obrigatoria') ? 'obrigatoria' : 'uf'
    return suspect(codigo, DA_CHAVE.has(codigo) ? 'chave' : 'verificacao', ocorrencias, entradas, aplicacao)
  })
  const ordem = (codigo: number): string =>
    (DA_CHAVE.has(codigo) ? ' ' : '') + ordemDaRegra(entradas.get(codigo))
  return suspeitas.sort((a, b) => {
    if (a.aplicacao !== b.aplicacao) return a.aplicacao === 'uf' ? 1 : -1
    const [um, outro] = [ordem(a.codigo), ordem(b.codigo)]
    return um < outro ? -1 : um > outro ? 1 : a.codigo - b.codigo
  })
}

/** `5E17-40` comes after `E17-40`: its number is the phase that looks things up. Then group, field, rule. */
function ordemDaRegra(entrada: Rejeicao | undefined): string {
  const [, fase = '', grupo = '', campo = '', regra = ''] =
    /^(\d?)([A-Z]+)(\d*)\D*(\d*)/.exec(entrada?.regras[0]?.regra ?? '') ?? []
  if (!grupo) return '9'
  return [fase || '0', grupo.padEnd(3), campo.padStart(4, '0'), regra.padStart(4, '0')].join(' ')
}

/** Puts what the authority answered first if something confirms it, else last. */
export function comInformado(
  lista: Suspeita[],
  { codigo, nItem }: Resposta,
  exame: Exame,
  entradas: Entradas,
): Suspeita[] {
  if (codigo === undefined) return lista
  const suspeitas = ESQUEMAS.includes(codigo)
    ? lista.map((uma) =>
        uma.codigo === ESQUEMA ? suspect(codigo, uma.origem, uma.ocorrencias, entradas) : uma,
      )
    : lista
  const confirmada = suspeitas.find((suspeita) => suspeita.codigo === codigo)
  if (confirmada) return [confirmada, ...suspeitas.filter((suspeita) => suspeita !== confirmada)]
  // Results such as 100 are no rejections, and have no entry.
  if (!entradas.has(codigo)) return suspeitas
  const ocorrencia = ocorrenciaInformada(codigo, nItem, exame, entradas)
  return [...suspeitas, suspect(codigo, 'informado', [ocorrencia], entradas)]
}

function ocorrenciaInformada(
  codigo: number,
  nItem: string | undefined,
  { nota: { infNFe } }: Exame,
  entradas: Entradas,
): Ocorrencia {
  const item = nItem
    ? infNFe.filhos.find(({ nome, atributos }) => nome === 'det' && atributos.nItem === nItem)
    : undefined
  const lugar = item ? lugarDe(item) : ''
  const campos = (entradas.get(codigo)?.campos ?? [])
    .filter((campo) => item && campo.startsWith('det/'))
    .slice(0, 6)
    .map((campo) => {
      const passos = campo.split('/').slice(1)
      const achado = passos.reduce<typeof item>(
        (pai, passo) => pai?.filhos.find(({ nome }) => passo === '*' || nome === passo),
        item,
      )
      return {
        caminho: achado ? lugarDe(achado) : `${lugar}/${passos.join('/')}`,
        valor: achado && achado.filhos.length === 0 ? quote(achado.texto) : null,
      }
    })
  const onde = lugar ? ondeDe(lugar) : 'nota'
  const doItem = lugar ? ` A resposta aponta o ${onde}.` : ''
  return {
    onde,
    campos,
    mensagem: `A SEFAZ respondeu ${codigo}, e nada neste XML confirma essa rejeição.${doItem} Veja as causas e o que fazer na página da rejeição.`,
  }
}

export function codificacaoDeclarada(texto: string): { nome: string; inicio: number } | undefined {
  const [tudo, antes = '', nome] = /^(<\?xml[^>]*\bencoding\s*=\s*["'])([^"']+)["']/.exec(texto) ?? []
  return tudo === undefined || nome === undefined ? undefined : { nome, inicio: antes.length }
}

/** 402 and 404: what the authority looks at before the schema. */
export function suspeitasDaForma(
  texto: string,
  exame: Exame,
  porCodigo: Verificadores['porCodigo'],
): Suspeita[] {
  const codificacao = codificacaoDeclarada(texto)?.nome
  const outra =
    codificacao && codificacao.toUpperCase() !== 'UTF-8'
      ? [
          suspect(
            402,
            'esquema',
            [
              {
                onde: 'declaração do XML',
                campos: [{ caminho: 'encoding', valor: codificacao.slice(0, 40) }],
                mensagem: 'O XML declara outra codificação. Grave o arquivo em UTF-8 e declare UTF-8.',
              },
            ],
            porCodigo,
          ),
        ]
      : []
  const { comPrefixo } = exame
  if (!comPrefixo) return outra
  const caminho = lugarDe(comPrefixo)
  const mensagem = `O elemento ${comPrefixo.nome} usa o prefixo ${comPrefixo.prefixo}. Declare o namespace com xmlns, sem prefixo.`
  const ocorrencia = { onde: ondeDe(caminho), campos: [{ caminho, valor: null }], mensagem }
  return [...outra, suspect(404, 'esquema', [ocorrencia], porCodigo)]
}
