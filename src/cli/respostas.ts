import type { Resposta } from '@consulta-fiscal/cliente'
import { descrever, listar } from './tabelas.ts'

type DeTodas<T> = readonly (T & { uf: string; source_status: { status: string; error_message: string } })[]

/** Registrations in one state. */
export const deIe = ({ results, uf }: Resposta<'consultar'>): string =>
  listar(
    ['UF', 'IE', 'Situação', 'Razão social', 'Município', 'Regime'],
    results.map((ie) => [
      uf,
      ie.inscricao_estadual,
      ie.situacao_ie,
      ie.razao_social,
      ie.municipio,
      ie.regime_apuracao_icms,
    ]),
    `Nenhuma inscrição em ${uf}.`,
  )

/** Registrations in all states: one row each, and one for a state without or without an answer. */
export const deIeTodas = ({ results }: Pick<Resposta<'consultarIeTodos'>, 'results'>): string =>
  listar(
    ['UF', 'IE', 'Situação', 'Razão social ou motivo'],
    porEstado(results, ({ uf, results: inscricoes }) =>
      inscricoes.length === 0
        ? [[uf, 'nenhuma', '', '']]
        : inscricoes.map((ie) => [uf, ie.inscricao_estadual, ie.situacao_ie, ie.razao_social]),
    ),
    'Nenhum estado.',
  )

/** Certificates of all states. */
export const deCndTodas = ({ results }: Resposta<'consultarCndTodos'>): string =>
  listar(
    ['UF', 'Certidão', 'Validade', 'Texto ou motivo'],
    porEstado(results, ({ uf, result, avisos }) => [
      [uf, result?.status, result?.validade, result?.status_raw || avisos.join(' ')],
    ]),
    'Nenhum estado.',
  )

function porEstado<T>(
  estados: DeTodas<T>,
  linhasDe: (estado: DeTodas<T>[number]) => (string | undefined)[][],
): (string | undefined)[][] {
  return estados.flatMap((estado) => {
    const { uf, source_status } = estado
    return source_status.status === 'success'
      ? linhasDe(estado)
      : [[uf, 'falhou', '', source_status.error_message]]
  })
}

/** A certificate, a company: what its result says. */
export const doResultado = ({ result }: { result: object | null }): string => descrever(result ?? {})

/** The holder and the rural properties. */
export const deCnir = ({
  pessoa_fisica,
  pessoa_juridica,
  imoveis_cafir,
}: Resposta<'consultarCnir'>): string =>
  [
    descrever(pessoa_fisica ?? pessoa_juridica ?? {}),
    listar(
      ['CIB', 'Imóvel', 'Área (ha)', 'Município', 'Situação'],
      imoveis_cafir.map(({ cib, denominacao, area_total, municipio_sede, situacao }) => [
        cib,
        denominacao,
        area_total,
        `${municipio_sede.nome}/${municipio_sede.uf}`,
        situacao,
      ]),
      'Nenhum imóvel.',
    ),
  ].join('\n')

/** The parcels of land. */
export const deSigef = ({ result }: Resposta<'consultarSigef'>): string =>
  listar(
    ['Parcela', 'Área (ha)', 'Município', 'Situação', 'Certificada em', 'Código'],
    (result?.parcelas ?? []).map((parcela) => [
      parcela.denominacao,
      parcela.area_ha,
      `${parcela.municipio}/${parcela.uf}`,
      parcela.status,
      parcela.data_certificacao,
      parcela.codigo_parcela,
    ]),
    'Nenhuma parcela.',
  )

/** The sections of a profile, each as its own lookup shows it. */
export function dePerfil(perfil: Resposta<'perfilProdutor'>): string {
  const { receita_federal, inscricoes_estaduais, cnd_estaduais } = perfil
  return [
    'Receita Federal',
    receita_federal ? doResultado(receita_federal) : 'Sem resposta.',
    'Inscrições estaduais',
    inscricoes_estaduais ? deIeTodas(inscricoes_estaduais) : 'Nenhuma.',
    'Certidões estaduais',
    cnd_estaduais ? deCndTodas(cnd_estaduais) : 'Sem resposta.',
  ].join('\n')
}
