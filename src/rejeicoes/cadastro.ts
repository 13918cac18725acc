import { semMascara } from '../documento/documento.ts'
import { normalizeInscricao } from '../documento/inscricao-estadual.ts'
import type { Inscricao } from '../portal/rules-inscricao.ts'
import type { CampoLido, ResultadoDaVerificacao } from './rules-laudo.ts'
import type { ParteDaNota } from './rules-partes.ts'

/** How sure a decision is: the register says it itself, or what it says makes it likely. */
export type CertezaDaDecisao = 'certa' | 'provavel'

/** What the register of a state decides of a rule of the authority. */
export type DecisaoDoCadastro = {
  codigo: number
  resultado: ResultadoDaVerificacao
  /** Null where nothing was decided. */
  certeza: CertezaDaDecisao | null
  campos: CampoLido[]
  /** In Portuguese: what was found, or what is missing. */
  mensagem: string
  /** The instant of the register's answer, ISO 8601 UTC; empty where none decided. */
  consultado_em: string
}

/** An answer of the register. */
export type RespostaDoCadastro = { inscricoes: readonly Inscricao[]; consultado_em: string }

/** What the register of its state told of a party. Undefined: not asked, or no answer. */
export type RegistroDaParte = {
  porDocumento: RespostaDoCadastro | undefined
  porIe: RespostaDoCadastro | undefined
  /** Why there is no answer, in Portuguese; empty if there are all. */
  falta: string
}

/** The registration of a party that was found. */
export type InscricaoAchada = { inscricao: Inscricao; consultado_em: string }

/** A decision without its rule: one function decides rules of several codes. */
export type Fato = Pick<DecisaoDoCadastro, 'resultado' | 'certeza' | 'mensagem' | 'consultado_em'>

/** The rule is not for this note, and why. */
export const naoSeAplica = (mensagem: string): Fato => ({
  resultado: 'nao_aplicavel',
  certeza: null,
  mensagem,
  consultado_em: '',
})

/** What the rule needs is not known, and why. */
export const indeterminado = (mensagem: string, consultado_em = ''): Fato => ({
  resultado: 'indeterminado',
  certeza: null,
  mensagem,
  consultado_em,
})

/** What a register decided, from which answer. */
export const achado = (
  resultado: 'ok' | 'falha',
  certeza: CertezaDaDecisao,
  mensagem: string,
  consultado_em: string,
): Fato => ({ resultado, certeza, mensagem, consultado_em })

/** The same number, with or without signs and zeros on the left. */
const sameIe = ({ uf }: Pick<ParteDaNota, 'uf'>, one: string, other: string): boolean => {
  const plain = (ie: string): string => {
    const bare = semMascara(ie)
    return (uf ? normalizeInscricao(uf, bare) : bare).replace(/^0+/, '')
  }
  return plain(one) === plain(other)
}

/** The registration of the party's own number among those of its document, or the one found by the number. */
export function inscricaoDaParte(
  parte: ParteDaNota,
  { porDocumento, porIe }: RegistroDaParte,
): InscricaoAchada | undefined {
  const own = porDocumento?.inscricoes.find((one) => sameIe(parte, one.inscricao_estadual, parte.ie))
  if (own && porDocumento) return { inscricao: own, consultado_em: porDocumento.consultado_em }
  const [first] = porIe?.inscricoes ?? []
  return first && porIe && { inscricao: first, consultado_em: porIe.consultado_em }
}

/** Whether the number is registered in the state (rules of 230 and 233). */
export function existencia(parte: ParteDaNota, registro: RegistroDaParte): Fato {
  const { uf = '', ie } = parte
  const found = inscricaoDaParte(parte, registro)
  if (found) return achado('ok', 'certa', `A IE ${ie} está no cadastro de ${uf}.`, found.consultado_em)
  const { porIe, falta } = registro
  if (!porIe) return indeterminado(falta || `O cadastro de ${uf} não foi consultado por esta IE.`)
  return achado(
    'falha',
    'provavel',
    `O cadastro de ${uf} não mostra a IE ${ie}, nem pelo número nem pelo documento.`,
    porIe.consultado_em,
  )
}

/** Whether the number belongs to the party's document (rules of 231, 234, 622 and 624). */
export function vinculo(parte: ParteDaNota, registro: RegistroDaParte): Fato {
  const { uf = '', ie, documento } = parte
  if (!documento) return indeterminado('A nota não traz um CNPJ ou CPF válido para comparar.')
  const found = inscricaoDaParte(parte, registro)
  if (!found) {
    const isMissing = existencia(parte, registro).resultado === 'falha'
    return isMissing
      ? naoSeAplica('Só se verifica uma IE cadastrada.')
      : indeterminado(registro.falta || `O cadastro de ${uf} não foi consultado por esta IE.`)
  }
  const { inscricao, consultado_em } = found
  const isOwn = registro.porDocumento?.inscricoes.includes(inscricao) === true
  const owner = semMascara(inscricao.cpf_cnpj)
  if (isOwn || owner === documento.documento)
    return achado('ok', 'certa', `A IE ${ie} é do documento informado.`, consultado_em)
  if (documento.tipo === 'cpf' && owner.length === 14)
    return indeterminado(
      `Em ${uf}, a IE ${ie} consta com um CNPJ, e a nota traz o CPF: verifique se a inscrição já tem CNPJ.`,
      consultado_em,
    )
  if (owner.length !== documento.documento.length)
    return indeterminado(`O cadastro de ${uf} não diz de quem é a IE ${ie}.`, consultado_em)
  // One registration may serve several establishments of a company ("regime especial de IE única").
  if (documento.tipo === 'cnpj' && owner.slice(0, 8) === documento.documento.slice(0, 8))
    return indeterminado(
      `A IE ${ie} é de outro estabelecimento da mesma empresa: vale só com regime de IE única.`,
      consultado_em,
    )
  return achado('falha', 'certa', `Em ${uf}, a IE ${ie} é de outro documento.`, consultado_em)
}
