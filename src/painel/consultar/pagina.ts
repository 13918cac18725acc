import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { available } from '../../platform/ledger/rules.ts'
import {
  type Lingua,
  linguas,
  ORDEM,
  type PecaDaAmostra,
  type PedidoDaAmostra,
  writeAmostras,
  writeTypescript,
} from '../../platform/pages/amostras.ts'
import { creditosDe, instanteDe } from '../../platform/pages/apresentacao.ts'
import { blocosDe, drawAbas } from '../../platform/pages/codigo.ts'
import { countOf } from '../../platform/pages/formatos.ts'
import { CREDITOS_DO_MAPA } from '../../platform/pages/graficos.ts'
import { type Content, type Html, html, url } from '../../platform/pages/html.ts'
import { baseDe, estaticos } from '../../platform/pages/moldura.ts'
import { openOnce } from '../../platform/pages/por-palavra.ts'
import { readExemplos, readRoteiro } from '../../platform/simulator.ts'
import { respostaEm } from '../chamadas.ts'
import type { Sala } from '../sala.ts'
import { drawMolde } from './estados.ts'
import { drawNotaDeTeste, pedidoDaNota } from './nota.ts'
import { type EntregaDoArquivo, linkDoArquivo, type Papeis } from './papeis.ts'
import {
  drawExemplos,
  drawFichas,
  drawPerguntar,
  drawRecusada,
  enderecoDe,
  readExemplo,
} from './perguntar.ts'
import {
  type EntradaDoPainel,
  findPergunta,
  type Lido,
  NOTA,
  type Parametro,
  type PedidoDaPagina,
  type PerguntaDoPainel,
  pedidoDe,
  precoDe,
  readLido,
} from './perguntas.ts'
import { falhasDe, precoDosEstados } from './repetir.ts'
import { apresentar, assuntoDe, type Feita, falhaDe, lastFeitas, membro, texto } from './respondida.ts'
import { drawResposta, ha } from './veredito.ts'

type Visita = { request: FastifyRequest; reply: FastifyReply }

/** What stands in the form when the page is opened, or sent with something wrong. */
type NoFormulario = {
  texto: string
  lido?: Lido | undefined
  uf: string
  marcas: readonly string[]
  escolhida?: PerguntaDoPainel | undefined
  falha?: string
}

/** The pages of this room: the questions, and an answer with them. */
export type Paginas = {
  drawPerguntas: (visita: Visita, dados: NoFormulario) => Promise<string>
  /** `ate`: until when it is kept; undefined for an answer that stands on this page alone. */
  drawFeita: (visita: Visita, feita: Feita, kept: { ate?: Date; grande?: boolean }) => Promise<string>
  drawTeste: () => Promise<Content>
}

const NOTA_NA_API = '/api/consultar-nfe-xml'

