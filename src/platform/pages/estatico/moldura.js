// Opens the search in its place, and copies code, ids and keys. Without it the search is a page of its own.

const COPIADO_MS = 2_000
const ESPERA_MS = 120

/** Where "/" is a letter. The field of a box that just closed has the focus until the next frame. */
const ESCREVE = ':is(input, textarea, select, [contenteditable]):not(dialog:not([open]) *), dialog[open]'

/** An element with its attributes and children. A child that is text stays text. */
function no(nome, atributos, filhos = []) {
  const feito = document.createElement(nome)
  for (const [chave, valor] of Object.entries(atributos)) feito.setAttribute(chave, valor)
  feito.append(...filhos)
  return feito
}

const voz = no('p', { class: 'so-leitor', role: 'status' })
document.body.append(voz)

/** Copies the text of an element. Over plain HTTP a browser gives pages no clipboard: then it is selected. */
async function copiar(botao, fonte) {
  const texto = fonte.dataset.copia || (fonte.querySelector('code') ?? fonte).textContent
  let dito = 'Copiado'
  try {
    await navigator.clipboard.writeText(texto)
  } catch {
    getSelection().selectAllChildren(fonte.querySelector('code') ?? fonte)
    dito = 'Selecionado: copie com Ctrl+C'
  }
  voz.textContent = dito
  const { rotulo } = botao.dataset
  rotular(botao, dito)
  setTimeout(() => {
    voz.textContent = ''
    rotular(botao, rotulo)
  }, COPIADO_MS)
}

/** A button of ours has its word from the style: the text of a page is the same with and without it. */
function rotular(botao, rotulo) {
  botao.classList.toggle('copiado', rotulo !== botao.dataset.inicial)
  if (botao.classList.contains('copiar')) botao.dataset.rotulo = rotulo
  else botao.textContent = rotulo
}

function porBotao(fonte) {
  fonte.dataset.copiavel = ''
  const isBloco = fonte.tagName === 'PRE'
  const rotulo = isBloco ? 'Copiar' : ''
  const nome = isBloco ? 'Copiar' : `Copiar ${fonte.dataset.copia || fonte.textContent}`
  const botao = no('button', {
    type: 'button',
    class: 'copiar',
    'aria-label': nome,
    'data-rotulo': rotulo,
    'data-inicial': rotulo,
  })
  botao.addEventListener('click', () => copiar(botao, fonte))
  if (isBloco) fonte.prepend(botao)
  else fonte.after(botao)
}

function porBotoes() {
  for (const fonte of document.querySelectorAll(
    'main :is(pre, [data-copia]):not([data-copiavel], .sem-copia, .errado pre)',
  ))
    porBotao(fonte)
}

porBotoes()
// Answers come in while the page is open.
new MutationObserver(porBotoes).observe(document.querySelector('main') ?? document.body, {
  childList: true,
  subtree: true,
})

for (const botao of document.querySelectorAll('button[data-copiar]')) {
  botao.hidden = false
  botao.dataset.rotulo = botao.textContent
  botao.dataset.inicial = botao.textContent
  botao.addEventListener('click', () => copiar(botao, document.getElementById(botao.dataset.copiar)))
}

const procurar = document.querySelector('a.procurar')
let busca

if (procurar) {
  procurar.setAttribute('aria-haspopup', 'dialog')
  procurar.dataset.atalho = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘K' : 'Ctrl K'
  procurar.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    abrir()
  })
  document.addEventListener('keydown', (event) => {
    if (!isAtalho(event)) return
    event.preventDefault()
    abrir()
  })
}

function isAtalho({ key, ctrlKey, metaKey, altKey, target }) {
  if (altKey) return false
  if (ctrlKey || metaKey) return key.toLowerCase() === 'k'
  return key === '/' && !target.closest?.(ESCREVE)
}

function abrir() {
  busca ??= montar()
  if (busca.caixa.open) return
  busca.caixa.showModal()
  busca.campo.select()
  void perguntar(busca)
}

