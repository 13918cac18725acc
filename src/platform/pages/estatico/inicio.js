// Fills the map of the first page as the states answer. Without it the form is answered with a page.

const formulario = document.getElementById('prova')
const campo = document.getElementById('documento')
const falha = document.getElementById('falha-da-prova')
const resposta = document.getElementById('resposta')
const mapa = resposta.querySelector('.no-mapa')
const TONS = { bom: 'bom', outra: 'lento', ruim: 'lento', nada: '', falhou: 'ruim', fora: '' }
const ESTADOS = 27
/** The states of a quick answer are shown one after the other, so that a person can follow them. */
const PASSO_MS = 110
const calmo = matchMedia('(prefers-reduced-motion: reduce)')
let corrente
/** Ends the first filling of the map, as it stands when all have answered. */
let completar = () => {}

const CPF = [3, 6, 9]
const CNPJ = [2, 5, 8, 12]
const SINAIS = { 3: '.', 6: '.', 9: '-' }
const SINAIS_DO_CNPJ = { 2: '.', 5: '.', 8: '/', 12: '-' }

campo.addEventListener('input', () => {
  falha.textContent = ''
  // In the middle of the text a mask would move the caret.
  if (campo.selectionStart !== campo.value.length) return
  const puro = campo.value.replace(/[^0-9a-z]/gi, '').toUpperCase()
  const isCpf = puro.length <= 11 && /^\d*$/.test(puro)
  const [cortes, sinais] = isCpf ? [CPF, SINAIS] : [CNPJ, SINAIS_DO_CNPJ]
  campo.value = [...puro.slice(0, 14)]
    .map((sinal, at) => (cortes.includes(at) ? sinais[at] + sinal : sinal))
    .join('')
})

formulario.addEventListener('submit', (event) => {
  event.preventDefault()
  completar()
  corrente?.abort()
  corrente = new AbortController()
  const botao = event.submitter
  perguntar(new FormData(formulario, botao), botao, corrente.signal).catch((error) => {
    // A question that another one replaced is over.
    if (error.name === 'AbortError') return
    // Whatever the stream cannot do, the form can; it does not know which button was pressed.
    const caso = document.createElement('input')
    Object.assign(caso, { type: 'hidden', name: 'caso', value: botao?.value ?? '' })
    formulario.append(caso)
    formulario.submit()
  })
})

async function perguntar(dados, botao, signal) {
  const answer = await fetch(formulario.getAttribute('action').replace(/#.*/, ''), {
    method: 'POST',
    headers: { accept: 'text/event-stream' },
    body: new URLSearchParams(dados),
    signal,
  })
  if (!answer.ok) return recusar(answer)
  comecar(botao)
  const escrito = campo.value
  const vistos = new Map()
  const ate = mostrador(signal)
  let isWhole = false
  for await (const { event, data } of eventos(answer.body)) {
    if (event === 'uf') ate(() => pintar(data, vistos))
    if (event === 'fim') {
      isWhole = true
      await ate(() => terminar(data, vistos, escrito))
    }
  }
  if (!isWhole) throw new Error('the answer broke off')
}

async function recusar(answer) {
  const espera = answer.headers.get('retry-after')
  const isText = answer.headers.get('content-type')?.startsWith('text/plain')
  if (!isText && !espera) throw new Error(`HTTP ${answer.status}`)
  falha.textContent = isText
    ? await answer.text()
    : `Foram muitas perguntas seguidas. Tente de novo em ${espera} s, ou crie uma conta.`
  campo.setAttribute('aria-invalid', 'true')
}

/** Runs what it is given one after the other, at a pace; the last of them ends the wait. */
function mostrador(signal) {
  let antes = Promise.resolve()
  return (mostrar) => {
    antes = antes.then(async () => {
      signal.throwIfAborted()
      mostrar()
      if (!calmo.matches) await new Promise((resolve) => setTimeout(resolve, PASSO_MS))
    })
    // A failure is that of who waits for the end.
    antes.catch(() => undefined)
    return antes
  }
}

async function* eventos(body) {
  let rest = ''
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + chunk).split('\n\n')
    rest = parts.pop()
    for (const part of parts) {
      const [, event] = /^event: (.*)$/m.exec(part) ?? []
      const [, data] = /^data: (.*)$/m.exec(part) ?? []
      if (event) yield { event, data: JSON.parse(data) }
    }
  }
}

function comecar(botao) {
  falha.textContent = ''
  campo.setAttribute('aria-invalid', 'false')
  for (const lugar of mapa.querySelectorAll('path')) lugar.setAttribute('class', 'espera')
  document.getElementById('achado').replaceChildren()
  contarCores(new Map())
  escrever('titular', botao?.name === 'caso' ? `Por ${botao.textContent}` : campo.value)
  escrever('documento-perguntado', 'Perguntando a cada estado')
  escrever('andamento', `respondendo… 0 de ${ESTADOS}`)
  escrever('resumo', 'Cada estado responde por si.')
  escrever('custo', 'Um que falha não atrapalha os outros.')
  escrever('quem', '')
  // On a phone the map is below the field.
  if (resposta.getBoundingClientRect().top > innerHeight * 0.7)
    resposta.scrollIntoView({ behavior: calmo.matches ? 'auto' : 'smooth' })
}

