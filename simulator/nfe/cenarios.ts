import { ALFANUMERICA, OUTRA } from '../platform/icp/catalogo.ts'
import {
  type Cenario,
  CIENCIA,
  CONFIRMACAO,
  codigo,
  DESCONHECIMENTO,
  type Diferenca,
  DOIS_MESES,
  documento,
  EC,
  empresa,
  estabelecimento,
  type LinhaDeCenario,
  montarCenarios,
  NAO_REALIZADA,
  pessoa,
  QUEDA,
  TRES_MESES,
  UM_MES,
} from './cenario.ts'

const pagina = (status: number, titulo: string): Diferenca => ({
  distribuicao: { tipo: 'pagina', status, titulo },
})

/** What the distribution and the portal do to a query. Order is identity: new rows go to the end. */
export const falhas: readonly LinhaDeCenario[] = [
  ['html-403', 'HTTP 403 com página HTML, como para um certificado recusado', pagina(403, 'Acesso negado')],
  ['html-503', 'HTTP 503 com página HTML', pagina(503, 'Serviço indisponível')],
  ['html-200', 'página HTML com HTTP 200', pagina(200, 'Sistema em manutenção')],
  ['fault', 'SOAP Fault 1.2', { distribuicao: { tipo: 'fault', soap: '1.2' } }],
  ['fault-11', 'SOAP Fault 1.1', { distribuicao: { tipo: 'fault', soap: '1.1' } }],
  ['tls', 'o servidor recusa o certificado na camada TLS', { distribuicao: { tipo: 'tls' } }],
  ['demorada', 'responde certo depois de 2 segundos', { distribuicao: { tipo: 'demora', ms: 2_000 } }],
  ['lenta', 'não responde a tempo', { distribuicao: { tipo: 'demora', ms: 120_000 } }],
  ['queda', 'a conexão cai antes do primeiro byte', { distribuicao: QUEDA }],
  [
    'queda-no-meio',
    'a conexão cai no meio da resposta',
    { distribuicao: { tipo: 'queda', quando: 'no-meio' } },
  ],
  ['vazia', 'HTTP 200 sem corpo', { distribuicao: { tipo: 'vazio' } }],
  ['gigante', 'corpo de 10 MiB', { distribuicao: { tipo: 'gigante', bytes: 10 << 20 } }],
  ['malformada', 'o XML da resposta vem cortado', { distribuicao: { tipo: 'malformado' } }],
  [
    'redireciona',
    'HTTP 302 para outra página',
    { distribuicao: { tipo: 'redireciona', para: '/manutencao.html' } },
  ],
  ['108', 'cStat 108: serviço paralisado momentaneamente', { distribuicao: codigo(108) }],
  ['109', 'cStat 109: serviço paralisado sem previsão', { distribuicao: codigo(109) }],
  ['215', 'cStat 215: falha no schema XML', { distribuicao: codigo(215) }],
  ['593', 'cStat 593: CNPJ-base diferente do certificado', { distribuicao: codigo(593) }],
  ['618', 'cStat 618: a chave não é do modelo 55', { distribuicao: codigo(618) }],
  ['777', 'cStat 777: código que nenhuma tabela tem', { distribuicao: codigo(777) }],
  ['999', 'cStat 999: erro não catalogado', { distribuicao: codigo(999) }],
  ['gzip-cortado', 'o documento vem com o gzip cortado', { distribuicao: documento('gzip-cortado') }],
  ['base64-ruim', 'o documento não é base64', { distribuicao: documento('base64-ruim') }],
  ['documento-vazio', 'o documento vem vazio', { distribuicao: documento('vazio') }],
  ['outra-chave', 'o documento é de outra chave', { distribuicao: documento('outra-chave') }],
  [
    'sem-protocolo',
    'o XML vem sem o protocolo de autorização',
    { eventos: [CIENCIA], distribuicao: documento('sem-protocolo') },
  ],
  ['outra-raiz', 'o XML é de outro tipo de documento', { distribuicao: documento('outra-raiz') }],
  [
    'envelope-11',
    'SOAP 1.1 com outros prefixos: é lido bem',
    { distribuicao: { tipo: 'envelope', soap: '1.1', prefixo: 'SOAP-ENV' } },
  ],
  ['portal-captcha', 'o portal nunca aceita o captcha', { ...DOIS_MESES, portal: 'captcha-recusado' }],
  [
    'portal-queda',
    'a conexão do portal cai no meio do XML',
    { ...DOIS_MESES, portal: { tipo: 'queda', quando: 'no-meio' } },
  ],
  ['portal-layout', 'a página do portal mudou', { ...DOIS_MESES, portal: { tipo: 'layout' } }],
  [
    'portal-outra-chave',
    'o portal entrega o XML de outra nota',
    { ...DOIS_MESES, portal: documento('outra-chave') },
  ],
  [
    'portal-sem-protocolo',
    'o portal entrega o XML sem o protocolo de autorização',
    { ...DOIS_MESES, portal: documento('sem-protocolo') },
  ],
]

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

