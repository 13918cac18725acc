import { type Html, html } from '../platform/pages/html.ts'
import { cartao } from '../platform/pages/layout.ts'
import { autorizadores, type Doc, nomeDoDoc } from './rules.ts'
import { conferirPalavra } from './rules-historico.ts'
import { contar, formatParte } from './textos.ts'
import type { AmbienteNacional, Vista } from './vista.ts'

/** How the authorities' own word fared: of the readings that said normal, those that our calls denied. */
export function cartaoDaPalavra({ dias }: Vista, doc: Doc): Html {
  const rows = autorizadores
    .filter((one) => one.doc === doc)
    .map(({ id, nome }) => ({ nome, ...conferirPalavra([...(dias.get(id)?.values() ?? [])]) }))
    .filter(({ conferidas }) => conferidas > 0)
  return cartao(
    { titulo: 'A palavra da própria SEFAZ', id: 'palavra', classe: 'meio' },
    html`<p>Das leituras em que o autorizador disse estar no ar enquanto nós o consultávamos, em quantas uma consulta nossa falhou, em 90 dias.</p>${
      rows.length === 0
        ? html`<p class="vazio">Ainda não houve consultas nossas, de ${nomeDoDoc[doc]}, que confirmassem ou desmentissem.</p>`
        : html`<table class="palavra"><thead><tr><th scope="col">Autorizador</th><th scope="col" class="num">Conferidas</th><th scope="col" class="num">Desmentidas</th><th scope="col" class="num">Parte</th></tr></thead><tbody>${rows.map(
            ({ nome, conferidas, desmentidas }) =>
              html`<tr><th scope="row">${nome}</th><td class="num">${conferidas.toLocaleString('pt-BR')}</td><td class="num">${desmentidas.toLocaleString('pt-BR')}</td><td class="num">${formatParte(desmentidas / conferidas)}</td></tr>`,
          )}</tbody></table>`
    }`,
  )
}

const doNacional = {
  respondendo: ['bom', 'Responde'],
  instavel: ['lento', 'Falha às vezes'],
  falhando: ['ruim', 'Falha'],
  sem_leitura: ['', 'Sem consultas'],
} as const satisfies Record<AmbienteNacional['situacao'], readonly [string, string]>

/** The national environment, which nobody probes. How many calls we made there is not for the public. */
export const cartaoNacional = ({ nacional }: Vista): Html =>
  cartao(
    { titulo: 'Ambiente nacional', id: 'nacional', classe: 'meio' },
    html`<p>O ambiente nacional, de onde vêm as notas pela chave, não tem serviço de status, e nós não o sondamos. Vale o que as nossas próprias consultas encontraram na última hora.</p>${
      nacional.length === 0
        ? html`<p class="vazio">Nenhuma consulta na última hora.</p>`
        : html`<dl class="fatos nacional">${nacional.map(
            ({ nome, situacao }) =>
              html`<dt>${nome}</dt><dd><span class="selo ${doNacional[situacao][0]}">${doNacional[situacao][1]}</span></dd>`,
          )}</dl>`
    }`,
  )

/** Where the figures come from. */
export const cartaoDaFonte = ({ quadro, intervaloS }: Vista): Html =>
  cartao(
    { titulo: 'De onde vêm estes dados', id: 'fonte' },
    html`<p>${
      quadro?.rodada.fonte === 'paginas'
        ? 'Sem certificado do operador, lemos as páginas públicas de disponibilidade que as próprias autoridades mantêm: dizem se um autorizador está disponível, não dizem tempos e nada dizem da NFC-e.'
        : 'O serviço de status de cada autorizador é perguntado com o certificado do operador; o tempo vai da pergunta à resposta inteira, sem o da conexão. Um autorizador que serve vários estados é perguntado uma vez, e a leitura vale para todos.'
    } Cada um é perguntado a cada ${textoDoIntervalo(intervaloS)}; quem pede menos perguntas é perguntado menos.</p><dl class="classes"><div><dt>Normal</dt><dd>média abaixo de 2 s</dd></div><div><dt>Lento</dt><dd>de 2 a 6 s</dd></div><div><dt>Muito lento</dt><dd>de 6 a 30 s</dd></div><div><dt>Erro</dt><dd>recusou, disse estar parado ou não pôde ser alcançado</dd></div><div><dt>Timeout</dt><dd>não respondeu em 30 s</dd></div><div><dt>Indisponível</dt><dd>sem leitura das últimas três rodadas</dd></div></dl><p class="suave">A média é a das três últimas leituras. Três leituras ruins seguidas abrem um incidente, três boas o encerram. A história deixa de fora as rodadas em que nenhum serviço respondeu, e as leituras em que um autorizador recusou a nossa pergunta.</p>`,
  )

const textoDoIntervalo = (seconds: number): string =>
  seconds % 60 === 0 ? contar(seconds / 60, 'minuto', 'minutos') : `${seconds} segundos`
