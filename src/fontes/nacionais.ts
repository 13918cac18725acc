import { fonteCnpj } from '../cnpj/source.ts'
import { fontesDaCertidao, type RotaId } from '../federal/source.ts'
import { fonteCcc } from '../inscricao/source-ccc.ts'
import { type AmbienteNfe, type FonteNfe, fontesNfe } from '../nfe/source.ts'
import { captchaDoPortal } from '../nfe/source-portal.ts'
import type { Lugar, RotaDescrita } from '../portal/fonte.ts'
import type { Disponibilidade } from '../portal/rotas.ts'
import { fonteCnir } from '../rural/source-cnir.ts'
import { fonteAcervo, fonteSigef } from '../rural/source-sigef.ts'

export type Nacionais = {
  nfe: AmbienteNfe
  ccc: boolean
  contrato: boolean
  cnir: boolean
  /** The routes of the federal certificate in the operator's order: `portal,contrato`. */
  rotasFederais: string
  /** Why SIGEF is not asked; undefined where it is. */
  sigef: 'desligada' | 'sem-sessao' | undefined
  acervo: boolean
}

export function listNacionais(nacionais: Nacionais): [Lugar, RotaDescrita][] {
  const { ccc, contrato, cnir, sigef, acervo } = nacionais
  const porServico: [Lugar['servico'], RotaDescrita[]][] = [
    ['ie', [{ ...fonteCcc, falta: ccc ? undefined : 'desligada' }]],
    ['cnd', certidaoOf(nacionais)],
    ['nfe-xml', notaOf(nacionais)],
    ['cnpj', [{ ...fonteCnpj, falta: semContrato(contrato) }]],
    ['cnir', [{ ...fonteCnir, falta: cnir ? undefined : 'sem-conector' }]],
    [
      'sigef',
      [
        { ...fonteSigef, falta: sigef },
        { ...fonteAcervo, falta: acervo ? sigef : 'desligada' },
      ],
    ],
  ]
  return porServico.flatMap(([servico, rotas]) =>
    rotas.map((rota, index): [Lugar, RotaDescrita] => [{ uf: 'BR', servico, ordem: index + 1 }, rota]),
  )
}

const semContrato = (contrato: boolean): Disponibilidade | undefined =>
  contrato ? undefined : 'sem-contrato'

/** The routes of the federal certificate; those that the operator left out come last. */
function certidaoOf({ contrato, rotasFederais }: Nacionais): RotaDescrita[] {
  const named = rotasFederais.split(',')
  const placeOf = (id: RotaId): number => (named.includes(id) ? named.indexOf(id) : named.length)
  const ids: RotaId[] = ['contrato', 'portal']
  return ids
    .sort((a, b) => placeOf(a) - placeOf(b))
    .map((id) => {
      const falta = id === 'contrato' ? semContrato(contrato) : undefined
      return { ...fontesDaCertidao[id], falta: named.includes(id) ? falta : 'desligada' }
    })
}

/** The services of the NF-e. Each question brings its own certificate. */
function notaOf({ nfe }: Nacionais): RotaDescrita[] {
  const { distribuicao, eventos, portal } = fontesNfe
  const fontes: FonteNfe[] = [distribuicao, eventos, portal]
  return fontes.map((fonte) => ({
    ...fonte,
    url: fonte.enderecos[nfe],
    aceita: ['chave'],
    captcha: fonte === portal ? captchaDoPortal : 'nenhum',
  }))
}
