import { tiposDocumento } from '../documento/documento.ts'
import type { Ambito } from '../documento/uf.ts'
import { findsLittle, semLeituras, type UltimaHora } from '../platform/wire/leituras.ts'
import { type Estado, type Rota, type RotaCnd, writeHorario } from './estado.ts'
import { type Capacidade, type Disponibilidade, disponibilidadeOf, solvesCaptcha } from './rotas.ts'

export const servicos = ['ie', 'cnd'] as const
export type Servico = (typeof servicos)[number]

export const servicosNacionais = ['nfe-xml', 'cnpj', 'cnir', 'sigef'] as const

/** The place of a route among the others. */
export type Lugar = { uf: Ambito; servico: Servico | (typeof servicosNacionais)[number]; ordem: number }

/** A route with what is shown of it. */
export type RotaDescrita = Omit<Rota, 'aceita' | 'espera'> & {
  aceita: readonly (typeof aceitos)[number][]
  abrange?: RotaCnd['abrange']
  falta?: Disponibilidade | undefined
}

/** As `/api/v1/fontes` and the CLI show it. Unknown texts are empty; instants are in ISO 8601. */
export type Fonte = ReturnType<typeof describeFonte>

const rotasOf = ({ ie, cnd }: Estado, servico: Servico): readonly RotaDescrita[] =>
  servico === 'ie' ? ie : cnd

/** By what a route or a national source is asked: a document, or the access key of an NF-e. */
export const aceitos = [...tiposDocumento, 'chave'] as const

/** Sorted by state, service and order. `leituras` has the last hour of each source by its id. */
export function describeFontes(
  { estados, nacionais }: { estados: Iterable<Estado>; nacionais: readonly [Lugar, RotaDescrita][] },
  recursos: Capacidade,
  leituras: ReadonlyMap<string, UltimaHora>,
): Fonte[] {
  return [...[...estados].flatMap(listRotas), ...nacionais]
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

function describeFonte(
  { uf, servico, ordem }: Lugar,
  rota: RotaDescrita,
  recursos: Capacidade,
  leitura: UltimaHora,
) {
  const { source, familia, url, captcha, certeza, origem, em } = rota
  const { consultas, sucessos, vazias, incompletas, antes, rotulos, mediana_ms, resposta, falha, circuito } =
    leitura
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
    situacao: rota.falta ?? disponibilidadeOf(rota, uf, recursos),
    certeza,
    origem,
    em,
    abrange: rota.abrange?.debitos ?? ('' as const),
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
      incompletas,
      mediana_ms: mediana_ms ?? null,
    },
    dias_anteriores: {
      dias: 7,
      sucessos: antes.respostas,
      vazias: antes.vazias,
      taxa_vazias: shareOf(antes.vazias, antes.respostas),
    },
    acha_pouco: findsLittle(leitura),
    rotulos_novos: [...rotulos],
    respondeu_em: resposta?.toISOString() ?? '',
    ultimo_erro: falha ? { tipo: falha.tipo, codigo: falha.codigo, em: falha.em.toISOString() } : null,
  }
}

export const semCaptcha = { tipo: 'nenhum', quando: 'nunca' } as const

/** A share from 0 to 1, with four decimals. Null if there is no whole. */
const shareOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000
