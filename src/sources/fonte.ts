import { semLeituras, type UltimaHora } from '../domain/leitura.ts'
import type { Uf } from '../domain/uf.ts'
import type { Estado, Ficha } from './estado.ts'
import { type Recursos, situacaoOf, solvesCaptcha } from './situacao.ts'

/** What a state is asked for. */
export const servicos = ['ie', 'cnd'] as const
export type Servico = (typeof servicos)[number]

/** One route of one state, as clients and operators read it: texts empty where nothing is known, instants in ISO 8601. */
export type Fonte = ReturnType<typeof describeFonte>

/** The routes of a state for a service, in the order in which they are tried; none where it is not connected. */
const rotasOf = ({ ie, cnd }: Estado, servico: Servico): readonly Ficha[] => (servico === 'ie' ? ie : [cnd])

/** Every route of these states, by state, service and order, with what became of its queries by the source's id. */
export function describeFontes(
  estados: Iterable<Estado>,
  recursos: Recursos,
  leituras: ReadonlyMap<string, UltimaHora>,
): Fonte[] {
  return [...estados]
    .toSorted((a, b) => (a.uf < b.uf ? -1 : 1))
    .flatMap((estado) =>
      servicos.flatMap((servico) =>
        rotasOf(estado, servico).map((rota, index) => {
          const place = { uf: estado.uf, servico, ordem: index + 1 }
          return describeFonte(place, rota, recursos, leituras.get(rota.source.id) ?? semLeituras)
        }),
      ),
    )
}

function describeFonte(
  { uf, servico, ordem }: { uf: Uf; servico: Servico; ordem: number },
  rota: Ficha,
  recursos: Recursos,
  { consultas, sucessos, mediana_ms, falha, circuito }: UltimaHora,
) {
  const { source, familia, url, captcha, certeza, origem, em } = rota
  const { tipo, quando } = captcha === 'nenhum' ? { tipo: captcha, quando: 'nunca' as const } : captcha
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
    situacao: situacaoOf(rota, uf, recursos),
    certeza,
    origem,
    em,
    nota: rota.nota ?? '',
    horario: rota.horario ?? '',
    circuito: {
      estado: circuito.estado,
      ate: circuito.estado === 'fechado' ? '' : circuito.ate.toISOString(),
    },
    ultima_hora: {
      consultas,
      sucessos,
      taxa_sucesso: consultas === 0 ? null : Math.round((sucessos / consultas) * 10_000) / 10_000,
      mediana_ms: mediana_ms ?? null,
    },
    ultimo_erro: falha ? { tipo: falha.tipo, codigo: falha.codigo, em: falha.em.toISOString() } : null,
  }
}
