import type { No } from '../no.ts'
import type { Caminho } from '../rules.ts'
import type { CampoLido } from '../rules-laudo.ts'
import type { Cena } from './cena.ts'
import { citar } from './citar.ts'
import { lugarDe } from './lugar.ts'
import type { Caminhos, Leitor } from './verificacoes-caminho.ts'

/** Reads the fields of a check at one of its places. */
export type LeituraDeCampos = (ponto: No, cena: Cena) => CampoLido[]

/** How many places of one field are told, as of a total that sums the items. */
const LUGARES = 3

/** How many fields are told in all. */
const CAMPOS = 12

/**
 * Compiles the fields that a check reads, each from the nearest element that it shares with the check's
 * place: the item of `det/prod/NCM` is the item that is checked.
 */
export function compilarCampos(
  campos: readonly Caminho[],
  escopo: Caminho | undefined,
  caminhos: Caminhos,
): LeituraDeCampos {
  const leituras = campos.map((campo) => compilarCampo(campo, escopo, caminhos))
  return (ponto, cena) => leituras.flatMap((ler) => ler(ponto, cena)).slice(0, CAMPOS)
}

function compilarCampo(campo: Caminho, escopo: Caminho | undefined, caminhos: Caminhos): LeituraDeCampos {
  const doEscopo = escopo?.split('/') ?? []
  const doCampo = campo.split('/')
  const comuns = doEscopo.findIndex((passo, i) => passo !== doCampo[i])
  const quantos = comuns < 0 ? doEscopo.length : comuns
  if (quantos === 0) return lerCampo(campo, '', caminhos.ler(campo), (ponto) => ponto)
  const resto = doCampo.slice(quantos).join('/')
  const acima = caminhos.sob(doEscopo.slice(0, quantos).join('/'))
  return lerCampo(campo, resto, acima.ler(resto ? `./${resto}` : '.'), (ponto) =>
    subir(ponto, doEscopo.length - quantos),
  )
}

const subir = (ponto: No, niveis: number): No =>
  niveis > 0 && ponto.pai ? subir(ponto.pai, niveis - 1) : ponto

function lerCampo(
  campo: Caminho,
  resto: string,
  { pontos, texto }: Leitor,
  base: (ponto: No) => No,
): LeituraDeCampos {
  const atributo = /@.+$/.exec(campo)?.[0]
  const escrever = (achado: No): string => [lugarDe(achado), atributo].filter((parte) => parte).join('/')
  return (ponto, cena) => {
    const inicio = base(ponto)
    const achados = pontos(inicio, cena).slice(0, LUGARES)
    if (achados.length > 0)
      return achados.map((achado) => ({ caminho: escrever(achado), valor: citar(texto(achado)) }))
    return [{ caminho: resto ? `${lugarDe(inicio)}/${resto}` : campo, valor: null }]
  }
}
