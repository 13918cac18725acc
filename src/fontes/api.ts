import { Type } from 'typebox'
import { ambitos, findAmbito } from '../documento/uf.ts'
import { lookup } from '../platform/http/lookup.ts'
import { AmbitoParam } from '../platform/http/parameters.ts'
import {
  count,
  Falha,
  instanteOuVazio,
  OneOf,
  OrNull,
  PlainOrNull,
  RequestId,
  text,
} from '../platform/http/schemas.ts'
import { estadosDoCircuito } from '../platform/wire/leituras.ts'
import { captchaTipos, captchaVezes } from '../portal/captcha.ts'
import { abrangencias, certezas } from '../portal/estado.ts'
import { aceitos, semCaptcha, servicos, servicosNacionais } from '../portal/fonte.ts'
import { disponibilidades } from '../portal/rotas.ts'
import type { RuralRoom } from '../rural/rural.ts'
import { listFontes } from './lookup.ts'

const TAXA = { minimum: 0, maximum: 1 }
const taxaVazias = PlainOrNull('number', 'De 0 a 1; null quando não houve respostas', TAXA)

const Captcha = Type.Object(
  {
    tipo: OneOf([semCaptcha.tipo, ...captchaTipos], 'O tipo do captcha da página'),
    quando: OneOf(
      [semCaptcha.quando, ...captchaVezes],
      'Quando ele aparece; desenhado: está na página e não é conferido',
    ),
    resolvido: Type.Boolean({ description: 'true quando este serviço o resolve, ou não há captcha' }),
  },
  { title: 'CaptchaDaFonte', description: 'O captcha da página' },
)

const Circuito = Type.Object(
  {
    estado: OneOf(
      estadosDoCircuito,
      'fechado: consultada normalmente; aberto: falhou várias vezes seguidas e não é consultada até "ate"; em-teste: a próxima consulta dirá se voltou',
    ),
    ate: instanteOuVazio('ISO 8601 UTC; vazio quando fechado'),
  },
  { title: 'CircuitoDaFonte', description: 'Se a fonte é consultada, pelas últimas falhas dela' },
)

const UltimaHora = Type.Object(
  {
    consultas: count('Quantas consultas foram enviadas a ela nos últimos 60 minutos'),
    sucessos: count('Quantas ela respondeu'),
    taxa_sucesso: PlainOrNull('number', 'De 0 a 1; null quando não houve consultas', TAXA),
    vazias: count('Quantas das respondidas não acharam nada: nenhuma inscrição, nenhuma certidão'),
    taxa_vazias: taxaVazias,
    incompletas: count(
      'Quantas das que ela respondeu vieram sem algo que a página ou o papel dela sempre traz; a resposta disse o quê em avisos',
    ),
    mediana_ms: PlainOrNull(
      'integer',
      'Tempo mediano das respostas, em milissegundos; null quando não houve',
      { minimum: 0 },
    ),
  },
  { title: 'UltimaHoraDaFonte', description: 'O que houve com as consultas dos últimos 60 minutos' },
)

const DiasAnteriores = Type.Object(
  {
    dias: count('Quantos dias'),
    sucessos: count('Quantas consultas ela respondeu neles'),
    vazias: count('Quantas dessas não acharam nada'),
    taxa_vazias: taxaVazias,
  },
  { title: 'DiasAnteriores', description: 'Os dias anteriores à última hora, com que ela se compara' },
)

