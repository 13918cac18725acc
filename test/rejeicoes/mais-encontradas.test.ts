import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { parseEntradas } from '../../src/rejeicoes/catalogo.ts'
import { makeLaudo } from '../../src/rejeicoes/diagnostico/laudo.ts'
import type { RegistroDaParte } from '../../src/rejeicoes/rules-cadastro.ts'
import { decideByCadastros } from '../../src/rejeicoes/rules-cadastro.ts'
import type { ParteDaNota } from '../../src/rejeicoes/rules-partes.ts'
import { aplicarMudancas } from '../../tools/rejeicoes/mudanca.ts'
import { type House, start } from '../kit/house.ts'
import {
  AGORA,
  CATALOGO,
  checkNota,
  emVigor,
  notaAssinada,
  notaBase,
  signAgain,
  verificacoes,
} from '../kit/rejeicoes.ts'

/** The 37 refusals that one integrator met most in 180 days to 2026-09-28, by how each is met here. */
const DA_NOTA = [502, 503, 253, 210, 529, 836, 972, 900, 853, 528, 805, 328, 244, 209, 519] as const
const DO_CADASTRO = [203, 230, 232, 306, 624, 481] as const
const DA_ASSINATURA = [213] as const
const DA_LEITURA = [402] as const
/** What the first step of the others names: whom to ask, where to look, what to stop, and for how long. */
const EXPLICADAS: Readonly<Record<number, readonly RegExp[]>> = {
  656: [/Pare/, /uma hora inteira desde a última recusa/, /recomeça a hora/],
  266: [/0 a 899/, /910 a 969/, /920 a 969/],
  217: [/35º/, /ambiente/, /autorizadora dessa UF/],
  690: [/610600/, /610610/, /610601/],
  617: [/7º ao 20º/, /23º ao 25º/],
  781: [/portal da SEFAZ da UF do emitente/, /separado do credenciamento para NF-e/, /tpAmb/],
  934: [/cBenef/, /tabela de benefícios da UF/],
  282: [/conexão/, /à parte do da assinatura/, /CNPJ ou o CPF/],
  114: [/SEFAZ da UF/, /\(107\)/],
  508: [/indIEDest/, /inscrição estadual ativa/],
  574: [/7º ao 20º/, /não só na raiz/],
  221: [/210200/, /Portal da NF-e/],
}
/** No entries of the catalogue: a status of the service, and one that no official text has. */
const SEM_ENTRADA: Readonly<Record<number, readonly RegExp[]>> = {
  108: [/não é uma rejeição/, /número continua livre/, /contingência/],
  997: [/não está no manual nem em nota técnica/, /xMotivo/, /Minas Gerais/],
}

let house: House
before(async () => {
  house = await start()
})
after(() => house.close())

const codigosEm = (textos: Readonly<Record<number, unknown>>): number[] => Object.keys(textos).map(Number)

test('the 37 refusals most met by one integrator are each decided, decided with a registry, or told', () => {
  const todas = [
    ...DA_NOTA,
    ...DO_CADASTRO,
    ...DA_ASSINATURA,
    ...DA_LEITURA,
    ...codigosEm(EXPLICADAS),
    ...codigosEm(SEM_ENTRADA),
  ]
  assert.equal(new Set(todas).size, 37)
  assert.equal(todas.length, 37)
})

test('of the most met, those of the note are found in a wrong note and not in the right one', () => {
  for (const codigo of DA_NOTA) {
    const doCodigo = verificacoes.filter((uma) => uma.codigo === codigo && uma.dependencia === 'xml')
    assert.ok(doCodigo.length > 0, `${codigo} has no check`)
    for (const verificacao of doCodigo) {
      const { exemplo } = verificacao
      const certo = aplicarMudancas(notaBase(exemplo.nota), exemplo.certo ?? [])
      const errado = aplicarMudancas(certo, exemplo.errado)
      const achados = (xml: string): number[] =>
        checkNota(xml, { regencia: emVigor(verificacao) })
          .filter(({ id, resultado }) => id === verificacao.id && resultado === 'falha')
          .map((achado) => achado.codigo)
      assert.deepEqual([achados(errado), achados(certo)], [[codigo], []], verificacao.id)
    }
  }
})

test('of the most met, those of a register are among what the registers decide', () => {
  const parte: ParteDaNota = {
    grupo: 'emit',
    documento: { tipo: 'cnpj', documento: '11222333000181' },
    cnpj: '11222333000181',
    ie: '110042490114',
    uf: 'SP',
    municipio: '3550308',
    crt: '3',
  }
  const nada: RegistroDaParte = { porDocumento: undefined, porIe: undefined, falta: '' }
  const decididas = decideByCadastros(
    {
      modelo: '55',
      tpEmis: '1',
      dia: '2026-11-20',
      ambiente: 'producao',
      retirada: undefined,
      entrega: undefined,
      emitente: parte,
      destinatario: { ...parte, grupo: 'dest' },
    },
    {
      emitente: nada,
      destinatario: nada,
      municipios: { doIbge: () => '', existe: () => false },
    },
  ).map(({ codigo }) => codigo)
  assert.deepEqual(
    DO_CADASTRO.filter((codigo) => !decididas.includes(codigo)),
    [],
  )
})

test('of the most met, 213 is found by the signature and 402 by reading', async () => {
  const codigosDe = (xml: string): number[] =>
    makeLaudo({ xml, agora: AGORA, catalogo: CATALOGO }).suspeitas.map(({ codigo }) => codigo)
  const boa = await notaAssinada()
  const nfe = /<NFe .*<\/NFe>/s.exec(boa)?.[0] ?? ''
  assert.deepEqual(codigosDe(nfe), [])
  assert.ok(codigosDe(await signAgain(nfe, 'emitente')).includes(213))
  assert.ok(codigosDe(`<?xml version="1.0" encoding="ISO-8859-1"?>${nfe}`).includes(402))
})

test('of the most met, one that neither decides says at its first step what to do, and no other says the same', async () => {
  const primeiros = parseEntradas(readFileSync(CATALOGO, 'utf8')).map(({ solucao_passos: [um] }) => um)
  for (const codigo of codigosEm(EXPLICADAS)) {
    const { status, body } = await house.ask(`/api/v1/rejeicoes/${codigo}`)
    assert.equal(status, 200)
    const [primeiro = ''] = Object(body).solucao_passos
    for (const dito of EXPLICADAS[codigo] ?? []) assert.match(primeiro, dito, String(codigo))
    assert.equal(primeiros.filter((um) => um === primeiro).length, 1, `${codigo}: ${primeiro}`)
  }
})

test('of the most met, a status without an entry tells what to do all the same', async () => {
  for (const codigo of codigosEm(SEM_ENTRADA)) {
    const { status, body } = await house.ask(`/api/v1/rejeicoes/${codigo}`)
    assert.equal(status, 404)
    for (const dito of SEM_ENTRADA[codigo] ?? []) assert.match(JSON.stringify(body), dito)
    const busca = await house.ask(`/blog/rejeicoes/busca.json?q=${codigo}`, { key: null })
    for (const dito of SEM_ENTRADA[codigo] ?? []) assert.match(String(Object(busca.body).texto), dito)
  }
})

test('232 and 728 name each other, as some states answer one where the text has the other', async () => {
  for (const [codigo, outro] of [
    [232, '728'],
    [728, '232'],
  ] as const) {
    const { body } = await house.ask(`/api/v1/rejeicoes/${codigo}`)
    assert.ok(String(Object(body).causas.join(' ')).includes(outro))
  }
})
