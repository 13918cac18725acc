import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { mix } from '../documento/aleatorio.ts'
import { sementeDe, tipoDoDocumento } from '../documento/documento.ts'
import { type Efeito, OUTRO_DOCUMENTO } from '../mundo/comportamento.ts'
import type { Contribuinte } from '../mundo/contribuinte.ts'
import { sendWithEfeito } from '../mundo/efeito.ts'
import { entre } from '../mundo/inscricoes.ts'
import { type Autoridade, type Mensagem, type Opcoes, type Pedido, send } from '../platform/autoridade.ts'
import { writePagina } from '../platform/soap.ts'
import { casoRural, efeitoRural } from './efeito.ts'
import { type Imovel, imoveisDe, imoveisReservados, titularDe } from './imoveis.ts'

/** The codes of the situations are made up: nobody has published the list. */
const CODIGOS = { ATIVA: 1, BAIXADA: 2, SUSPENSA: 3 } as const satisfies Record<Imovel['situacao'], number>

const hectares = (metros: number): number => metros / 10_000

function fichaDo(imovel: Imovel) {
  const [dono, ...condominos] = imovel.donos
  return {
    cib: imovel.cib,
    nirf: imovel.nirf,
    denominacao: imovel.denominacao,
    area_total: hectares(imovel.area),
    situacao: imovel.situacao,
    codigo_situacao: CODIGOS[imovel.situacao],
    ni_proprietario: dono.documento,
    percentual_proprietario: dono.percentual,
    condominos: condominos.map(({ documento, nome, percentual }) => ({ ni: documento, nome, percentual })),
    dados_tributarios: {
      indicador_descaracterizacao: imovel.descaracterizado,
      origem_imovel: imovel.origem,
      data_aquisicao: imovel.aquisicao.data,
      area_adquirida: hectares(imovel.aquisicao.area),
      tipo_aquisicao: imovel.aquisicao.tipo,
      imunidades: imovel.imunidades,
      possui_decisao_judicial: imovel.decisaoJudicial,
    },
    municipio_sede: imovel.lugar,
  }
}

function pessoaFisica({ documento, nome }: Contribuinte) {
  const semente = sementeDe(documento)
  return {
    nome,
    data_nascimento: entre('1940-01-01', '2001-12-31', mix(semente, 70)),
    situacao_cadastral: mix(semente, 71) % 30 === 0 ? 'PENDENTE DE REGULARIZACAO' : 'REGULAR',
    sexo: /^\S+A\b/.test(nome) ? 'F' : 'M',
  }
}

const pessoaJuridica = ({ documento, nome, fantasia, naturezaJuridica, inscricoes }: Contribuinte) => ({
  razao_social: nome,
  nome_fantasia: fantasia,
  situacao_cadastral: 'ATIVA',
  data_abertura: inscricoes[0]?.inicio ?? entre('1990-01-01', '2020-12-31', mix(sementeDe(documento), 72)),
  natureza_juridica: naturezaJuridica.replace(/^(...)(.)$/, '$1-$2'),
})

/** One more than a client of the contract reads. */
const DEMAIS = 5_001

/** The connector's answer about a valid document, with what the effect changes of its content. */
function answerFor(documento: string, efeito: Efeito | undefined): Mensagem {
  const titular = titularDe(efeito?.tipo === 'outro' ? OUTRO_DOCUMENTO : documento)
  if (!titular) return json({}, 404)
  const quantas = efeito?.tipo === 'muitas' ? efeito.quantas : 1
  const imoveis = quantas > 1 ? imoveisReservados(documento, quantas) : imoveisDe(titular.documento)
  const pelaPessoa = titular.tipoDocumento === 'cpf'
  const certa = {
    pessoa_fisica: pelaPessoa ? pessoaFisica(titular) : null,
    pessoa_juridica: pelaPessoa ? null : pessoaJuridica(titular),
    imoveis_cafir: imoveis.map(fichaDo),
  }
  const [ficha] = certa.imoveis_cafir
  if (!ficha) return json(certa)
  const com = (trocada: unknown): Mensagem => json({ ...certa, imoveis_cafir: [trocada] })
  const { situacao: _, ...semSituacao } = ficha
  const { possui_decisao_judicial: __, ...semDecisao } = ficha.dados_tributarios
  switch (casoRural(efeito)) {
    case 'retry-after':
      return { ...json({}, 429), cabecalhos: { ...json({}).cabecalhos, 'retry-after': '60' } }
    case 'nao-json':
      return writePagina(200, 'Conector em manutenção')
    case 'sem-situacao':
      return com(semSituacao)
    case 'sem-booleano':
      return com({ ...ficha, dados_tributarios: semDecisao })
    case 'numero-texto':
      return com({ ...ficha, area_total: String(ficha.area_total).replace('.', ',') })
    case 'duas-pessoas':
      return json({ ...certa, pessoa_fisica: pessoaFisica(titular) })
    case 'registros-demais':
      return json({ ...certa, imoveis_cafir: Array.from({ length: DEMAIS }, () => minima(ficha)) })
    case 'outros-membros':
      return json({ ...certa, versao: 7, imoveis_cafir: [{ ...ficha, observacao: { nova: true } }] })
    default:
      return json(certa)
  }
}

