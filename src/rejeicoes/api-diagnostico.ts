import { type Static, Type } from 'typebox'
import { tiposDocumento } from '../documento/documento.ts'
import { ApiError } from '../platform/errors.ts'
import { noticesOf } from '../platform/http/bodies.ts'
import type { Caller } from '../platform/http/exchange.ts'
import { lookup } from '../platform/http/lookup.ts'
import { BodySwitch, isOn } from '../platform/http/parameters.ts'
import {
  count,
  instanteOuVazio,
  OneOf,
  OneOfNumbers,
  OneOfOrNull,
  OrNull,
  RequestId,
  text,
  UfItem,
} from '../platform/http/schemas.ts'
import { QueueFull } from '../platform/wire/threads.ts'
import { ResumoDaRejeicao } from './api.ts'
import { CampoLidoItem, laudo, ResultadoItem } from './api-laudo.ts'
import { type Catalogo, NOTA_DE_EXEMPLO } from './catalogo.ts'
import { diagnose as diagnoseNota } from './diagnostico/diagnostico.ts'
import { pastaDosEsquemas } from './esquema/calendario.ts'
import { catalogoVigente, resumida } from './lookup.ts'
import { askCadastros, type CadastrosDaNota, maximoDosCadastros, semCadastros } from './lookup-cadastros.ts'
import type { RejeicoesRoom } from './rejeicoes.ts'
import { avisosDosCadastros } from './rules-cadastro.ts'
import {
  DIAGNOSTICO_DE_NOTA,
  DiagnosticoDemorado,
  DiagnosticoRecusado,
  type Laudo,
  type Suspeita,
} from './rules-laudo.ts'
import { type PartesDaNota, partesDaNota } from './rules-partes.ts'
import { pastaDasTabelas } from './tabelas.ts'

const ConsultaDoCadastro = Type.Object(
  {
    consulta: OneOf(['/api/consultar'], 'A consulta feita, com o cache e o preço dela'),
    uf: UfItem,
    documento_tipo: OneOf(tiposDocumento, 'O que foi perguntado'),
    documento: text('O valor perguntado, mascarado'),
    creditos: OneOfNumbers([0, 1], 'O que custou: 1, ou 0 quando não houve resposta'),
    cached: Type.Boolean({ description: 'true quando a resposta veio do cache' }),
    consultado_em: instanteOuVazio('Quando o estado respondeu, ISO 8601 UTC; vazio quando não respondeu'),
    fonte: text('O id da fonte que respondeu, como em /api/v1/fontes'),
    erro: text('Por que não houve resposta; vazio quando houve'),
  },
  { title: 'ConsultaDoCadastro', description: 'Uma consulta de cadastro que o diagnóstico fez' },
)

const DecisaoDoCadastro = Type.Object(
  {
    codigo: Type.Integer({ minimum: 1, description: 'O código (cStat) com que a SEFAZ recusaria' }),
    resultado: ResultadoItem,
    certeza: OneOfOrNull(
      ['certa', 'provavel'],
      'certa: o cadastro diz isto mesmo; provavel: o que ele diz leva a isto; null quando nada foi decidido',
    ),
    campos: Type.Array(CampoLidoItem, { description: 'Os campos da nota que a regra lê' }),
    mensagem: text('O que o cadastro diz, ou o que falta para decidir'),
    consultado_em: instanteOuVazio(
      'De quando é a resposta que decidiu, ISO 8601 UTC; vazio quando nenhuma decidiu, ou decidiu a base CNPJ',
    ),
  },
  {
    title: 'DecisaoDoCadastro',
    description: 'Uma regra que depende do cadastro do estado ou da Receita Federal',
  },
)

const Cadastros = OrNull(
  Type.Object(
    {
      creditos: count('O que as consultas custaram'),
      consultas: Type.Array(ConsultaDoCadastro, { description: 'As consultas feitas, uma a uma' }),
      base_cnpj: text(
        'O mês da base CNPJ que decidiu 178 a 186, AAAA-MM; vazio quando nenhuma foi lida. Ler a base não custa créditos',
      ),
      decisoes: Type.Array(DecisaoDoCadastro, {
        description:
          'As regras 163, 178 a 186, 203, 230 a 234, 301, 302, 303, 305, 306, 480, 481, 482, 622 e 624 que são para esta nota, em ordem de código',
      }),
    },
    {
      title: 'CadastrosDaNota',
      description:
        'As regras que dependem do cadastro de quem a nota nomeia, no estado ou na Receita Federal',
    },
  ),
  'null quando cadastros não foi pedido',
)

/** As elsewhere; the note in it is smaller, since JSON writes a quote as two octets. */
const CORPO_MAX = 1024 * 1024

/** Milliseconds to wait for a turn, and seconds after which a full queue has moved on. */
const ESPERA_MS = 20_000
const FILA_S = 10

