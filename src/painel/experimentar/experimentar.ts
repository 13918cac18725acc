import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../platform/errors.ts'
import { prefersEventStream } from '../../platform/http/ready.ts'
import { available } from '../../platform/ledger/rules.ts'
import { formatNumero } from '../../platform/pages/formatos.ts'
import { campoDe, parametroDe } from '../../platform/pages/forms.ts'
import { type Content, type Html, html, url } from '../../platform/pages/html.ts'
import { cartao } from '../../platform/pages/layout.ts'
import { baseDe, estaticos } from '../../platform/pages/moldura.ts'
import { openOnce } from '../../platform/pages/por-palavra.ts'
import { readExemplos, readRoteiro } from '../../platform/simulator.ts'
import { DIAGNOSTICO } from '../../rejeicoes/page-busca.ts'
import type { Sala } from '../sala.ts'
import { openChamador, type QuemPergunta, tellLive } from './chamada.ts'
import {
  type ConsultaDaApi,
  lista,
  membro,
  type PedidoDaPagina,
  pedidoDe,
  readConsultas,
  readValores,
  type Valores,
} from './consulta.ts'
import {
  type AmostraDeCodigo,
  blocoDeCodigo,
  drawExemplos,
  drawNotaDeTeste,
  type Exemplo,
  readExemplo,
  writeCodigo,
} from './exemplos.ts'
import {
  chaveDeRepeticao,
  drawFormulario,
  type Formulario,
  readFormulariosDaNota,
  withCertificado,
} from './formulario.ts'
import {
  drawPapel,
  drawPorEstado,
  MAIOR_FORMULARIO_DE_PAPEL,
  openPapeis,
  type Papel,
  readEstado,
} from './papeis.ts'
import { corpoDe, drawDados, drawDesfecho, highlightJson, type Respondida } from './resposta.ts'

type Feita = {
  respondida: Respondida
  codigo: AmostraDeCodigo
  papeis: ReadonlyMap<string, Papel>
}

type PaginaDaConsulta = Formulario & {
  exemplos: readonly Exemplo[]
  nota?: Content
  feita: Feita | undefined
  prefixo: string
}

function drawConsulta(pagina: PaginaDaConsulta): Html {
  const { consulta, feita, exemplos, endereco, nota, prefixo } = pagina
  return html`<div class="topo"><div><p class="suave"><a href="${url(`${prefixo}/painel/experimentar/`)}">Experimentar</a> · ${consulta.tema}</p><h1>${consulta.nome}</h1><p class="descricao">${consulta.descricao}</p></div></div>
<div class="experimentar">${feita && drawFeita(feita, pagina)}<div class="pergunta">${drawFormulario(pagina)}${nota}${drawExemplos(exemplos, endereco)}</div>${consulta.parte === 'uf' && drawMolde(pagina)}</div>`
}

function drawFeita({ respondida, codigo, papeis }: Feita, pagina: PaginaDaConsulta): Html {
  const { corpo, http } = respondida
  const { prefixo, campoCsrf } = pagina
  const unico = papeis.get('')
  return html`<div class="respondida">${drawDesfecho(respondida, prefixo)}${
    http === 200 && drawCorpo(corpo, pagina, papeis)
  }${unico && html`<section class="cartao" aria-labelledby="papel"><header><h2 id="papel">${unico.tipo === 'pdf' ? 'A certidão em PDF' : 'O XML da nota'}</h2></header>${drawPapel(unico, campoCsrf)}<p class="suave">O arquivo está nesta página: abri-lo não consulta nem cobra de novo.</p></section>`}${blocoDeCodigo(codigo)}<section class="cartao" aria-labelledby="json"><header><h2 id="json">Em JSON</h2></header>${highlightJson(corpo)}</section></div>`
}

