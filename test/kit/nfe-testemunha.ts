import type { Autoridade, Pedido } from '../../simulator/platform/autoridade.ts'

/** The authorities with a witness beside them. The witness writes down what each NF-e request was. */
export type Testemunha = {
  autoridades: readonly Autoridade[]
  /** In order: `consulta`, the event's `tpEvento`, or `portal` for all the pages of one visit. */
  vistos: string[]
  /** From now on, holds requests of this kind back from their authority until they are let go. */
  reter: (passo: string) => Retencao
}

export type Retencao = {
  /** Resolves once so many requests wait. */
  chegam: (quantos: number) => Promise<void>
  soltar: () => void
}

/** Sets the witness beside the authorities. */
export function testemunhar(autoridades: readonly Autoridade[]): Testemunha {
  const vistos: string[] = []
  const portas = new Map<string, Porta>()
  const ver = (passo: string | undefined): void => {
    if (passo && !(passo === 'portal' && vistos.at(-1) === 'portal')) vistos.push(passo)
  }
  return {
    vistos,
    reter: (passo) => {
      const porta = fecharPorta()
      portas.set(passo, porta)
      const soltar = (): void => {
        portas.delete(passo)
        porta.abrir()
      }
      return { chegam: porta.chegam, soltar }
    },
    autoridades: autoridades.map((autoridade) => ({
      ...autoridade,
      answer: async (pedido, resposta) => {
        const passo = passoDe(pedido)
        ver(passo)
        await portas.get(passo ?? '')?.entrar()
        return autoridade.answer(pedido, resposta)
      },
    })),
  }
}

type Porta = { entrar: () => Promise<void>; chegam: Retencao['chegam']; abrir: () => void }

function fecharPorta(): Porta {
  const { promise: aberta, resolve: abrir } = Promise.withResolvers<void>()
  const avisos = new Set<() => void>()
  let esperando = 0
  return {
    abrir,
    entrar: () => {
      esperando += 1
      for (const avisar of avisos) avisar()
      return aberta
    },
    chegam: (quantos) =>
      new Promise((resolve) => {
        const avisar = () => {
          if (esperando >= quantos) resolve()
        }
        avisos.add(avisar)
        avisar()
      }),
  }
}

function passoDe({ caminho, corpo }: Pedido): string | undefined {
  if (caminho.startsWith('/NFeDistribuicaoDFe')) return 'consulta'
  if (caminho.startsWith('/portal/')) return 'portal'
  return /<tpEvento>(\d{6})</.exec(corpo.toString())?.[1]
}
