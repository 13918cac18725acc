import { readFileSync } from 'node:fs'
import type { Got, PorChamada } from '../platform/cache/cache.ts'
import { ApiError } from '../platform/errors.ts'
import { EMPRESARIO_INDIVIDUAL, PORTES, SITUACOES } from './base/coding.ts'
import type { RegistroCnpj } from './base/registro.ts'
import { maskCpfs } from './base/text.ts'
import { type CnpjBase, openTabelas, type Tabelas } from './base/versao.ts'
import type { CnpjRoom } from './cnpj.ts'
import { askCnpj, type CadastroAoVivo, fonteCnpj } from './source.ts'

type EmpresaAoVivo = { result: RegistroCnpj['result']; avisos: string[] }

/** The same texts for the same codes as the monthly base. */
export function toEmpresa(cadastro: CadastroAoVivo, tabelas: Tabelas, mascararCpf: boolean): EmpresaAoVivo {
  const situacao = SITUACOES.find(({ codigo }) => codigo !== '' && Number(codigo) === cadastro.situacao)
  const { cnae, natureza, endereco } = cadastro
  const avisos = new Set<string>()
  const words = (what: string, codigo: string, known: string | undefined): string => {
    if (known === undefined && codigo !== '')
      avisos.add(`O código ${codigo} de ${what} não está nas tabelas deste serviço: o texto dele vem vazio.`)
    return known ?? ''
  }
  const hide = (text: string): string =>
    mascararCpf && natureza.codigo === EMPRESARIO_INDIVIDUAL ? maskCpfs(text) : text
  const cnaeOf = ({ codigo, descricao }: typeof cnae) => ({
    codigo,
    descricao: words('CNAE', codigo, tabelas.cnae(codigo) ?? orNone(descricao)),
  })
  const municipio = tabelas.municipio(endereco.municipio.codigo)
  const principal = cnaeOf(cnae)
  const porte = PORTES.find(({ codigo }) => codigo === cadastro.porte)
  const result = {
    razao_social: hide(cadastro.razao_social),
    nome_fantasia: hide(cadastro.nome_fantasia),
    situacao_cadastral: situacao?.descricao ?? '',
    data_situacao_cadastral: cadastro.data_situacao,
    cnae_principal_codigo: principal.codigo,
    cnae_principal_descricao: principal.descricao,
    cnaes_secundarios: cadastro.cnaes_secundarios.map(cnaeOf),
    natureza_juridica: words(
      'natureza jurídica',
      natureza.codigo,
      tabelas.natureza(natureza.codigo) ?? orNone(natureza.descricao),
    ),
    capital_social: cadastro.capital_social,
    endereco: {
      logradouro: endereco.logradouro,
      numero: endereco.numero,
      complemento: endereco.complemento,
      bairro: endereco.bairro,
      municipio: municipio?.nome ?? endereco.municipio.descricao,
      uf: endereco.uf,
      cep: endereco.cep,
      codigo_ibge: words('município', endereco.municipio.codigo, municipio?.ibge),
    },
    qsa: (cadastro.socios ?? []).map(({ nome, qualificacao }) => ({
      nome,
      qualificacao: words('qualificação', qualificacao, tabelas.qualificacao(qualificacao)),
    })),
    porte: words('porte', cadastro.porte, porte?.descricao),
  }
  if (!cadastro.socios) avisos.add(SEM_SOCIOS)
  return { result, avisos: [...avisos] }
}

const SEM_SOCIOS =
  'A Receita Federal não informou sócios nem administradores. Pela tabela deste serviço, a natureza jurídica desta empresa não tem quadro de sócios.'

const orNone = (text: string): string | undefined => (text === '' ? undefined : text)

/** Their origin is in data/README.md. The monthly base brings tables of its own, which are newer. */
const QUALIFICACOES = new URL('../../data/cnpj-qualificacoes.csv', import.meta.url)
const MUNICIPIOS = new URL('../../data/municipios-siafi.csv', import.meta.url)

let tabelas: Tabelas | undefined

/** For what the live register tells by the code alone or by another code. */
export function tabelasSemBase(): Tabelas {
  tabelas ??= readTabelas()
  return tabelas
}