function pintar(visto, vistos) {
  vistos.set(visto.uf, visto)
  const lugar = mapa.querySelector(`path[data-uf="${visto.uf}"]`)
  lugar.setAttribute('class', visto.cor)
  lugar.querySelector('title').textContent = `${visto.estado}: ${visto.palavra}`
  escrever('andamento', `respondendo… ${vistos.size} de ${ESTADOS}`)
  contarCores(vistos)
  const isAchado = visto.cor !== 'nada' && visto.cor !== 'fora' && visto.cor !== 'falhou'
  if (isAchado && !document.getElementById('achado').hasChildNodes()) mostrarAchado(visto, '')
  const linha = document.querySelector(`#por-estado tr[data-uf="${visto.uf}"] td`)
  const resto = [visto.numero, visto.linha].filter(Boolean).join(' · ')
  linha.replaceChildren(selo(visto, visto.palavra), ' ', no('span', 'suave', resto))
}

function terminar(fim, vistos, escrito) {
  escrever('titular', fim.titulo)
  escrever('documento-perguntado', fim.documento)
  escrever('andamento', fim.andamento)
  document.getElementById('resumo').replaceChildren(no('strong', '', fim.resumo))
  escrever('custo', fim.custo)
  escrever('quem', `${fim.quem}.`)
  escrever('dito', `${fim.titulo}: ${fim.resumo}`)
  mostrarCores(fim.cores)
  const [melhor] = fim.achados
  if (melhor) mostrarAchado(vistos.get(melhor), fim.mais)
  // Whoever writes the next one already keeps what he wrote.
  if (campo.value !== escrito) return
  campo.value = fim.documento
  for (const radio of formulario.elements.pergunta) radio.checked = radio.value === fim.pergunta
}

/** The map that comes fills once, in some five seconds, and what is said of it counts with it. */
function encher() {
  const lugares = [...mapa.querySelectorAll('path')]
  const cores = lugares.map((lugar) => lugar.getAttribute('class'))
  const legenda = [...document.getElementById('cores').children]
  const classes = new Map(legenda.map((item) => [item.className, item.firstChild.textContent.trim()]))
  const andamento = document.getElementById('andamento').textContent
  const vistos = new Map()
  const contar = () => {
    escrever('andamento', `respondendo… ${vistos.size} de ${ESTADOS}`)
    contarCores(vistos)
  }
  for (const lugar of lugares) lugar.setAttribute('class', 'espera')
  contar()
  const relogio = setInterval(() => {
    // Not from one end of the country to the other.
    const at = (vistos.size * 10) % ESTADOS
    lugares[at].setAttribute('class', cores[at])
    vistos.set(at, { cor: cores[at], classe: classes.get(cores[at]) })
    if (vistos.size === ESTADOS) completar()
    else contar()
  }, 1.5 * PASSO_MS)
  resposta.classList.add('enchendo')
  completar = () => {
    completar = () => {}
    clearInterval(relogio)
    resposta.classList.remove('enchendo')
    for (const [at, lugar] of lugares.entries()) lugar.setAttribute('class', cores[at])
    document.getElementById('cores').replaceChildren(...legenda)
    escrever('andamento', andamento)
  }
}

/** The legend of what is painted so far, and how many are waited for. */
function contarCores(vistos) {
  const all = Map.groupBy(vistos.values(), ({ cor }) => cor)
  const vistas = [...all].map(([cor, own]) => [cor, own[0].classe, own.length])
  mostrarCores([...vistas, ['espera', 'esperando', ESTADOS - vistos.size]])
}

function mostrarCores(cores) {
  const itens = cores.map(([cor, palavra, quantos]) => {
    const item = no('li', cor, `${palavra} `)
    item.append(no('b', '', quantos))
    return item
  })
  document.getElementById('cores').replaceChildren(...itens)
}

function mostrarAchado(visto, mais) {
  const partes = [selo(visto, `${visto.uf} · ${visto.palavra}`)]
  if (visto.numero) partes.push(no('code', '', visto.numero))
  for (const linha of [visto.linha, mais]) if (linha) partes.push(no('span', 'suave', linha))
  document.getElementById('achado').replaceChildren(...partes)
}

const selo = ({ cor }, texto) => no('span', `selo ${TONS[cor]}`, texto)

function no(nome, classe, texto) {
  const element = document.createElement(nome)
  element.className = classe
  element.textContent = texto
  return element
}

function escrever(id, texto) {
  document.getElementById(id).textContent = texto
}

const isGravada = resposta.classList.contains('enche')
resposta.classList.remove('enche')
if (isGravada && !calmo.matches) encher()
