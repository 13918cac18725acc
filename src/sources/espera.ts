import type { Certidao } from '../domain/cnd/certidao.ts'
import { foraDeForma } from '../domain/documento/inscricao-forma.ts'
import type { Inscricao } from '../domain/inscricao/inscricao.ts'
import { enumerar } from '../domain/texto/enumerar.ts'
import type { Uf } from '../domain/uf.ts'
import type { Espera, ParteDaCertidao, Relato, Rota } from './estado.ts'
import { normalize } from './pagina/pagina.ts'

/** The answer of a state's route: registrations, or a certificate. */
export type RespostaDoEstado = Inscricao[] | Certidao

/** The reports of a route about its answer. */
type Ouvido = { pagina?: () => string; papel?: () => string; novos: boolean; conhecidos: number }

/** Whether an answer found nothing: no registration, or neither a certificate nor debts. */
export const isVazia = (answer: RespostaDoEstado): boolean =>
  Array.isArray(answer)
    ? answer.length === 0
    : answer.status === 'nao_contribuinte' || answer.status === 'sem_certidao'

/** Opens a listener to a route. `ouvido` fills while the route runs. */
export function openRelato(note: (novos: readonly string[]) => void): { relato: Relato; ouvido: Ouvido } {
  const ouvido: Ouvido = { novos: false, conhecidos: 0 }
  const relato: Relato = {
    rotulos: (novos, conhecidos) => {
      ouvido.novos = novos.length > 0
      ouvido.conhecidos = conhecidos
      note(novos)
    },
    pagina: (words) => {
      ouvido.pagina = words
    },
    papel: (words) => {
      ouvido.papel = words
    },
  }
  return { relato, ouvido }
}

/**
 * Says in words what an answer lacks. Undefined if it has all that its route always gives, in the right form.
 */
export function faltaNaResposta(
  answer: RespostaDoEstado,
  ouvido: Ouvido,
  { uf, espera }: { uf: Uf; espera?: Espera },
): string | undefined {
  const { pagina, papel } = ouvido
  if (Array.isArray(answer) && answer.length > 0)
    return (
      faltaNosCampos(answer, espera) ??
      faltaUmRotulo(ouvido, espera) ??
      erroDeForma(answer, uf) ??
      faltaNoTexto(pagina, espera)
    )
  if (Array.isArray(answer)) return faltaNaVazia(pagina, espera)
  if (answer.pdf_base64) return faltaNoTexto(papel, espera)
  return answer.impressao_base64 ? faltaNoTexto(pagina, espera) : faltaNaVazia(pagina, espera)
}

/**
 * Says, for the client, what could not be read for a good answer though the route always shows it. Empty if
 * nothing is missing.
 */
export function avisosDaLeitura(answer: RespostaDoEstado, { source, espera }: Rota): string[] {
  if (Array.isArray(answer) || !(answer.pdf_base64 || answer.impressao_base64)) return []
  const missing = (espera?.partes ?? []).filter((parte) => answer[parte] === '')
  if (missing.length === 0) return []
  const named = enumerar(missing.map((parte) => `${nomes[parte]} (${parte})`))
  const one = missing.length === 1
  return [
    `${source.nome} sempre imprime ${named} na certidão, e desta vez não se ${one ? 'leu' : 'leram'}: ${one ? 'o campo vem vazio' : 'os campos vêm vazios'}. Confira no papel.`,
  ]
}

const nomes: Readonly<Record<ParteDaCertidao, string>> = {
  protocolo: 'o número',
  emissao: 'a data de emissão',
  validade: 'a validade',
  codigo_autenticacao: 'o código de autenticação',
}

/** Names a field that every answer of the route has and this registration lacks. */
function faltaNosCampos(found: readonly Inscricao[], espera: Espera | undefined): string | undefined {
  const campos = new Set<keyof Inscricao>(['situacao_ie', ...(espera?.campos ?? [])])
  const missing = [...campos].find((campo) => found.some((inscricao) => inscricao[campo] === ''))
  return missing && `falta o campo ${missing}`
}

const faltaUmRotulo = ({ novos, conhecidos }: Ouvido, espera: Espera | undefined): string | undefined =>
  novos && conhecidos < (espera?.rotulos ?? 0) ? 'um rótulo tem outro nome' : undefined

function erroDeForma(found: readonly Inscricao[], uf: Uf): string | undefined {
  const [campo] = found.flatMap((inscricao) => foraDeForma(inscricao, uf) ?? [])
  return campo && `o que mostra como ${campo} não é isso`
}

function faltaNoTexto(words: (() => string) | undefined, espera: Espera | undefined): string | undefined {
  if (!espera) return undefined
  const text = words?.() ?? ''
  if (!text.includes(normalize(espera.marca))) return `falta "${espera.marca}"`
  return text.length < espera.minimo
    ? `tem ${text.length} caracteres de ao menos ${espera.minimo}`
    : undefined
}

const faltaNaVazia = (words: (() => string) | undefined, espera: Espera | undefined): string | undefined =>
  espera?.vazia === undefined ? undefined : faltaNoTexto(words, { marca: espera.vazia, minimo: 0 })
