// A dossier takes up to a minute: the page says so, and asks once.
const fala = document.querySelector('#andamento')

for (const form of document.querySelectorAll('form[method="post"]')) {
  form.addEventListener('submit', () => {
    const [button] = form.querySelectorAll('button[type="submit"]')
    const since = Date.now()
    button.setAttribute('aria-disabled', 'true')
    form.addEventListener('submit', (again) => again.preventDefault())
    const tell = () => {
      const seconds = Math.round((Date.now() - since) / 1000)
      const text = `Perguntando aos órgãos há ${seconds} s. A página abre sozinha.`
      if (fala && form.contains(fala)) fala.textContent = text
      else button.textContent = text
    }
    tell()
    setInterval(tell, 1000)
  })
}

// On a phone the verdicts are read first; each section is unfolded by itself.
if (matchMedia('(max-width: 39.99rem)').matches)
  for (const section of document.querySelectorAll('.secao-do-dossie > details')) section.open = false

// Back to a page that was kept whole: its form may be sent again.
addEventListener('pageshow', ({ persisted }) => persisted && location.reload())
