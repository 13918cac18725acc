import type { FastifyReply, FastifyRequest } from 'fastify'
import { takeBoasVindas } from '../contas/acesso.ts'
import { readAjustes, summarize } from '../contas/lookup.ts'
import { findUsos, type Uso } from '../contas/store-dias.ts'
import { diaDe, diaDepois } from '../documento/dia.ts'
import { DIAS_DO_REGISTRO } from '../platform/http/outcome.ts'
import { countOf, formatQuando, formatTempo } from '../platform/pages/formatos.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { cartao, type MolduraDoSite } from '../platform/pages/layout.ts'
import { baseDe, estaticos } from '../platform/pages/moldura.ts'
import { faltaEm, isFalha, nomeDaFalha, nomeDoEndpoint } from './chamadas.ts'
import type { OpenSala, PainelRoom, Sala } from './sala.ts'

/** A company of the sample base and of the simulator, which everybody knows. */
const PRIMEIRA_CONSULTA = '/api/consultar-cnpj?cnpj=00000000000191'

/** Whether the account's program has reached us, in words and as the page's light. */
type Sinal = { aceso: boolean; falhou: boolean; texto: string; endereco: string; saldo?: string }

type VistaDoComeco = {
  base: string
  csrf: Content
  /** The key in full, the first time and where its owner asks for it. */
  chave: string | undefined
  servico: string
  sinal: Sinal
  prefixo: string
}

function paginaDoComeco({ base, csrf, chave, servico, sinal, prefixo }: VistaDoComeco): Html {
  const consulta = servico + PRIMEIRA_CONSULTA
  const naLinha = chave ?? 'COLE_AQUI_A_SUA_CHAVE'
  return html`<div class="topo"><div><h1>Do cadastro à primeira resposta</h1><p class="suave">Três passos, um minuto. A consulta do exemplo custa 1 crédito.</p></div><a class="discreto" href="${url(`${prefixo}/painel/consultar/`)}">Sem terminal, consulte no navegador</a></div>
<ol class="comeco">${[
    passo(
      '1. A sua chave',
      'a-chave',
      chave === undefined
        ? html`<p>Ela abre a API e gasta os créditos da conta: por isso fica escondida. Mostre-a, e os comandos ficam prontos.</p><form method="post" action="${url(`${base}mostrar/`)}">${csrf}<button class="botao" type="submit">Mostrar a chave</button></form>`
        : html`<p class="segredo"><code id="chave">${chave}</code> <button class="discreto" type="button" data-copiar="chave" hidden="">Copiar</button></p><p class="suave">Da próxima vez esta página a esconde. Em <a href="${url(`${prefixo}/painel/configuracoes/`)}">Configurações</a> você a mostra de novo, ou a troca.</p>`,
    ),
    passo(
      '2. Cole no terminal',
      'o-comando',
      html`${comando('bash, no Linux, no Mac ou no Git Bash', `curl -s -H 'X-API-Key: ${naLinha}' '${consulta}'`)}${comando('PowerShell, no Windows', `curl.exe -s -H "X-API-Key: ${naLinha}" "${consulta}"`)}`,
    ),
    passo(
      '3. A sua chamada aparece aqui',
      'a-luz',
      html`<p class="sinal ${sinal.aceso && 'aceso'} ${sinal.falhou && 'falhou'}" id="sinal" role="status" data-sinal="${sinal.aceso ? '' : `${base}sinal`}"><strong>${sinal.texto}</strong></p><p class="acoes"><a class="discreto" href="${url(base)}">Verificar agora</a> <a id="a-chamada" href="${url(sinal.endereco)}">${NO_REGISTRO}</a></p>`,
    ),
  ]}</ol>
<p>Para o seu programa, o <a href="${url(`${prefixo}/docs/`)}">guia</a> tem cada consulta com o código pronto.</p>`
}

const NO_REGISTRO = 'Ver em Chamadas'

const passo = (titulo: string, id: string, conteudo: Content): Html =>
  html`<li>${cartao({ titulo, id }, conteudo)}</li>`

const comando = (nome: string, linha: string): Html =>
  html`<h3>${nome}</h3><pre class="trecho-de-codigo" tabindex="0" role="region" aria-label="${nome}"><code>${linha}</code></pre>`

