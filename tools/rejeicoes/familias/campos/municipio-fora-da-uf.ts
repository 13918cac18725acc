import type { Familia } from '../familia.ts'

/** A city whose code belongs to another state. Parameters: `nome` (of whom), `campo` and `uf` (paths). */
export const familia: Familia = (ficha) => {
  const [nome, campo, uf] = [ficha.um('nome'), ficha.um('campo'), ficha.um('uf')]
  return {
    causas: [
      `O código do município ${nome} (${campo}) não começa pelos dois algarismos que o IBGE dá à UF em ${uf}.`,
    ],
    passos: [
      `Leia ${campo} e ${uf} e decida, pelo endereço ${nome}, qual dos dois está errado.`,
      `Corrija ${campo} pela tabela do IBGE, com 7 algarismos, ou a sigla em ${uf}.`,
      'Confira se o nome do município e o CEP são do mesmo endereço.',
    ],
  }
}
