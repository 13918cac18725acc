import { dataBrasileira } from '../documento/mascara.ts'
import { escapar } from '../platform/xml.ts'
import { type Ficha, type Leiaute, preencher } from '../portal/ficha.ts'
import { elemento, formulario, ocultos, type Par } from '../portal/html.ts'
import { ENDERECO } from '../portal/sintegra.ts'

/** The list: the number, and an image that sends the form to open it. */
export function lista(action: string, fichas: readonly Ficha[]): string {
  const linhas = fichas.map(({ ie, nome, situacao }, i) => {
    const abrir = elemento('input', {
      type: 'image',
      name: `j_id6:tabela:${i}:j_id12`,
      src: '/sintegra/imagens/lupa.gif',
    })
    const celulas = [ie, nome, situacao].map((texto) =>
      elemento('span', { class: 'textoPequeno' }, escapar(texto)),
    )
    return `<tr>${[...celulas, abrir].map((html) => `<td>${html}</td>`).join('')}</tr>`
  })
  return formulario(
    { id: 'j_id6', name: 'j_id6', action },
    ocultos({ j_id6: 'j_id6' }),
    elemento('div', { id: 'j_id6:pnlCadastro' }, elemento('table', {}, linhas.join('\n'))),
    ocultos({ 'javax.faces.ViewState': 'j_id2' }),
  )
}

const FICHA: Leiaute = [
  ['CGC:', 'documento'],
  ['Inscrição Estadual:', 'ie'],
  ['Razão Social:', 'nome'],
  ['Regime Apuração:', 'regime'],
  ...ENDERECO,
  ['DDD:', undefined],
  ['Telefone:', undefined],
  ['CNAE Principal:', 'atividadeComMascara'],
  ['Situação Cadastral Vigente:', 'situacao'],
  ['Data desta Situação Cadastral:', 'dataDaSituacao'],
  ["NFe a partir de (CNAE's):", undefined],
  ['EDF a partir de:', undefined],
  ['CTE a partir de:', undefined],
]

/** One registration, labels and values in spans of their own classes, as recorded on 2025-08-25. */
export function ficha(dados: Ficha, agora: Date): string {
  const pares: Par[] = [
    ...preencher(FICHA, dados).map(
      ([rotulo, valor]): Par => [
        rotulo,
        rotulo.startsWith('NFe') && dados.nfeDesde
          ? `${dados.nfeDesde} - (Devido emissão voluntária),`
          : valor,
      ],
    ),
    ['Data da Consulta:', dataBrasileira(agora.toISOString().slice(0, 10))],
    ['Número da Consulta:', '1'],
  ]
  const linhas = pares.map(([rotulo, valor]) => {
    const nome = elemento('span', { class: 'texto_negrito' }, escapar(rotulo))
    return `<tr><td>${nome}</td><td>${elemento('span', { class: 'texto' }, escapar(valor) || '&nbsp;')}</td></tr>`
  })
  const outros = elemento('table', { id: 'j_id6:idlista' }, '<tr><th>CNAE Secundário</th></tr>')
  return elemento('table', {}, linhas.join('\n')) + outros
}
