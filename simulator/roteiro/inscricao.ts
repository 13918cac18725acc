import type { Uf } from '../documento/molde.ts'
import { servicos } from '../inscricao/servicos.ts'
import { contribuinteComportado } from '../mundo/comportado.ts'
import { comportamentos, type Efeito } from '../mundo/comportamento.ts'
import { comReserva } from './documento.ts'
import { certo, type Espera, falhou, indisponivel, recusado, type Tentativa } from './linha.ts'

/**
 * Refused or paralysed: trying later, or with another certificate, may do. The other codes mean that we were
 * not understood.
 */
const INDISPONIVEL = new Set([108, 109, 257, 656])
/** The state does not take the question: the national register (CCC) answers in its place. */
const NAO_ATENDE = 262
const NUMERO_INVALIDO = new Set([258, 260, 263])
const NAO_CADASTRADO = new Set([259, 261, 264])

/**
 * Every misbehaviour of registrations: those of the web service, each in another state than the one before,
 * then those of portals. A state's circuit breaker opens after five failures of availability in a row, so no
 * state may get many of them.
 */
export function linhasDeComportamento(): Tentativa[] {
  const ufs = servicos.flatMap((servico) => servico.ufs).sort()
  const doServico = comportamentos
    .filter(({ efeito }) => !doPortal.has(efeito.tipo))
    .map(({ documento, efeito, nota }, indice): Tentativa => {
      const uf = ufs[indice % ufs.length] ?? 'SP'
      return [{ uf, cnpj: documento }, espera(efeito), nota]
    })
  const doPortalEmSi = noPortal.map(([nome, uf, espera, resumo]): Tentativa => {
    const { documento, nota } = comReserva(nome)
    return [{ uf, cnpj: documento }, espera, resumo ?? nota]
  })
  return [...doServico, ...doPortalEmSi, pelaInscricaoSemServico('BA')]
}

/** The effects that the web service knows nothing of. */
const doPortal = new Set<Efeito['tipo']>([
  'certidao',
  'papel',
  'fechado',
  'captcha',
  'layout',
  'waf',
  'sessao-velha',
  'so-em',
  'por-uf',
])

/**
 * Where a portal is asked first, or in the place of the web service; with a note where the document's own
 * says too little.
 */
const noPortal: readonly [nome: string, uf: Uf, espera: Espera, nota?: string][] = [
  ['html-403', 'AL', indisponivel],
  ['html-503', 'AP', indisponivel],
  ['html-200', 'CE', indisponivel],
  ['html-404', 'AL', falhou],
  ['corta-antes', 'RO', indisponivel],
  ['outro-documento', 'SE', falhou],
  ['vazio', 'TO', falhou],
  ['charset', 'PI', falhou],
  ['muitas', 'RJ', certo, 'um portal com 40 inscrições'],
  ['layout', 'MA', falhou],
  ['layout', 'AL', falhou, 'o JSON do portal mudou'],
  ['waf', 'RJ', indisponivel],
  ['captcha-recusado', 'RR', indisponivel],
  ['captcha-inesperado', 'AL', indisponivel],
  ['sessao-velha', 'PI', indisponivel],
  ['portal-fora', 'RO', indisponivel, 'o portal está fora do ar, e RO não tem web service'],
  ['portal-fora', 'SP', certo],
  ['ws-fora', 'BA', certo],
  ['ws-fora', 'GO', certo],
  ['ws-fora', 'SC', certo],
  ['ws-fora', 'MS', indisponivel, 'o web service está paralisado (cStat 108), e o portal de MS pede captcha'],
  ['misto', 'AM', indisponivel, 'AM derruba a conexão'],
  ['misto', 'CE', indisponivel, 'CE não responde a tempo'],
  ['misto', 'TO', certo, 'TO responde certo'],
]

function pelaInscricaoSemServico(uf: Uf): Tentativa {
  const { documento, nota } = comReserva('ws-fora')
  const ie = contribuinteComportado(documento, uf).inscricoes[0]?.ie ?? ''
  return [{ uf, ie }, certo, `pelo número da inscrição: ${nota}`]
}

function espera(efeito: Efeito): Espera {
  switch (efeito.tipo) {
    case 'muitas':
    case 'municipio-sem-nome':
      return certo
    case 'demora':
      // Longer than the service waits for a state.
      return efeito.ms >= 30_000 ? indisponivel : certo
    case 'latin1':
      return efeito.declara === 'iso-8859-1' ? certo : falhou
    case 'queda':
    case 'tls':
      return indisponivel
    case 'pagina':
      return [403, 429].includes(efeito.status) || efeito.status >= 500 ? indisponivel : falhou
    case 'codigo':
      return esperaDoCodigo(efeito.cStat)
    default:
      return falhou
  }
}

function esperaDoCodigo(cStat: number): Espera {
  if (NUMERO_INVALIDO.has(cStat)) return recusado('DOCUMENTO_INVALIDO')
  if (NAO_CADASTRADO.has(cStat) || cStat === NAO_ATENDE) return certo
  return INDISPONIVEL.has(cStat) ? indisponivel : falhou
}