function drawCorpo(corpo: unknown, { campoCsrf }: PaginaDaConsulta, papeis: Feita['papeis']): Content {
  const todos = { papeis, campoCsrf }
  const mapa = (titulo: string, id: string, entradas: unknown): Content =>
    isPorEstado(entradas) && drawPorEstado({ ...todos, titulo, id, estados: lista(entradas).map(readEstado) })
  const results = membro(corpo, 'results')
  if (isPorEstado(results)) return mapa('Os 27 estados', 'estados', results)
  const inscricoes = membro(membro(corpo, 'inscricoes_estaduais'), 'results')
  const certidoes = membro(membro(corpo, 'cnd_estaduais'), 'results')
  if (inscricoes === undefined && certidoes === undefined) return cartaoDosDados(corpoDe(corpo))
  return [
    cartaoDosDados(membro(membro(corpo, 'receita_federal'), 'result')),
    mapa('Inscrições estaduais', 'inscricoes', inscricoes),
    mapa('Certidões estaduais', 'certidoes', certidoes),
  ]
}

const isPorEstado = (value: unknown): boolean => {
  const [first] = lista(value)
  return (
    first !== undefined && membro(first, 'uf') !== undefined && membro(first, 'source_status') !== undefined
  )
}

function cartaoDosDados(value: unknown): Content {
  const dados = drawDados(value)
  return (
    dados &&
    html`<section class="cartao" aria-labelledby="dados"><header><h2 id="dados">O que foi respondido</h2></header>${dados}</section>`
  )
}

/** What the module of the page fills in while states answer. Without it nobody sees it. */
const drawMolde = ({ campoCsrf, prefixo }: PaginaDaConsulta): Html =>
  html`<template id="molde"><div class="respondida" id="resposta"><section class="cartao desfecho" aria-labelledby="desfecho"><header><h2 id="desfecho">Resposta</h2><span class="selo lento" id="andamento">Consultando</span></header><p id="fala" role="status" aria-live="polite">Os estados estão sendo consultados.</p><dl class="dados"><div><dt>Custo</dt><dd id="custo">A ver no fim</dd></div><div><dt>Pedido</dt><dd><a id="pedido" href="${url(`${prefixo}/painel/registro/`)}"><code></code></a></dd></div></dl></section>${drawPorEstado(
    { titulo: 'Os 27 estados', id: 'estados', estados: [], papeis: new Map(), campoCsrf },
  )}${blocoDeCodigo()}<section class="cartao" aria-labelledby="json"><header><h2 id="json">Em JSON</h2></header><pre class="json" id="texto-json" tabindex="0" role="region" aria-label="Resposta em JSON"></pre></section></div></template>`

function drawConsultas(
  consultas: readonly ConsultaDaApi[],
  {
    enderecoDe,
    restantes,
    diagnostico,
  }: { enderecoDe: (id: string) => string; restantes: number; diagnostico: string },
): Html {
  const temas = new Map<string, ConsultaDaApi[]>()
  for (const one of consultas) temas.set(one.tema, [...(temas.get(one.tema) ?? []), one])
  return html`<div class="topo"><div><h1>Experimentar</h1><p class="suave">Cada consulta é feita de verdade, em nome da sua conta: entra no registro e no uso, e custa o que se diz. Restam <b>${formatNumero(restantes)}</b> créditos.</p></div></div>
<div class="grade">${[...temas].map(([tema, dele], at) =>
    cartao(
      { titulo: tema, id: `tema-${at}`, classe: 'meio' },
      html`<ul class="consultas">${dele.map((one) => linha(one, enderecoDe(one.id), diagnostico))}</ul>`,
    ),
  )}</div>`
}

/** The diagnosis of a note has a page of its own, without a key. */
function linha({ id, nome, custo }: ConsultaDaApi, endereco: string, diagnostico: string): Content {
  const where = id === 'diagnosticar' ? diagnostico : endereco
  return html`<li><a href="${url(where)}"><b>${nome}</b></a><span class="suave">${custo}</span></li>`
}