const LIMITE: Diferenca = { distribuicao: codigo(656) }

/** The specification's flow. Order is identity: new rows go to the end. */
export const fluxo: readonly LinhaDeCenario[] = [
  ['ciencia', 'só o resumo: a Ciência é registrada e libera o XML'],
  ['ciencia-anterior', 'a Ciência já tinha sido registrada: o XML vem direto', { eventos: [CIENCIA] }],
  [
    'ciencia-segunda-consulta',
    'registrada a Ciência, a primeira consulta ainda traz o resumo',
    { demoraDaLiberacao: 1 },
  ],
  [
    'ciencia-demorada',
    'registrada a Ciência, o XML demora a ser liberado: consulte de novo',
    { demoraDaLiberacao: 3 },
  ],
  [
    'ciencia-repetida',
    'cStat 573: a Ciência já tinha sido registrada, mas só vinha o resumo',
    { eventos: [CIENCIA], demoraDaLiberacao: 1 },
  ],
  ['ciencia-fora-prazo', '30 dias (cStat 596): o portal libera, sem evento', UM_MES],
  [
    'ciencia-fora-prazo-portal-nega',
    '30 dias: o portal não libera, a Confirmação libera',
    { ...UM_MES, portal: 'exige-manifestacao' },
  ],
  [
    'ciencia-fora-prazo-portal-fora',
    '30 dias, e o portal está fora do ar: nenhum evento',
    { ...UM_MES, portal: 'indisponivel' },
  ],
  ['dois-meses', 'mais de dois meses: o portal libera, sem evento', DOIS_MESES],
  [
    'dois-meses-portal-nega',
    'mais de dois meses: o portal não libera, a Confirmação libera',
    { ...DOIS_MESES, portal: 'exige-manifestacao' },
  ],
  [
    'dois-meses-portal-fora',
    'mais de dois meses, e o portal está fora do ar: nenhum evento',
    { ...DOIS_MESES, portal: 'indisponivel' },
  ],
  [
    'seis-meses',
    'mais de 180 dias, recebida há 5 pelo Ambiente Nacional: nenhum evento é aceito',
    { idadeDias: 200, recepcaoDias: 195 },
  ],
  [
    'quatro-meses',
    '120 dias, recebida há 5: a Confirmação é tentada e o Ambiente Nacional só a aceita por 90 dias',
    { idadeDias: 120, recepcaoDias: 115, portal: 'exige-manifestacao' },
  ],
  ['fora-prazo', 'cStat 632: o portal libera', TRES_MESES],
  [
    'fora-prazo-portal-nega',
    'cStat 632, o portal não libera e a Confirmação é recusada (cStat 596)',
    { ...TRES_MESES, portal: 'exige-manifestacao' },
  ],
  [
    'fora-prazo-portal-fora',
    'cStat 632, e o portal está fora do ar',
    { ...TRES_MESES, portal: 'indisponivel' },
  ],
  [
    'fora-prazo-seis-meses',
    'cStat 632, mais de 180 dias: o portal não libera e nenhum evento é aceito',
    { idadeDias: 220, portal: 'nega' },
  ],
  [
    'fora-prazo-confirmacao',
    'cStat 632: o portal só libera depois da Confirmação',
    { ...TRES_MESES, portal: 'exige-manifestacao', confirmacao: codigo(135) },
  ],
  [
    'limite',
    'cStat 656: a Ciência é registrada e o XML vem pelo portal',
    { ...LIMITE, portal: 'exige-manifestacao' },
  ],
  [
    'limite-portal-nega',
    'cStat 656: a Ciência é registrada, mas o portal não libera',
    { ...LIMITE, portal: 'nega' },
  ],
  [
    'limite-portal-fora',
    'cStat 656: a Ciência é registrada, mas o portal está fora do ar',
    { ...LIMITE, portal: 'indisponivel' },
  ],
  [
    'limite-ciencia-fora-prazo',
    'cStat 656, 30 dias: o portal só libera depois da Confirmação',
    { ...LIMITE, ...UM_MES, portal: 'exige-manifestacao' },
  ],
  ['limite-quatro-meses', 'cStat 656, 120 dias: o portal libera, sem evento', { ...LIMITE, idadeDias: 120 }],
  [
    'limite-estranho',
    'cStat 656, e o titular não participa da nota: o evento e o portal o recusam',
    { ...LIMITE, papel: 'estranho' },
  ],
  [
    'limite-emitente',
    'cStat 656, e o titular emitiu a nota: o portal libera',
    { ...LIMITE, papel: 'emitente' },
  ],
  ['limite-ec', 'cStat 656 e chave EC: nenhum evento, o portal libera', { ...LIMITE, ...EC }],
  [
    'conclusiva-anterior',
    'cStat 655: já havia Confirmação, e uma nova consulta traz o XML',
    { eventos: [CONFIRMACAO], demoraDaLiberacao: 1 },
  ],
  ['nao-realizada', 'já havia Operação não Realizada: o XML vem direto', { eventos: [NAO_REALIZADA] }],
  [
    'desconhecida',
    'cStat 655: o titular tinha registrado o Desconhecimento, que não libera nada',
    { eventos: [DESCONHECIMENTO] },
  ],
  ['ciencia-136', 'cStat 136: a Ciência é registrada sem vínculo com a nota', { ciencia: codigo(136) }],
  ['ciencia-650', 'cStat 650: a nota acaba de ser cancelada', { ciencia: codigo(650) }],
  ['ciencia-651', 'cStat 651: outra recusa da Ciência', { ciencia: codigo(651) }],
  ['ciencia-575', 'cStat 575: outra recusa da Ciência', { ciencia: codigo(575) }],
  ['ciencia-494', 'cStat 494: recusa da Ciência que a tabela não tem', { ciencia: codigo(494) }],
  ['ciencia-656', 'cStat 656 no serviço de eventos', { ciencia: codigo(656) }],
  ['ciencia-108', 'cStat 108 no serviço de eventos: paralisado momentaneamente', { ciencia: codigo(108) }],
  ['ciencia-fault', 'SOAP Fault no serviço de eventos', { ciencia: { tipo: 'fault', soap: '1.2' } }],
  ['ciencia-queda', 'a conexão cai antes da resposta do evento, que não foi registrado', { ciencia: QUEDA }],
  [
    'ciencia-sem-resposta',
    'a Ciência é registrada e a resposta nunca chega: consulte de novo',
    { ciencia: { tipo: 'registra-e-cai' } },
  ],
  [
    'ciencia-sem-resposta-demorada',
    'a Ciência é registrada e a resposta nunca chega; de novo, cStat 573',
    { ciencia: { tipo: 'registra-e-cai' }, demoraDaLiberacao: 1 },
  ],
  [
    'confirmacao-repetida',
    'cStat 573: a Confirmação já tinha sido registrada',
    { ...UM_MES, portal: 'nega', eventos: [CONFIRMACAO], demoraDaLiberacao: 1 },
  ],
  [
    'confirmacao-rejeitada',
    'o portal não libera e a Confirmação é recusada (cStat 494)',
    { ...UM_MES, portal: 'exige-manifestacao', confirmacao: codigo(494) },
  ],
  [
    'confirmacao-queda',
    'o portal não libera e a conexão cai antes da resposta da Confirmação',
    { ...UM_MES, portal: 'exige-manifestacao', confirmacao: QUEDA },
  ],
  [
    'consulta-seguinte-108',
    'registrada a Ciência, a consulta seguinte acha o serviço paralisado (cStat 108)',
    { distribuicaoDepois: codigo(108) },
  ],
  [
    'consulta-seguinte-656',
    'registrada a Ciência, a consulta seguinte é limitada (cStat 656): o portal libera',
    { distribuicaoDepois: codigo(656) },
  ],
  [
    'consulta-seguinte-656-portal-fora',
    'registrada a Ciência, a consulta seguinte é limitada e o portal está fora do ar',
    { distribuicaoDepois: codigo(656), portal: 'indisponivel' },
  ],
  ['consulta-seguinte-queda', 'registrada a Ciência, a conexão seguinte cai', { distribuicaoDepois: QUEDA }],
  ['cancelada', 'cStat 653: nota cancelada', { situacao: 'cancelada' }],
  ['denegada', 'cStat 654: nota denegada', { situacao: 'denegada' }],
  [
    'resumo-cancelada',
    'o resumo diz que a nota foi cancelada: nenhum evento',
    { situacao: 'cancelada', aindaResumida: true },
  ],
  [
    'resumo-denegada',
    'o resumo diz que a nota foi denegada: nenhum evento',
    { situacao: 'denegada', aindaResumida: true },
  ],
  ['sem-manifestar', 'manifestar = false: só o resumo, e nenhum evento'],
  ['simulacao', 'simular = true: diz que evento enviaria e até quando, e não envia nada'],
]

/** Every scenario. Their numbers are in the keys of the notes, so each table has a range of its own. */
export const cenarios: readonly Cenario[] = [
  ...montarCenarios(1, fluxo),
  ...montarCenarios(101, papeis),
  ...montarCenarios(201, falhas),
]

const porNumero = new Map(cenarios.map((cenario) => [cenario.numero, cenario]))
const porTitular = new Map(cenarios.map((cenario) => [cenario.titular.documento, cenario]))
const porNome = new Map(cenarios.map((cenario) => [cenario.nome, cenario]))

export function findCenario(numero: number): Cenario | undefined {
  return porNumero.get(numero)
}

export function doTitular(documento: string): Cenario | undefined {
  return porTitular.get(documento)
}

export function comCenario(nome: string): Cenario {
  const cenario = porNome.get(nome)
  if (!cenario) throw new Error(`O simulador não tem o cenário ${nome}.`)
  return cenario
}
