import { dataBrasileira, mascararDocumento } from '../documento/mascara.ts'
import type { Mensagem } from '../platform/mensagem.ts'
import { escapar } from '../platform/xml.ts'
import { botao, elemento, type Par } from '../portal/html.ts'
import { conferirTrio, idDe, paginaWebForms } from '../portal/webforms.ts'
import { horaDeBrasilia } from './chave.ts'
import { valoresDa } from './inf-nfe.ts'
import { reais } from './item.ts'
import type { Nota } from './nota.ts'
import { irPara, nomeDe, type PedidoNacional, TIPO_CONTEUDO, TITULO } from './pedido.ts'
import { protocoloDe } from './resumo.ts'

const BAIXAR = nomeDe('btnDownload')
const COMPLETA = nomeDe('btnConsultaCompleta')
const AVISO = 'Para fazer o download do documento é necessário um certificado digital. Deseja continuar?'
const SITUACAO = { autorizada: 'Autorizada', cancelada: 'Cancelada', denegada: 'Denegada' } as const

/**
 * `consultaResumo.aspx`: the summary of the note that was found, and the way to its file. That the button
 * posts the form back and is answered by a redirect is a guess: open clients only tell that a click leads to
 * a GET of that address.
 */
export function mostrarResumo(pedido: PedidoNacional): Mensagem {
  const { consulta } = pedido.sessao.dados
  if (!consulta) return irPara(`consultaRecaptcha.aspx?tipoConsulta=resumo&tipoConteudo=${TIPO_CONTEUDO}`)
  if (pedido.metodo !== 'POST') return tela(pedido, consulta.nota)
  if (!conferirTrio(pedido, 'resumo')) return pedido.expirada()
  if (pedido.campos.has(COMPLETA)) return irPara('consultaCompleta.aspx')
  if (!pedido.campos.has(BAIXAR)) return tela(pedido, consulta.nota)
  const { a } = consulta
  const lp = Buffer.from(a).toString('base64')
  // As the real addresses go (2025): neither `+` nor `/` nor `=` escaped, and a space where the contents have
  // a plus.
  const conteudo = TIPO_CONTEUDO.replace('+', '%20')
  return irPara(`downloadNFe.aspx?tipoConsulta=resumo&a=${a}&tipoConteudo=${conteudo}&lp=${lp}`)
}

function tela(pedido: PedidoNacional, nota: Nota): Mensagem {
  const confirma = `return confirm('${AVISO}');`
  return paginaWebForms(pedido, {
    titulo: TITULO,
    etapa: 'resumo',
    conteudo: [
      '<div id="conteudoDinamico"><h2>Resumo da NF-e</h2>',
      elemento('div', { class: 'XSLTNFeResumida' }, resumir(nota).map(linha).join('\n')),
      botao(COMPLETA, 'Consulta Completa', { id: idDe(COMPLETA, true) }),
      botao(BAIXAR, 'Download do documento', { id: idDe(BAIXAR, true), onclick: confirma }),
      '</div>',
    ].join('\n'),
  })
}

function linha([rotulo, valor]: Par): string {
  return `<div class="rowTP01"><div class="wID50"><label>${escapar(rotulo)}</label><p>${escapar(valor)}</p></div></div>`
}

function resumir(nota: Nota): Par[] {
  const { chave, emitente, destinatario, autorizacao, situacao } = nota
  const [dia = '', hora = ''] = horaDeBrasilia(autorizacao).split('T')
  return [
    ['Chave de Acesso', chave],
    ['Número NF-e', String(Number(chave.slice(25, 34)))],
    ['Data de Emissão', `${dataBrasileira(dia)} ${hora}-03:00`],
    ['Emitente', `${mascararDocumento(emitente.documento)} ${emitente.nome}`],
    ['Destinatário', `${mascararDocumento(destinatario.documento)} ${destinatario.nome}`],
    ['Valor Total da Nota Fiscal', reais(valoresDa(nota).total).replace('.', ',')],
    ['Protocolo de Autorização', protocoloDe(nota)],
    ['Situação da NF-e', SITUACAO[situacao]],
  ]
}
