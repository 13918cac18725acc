import { type Static, Type } from 'typebox'
import { CertidaoDoEstado, CertidoesEmTodos } from '../certidao/schema.ts'
import { Empresa, MES_DA_BASE } from '../cnpj/api.ts'
import { findBase } from '../cnpj/lookup.ts'
import { tiposNacionais } from '../documento/documento.ts'
import { areGuardadas, codigosDoEstado, InscricoesDoEstado, osEstados } from '../inscricao/schema.ts'
import type { Piece } from '../platform/http/answer.ts'
import { type Price, retryAfter } from '../platform/http/exchange.ts'
import { lookup } from '../platform/http/lookup.ts'
import { CpfCnpj, documentoOf } from '../platform/http/parameters.ts'
import {
  cnpjAsked,
  cpfCnpjAsked,
  documentoAsked,
  OrNull,
  RequestId,
  sourceStatusOf,
} from '../platform/http/schemas.ts'
import type { Stream } from '../platform/http/stream.ts'
import { informesDe } from '../platform/informes.ts'
import { creditosDaParte, creditosDoPerfil, findPerfil, type Parte } from './lookup-perfil.ts'
import type { RuralRoom } from './rural.ts'

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

const PerfilDoProdutor = Type.Object(
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

export type RespostaPerfilProdutor = Static<typeof PerfilDoProdutor>

const secao = <const T extends string>(nome: T) =>
  Type.Literal(nome, { description: 'A seção de que esta parte é' })

const ParteDoPerfil = Type.Union(
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

const pieceOf = (parte: Parte): Piece => {
  const { secao, uf } = parte
  return { id: uf === '' ? secao : `${secao}/${uf}`, data: parte, creditos: creditosDaParte(parte) }
}

const porParte: Stream = {
  piece: ParteDoPerfil,
  event: 'secao',
  described: {
    pieces:
      'um evento `secao` por resposta, assim que ela chega: `receita_federal` inteira, e cada estado de `inscricoes_estaduais` e de `cnd_estaduais` ' +
      '(`data` é a entrada dele em `results`, com `secao` e `uf`; `id` é `secao/uf`)',
    leaver:
      'pelo que já recebeu e seria cobrado: a empresa, cada estado com inscrição e cada estado que respondeu sobre a certidão',
    example:
      'id: cnd_estaduais/SC\nevent: secao\ndata: {"secao":"cnd_estaduais","uf":"SC","source_status":{"status":"success",...},...}\n\n',
  },
}

/** By CPF the Receita Federal is not asked. */
export const precoPorCpf = { hold: 54 } as const satisfies Price

/** Specification, "Endpoints". */
export const perfilProdutor = lookup({
  url: '/api/perfil-produtor',
  words: {
    nome: 'Produtor rural',
    tag: 'Produtor rural',
    custo:
      'A soma das seções; uma seção `null` não custa nada, como a das inscrições de quem não tem nenhuma. `receita_federal` custa 1 crédito, e cada uma das outras 1 por estado que respondeu. São reservados 55 durante a consulta (54 por CPF).',
    description: `O que as fontes dizem de um CPF ou de um CNPJ, perguntadas ao mesmo tempo; se os dois forem enviados, vale o CNPJ. São três seções: \`receita_federal\`, a empresa na base pública mensal (por CPF, sempre null); \`inscricoes_estaduais\`, como em \`/api/consultar-ie-todos\`; \`cnd_estaduais\`, como em \`/api/consultar-cnd-todos\`. As três usam o mesmo cache e os mesmos prazos dessas consultas. Pode levar um minuto: use um tempo limite de 120 segundos.

**Seções null.** \`receita_federal\`, quando a base não tem o CNPJ ou não responde; \`inscricoes_estaduais\`, quando nenhum estado deu uma inscrição; \`cnd_estaduais\`, quando nenhum estado respondeu. Só quando todas as que o documento tem falham a resposta é 502 TODAS_FONTES_FALHARAM. \`avisos\` diz o porquê de cada seção null; quando todas são, diz se nada consta ou se fontes falharam, e neste caso vem \`Retry-After\`.

**Custo.** {custo}`,
  },
  query: Type.Object({ ...CpfCnpj }, { 'x-pelo-menos-um': ['cpf', 'cnpj'] }),
  example: { cnpj: '99001002000162' },
  response: PerfilDoProdutor,
  headers: { 'X-Base-Cnpj': MES_DA_BASE, 'Retry-After': retryAfter },
  errors: {
    http: ['PARAMETRO_AUSENTE', 'DOCUMENTO_INVALIDO', 'PARAMETRO_INVALIDO', 'TODAS_FONTES_FALHARAM'],
    source: codigosDoEstado,
  },
  price: { hold: 55 },
  anew: true,
  stream: porParte,
  log: {
    cached: ({ inscricoes_estaduais, cnd_estaduais }, began) =>
      areGuardadas([...(inscricoes_estaduais?.results ?? []), ...(cnd_estaduais?.results ?? [])], began),
  },
  ask: (query, call, room: RuralRoom) => {
    const { request_id, header, leaving } = call
    const asked = documentoOf(query)
    const { tipo, documento: document } = asked
    return {
      price: tipo === 'cnpj' ? { hold: 55 } : precoPorCpf,
      charged: creditosDoPerfil,
      run: async (emit) => {
        const base = tipo === 'cnpj' ? findBase(room) : undefined
        if (base) header('X-Base-Cnpj', base.manifesto.versao)
        const chamada = { request_id, leaving, maxAgeMs: call.maxAgeMs() }
        const { perfil, retryS } = await findPerfil(room, asked, {
          ...chamada,
          emit: (parte) => emit(pieceOf(parte)),
        })
        if (retryS !== null) header('retry-after', String(retryS))
        const avisos = [...perfil.avisos, ...informesDe(tipo === 'cpf' ? ['cpf'] : [], room.now())]
        return { request_id, document, ...perfil, avisos }
      },
    }
  },
})
