import { camposDeEmpresa, camposDeEstabelecimento } from '../dados-abertos/linhas.ts'
import type { Empresa, Plano } from '../dados-abertos/plano.ts'
import { mix } from '../documento/aleatorio.ts'
import { regiaoFiscal, sementeDe, tipoDoDocumento } from '../documento/documento.ts'
import {
  cnpjReservado,
  inscricaoReservada,
  isDeProdutor,
  makeInscricao,
  ufs,
} from '../documento/inscricao-estadual.ts'
import type { Uf } from '../documento/uf.ts'
import type { Chamador } from '../platform/autoridade.ts'
import { ALFANUMERICA, EMPRESA, FILIAL, OUTRA, PESSOA } from '../platform/icp/catalogo.ts'
import { contribuintesDaAmostra, planoDaAmostra } from './amostra.ts'
import type { Contribuinte, Inscricao, Ocorrencia } from './contribuinte.ts'
import { enderecoDaLinha, enderecoEm, moveToEstado } from './endereco.ts'
import {
  atividadesDeIcms,
  createEmissor,
  dataDe,
  type Emissor,
  enroll,
  entre,
  HOJE,
  porteDe,
  register,
} from './inscricoes.ts'
import { pessoa, produtorComCnpj, produtores } from './produtor.ts'

const TIPOS = ['limitada', 'limitada', 'limitada', 'limitada', 'individual', 'mei', 'anonima'] as const
type Base = Pick<Inscricao, 'cnae' | 'inicio' | 'endereco'> & { mei: boolean }

// A company is registered in all 27 states, a branch of the reserved range in one. A person has farms in the
// CPF's fiscal region but SP, which registers no CPF.
/** The holder of a document outside the seeded world, from its digits alone; one in five is nobody's. */
function deriveFromDocumento(documento: string, onde: readonly Uf[]): Contribuinte | undefined {
  const tipo = tipoDoDocumento(documento)
  // This remainder leaves the numbers that examples everywhere use (11.222.333/0001-81, 529.982.247-25)
  // known.
  if (!tipo || sementeDe(documento) % 5 === 1) return undefined
  const plano = planoDaAmostra()
  if (tipo === 'cpf') {
    const regiao = Object.entries(regiaoFiscal).find(([digito]) => digito === documento[8])?.[1] ?? []
    const estados = regiao.filter((uf) => uf !== 'SP' && onde.includes(uf))
    return pessoa(plano, documento, estados, makeInscricao)
  }
  const reservada = inscricaoReservada(documento)
  if (!reservada) return deriveEmpresa(plano, documento, onde)
  const { uf, ie } = reservada
  return isDeProdutor(uf, ie)
    ? produtorComCnpj(plano, documento, uf, ie)
    : deriveEmpresa(plano, documento, onde, reservada)
}

function deriveEmpresa(
  plano: Plano,
  cnpj: string,
  onde: readonly Uf[],
  unica?: { uf: Uf; ie: string },
): Contribuinte | undefined {
  const raiz = cnpj.slice(0, 8)
  const semente = sementeDe(cnpj)
  const numero = sementeDe(raiz) >>> 1
  const dona: Empresa = { numero, raiz, tipo: TIPOS[numero % TIPOS.length] ?? 'limitada', filiais: 0 }
  const [, nome = '', naturezaJuridica = '', , , porte = ''] = camposDeEmpresa(plano, dona)
  const linha = camposDeEstabelecimento(plano, dona, Number.parseInt(cnpj.slice(8, 12), 36))
  const sede = enderecoDaLinha(linha)
  if (!sede) return undefined
  const base = {
    cnae: atividadesDeIcms[semente % atividadesDeIcms.length] ?? '4712100',
    inicio: dataDe(linha[10] ?? '') || '2010-01-04',
    endereco: unica ? moveToEstado(sede, unica.uf, semente) : sede,
    mei: dona.tipo === 'mei',
  }
  return {
    documento: cnpj,
    tipoDocumento: 'cnpj',
    nome,
    fantasia: linha[4] ?? '',
    naturezaJuridica,
    porte: porteDe(porte),
    inscricoes: unica
      ? [deriveInscricao(unica.uf, semente, base, unica.ie)]
      : onde.map((uf) => deriveInscricao(uf, mix(semente, sementeDe(uf)), base)),
  }
}

function deriveInscricao(uf: Uf, semente: number, base: Base, ie = makeInscricao(uf, semente)): Inscricao {
  const { cnae, inicio, endereco, mei } = base
  const propria = endereco.uf === uf
  const sorte = mix(semente, 8) % 20
  return register({
    uf,
    ie,
    tipo: propria ? 'NORMAL' : 'SUBSTITUTO',
    enquadramento: !propria ? 'substituto' : mei ? 'mei' : semente % 2 === 0 ? 'simples' : 'normal',
    cnae,
    situacao: sorte < 16 ? 'habilitado' : sorte < 18 ? 'baixado' : sorte < 19 ? 'suspenso' : 'cancelado',
    inicio: propria ? inicio : entre(inicio, HOJE, mix(semente, 9)),
    endereco,
    semente,
  })
}

