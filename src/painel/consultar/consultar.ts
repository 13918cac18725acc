import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { ApiError, errorCodes } from '../../platform/errors.ts'
import { openUmaVez } from '../../platform/http/once.ts'
import { tallyOf } from '../../platform/http/outcome.ts'
import { prefersEventStream } from '../../platform/http/ready.ts'
import { campoDe, parametroDe } from '../../platform/pages/forms.ts'
import { html, url } from '../../platform/pages/html.ts'
import { readExemplos } from '../../platform/simulator.ts'
import { respostaEm } from '../chamadas.ts'
import type { Sala } from '../sala.ts'
import { askPergunta, openChamador, type QuemPergunta, SemEventos, tellLive } from './chamada.ts'
import {
  CERTIFICADO_DE_TESTE,
  chaveDeRepeticao,
  drawFormularioDaNota,
  FORMULARIO,
  pedidoDaNota,
  readEntradaDaNota,
  readFormulariosDaNota,
  withCertificado,
} from './nota.ts'
import { openPaginas } from './pagina.ts'
import { MAIOR_FORMULARIO_DE_PAPEL, openPapeis, sendArquivo } from './papeis.ts'
import { DOSSIE, ditoDe, enderecoDe, OUTRA_VEZ, perguntasDe, recusadoDe } from './perguntar.ts'
import {
  type EntradaDoPainel,
  findPergunta,
  isInteiro,
  type Lido,
  MAIOR_DOCUMENTO,
  marcas,
  NOTA,
  type PerguntaDoPainel,
  readLido,
} from './perguntas.ts'
import { type Feita, keepFeita } from './respondida.ts'

const HIDDEN = { schema: { hide: true } } as const

