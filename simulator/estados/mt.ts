import type { Mensagem } from '../autoridades/mensagem.ts'
import { escapar } from '../autoridades/xml.ts'
import { campoErrado, recusaDoDocumento } from '../familias/exigencia.ts'
import { ativo, type Ficha, lerFicha } from '../familias/ficha.ts'
import { emitirPorRequerimento, type Requerente } from '../familias/requerimento.ts'
import type { Pergunta } from '../mundo/pergunta.ts'
import { botao, elemento, entrada, formulario, ocultos } from '../portal/html.ts'
import { limparDocumento } from '../portal/mascara.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'

const HOST = 'www.sefaz.mt.gov.br'
const CADASTRO = '/sid/consulta/infocadastral/consultar/publica'
const IMAGEM = '/sid/consulta/geradorcaracteres'

const tipos = new Map<string, Pergunta['tipo']>([
  ['1', 'ie'],
  ['2', 'cnpj'],
  ['3', 'cpf'],
])

/** The page of 2019: the new one is of unknown fields. */
const cadastro = portal<undefined>({
  uf: 'MT',
  servico: 'ie',
  nome: 'SEFAZ-MT, consulta cadastral',
  hosts: [HOST],
  atende: (caminho) => caminho.startsWith('/sid/consulta/'),
  charset: 'iso-8859-1',
  motor: 'java',
  sessao: { em: 'cookie', nome: 'JSESSIONID' },
  novaSessao: () => undefined,
  captcha: 'imagem',
  documento: (pedido) => pedido.campo('numero') || undefined,
  responder: (pedido) => {
    if (pedido.caminho === IMAGEM) return imagem(pedido)
    if (pedido.caminho !== CADASTRO) return pedido.pagina('Erro 404', '<h1>404</h1>', { status: 404 })
    return pedido.metodo === 'POST' ? consultar(pedido) : filtro(pedido)
  },
})

/** The address of the image is good once: it is read from the page each time. */
function imagem(pedido: PedidoPortal<undefined>): Mensagem {
  if (!pedido.sessao.conferirToken('imagem', pedido.consulta.get('id') ?? '')) return pedido.expirada()
  return pedido.captcha.imagem({ letras: 4 })
}

function filtro(pedido: PedidoPortal<undefined>, aviso = ''): Mensagem {
  const id = pedido.sessao.emitirToken('imagem', (octetos) => octetos.toString('hex').slice(0, 16))
  const radios = [...tipos].map(([value, tipo]) =>
    elemento('input', { type: 'radio', name: 'opcao', value }).concat(tipo.toUpperCase()),
  )
  const form = formulario(
    { action: CADASTRO, name: 'consultaPublica' },
    ocultos({ pagn: 'resultado', captcha: 'telaComCaptcha' }),
    ...radios,
    entrada('numero', { maxlength: '14' }),
    elemento('img', { src: `${IMAGEM}?id=${id}` }),
    entrada('captchaDigitado', { maxlength: '4' }),
    botao('consultar', 'Consultar'),
  )
  const erro = aviso && `<div class="erro">${escapar(aviso)}</div>`
  return pedido.pagina('Consulta Pública de Contribuintes', erro + form)
}

function consultar(pedido: PedidoPortal<undefined>): Mensagem {
  const errado = campoErrado(pedido.campos, {
    opcao: /^[123]$/,
    numero: /^[0-9A-Z]+$/,
    pagn: 'resultado',
    captcha: 'telaComCaptcha',
  })
  if (pedido.sessao.nova) return pedido.expirada()
  if (errado) return filtro(pedido, `Campo obrigatório não informado: ${errado}`)
  if (!pedido.captcha.conferirTexto(pedido.campo('captchaDigitado')))
    return filtro(pedido, 'Código de caracteres inválido!')
  const pergunta = {
    tipo: tipos.get(pedido.campo('opcao')) ?? 'cnpj',
    documento: limparDocumento(pedido.campo('numero')),
  }
  const recusa = recusaDoDocumento('MT', pergunta)
  if (recusa) return filtro(pedido, recusa)
  const achadas = pedido.procurar(pergunta)
  if (achadas.length === 0) return filtro(pedido, 'Nenhum resultado encontrado')
  const blocos = achadas.map((achada) => bloco(lerFicha(achada, ativo, '00.000.000-0')))
  return pedido.pagina('Consulta Pública de Contribuintes', blocos.join('\n'))
}

/** City and state in one value, the other activities in one value of several lines. */
function bloco(ficha: Ficha): string {
  const pares = [
    ['CPF/CNPJ:', ficha.documento],
    ['Inscrição estadual:', ficha.ie],
    ['Razão social:', ficha.nome],
    ['Logradouro:', ficha.logradouro],
    ['Número:', ficha.numero],
    ['Complemento:', ficha.complemento],
    ['Bairro:', ficha.bairro],
    ['Município/UF:', `${ficha.municipio}/${ficha.uf}`],
    ['CEP:', ficha.cep],
    ['Telefone:', ''],
    ['CNAE Fiscal:', `${ficha.cnaeComMascara} - ${ficha.atividade}`],
    ['CNAE Secundário:', ''],
    ['Credenciado de ofício como emissor NF-e', ficha.nfeDesde ? 'SIM' : 'NÃO'],
    ['Data início obrigação', ficha.nfeDesde],
    ['PED', 'NÃO'],
    ['Simples Nacional', ficha.pagamento === 'SIMPLES NACIONAL' ? 'SIM' : 'NÃO'],
    ['Data de início no Simples', ''],
    ['MEI', ficha.regime.includes('MEI') ? 'SIM' : 'NÃO'],
    ['Ultrapassou sublimite estadual', 'NÃO'],
    ['Situação cadastral atual:', ficha.situacao],
    ['Data desta situação cadastral:', ficha.dataDaSituacao],
  ] as const
  const linhas = pares.map(([rotulo, valor]) => {
    const celula = elemento('td', { class: 'info' }, escapar(valor) || '&nbsp;')
    return `<tr><td class="titulo">${escapar(rotulo)}</td>${celula}</tr>`
  })
  return elemento('table', { width: '100%' }, linhas.join('\n'))
}

const certidoes = portal<Requerente>({
  uf: 'MT',
  servico: 'cnd',
  nome: 'SEFAZ-MT, certidão negativa',
  hosts: [HOST],
  atende: (caminho) => caminho.startsWith('/cnd/certidao/servlet/'),
  charset: 'iso-8859-1',
  motor: 'java',
  sessao: { em: 'cookie', nome: 'JSESSIONID' },
  novaSessao: () => ({ certidao: undefined, faltam: 0 }),
  // It is drawn, and an empty answer was taken (09/2026); what is sent must be good.
  captcha: 'turnstile',
  documento: (pedido) => pedido.campo('numrDoctFinal') || undefined,
  responder: emitirPorRequerimento,
})

export const portais: readonly Portal[] = [cadastro, certidoes]
