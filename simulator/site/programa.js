for (const comando of document.querySelectorAll('.comando')) {
  const botao = document.createElement('button')
  botao.type = 'button'
  botao.className = 'copiar'
  botao.textContent = 'Copiar'
  botao.addEventListener('click', async () => {
    await navigator.clipboard.writeText(comando.textContent)
    botao.textContent = 'Copiado'
    setTimeout(() => { botao.textContent = 'Copiar' }, 1500)
  })
  comando.after(botao)
}
const plano = (texto) => texto.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
const linhas = [...document.querySelectorAll('.linhas > li')].map((li) => [li, plano(li.textContent)])
const filtro = document.getElementById('filtro')
filtro.closest('p').hidden = false
filtro.addEventListener('input', () => {
  const palavras = plano(filtro.value).split(/\s+/).filter(Boolean)
  let vistas = 0
  for (const [li, texto] of linhas) {
    li.hidden = !palavras.every((palavra) => texto.includes(palavra))
    if (!li.hidden) vistas++
  }
  for (const dobra of document.querySelectorAll('details')) {
    dobra.open = palavras.length > 0
    dobra.hidden = !dobra.querySelector('li:not([hidden])')
  }
  filtro.closest('p').querySelector('output').textContent = palavras.length === 0 ? '' : vistas + (vistas === 1 ? ' linha' : ' linhas')
})
