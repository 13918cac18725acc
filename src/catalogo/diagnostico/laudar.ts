import type { Laudo, ResultadoDaVerificacao } from '../../domain/rejeicoes/laudo.ts'
import { suspeitasDaForma } from './da-forma.ts'
import { corrigir } from './emendas/corrigir.ts'
import { proporEmendas } from './emendas/propor.ts'
import { abrirPacote } from './esquema/pacote.ts'
import { type Exame, examinar } from './exame.ts'
import { avisosDaResposta, lerResposta } from './motivo.ts'
import type { Malformado } from './nota/abrir.ts'
import { chaveDe, descer } from './nota/lugar.ts'
import type { PedidoDoDiagnostico } from './pedido.ts'
import { listarSuspeitas, suspeitar } from './suspeitas.ts'
import { abrirVerificadores, criarContexto, type Verificadores } from './verificadores.ts'

/** How many errors of the schema are told. The others are counted. */
const ERROS = 200

/** What a message may have (MOC 7.0, Anexo I, rule B01). */
const MENSAGEM = 500 * 1024

/** Diagnoses a note, in the thread of the caller. Throws DiagnosticoRecusado. */
export function laudar({ xml, cstat, motivo, agora, catalogo, semCorrigido }: PedidoDoDiagnostico): Laudo {
  const verificadores = abrirVerificadores(catalogo)
  const resposta = lerResposta(cstat, motivo, verificadores.porCodigo)
  const texto = xml.replace(/^\uFEFF?\s*/, '')
  const contexto = criarContexto(agora, { chave_na_sefaz: resposta.chave })
  const meios = { verificadores, contexto, agora }
  const exame = examinar(texto, meios)
  if ('linha' in exame) return laudoDoMalformado(exame, verificadores)
  const daForma = suspeitasDaForma(texto, exame, verificadores.porCodigo)
  const suspeitas = listarSuspeitas(exame, resposta, daForma, verificadores.porCodigo)
  const comContexto = { ...meios, contexto: exame.contexto }
  const emendas = proporEmendas(exame, comContexto)
  const corrigido = semCorrigido ? undefined : corrigir(exame, { emendas, suspeitas }, comContexto)
  const { erros, achados, assinatura } = exame
  return {
    ...identidadeDe(exame),
    esquema: {
      pacote: exame.pacote,
      valido: erros.length === 0,
      erros: erros.slice(0, ERROS),
      omitidos: Math.max(erros.length - ERROS, 0),
    },
    assinatura: { situacao: assinatura.situacao, mensagem: assinatura.mensagem },
    suspeitas,
    verificacoes: achados,
    resumo: resumir(achados),
    emendas,
    corrigido: corrigido ?? null,
    avisos: [
      ...avisosDaResposta(resposta, motivo, verificadores.porCodigo),
      ...avisosDe(texto, exame, emendas.length > 0, verificadores),
    ],
  }
}

function identidadeDe({ nota: { infNFe } }: Exame): Pick<Laudo, 'modelo' | 'chave'> {
  const mod = descer(infNFe, 'ide/mod')?.texto
  return { modelo: mod === '55' || mod === '65' ? mod : null, chave: chaveDe(infNFe) }
}

const resumir = (achados: Laudo['verificacoes']): Laudo['resumo'] => {
  const contar = (qual: ResultadoDaVerificacao): number =>
    achados.filter(({ resultado }) => resultado === qual).length
  return {
    ok: contar('ok'),
    falha: contar('falha'),
    nao_aplicavel: contar('nao_aplicavel'),
    indeterminado: contar('indeterminado'),
  }
}

function avisosDe(
  texto: string,
  { conferencia, assinatura, nota, pacote }: Exame,
  comEmendas: boolean,
  { porId }: Verificadores,
): string[] {
  const avisos: [boolean, string][] = [
    [
      porId.size === 0,
      'O catálogo de verificações não está disponível: só o esquema e a assinatura foram conferidos.',
    ],
    [
      conferencia.comLetras,
      `O pacote ${pacote} ainda não conhece o CNPJ com letras: o formato desses campos não foi conferido pelo esquema.`,
    ],
    [
      conferencia.incompleta,
      'Pode haver mais erros de esquema: corrija os que estão na lista e confira de novo.',
    ],
    [
      />\s+</.test(nota.xml),
      'Há espaços ou quebras de linha entre os elementos. Algumas UFs recusam isso (rejeição 588): transmita o XML sem eles.',
    ],
    [
      Buffer.byteLength(texto) > MENSAGEM,
      'O XML passa de 500 KB, o limite da mensagem na regra B01 (rejeição 214).',
    ],
    [
      nota.autorizadaEm !== undefined,
      `Esta nota já tem protocolo de autorização. As regras que dependem da data foram conferidas em ${nota.autorizadaEm}, o momento da autorização; uma regra criada depois ainda pode aparecer como falha.`,
    ],
    [comEmendas && assinatura.situacao !== 'ausente', 'Depois de aplicar as emendas, assine a nota de novo.'],
  ]
  return [...(assinatura.avisos ?? []), ...avisos.flatMap(([cabe, aviso]) => (cabe ? [aviso] : []))]
}

function laudoDoMalformado({ linha, coluna }: Malformado, { porCodigo }: Verificadores): Laudo {
  const mensagem = `O XML está malformado na linha ${linha}, coluna ${coluna}. Confira se as etiquetas abrem e fecham em pares e se &, < e > estão escritos como &amp;, &lt; e &gt;.`
  const ocorrencia = { onde: `linha ${linha}, coluna ${coluna}`, campos: [], mensagem }
  return {
    modelo: null,
    chave: null,
    esquema: { pacote: abrirPacote().nome, valido: false, erros: [], omitidos: 0 },
    assinatura: {
      situacao: 'indeterminada',
      mensagem: 'Sem um XML bem formado, a assinatura não foi conferida.',
    },
    suspeitas: [suspeitar(243, 'esquema', [ocorrencia], porCodigo)],
    verificacoes: [],
    resumo: resumir([]),
    emendas: [],
    corrigido: null,
    avisos: [],
  }
}
