import { type Caminho, type Condicao, type No, type Regencia, type Verificacao, vigorEm } from '../rules.ts'
import type { Achado, Ocorrencia, ResultadoDaVerificacao } from '../rules-laudo.ts'
import {
  type Caminhos,
  type Cena,
  type Contexto,
  createCaminhos,
  createCena,
  type Leitor,
  type LidosDoElemento,
} from './caminho.ts'
import { compileCampos, compileMensagem, ondeDe, tellTabela } from './campos.ts'
import { compileCondicao, dispensadosPor, e, exigidosPor, isDaNota, partesDe } from './condicao.ts'
import type { Teste } from './valores.ts'

export type VerificacaoComCodigo = Verificacao & { codigo: number }

type Preparada = {
  verificacao: VerificacaoComCodigo
  /** Whether the check applies to the note: what its conditions say of no place. */
  fitsNota: Teste
  fitsLugar: Teste
  regra: Teste
  /** Numbers of paths: the check does not apply where one of them finds nothing. */
  requires: readonly number[]
  /** Numbers of paths: the rule holds where one of them finds nothing. */
  excuses: readonly number[]
  /** What it finds where no place is told. All notes share these; nobody changes them. */
  semOcorrencias: { ok: Achado; notApplicable: Achado }
  falha: (ponto: No, cena: Cena) => Ocorrencia
  duvida: (ponto: No, cena: Cena) => Ocorrencia
}

/** Throws an Error with the id of a check that cannot be compiled. */
function prepareVerificacao(verificacao: VerificacaoComCodigo, caminhos: Caminhos): Preparada {
  try {
    return compile(verificacao, caminhos.sob(verificacao.escopo ?? ''))
  } catch (cause) {
    throw new Error(`the check ${verificacao.id} cannot be compiled`, { cause })
  }
}

function compile(verificacao: VerificacaoComCodigo, caminhos: Caminhos): Preparada {
  const { regra, quando, exceto = [], campos, escopo, mensagem_falha, dependencia, aplicacao } = verificacao
  const condicao = (outra: typeof regra): Teste => compileCondicao(outra, caminhos)
  const read = compileCampos(campos, escopo, caminhos)
  const dita = aplicacao === 'uf' ? `${mensagem_falha} ${CONFORME_A_UF}` : mensagem_falha
  const mensagem = compileMensagem(dita, regra, { caminhos, condicao: compileCondicao })
  const ocorrencia = (ponto: No, cena: Cena, texto: string): Ocorrencia => {
    const lidos = read(ponto, cena)
    return { onde: ondeDe(maisPerto(lidos, escopo)), campos: lidos, mensagem: texto }
  }
  const semDecisao = semDecisaoDe(dependencia)
  const tell = tellTabela([regra, ...(quando ? [quando] : [])], caminhos)
  const partes = [...(quando ? partesDe(quando) : []), ...exceto.map((excecao) => ({ nao: excecao }))]
  const [daNota, doLugar] = split(partes, (parte) => !caminhos.isDaNota && isDaNota(parte))
  return {
    verificacao,
    fitsNota: e(daNota.map(condicao)),
    fitsLugar: e(doLugar.map(condicao)),
    regra: condicao(regra),
    requires: numerosDe(doLugar.flatMap(exigidosPor), caminhos),
    excuses: numerosDe(dispensadosPor(regra), caminhos),
    semOcorrencias: {
      ok: semOcorrencias(verificacao, 'ok'),
      notApplicable: semOcorrencias(verificacao, 'nao_aplicavel'),
    },
    falha: (ponto, cena) => ocorrencia(ponto, cena, mensagem(ponto, cena)),
    duvida: (ponto, cena) => {
      const dito = tell?.(ponto, cena)
      return ocorrencia(ponto, cena, dito?.isDuvida ? `${comMaiuscula(dito.frase)}.` : semDecisao)
    },
  }
}

function semOcorrencias(verificacao: VerificacaoComCodigo, resultado: Achado['resultado']): Achado {
  const { id, codigo, titulo, aplicacao = 'obrigatoria' } = verificacao
  return { id, codigo, titulo, aplicacao, resultado, ocorrencias: [], omitidas: 0 }
}

