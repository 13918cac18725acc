import { readFile } from 'node:fs/promises'
import type { Cliente, Fluxo, Opcoes, Recibo } from '@consulta-fiscal/cliente'
import { ErroDaApi, ErroDeConexao } from '@consulta-fiscal/cliente'
import { trusted } from '../platform/trusted.ts'
import type { Ferramenta } from './ferramentas.ts'
import {
  type Argumentos,
  falhaDe,
  type LimitePorHora,
  maximoDe,
  type RespostaDaFerramenta,
  reciboDito,
  recusado,
  resultadoDe,
} from './resultado.ts'

/** What a call of a tool needs. */
export type RecursosDoMcp = {
  fiscal: Cliente
  orcamento: LimitePorHora
  /** The operator's A1 file and its password, for the XML of a note. */
  certificado: { arquivo: string; senha: string } | undefined
  manifestar: boolean
}

/** Who waits for a call: its cancellation, and what it is told of its progress. */
export type QuemChama = { signal: AbortSignal; avisar: (feitos: number, parte: string) => Promise<void> }

/** Calls a lookup within the budget. Failures are results too: a model reads them. */
export async function chamarFerramenta(
  ferramenta: Ferramenta,
  argumentos: Argumentos,
  recursos: RecursosDoMcp,
  quem: QuemChama,
): Promise<RespostaDaFerramenta> {
  const { fiscal, orcamento } = recursos
  const maximo = maximoDe(ferramenta.metodo, argumentos)
  const reserva = orcamento.reservar(maximo)
  if ('recusa' in reserva) return recusado(`LIMITE_POR_HORA: ${reserva.recusa}`)
  try {
    const pedido = await pedidoDe(ferramenta, argumentos, recursos)
    const { dados, recibo } = await consultar(fiscal, ferramenta, pedido, quem)
    reserva.acertar(recibo.creditosCobrados ?? maximo)
    const dito = reciboDito(recibo, { usados: orcamento.usados(), limite: orcamento.limite })
    const temAnexos =
      ferramenta.metodo === 'consultarNfeXml' || (ferramenta.temPdf && argumentos.incluir_pdf === true)
    return resultadoDe(dados, { recibo: dito, temAnexos })
  } catch (erro) {
    // A failure that the service told is free. What was cut, or answered by a proxy, may have been charged.
    const deOutro = erro instanceof ErroDaApi && erro.problema === undefined
    const talvez = quem.signal.aborted || erro instanceof ErroDeConexao || deOutro
    reserva.acertar(talvez ? maximo : 0)
    return falhaDe(erro)
  }
}

/** What is sent: the arguments that the tool has, and what is the operator's alone to give. */
async function pedidoDe(
  { metodo, entrada }: Ferramenta,
  argumentos: Argumentos,
  { certificado, manifestar }: RecursosDoMcp,
): Promise<Record<string, unknown>> {
  const conhecidos = Object.entries(argumentos).filter(
    ([nome]) => Object.hasOwn(entrada.properties, nome) && nome !== 'incluir_pdf',
  )
  const pedido = Object.fromEntries(conhecidos)
  if (metodo !== 'consultarNfeXml' || !certificado) return pedido
  return {
    ...pedido,
    certificado: (await readFile(certificado.arquivo)).toString('base64'),
    senha: certificado.senha,
    manifestar: manifestar && argumentos.manifestar === true,
  }
}

type Recebida = { dados: object; recibo: Partial<Recibo> }

/** A method of the client, of which nothing is known but its kind. */
type Qualquer = {
  comRecibo: (pedido: object, opcoes: Opcoes) => Promise<Recebida>
  stream?: (pedido: object, opcoes: Opcoes) => Fluxo<object, object>
}

/** Asks: in all states part by part, to tell how far it is. */
async function consultar(
  fiscal: Cliente,
  { metodo }: Ferramenta,
  pedido: object,
  { signal, avisar }: QuemChama,
): Promise<Recebida> {
  // Each method takes an object and options; the service checks what is in the object.
  const chamada = trusted<Qualquer>(fiscal[metodo])
  if (!chamada.stream || metodo === 'sefazStatus')
    return chamada.comRecibo(pedido, { signal, exigirFonte: true })
  const fluxo = chamada.stream(pedido, { signal })
  let feitos = 0
  for await (const parte of fluxo) await avisar(++feitos, 'uf' in parte ? String(parte.uf) : '')
  return { dados: fluxo.resultado ?? {}, recibo: fluxo.recibo ?? {} }
}
