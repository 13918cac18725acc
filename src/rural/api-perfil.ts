import { Type } from 'typebox'
import { Empresa } from '../cnpj/empresa.ts'
import { tiposNacionais } from '../documento/documento.ts'
import { CertidaoDoEstado, CertidoesEmTodos, InscricoesDoEstado, osEstados } from '../inscricao/schema.ts'
import {
  cnpjAsked,
  cpfCnpjAsked,
  documentoAsked,
  OrNull,
  RequestId,
  sourceStatusOf,
} from '../platform/http/schemas.ts'

const empresa = {
  request_id: RequestId,
  cnpj: cnpjAsked('O CNPJ como foi enviado'),
  cached: Type.Boolean({
    description: 'Sempre false: a base mensal não é um cache, e X-Base-Cnpj diz de que mês é o dado',
  }),
  source_status: sourceStatusOf([]),
  result: Empresa,
}

const ReceitaFederal = Type.Object(empresa, {
  title: 'PerfilReceitaFederal',
  description: 'A empresa na base pública mensal da Receita Federal',
})

const InscricoesEstaduais = Type.Object(
  { request_id: RequestId, ...documentoAsked(tiposNacionais), results: osEstados(InscricoesDoEstado) },
  { title: 'PerfilInscricoesEstaduais', description: 'As inscrições estaduais nos 27 estados' },
)

/** Body of a producer profile (specification, "GET /api/perfil-produtor"). */
export const PerfilDoProdutor = Type.Object(
  {
    request_id: RequestId,
    document: cpfCnpjAsked('O documento como foi enviado; o CNPJ, se os dois foram'),
    receita_federal: OrNull(
      ReceitaFederal,
      'null por CPF, ou quando a base não tem o CNPJ, ou não pôde responder',
    ),
    inscricoes_estaduais: OrNull(InscricoesEstaduais, 'null quando nenhum estado deu uma inscrição'),
    cnd_estaduais: OrNull(CertidoesEmTodos, 'null quando nenhum estado respondeu'),
    avisos: Type.Array(Type.String(), {
      description:
        'Por que cada seção é null; quando todas são, a primeira frase diz se nada consta ou se fontes falharam. Por CPF, também o que convém saber do CNPJ do produtor',
    }),
  },
  { title: 'RespostaPerfilProdutor' },
)

const secao = <const T extends string>(nome: T) =>
  Type.Literal(nome, { description: 'A seção de que esta parte é' })

/** A piece of a streamed profile: the company, or a state's entry of one section. */
export const ParteDoPerfil = Type.Union(
  [
    Type.Object(
      {
        secao: secao('receita_federal'),
        uf: Type.Literal('', { description: 'Vazia: esta seção é de uma fonte nacional' }),
        ...empresa,
      },
      { title: 'ParteReceitaFederal', description: 'A empresa na base pública mensal' },
    ),
    Type.Object(
      { secao: secao('inscricoes_estaduais'), ...InscricoesDoEstado.properties },
      { title: 'ParteInscricaoEstadual', description: 'As inscrições em um estado' },
    ),
    Type.Object(
      { secao: secao('cnd_estaduais'), ...CertidaoDoEstado.properties },
      { title: 'ParteCndEstadual', description: 'A certidão em um estado' },
    ),
  ],
  { title: 'ParteDoPerfil', description: 'Uma parte do perfil; secao diz de que tipo ela é' },
)
