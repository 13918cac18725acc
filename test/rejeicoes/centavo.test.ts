import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeLaudo } from '../../src/rejeicoes/diagnostico/laudo.ts'
import type { VerificacaoComCodigo } from '../../src/rejeicoes/verificacoes/verificador.ts'
import { aplicarMudancas } from '../../tools/rejeicoes/mudanca.ts'
import { CATALOGO, checkNota, NA_EMISSAO, notaBase, verificacoes } from '../kit/rejeicoes.ts'

const catalogo = CATALOGO
const agora = NA_EMISSAO

type Soma = { verificacao: VerificacaoComCodigo; total: string }

/** The checks that compare a total in reais with the sum of its items. */
const somas: readonly Soma[] = verificacoes.flatMap((verificacao) => {
  const { regra } = verificacao
  if (!('fecha' in regra) || !JSON.stringify(regra).includes('"em":"det"')) return []
  const [total] = regra.fecha
  return typeof total !== 'string' && 'v' in total && /^total\/.*\/v\w+$/.test(total.v)
    ? [{ verificacao, total: total.v }]
    : []
})

/** The right note of a check, whose total is off by so many cents. */
function fora({ verificacao: { exemplo }, total }: Soma, centavos: number): string {
  const certo = aplicarMudancas(notaBase(exemplo.nota), exemplo.certo ?? [])
  const nome = total.split('/').at(-1)
  const grupo = total.split('/').at(-2)
  const valor = new RegExp(`<${grupo}>(?:(?!</${grupo}>).)*?<${nome}>([^<]*)`, 's').exec(
    certo.slice(certo.indexOf('<total>')),
  )?.[1]
  assert.ok(valor !== undefined, total)
  const mudado = ((Math.round(Number(valor) * 100) + centavos) / 100).toFixed(2)
  return aplicarMudancas(certo, [{ campo: total, valor: mudado }])
}

test('a sum whose official text names no tolerance is refused from the second cent on', () => {
  const codigos = somas.map(({ verificacao: { codigo } }) => codigo)
  for (const codigo of [531, 532, 533, 534, 535, 536, 537, 538, 564, 601, 602, 603, 604, 685, 1076, 1091])
    assert.ok(codigos.includes(codigo), `${codigo}`)
  assert.ok(somas.length >= 45, `${somas.length} sums`)
  for (const soma of somas) {
    const resultado = (centavos: number) =>
      checkNota(fora(soma, centavos)).find(({ id }) => id === soma.verificacao.id)?.resultado
    const resultados = [0, 1, 2].map(resultado)
    assert.deepEqual(resultados, ['ok', 'ok', 'falha'], soma.verificacao.id)
  }
})

test('no mend is made for a cent, and one for two cents', () => {
  const soma = somas.find(({ verificacao: { codigo } }) => codigo === 564)
  assert.ok(soma)
  const emendasDe = (xml: string) => makeLaudo({ xml, agora, catalogo }).emendas
  assert.deepEqual(emendasDe(fora(soma, 1)), [])
  assert.deepEqual(
    emendasDe(fora(soma, 2)).map(({ caminho }) => caminho),
    [soma.total],
  )
})

test('an empty CNPJ of a place of delivery or pickup is no wrong one, and a wrong one is', () => {
  for (const grupo of ['entrega', 'retirada']) {
    const verificacao = verificacoes.find(({ campos }) => campos.join() === `${grupo}/CNPJ`)
    assert.ok(verificacao, grupo)
    const { exemplo } = verificacao
    const com = (valor: string): string | undefined =>
      checkNota(
        aplicarMudancas(notaBase(exemplo.nota), [
          ...(exemplo.certo ?? []),
          { campo: `${grupo}/CNPJ`, valor },
        ]),
      ).find((achado) => achado.id === verificacao.id)?.resultado
    assert.deepEqual(
      [com(''), com('00000000000000'), com('55666777000182'), com('55666777000181')],
      ['nao_aplicavel', 'falha', 'falha', 'ok'],
    )
  }
})
