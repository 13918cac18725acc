import { cleanChave, parseChave } from '../documento/chave.ts'
import { dataBrasileira, diaDoInstante } from '../documento/dia.ts'
import { formatDocumento } from '../documento/documento.ts'
import { unidades } from '../documento/uf.ts'
import { type Apresentar, ditos, type Fato, type Tom } from '../platform/pages/apresentacao.ts'
import { formatInstante, formatNumero, formatReais, semOperador } from '../platform/pages/formatos.ts'
import { type Content, html } from '../platform/pages/html.ts'
import { trusted } from '../platform/trusted.ts'
import { type Achados, createPathReader } from '../platform/wire/xml.ts'
import type { RespostaNfe } from './api.ts'
import { eventos, type Manifestacao, type StatusNfe } from './rules.ts'

type Resultado = RespostaNfe['resultados'][number]

/** The answer about one note: whether its XML came, and if not, what is missing. */
export const apresentarNfeXml: Apresentar = (corpo, agora) => {
  // Proven by the endpoint's schema.
  const { resultados, consultado_em } = trusted<RespostaNfe>(corpo)
  const [resultado] = resultados
  if (!resultado) throw new Error('an answer about a note tells of one')
  const { chave, xml, from_cache, simulacao } = resultado
  const nota = xml === null ? undefined : readNota(xml)
  const { tom, veredito } = simulacao ? ensaioDe(simulacao) : desfechoDe(resultado, nota)
  return {
    tom,
    veredito,
    nome: nota?.emitente ?? '',
    ...(simulacao && { onde: 'ensaio' }),
    frase: simulacao ? fraseDoEnsaio(resultado, simulacao) : fraseDe(resultado),
    fatos: nota ? nota.fatos : fatosDaChave(chave, agora),
    partes: [
      { titulo: 'A nota', fatos: [...identidadeDe(chave, agora), ...(nota?.protocolo ?? [])] },
      ...(simulacao || resultado.manifestacao === null
        ? []
        : [{ titulo: 'Manifestação do destinatário', fatos: manifestacaoDe(resultado.manifestacao) }]),
      { titulo: 'O que a SEFAZ disse', dobrada: true, fatos: ditoDaSefaz(resultado) },
    ].filter(({ fatos }) => fatos.length > 0),
    ...(xml !== null && {
      papel: { tipo: 'xml', nome: `nfe-${chave}.xml`, base64: Buffer.from(xml).toString('base64') },
    }),
    ...(consultado_em !== '' && {
      respondido: { quem: 'Ambiente Nacional da NF-e', em: consultado_em, guardada: from_cache },
    }),
  }
}

type Desfecho = { tom: Tom; veredito: string }

const desfechos: Readonly<Record<Exclude<StatusNfe, 'ok' | 'somente_resumo'>, Desfecho>> = {
  nao_autorizado: { tom: 'ruim', veredito: 'Este certificado não participa da nota' },
  nao_encontrado: { tom: 'neutro', veredito: 'Nota não encontrada' },
  fora_prazo: { tom: 'ruim', veredito: 'A SEFAZ já não entrega esta nota' },
  chave_invalida: { tom: 'ruim', veredito: 'Chave de acesso inválida' },
  erro: { tom: 'ruim', veredito: 'A nota não veio' },
  cancelada: { tom: 'nota', veredito: 'Nota cancelada ou denegada' },
}

const AUTORIZADA = ['100', '150']

function desfechoDe({ status, manifestacao, retryable }: Resultado, nota: Nota | undefined): Desfecho {
  if (status === 'ok')
    return AUTORIZADA.includes(nota?.cStat ?? '')
      ? { tom: 'bom', veredito: 'Nota autorizada, XML completo' }
      : { tom: 'nota', veredito: 'XML completo; confira a autorização de uso' }
  if (status !== 'somente_resumo') return desfechos[status]
  return { tom: retryable ? 'lento' : 'nota', veredito: `Só o resumo: ${faltaDe(manifestacao, retryable)}` }
}

