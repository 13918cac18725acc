import type { Mensagem } from '../autoridades/mensagem.ts'
import { recusaDoDocumento } from '../familias/exigencia.ts'
import { ativo, lerFicha } from '../familias/ficha.ts'
import type { Ocorrencia } from '../mundo/contribuinte.ts'
import { limparDocumento } from '../portal/mascara.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'

const CONSULTAR = '/sfzsintegraapi/api/consultar/contribuinte'
const EMITIR = '/certidao/sfz-certidao-api/api/public/emitirCertidao'

const cadastro = portal<undefined>({
  uf: 'AL',
  servico: 'ie',
  nome: 'SEFAZ-AL, SINTEGRA',
  hosts: ['sintegra.sefaz.al.gov.br'],
  charset: 'utf-8',
  motor: 'spa',
  sessao: { em: 'cookie', nome: 'JSESSIONID' },
  novaSessao: () => undefined,
  documento: (pedido) => pedido.campo('cnpj') || pedido.campo('caceal') || undefined,
  responder: (pedido) => (pedido.caminho === CONSULTAR ? consultar(pedido) : casca(pedido, 'SINTEGRA')),
})

/** One of the two strings is empty, and both are there. */
function consultar(pedido: PedidoPortal<undefined>): Mensagem {
  const [cnpj, caceal] = [pedido.campos.get('cnpj'), pedido.campos.get('caceal')]
  if (!pedidoInteiro(pedido) || cnpj === undefined || caceal === undefined || (cnpj && caceal))
    return negar(pedido, 400, 'Requisição inválida')
  const pergunta = caceal
    ? { tipo: 'ie' as const, documento: caceal }
    : { tipo: 'cnpj' as const, documento: cnpj }
  const recusa = recusaDoDocumento('AL', pergunta)
  if (recusa || limparDocumento(pergunta.documento) !== pergunta.documento)
    return negar(pedido, 400, recusa ?? 'Documento inválido')
  return pedido.responderJson(pedido.procurar(pergunta).map(escrever))
}

/** Texts or null; the keys that no page shows are those of the printed labels, in camel case. */
function escrever(ocorrencia: Ocorrencia): Record<string, string | null> {
  const ficha = lerFicha(ocorrencia, ativo)
  return {
    caceal: ficha.ie,
    cnpj: limparDocumento(ficha.documento),
    razaoSocial: ficha.nome,
    dataInscricao: ficha.inicio,
    logradouro: ficha.logradouro,
    numero: ficha.numero,
    complemento: ficha.complemento || null,
    bairro: ficha.bairro,
    uf: ficha.uf,
    municipio: ficha.municipio,
    cep: limparDocumento(ficha.cep),
    telefone: null,
    cnae: ficha.cnae,
    descricaoCnae: ficha.atividade,
    situacaoCadastral: ficha.situacao,
    dataSituacaoCadastral: ficha.dataDaSituacao,
    observacoes: null,
    email: null,
  }
}

const certidoes = portal<undefined>({
  uf: 'AL',
  servico: 'cnd',
  nome: 'SEFAZ-AL, emissão de certidão',
  hosts: ['contribuinte.sefaz.al.gov.br'],
  charset: 'utf-8',
  motor: 'spa',
  sessao: { em: 'cookie', nome: 'JSESSIONID' },
  novaSessao: () => undefined,
  documento: (pedido) => pedido.campo('numeroDocumento') || undefined,
  responder: (pedido) => (pedido.caminho === EMITIR ? emitir(pedido) : casca(pedido, 'Certidão')),
})

async function emitir(pedido: PedidoPortal<undefined>): Promise<Mensagem> {
  const [documento, tipo] = [pedido.campo('numeroDocumento'), pedido.campo('tipoDocumento')]
  if (!pedidoInteiro(pedido) || (tipo !== 'CNPJ' && tipo !== 'CPF'))
    return negar(pedido, 400, 'Requisição inválida')
  const pergunta = { tipo: tipo === 'CPF' ? ('cpf' as const) : ('cnpj' as const), documento }
  const recusa = recusaDoDocumento('AL', pergunta)
  if (recusa || limparDocumento(documento) !== documento)
    return negar(pedido, 500, recusa ?? `${tipo} inválido`)
  const certidao = pedido.certidao(pergunta)
  if (certidao.desfecho === 'irregular')
    return negar(pedido, 500, `Não foi possível emitir a certidão. ${certidao.motivo}`)
  const conteudo = (await pedido.octetosDoPdf(certidao)).toString('base64')
  return pedido.responderJson({ nomeRelatorio: `certidao_${documento}.pdf`, conteudo })
}

/** A POST of JSON with the milliseconds that the script puts in the address. */
function pedidoInteiro({ metodo, json, consulta }: PedidoPortal<undefined>): boolean {
  return metodo === 'POST' && json !== undefined && /^\d{13}$/.test(consulta.get('cacheBuster') ?? '')
}

function negar(pedido: PedidoPortal<undefined>, status: number, description: string): Mensagem {
  return pedido.responderJson({ description }, status)
}

/** The shell of the application, on the paths that are not the API's. */
function casca(pedido: PedidoPortal<undefined>, titulo: string): Mensagem {
  if (pedido.metodo !== 'GET' || pedido.caminho.includes('/api/'))
    return negar(pedido, 404, 'Recurso não encontrado')
  return pedido.pagina(`SEFAZ-AL - ${titulo}`, '<app-root></app-root><script src="main.js"></script>')
}

export const portais: readonly Portal[] = [cadastro, certidoes]
