import { acharItem, alcance } from '../alcance.ts'
import type { Familia } from './familia.ts'

/**
 * A group that a code of a published table asks for or forbids. Parameters: `grupo` (path), `nome`,
 * `codigo` (path of the code), `nomeCodigo`, `tabela`, `indicador`, `erro` (`falta` or `sobra`), `conteudo`
 * (what the group has), `refaz` (what depends on it).
 */
export const familia: Familia = (ficha) => {
  const [grupo, nome, codigo, nomeCodigo] = ['grupo', 'nome', 'codigo', 'nomeCodigo'].map(ficha.um)
  const [tabela, indicador] = [ficha.um('tabela'), ficha.um('indicador')]
  const isFalta = ficha.um('erro') === 'falta'
  const conteudo = ficha.talvez('conteudo')
  const refazer = `Refaça ${ficha.talvez('refaz') || 'o IBS e a CBS do item e os totais em total/IBSCBSTot'}.`
  const procurar = `${acharItem(ficha)} e procure o ${nomeCodigo} na ${tabela}.`
  if (isFalta)
    return {
      causas: [
        `O ${nomeCodigo} do item (${codigo}) exige ${nome} (${grupo}), e o grupo não foi informado: na tabela, ${indicador} = 1.`,
        `O ${nomeCodigo} foi trocado no cadastro sem que o emissor passasse a gerar o grupo, ou o código escolhido não é o da operação.`,
        ...alcance(ficha),
      ],
      passos: [
        procurar,
        `Decida se a operação tem mesmo esse tratamento; se não tem, troque ${codigo} pelo código certo.`,
        `Se tem, inclua ${grupo}${conteudo ? ` com ${conteudo}` : ''}.`,
        refazer,
      ],
    }
  return {
    causas: [
      `O item traz ${nome} (${grupo}), mas o ${nomeCodigo} informado (${codigo}) não permite esse grupo: na tabela, ${indicador} = 0.`,
      `O emissor gera o grupo em todos os itens, mesmo com zeros, ou o código escolhido não é o da operação.`,
      ...alcance(ficha),
    ],
    passos: [
      procurar,
      `Se o código está certo, retire ${grupo} por inteiro, mesmo que esteja com zeros.`,
      `Se a operação tem mesmo esse tratamento, troque ${codigo} por um código com ${indicador} = 1.`,
      refazer,
    ],
  }
}