/** The room where one asks: one field, the questions that fit it, and the way to the answer. */
export async function openConsultar(scope: FastifyInstance, sala: Sala): Promise<void> {
  const { room, moldura, logadoDe } = sala
  const { prefixo } = moldura
  const base = enderecoDe(prefixo)
  const chamador = openChamador(scope, room)
  const papeis = openPapeis(room.secret, `${base}papel`)
  const paginas = openPaginas(scope, sala, papeis)
  const umaVez = openUmaVez<Desfecho>(room, 'consultar')

  const read = (campo: (nome: string) => string) => {
    const texto = campo('documento').trim()
    const uf = campo('uf')
    return {
      texto,
      uf,
      lido: readLido(texto, uf, room.now()),
      marcas: marcas.map(({ nome }) => nome).filter((nome) => campo(nome) !== ''),
    }
  }

  scope.get('/', { ...HIDDEN, prefixTrailingSlash: 'slash' }, (request, reply) => {
    const dados = read((nome) => parametroDe(request, nome))
    const escolhida = findPergunta(parametroDe(request, 'pergunta'))
    return paginas.drawPerguntas({ request, reply }, { ...comMascara(dados), escolhida })
  })

  /** Answers what a text was read as: the module of the page asks it while somebody types. */
  scope.post('/documento', HIDDEN, async (request, reply) => {
    const { lido } = read((nome) => campoDe(request, nome))
    reply.header('cache-control', 'no-store')
    if (!lido) return { tipo: '', dito: '', mascarado: '', recusado: '' }
    const { tipo, mascarado, problema } = lido
    const dito = problema ?? ditoDe(lido)
    const recusado = recusadoDe(lido)
    return { tipo, mascarado, problema: problema !== undefined, inteiro: isInteiro(lido), recusado, dito }
  })

  scope.post('/', { ...HIDDEN, prefixTrailingSlash: 'slash' }, async (request, reply) => {
    const dados = read((nome) => campoDe(request, nome))
    const visita = { request, reply }
    const anew = findPergunta(campoDe(request, OUTRA_VEZ))
    const pergunta = anew ?? findPergunta(campoDe(request, 'pergunta'))
    const falha = faltaEm(dados, pergunta)
    const isDossie = campoDe(request, 'pergunta') === DOSSIE
    if (falha !== undefined) {
      tallyOf(request).error_code = 'DOCUMENTO_INVALIDO'
      reply.code(errorCodes.DOCUMENTO_INVALIDO.status)
      return paginas.drawPerguntas(visita, { ...dados, escolhida: pergunta, falha })
    }
    const { lido, uf } = dados
    if (isDossie && lido && isDeAlguem(lido))
      return reply.redirect(`${prefixo}/painel/dossie/${lido.documento}/`, 303)
    if (!lido || !pergunta) return paginas.drawPerguntas(visita, comMascara(dados))
    if (pergunta.id === NOTA)
      return reply.redirect(`${base}${NOTA}/?chave=${encodeURIComponent(lido.documento)}`, 303)
    const entrada = {
      tipo: lido.tipo,
      documento: lido.documento,
      uf: pergunta.pedeUf ? uf : '',
      marcas: anew ? anew.marcas.map(({ nome }) => nome) : dados.marcas,
    }
    const quem = { request, reply, logado: logadoDe(request) }
    const formulario = campoDe(request, FORMULARIO).slice(0, MAIOR_DOCUMENTO) || randomUUID()
    const chave = [formulario, pergunta.id, JSON.stringify(entrada)]
    if (pergunta.porEstado && prefersEventStream(request.headers.accept)) {
      reply.header('cache-control', 'no-store')
      try {
        await umaVez.runIfFirst(quem, chave, async (antes, note) => {
          if (antes) return { valor: antes, lembrar: antes }
          const keep = keepPaid(quem, note)
          const enderecoDa = (request_id: string): string => respostaEm(prefixo, request_id)
          return toRemember(await tellLive(quem, { pergunta, entrada, enderecoDa }, { chamador, room, keep }))
        })
      } catch (error) {
        if (!(error instanceof SemEventos)) throw error
      }
      // The page then sends its form as any other, which leads to what it was answered.
      if (!reply.sent && !reply.raw.destroyed) return reply.code(204).send()
      return reply
    }
    const desfecho = await umaVez.run(quem, chave, async (antes, note) => {
      if (antes) return { valor: antes, lembrar: antes }
      const feita = await askPergunta(chamador, quem, { pergunta, entrada })
      return toRemember({ feita, kept: await keepPaid(quem, note)(feita) })
    })
    return finish(quem, desfecho)
  })

  /** A node that dies before the answer is kept leaves the number of what was paid. */
  const keepPaid =
    ({ logado }: QuemPergunta, note: (lembrar: Desfecho) => Promise<void>) =>
    async (feita: Feita): Promise<boolean> => {
      const { request_id, cobrados = 0 } = feita.respondida
      if (cobrados > 0) await note({ request_id, solta: undefined })
      return keepFeita(room, logado.conta.id, feita)
    }

  /** Leads to an answer that is kept; one that is not is shown at once. */
  async function finish(quem: QuemPergunta, { request_id, solta }: Desfecho) {
    if (!solta) return quem.reply.redirect(respostaEm(prefixo, request_id), 303)
    const grande = (await room.guardadas.minutosDe(quem.logado.conta.id)) > 0
    return paginas.drawFeita(quem, solta, { grande })
  }

  // The route of its own keeps files away from every other form.
  await scope.register(async (nota) => {
    await readFormulariosDaNota(nota)
    const endereco = `${base}${NOTA}/`
    nota.get(`/${NOTA}/`, HIDDEN, async (request, reply) => {
      const entrada = readEntradaDaNota((nome) => parametroDe(request, nome))
      return drawNota({ request, reply }, entrada)
    })
    nota.post(`/${NOTA}/`, HIDDEN, async (request, reply) => {
      const entrada = readEntradaDaNota((nome) => campoDe(request, nome))
      const formulario = campoDe(request, FORMULARIO)
      const pedido = withCertificado(pedidoDaNota(entrada), request)
      if (!pedido) {
        tallyOf(request).error_code = 'PARAMETRO_INVALIDO'
        reply.code(errorCodes.PARAMETRO_INVALIDO.status)
        return drawNota({ request, reply }, entrada, { senhaLonga: true })
      }
      const cabecalhos = { 'idempotency-key': chaveDeRepeticao(pedido, formulario) }
      const quem = { request, reply, logado: logadoDe(request) }
      const respondida = await chamador.ask(pedido, quem, cabecalhos)
      const feita = { pergunta: NOTA, entrada, respondida, refeitas: [] }
      const kept = await keepFeita(room, quem.logado.conta.id, feita)
      return finish(quem, toRemember({ feita, kept }).valor)
    })
    nota.get(`/${NOTA}/${CERTIFICADO_DE_TESTE}`, HIDDEN, async (_request, reply) => {
      const { certificado } = (await readExemplos(room.simulador))['/api/consultar-nfe-xml'] ?? {}
      if (typeof certificado !== 'string') throw new ApiError('ROTA_NAO_ENCONTRADA', 'Só o simulador tem um.')
      return reply
        .headers({ 'cache-control': 'no-store', 'content-type': 'application/x-pkcs12' })
        .header('content-disposition', `attachment; filename="${CERTIFICADO_DE_TESTE}"`)
        .send(Buffer.from(certificado, 'base64'))
    })
    const drawNota = async (
      { request, reply }: Pick<QuemPergunta, 'request' | 'reply'>,
      entrada: EntradaDoPainel,
      { senhaLonga } = { senhaLonga: false },
    ) => {
      const pergunta = findPergunta(NOTA)
      if (!pergunta) throw new Error('the question about a note is declared')
      const { conta } = logadoDe(request)
      const campoCsrf = sala.campoCsrf(request, reply)
      return sala.draw(request, reply, {
        titulo: senhaLonga ? `Erro: ${pergunta.nome}` : pergunta.nome,
        descricao: pergunta.ajuda,
        atual: 'consultar',
        conteudo: html`<div class="topo"><div><p class="suave trilha"><a href="${url(base)}">Consultar</a></p><h1>${pergunta.nome}</h1><p class="suave">${pergunta.ajuda}</p></div></div>
<div class="consultar nota-fiscal">${drawFormularioDaNota({ pergunta, entrada, endereco, conta, campoCsrf, senhaLonga })}${await paginas.drawTeste()}</div>`,
      })
    }
  })

  scope.post('/papel', { ...HIDDEN, bodyLimit: MAIOR_FORMULARIO_DE_PAPEL }, async (request, reply) => {
    const [tipo = '', nome = '', papel = ''] = ['tipo', 'nome', 'papel'].map((one) => campoDe(request, one))
    return sendArquivo(reply, papeis.open({ tipo, nome, papel }, logadoDe(request).acesso.id))
  })

  // Until November 2026 each lookup had a form of its own.
  scope.get('/:consulta/', HIDDEN, async (request, reply) => {
    const { consulta } = Object(request.params)
    if (!ANTIGAS.test(String(consulta))) throw new ApiError('ROTA_NAO_ENCONTRADA', 'Não há esta página.')
    const of = (nome: string): string => parametroDe(request, nome)
    const query = new URLSearchParams({
      documento: of('cnpj') || of('cpf') || of('ie') || of('chave'),
      uf: of('uf'),
    })
    return reply.redirect(`${base}?${query}`, 301)
  })
}

