import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { XmlDocument } from 'libxml2-wasm'
import { pacotesDoDia, readPacotes } from '../../src/rejeicoes/esquema/calendario.ts'
import { compilePacote, type Pacote } from '../../src/rejeicoes/esquema/pacote.ts'
import { comAssinatura, notaBase } from '../kit/rejeicoes.ts'

/** A note that uses the fields of a row of `data/xsd/pacotes.json`, unsigned. */
type Uso = { caminhos: readonly string[]; xml: string }

const base = (nome = 'venda-interna'): string => notaBase(nome).replace(/>\s+</g, '><')

/** A CNPJ with letters, and a key that holds one. */
const CNPJ = '12ABC34501DE35'
const CHAVE = `352611${'12ABC34501DE'}${'35550010000012011482103575'}`

const trocado = (de: RegExp | string, para: string, xml = base()): string => {
  const outro = xml.replace(de, () => para)
  if (outro === xml) throw new Error(`nothing is like ${de}`)
  return outro
}

const antesDe = (marca: string, novo: string, xml = base()): string => trocado(marca, novo + marca, xml)

const depoisDe = (marca: RegExp, novo: string, xml = base()): string => {
  const [achado = ''] = marca.exec(xml) ?? []
  return trocado(marca, achado + novo, xml)
}

const local = (nome: string): string =>
  `<${nome}><CNPJ>${CNPJ}</CNPJ><xLgr>Rua A</xLgr><nro>1</nro><xBairro>Centro</xBairro><cMun>3550308</cMun><xMun>São Paulo</xMun><UF>SP</UF></${nome}>`

const icms = (grupo: string, dentro: string): string =>
  trocado(/<ICMS>.*?<\/ICMS>/, `<ICMS><${grupo}><orig>0</orig>${dentro}</${grupo}></ICMS>`)

const noGrupo = (grupo: string, dentro: string): string => `<${grupo}>${dentro}</${grupo}>`

const parte = (cst: string, fim = ''): string =>
  icms(
    'ICMSPart',
    `<CST>${cst}</CST><modBC>3</modBC><vBC>1.00</vBC><pICMS>1.00</pICMS><vICMS>1.00</vICMS><modBCST>4</modBCST><vBCST>1.00</vBCST><pICMSST>1.00</pICMSST><vICMSST>1.00</vICMSST><pBCOp>1.00</pBCOp><UFST>SP</UFST>${fim}`,
  )

const icms90 = (depoisDaBase: string, depoisDoImposto: string): string =>
  icms(
    'ICMS90',
    `<CST>90</CST><modBC>3</modBC><vBC>1.00</vBC>${depoisDaBase}<pICMS>1.00</pICMS>${depoisDoImposto}`,
  )

const compra = (dentro: string): string =>
  trocado(/<gCompraGov>.*<\/gCompraGov>/, `<gCompraGov>${dentro}</gCompraGov>`, base('compra-governamental'))

const protocolo = (mensagens: string): string =>
  `<nfeProc xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00">${comAssinatura(base()).replace(/^.*?(?=<NFe)/s, '')}<protNFe versao="4.00"><infProt><tpAmb>1</tpAmb><verAplic>1</verAplic><chNFe>35261111222333000181550010000012011482103575</chNFe><dhRecbto>2026-11-10T10:15:00-03:00</dhRecbto><cStat>100</cStat><xMotivo>Autorizado</xMotivo>${mensagens}</infProt></protNFe></nfeProc>`

const devolucao = '<gDevTrib><pDevTrib>1.0000</pDevTrib><vDevTrib>0.01</vDevTrib></gDevTrib>'
const IBS_CBS = 'det/imposto/IBSCBS'
const ICMS = 'det/imposto/ICMS'

