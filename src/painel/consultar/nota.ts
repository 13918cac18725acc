import { createHmac, randomUUID } from 'node:crypto'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import { cleanChave } from '../../documento/chave.ts'
import { consultarNfeXml } from '../../nfe/api.ts'
import { ApiError } from '../../platform/errors.ts'
import { campoDe } from '../../platform/pages/forms.ts'
import { type Content, type Html, html, url } from '../../platform/pages/html.ts'
import {
  type EntradaDoPainel,
  emGrupos,
  type Parametro,
  type PedidoDaPagina,
  type PerguntaDoPainel,
  precoDe,
} from './perguntas.ts'

/** What the form of a note asks beside its key: an establishment, and what may be done in its name. */
const MARCAS = [
  [
    'manifestar',
    'Registrar a manifestação do destinatário, se a SEFAZ só entregar o resumo',
    'A Ciência da Operação e, se ela não couber mais, a Confirmação da Operação: não podem ser desfeitas. Sem a marca, nenhum evento é registrado.',
  ],
  [
    'simular',
    'Só simular',
    'Diz que evento seria registrado. Não registra nada, não entrega o XML e não cobra.',
  ],
] as const

type FormularioDaNota = {
  pergunta: PerguntaDoPainel
  entrada: EntradaDoPainel
  endereco: string
  conta: { preco_exclusivo: boolean }
  campoCsrf: Content
  /** Whether the password that was sent is longer than any. */
  senhaLonga: boolean
}

export const FORMULARIO = 'formulario'

/** The form that takes a certificate and its password: they serve one request, and are kept nowhere. */
export function drawFormularioDaNota(dados: FormularioDaNota): Html {
  const { pergunta, entrada, endereco, conta, campoCsrf, senhaLonga } = dados
  return html`<form class="cartao da-nota" method="post" action="${url(endereco)}" enctype="multipart/form-data" aria-labelledby="da-nota"><header><h2 id="da-nota">A nota e o certificado</h2></header>${campoCsrf}<input type="hidden" name="${FORMULARIO}" value="${randomUUID()}"/><div class="campo"><label for="chave">Chave de acesso</label><textarea id="chave" name="chave" rows="2" maxlength="80" autocomplete="off" spellcheck="false" required="" aria-describedby="chave-dica">${emGrupos(entrada.documento)}</textarea><p class="suave" id="chave-dica">Os 44 dígitos do DANFE ou do XML, com ou sem espaços.</p></div><div class="campo meio"><label for="certificado">Certificado A1 <span class="suave">(.pfx ou .p12)</span></label><input id="certificado" name="certificado" type="file" accept=".pfx,.p12,application/x-pkcs12" required="" aria-describedby="certificado-dica"/><p class="suave" id="certificado-dica">O e-CNPJ ou e-CPF de quem emitiu, recebe ou transporta.</p></div><div class="campo meio"><label for="senha">Senha do certificado</label><input id="senha" name="senha" type="password" autocomplete="off" aria-invalid="${senhaLonga ? 'true' : 'false'}" aria-describedby="senha-falha senha-dica"/><p class="falha" id="senha-falha" role="alert">${senhaLonga && SENHA_LONGA}</p><p class="suave" id="senha-dica">Os dois servem só a esta consulta: nada é guardado.</p></div>${drawOpcoes(entrada)}<p class="acoes"><button class="botao" type="submit">Pedir o XML · ${precoDe(pergunta, conta)}</button> <span class="suave">Só se paga quando o XML vem.</span></p></form>`
}

/** What few notes need, in a fold: open where something of it is set. */
function drawOpcoes({ em_nome_de = '', marcas }: EntradaDoPainel): Html {
  const opcoes = html`<summary>Opções <span class="suave so-largo">outro estabelecimento, manifestação, simulação</span></summary><div class="campo"><label for="cnpj">Em nome de outro estabelecimento <span class="suave">(opcional)</span></label><input id="cnpj" name="cnpj" value="${em_nome_de}" maxlength="20" autocomplete="off" spellcheck="false" aria-describedby="cnpj-dica"/><p class="suave" id="cnpj-dica">O CNPJ da filial que participa da nota, quando o certificado é o da matriz.</p></div>${MARCAS.map(
    ([nome, rotulo, dica]) =>
      html`<div class="campo"><label for="campo-${nome}">${
        marcas.includes(nome)
          ? html`<input type="checkbox" id="campo-${nome}" name="${nome}" value="true" checked=""/>`
          : html`<input type="checkbox" id="campo-${nome}" name="${nome}" value="true"/>`
      } ${rotulo}</label><p class="suave">${dica}</p></div>`,
  )}`
  return em_nome_de === '' && marcas.length === 0
    ? html`<details class="opcoes">${opcoes}</details>`
    : html`<details class="opcoes" open="">${opcoes}</details>`
}

type NotaDeTeste = { chave: string; senha: string; endereco: string }

export const CERTIFICADO_DE_TESTE = 'certificado-de-teste.pfx'