function split(
  partes: readonly Condicao[],
  isPrimeira: (parte: Condicao) => boolean,
): [Condicao[], Condicao[]] {
  return [partes.filter(isPrimeira), partes.filter((parte) => !isPrimeira(parte))]
}

/** Only the longest of paths that begin alike: where it finds something, so do the others. */
function numerosDe(pedidos: readonly Caminho[], caminhos: Caminhos): number[] {
  const longos = pedidos.filter((um) => !pedidos.some((outro) => outro.startsWith(`${um}/`)))
  return [...new Set(longos.flatMap((caminho) => caminhos.numeroDe(caminho) ?? []))]
}

const CONFORME_A_UF = 'Esta regra é aplicada conforme a UF.'

function semDecisaoDe(dependencia: Verificacao['dependencia']): string {
  if (dependencia === 'xml') return VALOR_SEM_FORMA
  return dependencia === 'tabela:ncm' ? FALTA_NCM : FALTA_DADO
}

const comMaiuscula = (frase: string): string => frase.charAt(0).toUpperCase() + frase.slice(1)

const FALTA_NCM =
  'Não foi possível conferir: falta a tabela da NCM, ou a unidade nela. O operador a instala com fiscal tabelas instalar ncm.'

const VALOR_SEM_FORMA =
  'Não foi possível conferir: um destes campos não tem a forma de número ou de data que o leiaute pede.'

const FALTA_DADO = 'Não foi possível conferir: depende de um cadastro ou de um dado que não está no XML.'

/** The field that names the place: the first below the check's own place, or else the first. */
function maisPerto(campos: Ocorrencia['campos'], escopo: string | undefined): string {
  const semPosicoes = (caminho: string): string => caminho.replace(/\[\d+\]/g, '')
  const dentro = campos.find(({ caminho }) => escopo && semPosicoes(caminho).startsWith(`${escopo}/`))
  return (dentro ?? campos[0])?.caminho ?? ''
}

type Vigente = {
  preparada: Preparada
  indice: number
  /** Why nobody can tell whether the rule is in force; empty where it is. */
  semDecisao: string
}

type GrupoDeVerificacoes = { pontos: Leitor['pontos']; lidos: Caminhos['lidos']; vigentes: Vigente[] }

type PlanoDoDia = {
  grupos: readonly GrupoDeVerificacoes[]
  todas: readonly { preparada: Preparada; vigente: Vigente | undefined }[]
}

type Moldura = { mod: string; regencia: Regencia }

function makePlano(preparadas: readonly Preparada[], caminhos: Caminhos, moldura: Moldura): PlanoDoDia {
  const grupos = new Map<string, GrupoDeVerificacoes>()
  const todas = preparadas.map((preparada, indice) => {
    const vigente = vigenteEm(preparada, indice, moldura)
    if (vigente) grupoDe(preparada.verificacao.escopo ?? '', grupos, caminhos).vigentes.push(vigente)
    return { preparada, vigente }
  })
  return { grupos: [...grupos.values()], todas }
}

function grupoDe(
  escopo: string,
  grupos: Map<string, GrupoDeVerificacoes>,
  caminhos: Caminhos,
): GrupoDeVerificacoes {
  const { pontos } = caminhos.read(escopo)
  const grupo = grupos.get(escopo) ?? { pontos, lidos: caminhos.sob(escopo).lidos, vigentes: [] }
  grupos.set(escopo, grupo)
  return grupo
}

/** Undefined where the rule is not for this model, or not in force. */
function vigenteEm(preparada: Preparada, indice: number, { mod, regencia }: Moldura): Vigente | undefined {
  const { modelos, vigencia } = preparada.verificacao
  if (modelos && !modelos.some((modelo) => modelo === mod)) return undefined
  const vigor = vigorEm(vigencia, regencia)
  if (vigor === false) return undefined
  return { preparada, indice, semDecisao: vigor === true ? '' : vigor }
}

const CONTADOS = 50

const PLANOS = 16

