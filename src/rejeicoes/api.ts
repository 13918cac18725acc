import { type Static, Type } from 'typebox'
import { nameWords } from '../platform/http/document.ts'
import type { Check } from '../platform/http/health.ts'
import { lookup, publicLookup } from '../platform/http/lookup.ts'
import { InteiroParam } from '../platform/http/parameters.ts'
import { keepRecent, type Prepared } from '../platform/http/ready.ts'
import { count, diaOuVazio, OneOf, OneOfOrNull, OrNull, text } from '../platform/http/schemas.ts'
import { AplicacaoItem } from './api-laudo.ts'
import type { Catalogo } from './catalogo.ts'
import { catalogoVigente, detalheDe, listaEmJson, perguntaDe } from './lookup.ts'
import type { RejeicoesRoom } from './rejeicoes.ts'
import { categorias, tiposDeRejeicao } from './rules.ts'

nameWords('categoria', categorias)

const filtroDaLista = Type.Object({
  q: Type.Optional(
    Type.String({
      description:
        'Busca no código e no motivo: cada palavra tem de aparecer em um deles; acentos e maiúsculas não importam; sem resultado, valem palavras do dia a dia',
    }),
  ),
  categoria: Type.Optional(
    Type.String({
      format: 'categoria',
      description: `Só esta categoria, escrita como aqui, com os acentos: ${categorias.join('; ')}`,
    }),
  ),
  page: Type.Optional(InteiroParam('A página, a partir de 1', { minimum: 1 }, { default: '1' })),
  page_size: Type.Optional(
    InteiroParam('Quantas rejeições por página, de 1 a 200', { minimum: 1, maximum: 200 }, { default: '50' }),
  ),
})

const pedidoOf = ({ q, categoria, page = '1', page_size = '50' }: Static<typeof filtroDaLista>) => ({
  q,
  categoria,
  page: Number(page),
  page_size: Number(page_size),
})

const resumo = {
  codigo: Type.Integer({ minimum: 1, description: 'O código (cStat) que a SEFAZ devolve' }),
  titulo: text('O motivo sem "Rejeição:" e sem as marcas de preenchimento'),
  slug: Type.String({ pattern: '^[a-z0-9-]+$', description: 'Identifica a página pública da rejeição' }),
  motivo: text(
    'O motivo oficial (xMotivo); o que a SEFAZ devolve pode vir sem acentos e com as marcas preenchidas',
  ),
  categoria: OneOfOrNull(categorias, 'Uma das 17 categorias; null quando não está classificada'),
  url_blog: Type.String({
    pattern: '^/blog/rejeicoes/[a-z0-9-]+/$',
    description: 'Caminho da página pública, /blog/rejeicoes/{slug}/',
  }),
}

export const ResumoDaRejeicao = Type.Object(resumo, {
  title: 'Rejeicao',
  description: 'Uma rejeição da NF-e ou da NFC-e',
})

const listaResponse = Type.Object(
  {
    total: count('Quantas rejeições o filtro deixou, em todas as páginas'),
    page: Type.Integer({ minimum: 1, description: 'A página pedida' }),
    page_size: Type.Integer({ minimum: 1, maximum: 200, description: 'O tamanho de página pedido' }),
    results: Type.Array(ResumoDaRejeicao, {
      description: 'As desta página, em ordem de código; vazia depois da última',
    }),
  },
  { title: 'RespostaRejeicoes' },
)

/** Octets of pages that are kept ready: a page of 50 has some 15,000. */
const MOST_KEPT = 8 * 1024 * 1024

const recentes = keepRecent<Catalogo>(MOST_KEPT)

function listaPronta(catalogo: Catalogo, sent: Static<typeof filtroDaLista>): Prepared {
  const pedido = pedidoOf(sent)
  return recentes(catalogo, perguntaDe(pedido), () => listaEmJson(catalogo, pedido))
}

/** GET /api/v1/rejeicoes: the rejection catalogue, page by page. It is free. */
export const rejeicoes = lookup({
  url: '/api/v1/rejeicoes',
  words: {
    nome: 'Rejeições da NF-e',
    tag: 'Rejeições',
    description: `As rejeições que a SEFAZ devolve para NF-e e NFC-e, em ordem de código. Não custa créditos.

\`q\` procura no código e no motivo: todas as palavras têm de aparecer, sem diferença de acentos nem de maiúsculas. Onde nada as tem, vale a palavra do catálogo para o que se diz no dia a dia, como \`nota duplicada\` ou \`cliente sem inscrição estadual\`. Uma categoria que não existe e uma página depois da última vêm vazias, com HTTP 200.

A resposta só muda quando o catálogo muda: mande o \`ETag\` de volta em \`If-None-Match\` e receba 304.`,
  },
  query: filtroDaLista,
  example: { q: 'duplicidade', page_size: '3' },
  response: listaResponse,
  headers: { ETag: 'Muda quando o conteúdo muda; mande-o de volta em If-None-Match' },
  errors: { http: ['PARAMETRO_INVALIDO', 'REJEICOES_INDISPONIVEL'] },
  price: 'free',
  prepared: true,
  ask: (sent, call, room: RejeicoesRoom) => {
    const catalogo = catalogoVigente(room)
    call.header('cache-control', 'private, max-age=300')
    return { text: listaPronta(catalogo, sent) }
  },
})

