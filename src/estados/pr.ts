import type { Uf } from '../documento/uf.ts'
import { cadastro } from '../portal/cadastro.ts'
import type { Desfecho } from '../portal/desfecho.ts'
import type { Estado, Pergunta, RotaIe } from '../portal/estado.ts'
import { harvest } from '../portal/form.ts'
import { camposDoEndereco } from '../portal/inscricao.ts'
import { normalize, type Pagina } from '../portal/pagina.ts'
import { type InscricoesOptions, inscricoes } from '../portal/resultado.ts'
import { converse, desconhecidaCnd, type PortalOptions, rota, writeDocumento } from '../portal/rota.ts'
import type { Inscricao } from '../portal/rules-inscricao.ts'
import type { Campos, Portal } from '../portal/visita.ts'

type CakephpOptions = PortalOptions &
  InscricoesOptions & {
    fill: (pergunta: Pergunta) => Campos
    /** The meaning of the address of a redirect. The first that matches counts. */
    motivos: readonly { se: RegExp; desfecho: Desfecho }[]
    /** The form (CSS) of the next registration, the address that takes it, and its button. */
    proxima: { form: string; url: string; botao: string }
  }

const MOST_PAGES = 60

/** It answers with one registration, whose form leads to the next, or with a redirect that says why. */
function cakephp(uf: Uf, options: CakephpOptions): RotaIe {
  const { url, captcha, fill } = options
  const leitor = inscricoes(options)
  const passos = converse<Pergunta, Inscricao[]>({
    open: url,
    harvest: 'form',
    fill: ({ pergunta }) => fill(pergunta),
    captcha,
    send: ({ portal, campos }) => portal.post(url, campos, { redirects: 0 }),
    read: async (portal, pergunta, answer) => {
      const desfecho = reasonOf(answer, options)
      if (desfecho === 'nao-encontrado') return []
      if (desfecho) throw portal.fail(desfecho, pergunta.tipo)
      const first = answer.location ? await portal.get(answer.location) : answer
      return readAll(portal, pergunta, first, leitor, options)
    },
  })
  return rota('cakephp', uf, { ...options, leitor }, passos)
}

/** In either charset: `%C3%A7`, `%E7` and the bytes themselves all become `C`. */
function reasonOf({ location }: Pagina, { motivos }: CakephpOptions): Desfecho | undefined {
  if (!location) return undefined
  const bytes = location.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  )
  const raw = Buffer.from(bytes, 'latin1')
  const latin = raw.toString('latin1')
  const utf8 = raw.toString('utf8')
  const words = normalize((utf8.includes('\ufffd') ? latin : utf8).replaceAll('+', ' '))
  return motivos.find(({ se }) => se.test(words))?.desfecho
}

async function readAll(
  portal: Portal,
  pergunta: Pergunta,
  first: Pagina,
  { read }: ReturnType<typeof inscricoes>,
  { proxima }: CakephpOptions,
): Promise<Inscricao[]> {
  const found: Inscricao[] = []
  let pagina = first
  for (let pages = 1; ; pages++) {
    found.push(...(await read(portal, pergunta, pagina)))
    const button = pagina.html()(`${proxima.form} [name="${proxima.botao}"]`).first()
    if (button.length === 0) return found
    if (pages === MOST_PAGES) throw portal.failure('parse', `mostrou mais de ${MOST_PAGES} inscrições`)
    const hidden = harvest(portal, pagina, proxima.form)
    pagina = await portal.post(proxima.url, { ...hidden, [proxima.botao]: button.attr('value') ?? '' })
  }
}

const data = (campo: string): string => `data[Sintegra1][${campo}]`

/** Producers (CAD/PRO) are searched by their own fields. Their registrations begin with 95 or 96. */
function question(pergunta: Pergunta): Campos {
  const { tipo, documento } = pergunta
  const produtor = tipo === 'cpf' || (tipo === 'ie' && /^9[56]/.test(documento))
  const campo = { cnpj: 'Cnpj', cpf: 'CnpjCpfProdutor', ie: produtor ? 'CadicmsProdutor' : 'Cadicms' }[tipo]
  return {
    ...(produtor ? { produtor: 'Consultar Produtor' } : { empresa: 'Consultar Empresa' }),
    [data(campo)]: writeDocumento(pergunta, 'mascara'),
  }
}

