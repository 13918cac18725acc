import { enumerar } from '../../platform/texto.ts'
import { caminhoDe, lugarDe } from '../nota/lugar.ts'
import { rotuloDe } from '../rotulos.ts'
import type { ErroDeEsquema } from '../rules-laudo.ts'
import { citar } from '../verificacoes/citar.ts'
import { ondeDe } from '../verificacoes/onde.ts'
import type { Conferencia, ValorErrado } from './esquema-conferir.ts'
import type { Defeito } from './esquema-estrutura.ts'
import { explicarValor } from './valor.ts'

/** `NCM (Código NCM do item)`, for a message. */
function nomeComRotulo(caminho: string): string {
  const nome = caminho.replace(/^.*\//, '').replace(/\[\d+\]$/, '')
  const rotulo = rotuloDe(caminho)
  return rotulo ? `${nome} (${rotulo})` : nome
}

/** Tells in Portuguese what the schema says of a note, in its order. One place has one error. */
export function relatarErros({ valores, defeitos }: Conferencia): ErroDeEsquema[] {
  const dosDefeitos = defeitos.map((defeito) => ({
    onde: inicioDe(defeito),
    contar: () => relatarDefeito(defeito),
  }))
  const dosValores = valores.map((errado) => ({
    onde: errado.elemento.inicio,
    contar: () => relatarValor(errado),
  }))
  const contados = [...dosDefeitos, ...dosValores]
    .sort((a, b) => a.onde - b.onde)
    .map(({ contar }) => contar())
  const vistos = new Set<string>()
  return contados.filter(({ caminho, mensagem }) => {
    const erro = `${caminho} ${mensagem}`
    return !vistos.has(erro) && vistos.add(erro)
  })
}

const inicioDe = (defeito: Defeito): number =>
  defeito.tipo === 'falta' ? (defeito.antes?.inicio ?? defeito.pai.fim) : defeito.elemento.inicio

function relatarValor({ elemento, atributo, queixas }: ValorErrado): ErroDeEsquema {
  const [queixa] = queixas
  if (queixa?.tipo === 'falta-atributo' || queixa?.tipo === 'atributo-desconhecido') {
    const caminho = caminhoDe(elemento, queixa.nome)
    const nome = `atributo ${queixa.nome}`
    return queixa.tipo === 'falta-atributo'
      ? erro(caminho, null, `Falta o ${nome} de ${elemento.nome}. Informe-o.`)
      : erro(
          caminho,
          elemento.atributos[queixa.nome] ?? null,
          `O ${nome} não existe em ${elemento.nome}. Retire-o.`,
        )
  }
  const caminho = caminhoDe(elemento, atributo)
  const valor = atributo ? (elemento.atributos[atributo] ?? '') : elemento.texto
  const quem = atributo ? `O atributo ${atributo}` : `O campo ${nomeComRotulo(caminho) || elemento.nome}`
  return erro(caminho, valor, `${quem} ${explicarValor(valor, queixas)}`)
}

function relatarDefeito(defeito: Defeito): ErroDeEsquema {
  if (defeito.tipo === 'falta') return relatarFalta(defeito)
  const caminho = lugarDe(defeito.elemento)
  const valor = defeito.elemento.filhos.length > 0 ? null : defeito.elemento.texto
  const nome = nomeComRotulo(caminho) || defeito.elemento.nome
  switch (defeito.tipo) {
    case 'fora-de-ordem': {
      const { depoisDe, antesDe } = defeito
      const onde = [depoisDe && `depois de ${depoisDe}`, antesDe && `antes de ${antesDe}`].filter(Boolean)
      return erro(caminho, valor, `O campo ${nome} está fora de ordem: deve vir ${onde.join(' e ')}.`)
    }
    case 'desconhecido': {
      const certo = defeito.nomeCerto
        ? ` O nome certo é ${defeito.nomeCerto}.`
        : ' Retire-o ou corrija o nome.'
      return erro(caminho, valor, `O campo ${nome} não existe neste ponto do leiaute.${certo}`)
    }
    case 'demais':
      return erro(
        caminho,
        valor,
        `O campo ${nome} aparece mais vezes do que o leiaute aceita (${defeito.maximo}).`,
      )
    case 'exclusivo':
      return erro(
        caminho,
        valor,
        `O campo ${nome} não pode vir junto de ${defeito.outro}: informe só um dos dois.`,
      )
  }
}

function relatarFalta({ pai, nomes, antes }: Defeito & { tipo: 'falta' }): ErroDeEsquema {
  const lugar = lugarDe(pai)
  const caminhos = nomes.map((nome) => (lugar ? `${lugar}/${nome}` : nome))
  const [primeiro = ''] = caminhos
  const fim = antes ? `antes de ${antes.nome}` : `no fim de ${pai.nome}`
  const mensagem =
    nomes.length > 1
      ? `Falta um destes campos ${fim}: ${enumerar(nomes, 'ou')}.`
      : `Falta o campo ${nomeComRotulo(primeiro)} ${fim}.`
  return erro(primeiro, null, mensagem)
}

const erro = (caminho: string, valor: string | null, mensagem: string): ErroDeEsquema => ({
  onde: ondeDe(caminho),
  caminho,
  valor: valor === null ? null : citar(valor),
  mensagem,
})
