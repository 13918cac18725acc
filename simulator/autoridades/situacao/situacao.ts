import type { Autoridade } from '../../gateway/autoridade.ts'
import type { Mensagem } from '../../gateway/mensagem.ts'
import { escreverInfNFe } from '../../nfe/inf-nfe.ts'
import { escreverProtocolo } from '../../nfe/proc.ts'
import { digerir } from '../../nfe/resumo.ts'
import { type Campo, escreverCampos } from '../../nfe/xml.ts'
import type { Sefaz } from '../../sefaz/sefaz.ts'
import { abrirServico, type Pergunta, propriaDe } from '../autorizador.ts'
import { comFuso, escreverMotivo, vestir } from '../status/resposta.ts'
import type { Estilo } from '../status/servicos.ts'
import { codigosUf } from '../uf.ts'
import { criarRegras, type Situacao } from './regras.ts'
import { mensagem, servicos } from './servicos.ts'

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
