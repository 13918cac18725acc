import type { Chamador } from '../platform/autoridade.ts'
import type { Mensagem } from '../platform/mensagem.ts'
import { escreverArquivo } from '../portal/mensagem.ts'
import { escreverComDefeito } from './defeito.ts'
import { liberadaPorEvento } from './liberacao.ts'
import type { Livro, Nota } from './nota.ts'
import { avisar, ESCRITA, irPara, type PedidoNacional } from './pedido.ts'
import type { EscreverNfeProc } from './proc.ts'

/** In the portal's own words (open clients, 2025). */
const NEGADA = 'O CNPJ ou CPF do certificado não está autorizado a fazer o download do documento.'

/**
 * `downloadNFe.aspx`: the file, at the address given to this visitor, for any party of the note by its
 * certificate. What the portal says before a compulsory manifestation is not known: here it refuses as it
 * does a stranger.
 */
export async function baixar(
  pedido: PedidoNacional,
  { livro, escreverNfeProc }: { livro: Livro; escreverNfeProc: EscreverNfeProc },
): Promise<Mensagem> {
  const { chamador, sessao } = pedido
  const aberta = sessao.dados.consulta
  if (!aberta || !chamador || !ehDesta(pedido, aberta.a)) return irPara('erro.aspx')
  if (!libera(aberta.nota, chamador, livro)) return avisar(pedido, NEGADA)
  const xml = await escreverArquivoDoPortal(aberta.nota, escreverNfeProc)
  return escreverArquivo(ESCRITA, 'application/xml', Buffer.from(xml), `${aberta.nota.chave}.xml`)
}

/** Whether the address is that consultation's. A plus sign in it arrives as a space. */
function ehDesta({ consulta }: PedidoNacional, a: string): boolean {
  const parametro = (nome: string): string => consulta.get(nome)?.replaceAll(' ', '+') ?? ''
  return (
    parametro('tipoConsulta') === 'resumo' &&
    parametro('a') === a &&
    parametro('lp') === Buffer.from(a).toString('base64')
  )
}

/**
 * By the scenario; a company's establishments count as one, by the first eight characters of the CNPJ: an
 * assumption.
 */
function libera(nota: Nota, chamador: Chamador, livro: Livro): boolean {
  const mesmo = (quem: Chamador | undefined): boolean =>
    quem?.tipo === chamador.tipo && raiz(quem) === raiz(chamador)
  const { emitente, destinatario, transportador, autorizados, cenario } = nota
  const participa = [emitente, destinatario, transportador, ...autorizados].some(mesmo)
  if (!participa || cenario.portal === 'nega') return false
  const manifesta = cenario.portal === 'exige-manifestacao' && mesmo(destinatario)
  return !manifesta || liberadaPorEvento(nota, livro)
}

function raiz({ tipo, documento }: Chamador): string {
  return tipo === 'cnpj' ? documento.slice(0, 8) : documento
}

/** The file of a note as the portal gives it. A defect of its scenario may spoil it. */
async function escreverArquivoDoPortal(nota: Nota, escrever: EscreverNfeProc): Promise<string> {
  const { portal } = nota.cenario
  const defeito = typeof portal === 'object' && portal.tipo === 'documento' ? portal.defeito : undefined
  if (defeito === 'vazio') return ''
  return reescrever(await escreverComDefeito(defeito, nota, escrever))
}

/**
 * The portal writes the file anew: `Id` before `versao`, no namespace of its own on `protNFe`, no XML
 * declaration (a report of 2012). The signature holds: Canonical XML sorts the attributes.
 */
function reescrever(xml: string): string {
  return xml
    .replace(/^<\?xml[^>]*\?>/, '')
    .replace(/<infNFe (versao="[^"]*") (Id="[^"]*")>/, '<infNFe $2 $1>')
    .replace(/(<protNFe\b[^>]*?) xmlns="[^"]*"/, '$1')
}