const EMPRESAS: readonly (readonly [
  quem: Chamador,
  uf: Uf,
  cnae: string,
  natureza: string,
  inicio: string,
])[] = [
  [EMPRESA, 'SP', '4711302', '2062', '2012-05-14'],
  [FILIAL, 'MG', '4711302', '2062', '2016-02-01'],
  [OUTRA, 'PR', '1091102', '2054', '2004-09-27'],
  [ALFANUMERICA, 'SP', '4930202', '2062', '2026-07-20'],
]

/** So every caller of an authority is a taxpayer there, by the certificate's name. */
function* titulares(plano: Plano, issue: Emissor): Generator<Contribuinte> {
  for (const empresa of EMPRESAS) yield contribuinte(empresa, issue)
  yield { ...pessoa(plano, PESSOA.documento, ['BA'], issue), nome: PESSOA.nome }
}

function contribuinte(
  [quem, uf, cnae, naturezaJuridica, inicio]: (typeof EMPRESAS)[number],
  issue: Emissor,
): Contribuinte {
  const { documento, nome, tipo: tipoDocumento } = quem
  const rua = { logradouro: 'AVENIDA DO SIMULADOR', numero: '100', complemento: '', bairro: 'CENTRO' }
  const endereco = enderecoEm(uf, sementeDe(documento), rua)
  const comum = { documento, inicio, enquadramento: 'normal', situacaoCnpj: '02', mudanca: inicio } as const
  const inscricoes = enroll({ ...comum, cnae, naturezaJuridica, endereco }, issue)
  return { documento, tipoDocumento, nome, fantasia: '', naturezaJuridica, porte: 'DEMAIS', inscricoes }
}

type Mundo = {
  porDocumento: ReadonlyMap<string, Contribuinte>
  porInscricao: ReadonlyMap<string, Contribuinte>
}

let mundo: Mundo | undefined

function mundoSemeado(): Mundo {
  mundo ??= seed()
  return mundo
}

function seed(): Mundo {
  const plano = planoDaAmostra()
  const issue = createEmissor()
  const porDocumento = new Map<string, Contribuinte>()
  const porInscricao = new Map<string, Contribuinte>()
  const fontes = [contribuintesDaAmostra(plano, issue), produtores(plano, issue), titulares(plano, issue)]
  for (const fonte of fontes)
    for (const contribuinte of fonte) {
      porDocumento.set(contribuinte.documento, contribuinte)
      for (const { uf, ie } of contribuinte.inscricoes) porInscricao.set(uf + ie, contribuinte)
    }
  return { porDocumento, porInscricao }
}

/** Seeded, or derived from the digits, always the same; about one in five is unknown to everybody. */
export const findContribuinte = (documento: string): Contribuinte | undefined =>
  mundoSemeado().porDocumento.get(documento) ?? deriveDe(documento, ufs)

/** What one state's register holds of a document, each registration with its owner. */
export function listOcorrencias(uf: Uf, documento: string): Ocorrencia[] {
  // Deriving the registrations in all 27 states was a quarter of the work of an answer.
  const semeado = mundoSemeado().porDocumento.get(documento)
  const contribuinte = semeado ?? deriveDe(documento, [uf])
  if (!contribuinte) return []
  if (!semeado) remember(contribuinte)
  const inscricoes = contribuinte.inscricoes.filter((inscricao) => inscricao.uf === uf)
  return inscricoes.map((inscricao) => ({ contribuinte, inscricao }))
}

/** A number of a state belongs to one only, and the seeded world was there first. */
function deriveDe(documento: string, estados: readonly Uf[]): Contribuinte | undefined {
  const { porInscricao } = mundoSemeado()
  const derivado = deriveFromDocumento(documento, estados)
  const tomada = derivado?.inscricoes.some(({ uf, ie }) => porInscricao.has(uf + ie))
  return derivado && tomada
    ? { ...derivado, inscricoes: derivado.inscricoes.filter(({ uf, ie }) => !porInscricao.has(uf + ie)) }
    : derivado
}

/** The CNPJ whose derived record showed a number last, newest at the end. */
const mostradas = new Map<string, string>()
const MAIS_MOSTRADAS = 50_000

function remember({ documento, inscricoes }: Contribuinte): void {
  for (const { uf, ie } of inscricoes) {
    mostradas.delete(uf + ie)
    mostradas.set(uf + ie, documento)
  }
  for (const antiga of mostradas.keys()) {
    if (mostradas.size <= MAIS_MOSTRADAS) return
    mostradas.delete(antiga)
  }
}

/** Seeded, or the last whose record showed it, or the branch reserved for the number. */
export function findByInscricao(uf: string, ie: string): Contribuinte | undefined {
  // MT's rule has two leading zeros that its own answers leave out.
  const numero = uf === 'MT' && ie.length === 11 ? ie.replace(/^00/, '') : ie
  const semeado = mundoSemeado().porInscricao.get(uf + numero)
  if (semeado) return semeado
  const documento = mostradas.get(uf + numero) ?? cnpjReservado(uf, numero)
  return documento ? findContribuinte(documento) : undefined
}

export const listContribuintes = (): readonly Contribuinte[] => [...mundoSemeado().porDocumento.values()]
