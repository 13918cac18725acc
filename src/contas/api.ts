import { Type } from 'typebox'
import { lookup } from '../platform/http/lookup.ts'
import { count, mes, OneOf, RequestId } from '../platform/http/schemas.ts'
import { nomesDosPlanos } from '../platform/ledger/rules.ts'
import type { ContasRoom } from './contas.ts'
import { summarize } from './resumo.ts'

const instant = (description: string) =>
  Type.String({ format: 'date-time', description: `${description}, ISO 8601 UTC` })

const Creditos = Type.Object(
  {
    cota: count('A cota que a conta recebeu neste mês; uma mudança para um plano maior a aumenta na hora'),
    cota_restante: count('O que resta dela, fora o que está reservado'),
    extras: count('Créditos extras que restam: não expiram, e são gastos depois da cota'),
    reservados: count('Créditos das consultas em andamento: voltam, se não forem cobrados'),
    disponiveis: count('O que se pode gastar agora: cota_restante + extras'),
  },
  { title: 'CreditosDaConta', description: 'Os créditos da conta neste instante' },
)

const PrecoXml = Type.Object(
  {
    creditos: count('Créditos de uma nota entregue'),
    reais: Type.String({
      pattern: '^([0-9]+[.][0-9]+)?$',
      description:
        'Preço de uma nota em reais, decimal exato com ponto, como 0.195: o do plano, ou o negociado; vazio quando não há preço em reais negociado',
    }),
  },
  {
    title: 'PrecoXml',
    description: 'O preço de um XML de NF-e (/api/consultar-nfe-xml), a única consulta com preço em reais',
  },
)

const Uso = Type.Object(
  {
    mes: mes('Mês da cota, AAAA-MM, horário de Brasília'),
    desde: instant('O primeiro instante do mês'),
    endpoints: Type.Array(
      Type.Object(
        {
          endpoint: Type.String({ description: 'Caminho, como /api/consultar' }),
          chamadas: count('Quantas chamadas foram cobradas; as gratuitas e as que falharam não contam'),
          creditos: count('Créditos que elas custaram'),
        },
        { title: 'UsoDoEndpoint', description: 'O que um endpoint custou' },
      ),
      { description: 'Por endpoint, do que mais custou ao que menos custou' },
    ),
    creditos_total: count('A soma dos créditos de endpoints'),
    extras_concedidos: count('Créditos extras que o operador acrescentou neste mês'),
    creditos_debitados: count('Créditos que o operador debitou neste mês, fora das consultas'),
  },
  {
    title: 'UsoDoMes',
    description:
      'O que foi cobrado neste mês, somado dos lançamentos da conta. Uma consulta que atravessa a virada do mês conta no mês em que termina',
  },
)

/** GET /api/v1/conta: the plan, limits, credits and use of the account that asks. It is free. */
export const conta = lookup({
  url: '/api/v1/conta',
  nome: 'Conta',
  tag: 'Conta',
  summary: 'Conta: plano, limites, créditos e uso do mês',
  description:
    'O plano da conta desta chave, os limites dele, os créditos que restam e quando a cota renova, o preço de um XML de NF-e e o que cada endpoint custou neste mês. ' +
    'Créditos e uso são do mesmo instante e saem dos mesmos lançamentos, por isso fecham ao crédito. Não custa créditos.',
  query: Type.Object({}),
  example: {},
  response: Type.Object(
    {
      request_id: RequestId,
      nome: Type.String({ description: 'Nome da conta' }),
      plano: OneOf(nomesDosPlanos, { title: 'Plano', description: 'O plano da conta' }),
      limites: Type.Object(
        { requisicoes_por_minuto: count('Requisições por minuto que o plano permite') },
        { description: 'Os limites do plano' },
      ),
      creditos: Creditos,
      renova_em: instant('Quando a cota renova'),
      preco_exclusivo: Type.Boolean({ description: 'true: a conta tem preço negociado para o XML de NF-e' }),
      preco_xml: PrecoXml,
      uso: Uso,
    },
    { title: 'RespostaConta' },
  ),
  errors: [],
  price: 'free',
  run: async (_query, { request_id, conta: { id } }, room: ContasRoom) => {
    const { resumo } = await summarize(room, id)
    return { request_id, ...resumo }
  },
})
