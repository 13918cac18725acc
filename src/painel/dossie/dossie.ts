import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { formatDocumento, isCnpj, isCpf } from '../../documento/documento.ts'
import { ApiError } from '../../platform/errors.ts'
import { mostOf } from '../../platform/http/exchange.ts'
import { openUmaVez } from '../../platform/http/once.ts'
import { available } from '../../platform/ledger/rules.ts'
import { creditosDe } from '../../platform/pages/apresentacao.ts'
import { countOf, formatNumero } from '../../platform/pages/formatos.ts'
import { campoDe, parametroDe } from '../../platform/pages/forms.ts'
import { type Content, type Html, html, url } from '../../platform/pages/html.ts'
import { estaticos } from '../../platform/pages/moldura.ts'
import { askPergunta, openChamador, type QuemPergunta } from '../consultar/chamada.ts'
import {
  findPergunta,
  MAIOR_DOCUMENTO,
  maximoDe,
  mostOfAll,
  type PerguntaDoPainel,
  perguntasDoDossie as perguntasDo,
  readLido,
} from '../consultar/perguntas.ts'
import { apresentar, type Feita, findFeita, keepFeita } from '../consultar/respondida.ts'
import type { Sala } from '../sala.ts'
import { type Indice, openIndices } from './indice.ts'
import { type Dossie, montarDossie, type SecaoDoDossie } from './montagem.ts'
import { drawDossie, PAPEL } from './pagina.ts'
import { writePapel } from './papel.ts'

type Pedido = { documento: string; tipo: 'cpf' | 'cnpj'; rural: boolean }

const HIDDEN = { schema: { hide: true } } as const

