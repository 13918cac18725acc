import { type Static, Type } from 'typebox'
import { Check } from 'typebox/schema'
import { diaDe } from '../documento/dia.ts'
import { fold } from '../platform/texto.ts'
import type { CertidaoFederal, EspecieFederal, RecusaFederal } from './certidao.ts'
import { fontesDaCertidao } from './fontes.ts'
import { fail, type RespostaDaApi, readResposta, recusaDita } from './portal-resposta.ts'
import { diasDe, lerEntregue } from './source.ts'
import { comCaptcha, type Sessao } from './source-sessao.ts'

const { source } = fontesDaCertidao.portal

/** A certificate of the portal's list that is valid and has a second copy. */
export type CertidaoListada = {
  id: string
  /** AAAA-MM-DD. */
  emissao: string
  validade: string
  linha: Static<typeof Linha>
}

/** A row of the list. Other members are not read. */
const Linha = Type.Object({
  idCertidao: Type.Union([Type.String({ minLength: 1, maxLength: 200 }), Type.Number()]),
  hasSegundaVia: Type.Boolean(),
  numeroControle: Type.Optional(Type.Unknown()),
  tipoCertidao: Type.Optional(Type.Unknown()),
  dataEmissao: Type.String({ maxLength: 40 }),
  dataValidade: Type.String({ maxLength: 40 }),
  situacao: Type.String({ maxLength: 100 }),
})

/** The page says "more than 300" beyond that. A longer list is none. */
const Lista = Type.Array(Linha, { maxItems: 1_000 })

/** The id of a question. */
const Id = Type.Union([Type.String({ minLength: 1, maxLength: 500 }), Type.Number()])

/**
 * Lists the valid certificates that were issued in the last year, the farthest end first; or gives what the
 * portal said in place of a list.
 */
export async function listar(
  sessao: Sessao,
  cnpj: string,
  now: Date,
): Promise<CertidaoListada[] | RecusaFederal> {
  const quem = { ni: cnpj, tipoContribuinte: 'PJ' }
  const validada = await comCaptcha(sessao, async (token) =>
    readResposta(await sessao.post('/consulta/validar-contribuinte', quem, { token }), 'status', 'com-token'),
  )
  if (validada.status !== 'Sucesso') return refuse(validada, cnpj)
  const idConsulta = validada.valor('idConsulta')
  if (!Check(Id, idConsulta)) throw sessao.failure('parse', 'mudou: falta o número da consulta')
  const periodo = { periodoInicio: diaDe(yearBefore(now).getTime()), periodoFim: diaDe(now.getTime()) }
  const achada = readResposta(
    await sessao.post('/consulta', { ...quem, tipoPesquisa: 'DATA_EMISSAO', ...periodo, idConsulta }),
    'statusConsulta',
    'sem-token',
  )
  if (achada.status === 'CertidaoNaoEncontrada') return []
  if (achada.status !== 'Sucesso' && achada.status !== 'SucessoMais300') return refuse(achada, cnpj)
  const lista = achada.valor('certidoes')
  if (!Check(Lista, lista)) throw sessao.failure('parse', 'mudou: a lista de certidões não se entende')
  return lista
    .filter(({ situacao, hasSegundaVia }) => hasSegundaVia && fold(situacao.trim()) === 'VALIDA')
    .map((linha) => toListada(linha, sessao))
    .toSorted((a, b) => b.validade.localeCompare(a.validade) || b.emissao.localeCompare(a.emissao))
}

/** Gets the second copy of a certificate, and compares it with its row of the list. */
export async function pedirSegundaVia(
  sessao: Sessao,
  { id, linha }: CertidaoListada,
  cnpj: string,
  now: Date,
): Promise<CertidaoFederal> {
  const pagina = await sessao.get(`/consulta/seg-via/${encodeURIComponent(id)}`)
  const resposta = readResposta(pagina, 'status', 'sem-token')
  const pdf = resposta.valor('pdf')
  // Nobody showed which words its status has, so the paper decides.
  if (typeof pdf !== 'string' || pdf === '') throw fail('nao-entendido', resposta)
  return lerEntregue(
    {
      pdf,
      especie: especieOf(linha.tipoCertidao),
      codigo: linha.numeroControle,
      emissao: linha.dataEmissao,
      validade: linha.dataValidade,
    },
    { cnpj, source, elapsedMs: sessao.tempo.elapsedMs(), now },
  )
}

/** The page's own period: the last year. A certificate is valid for 180 days. */
const yearBefore = (now: Date): Date => new Date(now.getTime() - 365 * 24 * 60 * 60 * 1000)

function toListada(linha: Static<typeof Linha>, { failure }: Sessao): CertidaoListada {
  const { idCertidao, dataEmissao, dataValidade } = linha
  const [emissao] = diasDe(dataEmissao.trim())
  const [validade] = diasDe(dataValidade.trim())
  if (!emissao || !validade)
    throw failure('parse', 'mudou: a lista de certidões traz uma data que não se entende')
  return { id: String(idCertidao), emissao, validade, linha }
}

function refuse(resposta: RespostaDaApi, cnpj: string): RecusaFederal {
  const dita = recusaDita(resposta, cnpj)
  if (dita === 'em-processamento') throw fail('processando', resposta)
  return dita
}

/** The kind in a row's `tipoCertidao`, of which only "Negativa" was shown. Undefined if there is none. */
function especieOf(tipo: unknown): EspecieFederal | 'outra' | undefined {
  if (tipo === undefined || tipo === null || tipo === '') return undefined
  const words = typeof tipo === 'string' ? fold(tipo.slice(0, 200)) : ''
  if (/POSITIVA COM EFEITOS? DE NEGATIVA/.test(words)) return 'positiva_com_efeitos_de_negativa'
  if (/NEGATIVA/.test(words)) return /POSITIVA/.test(words) ? 'outra' : 'negativa'
  return /POSITIVA/.test(words) ? 'positiva' : 'outra'
}
