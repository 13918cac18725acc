// Shows what a search finds while it is typed, and takes a dropped file. Without it the forms do the same.

const ESPERA_MS = 150

const busca = document.querySelector('form[data-busca]')
const campo = busca?.querySelector('input[name="q"]')
const resultados = document.getElementById('resultados')
const contagem = document.getElementById('contagem')
const antes = [...(resultados?.childNodes ?? [])]
const feita = campo?.value
let timer
let emCurso

campo?.addEventListener('input', () => {
  clearTimeout(timer)
  timer = setTimeout(buscar, ESPERA_MS)
})

async function buscar() {
  emCurso?.abort()
  const q = campo.value.trim()
  if (q === '' || q === feita) return mostrar(q === feita ? antes : [], '')
  emCurso = new AbortController()
  const { signal } = emCurso
  try {
    const response = await fetch(`${busca.dataset.busca}?q=${encodeURIComponent(q)}`, { signal })
    if (!response.ok) return
    const { texto, itens } = await response.json()
    if (!signal.aborted) mostrar([cartao(q, texto, itens)], texto)
  } catch (error) {
    // Without an answer the form can still be sent.
    if (error.name !== 'AbortError' && !(error instanceof TypeError)) throw error
  }
}

function mostrar(nodes, texto) {
  resultados.replaceChildren(...nodes)
  contagem.textContent = texto
}

function cartao(q, texto, itens) {
  return no('section', { class: 'cartao', 'aria-labelledby': 'achadas' }, [
    no('header', {}, [no('h2', { id: 'achadas' }, [`Resultados para “${q}”`])]),
    no('p', { class: 'suave' }, [texto]),
    no('ul', { class: 'rejeicoes' }, itens.map(item)),
  ])
}

function item({ codigo, titulo, categoria, endereco }) {
  const words = [no('b', {}, [String(codigo)]), ' ', no('span', {}, [titulo])]
  const children = [no('a', { href: endereco }, words)]
  if (categoria) children.push(' ', no('span', { class: 'suave' }, [categoria]))
  return no('li', {}, children)
}

for (const form of document.querySelectorAll('form.diagnostico')) {
  const arquivo = form.querySelector('input[type="file"]')
  const solto = form.querySelector('#solto')
  const marcar = (isOver) => form.classList.toggle('sobre', isOver)
  // Who chooses or drops a note here asks for no more than its diagnosis.
  const diagnosticar = () => {
    const { files } = arquivo
    if (files.length === 0) return
    solto.textContent =
      files.length === 1 ? `${files[0].name}: diagnosticando…` : 'Solte um arquivo de cada vez'
    if (files.length === 1) form.requestSubmit()
    else arquivo.value = ''
  }
  form.addEventListener('dragover', (event) => {
    event.preventDefault()
    marcar(true)
  })
  form.addEventListener('dragleave', () => marcar(false))
  form.addEventListener('drop', (event) => {
    marcar(false)
    const { files } = event.dataTransfer
    if (files.length === 0) return
    event.preventDefault()
    arquivo.files = files
    diagnosticar()
  })
  arquivo.addEventListener('change', diagnosticar)
}

/** An element with its attributes and children. A child that is text stays text. */
function no(name, attributes, children) {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  element.append(...children)
  return element
}
