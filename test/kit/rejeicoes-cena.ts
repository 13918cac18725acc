import assert from 'node:assert/strict'
import type { Condicao, Verificacao } from '../../src/rejeicoes/rules.ts'
import type { Achado } from '../../src/rejeicoes/rules-laudo.ts'
import { readTabela } from '../../src/rejeicoes/tabelas.ts'
import type { Contexto } from '../../src/rejeicoes/verificacoes/caminho.ts'
import { prepareVerificacoes } from '../../src/rejeicoes/verificacoes/verificador.ts'
import { lerNota } from '../../tools/rejeicoes/ler-nota.ts'

/** A small note for checks that only tests have. */
export const nota = lerNota(`<NFe xmlns="http://www.portalfiscal.inf.br/nfe"><infNFe Id="NFe35" versao="4.00">
  <ide><cUF>35</cUF><mod>55</mod><nNF>7</nNF><dhEmi>2026-11-20T10:00:00-03:00</dhEmi><dSai>2026-11-21</dSai><torto>1,5</torto><vazio/><enorme>${'1'.repeat(41)}</enorme></ide>
  <emit><CNPJ>11222333000181</CNPJ><IE>110042490114</IE><UF>SP</UF><cMun>3550308</cMun></emit>
  <det nItem="1"><prod><cod>A</cod><q>2.0000</q><v>0.1</v><NCM>1</NCM></prod><imposto><ICMS><ICMS00><CST>00</CST></ICMS00></ICMS></imposto></det>
  <det nItem="2"><prod><cod>B</cod><q>3</q><v>0.2</v></prod><imposto><ICMS><ICMS40><CST>40</CST></ICMS40></ICMS></imposto></det>
  <total><v>0.3</v></total>
</infNFe><infNFeSupl><qrCode>https://x</qrCode></infNFeSupl></NFe>`)

/** What such a check has besides its rule. */
export const modelo = {
  id: '999-prova',
  codigo: 999,
  titulo: 'Prova',
  descricao: 'Prova.',
  campos: ['det/prod/cod'],
  dependencia: 'xml',
  mensagem_falha: 'Item {./@nItem}: {./prod/cod}, {./prod/NCM}.',
  fonte: { documento: 'MOC', regra: 'X' },
  exemplo: { nota: 'x', errado: [] },
} as const satisfies Partial<Verificacao> & { codigo: number }

/** A table with a code of each kind. */
const FRUTAS = readTabela(
  'frutas',
  [
    '# titulo: frutas',
    '# origem: invenção',
    '# de: 2026-11-01',
    '# certa_desde: 2026-01-01',
    '# certa_ate: 2026-12-31',
    'codigo,de,de_talvez,ate,peso',
    '1,,,,0.5',
    '2,2026-12-01,2026-11-01,,',
    '3,2026-12-01,,,',
    '4,,,2026-10-31,',
    '5,,,2025-12-31,1',
    '5,2026-06-01,,,2',
  ].join('\n'),
)

/** What the checks may know besides the note. */
export const contexto = {
  agora: '2026-11-23T00:30:00-03:00',
  codigos: (nome: string) => (nome === 'frutas' ? FRUTAS : undefined),
  tabela: (nome: string, valor: string) => (nome === 'cores' ? valor === 'azul' : undefined),
  valor: (nome: string) => (nome === 'chave' ? '35' : undefined),
}

/** What a check finds in the small note. */
export function verificar(
  partes: Partial<Verificacao> & { regra: Condicao },
  { contexto: outro = {} }: { contexto?: Partial<Contexto> } = {},
): Achado {
  const [achado] = prepareVerificacoes([{ ...modelo, ...partes }])(nota, { ...contexto, ...outro })
  assert.ok(achado)
  return achado
}
