import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decideByListaFederal, type RetratoDaBase } from '../../src/rejeicoes/rules-lista-federal.ts'
import type { ParteDaNota, PartesDaNota } from '../../src/rejeicoes/rules-partes.ts'
import {
  CNPJ,
  COM_LETRAS,
  criarEmpresa,
  criarSorte,
  diaDe,
  type Empresa,
  emit,
  nota,
  numeroDe,
  OUTRO,
  retratoDe,
  type Sorte,
  TIPOS,
  type Tipo,
  verdadeEm,
} from '../kit/rejeicoes-mundo-federal.ts'

/** A note, the companies that it names, and the picture that the base has of them. */
type Mundo = {
  nota: PartesDaNota
  retrato: RetratoDaBase
  dia: number
  empresas: { parte: ParteDaNota; empresa: Empresa | undefined; deTeste: boolean }[]
}

const mesmoOuDepois = (dia: string, de: string): boolean => numeroDe(dia) >= numeroDe(de)

/** Whether the rules are in force, told by the dates of the technical note and of the notice. */
function vigorDe({ dia, ambiente }: PartesDaNota): 'fora' | 'disputado' | 'vale' {
  const [texto, aviso] = ambiente === 'producao' ? ['2026-11-03', '2026-11-16'] : ['2026-10-05', '2026-10-26']
  if (mesmoOuDepois(dia, aviso ?? '')) return 'vale'
  return mesmoOuDepois(dia, texto ?? '') ? 'disputado' : 'fora'
}

function criarMundo(caso: number): Mundo {
  const sorte = criarSorte(caso)
  const { entre, um, chance } = sorte
  const ambiente = chance(0.3) ? 'homologacao' : 'producao'
  const dia =
    numeroDe(ambiente === 'producao' ? '2026-11-01' : '2026-10-03') +
    (chance(0.2) ? entre(0, 25) : entre(20, 300))
  // Stale, of the month or so, or of later than the note.
  const extracao = dia + um([entre(-150, -60), entre(-60, 0), entre(-30, 0), entre(1, 60), entre(60, 300)])
  const tipoDe = (): Tipo => um(TIPOS)
  const criar = (grupo: ParteDaNota['grupo'], cnpj: string, tipo: Tipo) => {
    const empresa = criarEmpresa(tipo, dia, sorte)
    return { parte: parteDe({ grupo, cnpj, empresa, dia }, sorte), empresa, deTeste: chance(0.2) }
  }
  const empresas = [
    criar('emit', chance(0.2) ? COM_LETRAS : CNPJ, TIPOS[caso % TIPOS.length] ?? 'ativa'),
    criar(
      um(['dest', 'retirada', 'entrega'] as const),
      chance(0.3) ? COM_LETRAS.replace('E35', 'F16') : OUTRO,
      tipoDe(),
    ),
  ]
  const de = (grupo: ParteDaNota['grupo']) => empresas.find(({ parte }) => parte.grupo === grupo)?.parte
  const semDia = chance(0.1)
  const parcial = chance(0.1)
  const mes = diaDe(extracao).slice(0, 7)
  const ultimo = numeroDe(`${diaDe(numeroDe(`${mes}-01`) + 31).slice(0, 7)}-01`) - 1
  const faltam = parcial && chance(0.5)
  return {
    nota: nota({
      dia: diaDe(dia),
      ambiente,
      emitente: de('emit') ?? emit,
      destinatario: de('dest'),
      retirada: de('retirada'),
      entrega: de('entrega'),
    }),
    retrato: {
      mes,
      de: semDia ? `${mes}-01` : diaDe(extracao),
      ate: diaDe(semDia ? ultimo : extracao),
      parcial,
      comOpcoes: chance(0.9),
      find: (cnpj) => {
        const { empresa } = empresas.find(({ parte }) => parte.cnpj === cnpj) ?? {}
        return empresa && !faltam ? retratoDe(empresa, extracao) : undefined
      },
    },
    dia,
    empresas,
  }
}

