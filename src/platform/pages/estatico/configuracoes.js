// Copies the key that the page shows. Without it the key is selected by hand.

for (const botao of document.querySelectorAll('[data-copiar]')) {
  const fonte = document.getElementById(botao.dataset.copiar)
  const dito = document.getElementById('copiada')
  botao.hidden = false
  botao.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(fonte.textContent)
      dito.textContent = 'Copiada'
    } catch {
      // A browser may refuse, and over plain HTTP it gives pages no clipboard.
      getSelection().selectAllChildren(fonte)
      dito.textContent = 'Selecionada: copie com Ctrl+C'
    }
  })
}
