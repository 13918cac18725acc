// Marks the call that is read in the list beside it. Without it the list is the same, with no mark.

const elos = new Map(
  [...document.querySelectorAll('.chamadas-da-api a')].map((elo) => [elo.hash.slice(1), elo]),
)

const vista = new IntersectionObserver(
  (entradas) => {
    for (const { isIntersecting, target } of entradas) if (isIntersecting) marcar(elos.get(target.id))
  },
  // The part of the screen in which one reads: a line near its top.
  { rootMargin: '-15% 0px -80% 0px' },
)
for (const chamada of document.querySelectorAll('.operacao')) vista.observe(chamada)

function marcar(elo) {
  document.querySelector('.chamadas-da-api a[aria-current]')?.removeAttribute('aria-current')
  if (!elo) return
  elo.setAttribute('aria-current', 'location')
  const lista = elo.closest('nav')
  const [{ top, bottom }, limites] = [elo.getBoundingClientRect(), lista.getBoundingClientRect()]
  if (top < limites.top || bottom > limites.bottom) lista.scrollBy(0, top - limites.top - limites.height / 3)
}

// On a phone the folded list stays above the page, and would hide the call that one has chosen.
document.querySelector('.referencia .indice-dobrado')?.addEventListener('click', (event) => {
  if (event.target.closest('a')) event.currentTarget.open = false
})