const corpo = Type.Object(
  {
    xml: Type.String({
      description:
        'O XML da nota: NFe, nfeProc ou enviNFe de uma só nota, assinada ou não, como texto dentro do JSON',
    }),
    cstat: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 9999,
        description: 'O código que a SEFAZ devolveu (cStat), se já recusou a nota',
      }),
    ),
    motivo: Type.Optional(
      Type.String({ description: 'O texto que a SEFAZ devolveu (xMotivo), no lugar do código ou com ele' }),
    ),
    cadastros: Type.Optional(
      BodySwitch(
        'true: decide também as regras que dependem do cadastro do emitente e do destinatário, com as consultas de IE que isso pede',
        false,
      ),
    ),
    maximo_creditos: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'O máximo que as consultas de cadastro podem custar; as que passariam disso não são feitas. Sem ele, até 4',
      }),
    ),
    corrigido: Type.Optional(
      BodySwitch('false: deixa de fora o XML corrigido, que pode ser tão grande quanto a nota', true),
    ),
  },
  { title: 'PedidoDeDiagnostico', description: 'A nota, e o que a SEFAZ disse dela' },
)

type Corpo = Static<typeof corpo>

/** What is asked. `maximo` is how many lookups of registers may be made. */
type Pedido = { corpo: Corpo; catalogo: Catalogo; partes: PartesDaNota | undefined; maximo: number }

/** POST /api/v1/rejeicoes/diagnosticar: why the authority would refuse a note, field by field. */
export const diagnosticar = lookup({
  url: '/api/v1/rejeicoes/diagnosticar',
  words: {
    nome: DIAGNOSTICO_DE_NOTA,
    tag: 'Rejeições',
    custo:
      'Com `cadastros`, 1 crédito por consulta que o estado respondeu, 4 no máximo: emitente e destinatário, cada um pelo documento e, se a IE da nota não aparecer, também pela IE. Sem ele, nada. O máximo é reservado; `maximo_creditos` o diminui.',
    description: `Por que a SEFAZ recusa, ou recusaria, esta NF-e ou NFC-e: todos os erros contra o esquema (XSD) do dia da nota de uma vez, a chave, a assinatura, os totais, e as verificações do catálogo, com o campo e o valor achados. O mais provável vem primeiro, e o que se corrige com certeza vem em \`emendas\`, já aplicado em \`corrigido\`. A nota não é guardada nem registrada.

**XML como ele é.** No lugar do JSON, envie o arquivo da nota como corpo, com \`Content-Type: application/xml\` (ou \`text/xml\`), e as opções na consulta da URL.

**Cadastros.** Com \`cadastros\` = true, o cadastro do estado do emitente e o do destinatário são consultados como em \`/api/consultar\`, com o mesmo cache, e decidem as regras que nenhum validador decide só com o XML: IE não cadastrada, de outro documento, inativa. Se os dois são o mesmo contribuinte, nenhuma consulta é feita duas vezes. O que o cadastro não diz fica \`indeterminado\`. As regras da Receita Federal (178 a 186) são decididas, sem custo, pela base CNPJ do mês, que está neste servidor.

**Custo.** {custo}`,
  },
  body: { schema: corpo, limit: CORPO_MAX, xmlIn: 'xml' },
  example: { xml: NOTA_DE_EXEMPLO },
  response: Type.Object(
    {
      request_id: RequestId,
      cstat: OrNull(
        ResumoDaRejeicao,
        'A rejeição do código que você informou; null quando não informou, ou quando o catálogo não a tem',
      ),
      ...laudo,
      cadastros: Cadastros,
    },
    { title: 'RespostaDiagnosticar' },
  ),
  errors: {
    http: ['PARAMETRO_AUSENTE', 'PARAMETRO_INVALIDO', 'REJEICOES_INDISPONIVEL', 'PROCESSAMENTO_FALHOU'],
  },
  price: { hold: 4 },
  ask: (corpo, call, room: RejeicoesRoom) => {
    const pedido = readPedido(corpo, room)
    const { maximo } = pedido
    return {
      price: maximo === 0 ? 'free' : { hold: maximo },
      charged: ({ cadastros }) => cadastros?.creditos ?? 0,
      run: () => diagnose(pedido, call, room),
    }
  },
})

async function diagnose(pedido: Pedido, call: Caller, room: RejeicoesRoom) {
  const { corpo, catalogo, partes, maximo } = pedido
  const feito = await diagnoseOrRefuse(pedido, call, room)
  const asked = partes && { request_id: call.request_id, leaving: call.leaving, maximo }
  const cadastros = asked
    ? await cadastrosDe(feito, () => askCadastros(room, comRegras(partes, feito), asked))
    : null
  const informada = catalogo.porCodigo.get(corpo.cstat ?? 0)
  return {
    request_id: call.request_id,
    cstat: informada ? resumida(informada) : null,
    ...feito,
    suspeitas: [...feito.suspeitas, ...(feito.regras.autorizada ? [] : suspeitasDe(cadastros, catalogo))],
    avisos: [
      ...noticesOf(corpo),
      ...feito.avisos,
      ...avisosDosCadastros(feito.regras, cadastros?.decisoes ?? []),
    ],
    cadastros,
  }
}

