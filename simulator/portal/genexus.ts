import type { Mensagem } from '../platform/autoridade.ts'
import { escapeXml } from '../platform/xml.ts'
import { campoErrado } from './conversa.ts'
import type { Ficha } from './ficha.ts'
import { blocosDoSintegra } from './ficha.ts'
import { elemento, formulario, ocultos } from './html.ts'
import type { PedidoPortal } from './pedido.ts'

type Estado = Readonly<Record<string, unknown>>

export type TelaGenexus = {
  titulo: string
  conteudo: string
  estado?: Estado
  aviso?: string
}

const OCULTOS = { _EventName: '', _EventGridId: '', _EventRowId: '', sCallerURL: '' }

/** A page of MAINFORM, with a GXState that is good for one request of this session. */
export function paginaGenexus<S>(
  pedido: PedidoPortal<S>,
  { titulo, conteudo, estado = {}, aviso = '' }: TelaGenexus,
): Mensagem {
  const GXState = JSON.stringify({
    _EventName: '',
    GX_AJAX_KEY: chaveDe(pedido),
    AJAX_SECURITY_TOKEN: pedido.sessao.issueToken('GXState', (octetos) => octetos.toString('hex')),
    ...estado,
  })
  const form = formulario(
    { id: 'MAINFORM', name: 'MAINFORM', action: pedido.caminho.slice(pedido.caminho.lastIndexOf('/') + 1) },
    ocultos(OCULTOS),
    elemento('div', { class: 'gx_ev', id: 'gxErrorViewer' }, bala(aviso)),
    conteudo,
    ocultos({ GXState }),
  )
  return pedido.pagina(titulo, form)
}

const bala = (aviso: string): string => aviso && `<div class="ErrorViewerBullet">${escapeXml(aviso)}</div>`

const chaveDe = <S>({ sessao }: PedidoPortal<S>): string => sessao.id.toUpperCase()

/** The GXState that came back, which is used now; undefined when it is stale or another visitor's. */
export function checkEstado<S>(pedido: PedidoPortal<S>): Estado | undefined {
  const estado = readObjeto(pedido.campos.get('GXState') ?? '')
  if (!estado || !pedido.sessao.checkToken('GXState', textoEm(estado, 'AJAX_SECURITY_TOKEN')))
    return undefined
  const nomes = Object.keys(OCULTOS).map((nome) => [nome, /^/] as const)
  const inteiro = !campoErrado(pedido.campos, Object.fromEntries(nomes))
  return inteiro && estado.GX_AJAX_KEY === chaveDe(pedido) ? estado : undefined
}

function readObjeto(texto: string): Estado | undefined {
  try {
    const lido: unknown = JSON.parse(texto)
    return typeof lido === 'object' && lido !== null ? { ...lido } : undefined
  } catch {
    return undefined
  }
}

/** A text or number of a GXState; empty when it holds something else by that name. */
export function textoEm(estado: Estado, nome: string): string {
  const valor = estado[nome]
  return typeof valor === 'string' || typeof valor === 'number' ? String(valor) : ''
}

export const estadoExpirado = <S>(pedido: PedidoPortal<S>): Mensagem =>
  pedido.pagina(
    'Sessão expirada',
    '<span class="ErrorTitle">Sessão expirada</span><p>Recarregue a página e tente novamente.</p>',
  )

export function botaoGenexus(nome: string, value: string, evento?: string): string {
  const onclick = evento && `gx.evt.execEvt('',false,"${evento}",this);`
  const type = evento === undefined ? 'submit' : 'button'
  return elemento('input', { type, id: nome, name: nome, value, class: 'SpecialButtons', onclick })
}

/** A table for each registration, its values in spans that GeneXus names after its variables. */
export const resultados = (fichas: readonly Ficha[]): string =>
  fichas.map((ficha, i) => resultado(ficha, i === 0 ? '' : `_${String(i + 1).padStart(4, '0')}`)).join('\n')

function resultado(ficha: Ficha, sufixo: string): string {
  const linhas = blocosDoSintegra(ficha).map(({ titulo, pares }) => {
    const celulas = pares.map(
      ([rotulo, valor]) =>
        `<tr><td><span class="TextBlock">${rotulo}</span></td><td><span class="ReadonlyAttribute" id="span_CTLCON${abbreviate(rotulo)}${sufixo}">${escapeXml(valor) || '&nbsp;'}</span></td></tr>`,
    )
    return `<tr><td colspan="2"><span class="SubTitle">${titulo}</span></td></tr>\n${celulas.join('\n')}`
  })
  return elemento('table', { id: `TABLERESULTADO${sufixo}`, class: 'Table' }, linhas.join('\n'))
}

/** Three letters of each word: Inscrição Estadual is INSEST. */
function abbreviate(rotulo: string): string {
  const palavras =
    rotulo
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .toUpperCase()
      .match(/[A-Z]+/g) ?? []
  return palavras.map((palavra) => palavra.slice(0, 3)).join('')
}
