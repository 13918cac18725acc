import type { No } from '../no.ts'
import type { Caminho, Condicao, Verificacao } from '../rules.ts'
import type { Achado, Ocorrencia } from '../rules-laudo.ts'
import { dispensadosPor, exigidosPor, isDaNota, partesDe } from './alcance.ts'
import { compilarCampos } from './campos.ts'
import type { Cena } from './cena.ts'
import { compilarCondicao } from './condicao.ts'
import { dizerTabela } from './dizer-tabela.ts'
import { compilarMensagem } from './mensagem.ts'
import { ondeDe } from './onde.ts'
import { e } from './quantos.ts'
import type { Teste } from './valores.ts'
import type { Caminhos } from './verificacoes-caminho.ts'

/** A check with the code that it belongs to. */
export type VerificacaoComCodigo = Verificacao & { codigo: number }

/** A check, ready to run. */
export type Preparada = {
  verificacao: VerificacaoComCodigo
  /** Whether the check applies to the note: what its conditions say of no place. */
  cabeNaNota: Teste
  /** Whether it applies at a place, if it applies to the note. */
  cabeNoLugar: Teste
  regra: Teste
  /** Numbers of paths: the check does not apply where one of them finds nothing. */
  exige: readonly number[]
  /** Numbers of paths: the rule holds where one of them finds nothing. */
  dispensa: readonly number[]
  /** What it finds where no place is told. All notes share these; nobody changes them. */
  semOcorrencias: { ok: Achado; naoAplicavel: Achado }
  falha: (ponto: No, cena: Cena) => Ocorrencia
  duvida: (ponto: No, cena: Cena) => Ocorrencia
}

/** Compiles a check. Throws an Error with its id if it cannot be. */
export function prepararVerificacao(verificacao: VerificacaoComCodigo, caminhos: Caminhos): Preparada {
  try {
    return compilar(verificacao, caminhos.sob(verificacao.escopo ?? ''))
  } catch (cause) {
    throw new Error(`the check ${verificacao.id} cannot be compiled`, { cause })
  }
}

function compilar(verificacao: VerificacaoComCodigo, caminhos: Caminhos): Preparada {
  const { regra, quando, exceto = [], campos, escopo, mensagem_falha, dependencia, aplicacao } = verificacao
  const condicao = (outra: typeof regra): Teste => compilarCondicao(outra, caminhos)
  const ler = compilarCampos(campos, escopo, caminhos)
  const dita = aplicacao === 'uf' ? `${mensagem_falha} ${CONFORME_A_UF}` : mensagem_falha
  const mensagem = compilarMensagem(dita, regra, { caminhos, condicao: compilarCondicao })
  const ocorrencia = (ponto: No, cena: Cena, texto: string): Ocorrencia => {
    const lidos = ler(ponto, cena)
    return { onde: ondeDe(maisPerto(lidos, escopo)), campos: lidos, mensagem: texto }
  }
  const semDecisao = semDecisaoDe(dependencia)
  const dizer = dizerTabela([regra, ...(quando ? [quando] : [])], caminhos)
  const partes = [...(quando ? partesDe(quando) : []), ...exceto.map((excecao) => ({ nao: excecao }))]
  const [daNota, doLugar] = separar(partes, (parte) => !caminhos.isDaNota && isDaNota(parte))
  return {
    verificacao,
    cabeNaNota: e(daNota.map(condicao)),
    cabeNoLugar: e(doLugar.map(condicao)),
    regra: condicao(regra),
    exige: numerosDe(doLugar.flatMap(exigidosPor), caminhos),
    dispensa: numerosDe(dispensadosPor(regra), caminhos),
    semOcorrencias: {
      ok: semOcorrencias(verificacao, 'ok'),
      naoAplicavel: semOcorrencias(verificacao, 'nao_aplicavel'),
    },
    falha: (ponto, cena) => ocorrencia(ponto, cena, mensagem(ponto, cena)),
    duvida: (ponto, cena) => {
      const dito = dizer?.(ponto, cena)
      return ocorrencia(ponto, cena, dito?.isDuvida ? `${comMaiuscula(dito.frase)}.` : semDecisao)
    },
  }
}

function semOcorrencias(verificacao: VerificacaoComCodigo, resultado: Achado['resultado']): Achado {
  const { id, codigo, titulo, aplicacao = 'obrigatoria' } = verificacao
  return { id, codigo, titulo, aplicacao, resultado, ocorrencias: [], omitidas: 0 }
}

function separar(
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
