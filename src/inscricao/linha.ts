import { formatDocumento, semMascara } from '../documento/documento.ts'
import { inscricaoProblem } from '../documento/inscricao-estadual.ts'
import { isUf, type Uf } from '../documento/uf.ts'
import { normalize } from '../portal/pagina.ts'
import type { Portal } from '../portal/portal.ts'
import { type InscricaoParcial, inscricaoVazia } from '../portal/rules-inscricao.ts'
import type { LinhaDoCcc } from './pagina.ts'

/** The state took the registration out of the register. It counts as absent. */
const EXCLUIDA = 'EXCLUSAO LOGICA DO CONTRIBUINTE NA UF'

/** The register's words for a status, and our `situacao_ie` (docs/decisions/0020). */
const situacoes: Readonly<Record<string, string>> = {
  'HABILITADO COMO CONTRIBUINTE NA UF': 'ATIVA',
  'NAO HABILITADO COMO CONTRIBUINTE NA UF': 'NÃO HABILITADA',
}

/**
 * Reads a row as a registration; undefined if it was taken out of the register. Throws SourceError `parse`
 * for another CNPJ, no state, a number that the state does not have, or unknown words.
 */
export function toInscricao(portal: Portal, linha: LinhaDoCcc, cnpj: string): InscricaoParcial | undefined {
  const changed = (why: string) => portal.failure('parse', `mudou de página: ${why}`)
  if (semMascara(linha.cnpj) !== cnpj) throw portal.failure('parse', 'respondeu sobre outro CNPJ')
  if (!isUf(linha.uf)) throw changed('uma linha da lista não é de um estado')
  const ie = numeroOf(linha.uf, semMascara(linha.ie))
  if (!ie) throw changed(`uma inscrição da lista não é de ${linha.uf}`)
  const dita = normalize(linha.situacao)
  if (dita === EXCLUIDA) return undefined
  const situacao_ie = situacoes[dita]
  if (!situacao_ie) throw changed('uma situação da lista não é conhecida')
  return {
    ...inscricaoVazia,
    inscricao_estadual: ie,
    razao_social: linha.nome,
    situacao_ie,
    situacao_cadastral: linha.situacao,
    uf_ie: linha.uf,
    cpf_cnpj: formatDocumento(cnpj),
    parcial: true,
  }
}

/**
 * Gives a number in the state's own form, with the zeros on the left that the register may drop. Undefined if
 * no such form exists.
 */
function numeroOf(uf: Uf, text: string): string | undefined {
  const forms = Array.from({ length: 15 - Math.min(text.length, 14) }, (_, zeros) => '0'.repeat(zeros) + text)
  return forms.find((form) => inscricaoProblem(uf, form) === undefined)
}
