import { ALFANUMERICA, OUTRA } from '../icp/catalogo.ts'
import { CIENCIA, DOIS_MESES, EC, type LinhaDeCenario, pessoa } from './linha.ts'

/** Who the holder is to the note, and whether there is one. Order is identity: new rows go to the end. */
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
]
