import { cleanDocumento } from '../documento/documento.ts'
import type { Ocorrencia, Pergunta } from '../mundo/contribuinte.ts'
import { findContribuinte } from '../mundo/mundo.ts'
import type { Mensagem } from '../platform/autoridade.ts'
import {
  conversaDeCadastro,
  conversaDeCertidao,
  invalido,
  recusaDoDocumento,
  tiposPor,
} from '../portal/conversa.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'

const API = '/sfz-cadastro-api/api/contribuinte'
const LISTA = new RegExp(`^${API}/obterListaContribuintes/CNPJ/(\\w{14})/(\\d+)/([1-9]\\d?)$`)
const FICHA = new RegExp(`^${API}/obterDadosFic/(\\d{8})$`)
const EMITIR = '/certidao/sfz-certidao-api/api/public/emitirCertidao'

/** The open API behind the page of the register (2026-08); the page itself is a script. */
const cadastro = portal({
  uf: 'AL',
  servico: 'ie',
  nome: 'SEFAZ-AL, cadastro',
  hosts: ['cadastro.sefaz.al.gov.br'],
  motor: 'spa',
  documento: ({ caminho }) => LISTA.exec(caminho)?.[1] ?? FICHA.exec(caminho)?.[1],
  answer: (pedido) => {
    if (pedido.metodo === 'GET' && LISTA.test(pedido.caminho)) return list(pedido)
    if (pedido.metodo === 'GET' && FICHA.test(pedido.caminho)) return showFicha(pedido)
    return casca(pedido, 'Cadastro')
  },
})

type Visita = PedidoPortal<undefined>

const list = conversaDeCadastro<undefined>({
  ordem: ['documento'],
  pergunta: ({ caminho }) => ({ tipo: 'cnpj', documento: LISTA.exec(caminho)?.[1] ?? '' }),
  notify: (pedido, aviso) => deny(pedido, 400, aviso),
  // The register knows persons without registration, too.
  ninguem: (pedido) =>
    findContribuinte(LISTA.exec(pedido.caminho)?.[1] ?? '')
      ? emPaginas(pedido, [SEM_INSCRICAO])
      : naoAchado(pedido),
  draw: (pedido, achadas) => emPaginas(pedido, achadas.map(writeItem)),
})

/** Finds by the 8 digits before the check digit. Nine digits find nobody. */
function showFicha(pedido: Visita): Mensagem {
  const [, oito = ''] = FICHA.exec(pedido.caminho) ?? []
  const nove = Array.from({ length: 10 }, (_, digito) => `${oito}${digito}`)
  const achada = nove.flatMap((documento) => pedido.search({ tipo: 'ie', documento }))[0]
  if (!achada) return naoAchado(pedido)
  const { situacao, ultimaSituacao } = achada.inscricao
  return pedido.answerJson({
    situacaoCadastralRecente: {
      situacaoCadastral: PALAVRAS[situacao],
      dataAlteracaoSituacaoCadastral: `${ultimaSituacao} 00:00:00.0`,
    },
    motivoSituacaoCadastral: MOTIVO,
  })
}

const PALAVRAS = { habilitado: 'ATIVO', suspenso: 'INAPTO', baixado: 'BAIXA', cancelado: 'DESENQUADRAMENTO' }
const MOTIVO = 'MOTIVO NÃO INFORMADO'
const SEM_INSCRICAO = { numeroCaceal: null, identificacao: { numeroCaceal: null, digitoCaceal: null } }

function writeItem({ inscricao }: Ocorrencia): Record<string, unknown> {
  const { ie, situacao, ultimaSituacao } = inscricao
  const numeroCaceal = ie.slice(0, 8)
  return {
    numeroCaceal,
    identificacao: { numeroCaceal, digitoCaceal: ie.slice(8) },
    situacaoCadastral: {
      situacaoCadastralContribuinte: PALAVRAS[situacao],
      descricaoMotivoSituacaoCadastral: MOTIVO,
      // So written there.
      dataAlteracaoSituacaoCastral: `${ultimaSituacao} 00:00:00.0`,
    },
  }
}

/** A page of Spring Data, of the size that the address asks for. */
function emPaginas(pedido: Visita, todos: readonly unknown[]): Mensagem {
  const [, , pagina = '0', tamanho = '50'] = LISTA.exec(pedido.caminho) ?? []
  const inicio = Number(pagina) * Number(tamanho)
  const content = todos.slice(inicio, inicio + Number(tamanho))
  const totalPages = Math.ceil(todos.length / Number(tamanho))
  return pedido.answerJson({ content, last: Number(pagina) + 1 >= totalPages, totalPages })
}

const naoAchado = (pedido: Visita): Mensagem => pedido.answerJson({ status: 404, error: 'Not Found' }, 404)

const certidoes = portal({
  uf: 'AL',
  servico: 'cnd',
  nome: 'SEFAZ-AL, emissão de certidão',
  hosts: ['contribuinte.sefaz.al.gov.br'],
  motor: 'spa',
  documento: (pedido) => pedido.campo('numeroDocumento') || undefined,
  answer: (pedido) => (pedido.caminho === EMITIR ? emissao(pedido) : casca(pedido, 'Certidão')),
})

const tipos = tiposPor({ CNPJ: 'cnpj', CPF: 'cpf' })

const perguntaDe = (pedido: Visita): Pergunta | undefined => {
  const tipo = tipos.get(pedido.campo('tipoDocumento'))
  return tipo && { tipo, documento: pedido.campo('numeroDocumento') }
}

const emissao = conversaDeCertidao<undefined>({
  ordem: ['campos', 'documento'],
  campos: (pedido) =>
    pedidoInteiro(pedido) && perguntaDe(pedido) ? undefined : deny(pedido, 400, 'Requisição inválida'),
  pergunta: perguntaDe,
  recusa: (pergunta) =>
    recusaDoDocumento('AL', pergunta) ??
    (cleanDocumento(pergunta.documento) === pergunta.documento ? undefined : invalido(pergunta)),
  notify: (pedido, aviso) => deny(pedido, 500, aviso),
  mensagens: { irregular: ({ motivo }) => `Não foi possível emitir a certidão. ${motivo}` },
  deliver: async (pedido, certidao) => {
    const conteudo = (await pedido.octetosDoPdf(certidao)).toString('base64')
    const nomeRelatorio = `certidao_${pedido.campo('numeroDocumento')}.pdf`
    return pedido.answerJson({ nomeRelatorio, conteudo })
  },
})

/** A POST of JSON with the milliseconds that the script puts in the address. */
const pedidoInteiro = ({ metodo, json, consulta }: PedidoPortal<undefined>): boolean =>
  metodo === 'POST' && json !== undefined && /^\d{13}$/.test(consulta.get('cacheBuster') ?? '')

const deny = (pedido: PedidoPortal<undefined>, status: number, description: string): Mensagem =>
  pedido.answerJson({ description }, status)

function casca(pedido: PedidoPortal<undefined>, titulo: string): Mensagem {
  if (pedido.metodo !== 'GET' || pedido.caminho.includes('/api/'))
    return deny(pedido, 404, 'Recurso não encontrado')
  return pedido.pagina(`SEFAZ-AL - ${titulo}`, '<app-root></app-root><script src="main.js"></script>')
}

export const portais: readonly Portal[] = [cadastro, certidoes]
