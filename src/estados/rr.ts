import type { TipoDocumento } from '../documento/documento.ts'
import type { Uf } from '../documento/uf.ts'
import type { Estado, Pergunta, RotaIe } from '../portal/estado.ts'
import { controleOf, findOpcao } from '../portal/form.ts'
import { camposDoSintegra } from '../portal/inscricao.ts'
import type { Pagina } from '../portal/pagina.ts'
import { type InscricoesOptions, inscricoes } from '../portal/resultado.ts'
import { converse, desconhecidaCnd, type PortalOptions, rota } from '../portal/rota.ts'
import type { Inscricao } from '../portal/rules-inscricao.ts'
import { failUnknown, type Portal } from '../portal/visita.ts'

type GenexusIeOptions = PortalOptions &
  InscricoesOptions & {
    campos: { tipo: string; documento: string }
    /** The radios of the kind of document (CSS). The page comes with the one of registrations chosen. */
    tipos: string
    botao: { nome: string; valor: string }
  }

function genexusIe(uf: Uf, options: GenexusIeOptions): RotaIe {
  const { url, campos, botao, captcha } = options
  const leitor = inscricoes(options)
  const passos = converse<Pergunta, Inscricao[]>({
    open: url,
    harvest: 'form',
    fill: ({ portal, pagina, pergunta: { tipo, documento } }) => ({
      [campos.tipo]: kindOf(portal, pagina, tipo, options),
      [campos.documento]: documento,
    }),
    captcha,
    send: ({ portal, to, campos }) => portal.post(to, { ...campos, [botao.nome]: botao.valor }),
    read: leitor.read,
  })
  return rota('genexus', uf, { ...options, leitor }, passos)
}

function kindOf(
  portal: Portal,
  pagina: Pagina,
  tipo: TipoDocumento,
  { documentos, campos, tipos }: GenexusIeOptions,
): string {
  if (documentos[tipo]) return documentos[tipo]
  if (tipo === 'ie')
    return controleOf(portal, pagina, `${tipos} input[type=radio][checked]`).attr('value') ?? ''
  const found = findOpcao(pagina, tipos, tipo)?.[campos.tipo]
  return found ?? failUnknown(portal, pagina, `falta a opção ${tipo.toUpperCase()}`)
}

export const estado = {
  uf: 'RR',
  exemplo: '99296397000178',
  ie: [
    genexusIe('RR', {
      url: 'https://portalweb.sefaz.rr.gov.br/sintegra/servlet/wp_siate_consultasintegra',
      // The CNPJ's code is known. The page tells the others.
      documentos: { ie: '', cpf: '', cnpj: '3' },
      // A div with this id, and the picture in it.
      captcha: {
        tipo: 'palavras',
        quando: 'sempre',
        campo: '_cfield',
        imagem: { seletor: '#captchaImage img' },
      },
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