const Fonte = Type.Object(
  {
    uf: OneOf(ambitos, 'Sigla do estado; BR nas fontes nacionais'),
    servico: OneOf(
      [...servicos, ...servicosNacionais],
      'ie (inscrição estadual), cnd (certidão) ou, das fontes nacionais, nfe-xml (XML de NF-e), cnpj (CNPJ ao vivo), cnir (imóveis rurais) e sigef (parcelas certificadas)',
    ),
    ordem: Type.Integer({
      minimum: 1,
      description:
        'A ordem em que o serviço tenta as rotas de um estado, ou consulta as fontes nacionais; 1 é a primeira',
    }),
    fonte: text('Identificador da fonte, igual no registro (log)'),
    nome: text('Quem responde'),
    rota: text(
      'O protocolo que ela fala: cadastro, nfe-distribuicao e nfe-evento são web services da NF-e; os demais são páginas de consulta',
    ),
    endereco: text('Endereço da primeira requisição'),
    host: text('O host do endereço, com a porta quando não é a usual'),
    aceita: Type.Array(OneOf(aceitos, 'Um tipo de documento'), {
      description:
        'Documentos pelos quais se consulta: cnpj, cpf, ie; ou chave, a de acesso da NF-e. Vazia na fonte que só completa o que outra achou',
    }),
    captcha: Captcha,
    situacao: OneOf(
      disponibilidades,
      'disponivel; ou por que este serviço não a consulta: sem-certificado, protocolo-desconhecido, sem-solucao-de-captcha, desligada (CCC=nenhum, CND_FEDERAL_ROTAS, SIGEF=desligado), sem-contrato (SERPRO_KEY), sem-conector (CNIR_URL), sem-sessao (SIGEF). As fontes nacionais da NF-e recebem o certificado em cada requisição',
    ),
    certeza: OneOf(certezas, 'O quanto se sabe da rota'),
    origem: text('De onde vêm o endereço e o protocolo'),
    em: Type.String({
      pattern: '^[0-9]{4}(-[0-9]{2}){0,2}$',
      description: 'Quando foram vistos: AAAA-MM-DD, AAAA-MM ou AAAA',
    }),
    abrange: OneOf(
      [...abrangencias, ''],
      'Das certidões estaduais, os débitos que elas abrangem: inscritos em dívida ativa, nao-inscritos, ambos ou desconhecido; vazio nas outras fontes',
    ),
    nota: text('O que convém saber da rota; vazio quando não há'),
    horario: text('Quando ela atende, se fecha; vazio quando não se conhece horário'),
    circuito: Circuito,
    ultima_hora: UltimaHora,
    dias_anteriores: DiasAnteriores,
    acha_pouco: Type.Boolean({
      description:
        'true quando, pelos dias anteriores (100 respostas ou mais), ao menos 20 respostas da última hora deviam ter achado algo e nem um quarto delas achou: a página pode estar dizendo "não encontrado" a todos',
    }),
    rotulos_novos: Type.Array(Type.String(), {
      description:
        'Rótulos que as páginas dela mostraram na última hora e que ninguém conhece (5 no máximo): sinal de que ela está mudando. Só o rótulo, nunca o valor',
    }),
    ultimo_erro: OrNull(Falha, 'A última falha dos últimos 60 minutos; null quando não houve'),
  },
  { title: 'Fonte', description: 'Uma rota de um estado, ou uma fonte nacional' },
)

/** GET /api/v1/fontes: how each source is asked, and how it has answered lately. It is free. */
export const fontes = lookup({
  url: '/api/v1/fontes',
  words: {
    nome: 'Fontes',
    tag: 'Serviço',
    description:
      'Cada rota de cada estado, e as fontes nacionais: protocolo, endereço, documentos aceitos, captcha, o quanto se sabe dela, se este serviço a consulta ' +
      'e, se não, por quê; e o que houve com as consultas dos últimos 60 minutos, somados todos os nós. Não custa créditos.',
  },
  query: Type.Object({
    uf: Type.Optional(AmbitoParam('Só as rotas deste estado, ou as fontes nacionais (BR)')),
    servico: Type.Optional(
      Type.Enum([...servicos, ...servicosNacionais], {
        description:
          'Só um serviço: inscrição estadual (ie), certidão (cnd) ou, das fontes nacionais, XML de NF-e (nfe-xml), CNPJ ao vivo (cnpj), imóveis rurais (cnir) e parcelas certificadas (sigef)',
      }),
    ),
  }),
  example: { uf: 'SP', servico: 'ie' },
  response: Type.Object(
    { request_id: RequestId, fontes: Type.Array(Fonte, { description: 'Por estado, serviço e ordem' }) },
    { title: 'RespostaFontes' },
  ),
  errors: { http: ['PARAMETRO_INVALIDO', 'UF_NAO_SUPORTADA'] },
  price: 'free',
  ask: ({ uf, servico }, { request_id }, room: RuralRoom) => ({
    run: async () => {
      const wanted = uf === undefined ? undefined : findAmbito(uf)
      const all = await listFontes(room)
      return {
        request_id,
        fontes: all.filter(
          (fonte) =>
            (wanted === undefined || fonte.uf === wanted) &&
            (servico === undefined || fonte.servico === servico),
        ),
      }
    },
  }),
})
