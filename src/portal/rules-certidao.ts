import type { Marca } from './classificacao.ts'
import { bloqueio } from './firewall.ts'

const DOCUMENTO = '(?:CPF|CNPJ|CPF/CNPJ|CNPJ/CPF|CPF OU CNPJ|DOCUMENTO|INSCRICAO ESTADUAL|IE)'

/** Words that no certificate has. The order counts: the first mark that stands in a page decides. */
export const naoResultados: readonly Marca[] = [
  {
    situacao: 'bloqueado',
    se: bloqueio,
  },
  {
    situacao: 'captcha-errado',
    se: /(?:CODIGO|TEXTO|CARACTERES|LETRAS|PALAVRA)(?: [A-Z]+){0,3} (?:IMAGEM|CAPTCHA|FIGURA)(?: [A-Z]+){0,3} (?:INVALID|INCORRET|ERRAD|NAO CONFERE)|\bNAO CONFEREM? COM AS? (?:[A-Z]+ D[AEO]S? )?(?:IMAGEM|FIGURA)|(?:CAPTCHA|ALTCHA) (?:[A-Z]+ ){0,3}(?:INVALID|INCORRET|ERRAD|EXPIRAD|NAO CONFERE)|VERIFICACAO DE SEGURANCA (?:INVALIDA|EXPIRADA)|(?:CODIGO|SEQUENCIA) DE (?:CARACTERES|SEGURANCA|VERIFICACAO) (?:INVALID|INCORRET)/,
  },
  {
    situacao: 'captcha',
    se: /COMPLETE A VERIFICACAO|(?:PREENCHA|RESOLVA|MARQUE|CONFIRME) O (?:RE)?CAPTCHA|CAPTCHA (?:E |NAO )?(?:OBRIGATORIO|INFORMADO|PREENCHIDO|RESOLVIDO)/,
  },
  {
    situacao: 'documento-invalido',
    se: new RegExp(
      `\\b${DOCUMENTO}(?: (?:INFORMAD|DIGITAD)[AO])?(?: [\\d./-]{1,20})?(?: ESTA| E)? (?:INVALID[AO]|INCORRET[AO]|INCOMPLET[AO])\\b|\\bINFORME (?:[A-Z/]+,? (?:OU )?){1,4}VALID[AO]\\b|\\bDIGITO VERIFICADOR (?:[A-Z/]+ ){0,4}(?:INVALIDO|INCORRETO|NAO CONFERE)`,
    ),
  },
  {
    situacao: 'pede-ie',
    // MA says so, and PA for a CNPJ that has a registration.
    se: /EMITIR PELA INSCRICAO ESTADUAL|NECESSARIO QUE SEJA INFORMAD[AO] A INSCRICAO ESTADUAL|EXISTE INSCRICAO ESTADUAL ATIVA PARA|\bINFORME A (?:IE|INSCRICAO ESTADUAL)\b/,
  },
  {
    situacao: 'sem-endereco',
    // MG's screen for a taxpayer without an address in SIARE (2026-01).
    se: /CLIQUE AQUI PARA INFORMAR (?:O )?ENDERECO/,
  },
  {
    situacao: 'por-email',
    // RN's dialog for a group with more than 100 CNPJs. Not all its words are known.
    se: /MAIS DE (?:100|CEM) [^.;!?]{0,60}CNPJ.{0,200}E-?MAIL/,
  },
  {
    situacao: 'formulario-errado',
    // PA and BA say so.
    se: /\bCAMPO E REQUERIDO|PREENCHA APENAS UM DOS CAMPOS/,
  },
  {
    situacao: 'fechado',
    se: /FORA DO HORARIO|(?:SERVICO|SISTEMA|EMISSAO|CONSULTA) (?:[A-Z]+ )?DISPONIVEL (?:SOMENTE |APENAS )?(?:NOS? |EM |DE |DAS |ENTRE )|SISTEMA FECHADO/,
  },
  {
    situacao: 'sessao-expirada',
    // ASP.NET says it in English.
    se: /SESSAO (?:[A-Z]+ ){0,3}(?:EXPIR|ENCERRAD|INVALID)|STATE INFORMATION IS INVALID/,
  },
  {
    situacao: 'indisponivel',
    se: /NO MOMENTO NAO PODEMOS ATENDER|INDISPONIVEL (?:NO|NESTE) MOMENTO|(?:SERVICO|SISTEMA|PORTAL|SITE|CONSULTA|EMISSAO) (?:[A-Z]+ ){0,3}(?:INDISPONIVEL|FORA DO AR)|(?:SISTEMA|SERVICO|PORTAL|SITE) EM MANUTENCAO|TENTE (?:NOVAMENTE )?MAIS TARDE|SERVICE UNAVAILABLE|BAD GATEWAY|GATEWAY TIME-?OUT|\b(?:PAGE|RESOURCE) (?:NOT|CANNOT BE) FOUND|\bNOT FOUND\b|PAGINA NAO (?:FOI )?ENCONTRADA|(?:RUNTIME|SERVER|APPLICATION) ERROR|\bHTTP (?:STATUS |ERRO(?:R)? )?[45]\d\d\b|\bERRO (?:HTTP )?[45]\d\d\b|\bERRO (?:AO|DURANTE|NA) [A-Z]+|\b[A-Z]*EXCEPTION\b|\bERRO (?:INTERNO|INESPERADO|DE PROCESSAMENTO|N[OA] (?:SERVIDOR|SISTEMA|PROCESSAMENTO))\b|OCORREU UM ERRO|FALHA (?:INTERNA|DE COMUNICACAO|NA COMUNICACAO)/,
  },
  {
    situacao: 'processando',
    se: /(?:REQUERIMENTO|SOLICITACAO|PEDIDO|CERTIDAO) (?:[A-Z]+ )?(?:EM PROCESSAMENTO|SENDO PROCESSAD[AO]|EM ANDAMENTO|REGISTRAD[AO])/,
  },
  {
    situacao: 'emitida',
    // RN's "Certidão emitida!", and PE's link to the paper.
    se: /CERTIDAO (?:FOI )?(?:EMITIDA|GERADA)(?: ?!| COM SUCESSO)|CLIQUE AQUI PARA VISUALIZAR ?\/ ?IMPRIMIR/,
  },
  {
    situacao: 'nao-entendido',
    // BA says so when nobody is found, and also when the site is in trouble.
    se: /NAO FOI POSSIVEL OBTER OS DADOS DO CONTRIBUINTE/,
  },
]

