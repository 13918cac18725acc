import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Rejeicao } from '../../src/rejeicoes/rules.ts'

const entrada = (codigo: number, motivo: string, given: Partial<Rejeicao> = {}): Rejeicao => ({
  codigo,
  titulo: motivo.replace(/^Rejeição: /, ''),
  slug: `rejeicao-${codigo}-de-teste`,
  motivo,
  categoria: 'Outros',
  url_blog: `/blog/rejeicoes/rejeicao-${codigo}-de-teste/`,
  causas: [`Causa de ${codigo}.`],
  solucao_passos: [`Passo de ${codigo}.`],
  verificacoes_analiticas: [],
  tipo: 'rejeicao',
  fontes: ['MOC 7.0 Anexo I'],
  regras: [{ regra: 'A01-10', modelo: '55', documento: 'MOC 7.0 Anexo I' }],
  outro_significado: null,
  campos: ['ide/nNF'],
  ...given,
})

/** A small catalogue, in no order, for tests that want to know every entry of it. */
export const entradas: readonly Rejeicao[] = [
  entrada(539, 'Rejeição: Duplicidade de NF-e, com diferença na Chave de Acesso', {
    categoria: 'Duplicidade',
  }),
  entrada(204, 'Rejeição: Duplicidade de NF-e [nRec:999999999999999]', { categoria: 'Duplicidade' }),
  entrada(233, 'Rejeição: IE do destinatário não cadastrada', { categoria: 'Destinatário' }),
  entrada(234, 'Rejeição: IE do destinatário não vinculada ao CNPJ', { categoria: 'Destinatário' }),
  entrada(610, 'Rejeição: Total da NF difere do somatório dos Valores que compõe o valor Total da NF', {
    categoria: 'Totalização/Valores',
    verificacoes_analiticas: [
      {
        id: '610-vnf',
        titulo: 'vNF fecha',
        descricao: 'Soma os componentes.',
        campos: ['total/ICMSTot/vNF', 'total/ICMSTot/vProd'],
        dependencia: 'xml',
        regra: { fecha: [{ v: 'total/ICMSTot/vNF' }, { v: 'total/ICMSTot/vProd' }], tol: '0.50' },
        mensagem_falha: 'vNF é {total/ICMSTot/vNF}; a soma dá {esperado}.',
        fonte: { documento: 'NT 2023.001 v1.60', regra: 'W16-10' },
        exemplo: { nota: 'venda', errado: [{ campo: 'total/ICMSTot/vNF', valor: '1.00' }] },
        par: { certo: '<NFe/>', errado: '<NFe/>' },
      },
    ],
  }),
  entrada(208, 'Rejeição: CNPJ do destinatário inválido', {
    categoria: null,
    outro_significado: { motivo: 'CNPJ informado inválido, evento ECONF', fonte: 'NT 2024.002' },
  }),
  entrada(1115, 'Rejeição: IBS/CBS não informado', { categoria: 'ICMS/Tributação' }),
]

/** Writes a catalogue file of its own. */
export function writeCatalogo(of: unknown = entradas): {
  arquivo: string
  write: (text: string) => void
  remove: () => void
} {
  const pasta = mkdtempSync(join(tmpdir(), 'catalogo-'))
  const arquivo = join(pasta, 'rejeicoes.json')
  const write = (text: string): void => writeFileSync(arquivo, text)
  write(JSON.stringify(of))
  return { arquivo, write, remove: () => rmSync(pasta, { recursive: true, force: true }) }
}
