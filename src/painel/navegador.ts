/** The browsers that people have, each before those whose names it says too. */
const NAVEGADORES: readonly [RegExp, string][] = [
  [/Edg(?:A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
  [/curl\//, 'curl'],
  [/fiscal\//, 'Consulta Fiscal'],
]

const SISTEMAS: readonly [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Macintosh|Mac OS X/, 'Mac'],
  [/CrOS/, 'Chromebook'],
  [/Linux/, 'Linux'],
]

/** A browser by what it says of itself (`User-Agent`): `Chrome no Windows`. */
export function navegadorDe(agente: string): string {
  const known = (list: readonly [RegExp, string][]): string | undefined =>
    list.find(([mark]) => mark.test(agente))?.[1]
  const [navegador = 'Programa desconhecido', sistema] = [known(NAVEGADORES), known(SISTEMAS)]
  return sistema === undefined ? navegador : `${navegador} no ${sistema}`
}
