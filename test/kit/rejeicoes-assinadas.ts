import { comCenario } from '../../simulator/nfe/cenarios.ts'
import type { Nota } from '../../simulator/nfe/nota.ts'
import { chaveDo, notaDe } from '../../simulator/nfe/nota.ts'
import { createEscrivao } from '../../simulator/nfe/proc.ts'
import { createAssinantes } from '../../simulator/platform/icp/icp.ts'
import { signElement } from '../../src/nfe/source-evento.ts'

const assinante = createAssinantes()
const escrever = createEscrivao(assinante)

/** When the signed notes were issued. */
export const EMISSAO = new Date('2026-11-21T12:34:56Z')

/** A minute later. */
export const AGORA = new Date('2026-11-21T12:35:56Z')

function notaDo(cenario: string): Nota {
  const nota = notaDe(chaveDo(comCenario(cenario), EMISSAO))
  if (!nota) throw new Error(`${cenario} has no note`)
  return nota
}

/** The authorized note of a scenario of the simulator, signed by its issuer. */
export const notaAssinada = (cenario = 'ciencia'): Promise<string> => escrever(notaDo(cenario))

/** Signs `NFe` again, whatever it holds. What it holds must be canonical, as the simulator writes it. */
export async function assinarDeNovo(xml: string, cenario = 'ciencia'): Promise<string> {
  const [, conteudo = ''] = /<infNFe [^>]*>([\s\S]*)<\/infNFe>/.exec(xml) ?? []
  const [, id = ''] = /Id="([^"]*)"/.exec(xml) ?? []
  const { privada, certificado } = await assinante(notaDo(cenario).emitente)
  const atributos = `Id="${id}" versao="4.00"`
  const assinatura = signElement({
    canonico: `<infNFe xmlns="${NFE}" ${atributos}>${conteudo}</infNFe>`,
    id,
    key: Buffer.from(privada.export({ type: 'pkcs8', format: 'pem' })),
    cert: `-----BEGIN CERTIFICATE-----\n${certificado.toString('base64')}\n-----END CERTIFICATE-----\n`,
  })
  return `<NFe xmlns="${NFE}"><infNFe ${atributos}>${conteudo}</infNFe>${assinatura}</NFe>`
}

const NFE = 'http://www.portalfiscal.inf.br/nfe'

/** A good note of so many items, signed. One of 55 has 50 kB, one of 980 has 800 kB. */
export async function notaDeItens(itens: number): Promise<string> {
  const xml = await notaAssinada()
  const [det = ''] = /<det nItem="1">.*?<\/det>/s.exec(xml) ?? []
  const todos = Array.from({ length: itens }, (_, i) => det.replace('nItem="1"', `nItem="${i + 1}"`))
  const somado = xml.replace(/<det .*<\/det>/s, todos.join('')).replace(/<total>.*<\/total>/s, (total) =>
    total.replace(/<(vBC|vICMS|vProd|vPIS|vCOFINS|vNF)>[^<]*/g, (_tudo, nome: string) => {
      const noItem = new RegExp(`<${nome === 'vNF' ? 'vProd' : nome}>([^<]*)`).exec(det)?.[1] ?? '0'
      return `<${nome}>${((itens * Math.round(Number(noItem) * 100)) / 100).toFixed(2)}`
    }),
  )
  const vNF = /<vNF>([^<]*)/.exec(somado)?.[1] ?? ''
  return assinarDeNovo(somado.replace(/<vPag>[^<]*/, `<vPag>${vNF}`))
}
