import { ALFANUMERICA, OUTRA } from '../platform/icp/catalogo.ts'
import { empresa, estabelecimento } from './empresa.ts'
import { CIENCIA, codigo, DOIS_MESES, EC, type LinhaDeCenario, pessoa } from './linha.ts'

/**
 * A head office whose branch got the note, and companies with letters in their CNPJ, for the authorities that
 * refuse letters.
 */
const TRANSFERENCIA = empresa('987630040001', 'EMPRESA SIMULADA DA TRANSFERENCIA LTDA')
const COM_LETRAS = empresa('98L76L010001', 'EMPRESA SIMULADA COM LETRAS LTDA')
const EMITENTE_COM_LETRAS = empresa('98L76L020001', 'EMITENTE SIMULADO COM LETRAS LTDA')

/** The holder's part in the note, and whether there is a note. Order is identity: new rows go to the end. */
export const papeis: readonly LinhaDeCenario[] = [
  ['estranho', 'cStat 640: o titular não participa da nota', { papel: 'estranho' }],
  ['filial', 'a nota é da matriz e o certificado, de uma filial: cStat 640', { papel: 'filial' }],
  ['emitente', 'cStat 641: o titular emitiu a nota, e o portal libera', { papel: 'emitente' }],
  [
    'emitente-portal-fora',
    'cStat 641: o titular emitiu a nota, e o portal está fora do ar',
    { papel: 'emitente', portal: 'indisponivel' },
  ],
  [
    'emitente-portal-nega',
    'cStat 641: o titular emitiu a nota, e o portal não libera',
    { papel: 'emitente', portal: 'nega' },
  ],
  ['nao-localizada', 'cStat 137: nota que o Ambiente Nacional não tem', { existe: 'sem-nsu' }],
  ['inexistente', 'cStat 217: nota que não existe', { existe: 'nunca' }],
  ['transportador', 'o titular é o transportador: o XML vem direto', { papel: 'transportador' }],
  ['autorizado', 'o titular está em autXML: o XML vem direto', { papel: 'autorizado' }],
  ['pessoa', 'o destinatário é uma pessoa (e-CPF)', { titular: pessoa('987643218') }],
  ['ec', 'chave EC: não assina a Ciência', EC],
  ['ec-ciencia-anterior', 'chave EC, mas a Ciência já tinha sido registrada', { ...EC, eventos: [CIENCIA] }],
  ['ec-dois-meses', 'chave EC, mais de dois meses: o portal libera', { ...EC, ...DOIS_MESES }],
  [
    'ec-dois-meses-portal-nega',
    'chave EC, mais de dois meses: não assina a Confirmação',
    { ...EC, ...DOIS_MESES, portal: 'exige-manifestacao' },
  ],
  ['a1', 'notas da empresa dos outros arquivos A1', { titular: OUTRA, eventos: [CIENCIA] }],
  ['letras', 'o destinatário tem CNPJ com letras', { titular: ALFANUMERICA, eventos: [CIENCIA] }],
  ['matriz', 'certificado da matriz, nota da filial: o campo cnpj diz o da filial', { papel: 'matriz' }],
  [
    'matriz-sem-cnpj',
    'certificado da matriz, nota da filial, sem o campo cnpj: cStat 640',
    { papel: 'matriz' },
  ],
  [
    'matriz-emitente',
    'certificado da matriz, nota emitida pela filial: a chave traz o CNPJ dela, e o portal libera',
    { papel: 'matriz-do-emitente' },
  ],
  [
    'transferencia',
    'nota da filial para a própria matriz: o certificado da matriz recebe',
    { titular: TRANSFERENCIA, emitente: estabelecimento(TRANSFERENCIA, '0002') },
  ],
  [
    'letras-215',
    'cStat 215: o Ambiente Nacional não aceita o CNPJ com letras do destinatário na consulta',
    { titular: COM_LETRAS, distribuicao: codigo(215) },
  ],
  [
    'letras-225',
    'cStat 225: o Ambiente Nacional não aceita, no evento, a chave com letras de quem emitiu a nota',
    { emitente: EMITENTE_COM_LETRAS, ciencia: codigo(225) },
  ],
]