/** A record so short that 5,001 of them stay under 2 MiB: their number is the only thing that is wrong. */
const minima = (ficha: ReturnType<typeof fichaDo>) => ({
  ...ficha,
  cib: '',
  nirf: '',
  denominacao: '',
  area_total: 1,
  dados_tributarios: {
    ...ficha.dados_tributarios,
    data_aquisicao: '',
    area_adquirida: 1,
    tipo_aquisicao: '',
    imunidades: [],
  },
  municipio_sede: { ...ficha.municipio_sede, nome: '' },
})

function json(valor: unknown, status = 200): Mensagem {
  const cabecalhos = { 'content-type': 'application/json; charset=utf-8' }
  return { status, cabecalhos, corpo: Buffer.from(JSON.stringify(valor)) }
}

const HOST = 'conector-cnir.simulador'
const CAMINHO = '/cnir'

/** A time stamp may be off by this many seconds. */
const TOLERANCIA = 300

/** The contract is docs/cnir-connector.md: it takes the signature of the body and a time stamp of now. */
export function createConectorCnir({ agora, ritmo, semente }: Opcoes & { semente: string }): Autoridade {
  const segredo = createHash('sha256').update(`conector do CNIR ${semente}`).digest('hex')
  return {
    nome: 'Conector do CNIR',
    hosts: [HOST],
    asksCertificado: false,
    ambiente: () => ({ cnir: { url: `http://${HOST}${CAMINHO}`, segredo } }),
    serves: (caminho) => caminho === CAMINHO,
    answer: (pedido, resposta) => {
      const aceito = check(pedido, segredo, agora())
      if ('status' in aceito) return send(aceito, resposta)
      const { documento } = aceito
      const efeito = efeitoRural(documento, 'cnir')
      sendWithEfeito(efeito, answerFor(documento, efeito), resposta, pedido.conexao, ritmo)
    },
  }
}

function check(
  { metodo, cabecalhos, corpo }: Pedido,
  segredo: string,
  agora: Date,
): Mensagem | { documento: string } {
  if (metodo !== 'POST') return refuse(405, 'Só POST.')
  if (!/^application\/json\b/i.test(cabecalhos['content-type'] ?? ''))
    return refuse(415, 'Só application/json.')
  const carimbo = um(cabecalhos, 'x-consulta-timestamp')
  const desvio = Math.abs(agora.getTime() / 1000 - Number(carimbo))
  if (!/^\d{1,12}$/.test(carimbo) || desvio > TOLERANCIA) return refuse(401, 'Carimbo de tempo inválido.')
  const certa = `v1=${createHmac('sha256', segredo).update(`${carimbo}.`).update(corpo).digest('hex')}`
  const veio = um(cabecalhos, 'x-consulta-signature')
  if (!iguais(veio, certa)) return refuse(401, 'Assinatura inválida.')
  if (!/^\d{1,9}$/.test(um(cabecalhos, 'x-consulta-deadline-ms'))) return refuse(400, 'Falta o prazo.')
  const documento = readDocumento(corpo)
  return documento === undefined ? refuse(400, 'Pedido fora do contrato.') : { documento }
}

function readDocumento(corpo: Buffer): string | undefined {
  try {
    const { documento, tipo, request_id } = Object(JSON.parse(corpo.toString()))
    const certo = typeof documento === 'string' && tipo !== undefined && tipoDoDocumento(documento) === tipo
    return certo && typeof request_id === 'string' && request_id !== '' ? documento : undefined
  } catch {
    return undefined
  }
}

function um(cabecalhos: IncomingHttpHeaders, nome: string): string {
  const valor = cabecalhos[nome]
  return typeof valor === 'string' ? valor : ''
}

function iguais(uma: string, outra: string): boolean {
  const [a, b] = [Buffer.from(uma), Buffer.from(outra)]
  return a.length === b.length && timingSafeEqual(a, b)
}

const refuse = (status: number, motivo: string): Mensagem => json({ motivo }, status)
