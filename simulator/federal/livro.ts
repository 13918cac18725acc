import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { mix } from '../documento/aleatorio.ts'
import { DIA_MS, emBrasilia } from '../documento/dia.ts'
import { dvCnpj, maskDocumento, sementeDe } from '../documento/documento.ts'
import { findComportamento, OUTRO_DOCUMENTO } from '../mundo/comportamento.ts'
import { exemplos } from '../mundo/exemplo.ts'
import {
  type Anterior,
  type CertidaoFederal,
  type Demora,
  type Desfecho,
  efeitoFederal,
  expire,
  findCenarioFederal,
  type Papel,
} from './cenarios.ts'
import { findCadastro } from './cnpj.ts'

export type Situacao = {
  matriz: string
  nome: string
  desfecho: Desfecho
  anterior: Anterior
  demora: Demora
  papel: Papel
}

/** One in eight is insufficient, one in ten has debts without effect; the unfit get no certificate. */
export function situacaoDe(cnpj: string): Situacao {
  const outro = efeitoFederal(cnpj, 'contrato')?.tipo === 'outro'
  const matriz = matrizDe(outro ? OUTRO_DOCUMENTO : cnpj)
  const cadastro = findCadastro(matriz)
  const sorte = sementeDe(`certidão ${matriz}`)
  const natureza = cadastro?.empresa[2] ?? ''
  const lote = (['nenhuma', 'valida', 'vencendo'] as const)[mix(sorte, 1) % 3] ?? 'nenhuma'
  const usual = { demora: { vezes: mix(sorte, 2) % 3 === 0 ? 1 : 0 }, papel: papelDe(natureza) }
  const semPressa = reservado(matriz) ? ({ anterior: 'nenhuma', demora: { vezes: 0 } } as const) : {}
  const { desfecho = pick(matriz, cadastro?.estabelecimento[5], sorte), ...resto }: Excecoes = {
    ...usual,
    ...semPressa,
    ...imposto(matriz),
    ...findCenarioFederal(matriz),
  }
  const { anterior = issues(desfecho) ? lote : 'nenhuma', demora = usual.demora, papel = usual.papel } = resto
  return { matriz, nome: cadastro?.empresa[1] ?? '', desfecho, anterior, demora, papel }
}

type Excecoes = Partial<Pick<Situacao, 'desfecho' | 'anterior' | 'demora' | 'papel'>>

const issues = (desfecho: Desfecho): boolean => desfecho === 'negativa' || desfecho === 'efeitos'

/** Public bodies are the legal natures that begin with 1. */
const papelDe = (natureza: string): Papel => (natureza.startsWith('1') ? 'raiz' : 'certo')

/** The head office of an establishment: by the registry, else order number 0001 of its root. */
function matrizDe(cnpj: string): string {
  if (findCadastro(cnpj)?.estabelecimento[3] === '1' || findCenarioFederal(cnpj)) return cnpj
  const doze = `${cnpj.slice(0, 8)}0001`
  return doze + dvCnpj(doze)
}

const reservado = (cnpj: string): boolean =>
  findCenarioFederal(cnpj) !== undefined || findComportamento(cnpj) !== undefined

/** What a misbehaving document says of certificates in every state, it says here. */
function imposto(cnpj: string): { desfecho?: Desfecho; papel?: Papel } {
  const efeito = efeitoFederal(cnpj, 'contrato')
  if (efeito?.tipo === 'papel') return { desfecho: 'negativa', papel: efeito.papel }
  if (efeito?.tipo === 'certidao') return { desfecho: DOS_ESTADOS[efeito.desfecho] }
  return reservado(cnpj) ? { desfecho: 'negativa' } : {}
}

const DOS_ESTADOS = {
  positiva: 'insuficiente',
  irregular: 'inapta',
  efeitos: 'efeitos',
  'nao-inscrito': 'nao-inscrito',
} as const

function pick(matriz: string, situacaoNoCnpj: string | undefined, sorte: number): Desfecho {
  const codigo = Number(situacaoNoCnpj)
  if (situacaoNoCnpj === undefined || codigo === 1) return 'nao-inscrito'
  if (codigo === 4) return 'inapta'
  if ([...exemplos().umaInscricao.values()].includes(matriz)) return 'negativa'
  const dado = mix(sorte, 3) % 40
  return dado < 5 ? 'insuficiente' : dado < 9 ? 'efeitos' : 'negativa'
}

export type Livro = {
  certidoes: (situacao: Situacao) => readonly CertidaoFederal[]
  valida: (situacao: Situacao) => CertidaoFederal | undefined
  /** Goes on with somebody's issuance, or begins it. Every question moves all issuances on. */
  issue: (situacao: Situacao, quem: string) => CertidaoFederal | undefined
  ask: (situacao: Situacao) => void
  emissoes: () => Record<string, number>
}

type Andamento = { quem: string; desde: number; vezes: number; feita: CertidaoFederal | undefined }
type Pagina = { certidoes: CertidaoFederal[]; andamentos: Andamento[]; emissoes: number }

const MAXIMO = 10_000
const ANDAMENTOS = 16

