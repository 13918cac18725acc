/** The registries of rural properties: the connector to CNIR, the pages of SIGEF, its open geodata. */
export type OndeRural = 'cnir' | 'sigef' | 'wfs'

/** What only these registries know to do wrong. The rows below say what each comes to. */
export type CasoRural =
  | 'paginacao-nova'
  | 'so-historico'
  | 'detalhe-404'
  | 'detalhe-mudado'
  | 'conta-errada'
  | 'barrado-na-segunda'
  | 'sessao-cai-no-detalhe'
  | 'sem-documento'
  | 'excecao'
  | 'retry-after'
  | 'nao-json'
  | 'sem-situacao'
  | 'sem-booleano'
  | 'numero-texto'
  | 'duas-pessoas'
  | 'registros-demais'
  | 'outros-membros'

/** A misbehaviour of these registries, of the shapes that every authority's has. */
type EfeitoRural =
  | { tipo: 'rural'; caso: CasoRural }
  | { tipo: 'muitas'; quantas: number }
  | { tipo: 'pagina'; status: number; titulo: string }
  | { tipo: 'demora'; ms: number }
  | { tipo: 'gigante'; bytes: number }
  | { tipo: 'queda'; quando: 'antes' | 'no-meio' }

const caso = (qual: CasoRural): EfeitoRural => ({ tipo: 'rural', caso: qual })
const pagina = (status: number, titulo: string): EfeitoRural => ({ tipo: 'pagina', status, titulo })

/** Later than anybody waits, in milliseconds. */
const SEM_FIM = 240_000

/** The misbehaviours of the rural registries alone. Order is identity: new rows go to the end. */
export const linhasRurais: readonly [nome: string, onde: OndeRural, efeito: EfeitoRural, nota: string][] = [
  ['sigef-25', 'sigef', { tipo: 'muitas', quantas: 25 }, 'SIGEF: 25 parcelas, em três páginas'],
  ['sigef-25-nova', 'sigef', caso('paginacao-nova'), 'SIGEF: 25 parcelas, com a paginação nova'],
  ['sigef-historico', 'sigef', caso('so-historico'), 'SIGEF: só há parcela no histórico: nenhuma vale'],
  ['sigef-401', 'sigef', pagina(401, 'Unauthorized'), 'SIGEF: HTTP 401'],
  ['sigef-500', 'sigef', pagina(500, 'Server Error (500)'), 'SIGEF: HTTP 500'],
  ['sigef-detalhe-404', 'sigef', caso('detalhe-404'), 'SIGEF: a parcela da lista não existe (HTTP 404)'],
  ['sigef-detalhe-mudado', 'sigef', caso('detalhe-mudado'), 'SIGEF: a página da parcela mudou'],
  ['sigef-conta-errada', 'sigef', caso('conta-errada'), 'SIGEF: a lista diz ter mais parcelas do que mostra'],
  [
    'sigef-barrado',
    'sigef',
    caso('barrado-na-segunda'),
    'SIGEF: a segunda página da lista é "Request Rejected", com HTTP 200',
  ],
  [
    'sigef-sessao-cai',
    'sigef',
    caso('sessao-cai-no-detalhe'),
    'SIGEF: a sessão acaba entre a lista e a parcela',
  ],
  ['sigef-lento', 'sigef', { tipo: 'demora', ms: SEM_FIM }, 'SIGEF: não responde a tempo'],
  ['wfs-fora', 'wfs', pagina(503, 'Service Unavailable'), 'o WFS está fora: falta só a data da certificação'],
  [
    'wfs-lento',
    'wfs',
    { tipo: 'demora', ms: SEM_FIM },
    'o WFS não responde: falta só a data da certificação',
  ],
  ['wfs-excecao', 'wfs', caso('excecao'), 'o WFS responde com uma exceção: falta só a data da certificação'],
  ['cnir-401', 'cnir', pagina(401, 'Unauthorized'), 'CNIR: o conector recusa a assinatura'],
  ['cnir-429', 'cnir', caso('retry-after'), 'CNIR: HTTP 429, com Retry-After'],
  ['cnir-503', 'cnir', pagina(503, 'Service Unavailable'), 'CNIR: HTTP 503'],
  ['cnir-lento', 'cnir', { tipo: 'demora', ms: SEM_FIM }, 'CNIR: o conector não responde a tempo'],
  ['cnir-nao-json', 'cnir', caso('nao-json'), 'CNIR: a resposta não é JSON'],
  ['cnir-sem-situacao', 'cnir', caso('sem-situacao'), 'CNIR: um imóvel sem situação'],
  ['cnir-sem-booleano', 'cnir', caso('sem-booleano'), 'CNIR: um imóvel sem possui_decisao_judicial'],
  ['cnir-numero-texto', 'cnir', caso('numero-texto'), 'CNIR: uma área escrita como texto'],
  ['cnir-duas-pessoas', 'cnir', caso('duas-pessoas'), 'CNIR: a resposta traz uma pessoa e uma empresa'],
  ['cnir-demais', 'cnir', caso('registros-demais'), 'CNIR: 5.001 imóveis, mais do que se lê'],
  ['cnir-gigante', 'cnir', { tipo: 'gigante', bytes: 3 << 20 }, 'CNIR: uma resposta de mais de 2 MiB'],
  ['cnir-outros-membros', 'cnir', caso('outros-membros'), 'CNIR: membros que ninguém conhece são ignorados'],
  [
    'sigef-sem-documento',
    'sigef',
    caso('sem-documento'),
    'SIGEF: a página não mostra o documento do detentor',
  ],
]
