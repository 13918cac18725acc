// Remembers the language of the examples. Without it each example has its own choice.

const LEMBRADA = 'lingua-dos-exemplos'

/** Chooses a language in every example that has it. */
function escolher(lingua) {
  for (const escolha of document.querySelectorAll('.exemplo .abas input'))
    if (escolha.value === lingua) escolha.checked = true
}

document.addEventListener('change', ({ target }) => {
  if (!target.matches('.exemplo .abas input')) return
  const { top } = target.getBoundingClientRect()
  escolher(target.value)
  // The examples above may have another height now.
  window.scrollBy(0, target.getBoundingClientRect().top - top)
  try {
    localStorage.setItem(LEMBRADA, target.value)
  } catch {
    // A browser that keeps nothing shows the first language the next time.
  }
})

try {
  escolher(localStorage.getItem(LEMBRADA))
} catch {
  // The same browser.
}