const comRegras = (partes: PartesDaNota, { regras: { dia, ambiente, base } }: Laudo): PartesDaNota => ({
  ...partes,
  dia: base === 'hoje' ? '' : dia,
  ambiente,
})

/** Reads the parties of the note, if their registers are asked for. Throws what is wrong with the body. */
function readPedido(corpo: Corpo, room: RejeicoesRoom): Pedido {
  const catalogo = catalogoVigente(room)
  if (!isOn(corpo.cadastros)) return { corpo, catalogo, partes: undefined, maximo: 0 }
  const partes = partesDaNota(corpo.xml)
  const most = maximoDosCadastros(partes)
  return { corpo, catalogo, partes, maximo: Math.min(corpo.maximo_creditos ?? most, most) }
}

/** Diagnoses in a thread. Throws the refusal of a text that is no note, and the failure of a full queue. */
async function diagnoseOrRefuse(
  { corpo, catalogo }: Pedido,
  call: Caller,
  { config, divergencias, now }: RejeicoesRoom,
): Promise<Laudo> {
  const { xml, cstat, motivo } = corpo
  const semCorrigido = corpo.corrigido !== undefined && !isOn(corpo.corrigido)
  try {
    const laudo = await diagnoseNota(
      {
        xml,
        cstat,
        motivo,
        semCorrigido,
        agora: now(),
        catalogo: catalogo.arquivo,
        esquemas: pastaDosEsquemas(config.DATA_DIR),
        tabelas: pastaDasTabelas(config.DATA_DIR),
      },
      { owner: call.conta.id, signal: call.leaving(), waitMs: ESPERA_MS },
    )
    divergencias.note(laudo)
    return laudo
  } catch (error) {
    if (error instanceof DiagnosticoRecusado) throw recusa(error)
    if (error instanceof DiagnosticoDemorado)
      throw new ApiError('PROCESSAMENTO_FALHOU', `${error.message} Nada foi cobrado.`, { retryS: FILA_S })
    if (error instanceof QueueFull) throw cheia(error)
    throw error
  }
}

/** The code of an XML that is not well formed. */
const MALFORMADO = 243

/** Asks nobody of a text that is not well formed: the parties that it names may be cut, and would cost. */
const cadastrosDe = (
  { suspeitas }: Laudo,
  ask: () => Promise<CadastrosDaNota>,
): Promise<CadastrosDaNota> | CadastrosDaNota =>
  suspeitas.some(({ codigo, origem }) => codigo === MALFORMADO && origem === 'esquema') ? semCadastros : ask()

function recusa({ message }: DiagnosticoRecusado): ApiError {
  const reason = message.replace(/\.$/, '')
  return new ApiError('PARAMETRO_INVALIDO', message, { errors: [{ parameter: 'xml', reason }] })
}

const cheia = ({ part }: QueueFull): ApiError => {
  const whose = part === 'owner' ? 'Já há diagnósticos demais desta conta' : 'Há diagnósticos demais'
  const detail = `${whose} à espera. Envie menos ao mesmo tempo e repita este em instantes. Nada foi cobrado.`
  return new ApiError('RATE_LIMIT_EXCEEDED', detail, { retryS: FILA_S })
}

const LUGARES: Readonly<Record<string, string>> = {
  emit: 'emitente',
  dest: 'destinatário',
  retirada: 'local de retirada',
  entrega: 'local de entrega',
}

/** The rejections that the registers show, and after them those that they make likely. */
const suspeitasDe = (cadastros: CadastrosDaNota | null, { porCodigo }: Catalogo): Suspeita[] =>
  (cadastros?.decisoes ?? [])
    .filter(({ resultado }) => resultado === 'falha')
    .flatMap(({ codigo, certeza, campos, mensagem }) => {
      const entrada = porCodigo.get(codigo)
      if (!entrada) return []
      const { titulo, url_blog } = entrada
      const onde = LUGARES[campos[0]?.caminho.split('/')[0] ?? ''] ?? ''
      return [
        {
          codigo,
          titulo,
          url_blog,
          origem: 'cadastro' as const,
          aplicacao: 'obrigatoria' as const,
          ocorrencias: [{ onde, campos, mensagem }],
          certeza: certeza ?? 'provavel',
        },
      ]
    })
    .sort((a, b) => Number(a.certeza === 'provavel') - Number(b.certeza === 'provavel'))
