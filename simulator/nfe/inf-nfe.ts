import { mix } from '../documento/aleatorio.ts'
import { comFuso } from '../documento/dia.ts'
import { sementeDe } from '../documento/documento.ts'
import { makeInscricao } from '../documento/inscricao-estadual.ts'
import type { Endereco } from '../mundo/contribuinte.ts'
import { enderecoEm } from '../mundo/endereco.ts'
import type { Chamador } from '../platform/autoridade.ts'
import { type Campo, type Campos, NFE, writeCampos } from '../platform/xml.ts'
import { type Nota, readChave } from './nota.ts'

type Item = {
  codigo: string
  descricao: string
  ncm: string
  cest: string | undefined
  unidade: string
  quantidade: number
  unitario: number
  valor: number
}

/** Descriptions that XML has to escape, and one with what people type into such fields. */
const PRODUTOS = [
  ['PÃO DE QUEIJO CONGELADO 1KG', '19012090', '1705000', 'PCT', 1890],
  ['BISCOITO "MAIZENA" 400G', '19053100', '1705300', 'UN', 549],
  ['CAFÉ TORRADO & MOÍDO 500G', '09012100', '1709700', 'PCT', 2399],
  ['GELEIA DE MOCOTÓ < 100 KCAL', '20079990', undefined, 'UN', 879],
  ["CHÁ D'ÁGUA-DE-COLÔNIA 10 SACHÊS", '09024000', undefined, 'CX', 1275],
  ['AÇÚCAR CRISTAL 5KG', '17019900', '1710100', 'PCT', 2150],
  ['FARINHA DE TRIGO ESPECIAL 25KG', '11010010', '1704400', 'SC', 9790],
] as const

function pickItens(semente: number): Item[] {
  const quantos = 2 + (semente % 2)
  return Array.from({ length: quantos }, (_, i) => {
    const [descricao, ncm, cest, unidade, unitario] =
      PRODUTOS[(semente + 3 * i) % PRODUTOS.length] ?? PRODUTOS[0]
    const quantidade = 1000 * (1 + (mix(semente, i) % 24))
    const codigo = String(1000 + (mix(semente, i + 10) % 9000))
    return {
      codigo,
      descricao,
      ncm,
      cest,
      unidade,
      quantidade,
      unitario,
      valor: (quantidade / 1000) * unitario,
    }
  })
}

/** Rates in hundredths of a per cent: ICMS inside São Paulo, PIS and COFINS of who pays them on turnover. */
const ALIQUOTA = { icms: 1800, pis: 165, cofins: 760 } as const

const imposto = (valor: number, tributo: keyof typeof ALIQUOTA): number =>
  Math.round((valor * ALIQUOTA[tributo]) / 10_000)

export const reais = (centavos: number): string => (centavos / 100).toFixed(2)

function detail(item: Item, numero: number): Campo {
  const { codigo, descricao, ncm, cest, unidade, quantidade, unitario, valor } = item
  const [qCom, vUnCom] = [(quantidade / 1000).toFixed(4), `${reais(unitario)}00`]
  const prod = {
    ...{ cProd: codigo, cEAN: 'SEM GTIN', xProd: descricao, NCM: ncm, CEST: cest, CFOP: '5101' },
    ...{ uCom: unidade, qCom, vUnCom, vProd: reais(valor), cEANTrib: 'SEM GTIN', uTrib: unidade },
    ...{ qTrib: qCom, vUnTrib: vUnCom, indTot: '1', xPed: String(mix(quantidade, unitario) % 100_000) },
    nItemPed: String(numero),
  }
  return [`det nItem="${numero}"`, { prod, imposto: impostos(valor) }]
}

function impostos(valor: number): Campos {
  const vBC = reais(valor)
  const aliquota = (tributo: keyof typeof ALIQUOTA): string => (ALIQUOTA[tributo] / 100).toFixed(4)
  const vale = (tributo: keyof typeof ALIQUOTA): string => reais(imposto(valor, tributo))
  const icms = { orig: '0', CST: '00', modBC: '3', vBC, pICMS: aliquota('icms'), vICMS: vale('icms') }
  return {
    ICMS: { ICMS00: icms },
    IPI: { cEnq: '999', IPINT: { CST: '53' } },
    PIS: { PISAliq: { CST: '01', vBC, pPIS: aliquota('pis'), vPIS: vale('pis') } },
    COFINS: { COFINSAliq: { CST: '01', vBC, pCOFINS: aliquota('cofins'), vCOFINS: vale('cofins') } },
  }
}

export const documentoDe = ({ tipo, documento }: Chamador) => ({
  [tipo === 'cnpj' ? 'CNPJ' : 'CPF']: documento,
})

export const ieDe = ({ documento }: Chamador): string => makeInscricao('SP', sementeDe(documento))

const enderecoDe = ({ documento }: Chamador): Endereco =>
  enderecoEm('SP', sementeDe(documento), {
    logradouro: 'RUA DAS SIMULAÇÕES',
    numero: String(1 + (sementeDe(documento) % 2000)),
    complemento: 'GALPÃO 2',
    bairro: 'DISTRITO INDUSTRIAL',
  })

