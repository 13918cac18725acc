import { criarCliente, type paths } from '@consulta-fiscal/cliente'

type Verbo = 'get' | 'put' | 'post' | 'delete' | 'patch'

/** The operations of one path: `GET /api/consultar`. */
type OperacoesDe<P extends keyof paths> = {
  [M in Verbo]: paths[P][M] extends { responses: unknown } ? `${Uppercase<M>} ${P}` : never
}[Verbo]

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

const uf = 'RS'
const cnpj = '99034721000180'
const cpf = '16316645228'
const pessoa = { nome: 'Ana Souza', email: 'ana@exemplo.com.br', senha: 'uma frase bem longa' }

/** One typed call of each operation. */
export function chamadas({ endereco, chave, nota }: Servico): Record<Operacao, Chamada> {
  const fiscal = criarCliente({ endereco, chave })
  return {
    'GET /api/consultar': {
      diz: 'ATIVA',
      chamar: async () => (await fiscal.consultar({ uf, cnpj })).results[0]?.situacao_ie,
    },
    'GET /api/consultar-cnd': {
      diz: 'negativa',
      chamar: async () => (await fiscal.consultarCnd({ uf, cnpj })).result?.status,
    },
    'GET /api/consultar-ie-todos': {
      diz: 'TO',
      chamar: async () => (await fiscal.consultarIeTodos({ cnpj })).results.at(-1)?.uf,
    },
    'GET /api/consultar-cnd-federal': {
      diz: 'nao_contribuinte',
      chamar: async () => (await fiscal.consultarCndFederal({ cnpj: '98764015000120' })).result?.status,
    },
    'GET /api/consultar-cnd-todos': {
      diz: 'TO',
      chamar: async () => (await fiscal.consultarCndTodos({ cnpj })).results.at(-1)?.uf,
    },
    'GET /api/consultar-cnpj': {
      diz: 'FAREVEL ELETRICA E FARMACIA LTDA',
      chamar: async () => (await fiscal.consultarCnpj({ cnpj })).result.razao_social,
    },
    'GET /api/consultar-cnir': {
      diz: 'ATIVA',
      chamar: async () => (await fiscal.consultarCnir({ cpf })).imoveis_cafir[0]?.situacao,
    },
    'GET /api/perfil-produtor': {
      diz: 'TO',
      chamar: async () => (await fiscal.perfilProdutor({ cnpj })).inscricoes_estaduais?.results.at(-1)?.uf,
    },
    'GET /api/consultar-sigef': {
      diz: 1,
      chamar: async () => (await fiscal.consultarSigef({ cpf })).result?.total_parcelas,
    },
    'POST /api/consultar-nfe-xml': {
      diz: 'ok',
      chamar: async () => (await fiscal.consultarNfeXml(nota)).resultados[0]?.status,
    },
    'GET /api/v1/base-cnpj': {
      diz: '2026-10',
      chamar: async () => (await fiscal.baseCnpj()).versao,
    },
    'POST /api/v1/auth/registrar': {
      diz: 'criada',
      chamar: async () => (await fiscal.authRegistrar(pessoa)).situacao,
    },
    'POST /api/v1/auth/login': {
      diz: 'Bearer',
      chamar: async () => {
        const { email, senha } = pessoa
        return (await fiscal.authLogin({ email, senha })).token_type
      },
    },
    'POST /api/v1/auth/sair': {
      diz: 0,
      chamar: async () => (await fiscal.authSair({})).encerrados,
    },
    'GET /api/v1/conta': {
      diz: 'pro',
      chamar: async () => (await fiscal.conta()).plano,
    },
    'GET /api/v1/sefaz/status': {
      diz: 'TO',
      chamar: async () => (await fiscal.sefazStatus({ doc: 'nfe' })).states.at(-1)?.uf,
    },
    'GET /api/v1/sefaz/ambiente-nacional': {
      diz: 'AN/distribuicao',
      chamar: async () => (await fiscal.sefazAmbienteNacional()).servicos[0]?.fonte,
    },
    'GET /api/v1/sefaz/historico': {
      diz: 'SVRS',
      chamar: async () => (await fiscal.sefazHistorico({ doc: 'nfe', uf: 'SC' })).estados[0]?.autorizador,
    },
    'GET /api/v1/rejeicoes': {
      diz: 539,
      chamar: async () => (await fiscal.rejeicoes({ q: '539', page_size: 1 })).results[0]?.codigo,
    },
    'GET /api/v1/rejeicoes/{codigo}': {
      diz: 'Duplicidade',
      chamar: async () => (await fiscal.rejeicao({ codigo: 539 })).categoria ?? undefined,
    },
    'GET /api/v1/public/rejeicoes': {
      diz: 1,
      chamar: async () => (await fiscal.rejeicoesPublicas()).page,
    },
    'POST /api/v1/rejeicoes/diagnosticar': {
      diz: '55',
      chamar: async () => {
        const xml = '<NFe><infNFe><ide><mod>55</mod></ide></infNFe></NFe>'
        return (await fiscal.diagnosticar({ xml })).modelo ?? undefined
      },
    },
    'GET /api/v1/fontes': {
      diz: 'RS/ie',
      chamar: async () => (await fiscal.fontes({ uf })).fontes[0]?.fonte,
    },
  }
}