function montar() {
  const campo = no('input', {
    type: 'search',
    name: 'q',
    role: 'combobox',
    maxlength: '100',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: matchMedia('(max-width: 47.99rem)').matches
      ? 'Buscar'
      : 'CNPJ, página, consulta, código ou pedido',
    'aria-label': 'Procurar',
    'aria-autocomplete': 'list',
    'aria-controls': 'achados-da-busca',
    'aria-expanded': 'false',
  })
  const fechar = no('button', { type: 'button', class: 'discreto' }, ['Fechar'])
  const form = no('form', { action: procurar.href, role: 'search' }, [campo, fechar])
  const achados = no('div', { id: 'achados-da-busca', role: 'listbox', 'aria-label': 'O que foi achado' })
  const dito = no('p', { class: 'suave', role: 'status' })
  const ajuda = no('p', { class: 'suave ajuda', 'aria-hidden': 'true' }, [
    '↑ ↓ escolhe · Enter abre · Esc fecha',
  ])
  const caixa = no('dialog', { class: 'procura', 'aria-label': 'Procurar' }, [form, dito, achados, ajuda])
  const feita = { caixa, campo, achados, dito, at: -1, pedido: undefined, espera: undefined }
  campo.addEventListener('input', () => {
    clearTimeout(feita.espera)
    feita.espera = setTimeout(() => perguntar(feita), ESPERA_MS)
  })
  campo.addEventListener('keydown', (event) => andar(feita, event))
  form.addEventListener('submit', (event) => {
    const escolhido = opcoes(feita)[feita.at]
    if (!escolhido) return
    event.preventDefault()
    location.assign(escolhido.href)
  })
  fechar.addEventListener('click', () => caixa.close())
  // A click beside the box is one on the dialog itself.
  caixa.addEventListener('click', (event) => event.target === caixa && caixa.close())
  document.body.append(caixa)
  return feita
}

const opcoes = ({ achados }) => [...achados.querySelectorAll('[role="option"]')]

function andar(feita, event) {
  const todas = opcoes(feita)
  const passo = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (passo === undefined || todas.length === 0) return
  event.preventDefault()
  const de = feita.at < 0 && passo < 0 ? 0 : feita.at
  escolher(feita, (de + passo + todas.length) % todas.length)
}

function escolher(feita, at) {
  feita.at = at
  for (const [i, opcao] of opcoes(feita).entries()) {
    opcao.setAttribute('aria-selected', String(i === at))
    if (i === at) opcao.scrollIntoView({ block: 'nearest' })
  }
  if (at < 0) feita.campo.removeAttribute('aria-activedescendant')
  else feita.campo.setAttribute('aria-activedescendant', `achado-${at}`)
}

async function perguntar(feita) {
  feita.pedido?.abort()
  const meu = new AbortController()
  feita.pedido = meu
  const q = feita.campo.value.trim()
  try {
    const resposta = await fetch(`${procurar.href}/achados.json?q=${encodeURIComponent(q)}`, {
      signal: meu.signal,
    })
    if (!resposta.ok) throw new Error(String(resposta.status))
    const { texto, grupos } = await resposta.json()
    mostrar(feita, texto, grupos, q)
  } catch (error) {
    if (error.name !== 'AbortError') mostrar(feita, 'A busca não respondeu agora: tecle Enter.', [], '')
  }
}

function mostrar(feita, texto, grupos, q) {
  let at = -1
  const opcao = ({ nome, dito, endereco }) => {
    at += 1
    const atributos = { id: `achado-${at}`, role: 'option', href: endereco, tabindex: '-1' }
    return no('a', { ...atributos, 'aria-selected': 'false' }, [
      no('b', {}, [nome]),
      no('span', { class: 'suave' }, [dito]),
    ])
  }
  feita.achados.replaceChildren(
    ...grupos.map(({ titulo, achados }) =>
      no('div', { role: 'group', 'aria-label': titulo }, [
        no('p', { 'aria-hidden': 'true' }, [titulo]),
        ...achados.map(opcao),
      ]),
    ),
  )
  feita.achados.hidden = at < 0
  feita.campo.setAttribute('aria-expanded', String(at >= 0))
  feita.dito.textContent = texto
  escolher(feita, q !== '' && at >= 0 ? 0 : -1)
}
