// Fills the map of all states in while they answer. Without it the whole answer comes at once.

const SVG = 'http://www.w3.org/2000/svg'
/** After so many states a reader is told how far it is. */
const DITOS = 9

const molde = document.getElementById('molde')
const form = document.querySelector('form.consulta')
let emCurso

if (molde && form?.dataset.parte === 'uf') form.addEventListener('submit', aoEnviar)

async function aoEnviar(event) {
  event.preventDefault()
  emCurso?.abort()
  const meu = new AbortController()
  emCurso = meu
  try {
    const resposta = await fetch(form.action, {
      method: 'POST',
      headers: { accept: 'text/event-stream' },
      body: new URLSearchParams(new FormData(form)),
      signal: meu.signal,
    })
    const isStream = /^text\/event-stream/.test(resposta.headers.get('content-type') ?? '')
    // A refusal costs nothing: the page of the whole answer tells it, with what to do.
    if (!isStream || !resposta.body) return form.submit()
    montar()
    await ler(resposta.body)
  } catch (error) {
    if (error.name === 'AbortError') return
    // What was asked may be on its way: it is not asked again by itself.
    if (!document.getElementById('andamento')) montar()
    falhar(
      'A conexão caiu',
      'Os estados que responderam até aí foram cobrados: veja o registro antes de repetir.',
    )
  }
}

/** Puts the empty answer in its place, instead of the one before. */
function montar() {
  document.querySelector('.respondida')?.remove()
  document.querySelector('.experimentar').prepend(molde.content.cloneNode(true))
  // What the account has is told with the cost, at the end.
  form.querySelector('.preco .suave')?.remove()
  document.getElementById('andamento').scrollIntoView({ block: 'center' })
}

async function ler(corpo) {
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
      if (nome === 'fim' || nome === 'falha') ultimo = () => contar(nome, JSON.parse(dados))
      else if (nome && dados) contar(nome, JSON.parse(dados))
    }
  }
  if (ultimo) ultimo()
  else falhar('A resposta parou', 'Veja o registro: ele diz o que foi cobrado.')
}

function contar(nome, dados) {
  if (nome === 'pedido') comecar(dados)
  if (nome === 'uf') pintar(dados)
  if (nome === 'fim') terminar(dados)
  if (nome === 'falha') falhar(dados.palavra, dados.texto)
}

function comecar({ request_id, codigo }) {
  const pedido = document.getElementById('pedido')
  pedido.href += `${request_id}/`
  pedido.firstChild.textContent = request_id
  for (const [linguagem, texto] of Object.entries(codigo))
    document.querySelector(`#${linguagem} code`).textContent = texto
}

function pintar({ uf, classe, palavra, resumo, selo, papel }) {
  const linha = document.querySelector(`.respostas tr[data-uf="${uf}"]`)
  const badge = linha.querySelector('.selo')
  badge.className = selo
  badge.textContent = palavra
  const detalhe = linha.querySelector('.detalhe')
  detalhe.firstChild.textContent = resumo
  if (papel) detalhe.append(botaoDo(papel))
  pintarNoMapa(uf, classe, palavra)
  somar('0', -1)
  somar(String(classe), 1)
  const contagem = document.querySelector('.contagem b')
  const quantos = Number(contagem.textContent) + 1
  contagem.textContent = quantos
  if (quantos % DITOS === 0) dizer(`${quantos} de 27 estados responderam.`)
}

function pintarNoMapa(uf, classe, palavra) {
  const lugar = document.querySelector(`.respostas .mapa a[data-uf="${uf}"]`)
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
  const onde = document.querySelector(`.respostas [data-classe="${classe}"] b`)
  onde.textContent = Number(onde.textContent) + um
}

/** The form that hands a certificate back, to be opened in another tab. */
function botaoDo({ tipo, nome, selado, endereco }) {
  const _csrf = form.querySelector('[name="_csrf"]').value
  const campos = Object.entries({ _csrf, tipo, nome, papel: selado })
  return no('form', { class: 'papel', method: 'post', action: endereco, target: '_blank' }, [
    ...campos.map(([name, value]) => no('input', { type: 'hidden', name, value }, [])),
    no('button', { class: 'discreto', type: 'submit' }, [
      'Abrir o PDF',
      no('span', { class: 'so-leitor' }, [` ${nome}, em outra aba`]),
    ]),
  ])
}

function terminar({ custo, json }) {
  document.getElementById('custo').textContent = custo
  document.getElementById('texto-json').textContent = json
  marcar('bom', 'Entregue')
  dizer(`Os estados responderam. ${custo}.`)
}

function falhar(palavra, texto) {
  marcar('ruim', palavra)
  dizer(texto)
}

function marcar(tom, palavra) {
  const andamento = document.getElementById('andamento')
  andamento.className = `selo ${tom}`
  andamento.textContent = palavra
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
