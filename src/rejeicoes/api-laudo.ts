import { Type } from 'typebox'
import { count, diaOuVazio, OneOf, OneOfOrNull, OrNull, PlainOrNull, text } from '../platform/http/schemas.ts'

const resultados = ['ok', 'falha', 'nao_aplicavel', 'indeterminado'] as const

export const ResultadoItem = OneOf(resultados, {
  title: 'ResultadoDaVerificacao',
  description:
    'ok: a nota cumpre a regra; falha: não cumpre; nao_aplicavel: a regra não é para esta nota; indeterminado: falta o que decide, e não se adivinha',
})

export const CampoLidoItem = Type.Object(
  {
    caminho: text('O campo a partir de infNFe, com a posição, como det[5]/prod/NCM'),
    valor: PlainOrNull('string', 'O valor encontrado; null quando o campo não existe'),
  },
  { title: 'CampoLido', description: 'Um campo da nota e o que ele diz' },
)

const OcorrenciaItem = Type.Object(
  {
    onde: text('O lugar, como item 5; vazio quando é a nota toda'),
    campos: Type.Array(CampoLidoItem, { description: 'Os campos que a regra leu ali' }),
    mensagem: text('O que está errado, ou o que falta para decidir'),
  },
  { title: 'Ocorrencia', description: 'Um lugar da nota que uma verificação olhou' },
)

const codigo = Type.Integer({ minimum: 1, description: 'O código (cStat) com que a SEFAZ recusaria' })

const ErroDeEsquema = Type.Object(
  {
    onde: text('O lugar como se diz, como item 5, campo NCM'),
    caminho: text('O campo a partir de infNFe, com a posição'),
    valor: PlainOrNull('string', 'O valor encontrado; null quando o campo falta'),
    mensagem: text('O que está errado e o que se espera'),
  },
  { title: 'ErroDeEsquema', description: 'Um erro do XML contra o esquema (XSD) oficial' },
)

export const AplicacaoItem = OneOf(
  ['obrigatoria', 'uf'],
  'obrigatoria: todas as UF aplicam a regra; uf: cada UF decide se a aplica',
)

const Suspeita = Type.Object(
  {
    codigo,
    titulo: text('O título da rejeição'),
    url_blog: text('Caminho da página da rejeição'),
    origem: OneOf(
      ['esquema', 'assinatura', 'chave', 'verificacao', 'cadastro', 'informado'],
      'O que a achou; informado é o código que você mandou em cstat ou motivo',
    ),
    aplicacao: AplicacaoItem,
    ocorrencias: Type.Array(OcorrenciaItem, { description: 'Onde, e por quê' }),
    certeza: OneOf(
      ['certa', 'provavel'],
      'certa: a nota ou o cadastro a mostram; provavel: o que o cadastro diz leva a ela, e vem depois das certas',
    ),
  },
  { title: 'Suspeita', description: 'Uma rejeição provável' },
)

const Achado = Type.Object(
  {
    id: text('O id da verificação, como no catálogo'),
    codigo,
    titulo: text('O que se verificou'),
    aplicacao: AplicacaoItem,
    resultado: ResultadoItem,
    ocorrencias: Type.Array(OcorrenciaItem, {
      description: 'Os lugares que falharam, ou que não puderam ser decididos',
    }),
    omitidas: count('Quantos lugares mais há, além dos que vêm em ocorrencias'),
  },
  { title: 'Achado', description: 'O que uma verificação do catálogo achou na nota' },
)

const Emenda = Type.Object(
  {
    caminho: text('O campo a mudar'),
    acao: OneOf(['trocar', 'retirar', 'mover'], 'O que fazer com ele'),
    de: PlainOrNull('string', 'O valor de agora; null quando o campo não existe'),
    para: PlainOrNull('string', 'O valor certo; null quando o campo é retirado'),
    motivo: text('Por que é certo'),
    codigo: Type.Integer({ minimum: 1, description: 'O código (cStat) que a mudança resolve' }),
  },
  { title: 'Emenda', description: 'Uma mudança que com certeza corrige o que nomeia' },
)

const esquemaUsado = {
  pacote: text('O pacote de esquemas da NF-e, como PL_010e_v1.02'),
  desde: text('O primeiro dia do pacote no ambiente da nota (AAAA-MM-DD)'),
  origem: OneOf(
    ['oficial', 'reconstruido', 'instalado'],
    'oficial: arquivos do portal da NF-e que acompanham o serviço; reconstruido: refeito das notas técnicas sobre eles; instalado: zip do portal que o operador instalou',
  ),
}

