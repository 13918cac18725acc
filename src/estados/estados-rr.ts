import type { Estado } from '../portal/estado.ts'
import { desconhecidaCnd } from '../portal/families-desconhecida.ts'
import { camposDoSintegra } from '../portal/inscricao-rotulo.ts'
import { genexusIe } from './rr.ts'

export const estado = {
  uf: 'RR',
  exemplo: '99296397000178',
  ie: [
    genexusIe('RR', {
      url: 'https://portalweb.sefaz.rr.gov.br/sintegra/servlet/wp_siate_consultasintegra',
      // The CNPJ's code is known. The page tells the others.
      documentos: { ie: '', cpf: '', cnpj: '3' },
      captcha: { tipo: 'palavras', quando: 'sempre' },
      // A div with this id, and the picture in it.
      resposta: { campo: '_cfield', imagem: { seletor: '#captchaImage img' } },
      campos: { tipo: 'vDMNTIPODOCUMENTOCONTRIBUINTE', documento: 'vDOCUMENTO' },
      tipos: '#TBLFILTRO',
      botao: { nome: 'BTNCONSULTAR', valor: 'Consultar' },
      espera: {
        marca: 'Situação Cadastral Vigente',
        minimo: 330,
        campos: ['inscricao_estadual', 'razao_social', 'situacao_ie', 'municipio', 'cpf_cnpj'],
        rotulos: [...camposDoSintegra, 'data_inicio_atividade', 'regime_apuracao_icms', 'situacao_nfe'],
      },
      certeza: 'antigo',
      origem:
        'código aberto de raspagem do endereço anterior; o atual, e a imagem do captcha, em fontes de 2026',
      em: '2026-09',
      nota: 'A imagem é uma de cerca de 180, sempre as mesmas, e o número do arquivo decide a palavra (é um controle comum do GeneXus).',
    }),
  ],
  cnd: [
    desconhecidaCnd('RR', {
      abrange: { debitos: 'desconhecido', origem: '' },
      url: 'https://portalweb.sefaz.rr.gov.br/cnd/servlet/wp_siate_emitircndcentralservicopublica',
      documentos: { cnpj: '', cpf: '' },
      captcha: { tipo: 'palavras', quando: 'sempre' },
      origem: 'link do próprio portal e Portaria 367/2011',
      em: '2026-08',
      nota: 'Pede o documento (CGF, CNPJ ou CPF) e o nome do contribuinte por extenso. É do mesmo sistema que a consulta de inscrição, e o captcha deve ser o mesmo (uma palavra, na imagem dentro de #captchaImage), mas os nomes dos campos e dos botões ninguém viu.',
    }),
  ],
} satisfies Estado