/** How many days ago the certificates of the past were issued, the latest first. One was annulled since. */
type Passada = { dias: number; anulada?: true }
const HA: Readonly<Record<Exclude<Anterior, object>, readonly Passada[]>> = {
  nenhuma: [],
  valida: [{ dias: 10, anulada: true }, { dias: 30 }, { dias: 300 }],
  vencendo: [{ dias: 178 }, { dias: 400 }],
}

/** A book in which each company has its past when it is first asked about. */
export function createLivro(agora: () => Date): Livro {
  const paginas = new LRUCache<string, Pagina>({ max: MAXIMO })
  const open = (situacao: Situacao): Pagina => {
    const { matriz, anterior } = situacao
    const aberta = paginas.get(matriz)
    if (aberta) return aberta
    const passadas: readonly Passada[] = typeof anterior === 'string' ? HA[anterior] : [anterior]
    const certidoes = passadas.map(({ dias, anulada = false }) => ({
      ...writeCertidao(situacao, agora().getTime() - dias * DIA_MS, mix(sementeDe(matriz), dias)),
      anulada,
    }))
    const nova = { certidoes, andamentos: [], emissoes: 0 }
    paginas.set(matriz, nova)
    return nova
  }
  const advance = (situacao: Situacao, pagina: Pagina): void => {
    for (const um of pagina.andamentos) {
      um.vezes += 1
      if (um.feita || !isReady(situacao, um, agora().getTime())) continue
      um.feita =
        reemitida(situacao, pagina) ??
        writeCertidao(situacao, agora().getTime(), randomBytes(4).readUInt32BE())
      if (!pagina.certidoes.includes(um.feita)) pagina.certidoes.unshift(um.feita)
    }
  }
  const reemitida = ({ matriz }: Situacao, { certidoes }: Pagina): CertidaoFederal | undefined =>
    findCenarioFederal(matriz)?.portal === 'mesma-no-dia'
      ? certidoes.find(({ emissao }) => emissao === emBrasilia(agora().getTime()).dia)
      : undefined
  return {
    certidoes: (situacao) => open(situacao).certidoes,
    valida: (situacao) => {
      const hoje = emBrasilia(agora().getTime()).dia
      const validas = open(situacao).certidoes.filter((uma) => !uma.anulada && uma.validade >= hoje)
      return validas.sort((uma, outra) => outra.validade.localeCompare(uma.validade))[0]
    },
    ask: (situacao) => advance(situacao, open(situacao)),
    issue: (situacao, quem) => {
      const pagina = open(situacao)
      if (!pagina.andamentos.some((um) => um.quem === quem)) {
        pagina.emissoes += 1
        pagina.andamentos.push({ quem, desde: agora().getTime(), vezes: -1, feita: undefined })
        pagina.andamentos.splice(0, pagina.andamentos.length - ANDAMENTOS)
      }
      advance(situacao, pagina)
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

const isReady = ({ demora }: Situacao, { desde, vezes }: Andamento, agora: number): boolean =>
  'vezes' in demora ? vezes >= demora.vezes : agora - desde >= demora.segundos * 1000

/** A certificate of that instant; its control code and number come out of `semente`. */
function writeCertidao(
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
    validade: expire(dia),
    anulada: false,
    papel,
  }
}

/** The tax office's own words when it issues no certificate; undefined where it issues one. */
export function recusaDe(situacao: Situacao): string | undefined {
  const { matriz, desfecho } = situacao
  const doc = maskDocumento(matriz)
  switch (desfecho) {
    // The positive certificate exists at the counter alone.
    case 'positiva':
    case 'insuficiente':
      return INSUFICIENTE[sementeDe(matriz) % INSUFICIENTE.length]?.replace('{doc}', doc)
    case 'inapta':
      return `Inscrição no CNPJ ${doc} Inapta - Omissão de declarações, emissão de certidão não permitida.`
    case 'nao-inscrito':
      return 'O número informado não consta do cadastro CNPJ.'
    case 'negativa':
    case 'efeitos':
      return undefined
  }
}

/** The portal's of 2026, and two of the portal before it. */
const INSUFICIENTE = [
  'As informações disponíveis na Receita Federal sobre o contribuinte {doc} são insuficientes para emitir a certidão pela Internet.',
  'As informações disponíveis na Secretaria da Receita Federal do Brasil - RFB sobre o contribuinte {doc} são insuficientes para a emissão de certidão por meio da Internet.',
  'As informações disponíveis na Secretaria da Receita Federal do Brasil - RFB e na Procuradoria-Geral da Fazenda Nacional - PGFN sobre o contribuinte {doc} são insuficientes para a emissão de certidão por meio da Internet.',
] as const

/** Of a branch. The portal before this one did not name the head office. */
export function recusaDaFilial(cnpj: string, matriz: string): string {
  const inicio = 'A certidão deve ser emitida para o CNPJ da matriz'
  return sementeDe(cnpj) % 4 === 0 ? inicio : `${inicio} – ${maskDocumento(matriz)}`
}

export const EM_PROCESSAMENTO = [
  'Estamos analisando seu pedido de emissão de certidão. Aguarde.',
  'Retorne em alguns minutos para o resultado.',
] as const
