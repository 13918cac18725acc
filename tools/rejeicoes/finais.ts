import type { DestinoDoNumero } from './familias/familia.ts'
import { comArtigo, nomeDoCampo } from './palavras.ts'
import { lerTabela } from './tabelas.ts'

/** What the last step of an entry is made of. */
export type DoFinal = {
  titulo: string
  categoria: string | null
  /** The field that is mended, where the sheet tells it; else one of `campos`. */
  alvo: string | undefined
  campos: readonly string[]
  /** The mend takes out what the document may not carry. */
  isRetirada: boolean
  /** The steps before. */
  passos: readonly string[]
  rotulos: ReadonlyMap<string, string>
  /** What is mended, with its article, where no field of the layout tells it. */
  corrige: string | undefined
}

/** How a mend of a field bears on what is sent again: `data/rejeicoes/lugares.csv`. */
const comos = [
  'cadastro',
  'nota',
  'item',
  'total',
  'chave',
  'mes',
  'suplemento',
  'assinatura',
  'lote',
] as const
type Como = (typeof comos)[number]

const isComo = (texto: string): texto is Como => comos.some((como) => como === texto)

let lugares: { inicio: string; onde: string; como: Como }[] | undefined

function lerLugares(): NonNullable<typeof lugares> {
  lugares ??= lerTabela('lugares.csv', ['inicio', 'onde', 'como'])
    .map(({ inicio, onde, como }) => {
      if (!isComo(como)) throw new Error(`lugares.csv: ${como} is no way to mend`)
      return { inicio, onde, como }
    })
    .sort((a, b) => b.inicio.length - a.inicio.length)
  return lugares
}

/** The place of a field: the longest beginning of its path that the table has. */
const lugarDe = (caminho: string) =>
  lerLugares().find(({ inicio }) => caminho === inicio || caminho.startsWith(`${inicio}/`))

/** Fields that only tell when a rule holds, so that another one of the entry is what is mended. */
const CIRCUNSTANCIA =
  /^(?:ide\/(?:tpImp|finNFe|mod|tpEmis|idDest|tpNF|dhEmi|indFinal|indPres|tpAmb)|\w+\/(?:ender\w+\/)?UF|emit\/CRT)$/

/** The field that is mended: one that the title names, or the first that is no circumstance. */
function alvoDe(titulo: string, campos: readonly string[]): string | undefined {
  const comLugar = campos.filter(lugarDe)
  const [primeiro] = comLugar
  const doTitulo = comLugar.find((campo) => titulo.startsWith(`${nomeDoCampo(campo)} `))
  if (doTitulo && !/\/(?:UF|CNPJ|CPF|IE)$/.test(doTitulo)) return doTitulo
  if (primeiro && !CIRCUNSTANCIA.test(primeiro) && primeiro !== 'dest/indIEDest') return primeiro
  const isNoTitulo = (campo: string): boolean =>
    new RegExp(`(?<![\\p{L}\\d])${nomeDoCampo(campo)}(?![\\p{L}\\d])`, 'u').test(titulo)
  return (
    comLugar.find((campo) => isNoTitulo(campo) && !/\/UF$/.test(campo)) ??
    comLugar.find((campo) => !CIRCUNSTANCIA.test(campo)) ??
    primeiro
  )
}

/** Values of the item that no total of the note sums. */
const SEM_TOTAL =
  /\/(?:vBCSTRet|vICMSSubstituto|vBCFCPSTRet|vICMSSTRet|vBCEfet|vICMSEfet|vBCSTDest|vICMSSTDest)$/

/** A value that is computed stands in no register. */
const isCalculado = (campo: string): boolean => /^det\/imposto\/.*\/[vq][A-Z]\w*$/.test(campo)

/** Refusals that a register outside the note may end. */
const DO_CADASTRO = /cadastrad|irregular|credenciad|habilitad|ativ[ao]\b|bloquead|baixad|suspens|vedad/i

const comMaiuscula = (texto: string): string => texto.charAt(0).toUpperCase() + texto.slice(1)

/** The article joined with `de`: `a data` becomes `da data`. */
const deUm = (texto: string): string => `d${texto}`

