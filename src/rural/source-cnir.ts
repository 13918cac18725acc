import type { Static, TSchema } from 'typebox'
import { Compile, Errors } from 'typebox/schema'
import type { Documento } from '../documento/documento.ts'
import { Imovel, MAIS_IMOVEIS, Resposta } from './contrato.ts'

/** Compiled: 5,000 properties take 10 ms, and took 500 without (2026-11-22). */
const [resposta, registro] = [Compile(Resposta), Compile(Imovel)]

/** What the register says of a holder. Every text is there, empty where the connector gave none. */
export type FichaDoTitular = ReturnType<typeof pessoasOf> & { imoveis_cafir: ImovelCafir[] }

/**
 * Reads the answer about a document. A text tells why it is none: a member that is missing or of another
 * kind, another person, a property of others.
 */
export function readFicha(json: unknown, asked: Documento): FichaDoTitular | string {
  // To explain 600,000 records that do not fit took a second (2026-11-22).
  const sent: unknown = Object(json).imoveis_cafir
  if (Array.isArray(sent) && sent.length > MAIS_IMOVEIS)
    return `imoveis_cafir tem mais de ${MAIS_IMOVEIS} imóveis`
  if (!resposta.Check(json)) return faultOf(Resposta, json, '')
  const imoveis: ImovelCafir[] = []
  for (const [index, imovel] of json.imoveis_cafir.entries()) {
    if (!registro.Check(imovel)) return faultOf(Imovel, imovel, `imoveis_cafir.${index}.`)
    imoveis.push(imovelOf(imovel))
  }
  const { pessoa_fisica, pessoa_juridica } = json
  if (asked.tipo === 'cpf' ? pessoa_juridica : pessoa_fisica)
    return `uma pessoa ${asked.tipo === 'cpf' ? 'jurídica' : 'física'} não responde por um ${asked.tipo.toUpperCase()}`
  const ficha = { ...pessoasOf(json), imoveis_cafir: imoveis }
  if (!datesOf(ficha).every(isDay)) return 'uma data não está em AAAA-MM-DD'
  return imoveis.every((imovel) => isOf(imovel, asked)) ? ficha : 'um imóvel é só de outros titulares'
}

/** Where an answer departs from the contract: the path of a member, never its value. */
function faultOf(schema: TSchema, value: unknown, place: string): string {
  const [, [first]] = Errors(schema, value)
  const missing = first?.keyword === 'required' ? (first.params.requiredProperties[0] ?? '') : ''
  const path = [...(first?.instancePath.split('/').slice(1) ?? []), missing].filter((name) => name !== '')
  return `${place}${path.join('.') || 'a resposta'} falta ou não é do tipo certo`
}

function pessoasOf({ pessoa_fisica, pessoa_juridica }: Static<typeof Resposta>) {
  return {
    pessoa_fisica: pessoa_fisica
      ? {
          nome: textOf(pessoa_fisica.nome),
          data_nascimento: textOf(pessoa_fisica.data_nascimento),
          situacao_cadastral: textOf(pessoa_fisica.situacao_cadastral),
          sexo: pessoa_fisica.sexo ?? '',
        }
      : null,
    pessoa_juridica: pessoa_juridica
      ? {
          razao_social: textOf(pessoa_juridica.razao_social),
          nome_fantasia: textOf(pessoa_juridica.nome_fantasia),
          situacao_cadastral: textOf(pessoa_juridica.situacao_cadastral),
          data_abertura: textOf(pessoa_juridica.data_abertura),
          natureza_juridica: textOf(pessoa_juridica.natureza_juridica),
        }
      : null,
  }
}

/** A property of a holder. */
type ImovelCafir = ReturnType<typeof imovelOf>

function imovelOf({ condominos, dados_tributarios, municipio_sede, ...imovel }: Static<typeof Imovel>) {
  const { imunidades, ...dados } = dados_tributarios
  return {
    cib: textOf(imovel.cib),
    nirf: textOf(imovel.nirf),
    denominacao: textOf(imovel.denominacao),
    area_total: imovel.area_total,
    situacao: imovel.situacao.trim(),
    codigo_situacao: imovel.codigo_situacao,
    ni_proprietario: textOf(imovel.ni_proprietario),
    percentual_proprietario: imovel.percentual_proprietario,
    condominos: (condominos ?? []).map(({ ni, nome, percentual }) => ({
      ni: textOf(ni),
      nome: textOf(nome),
      percentual,
    })),
    dados_tributarios: {
      indicador_descaracterizacao: dados.indicador_descaracterizacao,
      origem_imovel: dados.origem_imovel,
      data_aquisicao: textOf(dados.data_aquisicao),
      area_adquirida: dados.area_adquirida,
      tipo_aquisicao: textOf(dados.tipo_aquisicao),
      imunidades: (imunidades ?? []).map(({ codigo, descricao }) => ({
        codigo: textOf(codigo),
        descricao: textOf(descricao),
      })),
      possui_decisao_judicial: dados.possui_decisao_judicial,
    },
    municipio_sede: {
      codigo: textOf(municipio_sede?.codigo),
      uf: textOf(municipio_sede?.uf),
      nome: textOf(municipio_sede?.nome),
    },
  }
}

const textOf = (text: string | null | undefined): string => text?.trim() ?? ''

const datesOf = ({ pessoa_fisica, pessoa_juridica, imoveis_cafir }: FichaDoTitular): string[] => [
  pessoa_fisica?.data_nascimento ?? '',
  pessoa_juridica?.data_abertura ?? '',
  ...imoveis_cafir.map(({ dados_tributarios }) => dados_tributarios.data_aquisicao),
]

/** Whether a date is empty or of the calendar. Node reads 30 February as 2 March. */
function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`)
  return text === '' || (!Number.isNaN(day.getTime()) && day.toISOString().slice(0, 10) === text)
}

/** A whole CPF or CNPJ. A masked one has other characters. */
const INTEIRO = /^(?:\d{11}|[0-9A-Z]{12}\d{2})$/

/**
 * Whether a property may be of the document: it names it among its holders, or hides one of them. A company
 * counts by its root, for the register goes by the head office.
 */
function isOf({ ni_proprietario, condominos }: ImovelCafir, { documento }: Documento): boolean {
  const keyOf = (ni: string): string => (ni.length === 14 ? ni.slice(0, 8) : ni)
  const titulares = [ni_proprietario, ...condominos.map(({ ni }) => ni)].map((ni) =>
    ni.replace(/[.\-/]/g, ''),
  )
  return titulares.some((ni) => !INTEIRO.test(ni) || keyOf(ni) === keyOf(documento))
}