type Conta = { ok: number; falhas: No[]; duvidas: No[]; omitidas: number }

/** Runs the checks on a note, `infNFe` or what holds it; only those that `quais` takes, if it is given. */
export type Checker = (
  raiz: No,
  contexto: Contexto,
  quais?: (verificacao: VerificacaoComCodigo) => boolean,
) => Achado[]

/** Throws if a check cannot be compiled; what it gives throws if there is no note. */
export function prepareVerificacoes(lista: readonly VerificacaoComCodigo[]): Checker {
  const caminhos = createCaminhos()
  const preparadas = lista.map((verificacao) => prepareVerificacao(verificacao, caminhos))
  const modelo = caminhos.read('ide/mod')
  const planos = new Map<string, PlanoDoDia>()

  function planoDe(mod: string, regencia: Regencia): PlanoDoDia {
    const chave = `${regencia.dia} ${regencia.ambiente} ${mod}`
    const plano = planos.get(chave) ?? makePlano(preparadas, caminhos, { mod, regencia })
    if (planos.size >= PLANOS) planos.clear()
    planos.set(chave, plano)
    return plano
  }

  return (raiz, contexto, quais) => {
    const cena = createCena(raiz, contexto)
    const lido = modelo.primeiro(cena.infNFe, cena)
    // Any other model has no rules of its own.
    const mod = lido === '55' || lido === '65' ? lido : ''
    const { regencia } = cena
    const plano = quais
      ? makePlano(
          preparadas.filter(({ verificacao }) => quais(verificacao)),
          caminhos,
          { mod, regencia },
        )
      : planoDe(mod, regencia)
    const contas: (Conta | undefined)[] = new Array(plano.todas.length)
    for (const grupo of plano.grupos) runGrupo(grupo, contas, cena)
    return plano.todas.map(({ preparada, vigente }, i) => {
      const conta = contas[i]
      return vigente && conta ? summarize(vigente, conta, cena) : preparada.semOcorrencias.notApplicable
    })
  }
}

/** Place by place. A check that the note rules out costs nothing at any of them. */
function runGrupo(
  { pontos, lidos, vigentes }: GrupoDeVerificacoes,
  contas: (Conta | undefined)[],
  cena: Cena,
): void {
  const lugares = pontos(cena.infNFe, cena)
  if (lugares.length === 0) return
  const cabem = vigentes.filter(({ preparada }) => preparada.fitsNota(cena.infNFe, cena) !== false)
  for (const ponto of lugares) {
    const achados = lidos(ponto, cena)
    for (const { preparada, indice } of cabem) {
      if (lacks(preparada.requires, achados)) continue
      const conta = contas[indice]
      // One place where the rule holds says as much as many.
      if (conta && conta.ok > 0 && lacks(preparada.excuses, achados)) continue
      contas[indice] = check(preparada, conta, ponto, cena)
    }
  }
}

function lacks(numeros: readonly number[], achados: LidosDoElemento): boolean {
  for (const numero of numeros) if (achados[numero] === undefined) return true
  return false
}

/** Undefined as long as the check applied nowhere. */
function check(preparada: Preparada, ate: Conta | undefined, ponto: No, cena: Cena): Conta | undefined {
  const noLugar = preparada.fitsLugar(ponto, cena)
  if (noLugar === false) return ate
  const conta = ate ?? { ok: 0, falhas: [], duvidas: [], omitidas: 0 }
  const vale = preparada.regra(ponto, cena)
  if (vale) conta.ok++
  else if (vale === false && noLugar && preparada.fitsNota(ponto, cena)) keep(conta, conta.falhas, ponto)
  else if (conta.falhas.length === 0) keep(conta, conta.duvidas, ponto)
  return conta
}

function keep(conta: Conta, lista: No[], ponto: No): void {
  if (lista === conta.falhas && lista.length === 0) conta.omitidas = 0
  if (lista.length < CONTADOS) lista.push(ponto)
  else conta.omitidas++
}

function summarize(
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
  return preparada.semOcorrencias[ok > 0 ? 'ok' : 'notApplicable']
}
