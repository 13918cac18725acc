import { dvCnpj } from '../documento/documento.ts'
import { makeInscricao, ufs } from '../documento/inscricao-estadual.ts'
import type { Uf } from '../documento/uf.ts'
import { DIVERGENTE, planoDaAmostra } from './amostra.ts'
import type { Contribuinte, Inscricao } from './contribuinte.ts'
import { findByInscricao, findContribuinte, listContribuintes } from './mundo.ts'

export type NoEstado = { uf: Uf; documento: string }

export type Exemplos = {
  umaInscricao: ReadonlyMap<Uf, string>
  /** CNPJs with more than one registration in the same state, one for each state that has such. */
  variasInscricoes: readonly NoEstado[]
  /** CPFs with farms in the state, at least one in force; every state but SP. */
  produtorRural: readonly NoEstado[]
  /** A producer of SP, by CNPJ (legal nature 412-0). */
  produtorComCnpj: NoEstado
  /** A company that no state knows: what it does is not taxed by ICMS. */
  semInscricao: string
  pessoaSemInscricao: string
  baixada: NoEstado
  suspensa: NoEstado
  /** Active for the Receita Federal; its state suspended it and has its old name and address. */
  divergente: NoEstado
  /** A CNPJ with letters; its registration is in force. */
  alfanumerico: NoEstado
  desconhecido: string
}

let achados: Exemplos | undefined

/** Found in the world in its own order: always the same. Throws when the world has none of a kind. */
export function exemplos(): Exemplos {
  achados ??= lookUp()
  return achados
}

function lookUp(): Exemplos {
  const orgaos = planoDaAmostra().reservadas
  // Real public bodies are no example: their registrations here are made up.
  const todos = listContribuintes().filter(({ documento }) => !orgaos.has(documento.slice(0, 8)))
  const cpfs = todos.filter(({ tipoDocumento }) => tipoDocumento === 'cpf')
  const produtores = todos.filter(
    ({ documento, naturezaJuridica }) => naturezaJuridica === '4120' && /^\d+$/.test(documento),
  )
  const empresas = todos.filter((quem) => quem.tipoDocumento === 'cnpj' && quem.naturezaJuridica !== '4120')
  const comLetras = todos.filter(({ documento }) => /[A-Z]/.test(documento))
  const limitadas = empresas.filter(({ naturezaJuridica }) => naturezaJuridica === '2062')
  return {
    umaInscricao: new Map(ufs.map((uf) => [uf, umaEm(uf, empresas)])),
    variasInscricoes: emCada(empresas, (lista) => lista.length > 1),
    produtorRural: emCada(cpfs, (lista) => lista.some(emVigor)),
    produtorComCnpj: emSaoPaulo('produtor com CNPJ', produtores, emVigor),
    semInscricao: requireFound('empresa sem inscrição', limitadas.find(semNenhuma)).documento,
    pessoaSemInscricao: requireFound('pessoa sem inscrição', cpfs.find(semNenhuma)).documento,
    baixada: emSaoPaulo('baixada', empresas, ({ situacao }) => situacao === 'baixado'),
    suspensa: emSaoPaulo('suspensa', empresas, ({ situacao }) => situacao === 'suspenso'),
    divergente: { uf: 'RS', documento: DIVERGENTE },
    alfanumerico: emSaoPaulo('alfanumérico', comLetras, emVigor),
    desconhecido: findDesconhecido(),
  }
}

/** In a small state the sample may have no company that pays ICMS: a derived taxpayer stands in. */
const umaEm = (uf: Uf, quem: readonly Contribuinte[]): string =>
  findIn(uf, quem, so(emCasa))?.documento ?? findDerived(uf)

function findDerived(uf: Uf): string {
  for (let semente = 0; ; semente++) {
    const dono = findByInscricao(uf, makeInscricao(uf, semente))
    if (dono && so(emCasa)(dono.inscricoes)) return dono.documento
  }
}

const emSaoPaulo = (o: string, quem: readonly Contribuinte[], teste: (i: Inscricao) => boolean): NoEstado =>
  requireFound(o, findIn('SP', quem, so(teste)))

type Teste = (lista: readonly Inscricao[]) => boolean

const so =
  (teste: (inscricao: Inscricao) => boolean): Teste =>
  (lista) =>
    lista.length === 1 && lista.every(teste)

const emCada = (quem: readonly Contribuinte[], teste: Teste): NoEstado[] =>
  ufs.flatMap((uf) => findIn(uf, quem, teste) ?? [])

function findIn(uf: Uf, quem: readonly Contribuinte[], teste: Teste): NoEstado | undefined {
  const achado = quem.find(({ inscricoes }) => teste(inscricoes.filter((inscricao) => inscricao.uf === uf)))
  return achado && { uf, documento: achado.documento }
}

const emVigor = ({ situacao }: Inscricao): boolean => situacao === 'habilitado'

const emCasa = (inscricao: Inscricao): boolean =>
  emVigor(inscricao) && inscricao.tipo === 'NORMAL' && inscricao.endereco.uf === inscricao.uf

const semNenhuma = ({ inscricoes }: Contribuinte): boolean => inscricoes.length === 0

function findDesconhecido(): string {
  for (let raiz = 50_000_000; ; raiz++) {
    const doze = `${raiz}0001`
    const cnpj = doze + dvCnpj(doze)
    if (!findContribuinte(cnpj)) return cnpj
  }
}

function requireFound<T>(o: string, achado: T | undefined): T {
  if (achado === undefined) throw new Error(`O mundo do simulador não tem ${o}.`)
  return achado
}
