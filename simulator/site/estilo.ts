/**
 * The style of the index page: light and dark, one column on a narrow screen, nothing loaded from elsewhere.
 */
export const ESTILO = `
:root {
  color-scheme: light dark;
  --papel: light-dark(#fff, #15181c); --tinta: light-dark(#1c2127, #e4e7eb); --fraca: light-dark(#59636e, #a0a9b4);
  --linha: light-dark(#d8dee4, #343a42); --fundo: light-dark(#f4f6f8, #1e2329); --elo: light-dark(#0b57c2, #83b4ff);
  --certo: light-dark(#116329, #6fdd8b); --erro: light-dark(#8a4b00, #f2b85c); --falha: light-dark(#a40e26, #ff9a96);
}
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 78rem; padding: 1.5rem 1rem 4rem; background: var(--papel); color: var(--tinta); font: 1rem/1.5 system-ui, sans-serif }
h1 { margin: 0 0 1rem; font-size: clamp(1.5rem, 5vw, 2.1rem); line-height: 1.2 }
h2 { margin: 3rem 0 .5rem; font-size: 1.4rem }
h3 { margin: 2rem 0 .25rem; font-size: 1.1rem }
h4 { margin: 1.25rem 0 .25rem; font-size: 1rem; color: var(--fraca) }
p { max-width: 46rem }
a { color: var(--elo) }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: 0; list-style: none }
code, pre { font: .85rem/1.5 ui-monospace, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere }
pre, .comando { padding: .35rem .6rem; border-radius: .35rem; background: var(--fundo) }
pre { max-width: 46rem; white-space: pre-wrap }
.comando { display: block; font-size: .8rem; user-select: all }
h3 code, nav code { font-size: inherit; font-weight: inherit }
.aviso { max-width: none; padding: .75rem 1rem; border-left: .35rem solid var(--erro); background: var(--fundo) }
.linhas { margin: 0; padding: 0; list-style: none }
.linhas > li { display: grid; gap: .25rem 1rem; align-items: center; padding: .45rem 0; border-top: 1px solid var(--linha) }
.linhas p, .linhas strong { margin: 0; overflow-wrap: anywhere }
.linhas .dados { color: var(--fraca); font-size: .85rem }
.dados code { user-select: all }
:target { outline: 2px solid var(--elo); outline-offset: .2rem }
.certo { color: var(--certo) } .erro { color: var(--erro) } .falha { color: var(--falha) }
.linhas > li[hidden] { display: none }
.copiar { justify-self: start; padding: .1rem .6rem; border: 1px solid var(--linha); border-radius: .35rem; background: var(--papel); color: var(--fraca); font: inherit; font-size: .8rem; cursor: pointer }
.filtro input { width: 16rem; max-width: 100%; padding: .35rem .6rem; border: 1px solid var(--linha); border-radius: .35rem; background: var(--papel); color: inherit; font: inherit }
summary { padding: .45rem 0; cursor: pointer }
@media (min-width: 60rem) {
  .linhas > li { grid-template-columns: 4fr 9fr auto 3fr }
  .arquivos > li { grid-template-columns: 2fr 2fr 5fr 5fr }
}
`