function readTabelas(): Tabelas {
  const qualificacoes = readLinhas(QUALIFICACOES)
  const municipios = readLinhas(MUNICIPIOS)
  const nenhuma = { codigos: [], descricoes: [] }
  return openTabelas({
    cnaes: nenhuma,
    naturezas: nenhuma,
    qualificacoes: {
      codigos: qualificacoes.map(([codigo = '']) => codigo),
      descricoes: qualificacoes.map(([, ...descricao]) => descricao.join(',')),
    },
    municipios: {
      codigos: [...municipios.map(([tom = '']) => tom), '9707'],
      descricoes: [...municipios.map(([, , , nome = '']) => nome), 'EXTERIOR'],
      ibge: [...municipios.map(([, ibge = '']) => ibge), ''],
    },
  })
}

const readLinhas = (file: URL): string[][] => {
  const [, ...lines] = readFileSync(file, 'utf8').trim().split(/\r?\n/)
  return lines.map((line) => line.split(','))
}

/** Throws SITE_INDISPONIVEL without a base, and in live mode for the fictitious sample. */
export function readBase({ base, config }: CnpjRoom): CnpjBase {
  const current = base.current()
  if (current === undefined) {
    throw new ApiError(
      'SITE_INDISPONIVEL',
      'A base CNPJ ainda não foi importada neste servidor. Operador: execute "fiscal cnpj baixar" e "fiscal cnpj importar".',
      { retryS: null },
    )
  }
  if (isRefused(current, config)) {
    throw new ApiError(
      'SITE_INDISPONIVEL',
      'Este servidor só tem uma base de amostra, que não é a nacional e não responde em produção. Operador: importe a base da Receita Federal.',
      { retryS: null },
    )
  }
  return current
}

/** As `readBase`, but undefined where that throws: for what is only completed from the base. */
export function findBase({ base, config }: CnpjRoom): CnpjBase | undefined {
  const current = base.current()
  return current && !isRefused(current, config) ? current : undefined
}

const isRefused = ({ manifesto }: CnpjBase, { AUTHORITIES }: CnpjRoom['config']): boolean =>
  manifesto.amostra && AUTHORITIES === 'live'

/** The monthly base has no source and no instant. */
export type EmpresaAchada = {
  result: RegistroCnpj['result']
  cached: boolean
  fonte: string
  consultado_em: string
  avisos: string[]
}

/** The answer is kept as the register told it, so that a later base gives its words. Null is nobody. */
type Kept = CadastroAoVivo | null

const HOUR_MS = 60 * 60 * 1000

/** Version 1 kept an answer without partners as one that has none. */
const keyOf = (cnpj: string): string => `cnpj/2:${cnpj}`

/** Within the hour. Throws CNPJ_NAO_ENCONTRADO where nobody was found. */
export async function findAoVivoCached(
  room: CnpjRoom,
  cnpj: string,
  maxAgeMs?: PorChamada['maxAgeMs'],
): Promise<EmpresaAchada | undefined> {
  const kept = await room.sealed.find<Kept>(keyOf(cnpj), maxAgeMs)
  return kept && achada(room, kept, true)
}

/** Throws SITE_INDISPONIVEL without a contract, CNPJ_NAO_ENCONTRADO, or SourceError. */
export async function findAoVivo(
  room: CnpjRoom,
  cnpj: string,
  { request_id, maxAgeMs }: PorChamada,
): Promise<EmpresaAchada> {
  const { now, config, sealed, contrato, guard } = room
  if (!contrato)
    throw new ApiError(
      'SITE_INDISPONIVEL',
      'Este servidor não tem contrato para consultar a Receita Federal ao vivo. Consulte sem force_fresh. Operador: defina SERPRO_KEY e SERPRO_SECRET. Nada foi cobrado.',
      { retryS: null },
    )
  // Nobody is kept as long: the Receita Federal's gateway bills that answer too.
  const entry = { key: keyOf(cnpj), ttlMs: HOUR_MS, loadMs: config.CNPJ_SECONDS * 1000, maxAgeMs }
  const got = await sealed.through<Kept>(entry, async (deadlineMs) => {
    const cadastro = await askCnpj(cnpj, { contrato, guard, now, request_id, deadlineMs })
    return cadastro ?? null
  })
  return achada(room, got, got.cached)
}

function achada(room: CnpjRoom, { value, since }: Got<Kept>, cached: boolean): EmpresaAchada {
  if (!value)
    throw new ApiError(
      'CNPJ_NAO_ENCONTRADO',
      'A Receita Federal não tem registro deste CNPJ. Nada foi cobrado.',
    )
  const tabelas = findBase(room)?.tabelas ?? tabelasSemBase()
  const { result, avisos } = toEmpresa(value, tabelas, room.config.CNPJ_MASK_CPF)
  return { result, cached, fonte: fonteCnpj.source.id, consultado_em: since, avisos }
}
