import { XmlDocument } from 'libxml2-wasm'
import { enumerate } from '../../platform/texto.ts'
import { caminhoDe, type Elemento } from '../arvore.ts'
import { type NotaAberta, readDocumento } from '../nota.ts'
import type { ErroDeEsquema } from '../rules-laudo.ts'
import { rotuloDe } from '../textos.ts'
import { lugarDe, ondeDe, quote } from '../verificacoes/campos.ts'
import type { PacoteNoDia } from './calendario.ts'
import { type Conferencia, checkEsquema, type Queixa, type ValorErrado } from './conferencia.ts'
import type { Defeito } from './estrutura.ts'
import { describePadrao, openPacote, type Pacote } from './pacote.ts'

const CONTADOS = 40

/** What is wrong with a value, to follow `O campo NCM `, and what is expected. */
function explainValor(valor: string, queixas: readonly Queixa[]): string {
  const esperados = queixas.flatMap((queixa) => esperado(queixa, valor) ?? [])
  const fim = esperados.length > 0 ? ` Esperado: ${[...new Set(esperados)].join('; ')}.` : ''
  return `${problema(valor, queixas)}.${fim}`
}

function problema(valor: string, queixas: readonly Queixa[]): string {
  const tipos = new Set(queixas.map(({ tipo }) => tipo))
  if (tipos.has('filhos-em-campo')) return 'tem outros elementos dentro, e só pode ter um valor'
  if (tipos.has('texto-solto')) return 'tem texto solto entre os seus elementos'
  if (tipos.has('repetido')) return 'repete um valor que só pode aparecer uma vez'
  if (tipos.has('sem-declaracao'))
    return 'não é da NF-e: confira o namespace http://www.portalfiscal.inf.br/nfe'
  if (valor === '') return 'está vazio'
  if (valor !== valor.trim()) return 'tem espaço ou quebra de linha no começo ou no fim'
  const longo = queixas.find((queixa) => queixa.tipo === 'tamanho' && queixa.faceta === 'maxLength')
  if (longo) return `tem ${[...valor].length} caracteres, mais do que o campo aceita`
  if (tipos.has('tamanho')) return `tem ${[...valor].length} caracteres, fora do tamanho do campo`
  if (tipos.has('lista')) return 'tem um valor que não está na lista do esquema'
  return 'não tem o formato que o esquema pede'
}

function esperado(queixa: Queixa, valor: string): string | undefined {
  switch (queixa.tipo) {
    case 'padrao':
      return describePadrao(queixa.padrao)
    case 'tamanho':
      return `${FACETAS[queixa.faceta]} ${queixa.limite} ${queixa.limite === '1' ? 'caractere' : 'caracteres'}`
    case 'lista': {
      const { valores } = queixa
      const mais = valores.length > CONTADOS ? ` (e mais ${valores.length - CONTADOS})` : ''
      return valor === '' && valores.length > CONTADOS
        ? 'um valor da lista do esquema'
        : `${enumerate(valores.slice(0, CONTADOS), 'ou')}${mais}`
    }
    case 'casas':
      return queixa.faceta === 'totalDigits'
        ? `no máximo ${queixa.limite} algarismos`
        : `no máximo ${queixa.limite} casas decimais`
    case 'limite':
      return queixa.faceta.startsWith('min') ? `no mínimo ${queixa.limite}` : `no máximo ${queixa.limite}`
    case 'tipo':
      return TIPOS[queixa.qual]
    case 'fixo':
      return queixa.valor
    default:
      return undefined
  }
}

const FACETAS = { length: 'exatamente', minLength: 'no mínimo', maxLength: 'no máximo' } as const

const TIPOS: Readonly<Record<string, string>> = {
  base64Binary: 'texto em base64',
  gYearMonth: 'ano e mês, como 2026-11',
  ID: 'um identificador sem espaço, que não começa por algarismo',
  anyURI: 'um endereço',
}

