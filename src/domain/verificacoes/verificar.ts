import type { Achado, ResultadoDaVerificacao } from '../rejeicoes/laudo.ts'
import type { No } from '../rejeicoes/no.ts'
import { diaDe } from '../sefaz/dia.ts'
import { criarCaminhos, type Leitor } from './caminho.ts'
import { type Cena, type Contexto, criarCena } from './cena.ts'
import type { Ponto } from './ponto.ts'
import { type Preparada, prepararVerificacao, type VerificacaoComCodigo } from './preparar.ts'

/** How many places of one check are told. The others are counted. */
const CONTADOS = 50

/** The checks of one place of the note, as `det`. */
type Grupo = { pontos: Leitor['pontos']; preparadas: Preparada[] }

/** What a check found so far in one run. */
type Conta = { preparada: Preparada; ok: number; falhas: Ponto[]; duvidas: Ponto[]; omitidas: number }

/**
 * Compiles checks, and throws an Error if one cannot be. What it gives runs them all on a note, `infNFe` or
 * what holds it, in the order of `lista`, and throws if there is none.
 */
export function prepararVerificacoes(
  lista: readonly VerificacaoComCodigo[],
): (raiz: No, contexto: Contexto) => Achado[] {
  const caminhos = criarCaminhos()
  const preparadas = lista.map((verificacao) => prepararVerificacao(verificacao, caminhos))
  const modelo = caminhos.ler('ide/mod')
  const grupos = new Map<string, Grupo>()
  for (const preparada of preparadas) {
    const escopo = preparada.verificacao.escopo ?? ''
    const grupo = grupos.get(escopo) ?? { pontos: caminhos.ler(escopo).pontos, preparadas: [] }
    grupo.preparadas.push(preparada)
    grupos.set(escopo, grupo)
  }
  return (raiz, contexto) => {
    const cena = criarCena(raiz, contexto)
    const mod = modelo.primeiro(cena.infNFe, cena)
    const dia = diaDe(Date.parse(contexto.agora))
    const contas = new Map<Preparada, Conta>()
    for (const grupo of grupos.values()) {
      const vigentes = grupo.preparadas.filter(({ verificacao }) => isVigente(verificacao, mod, dia))
      for (const conta of rodarGrupo(vigentes, grupo.pontos(cena.infNFe, cena), cena))
        contas.set(conta.preparada, conta)
    }
    return preparadas.map((preparada) => resumir(preparada, contas.get(preparada), cena))
  }
}

/** Whether the authority applies the rule on this day to this model. */
function isVigente({ modelos, vigencia }: VerificacaoComCodigo, mod: string, dia: string): boolean {
  if (modelos && !modelos.some((modelo) => modelo === mod)) return false
  const { de, ate } = vigencia ?? {}
  return (de === undefined || de <= dia) && (ate === undefined || dia <= ate)
}

/** Place by place, so that what one check read serves the next. */
function rodarGrupo(preparadas: readonly Preparada[], pontos: readonly Ponto[], cena: Cena): Conta[] {
  const contas = preparadas.map(
    (preparada): Conta => ({ preparada, ok: 0, falhas: [], duvidas: [], omitidas: 0 }),
  )
  for (const ponto of pontos) for (const conta of contas) conferir(conta, ponto, cena)
  return contas
}

function conferir(conta: Conta, ponto: Ponto, cena: Cena): void {
  const cabe = conta.preparada.cabe(ponto, cena)
  if (cabe === false) return
  const vale = conta.preparada.regra(ponto, cena)
  if (vale) conta.ok++
  else if (vale === false && cabe) guardar(conta, conta.falhas, ponto)
  else if (conta.falhas.length === 0) guardar(conta, conta.duvidas, ponto)
}

function guardar(conta: Conta, lista: Ponto[], ponto: Ponto): void {
  if (lista === conta.falhas && lista.length === 0) conta.omitidas = 0
  if (lista.length < CONTADOS) lista.push(ponto)
  else conta.omitidas++
}

function resumir({ verificacao, falha, duvida }: Preparada, conta: Conta | undefined, cena: Cena): Achado {
  const { ok = 0, falhas = [], duvidas = [], omitidas = 0 } = conta ?? {}
  const { id, codigo, titulo, aplicacao = 'obrigatoria' } = verificacao
  const achado = (resultado: ResultadoDaVerificacao, ocorrencias: Achado['ocorrencias']): Achado => ({
    id,
    codigo,
    titulo,
    aplicacao,
    resultado,
    ocorrencias,
    omitidas,
  })
  if (falhas.length > 0)
    return achado(
      'falha',
      falhas.map((ponto) => falha(ponto, cena)),
    )
  if (duvidas.length > 0)
    return achado(
      'indeterminado',
      duvidas.map((ponto) => duvida(ponto, cena)),
    )
  return achado(ok > 0 ? 'ok' : 'nao_aplicavel', [])
}