/** What PL_010d takes and PL_010b refuses. */
const usosDo010d: readonly Uso[] = [
  ...['refNFe', 'refNFeSig', 'refCTe'].map((nome) => ({
    caminhos: [`ide/NFref/${nome}`],
    xml: antesDe('</ide>', noGrupo('NFref', noGrupo(nome, CHAVE))),
  })),
  {
    caminhos: ['ide/gPagAntecipado/refNFe'],
    xml: antesDe('</ide>', noGrupo('gPagAntecipado', noGrupo('refNFe', CHAVE))),
  },
  {
    caminhos: ['det/prod/detExport/exportInd/chNFe'],
    xml: antesDe(
      '</prod>',
      `<detExport><exportInd><nRE>123456789012</nRE><chNFe>${CHAVE}</chNFe><qExport>1.0000</qExport></exportInd></detExport>`,
    ),
  },
  {
    caminhos: ['det/DFeReferenciado/chaveAcesso'],
    xml: antesDe('</det>', noGrupo('DFeReferenciado', noGrupo('chaveAcesso', CHAVE))),
  },
  ...['emit', 'dest', 'infRespTec'].map((nome) => ({
    caminhos: [`${nome}/CNPJ`],
    xml: trocado(new RegExp(`<${nome}><CNPJ>.*?<`), `<${nome}><CNPJ>${CNPJ}<`),
  })),
  {
    caminhos: ['avulsa/CNPJ'],
    xml: antesDe(
      '<dest>',
      `<avulsa><CNPJ>${CNPJ}</CNPJ><xOrgao>Fisco</xOrgao><matr>1</matr><xAgente>Ana</xAgente><UF>SP</UF><repEmi>Centro</repEmi></avulsa>`,
    ),
  },
  { caminhos: ['autXML/CNPJ'], xml: antesDe('<det nItem="1">', noGrupo('autXML', noGrupo('CNPJ', CNPJ))) },
  {
    caminhos: ['transp/transporta/CNPJ'],
    xml: trocado(/<transporta>.*<\/transporta>/, noGrupo('transporta', noGrupo('CNPJ', CNPJ))),
  },
  ...['retirada', 'entrega'].map((nome) => ({
    caminhos: [`${nome}/CNPJ`],
    xml: antesDe('<det nItem="1">', local(nome)),
  })),
  { caminhos: ['@Id'], xml: trocado(/Id="NFe\d{44}"/, `Id="NFe${CHAVE}"`) },
  {
    caminhos: ['../infNFeSupl/qrCode'],
    xml: trocado(/\?p=\d{44}/, `?p=${CHAVE.slice(0, 34)}1${CHAVE.slice(35)}`, base('nfce')),
  },
  { caminhos: ['ide/procEmi'], xml: trocado('<procEmi>0<', '<procEmi>4<') },
  {
    caminhos: ['infPAA'],
    xml: antesDe(
      '</infNFe>',
      '<infPAA><CNPJPAA>12345678000195</CNPJPAA><PAASignature><SignatureValue>AAAA</SignatureValue><RSAKeyValue><Modulus>AAAA</Modulus><Exponent>AQAB</Exponent></RSAKeyValue></PAASignature></infPAA>',
    ),
  },
  {
    caminhos: [`${ICMS}/ICMS20/motDesICMS`],
    xml: icms(
      'ICMS20',
      '<CST>20</CST><modBC>3</modBC><pRedBC>1.00</pRedBC><vBC>1.00</vBC><pICMS>1.00</pICMS><vICMS>1.00</vICMS><vICMSDeson>1.00</vICMSDeson><motDesICMS>10</motDesICMS>',
    ),
  },
  {
    caminhos: [`${ICMS}/ICMS90/cBenefRBC`],
    xml: icms90('<pRedBC>1.00</pRedBC><cBenefRBC>SP123456</cBenefRBC>', '<vICMS>1.00</vICMS>'),
  },
  {
    caminhos: ['vICMSOp', 'pDif', 'vICMSDif'].map((nome) => `${ICMS}/ICMS90/${nome}`),
    xml: icms90('', '<vICMSOp>1.00</vICMSOp><pDif>50.00</pDif><vICMSDif>0.50</vICMSDif><vICMS>1.00</vICMS>'),
  },
  {
    caminhos: ['pFCPDif', 'vFCPDif', 'vFCPEfet'].map((nome) => `${ICMS}/ICMS90/${nome}`),
    xml: icms90(
      '',
      '<vICMS>1.00</vICMS><vBCFCP>1.00</vBCFCP><pFCP>1.00</pFCP><vFCP>0.01</vFCP><pFCPDif>1.00</pFCPDif><vFCPDif>0.01</vFCPDif><vFCPEfet>0.01</vFCPEfet>',
    ),
  },
  { caminhos: [`${ICMS}/ICMSPart/CST`], xml: parte('20') },
  {
    caminhos: ['vICMSDeson', 'motDesICMS', 'indDeduzDeson'].map((nome) => `${ICMS}/ICMSPart/${nome}`),
    xml: parte(
      '10',
      '<vICMSDeson>1.00</vICMSDeson><motDesICMS>9</motDesICMS><indDeduzDeson>1</indDeduzDeson>',
    ),
  },
]

