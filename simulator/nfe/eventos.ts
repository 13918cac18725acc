import { X509Certificate } from 'node:crypto'
import { DIA_MS } from '../documento/dia.ts'
import { tipoDoDocumento } from '../documento/documento.ts'
import { type Autoridade, type Chamador, send } from '../platform/autoridade.ts'
import { atributosDe, type Entrada, isFolha, receiveSoap, semTexto } from '../platform/soap.ts'
import { type Campo, NFE, writeCampos } from '../platform/xml.ts'
import type { EfeitoNfe } from './cenario.ts'
import {
  checkAssinatura,
  type EventoPedido,
  findTipo,
  type Leitura,
  readEnvEvento,
  type TipoDeEvento,
} from './evento.ts'
import { dataHora } from './inf-nfe.ts'
import {
  ambienteDe,
  checkChave,
  createBloqueio,
  createContagem,
  estiloDoAn,
  type MeiosDoAn,
  motivoDoAn,
  sendWithEfeitoNfe,
  servicoDoAn,
  type TpAmb,
} from './nacional.ts'
import { type EventoRegistrado, efeitoDoEvento, horaDeBrasilia, type Nota, notaDe } from './nota.ts'

const MINUTO_MS = 60_000
const AMBIENTE_NACIONAL = '91'

/** `xJust`: 15 to 255 printable characters, no spaces at the ends (leiauteConfRecebto_v1.00.xsd). */
const JUSTIFICATIVA = /^[!-ÿ][ -ÿ]{13,253}[!-ÿ]$/

/** Rules 491, 492 and 493 (NT 2020.001 v1.50, 6.3.6). */
function checkTipo({ tpEvento, verEvento, detEvento }: EventoPedido): number | undefined {
  const tipo = findTipo(tpEvento)
  if (!tipo) return 491
  if (verEvento !== '1.00') return 492
  const [descEvento, xJust, ...resto] = detEvento.filhos
  const certo =
    detEvento.atributos.versao === '1.00' &&
    semTexto(detEvento) &&
    detEvento.filhos.every(isFolha) &&
    descEvento?.nome === 'descEvento' &&
    descEvento.texto === tipo.descEvento &&
    resto.length === 0
  if (!certo) return 493
  if (!xJust) return undefined
  const justifica =
    tipo.justificativa !== 'nenhuma' && xJust.nome === 'xJust' && atributosDe(xJust).length === 0
  return justifica && JUSTIFICATIVA.test(xJust.texto) ? undefined : 493
}

/** Rules 572, 250, 252, 489, 490, 236 and 614 to 619 (NT 2020.001 v1.50, 6.3.7). */
function checkCampos(evento: EventoPedido, ambiente: TpAmb, agora: Date): number | undefined {
  const { id, tpEvento, chave, nSeqEvento, cOrgao, tpAmb, autor } = evento
  if (id !== `ID${tpEvento}${chave}${nSeqEvento.padStart(2, '0')}`) return 572
  if (cOrgao !== AMBIENTE_NACIONAL) return 250
  if (tpAmb !== ambiente) return 252
  if (tipoDoDocumento(autor.documento) !== autor.tipo) return autor.tipo === 'cnpj' ? 489 : 490
  return checkChave(chave, ['55', '65'], agora)
}

/** Rules 578, 577 and 573. 579 never comes: the notes are authorized when they are issued. */
function checkOcorrencia(
  evento: EventoPedido,
  nota: Nota | undefined,
  registrados: readonly EventoRegistrado[],
  agora: Date,
): number | undefined {
  const { dhEvento, tpEvento, nSeqEvento } = evento
  if (dhEvento.getTime() > agora.getTime() + 5 * MINUTO_MS) return 578
  if (nota && dhEvento < nota.autorizacao) return 577
  const repetido = registrados.some(
    (outro) => outro.tpEvento === tpEvento && outro.nSeqEvento === Number(nSeqEvento),
  )
  return repetido ? 573 : undefined
}

type Recusa = { cStat: number; detalhe?: string }

/** Rules 575, 595, 594, 596, 650, 651, 655 and 496 (NT 2020.001 v1.50, 6.3.7 and 6.3.8). */
function checkManifestacao(
  evento: EventoPedido,
  tipo: TipoDeEvento,
  nota: Nota | undefined,
  registrados: readonly EventoRegistrado[],
  agora: Date,
): Recusa | undefined {
  const { autor, nSeqEvento, chave, tpEvento, detEvento } = evento
  const sequencia = Number(nSeqEvento)
  if (nota && nota.destinatario.documento !== autor.documento) return { cStat: 575 }
  if (tipo.justificativa === 'obrigatoria' && detEvento.filhos.length < 2) return { cStat: 595 }
  if (sequencia < 1 || sequencia > tipo.vezes) return { cStat: 594 }
  if (nota && agora.getTime() - nota.autorizacao.getTime() > tipo.prazoDias * DIA_MS)
    return { cStat: 596, detalhe: `${FORA_DO_PRAZO}: [${tipo.prazoDias} dias]` }
  if (nota && nota.situacao !== 'autorizada') {
    if (tpEvento === CIENCIA) return { cStat: 650 }
    if (tpEvento === DESCONHECIMENTO) return { cStat: 651 }
  }
  const concluida = registrados.some((outro) => findTipo(outro.tpEvento)?.conclusivo)
  if (tpEvento === CIENCIA && concluida) return { cStat: 655 }
  return /[1-7]/.test(chave.charAt(34)) ? undefined : { cStat: 496 }
}

