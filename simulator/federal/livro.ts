import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { mix } from '../documento/aleatorio.ts'
import { sementeDe } from '../documento/documento.ts'
import { findCenarioFederal } from './cenarios.ts'
import { type Anterior, type CertidaoFederal, emBrasilia, vencer } from './certidao.ts'
import type { Situacao } from './situacao.ts'

/** The one book of certificates, which gateway and portal share. */
export type Livro = {
  /** All of a company, the latest first. */
  certidoes: (situacao: Situacao) => readonly CertidaoFederal[]
  /** The valid one with the latest end. */
  valida: (situacao: Situacao) => CertidaoFederal | undefined
  /**
   * Begins an issuance for somebody, or goes on with his: the certificate once it is done. Every question
   * about the company moves all its issuances on, whoever asks.
   */
  emitir: (situacao: Situacao, quem: string) => CertidaoFederal | undefined
  /** Counts a question about the company, which moves its issuances on. */
  perguntar: (situacao: Situacao) => void
  /** How many issuances were begun, by CNPJ. */
  emissoes: () => Record<string, number>
}

/** An issuance that somebody began; done when it has its certificate. */
type Andamento = { quem: string; desde: number; vezes: number; feita: CertidaoFederal | undefined }
type Pagina = { certidoes: CertidaoFederal[]; andamentos: Andamento[]; emissoes: number }

/** How many companies are remembered, and how many issuances under way of each. */
const MAXIMO = 10_000
const ANDAMENTOS = 16

const DIA = 86_400_000
/** How many days ago the certificates of the past were issued, the latest first. One was annulled since. */
type Passada = { dias: number; anulada?: true }
const HA: Readonly<Record<Exclude<Anterior, object>, readonly Passada[]>> = {
  nenhuma: [],
  valida: [{ dias: 10, anulada: true }, { dias: 30 }, { dias: 300 }],
  vencendo: [{ dias: 178 }, { dias: 400 }],
}

/** A book in which each company has its past when it is first asked about. */
export function criarLivro(agora: () => Date): Livro {
  const paginas = new LRUCache<string, Pagina>({ max: MAXIMO })
  const abrir = (situacao: Situacao): Pagina => {
    const { matriz, anterior } = situacao
    const aberta = paginas.get(matriz)
    if (aberta) return aberta
    const passadas: readonly Passada[] = typeof anterior === 'string' ? HA[anterior] : [anterior]
    const certidoes = passadas.map(({ dias, anulada = false }) => ({
      ...escrever(situacao, agora().getTime() - dias * DIA, mix(sementeDe(matriz), dias)),
      anulada,
    }))
    const nova = { certidoes, andamentos: [], emissoes: 0 }
    paginas.set(matriz, nova)
    return nova
  }
  const avancar = (situacao: Situacao, pagina: Pagina): void => {
    for (const um of pagina.andamentos) {
      um.vezes += 1
      if (um.feita || !estaPronta(situacao, um, agora().getTime())) continue
      um.feita =
        reemitida(situacao, pagina) ?? escrever(situacao, agora().getTime(), randomBytes(4).readUInt32BE())
      if (!pagina.certidoes.includes(um.feita)) pagina.certidoes.unshift(um.feita)
    }
  }
  const reemitida = ({ matriz }: Situacao, { certidoes }: Pagina): CertidaoFederal | undefined =>
    findCenarioFederal(matriz)?.portal === 'mesma-no-dia'
      ? certidoes.find(({ emissao }) => emissao === emBrasilia(agora().getTime()).dia)
      : undefined
  return {
    certidoes: (situacao) => abrir(situacao).certidoes,
    valida: (situacao) => {
      const hoje = emBrasilia(agora().getTime()).dia
      const validas = abrir(situacao).certidoes.filter((uma) => !uma.anulada && uma.validade >= hoje)
      return validas.sort((uma, outra) => outra.validade.localeCompare(uma.validade))[0]
    },
    perguntar: (situacao) => avancar(situacao, abrir(situacao)),
    emitir: (situacao, quem) => {
      const pagina = abrir(situacao)
      if (!pagina.andamentos.some((um) => um.quem === quem)) {
        pagina.emissoes += 1
        pagina.andamentos.push({ quem, desde: agora().getTime(), vezes: -1, feita: undefined })
        pagina.andamentos.splice(0, pagina.andamentos.length - ANDAMENTOS)
      }
      avancar(situacao, pagina)
      const seu = pagina.andamentos.find((um) => um.quem === quem)
      if (seu?.feita) pagina.andamentos = pagina.andamentos.filter((um) => um !== seu)
      return seu?.feita
    },
    emissoes: () =>
      Object.fromEntries(
        [...paginas]
          .filter(([, { emissoes }]) => emissoes > 0)
          .map(([cnpj, { emissoes }]) => [cnpj, emissoes]),
      ),
  }
}

function estaPronta({ demora }: Situacao, { desde, vezes }: Andamento, agora: number): boolean {
  return 'vezes' in demora ? vezes >= demora.vezes : agora - desde >= demora.segundos * 1000
}

/** A certificate of that instant; its control code and number come out of `semente`. */
function escrever(
  { matriz, nome, desfecho, papel }: Situacao,
  instante: number,
  semente: number,
): CertidaoFederal {
  const { dia, hora } = emBrasilia(instante)
  const grupo = (n: number): string => (mix(semente, n) >>> 16).toString(16).toUpperCase().padStart(4, '0')
  return {
    id: String(mix(semente, 9)),
    cnpj: matriz,
    nome,
    tipo: desfecho === 'efeitos' || desfecho === 'positiva' ? desfecho : 'negativa',
    codigo: [1, 2, 3, 4].map(grupo).join('.'),
    emissao: dia,
    hora,
    validade: vencer(dia),
    anulada: false,
    papel,
  }
}
