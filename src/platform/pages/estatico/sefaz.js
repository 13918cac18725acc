// Repaints the pages of the monitor at each event. Without the stream a page stays as it was made.

const SVG = 'http://www.w3.org/2000/svg'
const TONS = ['', 'bom', 'lento', 'lento', 'ruim', 'ruim']
const NOMES = ['Indisponível', 'Normal', 'Lento', 'Muito lento', 'Erro', 'Não respondeu']
const UFS = 'AC AL AM AP BA CE DF ES GO MA MG MS MT PA PB PE PI PR RJ RN RO RR RS SC SE SP TO'.split(' ')
/** The most states that one announcement names. */
const NOMEADOS = 5

const pagina = document.getElementById('sefaz')
const anuncio = document.getElementById('anuncio')
const aoVivo = document.querySelector('.ao-vivo')
const { doc, uf, eventos } = pagina?.dataset ?? {}
let antes

/** After this a page asks again that was told to do without the stream. */
const DE_NOVO_MS = 60_000
let fonte

if (eventos && 'EventSource' in globalThis) {
  document.addEventListener('visibilitychange', ouvir)
  ouvir()
}

/** A browser opens six connections to a host for all its tabs: one that nobody sees leaves it to others. */
function ouvir() {
  fonte?.close()
  mostrarAoVivo(false)
  if (document.visibilityState === 'hidden') return
  const nova = new EventSource(eventos)
  fonte = nova
  nova.addEventListener('agora', ({ data }) => pintar(JSON.parse(data)))
  nova.addEventListener('open', () => mostrarAoVivo(true))
  nova.addEventListener('error', () => {
    mostrarAoVivo(false)
    if (nova.readyState === EventSource.CLOSED) setTimeout(() => nova === fonte && ouvir(), DE_NOVO_MS)
  })
}

function mostrarAoVivo(isLive) {
  if (aoVivo) aoVivo.hidden = !isLive
}

function pintar(agora) {
  pintarLeitura(agora.lida)
  if (uf) pintarEstado(agora)
  else pintarPainel(agora)
  antes = agora
}

function pintarPainel(agora) {
  const { situacoes, contagem } = agora.docs[doc]
  for (const [at, one] of UFS.entries()) pintarUf(one, situacoes[at])
  for (const [at, count] of contagem.entries()) escrever(`[data-classe="${at}"] b`, count)
  for (const [one, { normais, resumo }] of Object.entries(agora.docs)) {
    escrever(`[data-cartao="${one}"] .numero span`, normais)
    escrever(`[data-cartao="${one}"] .resumo`, resumo)
  }
  const { tom, titulo, texto } = agora.aviso
  const aviso = document.getElementById('aviso')
  aviso.className = `faixa-aviso ${tom}`
  const [first, second] = aviso.querySelectorAll('p')
  first.textContent = titulo
  second.textContent = texto
  const lista = agora.incidentes.map(incidente)
  if (lista.length === 0) lista.push(no('li', { class: 'vazio' }, [agora.semIncidentes]))
  document.getElementById('abertos').replaceChildren(no('ul', { class: 'incidentes' }, lista))
  anunciar(agora)
}

function pintarUf(one, [code, tempo]) {
  const linha = document.querySelector(`tr[data-uf="${one}"]`)
  pintarSelo(linha.querySelector('.selo'), code)
  linha.querySelector('.tempo').textContent = tempo
  const lugar = document.querySelector(`.mapa a[data-uf="${one}"]`)
  const [fundo, trama] = lugar.querySelectorAll('path')
  fundo.setAttribute('class', `f${code}`)
  const title = lugar.querySelector('title')
  title.textContent = `${title.textContent.split(':')[0]}: ${NOMES[code]}`
  if (code < 4) trama?.remove()
  else if (!trama) {
    const hatch = document.createElementNS(SVG, 'path')
    hatch.setAttribute('fill', 'url(#trama)')
    hatch.setAttribute('d', fundo.getAttribute('d'))
    fundo.after(hatch)
  }
}

/** The state's classes change in place. What else hangs on them comes with the page, made anew. */
function pintarEstado(agora) {
  const at = UFS.indexOf(uf)
  const mudou = []
  for (const [one, { situacoes }] of Object.entries(agora.docs)) {
    const [code, tempo] = situacoes[at]
    const selo = document.querySelector(`[data-doc="${one}"] .selo`)
    if (selo.textContent !== NOMES[code])
      mudou.push(`${document.getElementById(`doc-${one}`).textContent}: ${NOMES[code]}`)
    pintarSelo(selo, code)
    escrever(`[data-tempo="${one}"]`, tempo || '–')
  }
  if (mudou.length > 0) anuncio.textContent = mudou.join('; ')
  if (mudou.length === 0 || document.getElementById('mudou')) return
  const link = no('a', { href: location.pathname }, ['ver o conselho e os incidentes de agora'])
  pagina.before(no('p', { id: 'mudou', class: 'faixa-aviso nada' }, ['A situação mudou: ', link]))
}

function pintarSelo(selo, code) {
  selo.className = `selo ${TONS[code]}`
  selo.textContent = NOMES[code]
}

function pintarLeitura(lida) {
  const onde = document.getElementById('leitura')
  if (!lida || !onde) return
  const proxima = lida.proxima ? `; a próxima, às ${lida.proxima}` : ''
  onde.replaceChildren(
    'Última leitura em ',
    no('time', { datetime: lida.iso }, [lida.texto]),
    ` (Brasília)${proxima}`,
  )
}

/** Says what changed, and nothing else: a reader hears it when nothing else is said. */
function anunciar(agora) {
  if (!antes) return
  const before = antes.docs[doc].situacoes
  const mudou = UFS.filter((_, at) => before[at][0] !== agora.docs[doc].situacoes[at][0])
  const said = mudou
    .slice(0, NOMEADOS)
    .map((one) => `${one}: ${NOMES[agora.docs[doc].situacoes[UFS.indexOf(one)][0]]}`)
  if (mudou.length > NOMEADOS) said.push(`e mais ${mudou.length - NOMEADOS} estados`)
  if (antes.incidentes.length !== agora.incidentes.length) said.push(agora.aviso.titulo)
  if (said.length > 0) anuncio.textContent = said.join('; ')
}

function incidente({ nome, desde, iso, quedas, conselhos }) {
  return no('li', {}, [
    no('p', {}, [
      no('span', { class: 'selo ruim' }, ['Em aberto']),
      ' ',
      no('b', {}, [nome]),
      ' ',
      no('span', { class: 'suave' }, ['desde ', no('time', { datetime: iso }, [desde])]),
    ]),
    ...quedas.map((queda) => no('p', {}, [queda])),
    ...conselhos.map(conselho),
  ])
}

function conselho({ onde, texto, svc, ativacao }) {
  const parts = [no('p', {}, [no('b', {}, [onde])]), no('p', {}, [texto])]
  if (svc) {
    const words = ['Contingência do estado: ', no('b', {}, [svc]), ' · Ativação: ', no('b', {}, [ativacao])]
    parts.push(no('p', { class: 'suave' }, words))
  }
  return no('div', { class: 'conselho' }, parts)
}

function escrever(where, text) {
  const onde = document.querySelector(where)
  if (onde) onde.textContent = text
}

/** An element with its attributes and children. A child that is text stays text. */
function no(name, attributes, children) {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  element.append(...children)
  return element
}