/** What a refused note needs before it goes again, and whether number and key stay. */
function livre({
  titulo,
  categoria,
  alvo: dado,
  campos,
  passos,
  isRetirada,
  rotulos,
  corrige,
}: DoFinal): string {
  const alvo = dado ?? alvoDe(titulo, campos)
  const lugar = alvo === undefined ? undefined : lugarDe(alvo)
  const nome = corrige ?? (alvo === undefined ? 'o XML' : comArtigo(alvo, rotulos.get(alvo) ?? alvo))
  if (DO_CADASTRO.test(titulo) && /Emitente|Destinatário/.test(categoria ?? '')) {
    const refaz = lugar?.como === 'chave' ? 'refaça a chave, gere e assine outro' : 'gere e assine outro'
    return `Se o que mudou foi o cadastro no fisco, reenvie o mesmo arquivo assinado; se foi ${nome}, ${refaz}. O número da nota é o mesmo nos dois casos: a recusa não o gasta.`
  }
  if (isRetirada && lugar?.como !== 'item')
    return `Ajuste o emissor para não levar ${nome} a esse tipo de nota; assine e envie com a mesma série e o mesmo número: a chave de acesso não muda.`
  const isDito = passos.some((passo) => /cadastro/i.test(passo))
  if (alvo && SEM_TOTAL.test(alvo) && !corrige)
    return `A correção ${deUm(nome)} não muda nenhum total: assine e envie com a mesma série, o mesmo número e a mesma chave.`
  switch (alvo && isCalculado(alvo) && !corrige ? 'item' : lugar?.como) {
    case 'cadastro':
      if (isDito || !lugar)
        return `Feita a correção ${deUm(nome)}, gere, assine e envie com a mesma série e o mesmo número: a chave de acesso não muda.`
      return `Leve a correção ${deUm(nome)} também ${lugar.onde}; depois gere, assine e envie com a mesma série e o mesmo número: a chave de acesso não muda.`
    case 'item':
      return `Refeitos os totais que dependem ${deUm(nome)}, assine e envie com a mesma série e o mesmo número; confira os pagamentos se o valor da nota mudou.`
    case 'total':
      if (/\bvNF\b/.test(nome) || passos.some((passo) => /pagamentos/.test(passo)))
        return `${comMaiuscula(nome)} ${/^(os|as) /.test(nome) ? 'estão' : 'está'} na parte assinada da nota, mas não na chave de acesso: assine de novo e envie com a mesma série e o mesmo número.`
      return `Se a correção ${deUm(nome)} mudou o valor da nota, acerte os pagamentos e as duplicatas; assine e envie com o mesmo número e a mesma chave.`
    case 'chave':
      if (alvo === '@Id')
        return 'Com a chave e o dígito refeitos, assine e envie: série e número da nota podem ser os mesmos, pois a recusa não os gasta.'
      return `A chave de acesso contém ${nome}: se houve troca, refaça a chave e o dígito, assine e envie. O número pode ser o mesmo, pois a recusa não o gasta.`
    case 'mes':
      return 'A chave de acesso leva o ano e o mês da emissão: se a nova data cai em outro mês, refaça a chave. Assine e envie com o mesmo número, que a recusa não gasta.'
    case 'suplemento':
      return `${comMaiuscula(nome)} ${/^(os|as) /.test(nome) ? 'ficam' : 'fica'} fora da parte assinada: refaça o trecho depois de assinar e envie com o mesmo número e a mesma chave.`
    case 'assinatura':
      return `Com a troca ${deUm(nome)}, assine outra vez o mesmo XML: os dados da nota, o número e a chave não mudam.`
    case 'lote':
      return `Monte o envio outra vez com a correção ${deUm(nome)}; o XML assinado da nota é o mesmo, com o mesmo número.`
    default:
      return `A correção ${deUm(nome)} vale só para esta nota, não para um cadastro: assine e envie com a mesma série, o mesmo número e a mesma chave.`
  }
}

/** Fields that say which event it is; an event with another of them is another event. */
const DO_EVENTO = /\/(?:chNFe|tpEvento|cOrgao|@Id|nSeqEvento)$/

function evento({ titulo, campos, rotulos, corrige }: DoFinal): string {
  const noTitulo = (palavra: string): boolean =>
    new RegExp(`(?<![\\p{L}\\d])${palavra}(?![\\p{L}\\d])`, 'iu').test(titulo)
  const isDito = (campo: string): boolean =>
    (rotulos.get(campo) ?? '')
      .split(/[^\p{L}\d]+/u)
      .some(
        (palavra) =>
          palavra.length > 2 && !/^(evento|documento|fiscal|nota|tipo)$/i.test(palavra) && noTitulo(palavra),
      ) || titulo.includes(nomeDoCampo(campo))
  const alvo = campos.find((campo) => campo.startsWith('evento/') && !DO_EVENTO.test(campo) && isDito(campo))
  const nome = corrige ?? (alvo && comArtigo(alvo, rotulos.get(alvo) ?? alvo))
  const qual = campos.some((campo) => campo.endsWith('/chNFeRef'))
    ? 'O cancelamento por substituição recusado'
    : 'O evento rejeitado'
  return nome
    ? `Se o evento ainda couber depois da correção ${deUm(nome)}, assine e transmita com a mesma sequência (nSeqEvento): o rejeitado não foi registrado.`
    : `${qual} não foi registrado e a nota não mudou: se ainda couber, assine e transmita com a mesma sequência (nSeqEvento).`
}

/** The last step of an entry: what may be sent again, and whether the number of the note is free. */
export const finais: Readonly<Record<Exclude<DestinoDoNumero, 'proprio'>, (doFinal: DoFinal) => string>> = {
  livre,
  evento,
  consulte: () =>
    'Antes de reutilizar o número, consulte a situação da chave na SEFAZ: se houver nota autorizada com ele, use essa nota ou emita a venda com o próximo número da série.',
  consumido: () =>
    'Não use o número outra vez: a nota denegada fica gravada na SEFAZ e consome a série e o número.',
  aguarde: () =>
    'Depois da espera, envie de novo: a nota recusada não foi gravada e o número continua livre.',
  inutilizacao: () =>
    'Assine e transmita o pedido de inutilização corrigido: o pedido rejeitado não inutilizou nenhum número.',
  'nao-se-aplica': () =>
    'O pedido pode ser repetido depois da correção: ele não gravou nada nem usou número de nota.',
  pedido: () =>
    'Envie de novo depois da correção: nada do que foi recusado ficou gravado. Em nota, a série e o número continuam livres; em evento, a sequência também.',
  'outro-numero': () =>
    'Emita a nota com o próximo número livre da série: o número recusado não pode mais ser usado.',
}

/** How the number stands where the sheet does not say it, by the kind of the code. */
export function numeroDoTipo(tipo: string): DestinoDoNumero {
  if (tipo === 'rejeicao-evento') return 'evento'
  if (tipo === 'rejeicao-servico') return 'nao-se-aplica'
  return tipo === 'denegacao' ? 'consumido' : 'livre'
}
