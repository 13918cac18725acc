import type { ServerResponse } from 'node:http'
import { setTimeout } from 'node:timers'
import { sementeDe } from '../documento/documento.ts'
import { makeInscricao } from '../documento/inscricao-estadual.ts'
import type { Uf } from '../documento/uf.ts'
import { type Conexao, type Mensagem, send } from '../platform/autoridade.ts'
import { writePagina } from '../platform/soap.ts'
import type { Efeito } from './comportamento.ts'
import type { Contribuinte } from './contribuinte.ts'
import { enderecoEm } from './endereco.ts'
import { register } from './inscricoes.ts'

export function sendWithEfeito(
  efeito: Efeito | undefined,
  mensagem: Mensagem,
  resposta: ServerResponse,
  conexao: Conexao,
  ritmo = 1,
): void {
  if (efeito?.tipo === 'demora') sendLater(efeito.ms * ritmo, mensagem, resposta)
  else if (efeito?.tipo === 'tls') conexao.refuseTls()
  else if (efeito?.tipo !== 'queda') send(alter(efeito, mensagem), resposta)
  else if (efeito.quando === 'antes') conexao.drop()
  else breakHalfway(mensagem, resposta, conexao)
}

function alter(efeito: Efeito | undefined, mensagem: Mensagem): Mensagem {
  const { corpo } = mensagem
  switch (efeito?.tipo) {
    case 'pagina':
      return writePagina(efeito.status, efeito.titulo)
    case 'redireciona':
      return { status: 302, cabecalhos: { location: efeito.para }, corpo: Buffer.alloc(0) }
    case 'vazio':
      return { ...mensagem, corpo: Buffer.alloc(0) }
    case 'malformado':
      return { ...mensagem, corpo: corpo.subarray(0, corpo.length * 0.6) }
    case 'gigante':
      return { ...mensagem, corpo: Buffer.concat([corpo, Buffer.alloc(efeito.bytes, ' ')]) }
    case 'latin1':
      return emLatin1(mensagem, efeito.declara)
    default:
      return mensagem
  }
}

function sendLater(ms: number, mensagem: Mensagem, resposta: ServerResponse): void {
  const relogio = setTimeout(() => send(mensagem, resposta), ms).unref()
  resposta.once('close', () => clearTimeout(relogio))
}

function breakHalfway(
  { status, cabecalhos, corpo }: Mensagem,
  resposta: ServerResponse,
  conexao: Conexao,
): void {
  resposta.writeHead(status, { ...cabecalhos, 'content-length': corpo.length })
  resposta.write(corpo.subarray(0, corpo.length / 2), () => conexao.drop())
}

function emLatin1({ status, cabecalhos, corpo }: Mensagem, declara: string): Mensagem {
  const tipo = cabecalhos['content-type']?.split(';')[0] ?? 'text/xml'
  const texto = corpo.toString().replace(/(<\?xml [^?]*encoding=")[^"]*/, `$1${declara}`)
  const novos = { ...cabecalhos, 'content-type': `${tipo}; charset=${declara}` }
  return { status, cabecalhos: novos, corpo: Buffer.from(texto, 'latin1') }
}

/** Registered in whichever state is asked. The names have accents, so that a wrong charset shows. */
export function contribuinteComportado(documento: string, uf: Uf, quantas = 1): Contribuinte {
  const semente = sementeDe(documento)
  const endereco = enderecoEm(uf, semente, {
    logradouro: 'RUA SÃO JOÃO',
    numero: '1000',
    complemento: 'GALPÃO 2',
    bairro: 'ESTAÇÃO',
  })
  const inscricoes = Array.from({ length: quantas }, (_, i) =>
    register({
      uf,
      ie: makeInscricao(uf, semente + i),
      tipo: 'NORMAL',
      enquadramento: 'normal',
      cnae: '1091102',
      situacao: 'habilitado',
      inicio: '2015-03-02',
      endereco,
      semente: semente + i,
    }),
  )
  return {
    documento,
    tipoDocumento: 'cnpj',
    nome: 'PANIFICAÇÃO SÃO JOÃO DA SIMULAÇÃO LTDA',
    fantasia: 'PÃO & CIA',
    naturezaJuridica: '2062',
    porte: 'EMPRESA DE PEQUENO PORTE',
    inscricoes,
  }
}
