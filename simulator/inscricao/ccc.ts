import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { ufs } from '../documento/inscricao-estadual.ts'
import type { Ocorrencia, Situacao } from '../mundo/contribuinte.ts'
import type { Mensagem } from '../platform/autoridade.ts'
import { writePagina } from '../platform/soap.ts'
import { escapeXml } from '../platform/xml.ts'
import { botao, elemento, entrada, ocultos, selecao } from '../portal/html.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'
import { lookUp } from '../portal/registro.ts'
import { checkTrio, linkDePostback, paginaWebForms } from '../portal/webforms.ts'

type Consulta = { cnpj: string; ie: string; uf: string; situacao: string; folha: number }

const CHAVE = randomBytes(32)

/** The form carries the page's whole state, signed: clients without cookies are answered (2022 to 2025). */
function comEstado<S>(pedido: PedidoPortal<S>, consulta: Consulta | undefined): PedidoPortal<S> {
  const { sessao } = pedido
  return {
    ...pedido,
    sessao: {
      ...sessao,
      issueToken: (etapa) => sealEstado({ etapa, consulta }),
      checkToken: (etapa, token) => unsealEstado(token)?.etapa === etapa,
    },
  }
}

/** What the page of this form showed. Undefined if it showed nothing, or if the state is not ours. */
const consultaAnterior = (viewstate: string): Consulta | undefined => unsealEstado(viewstate)?.consulta

type Estado = { etapa: string; consulta?: Consulta | undefined }

function sealEstado(estado: Estado): string {
  const texto = Buffer.from(JSON.stringify(estado))
  return Buffer.concat([signEstado(texto), texto]).toString('base64')
}

function unsealEstado(token: string): Estado | undefined {
  const octetos = Buffer.from(token, 'base64')
  const [selo, texto] = [octetos.subarray(0, 32), octetos.subarray(32)]
  const nosso = selo.length === 32 && timingSafeEqual(selo, signEstado(texto))
  return nosso ? JSON.parse(texto.toString()) : undefined
}

const signEstado = (texto: Buffer): Buffer => createHmac('sha256', CHAVE).update(texto).digest()

/** Rows of one page. Made up: ten is the default of ASP.NET. */
const POR_FOLHA = 10

/** The three known words. Which of our statuses each one stands for is made up. */
const situacoes: Readonly<Record<Situacao, string>> = {
  habilitado: 'Habilitado como contribuinte na UF',
  suspenso: 'Não habilitado como Contribuinte na UF',
  baixado: 'Não habilitado como Contribuinte na UF',
  cancelado: 'Exclusão lógica do Contribuinte na UF',
}

function findInCcc({ cnpj, ie, uf }: Consulta): Ocorrencia[] {
  const estados = ufs.filter((um) => uf === '' || um === uf)
  const pergunta = cnpj ? { tipo: 'cnpj' as const, documento: cnpj } : { tipo: 'ie' as const, documento: ie }
  const achadas = estados.flatMap((um) => lookUp(um, pergunta))
  return ie ? achadas.filter(({ inscricao }) => inscricao.ie === ie) : achadas
}

const folhasDe = (achadas: readonly Ocorrencia[]): number =>
  Math.max(1, Math.ceil(achadas.length / POR_FOLHA))

/** Heads, rows, count, and a pager when there are more rows. */
function drawLista(achadas: readonly Ocorrencia[], folha: number): string {
  if (achadas.length === 0)
    return elemento(
      'span',
      { id: 'lblConsultaVazia' },
      'Nenhum contribuinte encontrado para o filtro informado.',
    )
  const linhas = achadas
    .slice((folha - 1) * POR_FOLHA, folha * POR_FOLHA)
    .map(({ contribuinte, inscricao }) =>
      linhaDe('td', [
        contribuinte.documento,
        inscricao.ie,
        contribuinte.nome,
        inscricao.uf,
        situacoes[inscricao.situacao],
      ]),
    )
  const titulos = linhaDe('th', ['CNPJ', 'IE', 'Razão Social', 'UF', 'Situação'])
  const grade = [titulos, ...linhas, paginador(folhasDe(achadas), folha)].join('\n')
  return [
    elemento('table', { id: 'Grid', cellspacing: '0' }, `\n${grade}\n`),
    elemento('span', { id: 'lblTotal' }, `Total de registros: ${achadas.length}`),
  ].join('\n')
}

const linhaDe = (celula: 'td' | 'th', textos: readonly string[]): string =>
  elemento('tr', {}, textos.map((texto) => elemento(celula, {}, escapeXml(texto) || '&nbsp;')).join(''))

/** As ASP.NET's GridView draws it: the page that is shown is no link. */
function paginador(folhas: number, atual: number): string {
  if (folhas === 1) return ''
  const numeros = Array.from({ length: folhas }, (_, i) => i + 1).map((n) => {
    const link = elemento('a', { href: linkDePostback('Grid', `Page$${n}`) }, String(n))
    return elemento('td', {}, n === atual ? elemento('span', {}, String(n)) : link)
  })
  const tabela = elemento('table', {}, elemento('tr', {}, numeros.join('')))
  return elemento('tr', {}, elemento('td', { colspan: '5' }, tabela))
}

