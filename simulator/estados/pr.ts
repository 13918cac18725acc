import { cleanDocumento, maskDocumento } from '../documento/documento.ts'
import { isDeProdutor } from '../documento/inscricao-estadual.ts'
import type { Ocorrencia, Pergunta } from '../mundo/contribuinte.ts'
import type { Mensagem } from '../platform/autoridade.ts'
import { escapeXml } from '../platform/xml.ts'
import { campoErrado, conversaDeCadastro, recusaDoDocumento } from '../portal/conversa.ts'
import { ativo, ENDERECO, type Ficha, fill, type Leiaute, readFicha } from '../portal/ficha.ts'
import { botao, elemento, entrada, formulario, ocultos, tabelaDePares } from '../portal/html.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'

const RAIZ = '/sintegra/'
const ERRO = `${RAIZ}sintegra1/erro/`
const data = (nome: string): string => `data[Sintegra1][${nome}]`

/** The two searches: the button, and the fields of its kinds of document. */
const buscas = {
  empresa: { botao: 'Consultar Empresa', documento: data('Cnpj'), inscricao: data('Cadicms') },
  produtor: {
    botao: 'Consultar Produtor',
    documento: data('CnpjCpfProdutor'),
    inscricao: data('CadicmsProdutor'),
  },
} as const
type Busca = keyof typeof buscas

type Dados = { restam: readonly Ocorrencia[] }

/** PR's SINTEGRA: errors are redirects that carry their reason in the address. */
const sintegraPr = portal<Dados>({
  uf: 'PR',
  servico: 'ie',
  nome: 'SEFA-PR, SINTEGRA',
  hosts: ['www.sintegra.fazenda.pr.gov.br'],
  charset: 'iso-8859-1',
  declaresCharset: false,
  motor: 'php',
  sessao: { em: 'cookie', nome: 'CAKEPHP' },
  novaSessao: () => ({ restam: [] }),
  captcha: 'imagem',
  documento: (pedido) => perguntaDe(pedido)?.documento,
  answer: (pedido) => {
    const { caminho, metodo } = pedido
    if (caminho === RAIZ && metodo === 'GET') return filtro(pedido)
    if (caminho === RAIZ) return consulta(pedido)
    if (caminho === `${RAIZ}captcha`) return pedido.captcha.imagem({ letras: 4, formato: 'bmp' })
    if (caminho === `${RAIZ}sintegra1/consultar` && metodo === 'POST') return proxima(pedido)
    if (caminho.startsWith(ERRO)) return erro(pedido)
    return pagina(pedido, '<h2>Not Found</h2>', 404)
  },
  expirada: (pedido) => pedido.redirect(`${ERRO}empresa/sessao/`),
})

function pagina(pedido: PedidoPortal<Dados>, corpo: string, status = 200): Mensagem {
  const cabeca = '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">\n'
  return pedido.pagina('SINTEGRA/PR - Consulta Pública ao Cadastro do Estado do Paraná', corpo, {
    status,
    cabeca,
  })
}

function filtro(pedido: PedidoPortal<Dados>): Mensagem {
  const grupo = (busca: Busca): string =>
    [
      entrada(buscas[busca].documento, { maxlength: '18' }),
      entrada(buscas[busca].inscricao, { maxlength: '12' }),
      botao(busca, buscas[busca].botao, { id: busca }),
    ].join('\n')
  const form = formulario(
    { action: RAIZ, id: 'Sintegra1Form', 'accept-charset': 'iso-8859-1' },
    ocultos({ _method: 'POST' }),
    `<img id="imgSintegra" src="${RAIZ}captcha?${pedido.agora.getTime() % 100_000}" alt="">`,
    entrada(data('CodImage'), { maxlength: '4' }),
    `<fieldset><legend>Empresas</legend>${grupo('empresa')}</fieldset>`,
    `<fieldset><legend>Produtores Rurais</legend>${grupo('produtor')}</fieldset>`,
  )
  return pagina(pedido, form)
}

function buscaDe(pedido: PedidoPortal<Dados>): Busca | undefined {
  if (pedido.campo('empresa') === buscas.empresa.botao) return 'empresa'
  return pedido.campo('produtor') === buscas.produtor.botao ? 'produtor' : undefined
}

/** What the search asks about: a masked CPF or CNPJ, or a registration in digits. */
function perguntaDe(pedido: PedidoPortal<Dados>): Pergunta | undefined {
  const busca = buscaDe(pedido)
  if (!busca) return undefined
  const [documento, ie] = [pedido.campo(buscas[busca].documento), pedido.campo(buscas[busca].inscricao)]
  if (documento) {
    return { tipo: busca === 'produtor' && documento.length <= 14 ? 'cpf' : 'cnpj', documento }
  }
  return ie ? { tipo: 'ie', documento: ie } : undefined
}

const exigidos = {
  _method: 'POST',
  [data('CodImage')]: /^/,
  [data('Cnpj')]: /^/,
  [data('Cadicms')]: /^/,
  [data('CadicmsProdutor')]: /^/,
  [data('CnpjCpfProdutor')]: /^/,
}