/** All that is found of one company or producer, as one paper. */
export function openDossie(scope: FastifyInstance, sala: Sala): void {
  const { room, moldura, logadoDe } = sala
  const { prefixo, simulador } = moldura
  const base = `${prefixo}/painel/dossie/`
  const chamador = openChamador(scope, room)
  const indices = openIndices(room)
  const umaVez = openUmaVez<FeitoDoDossie>(room, 'dossie')

  /** Throws ROTA_NAO_ENCONTRADA for a text that is no CPF and no CNPJ. */
  function readPedido(request: FastifyRequest, rural: boolean): Pedido {
    const documento = String(Object(request.params).documento)
    if (isCpf(documento)) return { documento, tipo: 'cpf', rural: true }
    if (isCnpj(documento)) return { documento, tipo: 'cnpj', rural }
    throw new ApiError(
      'ROTA_NAO_ENCONTRADA',
      'Um dossiê é de um CPF ou de um CNPJ, sem pontos, e este número não é nenhum dos dois.',
    )
  }

  const feitasDo = async (conta_id: string, { pedidos }: Indice): Promise<readonly Feita[]> =>
    (
      await Promise.all(
        Object.values(pedidos).map(({ request_id }) => findFeita(room, { conta_id, request_id })),
      )
    ).flatMap((found) => (found ? [found.feita] : []))

  function montar({ documento, ...asked }: Pedido, feitas: readonly Feita[], feitoEm: Date): Dossie {
    const secoes = perguntasDo(asked).map(({ id, nome }) => {
      const feita = feitas.find(({ pergunta }) => pergunta === id)
      return feita ? secaoDe(feita, nome) : { pergunta: id, titulo: nome }
    })
    return montarDossie({
      documento,
      secoes: secoes.filter((one) => 'http' in one),
      faltam: secoes.filter((one) => !('http' in one)),
      feitoEm,
    })
  }

  function secaoDe(feita: Feita, titulo: string): SecaoDoDossie {
    const { http, corpo, request_id, cobrados = 0 } = feita.respondida
    return {
      pergunta: feita.pergunta,
      titulo,
      http,
      corpo,
      request_id,
      cobrados: feita.refeitas.reduce((sum, one) => sum + one.cobrados, cobrados),
      origem:
        http === 200 && feita.pergunta === 'cnpj' ? origemDaBase(feita.respondida.base) : 'Sem resposta',
      apresentacao: apresentar(feita, room.now()),
    }
  }

  function origemDaBase(versao: string | undefined): string {
    const [ano, mes] = versao?.split('-') ?? []
    return mes === undefined
      ? 'Receita Federal, base pública'
      : `Receita Federal, base pública de ${mes}/${ano}`
  }

  /** The kept dossier of a document, if its calls are all still kept. */
  async function findDossie(
    request: FastifyRequest,
  ): Promise<{ pedido: Pedido; dossie: Dossie | undefined }> {
    const { conta } = logadoDe(request)
    const asked = readPedido(request, parametroDe(request, 'rural') !== '')
    const indice = await indices.find(conta.id, asked.documento)
    if (!indice) return { pedido: asked, dossie: undefined }
    const pedido = { ...asked, rural: indice.rural }
    const feitas = await feitasDo(conta.id, indice)
    return {
      pedido,
      dossie: isInteiro(indice, feitas) ? montar(pedido, feitas, new Date(indice.feitoEm)) : undefined,
    }
  }

  const camposDe = (visita: Visita, rural: boolean): Html =>
    html`${sala.campoCsrf(visita.request, visita.reply)}<input type="hidden" name="formulario" value="${randomUUID()}"/>${rural && html`<input type="hidden" name="rural" value="sim"/>`}`

  function drawPronto(visita: Visita, { pedido, dossie, guardado }: Pronto): Promise<string> {
    const nome = dossie.nome || formatDocumento(pedido.documento)
    return sala.draw(visita.request, visita.reply, {
      titulo: `Dossiê de ${nome}`,
      descricao: 'Tudo o que se achou de uma empresa ou de um produtor, em uma página.',
      atual: 'consultar',
      modulos: [estaticos.dossie.caminho],
      creditos: creditosDe(dossie.secoes.flatMap(({ apresentacao }) => apresentacao.partes)),
      conteudo: drawDossie(dossie, {
        prefixo,
        endereco: `${base}${pedido.documento}/`,
        agora: room.now(),
        campos: camposDe(visita, pedido.rural),
        precoDe: (id) => maximoDe(perguntasDo(pedido).filter((one) => one.id === id)),
        precoDeTudo: maximoDe(perguntasDo(pedido)),
        guardado,
      }),
    })
  }

  function drawPago({ request, reply }: Visita, pedido: Pedido, pagas: readonly Paga[]): Promise<string> {
    reply.code(410)
    return sala.draw(request, reply, {
      titulo: 'Não está mais guardado',
      descricao: 'O dossiê não está mais guardado; o registro diz o que foi de cada consulta.',
      atual: 'consultar',
      conteudo: html`<div class="topo"><div><p class="suave trilha">Dossiê de ${formatDocumento(pedido.documento)}</p><h1>Este dossiê não ficou guardado</h1><p class="suave">O formulário já foi respondido e cobrado, e não cobra outra vez.</p></div></div>
<section class="cartao lista-de-custos" aria-labelledby="cobrado"><h2 id="cobrado">O que ele perguntou</h2><table><thead><tr><th scope="col">Consulta</th><th scope="col">O que deu, e quanto custou</th></tr></thead><tbody>${pagas.map(
        ({ pergunta, request_id }) =>
          html`<tr><th scope="row">${findPergunta(pergunta)?.nome}</th><td><a href="${url(`${prefixo}/painel/registro/${request_id}/`)}">Ver no registro<span class="so-leitor">: ${findPergunta(pergunta)?.nome}</span></a></td></tr>`,
      )}</tbody></table><p>As respostas ficam só pelo tempo que a conta escolhe em <a href="${url(`${prefixo}/painel/configuracoes/#guarda`)}">Configurações</a>.</p><p class="acoes"><a class="botao" href="${url(`${base}${pedido.documento}/`)}">Montar de novo · ${maximoDe(perguntasDo(pedido))}</a></p></section>`,
    })
  }

  scope.get('/', { ...HIDDEN, prefixTrailingSlash: 'slash' }, (request, reply) => {
    const texto = parametroDe(request, 'documento').trim()
    const lido = readLido(texto, '', room.now())
    if (lido && lido.problema === undefined && (lido.tipo === 'cpf' || lido.tipo === 'cnpj'))
      return reply.redirect(`${base}${lido.documento}/`, 303)
    return sala.draw(request, reply, {
      titulo: 'Dossiê',
      descricao: 'Tudo de uma empresa ou de um produtor, em uma página.',
      atual: 'consultar',
      conteudo: drawEscolha(
        base,
        texto,
        texto === '' ? undefined : (lido?.problema ?? 'Um dossiê é de um CPF ou de um CNPJ.'),
      ),
    })
  })

  scope.get('/:documento/', HIDDEN, async (request, reply) => {
    const { pedido, dossie } = await findDossie(request)
    if (dossie) return drawPronto({ request, reply }, { pedido, dossie, guardado: true })
    const { conta } = logadoDe(request)
    return sala.draw(request, reply, {
      titulo: `Dossiê de ${formatDocumento(pedido.documento)}`,
      descricao: 'O que um dossiê pergunta, e o que custa no máximo.',
      atual: 'consultar',
      modulos: [estaticos.dossie.caminho],
      conteudo: drawAntes(pedido, {
        base,
        campos: camposDe({ request, reply }, false),
        restantes: available(await room.ledger.saldo(conta)),
      }),
    })
  })

  scope.get('/:documento/:arquivo', HIDDEN, async (request, reply) => {
    const { pedido, dossie } = await findDossie(request)
    if (!dossie || Object(request.params).arquivo !== PAPEL)
      throw new ApiError('ROTA_NAO_ENCONTRADA', 'Este dossiê não está mais guardado: monte-o de novo.')
    return reply
      .headers({
        'content-type': 'application/pdf',
        'content-disposition': `attachment; filename="dossie-${pedido.documento}.pdf"`,
        'cache-control': 'no-store',
      })
      .send(await writePapel(dossie, { agora: room.now(), simulador }))
  })

  scope.post('/:documento/', HIDDEN, async (request, reply) => {
    const visita = { request, reply }
    const pedido = readPedido(request, campoDe(request, 'rural') !== '')
    const quem = { ...visita, logado: logadoDe(request) }
    const formulario = campoDe(request, 'formulario').slice(0, MAIOR_DOCUMENTO)
    const so = campoDe(request, 'so')
    const ask = (antes: FeitoDoDossie | undefined, note: AoMontar['note']) =>
      perguntar(quem, pedido, { formulario, so, antes, note })
    const feito =
      formulario === ''
        ? await ask(undefined, async () => {})
        : await umaVez.run(
            quem,
            [pedido.documento, String(pedido.rural), so, formulario],
            async (antes, note) => {
              const valor = await ask(antes, (pagas) =>
                note({ feitas: [], pagas, guardado: false, isWhole: false }),
              )
              const lembrar = valor.guardado || valor.pagas.length > 0 ? { ...valor, feitas: [] } : undefined
              return { valor, lembrar, partido: !valor.isWhole }
            },
          )
    if (feito.guardado) return reply.redirect(`${base}${pedido.documento}/`, 303)
    if (feito.feitas.length === 0) return drawPago(visita, pedido, feito.pagas)
    return drawPronto(visita, { pedido, dossie: montar(pedido, feito.feitas, room.now()), guardado: false })
  })

  /** Asks what this form has not paid yet, all at once. Each answer is kept and noted as it comes. */
  async function perguntar(
    quem: QuemPergunta,
    pedido: Pedido,
    { formulario, so, antes, note }: AoMontar,
  ): Promise<FeitoDoDossie> {
    const conta_id = quem.logado.conta.id
    const { documento, tipo } = pedido
    const indice = await indices.find(conta_id, documento)
    const kept = indice ? await feitasDo(conta_id, indice) : []
    // The page before says what all of it costs; this button named the price of one question.
    if (so !== '' && !isInteiro(indice, kept)) return { feitas: [], pagas: [], guardado: true, isWhole: true }
    const isFeita = ({ pergunta }: Feita): boolean =>
      formulario !== '' && indice?.pedidos[pergunta]?.formulario === formulario
    const soltas = antes && !antes.guardado ? antes.feitas : []
    const feitas = [...soltas, ...kept.filter(isFeita)]
    const pagas = [...(antes?.pagas ?? [])]
    const rural = pedido.rural || (so !== '' && indice?.rural === true)
    const faltam = perguntasDo({ tipo, rural }).filter(
      ({ id }) => (so === '' || id === so) && !feitas.some(({ pergunta }) => pergunta === id),
    )
    const ask = async (pergunta: PerguntaDoPainel): Promise<Feita> => {
      const entrada = { tipo, documento, uf: '', marcas: [] }
      const feita = await askPergunta(chamador, quem, { pergunta, entrada })
      const { request_id, cobrados = 0 } = feita.respondida
      if (cobrados === 0) return feita
      pagas.push({ pergunta: pergunta.id, request_id })
      await note([...pagas])
      return feita
    }
    const novas = await Promise.all(
      faltam.map(async (pergunta) => {
        const paga = antes?.pagas.find((one) => one.pergunta === pergunta.id)
        const feita = paga
          ? (await findFeita(room, { conta_id, request_id: paga.request_id }))?.feita
          : await guarded(ask(pergunta))
        // What was paid and is lost is not asked again: the log tells of it.
        if (!feita) return paga ? [{ feita: [], isKept: true }] : []
        const { request_id } = feita.respondida
        const anotada = { pergunta: feita.pergunta, request_id, formulario, rural }
        const isKept =
          (paga !== undefined || (await guarded(keepFeita(room, conta_id, feita)))) &&
          (await guarded(indices.note(conta_id, documento, anotada)))
        return [{ feita: [feita], isKept: isKept === true }]
      }),
    )
    const vindas = novas.flat()
    if (faltam.length > 0 && vindas.length === 0) throw new Error('nothing of a dossier could be asked')
    const all = [...feitas, ...vindas.flatMap(({ feita }) => feita)]
    const others =
      so === '' ? [] : kept.filter((one) => !all.some(({ pergunta }) => pergunta === one.pergunta))
    return {
      feitas: [...all, ...others],
      pagas,
      guardado: all.length > 0 && soltas.length === 0 && vindas.every(({ isKept }) => isKept),
      isWhole: vindas.length === faltam.length,
    }
  }

  /** One of them that throws takes nothing from the others, which were paid. */
  const guarded = <T>(work: Promise<T>): Promise<T | undefined> =>
    work.catch((err: unknown) => {
      room.log.error({ err }, 'a part of a dossier failed')
      return undefined
    })
}