export function openPaginas(scope: FastifyInstance, sala: Sala, papeis: Papeis): Paginas {
  const { room, moldura, logadoDe } = sala
  const { prefixo } = moldura
  const roteiro = openOnce(async () =>
    (await readRoteiro(room.simulador)).flatMap((one) => readExemplo(one) ?? []),
  )

  async function drawTeste(): Promise<Content> {
    const known = (await readExemplos(room.simulador).catch(() => undefined))?.[NOTA_NA_API]
    if (!known) return undefined
    return drawNotaDeTeste({
      chave: String(known.chave),
      senha: String(known.senha),
      endereco: `${enderecoDe(prefixo)}${NOTA}/`,
    })
  }

  /** What was asked a moment ago is a way on, and costs nothing. */
  async function drawUltimas(conta_id: string): Promise<Content> {
    const agora = room.now()
    const feitas = await lastFeitas(room, conta_id, ULTIMAS)
    if (feitas.length === 0) return undefined
    return html`<section class="cartao ultimas" aria-labelledby="ultimas"><header><h2 id="ultimas">Ainda guardadas</h2><p class="suave">Ver de novo não custa nada.</p></header><ul>${feitas.map(
      (feita) => {
        const { request_id } = feita.respondida
        const dita = apresentar(feita, agora)
        const { tom, veredito, nome } = dita
        const { documento, uf } = feita.entrada
        return html`<li class="${tom}"><a href="${url(respostaEm(prefixo, request_id))}">${veredito}</a> <span>${[nome, assuntoDe(feita, dita)].filter(Boolean).join(' · ')}</span> <span class="suave">${readLido(documento, uf, agora)?.mascarado ?? documento}, ${ha(instanteDe(request_id), agora)}</span></li>`
      },
    )}</ul></section>`
  }

  const drawPerguntas: Paginas['drawPerguntas'] = async ({ request, reply }, dados) => {
    const { conta } = logadoDe(request)
    const restantes = available(await room.ledger.saldo(conta))
    // The page is there without the simulator, which may be starting again.
    const exemplos = await roteiro().catch(() => [])
    const guarda = (await room.guardadas.minutosDe(conta.id)) > 0
    const formulario = drawPerguntar({
      lido: undefined,
      ...dados,
      conta,
      campoCsrf: sala.campoCsrf(request, reply),
      prefixo,
      guarda,
    })
    return sala.draw(request, reply, {
      titulo: dados.falha === undefined ? 'Consultar' : 'Erro: Consultar',
      descricao: 'Um CPF, um CNPJ, uma inscrição ou a chave de uma nota, e o que se quer saber dele.',
      atual: 'consultar',
      modulos: [estaticos.consultar.caminho],
      creditos: CREDITOS_DO_MAPA,
      conteudo: html`<div class="topo"><div><h1>Consultar</h1><p class="suave">Responde o próprio órgão, e uma falha não custa nada.</p>${drawRecusada(prefixo)}</div><p class="suave restam">Restam <b>${countOf(restantes, 'crédito', 'créditos')}</b></p></div>
<div class="consultar">${formulario}${dados.lido === undefined && (await drawUltimas(conta.id))}${drawExemplos(exemplos, enderecoDe(prefixo), await drawTeste())}${drawMolde(prefixo)}</div>`,
    })
  }

  const drawFeita: Paginas['drawFeita'] = async ({ request, reply }, feita, { ate, grande = false }) => {
    const { conta, acesso } = logadoDe(request)
    const agora = room.now()
    const dita = apresentar(feita, agora)
    const campoCsrf = sala.campoCsrf(request, reply)
    const base = respostaEm(prefixo, feita.respondida.request_id)
    const selada: EntregaDoArquivo = ({ tipo, nome, read }, button) =>
      papeis.drawForm({ tipo, nome, conteudo: read() }, button, { dono: acesso.id, campoCsrf })
    const entrega: EntregaDoArquivo = ate ? (arquivo, button) => linkDoArquivo(base, arquivo, button) : selada
    const pergunta = findPergunta(feita.pergunta)
    const minutos = await room.guardadas.minutosDe(conta.id)
    const { documento, uf } = feita.entrada
    const { http, corpo } = feita.respondida
    const lido = readLido(documento, uf, agora)
    // A note is asked for by a form of its own; of any other that failed the button stands by the verdict.
    const isDeNovo = feita.pergunta === NOTA || (http === 200 && !falhaDe(feita.respondida)?.isDeNovo)
    const pagina = {
      feita,
      dita,
      agora,
      restantes: available(await room.ledger.saldo(conta)),
      prefixo,
      campoCsrf,
      entrega,
      guarda: ate && { ate, base, preco: pergunta ? precoDe(pergunta, conta, lido?.tipo) : '' },
      grande,
      precoDoEstado: precoDosEstados(falhasDe(feita).length),
    }
    const achados = dita.porEstado?.filter(({ desfecho }) => desfecho === 'achado') ?? []
    // Of all states the only one that knows him is the one that the next question is of.
    const ufDele = uf || (achados.length === 1 ? (achados[0]?.uf ?? '') : '')
    const fichas = pergunta && drawFichas(pergunta, { lido, conta, uf: ufDele }, isDeNovo)
    const formulario = drawPerguntar({
      texto: lido?.mascarado ?? documento,
      lido,
      uf: ufDele,
      marcas: [],
      feita: pergunta,
      conta,
      campoCsrf,
      prefixo,
      guarda: minutos > 0,
    })
    return sala.draw(request, reply, {
      titulo: [dita.veredito, dita.nome || pergunta?.nome].filter(Boolean).join(', '),
      descricao: 'O que o órgão respondeu, o papel dele e quanto custou.',
      atual: 'consultar',
      modulos: [estaticos.consultar.caminho, estaticos.guia.caminho],
      creditos: dita.porEstado ? CREDITOS_DO_MAPA : creditosDe(dita.partes),
      conteudo: html`<div class="consultar respondida"><div class="sem-papel">${formulario}</div>${drawResposta(pagina, fichas)}${
        pergunta &&
        drawParaProgramadores(
          writeCodigo(pedidoDaFeita(pergunta, feita.entrada), baseDe(scope, moldura)),
          corpo,
          prefixo,
        )
      }${drawMolde(prefixo)}</div>`,
    })
  }

  return { drawPerguntas, drawFeita, drawTeste }
}

const ULTIMAS = 5

const pedidoDaFeita = (pergunta: PerguntaDoPainel, entrada: EntradaDoPainel) =>
  pergunta.id === NOTA ? pedidoDaNota(entrada) : pedidoDe(pergunta, entrada)

type AmostraDeCodigo = Readonly<Partial<Record<Lingua, string | undefined>>>

/** Writes the call in every language, each with the parameters that the page itself sends. */
const writeCodigo = (pedido: PedidoDaPagina, servico: string): AmostraDeCodigo => ({
  ...writeAmostras(pedidoDaAmostra(pedido, servico)),
  ts: writeTypescript({
    id: pedido.id,
    servico,
    parametros: pedido.parametros.map((one) => [one.nome, expressaoDe(one)]),
    semGuardada: 'cache-control' in pedido.cabecalhos,
  }),
})