/** The newest call of the account, which may have ended a moment ago. */
async function readSinal(room: PainelRoom, conta_id: string, prefixo: string): Promise<Sinal> {
  const { db, now, usos } = room
  await usos.flushOf(conta_id)
  const ate = diaDe(now().getTime())
  const { usos: achados } = await findUsos(
    db,
    conta_id,
    { de: diaDepois(ate, 1 - DIAS_DO_REGISTRO), ate },
    { sentido: 'antigas', marco: undefined, linhas: 2, scan: 2 },
  )
  const [ultimo, penultimo] = achados
  const registro = `${prefixo}/painel/registro/`
  if (ultimo === undefined)
    return { aceso: false, falhou: false, texto: 'Esperando a primeira chamada da conta', endereco: registro }
  const { disponiveis } = (await summarize(room, conta_id)).resumo.creditos
  return {
    aceso: true,
    falhou: isFalha(ultimo) || ultimo.fontes_falhas > 0 || faltaEm(ultimo) !== undefined,
    texto: `${penultimo ? 'A última chegou' : 'Chegou'} ${tellChamada(ultimo, ate)}`,
    endereco: `${registro}${ultimo.request_id}/`,
    saldo: countOf(disponiveis, 'crédito', 'créditos'),
  }
}

function tellChamada(uso: Uso, hoje: string): string {
  const { criado_em, endpoint, http, error_code, fontes_falhas, creditos, ms } = uso
  const [dia, hora] = formatQuando(criado_em).split(' ')
  const falhas = countOf(fontes_falhas, 'fonte não respondeu', 'fontes não responderam')
  const falta = faltaEm(uso)?.replace(/^./, (first) => first.toLowerCase())
  const como =
    http < 400 && error_code === ''
      ? `${falta ?? 'entregue'} ${fontes_falhas > 0 ? `em parte (${falhas}) ` : ''}em ${formatTempo(ms)}`
      : `${http < 400 ? 'sem resposta' : 'recusada'} (${nomeDaFalha(error_code || `HTTP ${http}`)})`
  return `${diaDe(criado_em) === hoje ? '' : `em ${dia} `}às ${hora}: ${nomeDoEndpoint(endpoint)}, ${como}, ${countOf(creditos, 'crédito', 'créditos')}`
}

const MOSTRAR = '/mostrar/'

const baseOf = ({ prefixo }: MolduraDoSite): string => `${prefixo}/painel/comecar/`

const HIDDEN = { schema: { hide: true } } as const

/** What somebody does first: his key, shown once, a command with it, and a light for the first call. */
export const openComecar: OpenSala = (scope, sala) => {
  const { room, logadoDe, moldura } = sala
  scope.get('/', HIDDEN, async (request, reply) =>
    drawComeco(sala, request, reply, takeBoasVindas(request, reply, moldura)),
  )
  scope.post(MOSTRAR, HIDDEN, (request, reply) => drawComeco(sala, request, reply, true))
  // Who opens the address of the form finds the page that it is on.
  scope.get(MOSTRAR, HIDDEN, async (_request, reply) => reply.redirect(baseOf(moldura), 303))
  scope.get('/sinal', HIDDEN, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    return readSinal(room, logadoDe(request).conta.id, moldura.prefixo)
  })

  async function drawComeco(
    { campoCsrf, draw }: Sala,
    request: FastifyRequest,
    reply: FastifyReply,
    isRevealed: boolean,
  ): Promise<string> {
    const { id } = logadoDe(request).conta
    const { prefixo } = moldura
    const { chave } = isRevealed ? await readAjustes(room, id, room.now()) : {}
    const texto = chave?.texto === 'outro-segredo' ? undefined : chave?.texto
    const sinal = await readSinal(room, id, prefixo)
    return draw(request, reply, {
      titulo: 'Primeiros passos',
      descricao: 'A sua chave, o comando pronto para colar, e a luz da primeira chamada.',
      atual: undefined,
      modulos: sinal.aceso ? [] : [estaticos.comecar.caminho],
      conteudo: paginaDoComeco({
        base: baseOf(moldura),
        csrf: campoCsrf(request, reply),
        chave: texto,
        servico: baseDe(scope, moldura),
        sinal,
        prefixo,
      }),
    })
  }
}
