import { Type } from 'typebox'
import { tiposDocumento } from '../documento/documento.ts'
import {
  count,
  instanteOuVazio,
  OneOf,
  OneOfNumbers,
  OneOfOrNull,
  OrNull,
  text,
  UfItem,
} from '../platform/http/schemas.ts'
import { CampoLidoItem, ResultadoItem } from './api-laudo.ts'

const ConsultaDoCadastro = Type.Object(
  {
    consulta: OneOf(['/api/consultar'], 'A consulta feita, com o cache e o preço dela'),
    uf: UfItem,
    documento_tipo: OneOf(tiposDocumento, 'O que foi perguntado'),
    documento: text('O valor perguntado, mascarado'),
    creditos: OneOfNumbers([0, 1], 'O que custou: 1, ou 0 quando não houve resposta'),
    cached: Type.Boolean({ description: 'true quando a resposta veio do cache' }),
    consultado_em: instanteOuVazio('Quando o estado respondeu, ISO 8601 UTC; vazio quando não respondeu'),
    fonte: text('O id da fonte que respondeu, como em /api/v1/fontes'),
    erro: text('Por que não houve resposta; vazio quando houve'),
  },
  { title: 'ConsultaDoCadastro', description: 'Uma consulta de cadastro que o diagnóstico fez' },
)

const DecisaoDoCadastro = Type.Object(
  {
    codigo: Type.Integer({ minimum: 1, description: 'O código (cStat) com que a SEFAZ recusaria' }),
    resultado: ResultadoItem,
    certeza: OneOfOrNull(
      ['certa', 'provavel'],
      'certa: o cadastro diz isto mesmo; provavel: o que ele diz leva a isto; null quando nada foi decidido',
    ),
    campos: Type.Array(CampoLidoItem, { description: 'Os campos da nota que a regra lê' }),
    mensagem: text('O que o cadastro diz, ou o que falta para decidir'),
    consultado_em: instanteOuVazio(
      'De quando é a resposta que decidiu, ISO 8601 UTC; vazio quando nenhuma decidiu, ou decidiu a base CNPJ',
    ),
  },
  {
    title: 'DecisaoDoCadastro',
    description: 'Uma regra que depende do cadastro do estado ou da Receita Federal',
  },
)

/** What the registers tell; null if they were not asked. */
export const Cadastros = OrNull(
  Type.Object(
    {
      creditos: count('O que as consultas custaram'),
      consultas: Type.Array(ConsultaDoCadastro, { description: 'As consultas feitas, uma a uma' }),
      base_cnpj: text(
        'O mês da base CNPJ que decidiu 178 a 186, AAAA-MM; vazio quando nenhuma foi lida. Ler a base não custa créditos',
      ),
      decisoes: Type.Array(DecisaoDoCadastro, {
        description:
          'As regras 163, 178 a 186, 203, 230 a 234, 301, 302, 303, 305, 306, 480, 481, 482, 622 e 624 que são para esta nota, em ordem de código',
      }),
    },
    {
      title: 'CadastrosDaNota',
      description:
        'As regras que dependem do cadastro de quem a nota nomeia, no estado ou na Receita Federal',
    },
  ),
  'null quando cadastros não foi pedido',
)