export async function openExperimentar(scope: FastifyInstance, sala: Sala): Promise<void> {
  const { room, moldura, logadoDe } = sala
  const base = `${moldura.prefixo}/painel/experimentar/`
  const chamador = openChamador(scope, room)
  const papeis = openPapeis(room.secret, `${base}papel`)
  const consultas = openOnce(async () => readConsultas((await scope.inject('/openapi.json')).json()))
  const roteiro = openOnce(async () =>
    (await readRoteiro(room.simulador)).flatMap((one) => readExemplo(one) ?? []),
  )

  const restantesDe = async (request: FastifyRequest): Promise<number> =>
    available(await room.ledger.saldo(logadoDe(request).conta))

  async function findConsulta(
    { params }: FastifyRequest,
    id: unknown = Object(params).consulta,
  ): Promise<ConsultaDaApi> {
    const found = (await consultas()).find((one) => one.id === id && id !== 'diagnosticar')
    if (!found) throw new ApiError('ROTA_NAO_ENCONTRADA', 'Não há uma consulta com este nome.')
    return found
  }

  async function drawPagina(
    { request, reply }: { request: FastifyRequest; reply: FastifyReply },
    { consulta, valores, feita }: { consulta: ConsultaDaApi; valores: Valores; feita?: Feita | undefined },
  ): Promise<string> {
    // The page is there without the simulator, which may be starting again.
    const todos: readonly Exemplo[] = await roteiro().catch(() => [])
    const exemplos = todos.filter(({ endpoint }) => endpoint === consulta.caminho && endpoint !== NOTA_NA_API)
    const conteudo = drawConsulta({
      consulta,
      valores,
      feita,
      exemplos,
      endereco: `${base}${consulta.id}/`,
      campoCsrf: sala.campoCsrf(request, reply),
      nota: consulta.id === NOTA && (await drawTeste()),
      sugestoes: sugestoesDe(exemplos),
      restantes: await restantesDe(request),
      prefixo: moldura.prefixo,
    })
    return sala.draw(request, reply, {
      titulo: consulta.nome,
      descricao: consulta.descricao,
      atual: 'experimentar',
      modulos: [estaticos.guia.caminho, ...(consulta.parte === 'uf' ? [estaticos.experimentar.caminho] : [])],
      conteudo,
    })
  }

  async function drawTeste(): Promise<Content> {
    const known = (await readExemplos(room.simulador).catch(() => undefined))?.[NOTA_NA_API]
    if (!known) return false
    const { chave, senha } = known
    return drawNotaDeTeste({
      chave: String(chave),
      senha: String(senha),
      endereco: `${base}${NOTA}/`,
      arquivo: `${base}${NOTA}/${CERTIFICADO_DE_TESTE}`,
    })
  }

  scope.get('/', { schema: { hide: true }, prefixTrailingSlash: 'slash' }, async (request, reply) =>
    sala.draw(request, reply, {
      titulo: 'Experimentar',
      descricao: 'Cada consulta da API em um formulário, com o que custa e o que responde.',
      atual: 'experimentar',
      conteudo: drawConsultas(await consultas(), {
        enderecoDe: (id) => `${base}${id}/`,
        restantes: await restantesDe(request),
        diagnostico: moldura.prefixo + DIAGNOSTICO,
      }),
    }),
  )

  const show = async (request: FastifyRequest, reply: FastifyReply, id?: string): Promise<string> => {
    const consulta = await findConsulta(request, id)
    const valores = readValores(consulta.campos.filter(isPublico), (nome) => parametroDe(request, nome))
    return drawPagina({ request, reply }, { consulta, valores })
  }
  scope.get('/:consulta/', { schema: { hide: true } }, (request, reply) => show(request, reply))

  scope.post('/:consulta/', { schema: { hide: true } }, async (request, reply) => {
    const consulta = await findConsulta(request)
    const valores = readValores(consulta.campos, (nome) => campoDe(request, nome))
    const quem = { request, reply, logado: logadoDe(request) }
    if (consulta.parte === 'uf' && prefersEventStream(request.headers.accept)) {
      const pedido = pedidoDe(consulta, valores)
      const codigo = writeCodigo(pedido, baseDe(scope, moldura))
      reply.header('cache-control', 'no-store')
      if (await tellLive(quem, { pedido, codigo }, { chamador, papeis })) return reply
      return reply.code(204).send()
    }
    const feita = await askApi(quem, { consulta, valores })
    return drawPagina({ request, reply }, { consulta, valores, feita })
  })

  // The route of its own keeps files away from every other form.
  await scope.register(async (nota) => {
    await readFormulariosDaNota(nota)
    nota.get(`/${NOTA}/`, { schema: { hide: true } }, (request, reply) => show(request, reply, NOTA))
    nota.post(`/${NOTA}/`, { schema: { hide: true } }, async (request, reply) => {
      const consulta = await findConsulta(request, NOTA)
      const valores = readValores(consulta.campos.filter(isPublico), (nome) => campoDe(request, nome))
      const formulario = campoDe(request, FORMULARIO)
      const inteiro = withCertificado(pedidoDe(consulta, valores), request)
      const cabecalhos = { 'idempotency-key': chaveDeRepeticao(inteiro, formulario) }
      const quem = { request, reply, logado: logadoDe(request) }
      const feita = await askApi(quem, { consulta, valores, inteiro, cabecalhos })
      return drawPagina({ request, reply }, { consulta, valores, feita })
    })
    nota.get(`/${NOTA}/${CERTIFICADO_DE_TESTE}`, { schema: { hide: true } }, async (_request, reply) => {
      const { certificado } = (await readExemplos(room.simulador))[NOTA_NA_API] ?? {}
      if (typeof certificado !== 'string') throw new ApiError('ROTA_NAO_ENCONTRADA', 'Só o simulador tem um.')
      return reply
        .headers({ 'cache-control': 'no-store', 'content-type': 'application/x-pkcs12' })
        .header('content-disposition', `attachment; filename="${CERTIFICADO_DE_TESTE}"`)
        .send(Buffer.from(certificado, 'base64'))
    })
  })

  async function askApi(
    quem: QuemPergunta,
    { consulta, valores, inteiro, cabecalhos }: Asked,
  ): Promise<Feita> {
    const pedido = pedidoDe(consulta, valores)
    const respondida = await chamador.ask(inteiro ?? pedido, quem, cabecalhos)
    return {
      respondida,
      codigo: writeCodigo(pedido, baseDe(scope, moldura)),
      papeis: papeis.seal(respondida.corpo, quem.logado.acesso.id),
    }
  }

  scope.post(
    '/papel',
    { schema: { hide: true }, bodyLimit: MAIOR_FORMULARIO_DE_PAPEL },
    async (request, reply) => {
      const [tipo, nome, papel] = ['tipo', 'nome', 'papel'].map((one) => campoDe(request, one))
      return papeis.open(
        reply,
        { tipo: tipo ?? '', nome: nome ?? '', papel: papel ?? '' },
        logadoDe(request).acesso.id,
      )
    },
  )
}

type Asked = {
  consulta: ConsultaDaApi
  valores: Valores
  /** What is asked with what the page must not show. */
  inteiro?: PedidoDaPagina
  cabecalhos?: Readonly<Record<string, string>>
}

/** The lookup that takes a certificate, by its id, its path, and the form's own number. */
const NOTA = 'consultar-nfe-xml'
const NOTA_NA_API = '/api/consultar-nfe-xml'
const FORMULARIO = 'formulario'
const CERTIFICADO_DE_TESTE = 'certificado-de-teste.pfx'

const isPublico = ({ tipo }: ConsultaDaApi['campos'][number]): boolean =>
  tipo !== 'arquivo' && tipo !== 'senha'

const MAIS_SUGESTOES = 30

function sugestoesDe(exemplos: readonly Exemplo[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>()
  for (const { valores } of exemplos)
    for (const nome of ['cpf', 'cnpj', 'ie']) {
      const value = valores[nome]
      if (value !== undefined) found.set(nome, (found.get(nome) ?? new Set()).add(value))
    }
  return new Map([...found].map(([nome, values]) => [nome, [...values].slice(0, MAIS_SUGESTOES)]))
}
