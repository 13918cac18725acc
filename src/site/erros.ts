import type { Manifestacao, StatusNfe } from '../nfe/rules.ts'
import type { SourceStatus } from '../platform/wire/source-status.ts'
import type { SituacaoCertidao } from '../portal/rules-certidao.ts'
import type { StatusCode } from '../sefaz/rules.ts'

/** A closed list of words that an answer may hold, each with its meaning. */
type ValueList = { id: string; heading: string; about: string; meanings: Readonly<Record<string, string>> }

// Specification, "CND status".
const situacoes: Record<SituacaoCertidao, string> = {
  negativa: 'Não há débitos: em dia.',
  positiva:
    'Há débitos. Na certidão federal, também quando a Receita Federal não a emite pela internet por haver pendências ou pela situação do cadastro: vem sem PDF e sem custo, com a mensagem dela em `status_raw`.',
  positiva_com_efeitos_de_negativa:
    'Há débitos, suspensos ou garantidos (recurso, decisão judicial, parcelamento): na prática, vale como negativa.',
  nao_contribuinte:
    'Estadual: não tem inscrição neste estado, o que é normal e não é erro. Federal: o CNPJ não está no cadastro da Receita Federal; não custa créditos.',
  sem_certidao:
    'Só na estadual: o órgão respondeu e não emitiu certidão. Não é falha e não equivale a positiva; o texto dele está em `status_raw`.',
  erro: 'Nada se pode concluir, e nada é cobrado. Estadual: a consulta falhou; veja `source_status`. Federal: a Receita Federal recusou o pedido (como o de uma filial, pois a certidão é da matriz) ou o PDF não pôde ser conferido; a mensagem está em `status_raw`.',
}

// Specification, "NF-e XML `status` values".
const notas: Record<StatusNfe, string> = {
  ok: 'O XML inteiro está em `xml`. É o único que cobra créditos.',
  somente_resumo:
    'A SEFAZ só entrega o resumo: o destinatário não se manifestou e a Ciência da Operação não pôde ser registrada (passou o prazo, a SEFAZ a recusou ou `manifestar` é false). Também quando o portal está fora do ar por um momento, ou a nota é antiga demais para se manifestar. `mensagem` diz qual dos casos e o que fazer.',
  nao_autorizado:
    'O dono do certificado não participa da nota. Consulte com o certificado do emitente, do destinatário, do transportador ou de quem o XML autoriza.',
  nao_encontrado: 'A SEFAZ não localizou a nota com esta chave e este certificado.',
  fora_prazo:
    'A SEFAZ já não entrega a nota pela chave (cStat 632, das antigas), e o portal nacional, tentado em seguida, também não a entregou.',
  chave_invalida: 'A chave não pode existir: dígito verificador, estado, mês ou modelo errado.',
  erro: 'A consulta falhou: a SEFAZ a recusou ou está indisponível. `retryable` diz se repetir pode dar certo.',
  cancelada: 'A nota foi cancelada ou denegada: o XML não é entregue e nenhum evento é registrado.',
}

// Specification, "`manifestacao` values".
const eventos: Record<Manifestacao, string> = {
  ciencia_registrada: 'A Ciência da Operação foi registrada agora (cStat 135 ou 136).',
  ciencia_ja_registrada: 'A Ciência já estava registrada (cStat 573).',
  ciencia_fora_prazo:
    'A Ciência foi recusada por passar do prazo (cStat 596). Se `status` é ok, o XML veio do portal, sem evento.',
  ciencia_rejeitada: 'A SEFAZ recusou a Ciência por outro motivo: está em `cstat` e `mensagem`.',
  ciencia_erro: 'A comunicação falhou ao registrar a Ciência: consulte de novo para saber se ela valeu.',
  ciencia_nao_suportada:
    'O certificado não tem chave RSA, e os eventos só aceitam assinatura RSA-SHA1: nada foi enviado.',
  confirmacao_registrada:
    'A Confirmação da Operação foi registrada agora (cStat 135 ou 136): o emitente não pode mais cancelar a nota, e o Desconhecimento não pode mais ser registrado.',
  confirmacao_ja_registrada: 'A Confirmação já estava registrada (cStat 573).',
  confirmacao_rejeitada: 'A SEFAZ recusou a Confirmação: o motivo está em `cstat` e `mensagem`.',
  confirmacao_erro:
    'A comunicação falhou ao registrar a Confirmação: consulte de novo para saber se ela valeu.',
  confirmacao_nao_suportada:
    'O certificado não tem chave RSA, e os eventos só aceitam assinatura RSA-SHA1: nada foi enviado.',
}

// Specification, "Conventions common to the lookup endpoints".
const fontes: Record<SourceStatus['status'], string> = {
  success: 'O órgão respondeu, mesmo que nada tenha sido achado; `error_code` e `error_message` vêm vazios.',
  error:
    'O órgão falhou ou não pôde ser consultado: `error_code` diz o código e `error_message`, o que houve.',
  timeout: 'O órgão não respondeu a tempo. Vem só nas consultas a todos os estados.',
}

// Specification, "SEFAZ status codes".
const classesDaSefaz: Record<`${StatusCode}`, string> = {
  0: 'Indisponível: não há leitura recente desta SEFAZ. Não quer dizer que ela está parada; passa sozinho.',
  1: 'Normal: responde em menos de 2 segundos.',
  2: 'Lento: responde em 2 segundos ou mais, e menos de 6.',
  3: 'Muito lento: responde em 6 segundos ou mais, e menos de 30.',
  4: 'Erro: respondeu que está parada, recusou a pergunta ou não pôde ser alcançada. Não autoriza documentos agora.',
  5: 'Timeout: não respondeu em 30 segundos. Não autoriza documentos agora.',
}

/** The lists in the order of the page. */
export const valueLists: readonly ValueList[] = [
  {
    id: 'status-certidao',
    heading: 'status da certidão',
    about: '`result.status`, na certidão (CND) estadual e na federal.',
    meanings: situacoes,
  },
  {
    id: 'status-nota',
    heading: 'status da nota',
    about: '`resultados[0].status`, no XML da NF-e: sempre com HTTP 200.',
    meanings: notas,
  },
  {
    id: 'manifestacao',
    heading: 'manifestacao',
    about:
      '`resultados[0].manifestacao`, no XML da NF-e: o que houve com o evento desta consulta. null quando nenhum foi tentado.',
    meanings: eventos,
  },
  {
    id: 'source-status',
    heading: 'source_status.status',
    about:
      'Como terminou a pergunta ao órgão. Nas consultas a todos os estados, há um por estado: confira cada um.',
    meanings: fontes,
  },
  {
    id: 'status-sefaz',
    heading: 'status_code da SEFAZ',
    about:
      '`states[].status_code`, na situação das SEFAZ. Erro e timeout valem pela última leitura; as outras, pela média das últimas 3 rodadas.',
    meanings: classesDaSefaz,
  },
]