const Expressao = (description: string) =>
  Type.Object({}, { additionalProperties: true, title: 'Condicao', description })

const CONDICAO =
  'Uma condição em dados, de operadores fechados: e, ou, nao, presente, ausente, igual, difere, em, casa, fecha, menor, maior, antes, todos, algum, unicos, tabela, dv. {"v": caminho} é o valor de um campo da nota'

const periodo = {
  de: diaOuVazio('Primeiro dia, AAAA-MM-DD; vazio quando não se sabe'),
  de_talvez: diaOuVazio('O primeiro dia segundo outra fonte; entre os dois nada se decide'),
  ate: diaOuVazio('Último dia, AAAA-MM-DD; vazio quando ainda vale'),
  ate_talvez: diaOuVazio('O último dia segundo outra fonte; entre os dois nada se decide'),
}

const VerificacaoAnalitica = Type.Object(
  {
    id: text('Único e estável, {codigo}-{assunto}'),
    titulo: text('O que se verifica'),
    descricao: text('A verificação em uma frase'),
    campos: Type.Array(Type.String(), {
      description: 'Todos os campos lidos, como caminhos a partir de infNFe',
    }),
    regra: Expressao(CONDICAO),
    mensagem_falha: text('O que dizer quando a regra não vale; {caminho} é o valor encontrado'),
    modelos: Type.Array(OneOf(['55', '65'], '55 é a NF-e, 65 a NFC-e'), {
      description: 'Os modelos a que se aplica',
    }),
    escopo: text(
      'O grupo em que se repete, como det (cada item); vazio quando se faz uma vez. Nela, ./ é relativo a ele',
    ),
    quando: OrNull(Expressao(CONDICAO), 'A condição para que se aplique; null quando sempre se aplica'),
    exceto: Type.Array(Expressao(CONDICAO), { description: 'Se uma destas condições vale, não se aplica' }),
    dependencia: text('xml, ou a tabela ou o dado de fora da nota de que depende'),
    aplicacao: AplicacaoItem,
    vigencia: Type.Object(
      {
        ...periodo,
        texto: diaOuVazio('O dia do texto oficial que traz a regra, onde o início não foi publicado'),
        homologacao: Type.Object(periodo, { description: 'Os mesmos dias no ambiente de homologação' }),
      },
      { description: 'Os dias em que a SEFAZ aplica a regra, em produção' },
    ),
    fonte: Type.Object(
      { documento: text('O documento oficial'), regra: text('O número da regra nele') },
      { description: 'De onde vem a regra' },
    ),
  },
  {
    title: 'VerificacaoAnalitica',
    description: 'Uma regra da SEFAZ como dados, que um programa pode aplicar',
  },
)

const detalheResponse = Type.Object(
  {
    ...resumo,
    causas: Type.Array(Type.String(), { description: 'Causas comuns' }),
    solucao_passos: Type.Array(Type.String(), { description: 'Os passos para resolver, em ordem' }),
    exemplos: Type.Array(
      Type.Object(
        {
          passo: Type.Integer({ minimum: 1, description: 'O passo de solucao_passos, a partir de 1' }),
          verificacao: text('O id da verificação que o par ilustra'),
          errado: text('O trecho do XML como é recusado; vazio quando o erro é a falta do elemento'),
          certo: text('O mesmo trecho como é aceito; vazio quando o elemento não pode existir'),
        },
        { title: 'ExemploDoPasso', description: 'Só os elementos que diferem, no máximo 8 linhas' },
      ),
      { description: 'O errado e o certo no XML, onde há um par; no máximo 3' },
    ),
    onde_consultar: Type.Array(
      Type.Object(
        {
          nome: text('O cadastro ou a tabela'),
          endereco: text('A página oficial'),
          origem: text('De quem é'),
        },
        { title: 'OndeConsultar', description: 'Um cadastro ou uma tabela oficial' },
      ),
      { description: 'Onde conferir os campos do código; no máximo 3, e vazia onde não há' },
    ),
    verificacoes_analiticas: Type.Array(VerificacaoAnalitica, {
      description: 'Verificações que se podem fazer no XML; pode ser vazia',
    }),
    tipo: OneOf(
      tiposDeRejeicao,
      'rejeicao: da nota; rejeicao-evento: de um evento; rejeicao-servico: de outro serviço; rejeicao-historica: de regra que já não vale; denegacao: o número fica usado; alerta: a nota é autorizada',
    ),
    campos: Type.Array(Type.String(), { description: 'Os campos da nota que as regras do código nomeiam' }),
    regras: Type.Array(
      Type.Object(
        {
          regra: text('O número da regra'),
          modelo: text('O modelo, como a regra o dá: 55, 65 ou 55/65; pode ser vazio'),
          documento: text('O documento oficial'),
        },
        { title: 'RegraOficial', description: 'Uma regra oficial que devolve o código' },
      ),
      { description: 'As regras oficiais por trás do código; vazia onde nenhuma é publicada' },
    ),
    fontes: Type.Array(Type.String(), { description: 'Os documentos que trazem o motivo' }),
    outro_significado: OrNull(
      Type.Object(
        { motivo: text('O outro motivo oficial'), fonte: text('O documento que o traz') },
        { title: 'OutroSignificado', description: 'Outro motivo, oficial ao mesmo tempo, do mesmo número' },
      ),
      'null quando o número tem um motivo só',
    ),
  },
  { title: 'RespostaRejeicao' },
)

