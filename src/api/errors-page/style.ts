/** The page's own CSS: system fonts, light and dark by the reader's choice, one column on a phone. */
export const STYLE = `
:root{color-scheme:light dark;--fundo:light-dark(#f5f7f9,#10171c);--papel:light-dark(#fff,#182229);--texto:light-dark(#14212b,#e4eaee);
--suave:light-dark(#4b5a66,#a9b6c0);--linha:light-dark(#dfe5ea,#2b3841);--marca:light-dark(#0a6b4d,#63d3a6);
--selo:light-dark(#e3f2ec,#173a30);--aviso:light-dark(#fdf0c8,#463708);--aviso-texto:light-dark(#5f4500,#ffe3a1);--alvo:light-dark(#fff8e1,#2e2a16)}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0;background:var(--fundo);color:var(--texto);font:1rem/1.6 system-ui,sans-serif;overflow-wrap:break-word}
a{color:var(--marca)}
a:focus-visible{outline:3px solid var(--marca);outline-offset:2px}
code{font-family:ui-monospace,monospace;font-size:.92em}
.pular{position:absolute;left:-99rem}
.pular:focus{left:1rem;top:1rem;background:var(--papel);padding:.5rem 1rem}
header,main,footer{max-width:60rem;margin:0 auto;padding:1rem}
header p{margin:0}
h1{font-size:1.75rem;line-height:1.25;margin:1rem 0 .5rem}
h2{font-size:1.35rem;margin:2.5rem 0 .25rem}
h3{font-size:1.05rem;margin:0}
h3 a{text-decoration:none}
h3 a:hover{text-decoration:underline}
.aviso{background:var(--aviso);color:var(--aviso-texto);border-radius:.5rem;padding:.75rem 1rem}
nav{background:var(--papel);border:1px solid var(--linha);border-radius:.5rem;padding:.5rem 1rem;margin:1.5rem 0;columns:17rem}
nav div{break-inside:avoid;padding:.5rem 0}
nav p,nav ul{margin:0}
nav ul{list-style:none;padding:0}
nav li a{display:inline-block;padding:.15rem 0}
article{background:var(--papel);border:1px solid var(--linha);border-radius:.5rem;padding:1rem;margin:1rem 0}
article:target{background:var(--alvo);border-color:var(--marca);box-shadow:0 0 0 2px var(--marca)}
.titulo{margin:.25rem 0 .5rem;color:var(--suave)}
.selo{display:inline-block;background:var(--selo);color:var(--marca);border-radius:1rem;padding:0 .6rem;font-size:.85rem;font-weight:600}
dl{margin:0;display:grid;grid-template-columns:minmax(0,9rem) minmax(0,1fr);gap:.5rem 1rem}
#valores~article dl{grid-template-columns:minmax(0,20rem) minmax(0,1fr)}
dt{color:var(--suave)}
dd{margin:0}
dd ul{margin:0;padding:0;list-style:none}
dd p{margin:0}
pre{background:var(--papel);border:1px solid var(--linha);border-radius:.5rem;padding:1rem;overflow-x:auto}
@media (max-width:40rem){dl,#valores~article dl{grid-template-columns:minmax(0,1fr);gap:0}dd{margin-bottom:.75rem}}
@media print{nav{display:none}article{break-inside:avoid}}
`
