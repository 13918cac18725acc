import { tiposDocumento } from '../domain/documento/documento.ts'
import { writeHorario } from '../domain/fonte/horario.ts'
import { achaPouco, semLeituras, type UltimaHora } from '../domain/fonte/leitura.ts'
import type { Ambito } from '../domain/uf.ts'
import { fonteCcc } from './ccc/fonte.ts'
import { type Capacidade, disponibilidadeOf, solvesCaptcha } from './disponibilidade.ts'
import type { Estado, Rota } from './estado.ts'
import { type FonteNfe, fontesNfe } from './nfe/fonte.ts'
import type { AmbienteNfe } from './nfe/meios.ts'
import { captchaDoPortal } from './nfe/portal.ts'

/** The services of a state. */
export const servicos = ['ie', 'cnd'] as const
export type Servico = (typeof servicos)[number]

/** The service of the Union: the XML of an NF-e. */
export const NACIONAL = 'nfe-xml'

/**
 * One route of a state, or one national source, as `/api/v1/fontes` and the CLI show it. Unknown texts are
 * empty; instants are in ISO 8601.
 */
export type Fonte = ReturnType<typeof describeFonte>

/** The routes of a state for a service, in the order in which they are tried. */
const rotasOf = ({ ie, cnd }: Estado, servico: Servico): readonly Rota[] => (servico === 'ie' ? ie : cnd)

/**
 * The settings of the national sources: the environment of the NF-e, and whether the register (CCC) is asked.
 */
type Nacionais = { nfe: AmbienteNfe; ccc: boolean }

/** The place of a route among the others. */
type Lugar = { uf: Ambito; servico: Servico | typeof NACIONAL; ordem: number }

/** By what a route or a national source is asked: a document, or the access key of an NF-e. */
export const aceitos = [...tiposDocumento, 'chave'] as const

/** A route with what is shown of it. */
type RotaDescrita = Omit<Rota, 'aceita' | 'espera'> & {
  aceita: readonly (typeof aceitos)[number][]
  desligada?: boolean
}

/**
 * Describes every route of these states, and the national sources. The list is sorted by state, service and
 * order; `leituras` has the last hour of each source by its id.
 */
export function describeFontes(
  { estados, nacionais }: { estados: Iterable<Estado>; nacionais: Nacionais | undefined },
  recursos: Capacidade,
  leituras: ReadonlyMap<string, UltimaHora>,
): Fonte[] {
  const rotas = [...estados].flatMap(listRotas)
  if (nacionais) rotas.push(...listNacionais(nacionais))
  return rotas
    .toSorted(([a], [b]) => (a.uf < b.uf ? -1 : Number(a.uf > b.uf)))
    .map(([lugar, rota]) => describeFonte(lugar, rota, recursos, leituras.get(rota.source.id) ?? semLeituras))
}

const listRotas = (estado: Estado): [Lugar, RotaDescrita][] =>
  servicos.flatMap((servico) =>
    rotasOf(estado, servico).map((rota, index): [Lugar, RotaDescrita] => [
      { uf: estado.uf, servico, ordem: index + 1 },
      rota,
    ]),
  )

/** Lists the register of taxpayers and the services of the NF-e. The latter need the client's certificate. */
function listNacionais({ nfe: ambiente, ccc }: Nacionais): [Lugar, RotaDescrita][] {
  const { distribuicao, eventos, portal } = fontesNfe
  const fontes: FonteNfe[] = [distribuicao, eventos, portal]
  const rotas = fontes.map((fonte, index): [Lugar, RotaDescrita] => [
    { uf: 'BR', servico: NACIONAL, ordem: index + 1 },
    {
      ...fonte,
      url: fonte.enderecos[ambiente],
      aceita: ['chave'],
      captcha: fonte === portal ? captchaDoPortal : 'nenhum',
    },
  ])
  return [
    [
      { uf: 'BR', servico: 'ie', ordem: 1 },
      { ...fonteCcc, desligada: !ccc },
    ],
    ...rotas,
  ]
}

function describeFonte(
  { uf, servico, ordem }: Lugar,
  rota: RotaDescrita,
  recursos: Capacidade,
  leitura: UltimaHora,
) {
  const { source, familia, url, captcha, certeza, origem, em } = rota
  const { consultas, sucessos, vazias, antes, rotulos, mediana_ms, falha, circuito } = leitura
  const { tipo, quando } = captcha === 'nenhum' ? semCaptcha : captcha
  return {
    uf,
    servico,
    ordem,
    fonte: source.id,
    nome: source.nome,
    rota: familia,
    endereco: url,
    host: new URL(url).host,
    aceita: [...rota.aceita],
    captcha: { tipo, quando, resolvido: solvesCaptcha(rota, uf, recursos.captcha) },
    situacao: rota.desligada ? ('desligada' as const) : disponibilidadeOf(rota, uf, recursos),
    certeza,
    origem,
    em,
    nota: rota.nota ?? '',
    horario: rota.horario ? writeHorario(rota.horario) : '',
    circuito: {
      estado: circuito.estado,
      ate: circuito.estado === 'fechado' ? '' : circuito.ate.toISOString(),
    },
    ultima_hora: {
      consultas,
      sucessos,
      taxa_sucesso: shareOf(sucessos, consultas),
      vazias,
      taxa_vazias: shareOf(vazias, sucessos),
      mediana_ms: mediana_ms ?? null,
    },
    dias_anteriores: {
      dias: 7,
      sucessos: antes.respostas,
      vazias: antes.vazias,
      taxa_vazias: shareOf(antes.vazias, antes.respostas),
    },
    acha_pouco: achaPouco(leitura),
    rotulos_novos: [...rotulos],
    ultimo_erro: falha ? { tipo: falha.tipo, codigo: falha.codigo, em: falha.em.toISOString() } : null,
  }
}

/** How a route without a captcha is shown. */
export const semCaptcha = { tipo: 'nenhum', quando: 'nunca' } as const

/** A share from 0 to 1, with four decimals. Null if there is no whole. */
const shareOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000