/** What PL_010e takes and PL_010d refuses. */
const usosDo010e: readonly Uso[] = [
  { caminhos: ['ide/tpImp'], xml: trocado('<tpImp>1<', '<tpImp>6<') },
  { caminhos: ['ide/cIndOp'], xml: antesDe('<procEmi>', '<cIndOp>100301</cIndOp>') },
  {
    caminhos: ['ide/tpNFCredito'],
    xml: trocado(/<tpNFCredito>..</, '<tpNFCredito>06<', base('nota-de-credito')),
  },
  {
    caminhos: ['ide/gCompraGov/tpEnteGov'],
    xml: compra('<tpEnteGov>6</tpEnteGov><pRedutor>5.0000</pRedutor><tpOperGov>1</tpOperGov>'),
  },
  {
    caminhos: ['ide/gCompraGov/tpOperGov'],
    xml: compra('<tpEnteGov>4</tpEnteGov><pRedutor>5.0000</pRedutor><tpOperGov>4</tpOperGov>'),
  },
  {
    caminhos: ['ide/gCompraGov/refDFeAnt'],
    xml: compra(
      `<tpEnteGov>4</tpEnteGov><pRedutor>5.0000</pRedutor><tpOperGov>2</tpOperGov>${noGrupo('refDFeAnt', CHAVE).repeat(99)}`,
    ),
  },
  { caminhos: ['emit/ISUFEmit'], xml: antesDe('</emit>', '<ISUFEmit>210112345</ISUFEmit>') },
  {
    caminhos: ['det/imposto/IS/adRemIS'],
    xml: antesDe(
      '<IBSCBS>',
      '<IS><CSTIS>000</CSTIS><cClassTribIS>000001</cClassTribIS><vBCIS>1.00</vBCIS><pIS>1.0000</pIS><adRemIS>1.0000</adRemIS><vIS>0.01</vIS></IS>',
    ),
  },
  {
    caminhos: [`${IBS_CBS}/gIBSCBS/gIBSUF/gDevTrib/pDevTrib`],
    xml: depoisDe(/<pIBSUF>.*?<\/pIBSUF>/, devolucao),
  },
  {
    caminhos: [`${IBS_CBS}/gIBSCBS/gIBSMun/gDevTrib/pDevTrib`],
    xml: depoisDe(/<pIBSMun>.*?<\/pIBSMun>/, devolucao),
  },
  {
    caminhos: [`${IBS_CBS}/gIBSCBS/gCBS/gDevTrib/pDevTrib`],
    xml: depoisDe(/<pCBS>.*?<\/pCBS>/, devolucao),
  },
  {
    caminhos: [`${IBS_CBS}/gIBSCBS/gCBS/gALCZFMCBS`],
    xml: depoisDe(
      /<pCBS>.*?<\/pCBS>/,
      '<gALCZFMCBS><tpALCZFMCBS>2</tpALCZFMCBS><nProcSuframa>12345678</nProcSuframa><pAliqEfetRegCBS>0.9000</pAliqEfetRegCBS><vTribRegCBS>1.00</vTribRegCBS></gALCZFMCBS>',
    ),
  },
  {
    caminhos: ['../protNFe/infProt/cMsg'],
    xml: protocolo('<cMsg>1</cMsg><xMsg>Aviso</xMsg>'.repeat(5)),
  },
  {
    caminhos: ['../protNFe/infProt/xMsg'],
    xml: protocolo(`<cMsg>1</cMsg><xMsg>${'a'.repeat(255)}</xMsg>`),
  },
]