const nomes = { cnpj: 'CNPJ', cpf: 'CPF', ie: 'CAD/ICMS' } as const
const invalidos = {
  cnpj: 'Inscrição+CNPJ+Inválida',
  cpf: 'CPF+Inválido',
  ie: 'Inscrição+CAD/ICMS+Inválida',
} as const

const consulta = conversaDeCadastro<Dados>({
  ordem: ['sessao', 'captcha', 'campos', 'documento'],
  sessao: (pedido) =>
    !pedido.sessao.nova && !campoErrado(pedido.campos, exigidos) && buscaDe(pedido) !== undefined,
  captcha: {
    fits: ({ captcha, campo }) => captcha.checkTexto(campo(data('CodImage'))),
    errado: (pedido) => pedido.redirect(`${ERRO}${buscaDe(pedido)}/image/`),
  },
  campos: (pedido) => (perguntaDe(pedido) ? undefined : 'Informe+o+documento'),
  pergunta: perguntaDe,
  recusa: (pergunta) => {
    const { tipo, documento } = pergunta
    const numero = cleanDocumento(documento)
    const escrito = tipo === 'ie' ? numero : maskDocumento(numero)
    return escrito !== documento || recusaDoDocumento('PR', pergunta) ? invalidos[tipo] : undefined
  },
  notify: (pedido, razao) => {
    const numero = cleanDocumento(perguntaDe(pedido)?.documento ?? '')
    return pedido.redirect(`${ERRO}${buscaDe(pedido)}/consulta/${numero}+-+${razao}`)
  },
  mostradas: ({ inscricao }, pedido) => isDeProdutor('PR', inscricao.ie) === (buscaDe(pedido) === 'produtor'),
  ninguem: (pedido) => {
    const cadastro = buscaDe(pedido) === 'produtor' ? 'pro' : 'icms'
    return `${nomes[perguntaDe(pedido)?.tipo ?? 'cnpj']}+Não+Cadastrado+no+Cad.${cadastro}+Pr`
  },
  draw: (pedido, [achada, ...restam]) => {
    pedido.sessao.dados.restam = restam
    return show(pedido, achada)
  },
})

function proxima(pedido: PedidoPortal<Dados>): Mensagem {
  const { sessao } = pedido
  const valor = pedido.campo(data('campoAnterior'))
  const [achada, ...restam] = sessao.dados.restam
  const certo = !campoErrado(pedido.campos, { _method: 'POST', consultar: /\S/ })
  if (!certo || !sessao.checkToken('anterior', valor) || !achada) return pedido.expirada()
  sessao.dados.restam = restam
  return show(pedido, achada)
}

function show(pedido: PedidoPortal<Dados>, achada: Ocorrencia): Mensagem {
  const anterior = (): string => pedido.sessao.issueToken('anterior', (octetos) => octetos.toString('hex'))
  const outra =
    pedido.sessao.dados.restam.length === 0
      ? ''
      : formulario(
          { action: `${RAIZ}sintegra1/consultar`, id: 'Sintegra1ConsultarForm' },
          ocultos({ _method: 'POST', [data('campoAnterior')]: anterior() }),
          botao('consultar', 'Próxima Inscrição Estadual'),
        )
  return pagina(pedido, resultado(readFicha(achada, ativo, '000.00000-00')) + outra)
}

const IDENTIFICACAO: Leiaute = [
  ['{tipo}:', 'documento'],
  ['Inscrição Estadual:', 'ie'],
  ['Nome Empresarial:', 'nome'],
]

function resultado(ficha: Ficha): string {
  const estilo = { rotulo: { class: 'form_label' }, valor: { class: 'form_conteudo' }, porLinha: 2 }
  const titulo = (texto: string): string => elemento('div', { class: 'erro_label' }, escapeXml(texto))
  return [
    titulo('IDENTIFICAÇÃO'),
    tabelaDePares(fill(IDENTIFICACAO, ficha), estilo),
    titulo('ENDEREÇO'),
    tabelaDePares(fill([...ENDERECO, ['Telefone:', undefined], ['E-mail:', undefined]], ficha), estilo),
    titulo('INFORMAÇÕES COMPLEMENTARES'),
    tabelaDePares([
      ['Atividade Econômica Principal:', ficha.atividadeComMascara],
      ['Início das Atividades:', ficha.inicio],
      ['Situação Atual:', `${ficha.situacao} - DESDE ${ficha.dataDaSituacao}`],
      ['Regime Tributário:', ficha.regime],
    ]),
  ].join('\n')
}

/** The page that an error's redirect leads to says what its address says. */
function erro(pedido: PedidoPortal<Dados>): Mensagem {
  const [, , ...razao] = pedido.caminho.slice(ERRO.length).split('/')
  const octetos = razao
    .join('/')
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_, hexa: string) => String.fromCharCode(Number.parseInt(hexa, 16)))
  const aviso = pedido.caminho.includes('/image/') ? 'Código da imagem inválido' : octetos
  return pagina(pedido, elemento('div', { class: 'erro_label' }, escapeXml(aviso || 'Sessão expirada')))
}

export const portais: readonly Portal[] = [sintegraPr]
