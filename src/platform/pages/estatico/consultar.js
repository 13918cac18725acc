// The page where one asks: says at once what a document is, and shows the states while they answer.

const SVG = 'http://www.w3.org/2000/svg'
/** After so many states a reader is told how far it is. */
const DITOS = 9
/** Somebody who types is asked about nothing until he stops for a moment. */
const PAUSA_MS = 150

const form = document.getElementById('perguntar')
const molde = document.getElementById('molde')

if (form) {
  const campo = form.elements.documento
  const uf = form.elements.uf
  let espera
  let vez = 0
  const perguntar = () => {
    clearTimeout(espera)
    espera = setTimeout(() => ler(++vez, () => vez), PAUSA_MS)
  }
  campo.addEventListener('input', perguntar)
  uf.addEventListener('change', () => {
    uf.setCustomValidity('')
    perguntar()
  })
  form.addEventListener('submit', aoEnviar)
  // On a phone the keyboard would cover the questions.
  if (campo.value === '' && matchMedia('(hover: hover) and (pointer: fine)').matches)
    campo.focus({ preventScroll: true })
  form.classList.add('lida')
  recusar(form.dataset.recusado)
}

/** What is no document, or not yet, is asked nothing about; one that lacks its state asks for that. */
function recusar(recusado) {
  form.dataset.recusado = recusado
  for (const button of document.querySelectorAll('.oferta button, .ficha-de-pergunta'))
    button.disabled = recusado !== '' && !(recusado === 'estado' && button.value === 'ie')
}

/** Asks the service what the text is: one rule serves the page and the API. */
async function ler(minha, atual) {
  const campo = form.elements.documento
  const enviado = campo.value
  const corpo = new URLSearchParams({
    _csrf: form.elements._csrf.value,
    documento: enviado,
    uf: form.elements.uf.value,
  })
  const resposta = await fetch(form.dataset.lido, { method: 'POST', body: corpo }).catch(() => undefined)
  if (minha !== atual()) return
  if (!resposta?.ok) return recusar('')
  const { tipo, dito, problema, mascarado, inteiro, recusado } = await resposta.json()
  const lugar = document.getElementById('dito')
  lugar.className = tipo === '' || (problema && !inteiro) ? 'dito' : problema ? 'dito ruim' : 'dito bom'
  lugar.textContent = tipo === '' ? '' : dito
  campo.setAttribute('aria-invalid', String(problema === true && inteiro))
  const isAtEnd = campo.selectionStart === campo.value.length
  if ((inteiro || tipo === 'chave') && isAtEnd && campo.value === enviado) campo.value = mascarado
  form.dataset.tipo = problema === false ? tipo : ''
  // Of a wrong digit the kind is known all the same; while it is typed it is not.
  ofertar(inteiro ? tipo : form.dataset.tipo)
  recusar(recusado)
}

/** Leaves the questions that the document is asked by. */
function ofertar(tipo) {
  for (const oferta of document.querySelectorAll('.oferta'))
    oferta.hidden = tipo !== '' && !oferta.dataset.tipos.split(' ').includes(tipo)
}

function aoEnviar(event) {
  const button = event.submitter
  if (!button?.value) {
    const ofertas = document.getElementById('ofertas')
    // Of an answer the questions are on the page that the form leads to.
    if (!ofertas) return
    event.preventDefault()
    ofertas.scrollIntoView({ block: 'start' })
    form.querySelector('.oferta:not([hidden]) button:enabled')?.focus({ focusVisible: true })
    return
  }
  if (button.dataset.uf && form.elements.uf.value === '') {
    event.preventDefault()
    form.elements.uf.setCustomValidity('Escolha o estado.')
    form.elements.uf.reportValidity()
    return
  }
  const isLive = form.dataset.aoVivo && button.dataset.aoVivo && molde
  if (isLive) return enviarAoVivo(event, button)
  form.setAttribute('aria-busy', 'true')
  const lugar = document.getElementById('dito')
  lugar.className = 'dito esperando'
  lugar.textContent = 'Perguntando ao órgão. Pode levar um minuto.'
}

// A page that comes back by Back waits for nothing.
addEventListener('pageshow', ({ persisted }) => {
  if (!persisted || !form) return
  ocupado = false
  form.removeAttribute('aria-busy')
  form.elements.documento.dispatchEvent(new Event('input'))
})

/** A question that is on its way: a second press asks nothing. */
let ocupado = false

async function enviarAoVivo(event, button) {
  event.preventDefault()
  if (ocupado) return
  ocupado = true
  const enviar = () => {
    ocupado = false
    form.removeEventListener('submit', aoEnviar)
    form.requestSubmit(button)
  }
  try {
    const resposta = await fetch(form.action, {
      method: 'POST',
      headers: { accept: 'text/event-stream' },
      body: new URLSearchParams(new FormData(form, button)),
    })
    const isStream = /^text\/event-stream/.test(resposta.headers.get('content-type') ?? '')
    // A refusal costs nothing: the page of the whole answer tells it, with what to do.
    if (!isStream || !resposta.body) return enviar()
    montar()
    ocupado = await ouvir(resposta.body)
  } catch {
    ocupado = false
    // What was asked may be on its way: it is not asked again by itself.
    if (!document.getElementById('ao-vivo')) montar()
    falhar(
      'A conexão caiu. Os estados que responderam até aí foram cobrados, e ficam guardados: abra o pedido.',
    )
  }
}

