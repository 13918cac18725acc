import { exemplos } from '../mundo/exemplo.ts'
import { mascararCnpj, trocarUltimo } from './documento.ts'
import { recusado, type Tentativa } from './linha.ts'

/** What every endpoint refuses that takes a `cpf` or a `cnpj`. */
export function parametrosDoDocumento(): Tentativa[] {
  const cnpj = exemplos().umaInscricao.get('SP') ?? ''
  const invalido = recusado('DOCUMENTO_INVALIDO')
  return [
    [{}, recusado('PARAMETRO_AUSENTE'), 'sem cpf nem cnpj'],
    [{ cpf: '', cnpj: '' }, recusado('PARAMETRO_AUSENTE'), 'parâmetro vazio conta como não enviado'],
    [{ cnpj: trocarUltimo(cnpj) }, invalido, 'CNPJ com dígito verificador errado'],
    [{ cnpj: mascararCnpj(cnpj) }, invalido, 'CNPJ com pontuação'],
    [{ cpf: trocarUltimo(exemplos().pessoaSemInscricao) }, invalido, 'CPF com dígito verificador errado'],
  ]
}

/** What is refused besides where exactly one of the two is taken. */
export function parametrosDeUmDocumento(): Tentativa[] {
  const { umaInscricao, pessoaSemInscricao: cpf } = exemplos()
  const cnpj = umaInscricao.get('SP') ?? ''
  return [...parametrosDoDocumento(), [{ cnpj, cpf }, recusado('PARAMETRO_CONFLITANTE'), 'cnpj e cpf juntos']]
}