/** `solta`: an answer that is not kept, and stands on the page that is drawn of it. */
type Desfecho = { request_id: string; solta: Feita | undefined }

/** A form that was charged is not charged again, though its answer be lost: the page of its call says so. */
function toRemember({ feita, kept }: { feita: Feita; kept: boolean }): {
  valor: Desfecho
  lembrar: Desfecho | undefined
} {
  const { request_id, cobrados = 0 } = feita.respondida
  return {
    valor: { request_id, solta: kept ? undefined : feita },
    lembrar: kept || cobrados > 0 ? { request_id, solta: undefined } : undefined,
  }
}

const ANTIGAS = /^(?:consultar|consultar-[a-z-]+|perfil-produtor)$/

type Dados = { texto: string; uf: string; lido: Lido | undefined; marcas: readonly string[] }

const isDeAlguem = ({ tipo }: Lido): boolean => tipo === 'cpf' || tipo === 'cnpj'

const comMascara = (dados: Dados): Dados => ({
  ...dados,
  texto:
    dados.lido && (dados.lido.problema === undefined || isDeAlguem(dados.lido))
      ? dados.lido.mascarado
      : dados.texto,
})

/** Why it cannot be asked: told here, before anything is asked of anybody. */
function faltaEm({ lido, uf }: Dados, pergunta: PerguntaDoPainel | undefined): string | undefined {
  if (!lido) return 'Escreva um CPF, um CNPJ, uma inscrição estadual ou a chave de uma nota.'
  if (lido.problema !== undefined) return lido.problema
  if (!pergunta) return undefined
  if (!perguntasDe(lido.tipo).includes(pergunta))
    return `${pergunta.nome} não se pergunta por este documento. Veja abaixo o que serve para ele.`
  if (pergunta.pedeUf && uf === '') return `Para ${pergunta.nome}, escolha também o estado.`
  return undefined
}
