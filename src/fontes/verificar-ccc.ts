import type { Documento } from '../documento/documento.ts'
import type { Uf } from '../documento/uf.ts'
import { estadoOf } from '../estados/estados.ts'
import { fonteCcc } from '../inscricao/fonte.ts'
import { askRotas, type Consulta } from '../portal/rotas.ts'
import type { Inscricao, InscricaoParcial } from '../portal/rules-inscricao.ts'
import { resultadoOf, type VerificacaoDeFonte } from './verificacao.ts'

/** A CNPJ that the simulator knows in SP, whose web service can be asked without a captcha. */
const EXEMPLO: Documento = { tipo: 'cnpj', documento: estadoOf('SP').exemplo }

/** States whose own answer is compared with the register's. */
const COMPARADOS = 3

type Prova = {
  /** Replaces the example. */
  documento: Documento | undefined
  /** Whether the simulator is asked. It has to know its example. */
  simulado: boolean
  ask: (cnpj: string) => Promise<InscricaoParcial[]>
  consulta: (uf: Uf) => Consulta
}

/**
 * Asks the national register, and compares its answer about a CNPJ with the states' own answers to see how
 * fresh it is.
 */
export async function verifyCcc({ documento, simulado, ask, consulta }: Prova): Promise<VerificacaoDeFonte> {
  const { familia, source } = fonteCcc
  const place = {
    uf: 'BR',
    servico: 'ie',
    ordem: 1,
    fonte: source.id,
    rota: familia,
    rotulos_novos: [],
  } as const
  const { tipo, documento: cnpj } = documento ?? EXEMPLO
  if (tipo !== 'cnpj')
    return { ...place, resultado: 'nao-consultada', detalhe: 'só é consultado por CNPJ', ms: null }
  const mustKnow = simulado && documento === undefined
  const started = performance.now()
  try {
    const found = await ask(cnpj)
    const ms = Math.round(performance.now() - started)
    if (found.length > 0)
      return { ...place, resultado: 'respondeu', detalhe: await describe(found, cnpj, consulta), ms }
    const detalhe = 'nenhuma inscrição: para comparar, use --cnpj com um CNPJ de que conhece as inscrições'
    return { ...place, resultado: mustKnow ? 'resposta-inesperada' : 'respondeu', detalhe, ms }
  } catch (error) {
    return { ...place, ...resultadoOf(error, mustKnow), ms: Math.round(performance.now() - started) }
  }
}

async function describe(
  found: readonly InscricaoParcial[],
  cnpj: string,
  consulta: Prova['consulta'],
): Promise<string> {
  const shown = Map.groupBy(found, ({ uf_ie }) => uf_ie)
  const comparisons: string[] = []
  for (const [uf, inscricoes] of shown) {
    if (comparisons.length === COMPARADOS) break
    const own = await askRotas(estadoOf(uf).ie, { tipo: 'cnpj', documento: cnpj }, consulta(uf)).catch(
      () => undefined,
    )
    if (own) comparisons.push(`${uf} ${compare(inscricoes, own.resposta)}`)
  }
  const many = found.length === 1 ? '1 inscrição' : `${found.length} inscrições`
  const against = comparisons.length > 0 ? comparisons.join('; ') : 'nenhum estado respondeu para comparar'
  return `${many} em ${[...shown.keys()].join(', ')}; ${against}`
}

/** The register knows only enabled and not enabled. A state has several words for not enabled. */
function compare(inscricoes: readonly InscricaoParcial[], own: readonly Inscricao[]): string {
  const isAtiva = ({ situacao_ie }: Inscricao): boolean => situacao_ie === 'ATIVA'
  const bare = ({ inscricao_estadual }: Inscricao): string => inscricao_estadual.replace(/^0+/, '')
  const differs = inscricoes.find((one) => {
    const same = own.find((other) => bare(other) === bare(one))
    return !same || isAtiva(same) !== isAtiva(one)
  })
  if (!differs) return 'confere com o estado'
  const same = own.find((other) => bare(other) === bare(differs))
  return `difere do estado (CCC ${differs.situacao_ie}, estado ${same ? same.situacao_ie : 'sem esta inscrição'})`
}