export const estado = {
  uf: 'PR',
  exemplo: '99025987000166',
  ie: [
    cadastro('PR', {
      producao: 'https://nfe.sefa.pr.gov.br/nfe/CadConsultaCadastro4',
      homologacao: 'https://homologacao.nfe.sefa.pr.gov.br/nfe/CadConsultaCadastro4',
      certeza: 'verificado',
      origem: 'Portal Nacional da NF-e, lista de web services',
      em: '2026-09-18',
    }),
    cakephp('PR', {
      segunda: true,
      url: 'http://www.sintegra.fazenda.pr.gov.br/sintegra/',
      documentos: { cnpj: '', cpf: '', ie: '' },
      charset: 'iso-8859-1',
      captcha: {
        tipo: 'imagem',
        quando: 'sempre',
        campo: data('CodImage'),
        imagem: { seletor: 'img[src*=captcha]' },
      },
      espera: {
        marca: 'Situação Atual',
        minimo: 270,
        campos: ['inscricao_estadual', 'razao_social', 'situacao_ie', 'municipio', 'cpf_cnpj'],
        rotulos: [
          ...camposDoEndereco,
          'cnae_codigo',
          'cnae_descricao',
          'data_inicio_atividade',
          'regime_apuracao_icms',
        ],
      },
      certeza: 'antigo',
      origem: 'código aberto de raspagem, em duas linguagens',
      em: '2019',
      nota: 'Sem TLS. O CNPJ é procurado entre as empresas e o CPF entre os produtores (CAD/PRO); o botão dos produtores não foi visto.',
      fill: (pergunta) => ({
        _method: 'POST',
        [data('Cnpj')]: '',
        [data('Cadicms')]: '',
        [data('CadicmsProdutor')]: '',
        [data('CnpjCpfProdutor')]: '',
        ...question(pergunta),
      }),
      rotulos: {
        'CAD/ICMS': 'inscricao_estadual',
        'CAD/PRO': 'inscricao_estadual',
        'Situação Atual': 'situacao_cadastral',
        'Regime Tributário': 'regime_apuracao_icms',
      },
      motivos: [
        { se: /\/ERRO\/[A-Z]+\/IMAGE/, desfecho: 'captcha-errado' },
        { se: /CADASTRAD[OA] NO CAD/, desfecho: 'nao-encontrado' },
        { se: /(?:CNPJ|CPF|CAD\/?(?:ICMS|PRO)) INV/, desfecho: 'documento-invalido' },
      ],
      proxima: {
        form: `form:has([name="${data('campoAnterior')}"])`,
        url: '/sintegra/sintegra1/consultar',
        botao: 'consultar',
      },
    }),
  ],
  cnd: [
    desconhecidaCnd('PR', {
      abrange: { debitos: 'ambos', origem: 'o título do papel, em 2024, 2025 e 2026' },
      url: 'https://cdwfazenda.paas.pr.gov.br/cdwportal/certidao/automatica',
      documentos: { cnpj: '', cpf: '' },
      captcha: { tipo: 'recaptcha-enterprise', quando: 'sempre' },
      origem: 'código aberto de emissão, num navegador',
      em: '2026',
      nota: 'Conhece-se a tela, não os pedidos que ela faz: um campo ("CPF ou CNPJ do requerente"), o botão "EMITIR CERTIDÃO", a lista das certidões recentes e, para uma nova, "Solicitar nova certidão". O reCAPTCHA Enterprise é invisível e dá nota; um serviço de solução não o resolveu, e o site recusa programas também de endereços de escritório. A página antiga (cdw.fazenda.pr.gov.br) responde 404.',
    }),
  ],
} satisfies Estado