const monofasico = (dentro: string): string =>
  trocado(
    /<gIBSCBS>.*?<\/gIBSCBS>/,
    `<gIBSCBSMono>${dentro}<vTotIBSMonoItem>1.00</vTotIBSMonoItem><vTotCBSMonoItem>1.00</vTotCBSMonoItem></gIBSCBSMono>`,
  )

type Imposto = 'IBS' | 'CBS'

const campos = (valores: Readonly<Record<string, string>>): string =>
  Object.entries(valores)
    .map(([nome, valor]) => noGrupo(nome, valor))
    .join('')

/** The groups of the fuel's tax by quantity and by value (NT 2025.002 v1.50). */
const gruposPor: Readonly<Record<'AdRem' | 'AdValorem', (imposto: Imposto) => Record<string, string>>> = {
  AdRem: (imposto) => ({
    gMonoPadrao: campos({
      qBCMono: '10.0000',
      [`adRem${imposto}`]: '0.1000',
      [`v${imposto}Mono`]: '1.00',
    }),
    gMonoReten: campos({
      qBCMonoReten: '10.0000',
      [`adRem${imposto}Reten`]: '0.1000',
      [`v${imposto}MonoReten`]: '1.00',
    }),
    gMonoRet: campos({ [`v${imposto}MonoRet`]: '1.00' }),
    gpBioDiferenca: campos({ qBCBioComb: '10.0000', [`v${imposto}Diferenca`]: '1.00' }),
  }),
  AdValorem: (imposto) => ({
    gMonoPadrao: campos({
      vBCMono: '10.00',
      ...(imposto === 'IBS'
        ? { pAliqMonoUF: '0.1000', vIBSMonoUF: '1.00', pAliqMonoMun: '0.1000', vIBSMonoMun: '1.00' }
        : { pAliqMonoCBS: '0.1000' }),
      [`v${imposto}Mono`]: '1.00',
    }),
    gMonoReten: campos({
      vBCMonoReten: '10.00',
      pAliqMonoReten: '0.1000',
      [`v${imposto}MonoReten`]: '1.00',
    }),
    gMonoRet: campos({ [`v${imposto}MonoRet`]: '1.00' }),
    gpBioDiferenca: campos({ qBCBioComb: '10.0000', [`v${imposto}Diferenca`]: '1.00' }),
  }),
}

/** What PL_010f takes and PL_010e refuses. */
const usosDo010f: readonly Uso[] = [
  { caminhos: ['emit/IE'], xml: trocado(/<IE>\d+<\/IE>(?=<CRT>)/, '') },
  ...(['IBS', 'CBS'] as const).flatMap((imposto) =>
    (['AdRem', 'AdValorem'] as const).flatMap((por) =>
      Object.entries(gruposPor[por](imposto)).map(([grupo, dentro]) => ({
        caminhos: [`${IBS_CBS}/gIBSCBSMono/g${imposto}Mono${por}/${grupo}`],
        xml: monofasico(noGrupo(`g${imposto}Mono${por}`, noGrupo(grupo, dentro))),
      })),
    ),
  ),
]

/** By its day in production, for notes and for notes with a protocol. */
const pacoteDo = (dia: string, raiz?: string): Pacote => {
  const [{ fonte }] = pacotesDoDia({ dia, ambiente: '1' }, [])
  const pacote = compilePacote(fonte, raiz)
  after(pacote.dispose)
  return pacote
}