const FORA_DO_PRAZO = 'Evento apresentado apos o prazo permitido para o evento'

const CIENCIA = '210210'
const DESCONHECIMENTO = '210220'

function notaConhecida(chave: string): Nota | undefined {
  const nota = notaDe(chave)
  return nota?.cenario.existe === 'sim' ? nota : undefined
}

type Desfecho = Recusa & {
  evento: EventoPedido
  nProt?: string
  efeito?: EfeitoNfe | undefined
}

type Registrar = (evento: EventoPedido, area: string, ambiente: TpAmb) => Promise<Desfecho>

/** In the order of NT 2020.001 v1.50, 6.3.6 to 6.3.8; what goes wrong by scenario comes after 573. */
function createRegistro({ agora, livro }: MeiosDoAn, cadeia: readonly X509Certificate[]): Registrar {
  let ultimo = 0
  const register = (evento: EventoPedido, cStat: number, efeito?: EfeitoNfe): Desfecho => {
    ultimo += 1
    const nProt = `891${horaDeBrasilia(agora()).slice(2, 4)}${String(ultimo).padStart(10, '0')}`
    const { chave, tpEvento, nSeqEvento } = evento
    livro.register(chave, { tpEvento, nSeqEvento: Number(nSeqEvento) })
    return { evento, cStat, nProt, efeito }
  }
  return async (evento, area, ambiente) => {
    const forma =
      checkTipo(evento) ??
      (await checkAssinatura(evento, { area, cadeia, agora: agora() })) ??
      checkCampos(evento, ambiente, agora())
    // Nothing is awaited from here on: of two equal events at once one is a duplicate.
    const nota = notaConhecida(evento.chave)
    const registrados = livro.eventosDe(evento.chave)
    const cStat = forma ?? checkOcorrencia(evento, nota, registrados, agora())
    if (cStat) return { evento, cStat }
    const efeito = efeitoDoEvento(evento.tpEvento, notaDe(evento.chave), evento.autor.documento)
    if (efeito?.tipo === 'codigo')
      return REGISTRA.includes(efeito.cStat)
        ? register(evento, efeito.cStat)
        : { evento, cStat: efeito.cStat }
    if (efeito && ANTES.includes(chegada(efeito))) return { evento, cStat: 999, efeito }
    const tipo = findTipo(evento.tpEvento)
    const recusa = tipo ? checkManifestacao(evento, tipo, nota, registrados, agora()) : { cStat: 491 }
    return recusa ? { evento, ...recusa, efeito } : register(evento, nota ? 135 : 136, efeito)
  }
}

const REGISTRA: readonly number[] = [135, 136]

/** What goes wrong before the service gets to see the event, so that nothing is registered. */
const ANTES: readonly string[] = ['fault', 'pagina', 'redireciona', 'tls', 'queda antes']

const chegada = (efeito: EfeitoNfe): string =>
  efeito.tipo === 'queda' ? `queda ${efeito.quando}` : efeito.tipo

const WSDL = 'http://www.portalfiscal.inf.br/nfe/wsdl/NFeRecepcaoEvento4'

type Resultado = { idLote?: string | undefined; cStat: number; desfechos?: readonly Desfecho[] }

/** A retEnvEvento 1.00 (leiauteConfRecebto_v1.00.xsd; answers captured in 2023 and 2026). */
function writeRetorno({ idLote = '0', cStat, desfechos = [] }: Resultado, tpAmb: TpAmb, agora: Date): string {
  const campos: Campo[] = [
    ['idLote', idLote],
    ...cabecalho(tpAmb, cStat),
    ...desfechos.map(
      (desfecho): Campo => ['retEvento versao="1.00"', [writeInfEvento(desfecho, tpAmb, agora)]],
    ),
  ]
  return writeCampos([
    [`nfeRecepcaoEventoNFResult xmlns="${WSDL}"`, [[`retEnvEvento versao="1.00" xmlns="${NFE}"`, campos]]],
  ])
}

