import { type Cadeia, criarCadeia, gerarEc, gerarRsa, NOMES_ALHEIOS, POLITICA_A1 } from './cadeia.ts'
import { type ItemA1, PESSOA } from './catalogo.ts'
import { type Conteudo, type Emissor, emitir, type Nome } from './certificado.ts'
import type { Chaveiro } from './chaveiro.ts'
import {
  identificadorDoEmissor,
  identificadorDoSujeito,
  politica,
  propositos,
  usoDaChave,
} from './extensao.ts'
import { escreverPfx, type Pfx } from './pkcs12.ts'
import { nomesDoTitular } from './titular.ts'

const DIA = 86_400_000
const ANO = 365 * DIA

/** Years between the end of the chain and the end of the certificate. */
const DISTANCIA = { vencida: -1, vigente: 0, futura: 1 } as const

/**
 * The PFX of one item of the catalogue (DOC-ICP-04 v8.1; DOC-ICP-05), with a new key where it has one of its
 * own.
 */
export async function criarA1(item: ItemA1, nossa: Cadeia, comuns: Chaveiro): Promise<Buffer> {
  const { raiz, intermediaria, fim } =
    item.emissor === 'nosso' ? nossa : await criarCadeia(NOMES_ALHEIOS, nossa.fim)
  const { rsa, ec } = item.par === 'comum' ? comuns : { rsa: gerarRsa, ec: gerarEc }
  const { privateKey, publicKey } = await (item.chave === 'rsa' ? rsa() : ec())
  const ultimo = fim.getTime() + DISTANCIA[item.validade] * ANO
  const vigencia = { publica: publicKey, inicio: new Date(ultimo - ANO), fim: new Date(ultimo) }
  const folha = emitirAoTitular(item, vigencia, intermediaria)
  const cadeia = [intermediaria.certificado.raw, raiz.certificado.raw]
  const outra = item.conteudo === 'dois-titulares' ? await daPessoa(vigencia, intermediaria) : undefined
  return escreverPfx({
    certificados: {
      'titular-e-cadeia': [folha, ...cadeia],
      'cadeia-e-titular': [...cadeia.toReversed(), folha],
      'so-titular': [folha],
      'dois-titulares': [folha, ...cadeia, ...(outra ? [outra.certificado] : [])],
      'sem-chave': [folha, ...cadeia],
    }[item.conteudo],
    chave: item.conteudo === 'sem-chave' ? undefined : { privada: privateKey, certificado: folha },
    outra,
    apelido: item.titular.nome,
    senha: item.senha,
    protecao: item.protecao,
  })
}

/** A person's key with its certificate, which ends a day before that of the file's holder. */
async function daPessoa(vigencia: Vigencia, intermediaria: Emissor): Promise<Pfx['outra']> {
  const { privateKey, publicKey } = await gerarEc()
  const fim = new Date(vigencia.fim.getTime() - DIA)
  const quem = { titular: PESSOA, documento: 'oids', valores: 'octetos' } as const
  const certificado = emitirAoTitular(quem, { ...vigencia, publica: publicKey, fim }, intermediaria)
  return { privada: privateKey, certificado }
}

type Vigencia = Pick<Conteudo, 'publica' | 'inicio' | 'fim'>

/** The holder of a certificate, and the fields that name them. */
type DoTitular = Pick<ItemA1, 'titular' | 'documento' | 'valores'>

/** A leaf for a holder, in DER. */
export function emitirAoTitular(quem: DoTitular, vigencia: Vigencia, intermediaria: Emissor): Buffer {
  const extensoes = [
    identificadorDoEmissor(intermediaria.publica),
    identificadorDoSujeito(vigencia.publica),
    usoDaChave('digitalSignature', 'nonRepudiation', 'keyEncipherment'),
    propositos('clientAuth', 'emailProtection'),
    politica(POLITICA_A1),
    ...(quem.documento === 'oids' ? [nomesDoTitular(quem.titular, quem.valores)] : []),
  ]
  return emitir({ nome: nomeDoTitular(quem), ...vigencia, extensoes }, intermediaria)
}

function nomeDoTitular({ titular, documento }: DoTitular): Nome {
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