const isInteiro = (indice: Indice | undefined, feitas: readonly Feita[]): boolean =>
  feitas.length > 0 && feitas.length === Object.keys(indice?.pedidos ?? {}).length

/** A question that was answered and charged, by the number of its call. */
type Paga = { pergunta: string; request_id: string }

/** `isWhole`: nothing threw on the way, as it does when the visitor leaves. */
type FeitoDoDossie = { feitas: readonly Feita[]; pagas: readonly Paga[]; guardado: boolean; isWhole: boolean }

type AoMontar = {
  formulario: string
  so: string
  antes: FeitoDoDossie | undefined
  note: (pagas: readonly Paga[]) => Promise<void>
}

type Visita = { request: FastifyRequest; reply: FastifyReply }

type Pronto = { pedido: Pedido; dossie: Dossie; guardado: boolean }

const drawEscolha = (base: string, texto: string, falha: string | undefined): Html =>
  html`<div class="topo"><div><h1>Dossiê</h1><p class="suave">Tudo de uma empresa ou de um produtor em uma página, para imprimir ou baixar em PDF.</p></div></div>
<form class="cartao filtros entrada-do-dossie" method="get" action="${url(base)}"><div class="campo"><label for="documento">CPF ou CNPJ</label><input id="documento" name="documento" value="${texto}" maxlength="${MAIOR_DOCUMENTO}" autocomplete="off" spellcheck="false" required="" placeholder="00.000.000/0001-00" aria-invalid="${falha === undefined ? 'false' : 'true'}" aria-describedby="documento-falha"/></div><button class="botao" type="submit">Ver o custo</button><p class="falha" id="documento-falha">${falha}</p></form>
<section class="cartao lista-de-custos" aria-labelledby="o-que-junta"><h2 id="o-que-junta">O que o dossiê junta</h2>${tabelaDePrecos(perguntasDo({ tipo: 'cnpj', rural: true }))}<p>De uma empresa, imóveis e parcelas só entram se você quiser: sem eles, ${maximoDe(perguntasDo({ tipo: 'cnpj', rural: false }))}. Só se paga o que vier, e nada antes de você confirmar.</p></section>`