/** What is wrong with a note; empty if nothing is. */
function problemaDe({ xml }: Uso, { validador }: Pacote): string {
  const documento = XmlDocument.fromString(xml.startsWith('<nfeProc') ? xml : comAssinatura(xml))
  try {
    validador.validate(documento)
    return ''
  } catch (error) {
    return String(error)
  } finally {
    documento.dispose()
  }
}

const comparacoes = [
  { de: '2026-06-30', para: '2026-07-20', nome: 'PL_010d_v1.02', usos: usosDo010d },
  { de: '2026-07-20', para: '2026-10-20', nome: 'PL_010e_v1.02', usos: usosDo010e },
  { de: '2026-10-20', para: '2026-11-20', nome: 'PL_010f_v1.04', usos: usosDo010f },
]

for (const { de, para, nome, usos } of comparacoes) {
  test(`each change of ${nome} is taken by it and refused by the package before it`, () => {
    const mudancas = readPacotes().pacotes.find((pacote) => pacote.nome === nome)?.mudancas ?? []
    assert.deepEqual(
      usos.flatMap(({ caminhos }) => caminhos).sort(),
      mudancas.flatMap(({ caminhos }) => caminhos).sort(),
    )
    const [antes, depois] = [[pacoteDo(de)], [pacoteDo(para)]]
    assert.equal(depois[0]?.nome, nome)
    if (nome === 'PL_010e_v1.02')
      for (const [lista, dia] of [[antes, de] as const, [depois, para] as const])
        lista.push(pacoteDo(dia, 'procNFe_v4.00.xsd'))
    for (const uso of usos) {
      const qual = uso.xml.startsWith('<nfeProc') ? 1 : 0
      const [velho, novo] = [antes[qual], depois[qual]]
      assert.ok(velho && novo)
      assert.equal(problemaDe(uso, novo), '', uso.caminhos.join())
      assert.notEqual(problemaDe(uso, velho), '', uso.caminhos.join())
    }
  })
}

test('a package is chosen by day and environment, and two in the days of which the sources differ', () => {
  const nomes = (dia: string, ambiente: '1' | '2' = '1'): string =>
    pacotesDoDia({ dia, ambiente }, [])
      .map(({ nome, desde }) => `${nome.slice(0, 7)} ${desde}`)
      .join(' + ')
  const producao = {
    '2024-01-01': 'PL_010b 2025-11-10',
    '2026-06-30': 'PL_010b 2025-11-10',
    '2026-07-01': 'PL_010d 2026-07-06 + PL_010b 2025-11-10',
    '2026-07-05': 'PL_010d 2026-07-06 + PL_010b 2025-11-10',
    '2026-07-06': 'PL_010d 2026-07-06',
    '2026-08-02': 'PL_010d 2026-07-06',
    '2026-08-03': 'PL_010e 2026-08-03',
    '2026-11-02': 'PL_010e 2026-08-03',
    '2026-11-03': 'PL_010f 2026-11-16 + PL_010e 2026-08-03',
    '2026-11-15': 'PL_010f 2026-11-16 + PL_010e 2026-08-03',
    '2026-11-16': 'PL_010f 2026-11-16',
    '2031-01-01': 'PL_010f 2026-11-16',
  }
  for (const [dia, esperado] of Object.entries(producao)) assert.equal(nomes(dia), esperado, dia)
  const homologacao = {
    '2026-06-14': 'PL_010b 2025-10-29',
    '2026-06-15': 'PL_010d 2026-06-15',
    '2026-07-01': 'PL_010e 2026-07-01',
    '2026-08-31': 'PL_010e 2026-07-01',
    '2026-09-01': 'PL_010f 2026-09-01',
  }
  for (const [dia, esperado] of Object.entries(homologacao)) assert.equal(nomes(dia, '2'), esperado, dia)
})
