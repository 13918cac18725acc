import { sementeDe } from '../documento/documento.ts'
import { type Campo, escreverCampos, NFE } from '../platform/nfe-xml.ts'
import { horaDeBrasilia, lerChave } from './chave.ts'
import { detalhar, type Item, imposto, reais, sortearItens } from './item.ts'
import type { Nota } from './nota.ts'
import { documentoDe, endereco, enderecoDe, ieDe } from './participante.ts'

/** The fields of a summary besides the parties and the dates. */
export type Valores = { itens: readonly Item[]; total: number }

/** What the note is about; the same for the same key. Money in cents. */
export function valoresDa({ chave }: Nota): Valores {
  const itens = sortearItens(sementeDe(chave))
  return { itens, total: somar(itens.map(({ valor }) => valor)) }
}

/** `AAAA-MM-DDThh:mm:ss-03:00`. */
export function dataHora(instante: Date): string {
  return `${horaDeBrasilia(instante)}-03:00`
}

/**
 * The element `infNFe` 4.00 of a note, as its file has it and in its canonical form, which is what is
 * digested. The file has its attributes in the order in which many issuers write them, and not the namespace
 * that it inherits.
 */
export function escreverInfNFe(nota: Nota): { arquivo: string; canonico: string } {
  const conteudo = escreverCampos(camposDa(nota))
  const escrever = (atributos: string) => `<infNFe ${atributos}>${conteudo}</infNFe>`
  return {
    arquivo: escrever(`versao="4.00" Id="NFe${nota.chave}"`),
    canonico: escrever(`xmlns="${NFE}" Id="NFe${nota.chave}" versao="4.00"`),
  }
}

function camposDa(nota: Nota): Campo[] {
  const { emitente, destinatario, autorizados } = nota
  const { itens, total } = valoresDa(nota)
  const empresa = destinatario.tipo === 'cnpj'
  return [
    ['ide', identificacao(nota)],
    [
      'emit',
      [
        documentoDe(emitente),
        ['xNome', emitente.nome],
        ['enderEmit', endereco(emitente)],
        ['IE', ieDe(emitente)],
        ['CRT', '3'],
      ],
    ],
    [
      'dest',
      [
        documentoDe(destinatario),
        ['xNome', destinatario.nome],
        ['enderDest', endereco(destinatario)],
        ['indIEDest', empresa ? '1' : '9'],
        ['IE', empresa ? ieDe(destinatario) : undefined],
      ],
    ],
    ...autorizados.map((quem): Campo => ['autXML', [documentoDe(quem)]]),
    ...itens.map((item, indice) => detalhar(item, indice + 1)),
    ['total', [['ICMSTot', totais(itens, total)]]],
    ['transp', transporte(nota, itens.length)],
    [
      'pag',
      [
        [
          'detPag',
          [
            ['indPag', '1'],
            ['tPag', '15'],
            ['vPag', reais(total)],
          ],
        ],
      ],
    ],
    ['infAdic', [['infCpl', OBSERVACAO]]],
  ]
}

const OBSERVACAO =
  'NOTA DO SIMULADOR: SEM VALOR FISCAL. Pagamento em até 28 dias; após o vencimento, multa de 2% & juros de 1% ao mês. Dúvidas: "fale conosco".'

function identificacao({ chave, autorizacao, emitente, destinatario }: Nota): Campo[] {
  const partes = lerChave(chave)
  return [
    ['cUF', partes?.cUF],
    ['cNF', partes?.cNF],
    ['natOp', 'VENDA DE PRODUÇÃO DO ESTABELECIMENTO'],
    ['mod', partes?.modelo],
    ['serie', String(Number(partes?.serie))],
    ['nNF', String(Number(partes?.nNF))],
    ['dhEmi', dataHora(autorizacao)],
    ['tpNF', '1'],
    ['idDest', '1'],
    ['cMunFG', enderecoDe(emitente).codigoMunicipio],
    ['tpImp', '1'],
    ['tpEmis', partes?.tpEmis],
    ['cDV', partes?.dv],
    ['tpAmb', '1'],
    ['finNFe', '1'],
    // A person has no registration, so the goods are for consumption (NT 2019.001, rule E16a-40).
    ['indFinal', destinatario.tipo === 'cnpj' ? '0' : '1'],
    ['indPres', '9'],
    ['indIntermed', '0'],
    ['procEmi', '0'],
    ['verProc', 'Simulador 1.0'],
  ]
}

function totais(itens: readonly Item[], total: number): Campo[] {
  const soma = (tributo: 'icms' | 'pis' | 'cofins') =>
    reais(somar(itens.map(({ valor }) => imposto(valor, tributo))))
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

function transporte({ transportador }: Nota, volumes: number): Campo[] {
  if (!transportador) return [['modFrete', '9']]
  const { logradouro, numero, municipio, uf } = enderecoDe(transportador)
  return [
    ['modFrete', '0'],
    [
      'transporta',
      [
        documentoDe(transportador),
        ['xNome', transportador.nome],
        ['IE', ieDe(transportador)],
        ['xEnder', `${logradouro}, ${numero}`],
        ['xMun', municipio],
        ['UF', uf],
      ],
    ],
    [
      'vol',
      [
        ['qVol', String(volumes)],
        ['esp', 'VOLUMES'],
        ['pesoL', '12.500'],
        ['pesoB', '13.250'],
      ],
    ],
  ]
}

function somar(valores: readonly number[]): number {
  return valores.reduce((soma, valor) => soma + valor, 0)
}
