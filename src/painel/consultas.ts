/** What people call the paths of the API. */
const nomes: Readonly<Record<string, string>> = {
  '/api/consultar': 'Inscrição estadual',
  '/api/consultar-ie-todos': 'Inscrição em todos os estados',
  '/api/consultar-cnd': 'CND estadual',
  '/api/consultar-cnd-todos': 'CND em todos os estados',
  '/api/consultar-cnd-federal': 'CND federal',
  '/api/consultar-cnpj': 'CNPJ',
  '/api/consultar-nfe-xml': 'XML da NF-e',
  '/api/consultar-sigef': 'SIGEF',
  '/api/consultar-cnir': 'CNIR',
  '/api/perfil-produtor': 'Perfil do produtor',
  '/api/v1/sefaz/status': 'Situação das SEFAZ',
  '/api/v1/sefaz/historico': 'Histórico das SEFAZ',
  '/api/v1/sefaz/ambiente-nacional': 'Ambiente nacional',
  '/api/v1/rejeicoes': 'Rejeições',
  '/api/v1/rejeicoes/:codigo': 'Uma rejeição',
  '/api/v1/rejeicoes/diagnosticar': 'Diagnóstico de nota',
  '/api/v1/conta': 'Conta',
  '/api/v1/fontes': 'Fontes',
  '/api/v1/base-cnpj': 'Versão da base CNPJ',
}

/** The name of an endpoint for people; of one that has none, its path. */
export const nomeDoEndpoint = (endpoint: string): string => nomes[endpoint] ?? endpoint

/** The endpoints that have a name. */
export const endpointsConhecidos: readonly string[] = Object.keys(nomes)

/** A path without what all have: `consultar-cnd`. */
export const caminhoCurto = (endpoint: string): string => endpoint.replace(/^\/api\/(?:v1\/)?/, '')
