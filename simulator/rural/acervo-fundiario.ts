import { sendWithEfeito } from '../mundo/efeito.ts'
import type { Autoridade, Mensagem, Opcoes } from '../platform/autoridade.ts'
import { writePagina } from '../platform/soap.ts'
import { escapeXml } from '../platform/xml.ts'
import { encode } from '../portal/mensagem.ts'
import { casoRural, efeitoRural } from './efeito.ts'
import { type Parcela, parcelaDo } from './parcelas.ts'

/** A layer of SIGEF: the parcels of one state, private or public. */
const CAMADA = /^certificada_sigef_(particular|publico)_([a-z]{2})$/
const FILTRO = /^\(\('\[parcela_codigo\]'='([0-9a-f-]{36})'\)\)$/

/** A MapServer behind i3geo: WFS (GML 2), with the code of a parcel as its one filter. */
export const createAcervoFundiario = ({ ritmo }: Opcoes): Autoridade => ({
  nome: 'INCRA, acervo fundiário (WFS)',
  hosts: ['acervofundiario.incra.gov.br'],
  asksCertificado: false,
  serves: (caminho) => caminho === '/i3geo/ogc.php',
  answer: ({ metodo, consulta, conexao }, resposta) => {
    const parcela = metodo === 'GET' ? parcelaDo(filtroDe(consulta)) : undefined
    const efeito = parcela && efeitoRural(parcela.imovel.donos[0].documento, 'wfs')
    const mensagem =
      metodo !== 'GET' ? writePagina(405, 'Method Not Allowed') : answer(consulta, parcela, efeito)
    sendWithEfeito(efeito, mensagem, resposta, conexao, ritmo)
  },
})

/** Names of WFS are written in either case, the filter's as MapServer has it. */
const parametro = (consulta: URLSearchParams, nome: string): string =>
  [...consulta].find(([chave]) => chave.toLowerCase() === nome)?.[1] ?? ''

const filtroDe = (consulta: URLSearchParams): string =>
  FILTRO.exec(consulta.get(`map_layer_${parametro(consulta, 'tema')}_filter`) ?? '')?.[1] ?? ''

function answer(
  consulta: URLSearchParams,
  parcela: Parcela | undefined,
  efeito: ReturnType<typeof efeitoRural>,
): Mensagem {
  const pedido = (nome: string) => parametro(consulta, nome)
  const camada = pedido('typename')
  const [, especie, uf = ''] = CAMADA.exec(camada) ?? []
  if (casoRural(efeito) === 'excecao')
    return excecao('msWFSGetFeature(): WFS server error. Unable to open layer.')
  if (pedido('service').toUpperCase() !== 'WFS' || pedido('request').toLowerCase() !== 'getfeature')
    return excecao('msWFSDispatch(): WFS server error. Incomplete WFS request.')
  if (!especie || camada !== pedido('tema'))
    return excecao(`msWFSGetFeature(): WFS server error. TYPENAME '${camada}' doesn't exist in this server.`)
  // The whole layer is some hundred megabytes: here it needs the filter.
  if (filtroDe(consulta) === '') return excecao('msWFSGetFeature(): WFS server error. FILTER is needed.')
  const publica = parcela?.natureza === 'Público' ? 'publico' : 'particular'
  const esta = parcela?.noAcervo && publica === especie && parcela.imovel.lugar.uf.toLowerCase() === uf
  return colecao(camada, esta ? parcela : undefined)
}

function colecao(camada: string, parcela: Parcela | undefined): Mensagem {
  const corpo = parcela
    ? feicao(camada, parcela)
    : '   <gml:boundedBy><gml:null>missing</gml:null></gml:boundedBy>'
  return xml(`<wfs:FeatureCollection
   xmlns:ms="http://mapserver.gis.umn.edu/mapserver"
   xmlns:wfs="http://www.opengis.net/wfs"
   xmlns:gml="http://www.opengis.net/gml"
   xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
${corpo}
</wfs:FeatureCollection>
`)
}

function feicao(camada: string, parcela: Parcela): string {
  const { codigo, imovel, nome, area, semente, entrada, aprovacao, cns, matricula } = parcela
  const campos: Record<string, string> = {
    parcela_codigo: codigo,
    rt: 'SIM1',
    art: `${20_200_000_000 + (semente % 1_000_000)}-${imovel.lugar.uf}`,
    situacao_informada: 'R',
    codigo_imovel: imovel.codigoSncr,
    data_submissao: entrada,
    data_aprovacao: aprovacao,
    status: parcela.historica ? 'CANCELADA' : parcela.registrada ? 'REGISTRADA' : 'CERTIFICADA',
    nome_area: nome,
    registro_cns: cns.replace(/\D/g, ''),
    registro_matricula: matricula,
    data_registro: '',
    natureza: parcela.natureza.toUpperCase(),
    municipio_id: imovel.lugar.codigo,
    uf_id: imovel.lugar.codigo.slice(0, 2),
    area_hectares: String(area / 10_000),
    tipo_envio: '1',
    transcricao: '',
  }
  const escritos = Object.entries(campos).map(
    ([campo, valor]) => `        <ms:${campo}>${escapeXml(valor)}</ms:${campo}>`,
  )
  const coordenadas = '<gml:coordinates>-55.000000,-12.000000 -54.990000,-11.990000</gml:coordinates>'
  const caixa = `<gml:boundedBy><gml:Box srsName="EPSG:4674">${coordenadas}</gml:Box></gml:boundedBy>`
  return `   ${caixa}
   <gml:featureMember>
      <ms:${camada}>
        ${caixa}
${escritos.join('\n')}
      </ms:${camada}>
   </gml:featureMember>`
}

/** MapServer tells its errors with HTTP 200. */
const excecao = (texto: string): Mensagem =>
  xml(
    `<ServiceExceptionReport version="1.2.0" xmlns="http://www.opengis.net/ogc">\n  <ServiceException code="NoApplicableCode">${escapeXml(texto)}</ServiceException>\n</ServiceExceptionReport>\n`,
  )

function xml(texto: string): Mensagem {
  const corpo = encode(`<?xml version='1.0' encoding="ISO-8859-1" ?>\n${texto}`, 'iso-8859-1')
  return {
    status: 200,
    cabecalhos: { 'content-type': 'text/xml; charset=ISO-8859-1', server: 'Apache' },
    corpo,
  }
}
