import { type Html, html } from '../platform/pages/html.ts'
import { cartao } from '../platform/pages/layout.ts'
import type { Quadro } from '../sefaz/rules-rodada.ts'
import { cartaoDasSefaz } from '../sefaz/vista.ts'
import { type ConsultaComPreco, entradas, porOndeComecar, tabelaDeConsultas, tresMedos } from './partes.ts'
import { type Experimento, escreverExperimento } from './prova.ts'

/** What the first page is drawn with. */
export type Abertura = Experimento & {
  quadro: Quadro | undefined
  consultas: readonly ConsultaComPreco[]
  /** Whether a visitor can make an account, by himself or with an invitation. */
  temCadastro: boolean
  /** The address of the service. */
  servico: string
}

/** One sentence on what the service is. */
export const EM_UMA_FRASE =
  'Um serviço que pergunta às secretarias da fazenda, à Receita Federal e ao INCRA o que se precisa saber de um contribuinte, responde em JSON e cobra só o que entrega.'

/** The first page: what it is, a try, the map of now, what it costs, and where to begin. */
export const paginaDeAbertura = (abertura: Abertura): Html =>
  html`<div class="abertura"><div class="apresentacao"><h1>Consulta Fiscal</h1><p class="frase">${EM_UMA_FRASE}</p>${entradas(abertura)}</div>
<div class="grade">${cartao(
    { titulo: 'Experimente agora, sem conta', id: 'prova', classe: 'maior' },
    escreverExperimento(abertura),
  )}<div class="menor coluna">${cartaoDasSefaz(abertura)}${porOndeComecar(abertura)}</div>${tresMedos(abertura.prefixo)}${tabelaDeConsultas(abertura.consultas, abertura.prefixo)}</div></div>`
