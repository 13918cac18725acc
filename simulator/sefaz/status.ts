import type { Autoridade } from '../platform/autoridade.ts'
import type { ServicoSoap } from '../platform/porta.ts'
import { abrirServico, lerArea, propriaDe } from './autorizador.ts'
import { criarInstrumentos } from './instrumento.ts'
import { mensagens } from './mensagem.ts'
import { julgar } from './regras.ts'
import { escreverResposta } from './resposta.ts'
import type { Sefaz } from './sefaz.ts'
import { type ServicoDeStatus, servicos } from './servicos.ts'

/** The 26 addresses of NFeStatusServico4 and CTeStatusServicoV4, each in production and homologation. */
export function criarStatus(sefaz: Sefaz): Autoridade[] {
  const instrumentos = criarInstrumentos(sefaz)
  return servicos.map((servico, indice) => {
    const { ids, producao, homologacao, doc } = servico
    const nome = `Status ${ids.join(' e ')}`
    const aberto = { nome, id: ids[0] ?? '', producao, homologacao, soap: descrever(servico) }
    const autoridade = abrirServico(aberto, sefaz, ({ entrada, autorizador, ambiente, soap, imposto }) => {
      const caso = { autorizador, mensagem: mensagens[doc], chamador: entrada.chamador, ambiente, imposto }
      const veredito = julgar(lerArea(entrada), caso, sefaz)
      const estilo = { ...servico.estilo, soap }
      const momento = { agora: sefaz.agora(), ambiente, propria: propriaDe(autorizador) }
      return escreverResposta({ ...servico, estilo }, veredito, momento)
    })
    return { ...autoridade, ...(indice === 0 ? { instrumentos } : {}) }
  })
}

function descrever({ doc, producao, motor, entende, estilo }: ServicoDeStatus): ServicoSoap {
  const { servico, wsdl, operacao, dados } = mensagens[doc]
  const endereco = `https://${producao}`
  return { servico, wsdl, operacao, entradas: [dados], endereco, entende, motor, estilo }
}
