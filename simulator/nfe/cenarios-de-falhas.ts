import {
  CIENCIA,
  codigo,
  type Diferenca,
  DOIS_MESES,
  documento,
  type LinhaDeCenario,
  QUEDA,
} from './linha.ts'

const pagina = (status: number, titulo: string): Diferenca => ({
  distribuicao: { tipo: 'pagina', status, titulo },
})

/** What the distribution and the portal do to a query. Order is identity: new rows go to the end. */
export const falhas: readonly LinhaDeCenario[] = [
  ['html-403', 'HTTP 403 com página HTML, como para um certificado recusado', pagina(403, 'Acesso negado')],
  ['html-503', 'HTTP 503 com página HTML', pagina(503, 'Serviço indisponível')],
  ['html-200', 'página HTML com HTTP 200', pagina(200, 'Sistema em manutenção')],
  ['fault', 'SOAP Fault 1.2', { distribuicao: { tipo: 'fault', soap: '1.2' } }],
  ['fault-11', 'SOAP Fault 1.1', { distribuicao: { tipo: 'fault', soap: '1.1' } }],
  ['tls', 'o servidor recusa o certificado na camada TLS', { distribuicao: { tipo: 'tls' } }],
  ['demorada', 'responde certo depois de 2 segundos', { distribuicao: { tipo: 'demora', ms: 2_000 } }],
  ['lenta', 'não responde a tempo', { distribuicao: { tipo: 'demora', ms: 120_000 } }],
  ['queda', 'a conexão cai antes do primeiro byte', { distribuicao: QUEDA }],
  [
    'queda-no-meio',
    'a conexão cai no meio da resposta',
    { distribuicao: { tipo: 'queda', quando: 'no-meio' } },
  ],
  ['vazia', 'HTTP 200 sem corpo', { distribuicao: { tipo: 'vazio' } }],
  ['gigante', 'corpo de 10 MiB', { distribuicao: { tipo: 'gigante', bytes: 10 << 20 } }],
  ['malformada', 'o XML da resposta vem cortado', { distribuicao: { tipo: 'malformado' } }],
  [
    'redireciona',
    'HTTP 302 para outra página',
    { distribuicao: { tipo: 'redireciona', para: '/manutencao.html' } },
  ],
  ['108', 'cStat 108: serviço paralisado momentaneamente', { distribuicao: codigo(108) }],
  ['109', 'cStat 109: serviço paralisado sem previsão', { distribuicao: codigo(109) }],
  ['215', 'cStat 215: falha no schema XML', { distribuicao: codigo(215) }],
  ['593', 'cStat 593: CNPJ-base diferente do certificado', { distribuicao: codigo(593) }],
  ['618', 'cStat 618: a chave não é do modelo 55', { distribuicao: codigo(618) }],
  ['777', 'cStat 777: código que nenhuma tabela tem', { distribuicao: codigo(777) }],
  ['999', 'cStat 999: erro não catalogado', { distribuicao: codigo(999) }],
  ['gzip-cortado', 'o documento vem com o gzip cortado', { distribuicao: documento('gzip-cortado') }],
  ['base64-ruim', 'o documento não é base64', { distribuicao: documento('base64-ruim') }],
  ['documento-vazio', 'o documento vem vazio', { distribuicao: documento('vazio') }],
  ['outra-chave', 'o documento é de outra chave', { distribuicao: documento('outra-chave') }],
  [
    'sem-protocolo',
    'o XML vem sem o protocolo de autorização',
    { eventos: [CIENCIA], distribuicao: documento('sem-protocolo') },
  ],
  ['outra-raiz', 'o XML é de outro tipo de documento', { distribuicao: documento('outra-raiz') }],
  [
    'envelope-11',
    'SOAP 1.1 com outros prefixos: é lido bem',
    { distribuicao: { tipo: 'envelope', soap: '1.1', prefixo: 'SOAP-ENV' } },
  ],
  ['portal-captcha', 'o portal nunca aceita o captcha', { ...DOIS_MESES, portal: 'captcha-recusado' }],
  [
    'portal-queda',
    'a conexão do portal cai no meio do XML',
    { ...DOIS_MESES, portal: { tipo: 'queda', quando: 'no-meio' } },
  ],
  ['portal-layout', 'a página do portal mudou', { ...DOIS_MESES, portal: { tipo: 'layout' } }],
  [
    'portal-outra-chave',
    'o portal entrega o XML de outra nota',
    { ...DOIS_MESES, portal: documento('outra-chave') },
  ],
  [
    'portal-sem-protocolo',
    'o portal entrega o XML sem o protocolo de autorização',
    { ...DOIS_MESES, portal: documento('sem-protocolo') },
  ],
]
