import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeLaudo } from '../../src/rejeicoes/diagnostico/laudo.ts'
import { aplicarMudancas } from '../../tools/rejeicoes/mudanca.ts'
import { fronteiras } from '../kit/rejeicoes-fronteiras.ts'
import { CATALOGO, notaBase } from '../kit/rejeicoes-notas.ts'

for (const { verificacao, nota, mudancas, ambiente = '1', dias } of fronteiras)
  test(`${verificacao}, tpAmb ${ambiente}: ${dias.map(([dia, resultado]) => `${resultado} on ${dia}`).join(', ')}`, () => {
    for (const [dia, resultado] of dias) {
      const xml = aplicarMudancas(notaBase(nota).replace(/>\s+</g, '><'), [
        ...mudancas,
        { campo: 'ide/dhEmi', valor: `${dia}T10:15:00-03:00` },
        { campo: 'ide/tpAmb', valor: ambiente },
        { recalcular: 'chave' },
      ])
      const laudo = makeLaudo({ xml, agora: new Date(`${dia}T15:00:00Z`), catalogo: CATALOGO })
      const achado = laudo.verificacoes.find(({ id }) => id === verificacao)
      assert.equal(achado?.resultado, resultado, dia)
      const isSuspeita = laudo.suspeitas.some(({ codigo }) => codigo === achado?.codigo)
      if (resultado === 'falha') assert.ok(isSuspeita, dia)
      if (resultado === 'indeterminado')
        assert.ok(
          achado?.ocorrencias.every(({ mensagem }) =>
            /As fontes divergem|texto oficial|não se sabe/i.test(mensagem),
          ),
          dia,
        )
    }
  })
