/** A piece of a line of text. */
export type Fragmento =
  | string
  | { tipo: 'codigo'; texto: string }
  | { tipo: 'forte' | 'enfase'; frases: readonly Fragmento[] }
  | { tipo: 'elo'; para: string; frases: readonly Fragmento[] }

/** A piece of a line of code, with the name of its colour; empty for the colour of the text. */
export type Pedaco = readonly [cor: string, texto: string]

/** A block of code: its language, what it is where the page says so, and its lines in pieces. */
export type BlocoDeCodigo = {
  tipo: 'codigo'
  lingua: string
  legenda?: string
  texto: string
  linhas: readonly (readonly Pedaco[])[]
}

export type TabelaDoGuia = {
  tipo: 'tabela'
  cabeca: readonly (readonly Fragmento[])[]
  linhas: readonly (readonly (readonly Fragmento[])[])[]
}

/** A block of a chapter, as the reading thread gives it. */
export type Bloco =
  | { tipo: 'titulo'; nivel: 2 | 3; id: string; frases: readonly Fragmento[] }
  | { tipo: 'paragrafo'; frases: readonly Fragmento[] }
  | { tipo: 'lista'; ordenada: boolean; itens: readonly (readonly Bloco[])[] }
  | { tipo: 'nota'; blocos: readonly Bloco[] }
  | TabelaDoGuia
  | BlocoDeCodigo

/** The words of a text, without its marks. */
export const palavras = (frases: readonly Fragmento[]): string =>
  frases
    .map((frase) => {
      if (typeof frase === 'string') return frase
      return frase.tipo === 'codigo' ? frase.texto : palavras(frase.frases)
    })
    .join('')

/** All that a block says, in one line. */
export function textoDe(bloco: Bloco): string {
  switch (bloco.tipo) {
    case 'titulo':
    case 'paragrafo':
      return palavras(bloco.frases)
    case 'lista':
      return bloco.itens.map((item) => item.map(textoDe).join(' ')).join(' ')
    case 'nota':
      return bloco.blocos.map(textoDe).join(' ')
    case 'tabela':
      return [bloco.cabeca, ...bloco.linhas].map((linha) => linha.map(palavras).join(' ')).join(' ')
    case 'codigo':
      return bloco.texto.replace(/\s+/g, ' ')
  }
}
