import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { tipoDoDocumento } from '../documento/documento.ts'
import type { Mensagem, Pedido } from '../platform/autoridade.ts'
import { type CertidaoFederal, findCenarioFederal, type ManiaDoContrato } from './cenarios.ts'
import type { Produto } from './contrato.ts'
import { EM_PROCESSAMENTO, type Livro, recusaDe, type Situacao, situacaoDe } from './livro.ts'
import { octetosDaCertidao } from './papel.ts'
import { emJson, erroDoGateway } from './token.ts'

type PedidoDeCnd = {
  tipo: number
  documento: string
  pdf: boolean
  chave: string
}

type Recusa = { status: number; mensagem: string }

/** Which of the statuses 9 to 13 and 15 is for which parameter is not known: they follow the parameters. */
function readPedido({ corpo, cabecalhos }: Pedido, versao: 'v1' | 'v2'): PedidoDeCnd | Recusa {
  if (!/^application\/json\b/i.test(cabecalhos['content-type'] ?? ''))
    return { status: 15, mensagem: 'O corpo da requisição não é JSON.' }
  const campos = readObjeto(corpo)
  const tipo = campos.get('TipoContribuinte')
  const documento = campos.get('ContribuinteConsulta')
  const pdf = campos.get('GerarCertidaoPdf')
  const chave = campos.get('Chave') ?? ''
  if (tipo !== 1 && tipo !== 2 && tipo !== 3) return refuse(9, 'TipoContribuinte')
  if (typeof documento !== 'string' || !isDoTipo(tipo, documento)) return refuse(10, 'ContribuinteConsulta')
  if (campos.get('CodigoIdentificacao') !== `9${versao === 'v2' ? 2 : 0}0${tipo}`)
    return refuse(11, 'CodigoIdentificacao')
  if (typeof pdf !== 'boolean') return refuse(12, 'GerarCertidaoPdf')
  if (typeof chave !== 'string') return refuse(13, 'Chave')
  return { tipo, documento, pdf, chave }
}

function documentoDe({ corpo }: Pedido): string | undefined {
  const documento = readObjeto(corpo).get('ContribuinteConsulta')
  return typeof documento === 'string' ? documento : undefined
}

const refuse = (status: number, campo: string): Recusa => ({
  status,
  mensagem: `Parâmetro ${campo} inválido.`,
})

function isDoTipo(tipo: 1 | 2 | 3, documento: string): boolean {
  if (tipo === 3) return /^[0-9A-Z]{8}$/.test(documento)
  return tipoDoDocumento(documento) === (tipo === 1 ? 'cnpj' : 'cpf')
}

function readObjeto(corpo: Buffer): ReadonlyMap<string, unknown> {
  try {
    const lido: unknown = JSON.parse(corpo.toString())
    return new Map(Object.entries(typeof lido === 'object' && lido !== null ? lido : {}))
  } catch {
    return new Map()
  }
}

/** The HTTP status of each status of the product; the exact words of `Mensagem` are not known. */
const HTTP: Readonly<Record<number, number>> = { 5: 202, 6: 202, 7: 201, 8: 404, 14: 404, 99: 500 }

function semCertidao(status: number, mensagem: string, chave?: string): Mensagem {
  const http = HTTP[status] ?? (status >= 9 ? 400 : 200)
  return emJson(http, {
    Status: status,
    Mensagem: mensagem,
    ...(chave === undefined ? {} : { Chave: chave }),
    Certidao: null,
  })
}

const TIPO = { negativa: 1, efeitos: 2, positiva: 3 } as const

/** An answer with a certificate: Status 1 where it was there, 2 where it is new. */
async function comCertidao(status: 1 | 2, certidao: CertidaoFederal, wantsPdf: boolean): Promise<Mensagem> {
  const mania = findCenarioFederal(certidao.cnpj)?.contrato
  const { cnpj, codigo, emissao, hora, validade, tipo } = certidao
  const troca = mania === 'nomes-trocados'
  return emJson(200, {
    Status: status,
    [troca ? 'Messagem' : 'Mensagem']: status === 1 ? 'Certidão válida encontrada.' : 'Certidão emitida.',
    Certidao: {
      TipoContribuinte: 1,
      ContribuinteCertidao: cnpj,
      [troca ? 'TipoCertidão' : 'TipoCertidao']: mania === 'tipo-1' ? 1 : TIPO[tipo],
      CodigoControle: mania === 'codigo-corrido' ? codigo.replaceAll('.', '') : codigo,
      DataEmissao: `${emissao}T${hora}`,
      DataValidade: `${validade}T00:00:00`,
      ...(wantsPdf && mania !== 'sem-pdf' ? { DocumentoPdf: await pdfDe(certidao, mania) } : {}),
    },
  })
}

