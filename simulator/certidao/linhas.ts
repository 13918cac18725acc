import { dataBrasileira, mascararDocumento } from '../documento/mascara.ts'
import type { Certidao } from './certidao.ts'
import { modeloDe } from './modelos.ts'

/** The lines of the state's layout, filled in; `# ` and `- ` say how they look. */
export function linhasDe(certidao: Certidao): string[] {
  const { linhas, titulo, texto } = modeloDe(certidao.uf)
  const { desfecho, documento, emissao, validade, tipoDocumento, nome, inscricao } = certidao
  // A state that certifies anybody gives a negative certificate to those who are not registered.
  const noPapel = desfecho === 'positiva' || desfecho === 'efeitos' ? desfecho : 'negativa'
  const valores = new Map(
    Object.entries({
      ...certidao,
      titulo: titulo[noPapel],
      sigla: noPapel === 'efeitos' ? 'CPEND' : 'CND',
      tipo: tipoDocumento.toUpperCase(),
      documento: mascararDocumento(documento),
      algarismos: documento,
      emissao: dataBrasileira(emissao),
      validade: dataBrasileira(validade),
      minuto: certidao.hora.slice(0, 5),
      extenso: porExtenso(emissao),
      validadePorExtenso: porExtenso(validade).toLowerCase().replace(/^\d+/, '$& de'),
      rg: nome || inscricao ? '' : '-',
      naoInscrito: nome || inscricao ? '' : 'CPF/CNPJ não inscrito no cadastro de contribuintes do ICMS.',
    }),
  )
  const completo = valores.set('texto', preencher(texto[noPapel], valores) ?? '')
  return linhas.flatMap((linha) => preencher(linha, completo) ?? [])
}

/** Undefined when one of the names has nothing to fill it. */
function preencher(linha: string, valores: ReadonlyMap<string, string>): string | undefined {
  let completa = true
  const cheia = linha.replace(/\{(\w+)\}/g, (_, nome: string) => {
    const valor = valores.get(nome) ?? ''
    completa &&= valor !== ''
    return valor
  })
  return completa ? cheia : undefined
}

const MESES =
  'JANEIRO FEVEREIRO MARÇO ABRIL MAIO JUNHO JULHO AGOSTO SETEMBRO OUTUBRO NOVEMBRO DEZEMBRO'.split(' ')

function porExtenso(data: string): string {
  const [ano, mes, dia] = data.split('-')
  return `${Number(dia)} ${MESES[Number(mes) - 1] ?? ''} DE ${ano}`
}
