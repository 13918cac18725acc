import { type Cadeia, criarCadeia, gerarEc, gerarRsa, NOMES_ALHEIOS, POLITICA_A1 } from './cadeia.ts'
import type { ItemA1 } from './catalogo.ts'
import { type Conteudo, emitir, type Nome } from './certificado.ts'
import {
  identificadorDoEmissor,
  identificadorDoSujeito,
  politica,
  propositos,
  usoDaChave,
} from './extensao.ts'
import { escreverPfx } from './pkcs12.ts'
import { nomesDoTitular } from './titular.ts'

const ANO = 365 * 86_400_000

/** Years between the end of the chain and the end of the certificate. */
const DISTANCIA = { vencida: -1, vigente: 0, futura: 1 } as const

/** The PFX of one item of the catalogue, with a new key (DOC-ICP-04 v8.1; DOC-ICP-05). */
export async function criarA1(item: ItemA1, nossa: Cadeia): Promise<Buffer> {
  const { raiz, intermediaria, fim } =
    item.emissor === 'nosso' ? nossa : await criarCadeia(NOMES_ALHEIOS, nossa.fim)
  const { privateKey, publicKey } = await (item.chave === 'rsa' ? gerarRsa() : gerarEc())
  const ultimo = fim.getTime() + DISTANCIA[item.validade] * ANO
  const conteudo: Conteudo = {
    nome: nomeDoTitular(item),
    publica: publicKey,
    inicio: new Date(ultimo - ANO),
    fim: new Date(ultimo),
    extensoes: [
      identificadorDoEmissor(intermediaria.publica),
      identificadorDoSujeito(publicKey),
      usoDaChave('digitalSignature', 'nonRepudiation', 'keyEncipherment'),
      propositos('clientAuth', 'emailProtection'),
      politica(POLITICA_A1),
      ...(item.documento === 'oids' ? [nomesDoTitular(item.titular, item.valores)] : []),
    ],
  }
  const folha = emitir(conteudo, intermediaria)
  const cadeia = [intermediaria.certificado.raw, raiz.certificado.raw]
  return escreverPfx({
    certificados: {
      'titular-e-cadeia': [folha, ...cadeia],
      'cadeia-e-titular': [...cadeia.toReversed(), folha],
      'so-titular': [folha],
      'sem-chave': [folha, ...cadeia],
    }[item.conteudo],
    chave: item.conteudo === 'sem-chave' ? undefined : { privada: privateKey, certificado: folha },
    apelido: item.titular.nome,
    senha: item.senha,
    protecao: item.protecao,
  })
}

function nomeDoTitular({ titular, documento }: ItemA1): Nome {
  return [
    ['C', 'BR'],
    ['O', 'ICP-Brasil'],
    ['ST', 'SP'],
    ['L', 'SAO PAULO'],
    ['OU', 'Secretaria da Receita Federal do Brasil - RFB'],
    ['OU', titular.tipo === 'cnpj' ? 'RFB e-CNPJ A1' : 'RFB e-CPF A1'],
    ['CN', documento === 'ausente' ? titular.nome : `${titular.nome}:${titular.documento}`],
  ]
}
