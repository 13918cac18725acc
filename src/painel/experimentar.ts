import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../platform/errors.ts'
import { prefersEventStream } from '../platform/http/ready.ts'
import { available } from '../platform/ledger/rules.ts'
import { campoDe, parametroDe } from '../platform/pages/forms.ts'
import type { Content } from '../platform/pages/html.ts'
import { baseDe, estaticos } from '../platform/pages/moldura.ts'
import { openOnce } from '../platform/pages/por-palavra.ts'
import { readExemplos, readRoteiro } from '../platform/simulator.ts'
import { DIAGNOSTICO } from '../rejeicoes/page-busca.ts'
import { contarAoVivo } from './ao-vivo.ts'
import { openChamador, type QuemPergunta } from './chamada.ts'
import { escreverCodigo } from './experimentar/codigo.ts'
import { type ConsultaDaApi, lerConsultas } from './experimentar/consulta.ts'
import { type Exemplo, escreverNotaDeTeste, lerExemplo } from './experimentar/exemplos.ts'
import { escreverConsulta, escreverLista, type Feita } from './experimentar/pagina.ts'
import { lerValores, type PedidoDaPagina, pedidoDe, type Valores } from './experimentar/pedido.ts'
import { MAIOR_FORMULARIO_DE_PAPEL } from './experimentar/por-estado.ts'
import { chaveDeRepeticao, comCertificado, lerFormulariosDaNota } from './nota.ts'
import type { Sala } from './painel.ts'
import { openPapeis } from './papeis.ts'

/** The room where each lookup is tried, in the name of the visitor's account. */
export async function abrirExperimentar(scope: FastifyInstance, sala: Sala): Promise<void> {
  const { room, moldura, logadoDe } = sala
  const base = `${moldura.prefixo}/painel/experimentar/`
  const chamador = openChamador(scope, room)
  const papeis = openPapeis(room.secret, `${base}papel`)
  const consultas = openOnce(async () => lerConsultas((await scope.inject('/openapi.json')).json()))
  const roteiro = openOnce(async () =>
    (await readRoteiro(room.simulador)).flatMap((one) => lerExemplo(one) ?? []),
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

  /** The page of a lookup, with the answer to a call where one was made. */
  async function escrever(
    { request, reply }: { request: FastifyRequest; reply: FastifyReply },
    { consulta, valores, feita }: { consulta: ConsultaDaApi; valores: Valores; feita?: Feita | undefined },
  ): Promise<string> {
    // The page is there without the simulator, which may be starting again.
    const todos: readonly Exemplo[] = await roteiro().catch(() => [])
    const exemplos = todos.filter(({ endpoint }) => endpoint === consulta.caminho && endpoint !== NOTA_NA_API)
    const conteudo = escreverConsulta({
      consulta,
      valores,
      feita,
      exemplos,
      endereco: `${base}${consulta.id}/`,
      campoCsrf: sala.campoCsrf(request, reply),
      nota: consulta.id === NOTA && (await escreverTeste()),
      sugestoes: sugestoesDe(exemplos),
      restantes: await restantesDe(request),
      prefixo: moldura.prefixo,
    })
    return sala.escrever(request, reply, {
      titulo: consulta.nome,
      descricao: consulta.descricao,
      atual: 'experimentar',
      modulos: consulta.parte === 'uf' ? [estaticos.experimentar.caminho] : [],
      conteudo,
    })
  }

  /** How the simulator's own note is asked for, with its certificate. */
  async function escreverTeste(): Promise<Content> {
    const known = (await readExemplos(room.simulador).catch(() => undefined))?.[NOTA_NA_API]
    if (!known) return false
    const { chave, senha } = known
    return escreverNotaDeTeste({
      chave: String(chave),
      senha: String(senha),
      endereco: `${base}${NOTA}/`,
      arquivo: `${base}${NOTA}/${CERTIFICADO_DE_TESTE}`,
    })
  }

  scope.get('/', { schema: { hide: true }, prefixTrailingSlash: 'slash' }, async (request, reply) =>
    sala.escrever(request, reply, {
      titulo: 'Experimentar',
      descricao: 'Cada consulta da API em um formulário, com o que custa e o que responde.',
      atual: 'experimentar',
      conteudo: escreverLista(await consultas(), {
        enderecoDe: (id) => `${base}${id}/`,
        restantes: await restantesDe(request),
        diagnostico: moldura.prefixo + DIAGNOSTICO,
      }),
    }),
  )

  const mostrar = async (request: FastifyRequest, reply: FastifyReply, id?: string): Promise<string> => {
    const consulta = await findConsulta(request, id)
    const valores = lerValores(consulta.campos.filter(isPublico), (nome) => parametroDe(request, nome))
    return escrever({ request, reply }, { consulta, valores })
  }
  scope.get('/:consulta/', { schema: { hide: true } }, (request, reply) => mostrar(request, reply))

  scope.post('/:consulta/', { schema: { hide: true } }, async (request, reply) => {
    const consulta = await findConsulta(request)
    const valores = lerValores(consulta.campos, (nome) => campoDe(request, nome))
    const quem = { request, reply, logado: logadoDe(request) }
    if (consulta.parte === 'uf' && prefersEventStream(request.headers.accept)) {
      const pedido = pedidoDe(consulta, valores)
      const codigo = escreverCodigo(pedido, baseDe(scope, moldura))
      reply.header('cache-control', 'no-store')
      if (await contarAoVivo(quem, { pedido, codigo }, { chamador, papeis })) return reply
      return reply.code(204).send()
    }
    const feita = await fazer(quem, { consulta, valores })
    return escrever({ request, reply }, { consulta, valores, feita })
  })

  // The route of its own keeps files away from every other form.
  await scope.register(async (nota) => {
    await lerFormulariosDaNota(nota)
    nota.get(`/${NOTA}/`, { schema: { hide: true } }, (request, reply) => mostrar(request, reply, NOTA))
    nota.post(`/${NOTA}/`, { schema: { hide: true } }, async (request, reply) => {
      const consulta = await findConsulta(request, NOTA)
      const valores = lerValores(consulta.campos.filter(isPublico), (nome) => campoDe(request, nome))
      const formulario = campoDe(request, FORMULARIO)
      const inteiro = comCertificado(pedidoDe(consulta, valores), request)
      const cabecalhos = { 'idempotency-key': chaveDeRepeticao(inteiro, formulario) }
      const quem = { request, reply, logado: logadoDe(request) }
      const feita = await fazer(quem, { consulta, valores, inteiro, cabecalhos })
      return escrever({ request, reply }, { consulta, valores, feita })
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

  async function fazer(
    quem: QuemPergunta,
    { consulta, valores, inteiro, cabecalhos }: Asked,
  ): Promise<Feita> {
    const pedido = pedidoDe(consulta, valores)
    const respondida = await chamador.perguntar(inteiro ?? pedido, quem, cabecalhos)
    return {
      respondida,
      codigo: escreverCodigo(pedido, baseDe(scope, moldura)),
      papeis: papeis.lacrar(respondida.corpo, quem.logado.acesso.id),
    }
  }

  scope.post(
    '/papel',
    { schema: { hide: true }, bodyLimit: MAIOR_FORMULARIO_DE_PAPEL },
    async (request, reply) => {
      const [tipo, nome, papel] = ['tipo', 'nome', 'papel'].map((one) => campoDe(request, one))
      return papeis.abrir(
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

/** Whether a field may stand on the page again. */
const isPublico = ({ tipo }: ConsultaDaApi['campos'][number]): boolean =>
  tipo !== 'arquivo' && tipo !== 'senha'

/** The most documents that a field suggests. */
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
