import {
  CIENCIA,
  CONFIRMACAO,
  codigo,
  DESCONHECIMENTO,
  type Diferenca,
  DOIS_MESES,
  EC,
  type LinhaDeCenario,
  NAO_REALIZADA,
  QUEDA,
  TRES_MESES,
  UM_MES,
} from './linha.ts'

/** The authority limits the holder's queries. */
const LIMITE: Diferenca = { distribuicao: codigo(656) }

/**
 * The specification's flow, its status values and its `manifestacao` values. Order is identity: new rows go
 * to the end.
 */
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
