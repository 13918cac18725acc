import { lugarDe } from '../nota/lugar.ts'
import type { Suspeita } from '../rules-laudo.ts'
import { ondeDe } from '../verificacoes/onde.ts'
import type { Exame } from './exame.ts'
import { suspeitar } from './suspeitas.ts'
import type { Verificadores } from './verificadores.ts'

/** The encoding that the declaration of an XML names, with where its name stands. */
export function codificacaoDeclarada(texto: string): { nome: string; inicio: number } | undefined {
  const [tudo, antes = '', nome] = /^(<\?xml[^>]*\bencoding\s*=\s*["'])([^"']+)["']/.exec(texto) ?? []
  return tudo === undefined || nome === undefined ? undefined : { nome, inicio: antes.length }
}

/** 402 and 404: what the authority looks at before the schema. */
export function suspeitasDaForma(
  texto: string,
  exame: Exame,
  porCodigo: Verificadores['porCodigo'],
): Suspeita[] {
  const codificacao = codificacaoDeclarada(texto)?.nome
  const outra =
    codificacao && codificacao.toUpperCase() !== 'UTF-8'
      ? [
          suspeitar(
            402,
            'esquema',
            [
              {
                onde: 'declaração do XML',
                campos: [{ caminho: 'encoding', valor: codificacao.slice(0, 40) }],
                mensagem: 'O XML declara outra codificação. Grave o arquivo em UTF-8 e declare UTF-8.',
              },
            ],
            porCodigo,
          ),
        ]
      : []
  const { comPrefixo } = exame
  if (!comPrefixo) return outra
  const caminho = lugarDe(comPrefixo)
  const mensagem = `O elemento ${comPrefixo.nome} usa o prefixo ${comPrefixo.prefixo}. Declare o namespace com xmlns, sem prefixo.`
  const ocorrencia = { onde: ondeDe(caminho), campos: [{ caminho, valor: null }], mensagem }
  return [...outra, suspeitar(404, 'esquema', [ocorrencia], porCodigo)]
}