function pedidoDaAmostra(pedido: PedidoDaPagina, servico: string): PedidoDaAmostra {
  const { metodo, endereco, cabecalhos, parametros } = pedido
  const corpo = parametros.filter(({ onde }) => onde === 'body')
  const own: PedidoDaAmostra['cabecalhos'] = [
    ['X-API-Key', [{ variavel: 'CHAVE' }]],
    ...Object.entries(cabecalhos).map(([nome, valor]) => [nome, [valor]] as const),
  ]
  if (metodo === 'GET') return { endereco: servico + endereco, cabecalhos: own }
  return {
    endereco: servico + endereco,
    cabecalhos: [...own, ['Idempotency-Key', [{ novo: 'uuid' }]]],
    corpo: corpo.map((one) => [one.nome, valorDe(one)]),
  }
}

/** What the page must not show each language reads from where the reader keeps it. */
function valorDe({ tipo, valor }: Parametro): readonly PecaDaAmostra[] | boolean {
  if (tipo === 'arquivo') return [{ base64: 'certificado.pfx' }]
  if (tipo === 'senha') return [{ variavel: 'SENHA' }]
  return typeof valor === 'boolean' ? valor : [valor]
}

function expressaoDe({ tipo, valor }: Parametro): string {
  if (tipo === 'arquivo') return "readFileSync('certificado.pfx').toString('base64')"
  if (tipo === 'senha') return "process.env.SENHA ?? ''"
  return JSON.stringify(valor)
}

/** What a programmer wants of an answer, in a fold: the call in his language, and the JSON. */
function drawParaProgramadores(codigo: AmostraDeCodigo, corpo: unknown, prefixo: string): Html {
  const erro = texto(membro(corpo, 'error_code'))
  return html`<details class="cartao programadores sem-papel"><summary><h2>Para programadores</h2> <span class="suave">${ORDEM.map(
    (lingua) => linguas[lingua],
  ).join(' · ')} · JSON</span></summary><div class="amostras"><div>${drawAbas(
    blocosDe(codigo, (lingua) => lingua),
    'lingua',
  )}</div><p class="suave"><code>CHAVE</code> é a variável com a chave de API da sua conta; a página não a mostra.</p><div><h3>A resposta em JSON</h3>${
    erro !== '' &&
    html`<p>Código do erro: <a href="${url(`${prefixo}/erros#${erro}`)}"><code>${erro}</code></a></p>`
  }${highlightJson(corpo)}</div></div></details>`
}

/** The longest text that is shown whole: a certificate in base64 would be most of the page. */
const MAIOR_TEXTO = 300

const MAIS_VALORES = 2_000

const MAIS_FUNDO = 20

/** A long text is cut after 300 characters, the whole after 2,000 values; it says where. */
export function highlightJson(value: unknown): Html {
  const left = { values: MAIS_VALORES }
  const drawn = drawJson(value, '', left)
  return html`<pre class="json" tabindex="0" role="region" aria-label="Resposta em JSON"><code>${drawn}</code></pre>${
    left.values <= 0 &&
    html`<p class="suave">A resposta é maior do que se mostra aqui; o código acima a traz inteira.</p>`
  }`
}

function drawJson(value: unknown, indent: string, left: { values: number }): Content {
  left.values -= 1
  if (left.values < 0) return '…'
  if (typeof value === 'string') return drawTexto(value)
  if (typeof value !== 'object' || value === null)
    return html`<span class="j-valor">${String(value ?? null)}</span>`
  const deeper = `${indent}  `
  if (deeper.length > MAIS_FUNDO * 2) return '…'
  const isArray = Array.isArray(value)
  const entries = Object.entries(value)
  if (entries.length === 0) return isArray ? '[]' : '{}'
  const lines: Content[] = []
  for (const [at, [key, one]] of entries.entries()) {
    if (left.values <= 0) {
      lines.push(`\n${deeper}…`)
      break
    }
    const name = !isArray && html`<span class="j-nome">${JSON.stringify(key)}</span>: `
    lines.push(html`\n${deeper}${name}${drawJson(one, deeper, left)}${at < entries.length - 1 && ','}`)
  }
  return html`${isArray ? '[' : '{'}${lines}\n${indent}${isArray ? ']' : '}'}`
}

function drawTexto(text: string): Html {
  if (text.length <= MAIOR_TEXTO) return html`<span class="j-texto">${JSON.stringify(text)}</span>`
  const rest = (text.length - MAIOR_TEXTO).toLocaleString('pt-BR')
  return html`<span class="j-texto">${JSON.stringify(text.slice(0, MAIOR_TEXTO)).slice(0, -1)}…</span> <span class="suave">(mais ${rest} caracteres)</span>`
}