/** What stands between a summary and the XML. */
function faltaDe(manifestacao: Manifestacao | null, retryable = false): string {
  if (manifestacao === null) return retryable ? 'o XML ainda não foi liberado' : 'falta a Ciência da Operação'
  const nome = manifestacao.startsWith('ciencia') ? 'Ciência' : 'Confirmação'
  if (/registrada$/.test(manifestacao)) return `a ${nome} foi registrada, falta o XML`
  if (manifestacao === 'ciencia_fora_prazo') return `o prazo da ${nome} acabou`
  if (/rejeitada$/.test(manifestacao)) return `a SEFAZ recusou a ${nome}`
  if (/nao_suportada$/.test(manifestacao)) return `o certificado não assina a ${nome}`
  return `a ${nome} ficou sem resposta`
}

const nomeDoEvento = (manifestacao: Manifestacao): string =>
  eventos[manifestacao.startsWith('ciencia') ? 'ciencia' : 'confirmacao'].nome

/** The message of the API is for programs too; a page has a box in the place of a parameter. */
const paraGente = (mensagem: string): string =>
  semOperador(mensagem)
    .replace(/ ?Ao repetir, envie outra Idempotency-Key:[^.]*\./, '')
    .replaceAll('com manifestar = true', 'com a manifestação do destinatário autorizada')
    .replaceAll('campo cnpj', 'campo CNPJ')
    .replace(
      /\b(C(?:NPJ|PF)) ([0-9A-Z]{11,14})\b/g,
      (_, tipo, documento) => `${tipo} ${formatDocumento(documento)}`,
    )

const fraseDe = ({ status, mensagem }: Resultado): string =>
  `${paraGente(mensagem)} ${status === 'ok' ? 'Baixe e guarde o arquivo: ele é o documento fiscal.' : 'Nada foi cobrado.'}`

type Ensaio = NonNullable<Resultado['simulacao']>

function ensaioDe({ evento, descricao, no_prazo }: Ensaio): Desfecho {
  if (evento === null) return { tom: 'neutro', veredito: 'Ensaio: nenhum evento seria enviado' }
  if (no_prazo === false) return { tom: 'nota', veredito: `Ensaio: o prazo da ${descricao} acabou` }
  return { tom: 'nota', veredito: `Ensaio: enviaria a ${descricao}` }
}

const fraseDoEnsaio = ({ mensagem }: Resultado, { irreversivel }: Ensaio): string =>
  `${paraGente(mensagem)}${irreversivel ? ' Enviado de verdade, ele fica registrado para sempre.' : ''} Nada foi enviado nem cobrado.`

const INF_NFE = 'nfeProc/NFe/infNFe'
const INF_PROT = 'nfeProc/protNFe/infProt'

/** What a bookkeeper looks for in a note, by its place in the XML. */
const LUGARES = {
  emitente: `${INF_NFE}/emit/xNome`,
  cnpjDoEmitente: `${INF_NFE}/emit/CNPJ`,
  cpfDoEmitente: `${INF_NFE}/emit/CPF`,
  destinatario: `${INF_NFE}/dest/xNome`,
  cnpjDoDestinatario: `${INF_NFE}/dest/CNPJ`,
  cpfDoDestinatario: `${INF_NFE}/dest/CPF`,
  emissao: `${INF_NFE}/ide/dhEmi`,
  natureza: `${INF_NFE}/ide/natOp`,
  valor: `${INF_NFE}/total/ICMSTot/vNF`,
  numeroDoProtocolo: `${INF_PROT}/nProt`,
  recebidaEm: `${INF_PROT}/dhRecbto`,
  cStat: `${INF_PROT}/cStat`,
} as const

const readXml = createPathReader(Object.values(LUGARES))

type Nota = { emitente: string; cStat: string; fatos: readonly Fato[]; protocolo: readonly Fato[] }

