// Asks whether the account's first call has arrived. Without it, a link asks by loading the page.

const sinal = document.getElementById('sinal')
const CADA_MS = 2_000
/** After ten minutes the link is left to ask. */
const VEZES = 300

let vezes = 0

async function olhar() {
  if (document.visibilityState === 'hidden') return
  vezes++
  const answer = await fetch(sinal.dataset.sinal, { redirect: 'error' })
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`)
  const { aceso, falhou, texto, endereco, saldo } = await answer.json()
  if (!aceso) return
  sinal.classList.add('aceso')
  sinal.classList.toggle('falhou', falhou)
  sinal.querySelector('strong').textContent = texto
  document.getElementById('a-chamada').href = endereco
  // The call was charged: the account's menu says what is left.
  for (const one of document.querySelectorAll('.saldo')) one.textContent = saldo
  vezes = VEZES
}

/** A session that has ended, or a service that starts again, ends the asking. */
async function esperar() {
  while (vezes < VEZES) {
    await new Promise((resolve) => setTimeout(resolve, CADA_MS))
    await olhar()
  }
}

if (sinal.dataset.sinal) esperar().catch(() => undefined)