/** Octets of entries that are kept ready: most have some 3,000. */
const MOST_DETAILS_KEPT = 8 * 1024 * 1024

const detalhesRecentes = keepRecent<Catalogo>(MOST_DETAILS_KEPT)

/** GET /api/v1/rejeicoes/{codigo}: causes, steps and checks of one rejection. It is free. */
export const rejeicao = lookup({
  url: '/api/v1/rejeicoes/:codigo',
  words: {
    nome: 'Rejeição por código',
    tag: 'Rejeições',
    description: `O que o código (cStat) quer dizer, por que acontece, como resolver, e as verificações que um programa pode fazer no XML antes de enviar outra vez. Não custa créditos.

Para achar o campo errado na sua nota, mande o XML a \`POST /api/v1/rejeicoes/diagnosticar\`.`,
    id: 'rejeicao',
  },
  query: Type.Object({ codigo: InteiroParam('O código da rejeição (cStat), como 539', { minimum: 1 }) }),
  example: { codigo: '539' },
  response: detalheResponse,
  headers: { ETag: 'Muda quando o conteúdo muda; mande-o de volta em If-None-Match' },
  errors: { http: ['PARAMETRO_INVALIDO', 'REJEICAO_NAO_ENCONTRADA', 'REJEICOES_INDISPONIVEL'] },
  price: 'free',
  prepared: true,
  ask: ({ codigo: asked }, call, room: RejeicoesRoom) => {
    const codigo = Number(asked)
    const catalogo = catalogoVigente(room)
    const write = (): string => JSON.stringify(detalheDe(catalogo, codigo))
    const text = detalhesRecentes(catalogo, String(codigo), write)
    call.header('cache-control', 'private, max-age=300')
    return { text }
  },
})

/** GET /api/v1/public/rejeicoes: the list without a key, 30 times a minute for an address. */
export const rejeicoesPublicas = publicLookup({
  url: '/api/v1/public/rejeicoes',
  words: {
    nome: 'Rejeições da NF-e, sem chave',
    tag: 'Rejeições',
    description: `O mesmo que \`GET /api/v1/rejeicoes\`, com os mesmos parâmetros e a mesma resposta, sem chave. Cada endereço IP (em IPv6, cada rede /64) pode fazer 30 requisições por minuto; depois disso a resposta é 429 RATE_LIMIT, com \`Retry-After\`.`,
    id: 'rejeicoes-publicas',
  },
  query: filtroDaLista,
  example: { q: 'destinatário', page_size: '3' },
  response: listaResponse,
  headers: { ETag: 'Muda quando o conteúdo muda; mande-o de volta em If-None-Match' },
  errors: { http: ['PARAMETRO_INVALIDO', 'REJEICOES_INDISPONIVEL'], rate: 'RATE_LIMIT' },
  prepared: true,
  ask: (sent, call, room: RejeicoesRoom) => {
    const catalogo = catalogoVigente(room)
    call.header('cache-control', 'public, max-age=300')
    return { text: listaPronta(catalogo, sent) }
  },
})

export const checkCatalogo = ({ rejeicoes: aberto }: RejeicoesRoom): Check => ({
  name: 'rejeicoes',
  look: () => {
    const { versao = '', rejeicoes: entradas = [] } = aberto.read() ?? {}
    const falha = aberto.falha()
    const aviso = falha && `o arquivo ${aberto.arquivo} não pôde ser lido: ${falha}`
    return { versao, total: entradas.length, aviso }
  },
})