function endereco(quem: Chamador): Campos {
  const { logradouro, numero, complemento, bairro, codigoMunicipio, municipio, uf, cep } = enderecoDe(quem)
  return {
    ...{ xLgr: logradouro, nro: numero, xCpl: complemento, xBairro: bairro, cMun: codigoMunicipio },
    ...{ xMun: municipio, UF: uf, CEP: cep, cPais: '1058', xPais: 'BRASIL', fone: '1133334444' },
  }
}

export type Valores = { itens: readonly Item[]; total: number }

/** What the note is about; the same for the same key. Money in cents. */
export function valoresDa({ chave }: Nota): Valores {
  const itens = pickItens(sementeDe(chave))
  return { itens, total: sum(itens.map(({ valor }) => valor)) }
}

export const dataHora = (instante: Date): string => comFuso(instante, '-03:00')

/** `infNFe` 4.00 as its file has it, and in the canonical form that is digested. */
export function writeInfNFe(nota: Nota): { arquivo: string; canonico: string } {
  const conteudo = writeCampos(camposDa(nota))
  const write = (atributos: string) => `<infNFe ${atributos}>${conteudo}</infNFe>`
  return {
    arquivo: write(`versao="4.00" Id="NFe${nota.chave}"`),
    canonico: write(`xmlns="${NFE}" Id="NFe${nota.chave}" versao="4.00"`),
  }
}

function camposDa(nota: Nota): Campo[] {
  const { emitente, destinatario, autorizados } = nota
  const { itens, total } = valoresDa(nota)
  const empresa = destinatario.tipo === 'cnpj'
  const [enderEmit, enderDest] = [endereco(emitente), endereco(destinatario)]
  const dest = { indIEDest: empresa ? '1' : '9', IE: empresa ? ieDe(destinatario) : undefined }
  return [
    ['ide', identificacao(nota)],
    ['emit', { ...documentoDe(emitente), xNome: emitente.nome, enderEmit, IE: ieDe(emitente), CRT: '3' }],
    ['dest', { ...documentoDe(destinatario), xNome: destinatario.nome, enderDest, ...dest }],
    ...autorizados.map((quem): Campo => ['autXML', documentoDe(quem)]),
    ...itens.map((item, indice) => detail(item, indice + 1)),
    ['total', { ICMSTot: totais(itens, total) }],
    ['transp', transporte(nota, itens.length)],
    ['pag', { detPag: { indPag: '1', tPag: '15', vPag: reais(total) } }],
    ['infAdic', { infCpl: OBSERVACAO }],
  ]
}

const OBSERVACAO =
  'NOTA DO SIMULADOR: SEM VALOR FISCAL. Pagamento em até 28 dias; após o vencimento, multa de 2% & juros de 1% ao mês. Dúvidas: "fale conosco".'

function identificacao({ chave, autorizacao, emitente, destinatario }: Nota): Campos {
  const partes = readChave(chave)
  return {
    ...{ cUF: partes?.cUF, cNF: partes?.cNF, natOp: 'VENDA DE PRODUÇÃO DO ESTABELECIMENTO' },
    ...{ mod: partes?.modelo, serie: String(Number(partes?.serie)), nNF: String(Number(partes?.nNF)) },
    ...{ dhEmi: dataHora(autorizacao), tpNF: '1', idDest: '1', cMunFG: enderecoDe(emitente).codigoMunicipio },
    ...{ tpImp: '1', tpEmis: partes?.tpEmis, cDV: partes?.dv, tpAmb: '1', finNFe: '1' },
    // A person has no registration, so the goods are for consumption (NT 2019.001, rule E16a-40).
    indFinal: destinatario.tipo === 'cnpj' ? '0' : '1',
    ...{ indPres: '9', indIntermed: '0', procEmi: '0', verProc: 'Simulador 1.0' },
  }
}

function totais(itens: readonly Item[], total: number): Campo[] {
  const soma = (tributo: 'icms' | 'pis' | 'cofins') =>
    reais(sum(itens.map(({ valor }) => imposto(valor, tributo))))
  const zerados = (...nomes: string[]) => nomes.map((nome): Campo => [nome, '0.00'])
  return [
    ['vBC', reais(total)],
    ['vICMS', soma('icms')],
    ...zerados('vICMSDeson', 'vFCP', 'vBCST', 'vST', 'vFCPST', 'vFCPSTRet'),
    ['vProd', reais(total)],
    ...zerados('vFrete', 'vSeg', 'vDesc', 'vII', 'vIPI', 'vIPIDevol'),
    ['vPIS', soma('pis')],
    ['vCOFINS', soma('cofins')],
    ['vOutro', '0.00'],
    ['vNF', reais(total)],
  ]
}

function transporte({ transportador }: Nota, volumes: number): Campos {
  if (!transportador) return { modFrete: '9' }
  const { logradouro, numero, municipio, uf } = enderecoDe(transportador)
  const onde = { xEnder: `${logradouro}, ${numero}`, xMun: municipio, UF: uf }
  const transporta = { ...documentoDe(transportador), xNome: transportador.nome, IE: ieDe(transportador) }
  const vol = { qVol: String(volumes), esp: 'VOLUMES', pesoL: '12.500', pesoB: '13.250' }
  return { modFrete: '0', transporta: { ...transporta, ...onde }, vol }
}

const sum = (valores: readonly number[]): number => valores.reduce((soma, valor) => soma + valor, 0)
