import { comFuso } from '../documento/dia.ts'
import { isUf } from '../documento/inscricao-estadual.ts'
import { codigosUf } from '../documento/uf.ts'
import { writeInfNFe } from '../nfe/inf-nfe.ts'
import { checkChave, createContagem, FORMATO_DA_CHAVE } from '../nfe/nacional.ts'
import { type Nota, notaDe, readChave } from '../nfe/nota.ts'
import { digest, writeProtocolo } from '../nfe/proc.ts'
import type { Autoridade, Mensagem } from '../platform/autoridade.ts'
import { checkTexto } from '../platform/soap.ts'
import { type Campo, NFE, writeCampos } from '../platform/xml.ts'
import {
  type Area,
  openServico,
  type Pergunta,
  propriaDe,
  readArea,
  type ServicoDoAutorizador,
} from './autorizador.ts'
import type { Sefaz } from './sefaz.ts'
import { servicos as deStatus, type Estilo, enderecos, split } from './servicos.ts'
import { checkEsquema, encerrando, isTpAmb, ufs, type Veredito, wrap, writeMotivo } from './status.ts'

const mensagem = {
  servico: 'NFeConsultaProtocolo4',
  wsdl: `${NFE}/wsdl/NFeConsultaProtocolo4`,
  operacao: 'nfeConsultaNF',
  dados: 'nfeDadosMsg',
  namespace: NFE,
  pergunta: 'consSitNFe',
  retorno: 'retConsSitNFe',
}

/** "Relação de Serviços Web", 2026. The server is that of the status service, and writes as that does. */
const servicos: readonly (ServicoDoAutorizador & { estilo: Estilo })[] = enderecos.situacao.map(
  ([id, modelo]) => {
    const status = deStatus.find(({ ids }) => ids.includes(id))
    if (!status) throw new Error(`${id} não tem serviço de status`)
    const { motor, entende, estilo } = status
    const { producao, homologacao } = split(modelo)
    const { servico, wsdl, operacao, dados } = mensagem
    const endereco = `https://${producao}`
    const soap = { servico, wsdl, operacao, entradas: [dados], endereco, entende, motor, estilo }
    return { nome: `Situação da NF-e ${id}`, id, producao, homologacao, soap, estilo }
  },
)

/** What an authorizer answers about a key: the code, the key where it is one, and the note that it has. */
type Situacao = Veredito & { chave?: string; nota?: Nota }

const MAIOR = 10 * 1024
/** How often a caller may ask about one key in an hour (MOC 7.0, 4.3, of NT 2018.002). */
const VEZES = 10

const DA_NOTA = { autorizada: 100, cancelada: 101, denegada: 110 } as const

/**
 * 402, 243, 656 and 678 where imposed, 214, 108 and 109, 215, 239, 404, 587, 588, 252, 236, 614 to 619, 226,
 * 114, 113, 656, 217, 100, 101 or 110. The order inside the area, and where 656 stands, are assumed.
 */
function createRegras(sefaz: Sefaz): (pergunta: Pergunta) => Situacao {
  const passou = createContagem(sefaz.agora, VEZES)
  return (pergunta) => {
    const { entrada, ambiente, imposto } = pergunta
    const area = readArea(entrada)
    const recusa = checkMensagem(area, imposto)
    if (recusa) return recusa
    const [tpAmb, , chNFe] = area?.elementos[0]?.filhos ?? []
    const chave = chNFe?.texto ?? ''
    const say = (cStat: number, mais: Partial<Situacao> = {}): Situacao => ({ cStat, chave, ...mais })
    if (tpAmb?.texto !== ambiente) return say(252)
    const daChave = checkChave(chave, ['55'], sefaz.agora())
    if (daChave) return say(daChave)
    const deFora = checkUf(chave, pergunta, sefaz)
    if (deFora) return say(deFora.cStat, deFora)
    if (passou(`${ambiente} ${entrada.chamador.documento} ${chave}`)) return say(656)
    const nota = ambiente === '1' ? daCasa(chave, pergunta) : undefined
    return nota ? say(DA_NOTA[nota.situacao], { nota }) : say(217)
  }
}

function checkMensagem(area: Area, imposto: number | undefined): Situacao | undefined {
  if (!area) return { cStat: 402 }
  const [raiz, ...resto] = area.elementos
  if (!raiz || resto.length > 0) return { cStat: 243 }
  if (imposto === 678 || imposto === 656) return { cStat: imposto }
  if (Buffer.byteLength(area.texto) > MAIOR) return { cStat: 214 }
  if (imposto) return { cStat: imposto }
  const { versao } = raiz.atributos
  const detalhe = checkEsquema(raiz, mensagem, ESQUEMA)
  if (detalhe) return { cStat: 215, detalhe }
  if (versao !== '4.00') return { cStat: 239 }
  const daArea = checkTexto(area.texto, area.elementos)
  return daArea ? { cStat: daArea } : undefined
}

const ESQUEMA = {
  tpAmb: isTpAmb,
  xServ: (texto: string) => texto === 'CONSULTAR',
  chNFe: (texto: string) => FORMATO_DA_CHAVE.test(texto),
}

/** Whether the authorizer serves the state of the key, by itself or as its contingency (SVC). */
function checkUf(chave: string, { autorizador }: Pergunta, sefaz: Sefaz): Veredito | undefined {
  const uf = ufs.get(chave.slice(0, 2)) ?? ''
  const pelaSvc = autorizador.contingencia.some((uma) => uma === uf)
  if (!isUf(uf) || !(pelaSvc || autorizador.ufs.includes(uf))) return { cStat: 226 }
  const ativacao = pelaSvc ? sefaz.ativacaoDe(autorizador.doc, uf) : undefined
  if (ativacao?.estado === 'desativada') return { cStat: 114 }
  return ativacao?.estado === 'encerrando' ? { cStat: 113, texto: encerrando(uf, ativacao.ate) } : undefined
}

/** The note of a key, where this authorizer has it: an SVC has those alone that were issued through it. */
function daCasa(chave: string, { autorizador }: Pergunta): Nota | undefined {
  const nota = notaDe(chave)
  if (!nota || nota.cenario.existe === 'nunca') return undefined
  const uf = ufs.get(readChave(chave)?.cUF ?? '')
  return autorizador.ufs.some((uma) => uma === uf) ? nota : undefined
}

/** NFeConsultaProtocolo4 of the 12 authorizers of the NF-e, in production and homologation. */
export function createSituacao(sefaz: Sefaz): Autoridade[] {
  const judge = createRegras(sefaz)
  return servicos.map((servico) =>
    openServico(servico, sefaz, (pergunta) => {
      const estilo = { ...servico.estilo, soap: pergunta.soap }
      return writeSituacao(estilo, judge(pergunta), pergunta, sefaz.agora())
    }),
  )
}

/** retConsSitNFe 4.00. It never has the note itself, only what the authorizer had answered to it. */
function writeSituacao(
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
    ['xMotivo', writeMotivo(estilo, situacao)],
    ['cUF', codigosUf[propriaDe(autorizador)]],
    ['dhRecbto', comFuso(agora, estilo.fuso)],
    ['chNFe', chave],
  ]
  const protocolo = nota ? writeProtocolo(nota, digest(writeInfNFe(nota).canonico)) : ''
  return wrap(estilo, mensagem, writeCampos(campos) + protocolo)
}
