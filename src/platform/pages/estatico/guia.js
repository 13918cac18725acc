// Remembers the language of the examples. Without it each example has its own choice.

const LEMBRADA = 'lingua-dos-exemplos'

const escolhas = [...document.querySelectorAll('.exemplo input[type="radio"]')]

function escolher(lingua) {
  for (const escolha of escolhas) if (escolha.value === lingua) escolha.checked = true
}

for (const escolha of escolhas)
  escolha.addEventListener('change', () => {
    const { top } = escolha.getBoundingClientRect()
    escolher(escolha.value)
    // The examples above may have another height now.
    window.scrollBy(0, escolha.getBoundingClientRect().top - top)
    try {
      localStorage.setItem(LEMBRADA, escolha.value)
    } catch {
      // A browser that keeps nothing shows the first language the next time.
    }
  })

try {
  escolher(localStorage.getItem(LEMBRADA))
} catch {
  // The same browser.
}
