import { ufs } from '../documento/inscricao-estadual.ts'
import type { Ocorrencia, Situacao } from '../mundo/contribuinte.ts'
import { escapar } from '../platform/xml.ts'
import { elemento } from '../portal/html.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { procurar } from '../portal/registro.ts'
import { linkDePostback } from '../portal/webforms.ts'
import type { Consulta } from './estado.ts'

/** Rows of one page. Made up: ten is the default of ASP.NET. */
const POR_FOLHA = 10

/** The three known words. Which of our statuses each one stands for is made up. */
const situacoes: Readonly<Record<Situacao, string>> = {
  habilitado: 'Habilitado como contribuinte na UF',
  suspenso: 'Não habilitado como Contribuinte na UF',
  baixado: 'Não habilitado como Contribuinte na UF',
  cancelado: 'Exclusão lógica do Contribuinte na UF',
}

/** What the register of all states holds of a CNPJ, in the order of the states. */
export function acharNoCcc({ cnpj, ie, uf }: Consulta): Ocorrencia[] {
  const estados = ufs.filter((um) => uf === '' || um === uf)
  const pergunta = cnpj ? { tipo: 'cnpj' as const, documento: cnpj } : { tipo: 'ie' as const, documento: ie }
  const achadas = estados.flatMap((um) => procurar(um, pergunta))
  return ie ? achadas.filter(({ inscricao }) => inscricao.ie === ie) : achadas
}

export const folhasDe = (achadas: readonly Ocorrencia[]): number =>
  Math.max(1, Math.ceil(achadas.length / POR_FOLHA))

/**
 * One page of the list: heads, rows, count, and a pager when there are more rows. Without rows it says that
 * nobody was found.
 */
export function desenharLista(achadas: readonly Ocorrencia[], folha: number): string {
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
  elemento('tr', {}, textos.map((texto) => elemento(celula, {}, escapar(texto) || '&nbsp;')).join(''))

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

/** The document of a question, for what goes wrong with it. */
export const documentoDe = ({ campo }: PedidoPortal<unknown>): string => campo('txtCNPJ') || campo('txtie')