/** MT's waiting page has little more than this word. Its refusals have it too, so this is the last mark. */
export const aguardando: Marca = {
  situacao: 'processando',
  se: /\bREQUERIMENTO\b(?!.{0,400}(?:INDEFERID|NEGAD[AO]|RECUSAD|NAO FOI POSSIVEL))/,
}

/** A form that asks for one more field. Nothing was asked yet. */
export const cobraCampo =
  /\b(?:CAMPO|PREENCHIMENTO) OBRIGATORIO|\b(?:INFORME|PREENCHA|SELECIONE|DIGITE|ESCOLHA) (?:O|A|OS|AS|UM|UMA)\b/

/** The state gives no certificate, and does not speak of debts. */
export const semCertidaoDita: Marca = {
  situacao: 'sem_certidao',
  se: /EXISTEM? PENDENCIAS?\b|NAO (?:FOI POSSIVEL|E POSSIVEL|PODE SER)(?: A)? (?:EMI|GERA)|CERTIDAO NAO (?:FOI )?(?:EMITIDA|GERADA|DISPONIVEL)|REQUERIMENTO (?:FOI )?(?:INDEFERIDO|NEGADO|RECUSADO)/,
}

/**
 * A page with these words may be the certificate itself. Its name proves nothing: every portal's heading has
 * it.
 */
export const certifica = /\bCERTIFIC(?:A|O|AMOS|A-SE|AD[AO] QUE)\b/

/** The words of the trade. A page without one is not about certificates. */
export const daMateria =
  /\b(?:CERTID(?:AO|OES)|CND|DEBITOS?|DIVIDAS?|PENDENCIAS?|CONTRIBUINTES?|INSCRI(?:CAO|COES|T[AO]S?)|IRREGULARIDADES?|TRIBUT\w+|FAZENDA|FAZENDARI[AO]|FISCAL|FISCO|COLETORIA)\b/

/** Words of a refusal: something does not exist, is missing, or must be done elsewhere. */
export const recusa =
  /\b(?:NAO|NENHUMA?|SEM|IMPED\w+|RESTRI\w+|PENDENCIAS?|IRREGULARIDADES?|INDEFERID[AO]|NEGAD[AO]|RECUSAD[AO]|SUSPENS[AO]|CANCELAD[AO]|PROCUR(?:E|AR)|COMPARE(?:CA|CER)|DIRIJA|DIRIGIR|REGULARIZ\w+|CONTATO|NECESSARI[AO]|SOMENTE|APENAS)\b/
