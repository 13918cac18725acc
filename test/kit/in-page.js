// These run in the page itself: each is sent there as text, so it uses nothing of this file.

/**
 * The findings of axe in the page, in lines that a person can read.
 *
 * @param {readonly string[]} tags
 * @returns {Promise<string[]>}
 */
export async function runAxe(tags) {
  const { violations } = await globalThis.axe.run(document, {
    runOnly: { type: 'tag', values: tags },
    resultTypes: ['violations'],
  })
  return violations.flatMap(({ id, impact, help, nodes }) =>
    nodes.map(({ target, html, failureSummary }) =>
      [`${id} (${impact}): ${help}`, `${target.join(' ')}: ${html.slice(0, 200)}`, failureSummary].join(
        '\n  ',
      ),
    ),
  )
}

/**
 * The elements that stick out of the page to the right, the outermost first; none where the page does not
 * scroll sideways.
 *
 * @returns {string[]}
 */
export function listSideways() {
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth <= clientWidth) return []
  const out = [...document.body.querySelectorAll('*')].filter((element) => {
    const { left, right } = element.getBoundingClientRect()
    return Math.max(right, left + element.scrollWidth) > clientWidth + 0.5
  })
  const names = out.map(({ tagName, id, className }) => `${tagName.toLowerCase()} #${id} .${className}`)
  return [`${scrollWidth} of ${clientWidth} px`, ...names.slice(0, 8)]
}

/**
 * Cards that a grid gives a column too narrow for words.
 *
 * @returns {string[]}
 */
export function listSquashed() {
  const cards = [...document.querySelectorAll('main .cartao')].filter((card) => card.checkVisibility())
  return cards
    .map((card) => ({ card, width: card.getBoundingClientRect().width }))
    .filter(({ width }) => width < 80)
    .map(({ card, width }) => `${card.id || card.className}: ${Math.round(width)} px`)
}

/**
 * What has the focus; null where nothing has. `kind` is the same for what is drawn alike.
 *
 * @returns {{ name: string, kind: string, inMain: boolean, isSeen: boolean, at: number } | null}
 */
export function readFocus() {
  const element = document.activeElement
  if (!element || element === document.body) return null
  // A link may go over several lines: the first will do.
  const { x, y, width, height } = element.getClientRects()[0] ?? element.getBoundingClientRect()
  const [left, top] = [Math.max(x, 0), Math.max(y, 0)]
  const [right, bottom] = [Math.min(x + width, innerWidth), Math.min(y + height, innerHeight)]
  // An outline may be empty at its centre: a few points of it will do.
  const points = [0.5, 0.25, 0.75].flatMap((i) => [0.5, 0.25, 0.75].map((j) => [i, j]))
  const isAt = ([i, j]) => {
    const found = document.elementFromPoint(left + (right - left) * i, top + (bottom - top) * j)
    return found !== null && element.contains(found)
  }
  const frame = element.closest('svg, table, nav, li, section')
  return {
    name: (element.getAttribute('aria-label') ?? element.textContent ?? '')
      .trim()
      .replace(/\s+/g, ' ')
      .slice(0, 80),
    kind: [frame?.tagName, frame?.getAttribute('class'), element.tagName, element.getAttribute('class')].join(
      ' ',
    ),
    inMain: element.closest('main') !== null,
    isSeen: right > left && bottom > top && points.some(isAt),
    at: [...document.querySelectorAll('*')].indexOf(element),
  }
}

/** Takes the focus away without moving the page. */
export function dropFocus() {
  document.activeElement?.blur()
}

/** Puts the focus before all of the page, where a form of it has taken it. */
export function focusStart() {
  if (document.activeElement === document.body) return
  document.body.tabIndex = -1
  document.body.focus()
  document.body.removeAttribute('tabindex')
}

/**
 * When the page was first painted, when its largest part was, and when it was loaded with its modules run;
 * milliseconds since the visitor asked for it.
 *
 * @returns {Promise<{ firstMs: number, largestMs: number, loadedMs: number }>}
 */
export function readTiming() {
  return new Promise((resolve) => {
    new PerformanceObserver((list) => {
      const [first] = performance.getEntriesByName('first-contentful-paint')
      const [loaded] = performance.getEntriesByType('navigation')
      const largest = list.getEntries().at(-1)
      resolve({
        firstMs: first?.startTime ?? 0,
        largestMs: largest?.startTime ?? 0,
        loadedMs: loaded.loadEventEnd,
      })
    }).observe({ type: 'largest-contentful-paint', buffered: true })
  })
}

/**
 * The size of the whole page in its own pixels, once it is drawn.
 *
 * @returns {Promise<{ width: number, height: number }>}
 */
export async function readSize() {
  // The first frame begins with one call, and is there at the next.
  for (const _ of [1, 2]) await new Promise((resolve) => requestAnimationFrame(resolve))
  const { scrollWidth, scrollHeight } = document.documentElement
  return { width: scrollWidth, height: scrollHeight }
}

/**
 * What a browser makes of texts as HTML: names, attributes, texts and children of all nodes. Nothing in them
 * runs.
 *
 * @param {readonly string[]} pages
 * @returns {unknown[]}
 */
export function readShapes(pages) {
  const read = ({ nodeName, nodeValue, attributes, childNodes }) => [
    nodeName,
    nodeValue,
    [...(attributes ?? [])].map(({ name, value }) => [name, value]),
    [...childNodes].map(read),
  ]
  return pages.map((page) => read(new DOMParser().parseFromString(page, 'text/html')))
}

/**
 * What the page of the monitor says of now: the text of its parts, and the drawing of its map.
 *
 * @returns {string[]}
 */
export function readSaid() {
  const said = [
    ...document.querySelectorAll('#aviso, [data-cartao], #abertos, .legenda, #leitura, tr[data-uf] td'),
  ]
  const drawn = [...document.querySelectorAll('.mapa a')].map((place) => place.innerHTML)
  return [
    ...said.map(({ className, textContent }) => `${className}: ${textContent.replace(/\s+/g, ' ').trim()}`),
    ...drawn,
  ]
}

/**
 * Tells the page that it is seen or not, as a change of tabs would. A browser without a screen shows all.
 *
 * @param {string} state
 */
export function setVisibility(state) {
  Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
  document.dispatchEvent(new Event('visibilitychange'))
}

/**
 * Drops a file on an element, as a person would.
 *
 * @param {Element} element
 * @param {{ name: string, text: string }} file
 */
export function dropFile(element, { name, text }) {
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File([text], name, { type: 'text/xml' }))
  for (const type of ['dragover', 'drop'])
    element.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
}