const Corrigido = Type.Object(
  {
    xml: text(
      'O XML da nota com todas as emendas, em UTF-8, sem assinatura e sem envelope; fora das mudanças, o texto que você enviou',
    ),
    chave: PlainOrNull('string', 'A chave de acesso da nota corrigida; null quando não tem 44 caracteres'),
    mudancas: Type.Array(Type.String(), {
      description: 'Cada mudança em uma frase: as de emendas, na ordem delas, e o que mais foi retirado',
    }),
    falta: Type.Array(Type.String(), {
      description: 'O que ainda falta fazer, em ordem: o que nenhuma emenda cobre, assinar, transmitir',
    }),
  },
  { title: 'XmlCorrigido', description: 'A nota corrigida, pronta para assinar quando nada mais falta' },
)

export const laudo = {
  modelo: OneOfOrNull(['55', '65'], 'O modelo da nota: 55 é a NF-e, 65 a NFC-e; null quando não se lê'),
  chave: PlainOrNull('string', 'Os 44 caracteres da chave de acesso; null quando não são 44'),
  esquema: Type.Object(
    {
      ...esquemaUsado,
      outro: OrNull(
        Type.Object(esquemaUsado, {
          title: 'OutroEsquema',
          description: 'O outro pacote, nos dias em que as fontes oficiais divergem sobre qual vale',
        }),
        'null fora dos dias em que as fontes divergem; nesses dias, um erro só conta quando os dois pacotes recusam',
      ),
      valido: Type.Boolean({ description: 'true quando o XML cumpre o esquema' }),
      erros: Type.Array(ErroDeEsquema, {
        description: 'Todos os erros de uma vez, e não só o primeiro, como responde a SEFAZ',
      }),
      omitidos: count('Quantos erros mais há, além dos que vêm em erros'),
    },
    {
      title: 'EsquemaDaNota',
      description:
        'A nota contra o esquema (XSD) do dia e do ambiente dela: o dia do protocolo, o de dhEmi ou, sem nenhum deles, o de hoje',
    },
  ),
  assinatura: Type.Object(
    {
      situacao: OneOf(
        ['valida', 'invalida', 'ausente', 'indeterminada'],
        'Se a assinatura confere com a nota; ausente não é erro antes de assinar',
      ),
      mensagem: text('O que se achou'),
    },
    { title: 'AssinaturaDaNota', description: 'A assinatura e o resumo (digest) da nota' },
  ),
  regras: Type.Object(
    {
      dia: diaOuVazio('O dia das regras, AAAA-MM-DD'),
      ambiente: OneOf(['producao', 'homologacao'], 'O ambiente da nota (tpAmb)'),
      base: OneOf(
        ['protocolo', 'emissao', 'hoje'],
        'O que deu o dia: o protocolo de autorização, a emissão (dhEmi), ou hoje, quando a data não pode ser lida',
      ),
      autorizada: Type.Boolean({
        description: 'true quando o protocolo que vem com a nota autoriza esta, com este conteúdo',
      }),
    },
    { title: 'RegrasDoLaudo', description: 'De quando são as regras com que a nota foi conferida' },
  ),
  suspeitas: Type.Array(Suspeita, {
    description:
      'As rejeições prováveis; a mais provável primeiro, e depois as de regras que cada UF decide aplicar',
  }),
  se_transmitida_hoje: Type.Array(Suspeita, {
    description:
      'O que diriam as regras que começaram depois do dia da nota, se ela fosse transmitida hoje; vazia com protocolo',
  }),
  divergencias: Type.Array(Suspeita, {
    description:
      'Só em nota autorizada: o que contradiz a autorização. É regra posterior, ou diferença nossa; nunca uma rejeição provável',
  }),
  verificacoes: Type.Array(Achado, { description: 'O resultado de cada verificação do catálogo' }),
  resumo: Type.Object(
    {
      ok: count('Verificações que a nota cumpre'),
      falha: count('Verificações que a nota não cumpre'),
      nao_aplicavel: count('Verificações que não são para esta nota'),
      indeterminado: count('Verificações que não puderam ser decididas'),
    },
    { title: 'ResumoDoLaudo', description: 'Quantas verificações deram cada resultado' },
  ),
  emendas: Type.Array(Emenda, { description: 'Mudanças que com certeza corrigem a nota' }),
  corrigido: OrNull(
    Corrigido,
    'A nota corrigida; null quando não há emendas, quando a nota já está autorizada, ou com corrigido=false',
  ),
  avisos: Type.Array(Type.String(), { description: 'O que mais convém saber; quase sempre vazio' }),
}
