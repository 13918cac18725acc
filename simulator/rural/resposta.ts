import type { Efeito } from '../mundo/comportamento.ts'
import { OUTRO_DOCUMENTO } from '../mundo/comportamento.ts'
import { escreverPagina } from '../platform/autoridades-pagina.ts'
import type { Mensagem } from '../platform/mensagem.ts'
import { casoRural } from './efeito.ts'
import { fichaDo, pessoaFisica, pessoaJuridica } from './ficha.ts'
import { imoveisDe, imoveisReservados, titularDe } from './imoveis.ts'

/** One more than a client of the contract reads. */
const DEMAIS = 5_001

/** The connector's answer about a valid document, with what the effect changes of its content. */
export function responderPor(documento: string, efeito: Efeito | undefined): Mensagem {
  const titular = titularDe(efeito?.tipo === 'outro' ? OUTRO_DOCUMENTO : documento)
  if (!titular) return json({}, 404)
  const quantas = efeito?.tipo === 'muitas' ? efeito.quantas : 1
  const imoveis = quantas > 1 ? imoveisReservados(documento, quantas) : imoveisDe(titular.documento)
  const pelaPessoa = titular.tipoDocumento === 'cpf'
  const certa = {
    pessoa_fisica: pelaPessoa ? pessoaFisica(titular) : null,
    pessoa_juridica: pelaPessoa ? null : pessoaJuridica(titular),
    imoveis_cafir: imoveis.map(fichaDo),
  }
  const [ficha] = certa.imoveis_cafir
  if (!ficha) return json(certa)
  const com = (trocada: unknown): Mensagem => json({ ...certa, imoveis_cafir: [trocada] })
  const { situacao: _, ...semSituacao } = ficha
  const { possui_decisao_judicial: __, ...semDecisao } = ficha.dados_tributarios
  switch (casoRural(efeito)) {
    case 'retry-after':
      return { ...json({}, 429), cabecalhos: { ...json({}).cabecalhos, 'retry-after': '60' } }
    case 'nao-json':
      return escreverPagina(200, 'Conector em manutenção')
    case 'sem-situacao':
      return com(semSituacao)
    case 'sem-booleano':
      return com({ ...ficha, dados_tributarios: semDecisao })
    case 'numero-texto':
      return com({ ...ficha, area_total: String(ficha.area_total).replace('.', ',') })
    case 'duas-pessoas':
      return json({ ...certa, pessoa_fisica: pessoaFisica(titular) })
    case 'registros-demais':
      return json({ ...certa, imoveis_cafir: Array.from({ length: DEMAIS }, () => minima(ficha)) })
    case 'outros-membros':
      return json({ ...certa, versao: 7, imoveis_cafir: [{ ...ficha, observacao: { nova: true } }] })
    default:
      return json(certa)
  }
}

/** A record so short that 5,001 of them stay under 2 MiB: their number is the only thing that is wrong. */
const minima = (ficha: ReturnType<typeof fichaDo>) => ({
  ...ficha,
  cib: '',
  nirf: '',
  denominacao: '',
  area_total: 1,
  dados_tributarios: {
    ...ficha.dados_tributarios,
    data_aquisicao: '',
    area_adquirida: 1,
    tipo_aquisicao: '',
    imunidades: [],
  },
  municipio_sede: { ...ficha.municipio_sede, nome: '' },
})

function json(valor: unknown, status = 200): Mensagem {
  const cabecalhos = { 'content-type': 'application/json; charset=utf-8' }
  return { status, cabecalhos, corpo: Buffer.from(JSON.stringify(valor)) }
}