/** Undefined for an XML that cannot be read: its file is handed over all the same. */
function readNota(xml: string): Nota | undefined {
  const found = readXml(xml)
  if (!found) return undefined
  const dito = (lugar: keyof typeof LUGARES): string => textoDe(found, LUGARES[lugar])
  const quem = (nome: string, documento: string): Content =>
    nome === '' || documento === ''
      ? nome || formatDocumento(documento)
      : html`${nome} · <span class="quanto">${formatDocumento(documento)}</span>`
  const valor = Number(dito('valor'))
  const recebida = new Date(dito('recebidaEm'))
  return {
    emitente: dito('emitente'),
    cStat: dito('cStat'),
    fatos: ditos([
      {
        rotulo: 'Valor da nota',
        valor: dito('valor') === '' || Number.isNaN(valor) ? '' : formatReais(valor),
      },
      { rotulo: 'Emissão', valor: dataBrasileira(diaDoInstante(dito('emissao')) ?? '') },
      { rotulo: 'Natureza da operação', valor: dito('natureza') },
      { rotulo: 'Emitente', valor: quem(dito('emitente'), dito('cnpjDoEmitente') || dito('cpfDoEmitente')) },
      {
        rotulo: 'Destinatário',
        valor: quem(dito('destinatario'), dito('cnpjDoDestinatario') || dito('cpfDoDestinatario')),
      },
    ]),
    protocolo: ditos([
      { rotulo: 'Protocolo de autorização', valor: dito('numeroDoProtocolo') },
      {
        rotulo: 'Autorizada em',
        valor: Number.isNaN(recebida.getTime()) ? '' : `${formatInstante(recebida)} (Brasília)`,
      },
    ]),
  }
}

const textoDe = (found: Achados, lugar: string): string => found.get(lugar)?.[0] ?? ''

/** What the key itself tells, where the note did not come. */
function fatosDaChave(chave: string, agora: Date): readonly Fato[] {
  const lida = parseChave(chave, agora)
  if (!lida.ok) return []
  const { emitente, uf, ano, mes } = lida.chave
  return [
    { rotulo: 'Emitente', valor: formatDocumento(emitente.documento) },
    { rotulo: 'Estado', valor: unidades[uf].nome },
    { rotulo: 'Mês da emissão', valor: `${String(mes).padStart(2, '0')}/${ano}` },
  ]
}

function identidadeDe(chave: string, agora: Date): readonly Fato[] {
  const lida = parseChave(chave, agora)
  return [
    ...(lida.ok
      ? [
          { rotulo: 'Número', valor: formatNumero(lida.chave.numero) },
          { rotulo: 'Série', valor: String(lida.chave.serie) },
        ]
      : []),
    {
      rotulo: 'Chave de acesso',
      valor: html`<code data-copia="${cleanChave(chave)}">${formatChave(chave)}</code>`,
    },
  ]
}

/** `3526 1198 7630 …`: in groups of four, as a DANFE prints it. */
export const formatChave = (chave: string): string => cleanChave(chave).replace(/(.{4})(?=.)/g, '$1 ')

const desfechosDoEvento: readonly [RegExp, string][] = [
  [/_ja_registrada$/, 'Já estava registrada'],
  [/_registrada$/, 'Registrada agora; não pode ser desfeita'],
  [/_fora_prazo$/, 'Fora do prazo: não foi registrada'],
  [/_rejeitada$/, 'Recusada pela SEFAZ'],
  [/_nao_suportada$/, 'Não enviada: o certificado não tem chave RSA'],
  [/_erro$/, 'Sem resposta da SEFAZ'],
]

const manifestacaoDe = (manifestacao: Manifestacao): readonly Fato[] => [
  {
    rotulo: nomeDoEvento(manifestacao),
    valor: desfechosDoEvento.find(([form]) => form.test(manifestacao))?.[1] ?? '',
  },
]

function ditoDaSefaz({ cstat, simulacao }: Resultado): readonly Fato[] {
  const prazo = simulacao ? new Date(simulacao.prazo) : undefined
  return ditos([
    { rotulo: 'Código da resposta (cStat)', valor: cstat },
    {
      rotulo: 'Prazo do evento',
      valor: prazo && !Number.isNaN(prazo.getTime()) ? `até ${formatInstante(prazo)} (Brasília)` : '',
    },
  ])
}
