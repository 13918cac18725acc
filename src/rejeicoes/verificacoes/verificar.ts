import type { No } from '../no.ts'
import type { Achado, ResultadoDaVerificacao } from '../rules-laudo.ts'
import type { Regencia } from '../vigencia.ts'
import type { LidosDoElemento } from './caminho.ts'
import { type Cena, type Contexto, criarCena } from './cena.ts'
import { fazerPlano, type GrupoDeVerificacoes, type PlanoDoDia, type Vigente } from './plano.ts'
import { type Preparada, prepararVerificacao, type VerificacaoComCodigo } from './preparar.ts'
import { criarCaminhos } from './verificacoes-caminho.ts'

/** How many places of one check are told. The others are counted. */
const CONTADOS = 50

/** How many plans are kept, each of one day, environment and model. */
const PLANOS = 16

/** What a check found so far in one run. */
type Conta = { ok: number; falhas: No[]; duvidas: No[]; omitidas: number }

/** Runs the checks on a note, `infNFe` or what holds it; only those that `quais` takes, if it is given. */
export type Conferir = (
  raiz: No,
  contexto: Contexto,
  quais?: (verificacao: VerificacaoComCodigo) => boolean,
) => Achado[]

/**
 * Compiles checks, and throws an Error if one cannot be. What it gives runs them in the order of `lista`, and
 * throws if there is no note.
 */
export function prepararVerificacoes(lista: readonly VerificacaoComCodigo[]): Conferir {
  const caminhos = criarCaminhos()
  const preparadas = lista.map((verificacao) => prepararVerificacao(verificacao, caminhos))
  const modelo = caminhos.ler('ide/mod')
  const planos = new Map<string, PlanoDoDia>()

  function planoDe(mod: string, regencia: Regencia): PlanoDoDia {
    const chave = `${regencia.dia} ${regencia.ambiente} ${mod}`
    const plano = planos.get(chave) ?? fazerPlano(preparadas, caminhos, { mod, regencia })
    if (planos.size >= PLANOS) planos.clear()
    planos.set(chave, plano)
    return plano
  }

  return (raiz, contexto, quais) => {
    const cena = criarCena(raiz, contexto)
    const lido = modelo.primeiro(cena.infNFe, cena)
    // Any other model has no rules of its own.
    const mod = lido === '55' || lido === '65' ? lido : ''
    const { regencia } = cena
    const plano = quais
      ? fazerPlano(
          preparadas.filter(({ verificacao }) => quais(verificacao)),
          caminhos,
          { mod, regencia },
        )
      : planoDe(mod, regencia)
    const contas: (Conta | undefined)[] = new Array(plano.todas.length)
    for (const grupo of plano.grupos) rodarGrupo(grupo, contas, cena)
    return plano.todas.map(({ preparada, vigente }, i) => {
      const conta = contas[i]
      return vigente && conta ? resumir(vigente, conta, cena) : preparada.semOcorrencias.naoAplicavel
    })
  }
}

/** Place by place. A check that the note rules out costs nothing at any of them. */
function rodarGrupo(
  { pontos, lidos, vigentes }: GrupoDeVerificacoes,
  contas: (Conta | undefined)[],
  cena: Cena,
): void {
  const lugares = pontos(cena.infNFe, cena)
  if (lugares.length === 0) return
  const cabem = vigentes.filter(({ preparada }) => preparada.cabeNaNota(cena.infNFe, cena) !== false)
  for (const ponto of lugares) {
    const achados = lidos(ponto, cena)
    for (const { preparada, indice } of cabem) {
      if (falta(preparada.exige, achados)) continue
      const conta = contas[indice]
      // One place where the rule holds says as much as many.
      if (conta && conta.ok > 0 && falta(preparada.dispensa, achados)) continue
      contas[indice] = conferir(preparada, conta, ponto, cena)
    }
  }
}

/** Whether one of the paths found nothing. */
function falta(numeros: readonly number[], achados: LidosDoElemento): boolean {
  for (const numero of numeros) if (achados[numero] === undefined) return true
  return false
}

/** Adds what a check finds at a place; undefined as long as it applied nowhere. */
function conferir(preparada: Preparada, ate: Conta | undefined, ponto: No, cena: Cena): Conta | undefined {
  const noLugar = preparada.cabeNoLugar(ponto, cena)
  if (noLugar === false) return ate
  const conta = ate ?? { ok: 0, falhas: [], duvidas: [], omitidas: 0 }
  const vale = preparada.regra(ponto, cena)
  if (vale) conta.ok++
  else if (vale === false && noLugar && preparada.cabeNaNota(ponto, cena)) guardar(conta, conta.falhas, ponto)
  else if (conta.falhas.length === 0) guardar(conta, conta.duvidas, ponto)
  return conta
}

function guardar(conta: Conta, lista: No[], ponto: No): void {
  if (lista === conta.falhas && lista.length === 0) conta.omitidas = 0
  if (lista.length < CONTADOS) lista.push(ponto)
  else conta.omitidas++
}

function resumir(
  { preparada, semDecisao }: Vigente,
  { ok, falhas, duvidas, omitidas }: Conta,
  cena: Cena,
): Achado {
  const achado = (resultado: ResultadoDaVerificacao, ocorrencias: Achado['ocorrencias']): Achado => ({
    ...preparada.semOcorrencias.ok,
    resultado,
    ocorrencias,
    omitidas,
  })
  if (falhas.length > 0) {
    const ocorrencias = falhas.map((ponto) => preparada.falha(ponto, cena))
    if (!semDecisao) return achado('falha', ocorrencias)
    return achado(
      'indeterminado',
      ocorrencias.map((uma) => ({ ...uma, mensagem: `${uma.mensagem} ${semDecisao}` })),
    )
  }
  if (duvidas.length > 0)
    return achado(
      'indeterminado',
      duvidas.map((ponto) => preparada.duvida(ponto, cena)),
    )
  return preparada.semOcorrencias[ok > 0 ? 'ok' : 'naoAplicavel']
}