/** `NCM (Código NCM do item)`, for a message. */
function nomeComRotulo(caminho: string): string {
  const nome = caminho.replace(/^.*\//, '').replace(/\[\d+\]$/, '')
  const rotulo = rotuloDe(caminho)
  return rotulo ? `${nome} (${rotulo})` : nome
}

/** In the order of the note. One place has one error. */
export function reportErros({ valores, defeitos }: Conferencia): ErroDeEsquema[] {
  const dosDefeitos = defeitos.map((defeito) => ({
    onde: inicioDe(defeito),
    report: () => reportDefeito(defeito),
  }))
  const dosValores = valores.map((errado) => ({
    onde: errado.elemento.inicio,
    report: () => reportValor(errado),
  }))
  const contados = [...dosDefeitos, ...dosValores]
    .sort((a, b) => a.onde - b.onde)
    .map(({ report }) => report())
  const vistos = new Set<string>()
  return contados.filter(({ caminho, mensagem }) => {
    const erro = `${caminho} ${mensagem}`
    return !vistos.has(erro) && vistos.add(erro)
  })
}

const inicioDe = (defeito: Defeito): number =>
  defeito.tipo === 'falta' ? (defeito.antes?.inicio ?? defeito.pai.fim) : defeito.elemento.inicio

function reportValor({ elemento, atributo, queixas }: ValorErrado): ErroDeEsquema {
  const [queixa] = queixas
  if (queixa?.tipo === 'falta-atributo' || queixa?.tipo === 'atributo-desconhecido') {
    const caminho = caminhoDe(elemento, queixa.nome)
    const nome = `atributo ${queixa.nome}`
    return queixa.tipo === 'falta-atributo'
      ? erro(caminho, null, `Falta o ${nome} de ${elemento.nome}. Informe-o.`)
      : erro(
          caminho,
          elemento.atributos[queixa.nome] ?? null,
          `O ${nome} não existe em ${elemento.nome}. Retire-o.`,
        )
  }
  const caminho = caminhoDe(elemento, atributo)
  const valor = atributo ? (elemento.atributos[atributo] ?? '') : elemento.texto
  const quem = atributo ? `O atributo ${atributo}` : `O campo ${nomeComRotulo(caminho) || elemento.nome}`
  return erro(caminho, valor, `${quem} ${explainValor(valor, queixas)}`)
}

function reportDefeito(defeito: Defeito): ErroDeEsquema {
  if (defeito.tipo === 'falta') return reportFalta(defeito)
  const caminho = lugarDe(defeito.elemento)
  const valor = defeito.elemento.filhos.length > 0 ? null : defeito.elemento.texto
  const nome = nomeComRotulo(caminho) || defeito.elemento.nome
  switch (defeito.tipo) {
    case 'fora-de-ordem': {
      const { depoisDe, antesDe } = defeito
      const onde = [depoisDe && `depois de ${depoisDe}`, antesDe && `antes de ${antesDe}`].filter(Boolean)
      return erro(caminho, valor, `O campo ${nome} está fora de ordem: deve vir ${onde.join(' e ')}.`)
    }
    case 'desconhecido': {
      const certo = defeito.nomeCerto
        ? ` O nome certo é ${defeito.nomeCerto}.`
        : ' Retire-o ou corrija o nome.'
      return erro(caminho, valor, `O campo ${nome} não existe neste ponto do leiaute.${certo}`)
    }
    case 'demais':
      return erro(
        caminho,
        valor,
        `O campo ${nome} aparece mais vezes do que o leiaute aceita (${defeito.maximo}).`,
      )
    case 'exclusivo':
      return erro(
        caminho,
        valor,
        `O campo ${nome} não pode vir junto de ${defeito.outro}: informe só um dos dois.`,
      )
  }
}

function reportFalta({ pai, nomes, antes }: Defeito & { tipo: 'falta' }): ErroDeEsquema {
  const lugar = lugarDe(pai)
  const caminhos = nomes.map((nome) => (lugar ? `${lugar}/${nome}` : nome))
  const [primeiro = ''] = caminhos
  const fim = antes ? `antes de ${antes.nome}` : `no fim de ${pai.nome}`
  const mensagem =
    nomes.length > 1
      ? `Falta um destes campos ${fim}: ${enumerate(nomes, 'ou')}.`
      : `Falta o campo ${nomeComRotulo(primeiro)} ${fim}.`
  return erro(primeiro, null, mensagem)
}

const erro = (caminho: string, valor: string | null, mensagem: string): ErroDeEsquema => ({
  onde: ondeDe(caminho),
  caminho,
  valor: valor === null ? null : quote(valor),
  mensagem,
})

/** Opens a package, or the one that stands behind it where its files are damaged. */
export function openNoDia(pacote: PacoteNoDia): { aberto: Pacote; pacote: PacoteNoDia } {
  try {
    return { aberto: openPacote(pacote.fonte), pacote }
  } catch (error) {
    if (pacote.reserva) return openNoDia(pacote.reserva)
    throw error
  }
}

/** What the schema of a day says of a note. `outro` is the other package of a disputed day. */
export type ConferenciaNoDia = {
  conferencia: Conferencia
  pacote: PacoteNoDia
  outro: PacoteNoDia | undefined
}

/**
 * On a disputed day a note that either takes is good. Of one that both refuse, the errors that both tell
 * count, or those of the newer where they tell none alike.
 */
export function checkNoDia(
  { documento, nfe, xml }: Pick<NotaAberta, 'documento' | 'nfe' | 'xml'>,
  pacotes: readonly [PacoteNoDia, ...PacoteNoDia[]],
): ConferenciaNoDia {
  const [novo, velho] = pacotes.map(openNoDia)
  if (!novo) throw new Error('there is no package of schemas')
  const doNovo = checkEsquema(documento, nfe, novo.aberto)
  if (!velho || isBoa(doNovo)) return { conferencia: doNovo, pacote: novo.pacote, outro: velho?.pacote }
  const outroDocumento = readDocumento(xml)
  if (!(outroDocumento instanceof XmlDocument)) throw new Error('a note that was read cannot be read again')
  try {
    const doVelho = checkEsquema(outroDocumento, nfe, velho.aberto)
    if (isBoa(doVelho)) return { conferencia: doVelho, pacote: velho.pacote, outro: novo.pacote }
    return { conferencia: comuns(doNovo, doVelho), pacote: novo.pacote, outro: velho.pacote }
  } finally {
    outroDocumento.dispose()
  }
}

const isBoa = ({ valores, defeitos }: Conferencia): boolean => valores.length === 0 && defeitos.length === 0

function comuns(um: Conferencia, outro: Conferencia): Conferencia {
  const [valoresDoOutro, defeitosDoOutro] = [indexValores(outro.valores), indexDefeitos(outro.defeitos)]
  const valores = um.valores.filter(({ elemento, atributo }) =>
    valoresDoOutro.get(elemento)?.some((seu) => seu.atributo === atributo),
  )
  const defeitos = um.defeitos.filter((defeito) =>
    defeitosDoOutro.get(lugarDoDefeito(defeito))?.some((seu) => isIgual(defeito, seu)),
  )
  const juntos = { ...um, incompleta: um.incompleta || outro.incompleta }
  return valores.length + defeitos.length > 0 ? { ...juntos, valores, defeitos } : juntos
}

const indexValores = (valores: readonly ValorErrado[]) => Map.groupBy(valores, ({ elemento }) => elemento)

const lugarDoDefeito = (defeito: Defeito): Elemento =>
  defeito.tipo === 'falta' ? defeito.pai : defeito.elemento

const indexDefeitos = (defeitos: readonly Defeito[]) => Map.groupBy(defeitos, lugarDoDefeito)

/** Two that want another field each tell the same only where one field would do for both. */
const isIgual = (um: Defeito, outro: Defeito): boolean =>
  um.tipo === 'falta' && outro.tipo === 'falta'
    ? um.nomes.some((nome) => outro.nomes.includes(nome))
    : um.tipo !== 'falta' && outro.tipo !== 'falta'
