import type { Rota } from '../portal/estado.ts'
import type { RotaId } from './rota-federal.ts'

/** The two ways to the federal certificate, as `/api/v1/fontes` shows them. */
export const fontesDaCertidao = {
  contrato: {
    familia: 'serpro-cnd',
    source: { id: 'BR/cnd-contrato', nome: 'A API Consulta CND (SERPRO)' },
    url: 'https://gateway.apiserpro.serpro.gov.br/consulta-cnd/v1/certidao',
    aceita: ['cnpj'],
    captcha: 'nenhum',
    certeza: 'verificado',
    origem: 'sete clientes de código aberto e o contrato do SERPRO; a v2, um cliente só',
    em: '2026',
    nota: 'Contrato pago do SERPRO (SERPRO_KEY e SERPRO_SECRET): cada consulta e cada nova tentativa são cobradas por ele. Entrega a certidão válida ou emite uma se não houver; não emite outra enquanto uma vale. "Informações insuficientes" (taxa_vazias) pode ser falso.',
  },
  portal: {
    familia: 'rfb-certidoes',
    source: { id: 'BR/cnd-portal', nome: 'O portal de certidões da Receita Federal' },
    url: 'https://servicos.receitafederal.gov.br/servico/certidoes/api',
    aceita: ['cnpj'],
    captcha: { tipo: 'hcaptcha', quando: 'sempre', widget: { invisivel: true } },
    certeza: 'verificado',
    origem: 'clientes de código aberto, com capturas da página',
    em: '2026-09-03',
    nota: 'Pede hCaptcha para consultar e outra vez para emitir (BR em CAPTCHA_UFS). Desde 2026-09 a emissão anônima talvez responda sempre "insuficientes". O servidor pode não enviar a cadeia de certificados inteira: grave os intermediários com "fiscal certificados cadeia".',
  },
} as const satisfies Record<RotaId, Omit<Rota, 'espera'>>