export const drawNotaDeTeste = ({ chave, senha, endereco }: NotaDeTeste): Html =>
  html`<section class="cartao exemplos" aria-labelledby="teste"><header><h2 id="teste">Sem um certificado à mão?</h2></header><ol class="como-testar"><li><a href="${url(`${endereco}?chave=${encodeURIComponent(chave)}`)}">Preencher a chave da nota fictícia</a></li><li><a href="${url(endereco + CERTIFICADO_DE_TESTE)}" download="">Baixar o certificado de teste</a>, e escolhê-lo no formulário</li><li>A senha dele: <code>${senha}</code></li></ol><p class="suave">São do simulador: não valem em lugar nenhum.</p></section>`

/** Reads the form but for what must not be shown again. */
export const readEntradaDaNota = (read: (nome: string) => string): EntradaDoPainel => ({
  tipo: 'chave',
  documento: cleanChave(read('chave').replace(/\s/g, '')).slice(0, 80).toUpperCase(),
  uf: '',
  marcas: MARCAS.map(([nome]) => nome).filter((nome) => read(nome) !== ''),
  em_nome_de: read('cnpj')
    .replace(/[\s./-]/g, '')
    .slice(0, 20)
    .toUpperCase(),
})

export function pedidoDaNota({ documento, marcas, em_nome_de = '' }: EntradaDoPainel): PedidoDaPagina {
  const text = (nome: string, tipo: Parametro['tipo'], valor: string | boolean): Parametro => ({
    nome,
    onde: 'body',
    tipo,
    valor,
  })
  const parametros = [
    text('chave', 'texto', documento),
    text('certificado', 'arquivo', ''),
    text('senha', 'senha', ''),
    ...(em_nome_de === '' ? [] : [text('cnpj', 'texto', em_nome_de)]),
    ...MARCAS.map(([nome]) => text(nome, 'marca', marcas.includes(nome))),
  ]
  return {
    id: 'consultar-nfe-xml',
    metodo: 'POST',
    endereco: consultarNfeXml.declared.url,
    parametros,
    cabecalhos: {},
    corpo: Object.fromEntries(parametros.map(({ nome, valor }) => [nome, valor])),
  }
}

const MAIOR_SENHA = 200
const SENHA_LONGA = `A senha tem mais de ${MAIOR_SENHA} caracteres: confira o que foi colado, e escolha o certificado outra vez. Nada foi perguntado nem cobrado.`
/** An A1 file has 3 to 12 KiB, with a long chain 20. */
const MAIOR_CERTIFICADO = 64 * 1024

/** The whole form: the file, its few fields, and what the browser puts around them. */
const MAIOR_FORMULARIO_DA_NOTA = 80 * 1024

/** In memory alone. A form with a second file or many fields is refused before it is read to its end. */
export async function readFormulariosDaNota(scope: FastifyInstance): Promise<void> {
  const reading = new WeakSet<FastifyRequest>()
  scope.addHook('onRequest', refuseLarge)
  scope.addHook('preValidation', (request, _reply, done) => {
    reading.add(request)
    done()
  })
  await scope.register(multipart, {
    attachFieldsToBody: 'keyValues',
    limits: {
      files: 1,
      fileSize: MAIOR_CERTIFICADO,
      fields: 8,
      parts: 9,
      fieldNameSize: 50,
      fieldSize: 1_024,
      headerPairs: 10,
    },
  })
  scope.addHook('preValidation', (request, _reply, done) => {
    reading.delete(request)
    done()
  })
  // Of a body that is no form the parser throws errors without a code; the next handler tells them.
  scope.setErrorHandler((error, request) => {
    throw reading.has(request) && !('code' in Object(error)) ? ilegivel : error
  })
}

const ilegivel = new ApiError(
  'CORPO_INVALIDO',
  'O formulário não pôde ser lido até o fim. Envie-o de novo pela página.',
)

/** A browser says how long a form is. */
const refuseLarge: onRequestHookHandler = ({ method, headers }, _reply, done) => {
  if (method !== 'POST') return done()
  const length = Number(headers['content-length'] ?? Number.NaN)
  if (length <= MAIOR_FORMULARIO_DA_NOTA) return done()
  done(
    new ApiError(
      Number.isNaN(length) ? 'CORPO_INVALIDO' : 'CORPO_MUITO_GRANDE',
      'O formulário pode ter no máximo 80 kB, e o certificado, 64 kB. Envie só o arquivo .pfx ou .p12.',
    ),
  )
}

/**
 * Takes certificate and password off the request: no log and no error must find them there. Undefined for a
 * password that is longer than any.
 */
export function withCertificado(pedido: PedidoDaPagina, request: FastifyRequest): PedidoDaPagina | undefined {
  const file: unknown = Reflect.get(Object(request.body), 'certificado')
  const certificado = Buffer.isBuffer(file) ? file.toString('base64') : ''
  const senha = campoDe(request, 'senha')
  if (Buffer.isBuffer(file)) file.fill(0)
  request.body = undefined
  if (senha.length > MAIOR_SENHA) return undefined
  return { ...pedido, corpo: { ...pedido.corpo, certificado, senha } }
}

/** A page that is loaded again sends no second event and costs nothing: `formulario` is the form's own. */
export const chaveDeRepeticao = ({ corpo }: PedidoDaPagina, formulario: string): string =>
  createHmac('sha256', formulario).update(JSON.stringify(corpo)).digest('base64url')
