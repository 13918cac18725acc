import type { paths } from '@consulta-fiscal/tipos'
import createClient from 'openapi-fetch'

type Metodo = 'get' | 'put' | 'post' | 'delete' | 'patch'

/** The operations of one path: `GET /api/consultar`. */
type OperacoesDe<P extends keyof paths> = {
  [M in Metodo]: paths[P][M] extends { responses: unknown } ? `${Uppercase<M>} ${P}` : never
}[Metodo]

/** Every operation of the document, so that one without a call below does not compile. */
type Operacao = { [P in keyof paths]: OperacoesDe<P> }[keyof paths]

/** A call, and what the field that it reads says with the simulator. */
type Chamada = { diz: string | number; chamar: () => Promise<string | number | undefined> }

/** Where the service is, whose key is sent, and a note whose certificate is its recipient's. */
export type Servico = {
  endereco: string
  chave: string
  nota: { chave: string; certificado: string; senha: string }
}

const query = { uf: 'RS', cnpj: '99034721000180' } as const
const { uf, cnpj } = query

/** One typed call of each operation. */
export function chamadas({ endereco, chave, nota }: Servico): Record<Operacao, Chamada> {
  const api = createClient<paths>({ baseUrl: endereco, headers: { 'X-API-Key': chave } })
  return {
    'GET /api/consultar': {
      diz: 'ATIVA',
      chamar: async () =>
        (await api.GET('/api/consultar', { params: { query } })).data?.results[0]?.situacao_ie,
    },
    'GET /api/consultar-cnd': {
      diz: 'negativa',
      chamar: async () => (await api.GET('/api/consultar-cnd', { params: { query } })).data?.result?.status,
    },
    'GET /api/consultar-ie-todos': {
      diz: 'TO',
      chamar: async () =>
        (await api.GET('/api/consultar-ie-todos', { params: { query: { cnpj } } })).data?.results.at(-1)?.uf,
    },
    'GET /api/consultar-cnd-federal': {
      diz: 'nao_contribuinte',
      chamar: async () =>
        (await api.GET('/api/consultar-cnd-federal', { params: { query: { cnpj: '98764015000120' } } })).data
          ?.result?.status,
    },
    'GET /api/consultar-cnd-todos': {
      diz: 'TO',
      chamar: async () =>
        (await api.GET('/api/consultar-cnd-todos', { params: { query: { cnpj } } })).data?.results.at(-1)?.uf,
    },
    'GET /api/consultar-cnpj': {
      diz: 'FAREVEL ELETRICA E FARMACIA LTDA',
      chamar: async () =>
        (await api.GET('/api/consultar-cnpj', { params: { query: { cnpj } } })).data?.result.razao_social,
    },
    'GET /api/consultar-cnir': {
      diz: 'ATIVA',
      chamar: async () => {
        const { data } = await api.GET('/api/consultar-cnir', { params: { query: { cpf: '16316645228' } } })
        return data?.imoveis_cafir[0]?.situacao
      },
    },
    'GET /api/perfil-produtor': {
      diz: 'TO',
      chamar: async () => {
        const { data } = await api.GET('/api/perfil-produtor', { params: { query: { cnpj } } })
        return data?.inscricoes_estaduais?.results.at(-1)?.uf
      },
    },
    'GET /api/consultar-sigef': {
      diz: '1',
      chamar: async () => {
        const { data } = await api.GET('/api/consultar-sigef', { params: { query: { cpf: '16316645228' } } })
        return data?.result?.total_parcelas.toString()
      },
    },
    'POST /api/consultar-nfe-xml': {
      diz: 'ok',
      chamar: async () =>
        (await api.POST('/api/consultar-nfe-xml', { body: nota })).data?.resultados[0]?.status,
    },
    'GET /api/v1/base-cnpj': {
      diz: '2026-10',
      chamar: async () => (await api.GET('/api/v1/base-cnpj')).data?.versao,
    },
    'GET /api/v1/conta': {
      diz: 'pro',
      chamar: async () => (await api.GET('/api/v1/conta')).data?.plano,
    },
    'GET /api/v1/sefaz/status': {
      diz: 'TO',
      chamar: async () =>
        (await api.GET('/api/v1/sefaz/status', { params: { query: { doc: 'nfe' } } })).data?.states.at(-1)
          ?.uf,
    },
    'GET /api/v1/sefaz/ambiente-nacional': {
      diz: 'AN/distribuicao',
      chamar: async () => (await api.GET('/api/v1/sefaz/ambiente-nacional')).data?.servicos[0]?.fonte,
    },
    'GET /api/v1/sefaz/historico': {
      diz: 'SVRS',
      chamar: async () => {
        const query = { doc: 'nfe', uf: 'SC' } as const
        return (await api.GET('/api/v1/sefaz/historico', { params: { query } })).data?.estados[0]?.autorizador
      },
    },
    'GET /api/v1/rejeicoes': {
      diz: 539,
      chamar: async () => {
        const query = { q: '539', page_size: 1 }
        return (await api.GET('/api/v1/rejeicoes', { params: { query } })).data?.results[0]?.codigo
      },
    },
    'GET /api/v1/rejeicoes/{codigo}': {
      diz: 'Duplicidade',
      chamar: async () => {
        const params = { path: { codigo: 539 } }
        return (await api.GET('/api/v1/rejeicoes/{codigo}', { params })).data?.categoria ?? undefined
      },
    },
    'GET /api/v1/public/rejeicoes': {
      diz: 1,
      chamar: async () => (await api.GET('/api/v1/public/rejeicoes')).data?.page,
    },
    'POST /api/v1/rejeicoes/diagnosticar': {
      diz: '55',
      chamar: async () => {
        const body = { xml: '<NFe><infNFe><ide><mod>55</mod></ide></infNFe></NFe>' }
        return (await api.POST('/api/v1/rejeicoes/diagnosticar', { body })).data?.modelo ?? undefined
      },
    },
    'GET /api/v1/fontes': {
      diz: 'RS/ie',
      chamar: async () =>
        (await api.GET('/api/v1/fontes', { params: { query: { uf } } })).data?.fontes[0]?.fonte,
    },
  }
}
