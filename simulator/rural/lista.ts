import type { Mensagem } from '../platform/mensagem.ts'
import { escapar } from '../platform/xml.ts'
import { elemento } from '../portal/html.ts'
import { hectaresBr } from './escrita.ts'
import { paginaDoSigef } from './paginas.ts'
import type { Parcela } from './parcelas.ts'

/** Rows of one page: the new paging's links say `limit=10`. */
export const POR_PAGINA = 10

/** The list of a search: what was found, and how the page is drawn. */
export type Busca = {
  parcelas: readonly Parcela[]
  pagina: number
  /** Both are seen: `Resultados: N` with Bootstrap's paging, and `Total: N` with gov.br's. */
  desenho: 'antigo' | 'novo'
  consulta: URLSearchParams
  /** How many more the page says than there are. */
  aMais: number
}

/** The page of the search, with its form and what was found; the form alone without a question. */
export function paginaDaLista(busca: Busca | undefined): Mensagem {
  const partes = ['<h2>Consultar parcelas</h2>', formulario(busca?.consulta)]
  if (busca) partes.push(contador(busca), tabela(busca), paginacao(busca))
  return paginaDoSigef('Consultar parcelas', partes.join('\n'))
}

const paginasDe = ({ parcelas }: Busca): number => Math.max(1, Math.ceil(parcelas.length / POR_PAGINA))

function formulario(consulta?: URLSearchParams): string {
  const campo = (nome: string) =>
    elemento('input', { type: 'text', name: nome, id: `id_${nome}`, value: consulta?.get(nome) ?? '' })
  return `<form id="pesquisaForm" method="get" action="/consultar/parcelas/">
<input type="hidden" name="pesquisa_avancada" value="True">
${['termo', 'cpf_cnpj', 'proprietario', 'cns', 'matricula', 'codigo', 'protocolo', 'credenciado', 'vertice', 'sncr'].map(campo).join('\n')}
<button type="submit" class="btn btn-primary">Pesquisar</button>
</form>`
}

function contador({ parcelas, desenho, aMais }: Busca): string {
  const total = parcelas.length + aMais
  return desenho === 'antigo' ? `<h3>Resultados: ${total}</h3>` : `<h4>Total: ${total}</h4>`
}

function tabela({ parcelas, pagina }: Busca): string {
  const linhas = parcelas.slice((pagina - 1) * POR_PAGINA, pagina * POR_PAGINA).map(linha)
  const vazia = '<tr><td colspan="6">Nenhuma parcela encontrada.</td></tr>'
  // The id of the body is written with a space in it, as the real page does.
  return `<table class="table table-hover" id="tbl-parcelas">
<thead><tr><th>Nome</th><th>Área</th><th>Detentor</th><th>CNS</th><th>Matrícula</th><th></th></tr></thead>
<tbody id="tbl-parcelas tbody">
${linhas.join('\n') || vazia}
</tbody>
</table>`
}

function linha({ codigo, nome, area, detentores, cns, matricula, historica }: Parcela): string {
  const elo = elemento('a', { href: `/geo/parcela/detalhe/${codigo}/` }, `\n${escapar(nome)}\n`)
  const marca = historica ? '<strong>Parcela no Histórico</strong>' : ''
  const [{ nome: detentor } = { nome: '' }, ...outros] = detentores
  const celulas = [
    elo,
    hectaresBr(area),
    escapar(outros.length > 0 ? `${detentor} e outros` : detentor),
    cns,
    escapar(matricula),
    marca,
  ]
  return elemento('tr', {}, celulas.map((celula) => elemento('td', {}, celula)).join(''))
}

function paginacao(busca: Busca): string {
  const paginas = paginasDe(busca)
  if (paginas === 1) return ''
  return busca.desenho === 'antigo' ? paginacaoAntiga(busca, paginas) : paginacaoNova(busca, paginas)
}

/** Bootstrap 2: the last page's number stands in the last but one `li`. */
function paginacaoAntiga({ pagina, consulta }: Busca, paginas: number): string {
  const endereco = (n: number): string => {
    const outra = new URLSearchParams(consulta)
    outra.set('page', String(n))
    return `?${outra}`
  }
  const item = (classe: string | undefined, n: number, texto: string): string =>
    elemento('li', { class: classe }, elemento('a', { href: endereco(n) }, texto))
  const numeros = Array.from({ length: paginas }, (_, i) =>
    item(i + 1 === pagina ? 'active' : undefined, i + 1, String(i + 1)),
  )
  const antes = item(pagina === 1 ? 'prev disabled' : 'prev', Math.max(1, pagina - 1), 'Anterior')
  const depois =
    pagina === paginas ? '<li class="next disabled"><a>Próxima</a></li>' : item('next', pagina + 1, 'Próxima')
  return `<div class="pagination"><ul>\n${[antes, ...numeros, depois].join('\n')}\n</ul></div>`
}

/** gov.br's: its links name the page and the limit alone, as seen. */
function paginacaoNova({ pagina }: Busca, paginas: number): string {
  const item = (n: number): string => {
    const alvo =
      n === pagina ? { class: 'page active' } : { class: 'page', href: `?page=${n}&limit=${POR_PAGINA}` }
    return `<li class="page-count">${elemento('a', alvo, String(n))}</li>`
  }
  const numeros = Array.from({ length: paginas }, (_, i) => item(i + 1))
  if (paginas > 2) numeros.splice(-1, 0, '<li class="page-count"><span>...</span></li>')
  return `<div class="br-pagination"><ul>\n${numeros.join('\n')}\n</ul></div>`
}
