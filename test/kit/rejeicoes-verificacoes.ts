import type { Regencia, Verificacao } from '../../src/rejeicoes/rules.ts'
import type { Achado } from '../../src/rejeicoes/rules-laudo.ts'
import { NOSSAS, nossaTabela, readTabela } from '../../src/rejeicoes/tabelas.ts'
import type { Contexto } from '../../src/rejeicoes/verificacoes/caminho.ts'
import type { VerificacaoComCodigo } from '../../src/rejeicoes/verificacoes/verificador.ts'
import { prepareVerificacoes } from '../../src/rejeicoes/verificacoes/verificador.ts'
import { lerNota } from '../../tools/rejeicoes/ler-nota.ts'
import { codigoDe, lerEscritas } from '../../tools/rejeicoes/verificacoes.ts'
import { NA_EMISSAO } from './rejeicoes-notas.ts'

/** The checks of the catalogue as people write them, with their codes. */
export const verificacoes: readonly VerificacaoComCodigo[] = lerEscritas().map((verificacao) => ({
  ...verificacao,
  codigo: codigoDe(verificacao),
}))

/** Whether the note and the tables that we carry decide the check. */
export const isDecidida = ({ dependencia }: Verificacao): boolean =>
  ['xml', 'contexto:agora', ...NOSSAS.map((nome) => `tabela:${nome}`)].includes(dependencia)

const verificar = prepareVerificacoes(verificacoes)

const AGORA = NA_EMISSAO.toISOString()

/** A day on which nothing is disputed. */
const DIA = '2026-11-20'

/** A day of production on which a check is in force for sure. */
export function emVigor({ vigencia: { de = '', ate_talvez, ate } = {} }: Verificacao): Regencia {
  const ultimo = ate_talvez ?? ate
  if (ultimo !== undefined && ultimo < DIA) return { dia: ultimo, ambiente: '1' }
  return { dia: de > DIA ? de : DIA, ambiente: '1' }
}

/** The tables that we carry and nothing else. */
const semNada: Contexto = {
  agora: AGORA,
  regencia: { dia: DIA, ambiente: '1' },
  codigos: nossaTabela,
  tabela: () => undefined,
  valor: () => undefined,
}

const tabelas: Readonly<Record<string, readonly string[]>> = {
  numeros_inutilizados: ['1|1199'],
  inscricoes: ['SP|123456702007', 'SP|234567803001'],
  notas_de_entrada: ['35261033444555000181550010000011781318472659'],
  cindop_da_nfe: ['010101'],
  destinatarios_regulares: ['SP|22333444000181'],
  cnpj_na_receita: ['SP|11222333000181', 'SP|22333444000181', 'SP|55666777000181'],
  cnpj_regular_na_receita: ['SP|11222333000181', 'SP|22333444000181', 'SP|55666777000181'],
  credenciados_nfe: ['SP|123456702007'],
  inscricoes_por_cpf: ['SP|123456702007|52998224725', 'SP|234567803001|52998224725'],
  cnpj_com_ie_ativa: ['SP|44555666000181'],
}

const valores: Readonly<Record<string, string>> = {
  chave_na_sefaz: '35261011222333000181550010000011501529183745',
  ambiente_ws: '1',
  regime_na_receita: '9',
  recebida_em: '2026-11-10T10:16:00-03:00',
}

/** A part of the NCM, as an operator installs it whole. */
const NCM = readTabela(
  'ncm',
  [
    '# titulo: NCM',
    '# origem: teste',
    '# de: 2026-11-01',
    '# certa_ate: 2026-12-31',
    'codigo,de,ate,uTrib',
    ...['09011110', '62034200', '62052000'].map((ncm) => `${ncm},,,KG`),
  ].join('\n'),
)

/** What a client may tell, and registers and installed tables may hold. */
export const circunstancias: Partial<Contexto> = {
  codigos: (nome) => (nome === 'ncm' ? NCM : nossaTabela(nome)),
  tabela: (nome, valor) => tabelas[nome]?.includes(valor),
  valor: (nome) => valores[nome],
}

/** What all checks find in the text of a note. */
export const conferir = (xml: string, contexto: Partial<Contexto> = {}): Achado[] =>
  verificar(lerNota(xml), { ...semNada, ...contexto })
