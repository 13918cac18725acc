import { Type } from 'typebox'
import type { Context } from '../context/context.ts'
import { findAmbito } from '../domain/uf.ts'
import { describeFontes, NACIONAL, servicos } from '../sources/fonte.ts'
import { estados } from '../sources/registry.ts'
import { listLeituras } from '../store/leituras/ultima-hora.ts'
import { lookup } from './pipeline/lookup.ts'
import { AmbitoParam } from './validation/parameters.ts'

const text = (description: string) => Type.String({ description })

const taxaVazias = Type.Union([Type.Number(), Type.Null()], {
  description: 'De 0 a 1; null quando não houve respostas',
})

const FonteItem = Type.Object(
  {
    uf: text('Sigla do estado; BR nas fontes nacionais'),
    servico: text('ie (inscrição estadual), cnd (certidão) ou nfe-xml (XML de NF-e, das fontes nacionais)'),
    ordem: Type.Integer({
      description:
        'A ordem em que o serviço tenta as rotas de um estado, ou consulta as fontes nacionais; 1 é a primeira',
    }),
    fonte: text('Identificador da fonte, igual no registro (log)'),
    nome: text('Quem responde'),
    rota: text(
      'O protocolo que ela fala: cadastro, nfe-distribuicao e nfe-evento são web services da NF-e; os demais são páginas de consulta',
    ),
    endereco: text('Endereço da primeira requisição'),
    host: Type.String(),
    aceita: Type.Array(Type.String(), {
      description: 'Documentos pelos quais se consulta: cnpj, cpf, ie; ou chave, a de acesso da NF-e',
    }),
    captcha: Type.Object({
      tipo: text(
        'nenhum, imagem, palavras, recaptcha-v2, recaptcha-enterprise, turnstile, hcaptcha ou altcha',
      ),
      quando: text('nunca, sempre, as-vezes ou desenhado (aparece na página e não é conferido)'),
      resolvido: Type.Boolean({ description: 'true quando este serviço o resolve, ou não há captcha' }),
    }),
    situacao: text(
      'disponivel; ou por que este serviço não a consulta: sem-certificado, protocolo-desconhecido, sem-solucao-de-captcha, desligada (CCC=nenhum). As fontes nacionais da NF-e recebem o certificado em cada requisição',
    ),
    certeza: text('O quanto se sabe da rota: verificado, antigo, memoria ou desconhecido'),
    origem: text('De onde vêm o endereço e o protocolo'),
    em: text('Quando foram vistos: AAAA-MM-DD, AAAA-MM ou AAAA'),
    nota: text('O que convém saber da rota; vazio quando não há'),
    horario: text('Quando ela atende, se fecha; vazio quando não se conhece horário'),
    circuito: Type.Object({
      estado: text(
        'fechado: consultada normalmente; aberto: falhou várias vezes seguidas e não é consultada até "ate"; em-teste: a próxima consulta dirá se voltou',
      ),
      ate: text('ISO 8601 UTC; vazio quando fechado'),
    }),
    ultima_hora: Type.Object({
      consultas: Type.Integer({
        description: 'Quantas consultas foram enviadas a ela nos últimos 60 minutos',
      }),
      sucessos: Type.Integer({ description: 'Quantas ela respondeu' }),
      taxa_sucesso: Type.Union([Type.Number(), Type.Null()], {
        description: 'De 0 a 1; null quando não houve consultas',
      }),
      vazias: Type.Integer({
        description: 'Quantas das respondidas não acharam nada: nenhuma inscrição, nenhuma certidão',
      }),
      taxa_vazias: taxaVazias,
      mediana_ms: Type.Union([Type.Integer(), Type.Null()], {
        description: 'Tempo mediano das respostas, em milissegundos; null quando não houve',
      }),
    }),
    dias_anteriores: Type.Object(
      {
        dias: Type.Integer({ description: 'Quantos dias' }),
        sucessos: Type.Integer({ description: 'Quantas consultas ela respondeu neles' }),
        vazias: Type.Integer({ description: 'Quantas dessas não acharam nada' }),
        taxa_vazias: taxaVazias,
      },
      { description: 'Os dias anteriores à última hora, com que ela se compara' },
    ),
    acha_pouco: Type.Boolean({
      description:
        'true quando, pelos dias anteriores (100 respostas ou mais), ao menos 20 respostas da última hora deviam ter achado algo e nem um quarto delas achou: a página pode estar dizendo "não encontrado" a todos',
    }),
    rotulos_novos: Type.Array(Type.String(), {
      description:
        'Rótulos que as páginas dela mostraram na última hora e que ninguém conhece (5 no máximo): sinal de que ela está mudando. Só o rótulo, nunca o valor',
    }),
    ultimo_erro: Type.Union(
      [
        Type.Object({
          tipo: text('http, network, parse, timeout ou blocked'),
          codigo: text('O código do órgão, do HTTP ou do sistema; vazio quando não há'),
          em: text('ISO 8601 UTC'),
        }),
        Type.Null(),
      ],
      { description: 'A última falha dos últimos 60 minutos; null quando não houve' },
    ),
  },
  { title: 'Fonte', description: 'Uma rota de um estado, ou uma fonte nacional' },
)

/**
 * GET /api/v1/fontes: how each state and the national sources are asked, and how they have answered lately.
 * It is free.
 */
export const fontes = lookup({
  url: '/api/v1/fontes',
  tag: 'Serviço',
  summary: 'Fontes: como cada estado e as fontes nacionais são consultados e como têm respondido',
  description:
    'Cada rota de cada estado, e as fontes nacionais, da NF-e e do cadastro de contribuintes (CCC): protocolo, endereço, documentos aceitos, captcha, o quanto se sabe dela, se este serviço a consulta ' +
    'e, se não, por quê; e o que houve com as consultas dos últimos 60 minutos, somados todos os nós. Não custa créditos.',
  query: Type.Object({
    uf: Type.Optional(AmbitoParam('Só as rotas deste estado, ou as fontes nacionais (BR)')),
    servico: Type.Optional(
      Type.Enum([...servicos, NACIONAL], {
        description: 'Só inscrição estadual (ie), só certidão (cnd) ou só o XML de NF-e (nfe-xml)',
      }),
    ),
  }),
  example: { uf: 'SP' },
  response: Type.Object(
    {
      request_id: Type.String({ format: 'uuid' }),
      fontes: Type.Array(FonteItem, { description: 'Por estado, serviço e ordem' }),
    },
    { title: 'RespostaFontes' },
  ),
  errors: ['PARAMETRO_INVALIDO', 'UF_NAO_SUPORTADA'],
  price: 'free',
  run: async ({ uf, servico }, { request_id }, ctx: Context) => {
    // The counts that this node has not written yet belong to the answer.
    await ctx.store.leituras.flush()
    const leituras = await listLeituras(ctx.store.db, { now: ctx.now(), ambiente: ctx.sources.ambiente })
    const { captcha, certificado } = ctx.sources
    const recursos = { captcha, certificado: certificado !== undefined }
    const wanted = uf === undefined ? undefined : findAmbito(uf)
    const all = describeFontes(
      { estados: estados.values(), nacionais: { nfe: ctx.config.SEFAZ_AMBIENTE, ccc: ctx.sources.ccc } },
      recursos,
      leituras,
    )
    return {
      request_id,
      fontes: all.filter(
        (fonte) =>
          (wanted === undefined || fonte.uf === wanted) &&
          (servico === undefined || fonte.servico === servico),
      ),
    }
  },
})