const documentoDe = ({ campo }: PedidoPortal<unknown>): string => campo('txtCNPJ') || campo('txtie')

const PASTA = '/servicos/nfenc/modulos/geral/'
const PAGINA = `${PASTA}nfenc_consulta_cadastro_ccc.aspx`
const ERRO = `${PASTA}erro.aspx`

/** Made up, and high, because several services may share one simulator. */
const POR_MINUTO = 600
const MINUTO_MS = 60_000
const BLOQUEIO_MS = 15 * MINUTO_MS

type Pedido = PedidoPortal<undefined>

/** SEFAZ-BA shows a copy of the national register (CCC) without captcha or login, at two hosts. */
export function createCcc(): Portal {
  const limite = createLimite()
  return portal({
    uf: 'BA',
    servico: 'ie',
    nome: 'SEFAZ-BA, consulta ao CCC',
    hosts: ['nfe.sefaz.ba.gov.br', 'hnfe.sefaz.ba.gov.br'],
    serves: (caminho) => [PAGINA, ERRO].includes(caminho.toLowerCase()),
    motor: 'asp.net',
    documento: documentoDe,
    answer: (pedido) => {
      if (pedido.caminho.toLowerCase() === ERRO) return paginaDeErro(pedido)
      if (pedido.metodo !== 'POST') return draw(pedido, undefined)
      return limite(pedido.agora) ? writePagina(403, 'Forbidden') : answer(pedido)
    },
    expirada: (pedido) => pedido.redirect(ERRO),
  })
}

function createLimite(): (agora: Date) => boolean {
  let recentes: number[] = []
  let bloqueado = 0
  return (agora) => {
    const instante = agora.getTime()
    recentes = [...recentes.filter((uma) => instante - uma < MINUTO_MS), instante]
    if (recentes.length > POR_MINUTO) bloqueado = instante + BLOQUEIO_MS
    return instante < bloqueado
  }
}

function answer(pedido: Pedido): Mensagem {
  const { campos, campo } = pedido
  if (!checkTrio(comEstado(pedido, undefined), 'ccc')) return pedido.expirada()
  const consulta = campos.has('AplicarFiltro') ? consultaNova(pedido) : outraFolha(pedido)
  const [cnpj, ie, uf] = [campo('txtCNPJ'), campo('txtie'), campo('CmdUF')]
  // Without any of the three the page fails. That it then shows its page of errors is made up.
  const pergunta = cnpj !== '' || ie !== '' || uf !== ''
  return consulta && pergunta ? draw(pedido, consulta) : pedido.redirect(ERRO)
}

const consultaNova = ({ campo }: Pedido): Consulta => ({
  cnpj: campo('txtCNPJ'),
  ie: campo('txtie'),
  uf: campo('CmdUF'),
  situacao: campo('CmdSituacao'),
  folha: 1,
})

function outraFolha({ campo, campos }: Pedido): Consulta | undefined {
  const antes = consultaAnterior(campos.get('__VIEWSTATE') ?? '')
  const folha = Number(/^Page\$(\d+)$/.exec(campo('__EVENTARGUMENT'))?.[1])
  const ehDaLista = campo('__EVENTTARGET') === 'Grid' && antes !== undefined
  return ehDaLista && folha >= 1 && folha <= folhasDe(findInCcc(antes)) ? { ...antes, folha } : undefined
}

function draw(pedido: Pedido, consulta: Consulta | undefined): Mensagem {
  const estados = Object.fromEntries([['', 'Todas'], ...ufs.map((uf) => [uf, uf])])
  return paginaWebForms(comEstado(pedido, consulta), {
    titulo: 'Consulta ao Cadastro Centralizado de Contribuintes',
    etapa: 'ccc',
    id: 'form1',
    conteudo: [
      ocultos({ __VIEWSTATEENCRYPTED: '' }),
      `CNPJ: ${entrada('txtCNPJ', { value: consulta?.cnpj ?? '', maxlength: '14' })}`,
      `IE: ${entrada('txtie', { value: consulta?.ie ?? '' })}`,
      `UF: ${selecao('CmdUF', estados, consulta?.uf ?? '')}`,
      `Situação: ${selecao('CmdSituacao', { 99: 'Todas', 1: 'Habilitado', 0: 'Não habilitado' }, consulta?.situacao ?? '99')}`,
      botao('AplicarFiltro', 'Aplicar Filtro'),
      consulta ? drawLista(findInCcc(consulta), consulta.folha) : '',
    ].join('\n'),
  })
}

function paginaDeErro(pedido: Pedido): Mensagem {
  const erro = elemento('span', { id: 'PHConteudo_desTipoErro' }, 'Ocorreu um erro inesperado.')
  return pedido.pagina('Erro', `<h1>OPS!</h1>\n${erro}`)
}