/** Puts the empty answer in its place, instead of the one before. */
function montar() {
  const lugar = document.querySelector('.consultar')
  for (const antes of lugar.querySelectorAll('.resposta, .programadores, .todas-as-ofertas, .exemplos'))
    antes.remove()
  const resposta = document.createElement('div')
  resposta.className = 'resposta'
  resposta.append(molde.content.cloneNode(true))
  lugar.append(resposta)
  document.getElementById('ao-vivo').scrollIntoView({ block: 'start' })
}

/** Whether it leads to another page. */
async function ouvir(corpo) {
  const leitor = corpo.getReader()
  const decoder = new TextDecoder()
  let texto = ''
  let ultimo
  for (;;) {
    const { done, value } = await leitor.read()
    if (done) break
    const blocos = (texto + decoder.decode(value, { stream: true })).split('\n\n')
    texto = blocos.pop()
    for (const bloco of blocos) {
      const nome = /^event: (.*)$/m.exec(bloco)?.[1]
      const dados = /^data: (.*)$/m.exec(bloco)?.[1]
      if (!nome || !dados) continue
      if (nome === 'fim') ultimo = JSON.parse(dados)
      if (nome === 'pedido') comecar(JSON.parse(dados))
      if (nome === 'uf') pintar(JSON.parse(dados))
    }
  }
  // The answer is kept under its own address: there it stands whole, and Back leads to it.
  if (ultimo?.endereco) location.replace(ultimo.endereco)
  else falhar('A resposta parou antes do fim. O registro diz o que foi cobrado.')
  return Boolean(ultimo?.endereco)
}

function comecar({ request_id, assunto }) {
  const pedido = document.getElementById('pedido')
  pedido.href += `${request_id}/`
  pedido.firstChild.textContent = request_id
  document.getElementById('assunto').textContent = assunto
}

const tons = { achado: 'bom', pendencia: 'nota' }

function pintar({ uf, desfecho, palavra, titulos, classe }) {
  if (tons[desfecho])
    document
      .querySelector('.resposta .achados')
      .append(
        no('li', { class: desfecho }, [
          no('span', { class: 'sigla' }, [uf]),
          no('div', {}, [
            no('h3', {}, [titulos[0] ?? uf, ' ', no('span', { class: `selo ${tons[desfecho]}` }, [palavra])]),
          ]),
        ]),
      )
  if (desfecho === 'falhou') {
    const falhas = document.querySelector('.falhas-ao-vivo')
    falhas.textContent = falhas.textContent ? `${falhas.textContent}, ${uf}` : `Falharam até agora: ${uf}`
  }
  pintarNoMapa(uf, classe, palavra)
  somar('0', -1)
  somar(String(classe), 1)
  const contagem = document.querySelector('.contagem b')
  const quantos = Number(contagem.textContent) + 1
  contagem.textContent = quantos
  if (quantos % DITOS === 0) dizer(`${quantos} de 27 estados responderam.`)
}

function pintarNoMapa(uf, classe, palavra) {
  const lugar = document.querySelector(`.resposta .mapa a[data-uf="${uf}"]`)
  const fundo = lugar.querySelector('path')
  fundo.setAttribute('class', `f${classe}`)
  const title = lugar.querySelector('title')
  title.textContent = `${title.textContent.split(':')[0]}: ${palavra}`
  if (classe !== 4) return
  const hatch = document.createElementNS(SVG, 'path')
  hatch.setAttribute('fill', 'url(#trama)')
  hatch.setAttribute('d', fundo.getAttribute('d'))
  fundo.after(hatch)
}

function somar(classe, um) {
  const item = document.querySelector(`.resposta [data-classe="${classe}"]`)
  const onde = item.querySelector('b')
  onde.textContent = Number(onde.textContent) + um
  item.hidden = onde.textContent === '0'
}

function falhar(texto) {
  document.getElementById('ao-vivo').className = 'cartao veredito ruim'
  document.getElementById('veredito').textContent = 'A resposta não chegou inteira'
  dizer(texto)
}

function dizer(texto) {
  document.getElementById('fala').textContent = texto
}

/** An element with its attributes and children. A child that is text stays text. */
function no(name, attributes, children) {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  element.append(...children)
  return element
}

for (const button of document.querySelectorAll('[data-imprimir]')) {
  button.hidden = false
  button.addEventListener('click', () => print())
}
for (const button of document.querySelectorAll('[data-copiar-link]')) {
  button.hidden = false
  button.addEventListener('click', async () => {
    const dito = button.parentElement.querySelector('[role="status"]')
    const endereco = new URL(button.dataset.copiarLink, location.href).href
    dito.textContent = await navigator.clipboard.writeText(endereco).then(
      () => 'Copiado.',
      () => endereco,
    )
  })
}