const CRT_DO_REGIME = { '1': ['1', '2'], '2': ['4'], '9': ['3'] } as const

/** A party as a note of the day has it: with its address of then or an older one, its CRT or a wrong one. */
function parteDe(
  {
    grupo,
    cnpj,
    empresa,
    dia,
  }: { grupo: ParteDaNota['grupo']; cnpj: string; empresa: Empresa | undefined; dia: number },
  { um, chance }: Sorte,
): ParteDaNota {
  const verdade = empresa && verdadeEm(empresa, dia)
  const uf = (chance(0.5) ? verdade?.uf : undefined) ?? empresa?.uf ?? 'SP'
  const certo = CRT_DO_REGIME[verdade?.regime ?? '9']
  const escrito = chance(0.6) ? um<string>(certo) : um(['1', '2', '3', '4'])
  return {
    ...emit,
    grupo,
    cnpj,
    documento: { tipo: 'cnpj', documento: cnpj },
    uf,
    crt: escrito,
  }
}

/** What the authority does of a code: it refuses, lets pass, or does not look. */
function autoridade(
  codigo: number,
  { nota: { ambiente }, dia }: Mundo,
  { parte, empresa, deTeste }: Mundo['empresas'][number],
): 'recusa' | 'passa' | 'nao olha' {
  const isEmit = codigo <= 180
  if (ambiente === 'homologacao' && (isEmit ? deTeste : /[A-Z]/.test(parte.cnpj))) return 'nao olha'
  const verdade = empresa && verdadeEm(empresa, dia)
  const naLista = verdade !== undefined && verdade.uf === parte.uf
  if ([178, 181, 183, 185].includes(codigo)) return naLista ? 'passa' : 'recusa'
  if (!naLista) return 'nao olha'
  const certo: readonly string[] = CRT_DO_REGIME[verdade.regime]
  const cumpre = codigo === 180 ? certo.includes(parte.crt) : verdade.situacao === '02'
  return cumpre ? 'passa' : 'recusa'
}

test('2,400 companies of twelve kinds: no wrong ok, no wrong failure', () => {
  const contagem = new Map<string, number>()
  const contar = (what: string): void => void contagem.set(what, (contagem.get(what) ?? 0) + 1)
  for (let caso = 0; caso < 2400; caso++) {
    const mundo = criarMundo(caso)
    const vigor = vigorDe(mundo.nota)
    for (const decisao of decideByListaFederal(mundo.nota, mundo.retrato)) {
      const { codigo, resultado, mensagem } = decisao
      const onde = `case ${caso}, ${codigo}: ${mensagem}`
      if (vigor !== 'vale') {
        assert.equal(resultado, vigor === 'fora' ? 'nao_aplicavel' : 'indeterminado', onde)
        contar(vigor)
        continue
      }
      const grupo = decisao.campos[0]?.caminho.split('/')[0]
      const dela = mundo.empresas.find(({ parte }) => parte.grupo === grupo)
      assert.ok(dela, onde)
      const faz = autoridade(codigo, mundo, dela)
      contar(`${codigo} ${resultado}`)
      if (resultado === 'falha') assert.equal(faz, 'recusa', onde)
      if (resultado === 'nao_aplicavel') assert.equal(faz, 'nao olha', onde)
      if (resultado === 'ok')
        assert.ok(faz === 'passa' || (faz === 'nao olha' && codigo <= 180 && dela.deTeste), onde)
    }
  }
  for (let codigo = 178; codigo <= 186; codigo++)
    for (const resultado of ['ok', 'falha', 'indeterminado'])
      assert.ok((contagem.get(`${codigo} ${resultado}`) ?? 0) >= 5, JSON.stringify([...contagem].sort()))
  assert.ok((contagem.get('disputado') ?? 0) >= 100 && (contagem.get('fora') ?? 0) >= 50)
})