async function pdfDe(certidao: CertidaoFederal, mania: ManiaDoContrato | undefined): Promise<string> {
  const base64 = (await octetosDaCertidao(certidao)).toString('base64')
  if (mania !== 'data-uri') return base64
  return `data:application/pdf;base64,${base64.replace(/.{76}/g, '$&\r\n')}`
}

const INTERVALO = 500
const MAXIMO = 10_000

type Casa = {
  livro: Livro
  ritmo: number
  /** What a key was given for, and when it was last shown, by a clock that never stands still. */
  chaves: LRUCache<string, { documento: string; vista: number; perdida: boolean }>
  uma: LRUCache<string, true>
}

/** SERPRO's Consulta CND, versions 1 and 2. While a valid certificate exists it gives that one. */
export function createConsultaCnd({ livro, ritmo = 1 }: { livro: Livro; ritmo?: number }): Produto {
  const casa: Casa = {
    livro,
    ritmo,
    chaves: new LRUCache({ max: MAXIMO }),
    uma: new LRUCache({ max: MAXIMO }),
  }
  return {
    caminhos: ['/consulta-cnd/v1/', '/consulta-cnd/v2/'],
    documento: documentoDe,
    answer: (pedido) => {
      const versao = /^\/consulta-cnd\/(v1|v2)\/certidao$/.exec(pedido.caminho)?.[1]
      if (versao === undefined) return erroDoGateway('sem-recurso')
      if (pedido.metodo !== 'POST') return erroDoGateway('metodo-errado')
      const lido = readPedido(pedido, versao === 'v2' ? 'v2' : 'v1')
      return 'mensagem' in lido ? semCertidao(lido.status, lido.mensagem) : answer(casa, lido)
    },
  }
}

function answer(casa: Casa, pedido: PedidoDeCnd): Mensagem | Promise<Mensagem> {
  // Persons and rural properties are not played.
  if (pedido.tipo !== 1) return semCertidao(8, 'Contribuinte não cadastrado.')
  const situacao = situacaoDe(pedido.documento)
  const forcado = force(casa, situacao)
  if (forcado) return forcado
  const { livro } = casa
  if (pedido.chave !== '') return resume(casa, pedido, situacao)
  livro.ask(situacao)
  const valida = livro.valida(situacao)
  if (valida) return comCertidao(1, valida, pedido.pdf)
  const recusa = recusaDe(situacao)
  if (recusa !== undefined) return semCertidao(statusDaRecusa(situacao), recusa)
  return issue(casa, pedido, situacao, randomUUID())
}

function resume(casa: Casa, pedido: PedidoDeCnd, situacao: Situacao): Mensagem | Promise<Mensagem> {
  const { chave, documento } = pedido
  const guardada = casa.chaves.get(chave)
  if (guardada?.documento !== documento || guardada.perdida) return semCertidao(14, 'Chave não encontrada.')
  const passados = performance.now() - guardada.vista
  guardada.vista = performance.now()
  if (passados < INTERVALO * casa.ritmo) return erroDoGateway('estrangulado')
  return issue(casa, pedido, situacao, chave)
}

function issue(
  { livro, chaves }: Casa,
  { documento, pdf }: PedidoDeCnd,
  situacao: Situacao,
  chave: string,
): Mensagem | Promise<Mensagem> {
  const certidao = livro.issue(situacao, chave)
  if (certidao) return comCertidao(2, certidao, pdf)
  const perdida = maniaDe(situacao) === 'chave-perdida' && livro.emissoes()[situacao.matriz] === 1
  if (!chaves.has(chave)) chaves.set(chave, { documento, vista: performance.now(), perdida })
  return semCertidao(7, EM_PROCESSAMENTO[0], chave)
}

const maniaDe = ({ matriz }: Situacao): ManiaDoContrato | undefined => findCenarioFederal(matriz)?.contrato

function force({ uma }: Casa, situacao: Situacao): Mensagem | undefined {
  const mania = maniaDe(situacao)
  if (mania === 'analise-uma-vez') {
    if (uma.has(situacao.matriz)) return undefined
    uma.set(situacao.matriz, true)
  }
  const forcada = mania && FORCADAS[mania]
  return forcada && semCertidao(...forcada)
}

const ANALISE = [5, 'Houve atualização da base durante a análise. Tente novamente.'] as const
const FORCADAS: Partial<Record<ManiaDoContrato, readonly [status: number, mensagem: string]>> = {
  analise: ANALISE,
  'analise-uma-vez': ANALISE,
  'base-fora': [6, 'Base de apoio indisponível.'],
  parametro: [9, 'Parâmetro inválido.'],
  falha: [99, 'Erro no servidor.'],
}

function statusDaRecusa({ desfecho }: Situacao): number {
  if (desfecho === 'nao-inscrito') return 8
  return desfecho === 'inapta' ? 4 : 3
}
