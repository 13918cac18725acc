import { codigosUf } from '../documento/uf.ts'
import { escreverInfNFe } from '../nfe/inf-nfe.ts'
import { escreverProtocolo } from '../nfe/proc.ts'
import { digerir } from '../nfe/resumo.ts'
import type { Autoridade } from '../platform/autoridade.ts'
import type { Mensagem } from '../platform/mensagem.ts'
import { type Campo, escreverCampos } from '../platform/nfe-xml.ts'
import { abrirServico, type Pergunta, propriaDe } from './autorizador.ts'
import { comFuso, escreverMotivo, vestir } from './resposta.ts'
import type { Sefaz } from './sefaz.ts'
import type { Estilo } from './servicos.ts'
import { criarRegras, type Situacao } from './situacao-regras.ts'
import { mensagem, servicos } from './situacao-servicos.ts'

/** NFeConsultaProtocolo4 of the 12 authorizers of the NF-e, in production and homologation. */
export function criarSituacao(sefaz: Sefaz): Autoridade[] {
  const julgar = criarRegras(sefaz)
  return servicos.map((servico) =>
    abrirServico(servico, sefaz, (pergunta) => {
      const estilo = { ...servico.estilo, soap: pergunta.soap }
      return escrever(estilo, julgar(pergunta), pergunta, sefaz.agora())
    }),
  )
}

/** retConsSitNFe 4.00. It never has the note itself, only what the authorizer had answered to it. */
function escrever(
  estilo: Estilo,
  situacao: Situacao,
  { ambiente, autorizador }: Pergunta,
  agora: Date,
): Mensagem {
  const { cStat, chave, nota } = situacao
  const campos: readonly Campo[] = [
    ['tpAmb', ambiente],
    ['verAplic', estilo.verAplic],
    ['cStat', String(cStat)],
    ['xMotivo', escreverMotivo(estilo, situacao)],
    ['cUF', codigosUf[propriaDe(autorizador)]],
    ['dhRecbto', comFuso(agora, estilo.fuso)],
    ['chNFe', chave],
  ]
  const protocolo = nota ? escreverProtocolo(nota, digerir(escreverInfNFe(nota).canonico)) : ''
  return vestir(estilo, mensagem, escreverCampos(campos) + protocolo)
}
