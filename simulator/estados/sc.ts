import type { Mensagem } from '../platform/mensagem.ts'
import { conversaDeCadastro } from '../portal/conversa.ts'
import { ativo, type Ficha, type Leiaute, lerFicha, preencher } from '../portal/ficha.ts'
import { elemento, tabelaDePares } from '../portal/html.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'
import { ENDERECO } from '../portal/sintegra.ts'
import { conferirTrio, estadoInvalido, recursoAusente } from '../portal/webforms.ts'
import { BUSCAR, buscaSat, CORPO, comoDelta, documentoSat, type TelaSat, telaSat } from './sat.ts'
import { certidoesSat } from './sat-certidao.ts'

const PASTA = '/tax.net/sat.cadastro.web/'
const IDENTIFICADOR = `${CORPO}sepBusca$idnContribuinte`
const TITULO = 'Comprovante de Inscrição Estadual'

const cadastro = portal<undefined>({
  uf: 'SC',
  servico: 'ie',
  nome: 'SEF-SC, comprovante de inscrição',
  hosts: ['sat.sef.sc.gov.br'],
  atende: (caminho) => caminho.toLowerCase().startsWith(PASTA),
  charset: 'utf-8',
  motor: 'asp.net',
  sessao: { em: 'cookie', nome: 'ASP.NET_SessionId' },
  novaSessao: () => undefined,
  documento: (pedido) => documentoSat(pedido, IDENTIFICADOR),
  responder: async (pedido) => {
    if (pedido.caminho.toLowerCase() !== `${PASTA}comprovanteie/consulta.aspx`) return recursoAusente(pedido)
    return pedido.metodo === 'POST' ? comoDelta(pedido, await consultar(pedido)) : tela(pedido)
  },
  expirada: estadoInvalido,
  captchaInesperado: (pedido) =>
    tela(pedido, {
      captcha: '<div class="g-recaptcha" data-sitekey="6LeIxAcTAAAAAJcZVRqyHh71UMIEGNQ"></div>',
    }),
})

function tela(pedido: PedidoPortal<undefined>, resto: Partial<TelaSat> = {}): Mensagem {
  return telaSat(pedido, { titulo: TITULO, etapa: 'consulta', identificador: IDENTIFICADOR, ...resto })
}

async function consultar(pedido: PedidoPortal<undefined>): Promise<Mensagem> {
  if (!conferirTrio(pedido, 'consulta')) return pedido.expirada()
  return pedido.campo('__EVENTTARGET') === BUSCAR ? consulta(pedido) : tela(pedido)
}

const consulta = conversaDeCadastro<undefined>({
  uf: 'SC',
  ordem: ['campos', 'documento'],
  ...buscaSat(IDENTIFICADOR),
  avisar: (pedido, erro) => tela(pedido, { erros: [erro] }),
  ninguem: 'Nenhum registro encontrado.',
  desenhar: (pedido, achadas) => {
    const blocos = achadas.map((achada, i) => comprovante(lerFicha(achada, ativo, '000.000.000'), i))
    const resultado = elemento('div', { id: 'Body_Main_Main_ctnResultado' }, blocos.join('\n'))
    return tela(pedido, { resultado })
  },
})

const COMPROVANTE: Leiaute = [
  ['Inscrição Estadual:', 'ie'],
  ['{tipo}:', 'documento'],
  ['Nome Empresarial:', 'nome'],
  ['Nome Fantasia:', 'fantasia'],
  ...ENDERECO,
  ['CNAE Principal:', 'atividadeComMascara'],
  ['Data de Início de Atividade:', 'inicio'],
  ['Situação Cadastral:', 'situacao'],
  ['Data desta Situação Cadastral:', 'dataDaSituacao'],
  ['Regime de Apuração:', 'regime'],
]

function comprovante(ficha: Ficha, indice: number): string {
  const id = `Body_Main_Main_ctnResultado_comprovante${indice}`
  const tabela = tabelaDePares(preencher(COMPROVANTE, ficha), { porLinha: 2 })
  return elemento('div', { id, class: 'sat-box' }, tabela)
}

export const portais: readonly Portal[] = [cadastro, certidoesSat]