const cabecalho = (tpAmb: TpAmb, cStat: number, detalhe?: string): Campo[] => [
  ['tpAmb', tpAmb],
  ['verAplic', 'AN_1.10.2'],
  ['cOrgao', '91'],
  ['cStat', String(cStat)],
  ['xMotivo', motivoDoAn(cStat, detalhe)],
]

/** Id, the recipient and nProt come only with what was registered. */
function writeInfEvento({ evento, cStat, detalhe, nProt }: Desfecho, tpAmb: TpAmb, agora: Date): Campo {
  const { chave, tpEvento, nSeqEvento, autor } = evento
  return [
    nProt ? `infEvento Id="ID${nProt}"` : 'infEvento',
    [
      ...cabecalho(tpAmb, cStat, detalhe),
      ['chNFe', chave],
      ['tpEvento', tpEvento],
      ['xEvento', findTipo(tpEvento)?.descEvento],
      ['nSeqEvento', nSeqEvento],
      [autor.tipo === 'cpf' ? 'CPFDest' : 'CNPJDest', nProt && autor.documento],
      ['dhRegEvento', dataHora(agora)],
      ['nProt', nProt],
    ],
  ]
}

const CAMINHO = '/NFeRecepcaoEvento4/NFeRecepcaoEvento4.asmx'
const PRODUCAO = 'www.nfe.fazenda.gov.br'

const servico = servicoDoAn('NFeRecepcaoEvento4', {
  wsdl: WSDL,
  operacao: 'nfeRecepcaoEventoNF',
  entradas: ['nfeDadosMsg'],
  endereco: `https://${PRODUCAO}${CAMINHO}`,
})

/** Codes of a lot, not of one event of it. */
const DO_LOTE: readonly number[] = [
  108, 109, 214, 215, 225, 280, 281, 282, 283, 284, 285, 286, 402, 404, 516, 517, 587, 588, 656, 999,
]

/** Equal refusals of one event in an hour (MOC 7.0, Anexo I, 4.3: "preferential" value). */
const RECUSAS = 20

/** NT 2020.001 v1.50. www serves the portal too and asks for a certificate on this path only. */
export function createEventos(meios: MeiosDoAn): Autoridade[] {
  const serves = (caminho: string): boolean => caminho.toLowerCase() === CAMINHO.toLowerCase()
  const processEvento = createProcesso(meios)
  const answer: Autoridade['answer'] = async (pedido, resposta) => {
    const entrada = receiveSoap(servico, pedido)
    if ('recusa' in entrada) return send(entrada.recusa, resposta)
    const ambiente = ambienteDe(pedido.host)
    const resultado = await processEvento(readMensagem(entrada), entrada.chamador, ambiente)
    const efeito = resultado.desfechos?.find((desfecho) => desfecho.efeito)?.efeito
    const retorno = writeRetorno(resultado, ambiente, meios.agora())
    const saida = { resposta, conexao: pedido.conexao, ritmo: meios.ritmo }
    sendWithEfeitoNfe(efeito, estiloDoAn(entrada.soap), retorno, saida)
  }
  const nome = 'Ambiente Nacional: eventos de NF-e'
  return [
    { nome, hosts: [PRODUCAO], asksCertificado: false, asksCertificadoAt: serves, serves, answer },
    {
      nome: `${nome} (outros endereços)`,
      hosts: ['www1.nfe.fazenda.gov.br', 'hom1.nfe.fazenda.gov.br'],
      asksCertificado: true,
      serves,
      answer,
    },
  ]
}

function createProcesso(meios: MeiosDoAn) {
  const register = createRegistro(
    meios,
    (meios.cadeia ?? []).map((pem) => new X509Certificate(pem)),
  )
  const bloqueio = createBloqueio(meios.agora)
  const isPast = createContagem(meios.agora, RECUSAS)
  return async (leitura: Leitura, { documento }: Chamador, ambiente: TpAmb): Promise<Resultado> => {
    if (bloqueio.insists(documento)) return { idLote: leitura.idLote, cStat: 656 }
    if ('cStat' in leitura) return leitura
    const { idLote, eventos, area } = leitura
    const desfechos: Desfecho[] = []
    for (const evento of eventos) {
      const desfecho = await register(evento, area, ambiente)
      if (DO_LOTE.includes(desfecho.cStat) && !desfecho.efeito) return { idLote, cStat: desfecho.cStat }
      const { id } = evento
      if (!desfecho.nProt && isPast(`${documento} ${id} ${desfecho.cStat}`)) bloqueio.block(documento)
      desfechos.push(desfecho)
    }
    return { idLote, cStat: 128, desfechos }
  }
}

/** nfeDadosMsg is the whole of the Body. */
function readMensagem({ lida }: Entrada): Leitura {
  if (!lida) return { cStat: 402 }
  const { inicio, fim } = lida.entrada.conteudo
  return readEnvEvento(lida.xml.slice(inicio, fim))
}