const tabelaDePrecos = (perguntas: readonly PerguntaDoPainel[]): Html =>
  html`<table><thead><tr><th scope="col">Consulta</th><th scope="col">O que diz</th><th scope="col" class="num">Até (créditos)</th></tr></thead><tbody>${perguntas.map(
    ({ nome, ajuda, price }) =>
      html`<tr><th scope="row">${nome}</th><td class="suave">${semPedido(ajuda)}</td>${celulaDoPreco(mostOf(price))}</tr>`,
  )}</tbody><tfoot><tr><th scope="row" colspan="2">Tudo</th>${celulaDoPreco(mostOfAll(perguntas))}</tr></tfoot></table>`

const celulaDoPreco = (most: number): Html =>
  html`<td class="num" data-unidade="${most === 1 ? 'crédito' : 'créditos'}">${formatNumero(most)}</td>`

/** `Peça pelo CNPJ da matriz` is for who types a number: here the number stands already. */
const semPedido = (ajuda: string): string => ajuda.replace(/ Peça [^.]*\./, '')

type Antes = { base: string; campos: Content; restantes: number }

/** What will be asked, by what it costs at most: nothing is asked before the button. */
function drawAntes(pedido: Pedido, { base, campos, restantes }: Antes): Html {
  const { documento, tipo, rural } = pedido
  const perguntas = perguntasDo(pedido)
  const most = mostOfAll(perguntas)
  const doCampo = perguntasDo({ tipo, rural: true }).filter((one) => !perguntas.includes(one))
  return html`<div class="topo"><div><p class="suave trilha"><a href="${url(base)}">Dossiê</a></p><h1>Dossiê ${tipo === 'cpf' ? 'do produtor' : 'da empresa'}</h1><p class="documento"><code>${formatDocumento(documento)}</code></p></div></div>
<form class="cartao lista-de-custos" id="dossie" method="post" action="${url(`${base}${documento}/`)}" aria-labelledby="o-que-pergunta">${campos}<h2 id="o-que-pergunta">O que o dossiê pergunta</h2>${tabelaDePrecos(perguntas)}${
    !rural &&
    doCampo.length > 0 &&
    html`<p class="campo"><label for="rural"><input type="checkbox" id="rural" name="rural" value="sim"/> Também ${doCampo.map(({ nome }) => nome).join(' e ')} <span class="suave">· ${maximoDe(doCampo)} a mais</span></label></p>`
  }${tipo === 'cpf' && html`<p class="suave">Certidão federal, só há por CNPJ.</p>`}${
    restantes < most &&
    html`<p class="faixa-aviso lento">Restam ${countOf(restantes, 'crédito', 'créditos')}: o que não couber será recusado, sem custo.</p>`
  }<p class="acoes"><button class="botao" type="submit">Montar o dossiê · ${maximoDe(perguntas)}</button> <span class="suave" id="andamento" role="status"></span></p><p class="suave">${restantes >= most && `Restam ${countOf(restantes, 'crédito', 'créditos')}. `}Só se paga o que vier. Uma consulta que falha não custa nada, e pode ser repetida sozinha. Leva cerca de um minuto.</p></form>`
}
