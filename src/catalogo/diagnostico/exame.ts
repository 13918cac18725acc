import type { Achado, ErroDeEsquema, Ocorrencia } from '../../domain/rejeicoes/laudo.ts'
import type { Contexto } from '../../domain/verificacoes/cena.ts'
import { conferirAssinatura } from './assinatura/assinatura.ts'
import type { Parecer } from './assinatura/parecer.ts'
import { type Conferencia, conferirEsquema } from './esquema/conferir.ts'
import { abrirPacote } from './esquema/pacote.ts'
import { relatarErros } from './esquema/relatar.ts'
import { abrirNota, type Malformado, type NotaAberta } from './nota/abrir.ts'
import type { Elemento } from './nota/arvore.ts'
import type { Verificadores } from './verificadores.ts'

/** All that is found in a note that can be read. */
export type Exame = {
  nota: Pick<NotaAberta, 'nfe' | 'infNFe' | 'envelope' | 'comProtocolo' | 'autorizadaEm' | 'xml'>
  pacote: string
  conferencia: Conferencia
  erros: ErroDeEsquema[]
  assinatura: Parecer
  achados: Achado[]
  /** What the checks knew. A note with an authorization is judged as of that moment. */
  contexto: Contexto
  /** The first element with a prefix. */
  comPrefixo: Elemento | undefined
}

/** What an examination needs besides the note. */
export type MeiosDoExame = { verificadores: Verificadores; contexto: Contexto; agora: Date }

/** Examines a note whole: schema, signature, checks. Throws DiagnosticoRecusado. */
export function examinar(xml: string, { verificadores, contexto, agora }: MeiosDoExame): Exame | Malformado {
  const aberta = abrirNota(xml)
  if ('linha' in aberta) return aberta
  const { documento, inteiro, nfe, infNFe, envelope, comProtocolo, autorizadaEm } = aberta
  const conhecido = autorizadaEm === undefined ? contexto : { ...contexto, agora: autorizadaEm }
  try {
    const pacote = abrirPacote()
    // The signature comes first: the schema's errors are found in a document that is mended on the way.
    const assinatura = conferirAssinatura(aberta, agora)
    const conferencia = conferirEsquema(documento, nfe, pacote)
    return {
      nota: { nfe, infNFe, envelope, comProtocolo, autorizadaEm, xml: aberta.xml },
      pacote: pacote.nome,
      conferencia,
      erros: relatarErros(conferencia),
      assinatura,
      achados: verificadores.conferir(nfe, conhecido),
      contexto: conhecido,
      comPrefixo: /<[\w.-]+:/.test(aberta.xml) ? acharPrefixo(nfe) : undefined,
    }
  } finally {
    documento.dispose()
    if (inteiro !== documento) inteiro.dispose()
  }
}

function acharPrefixo(elemento: Elemento): Elemento | undefined {
  if (elemento.prefixo) return elemento
  for (const filho of elemento.filhos) {
    const achado = acharPrefixo(filho)
    if (achado) return achado
  }
  return undefined
}

/** An error of the schema as the place of a rejection. */
export const ocorrenciaDe = ({ onde, caminho, valor, mensagem }: ErroDeEsquema): Ocorrencia => ({
  onde,
  campos: [{ caminho, valor }],
  mensagem,
})
