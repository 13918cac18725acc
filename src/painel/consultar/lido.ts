import { cleanChave, formatoDaChaveProblem, parseChave } from '../../documento/chave.ts'
import { cnpjProblem, cpfProblem, formatDocumento, isCnpj, isCpf } from '../../documento/documento.ts'
import { inscricaoProblem, normalizeInscricao } from '../../documento/inscricao-estadual.ts'
import { findUf, type Uf } from '../../documento/uf.ts'

export type TipoLido = 'cpf' | 'cnpj' | 'ie' | 'chave'

/** What somebody typed into the one field. `problema`: why it is no document yet. */
export type Lido = {
  tipo: TipoLido
  /** Without its mask, as the API takes it. */
  documento: string
  mascarado: string
  uf: Uf | undefined
  problema: string | undefined
}

export const nomesDosTipos: Readonly<Record<TipoLido, string>> = {
  cpf: 'CPF',
  cnpj: 'CNPJ',
  ie: 'Inscrição estadual',
  chave: 'Chave de acesso',
}

const [CHAVE, CNPJ, CPF] = [44, 14, 11] as const

/** The longest text that is read: a key in groups of four, with what people put around it. */
export const MAIOR_DOCUMENTO = 80

/**
 * Reads a CPF, a CNPJ, a state registration or a key, with or without mask; undefined for an empty field.
 * What is a good CPF or CNPJ is one, and a registration is what its state's rule takes.
 */
export function readLido(text: string, sigla: string, agora: Date): Lido | undefined {
  const documento = semMarcas(text)
  const uf = findUf(sigla.trim())
  if (documento === '') return undefined
  const lido = (tipo: TipoLido, mascarado: string, problema?: string): Lido => ({
    tipo,
    documento,
    mascarado,
    uf,
    problema,
  })
  if (isCpf(documento) || isCnpj(documento))
    return lido(documento.length === CPF ? 'cpf' : 'cnpj', formatDocumento(documento))
  if (documento.length > 20) return lido('chave', emGrupos(documento), chaveProblem(documento, agora))
  if (uf && inscricaoProblem(uf, documento) === undefined)
    return { ...lido('ie', documento), documento: normalizeInscricao(uf, documento) }
  if (documento.length === CPF && /^\d+$/.test(documento))
    return lido('cpf', formatDocumento(documento), digito('CPF', cpfProblem(documento)))
  if (documento.length === CNPJ)
    return lido('cnpj', formatDocumento(documento), digito('CNPJ', cnpjProblem(documento)))
  return lido('ie', documento, inscricaoSemRegra(documento, uf))
}

/** Only marks that masks have: any other sign stays, and is told. */
const semMarcas = (text: string): string =>
  text
    .slice(0, MAIOR_DOCUMENTO)
    .replace(/[\s./-]/g, '')
    .toUpperCase()

const emGrupos = (chave: string): string => chave.replace(/(.{4})(?=.)/g, '$1 ')

const digito = (nome: string, problema: string | undefined): string | undefined =>
  problema && `${nome}: ${problema}.`

function chaveProblem(chave: string, agora: Date): string | undefined {
  if (chave.length !== CHAVE) return `Chave de acesso: ${formatoDaChaveProblem(cleanChave(chave)) ?? ''}.`
  const parsed = parseChave(chave, agora)
  return parsed.ok ? undefined : parsed.mensagem
}

function inscricaoSemRegra(documento: string, uf: Uf | undefined): string {
  if (uf) return `Inscrição estadual: ${inscricaoProblem(uf, documento) ?? ''}.`
  return 'Um CPF tem 11 dígitos, um CNPJ 14 e uma chave 44. Se é uma inscrição estadual, escolha também o estado.'
}
