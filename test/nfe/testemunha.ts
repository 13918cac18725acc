import type { Autoridade, Pedido } from '../../simulator/autoridade.ts'

/** The authorities with a witness beside them, who writes down what each request of the NF-e was. */
export type Testemunha = {
  autoridades: readonly Autoridade[]
  /** In order: `consulta`, the event's `tpEvento`, or `portal` for all the pages of one visit. */
  vistos: string[]
}

/** Sets the witness beside the authorities. */
export function testemunhar(autoridades: readonly Autoridade[]): Testemunha {
  const vistos: string[] = []
  const ver = (pedido: Pedido): void => {
    const passo = passoDe(pedido)
    if (passo && !(passo === 'portal' && vistos.at(-1) === 'portal')) vistos.push(passo)
  }
  return {
    vistos,
    autoridades: autoridades.map((autoridade) => ({
      ...autoridade,
      responder: (pedido, resposta) => {
        ver(pedido)
        return autoridade.responder(pedido, resposta)
      },
    })),
  }
}

function passoDe({ caminho, corpo }: Pedido): string | undefined {
  if (caminho.startsWith('/NFeDistribuicaoDFe')) return 'consulta'
  if (caminho.startsWith('/portal/')) return 'portal'
  return /<tpEvento>(\d{6})</.exec(corpo.toString())?.[1]
}
