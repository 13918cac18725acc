import type { Marca } from './frase.ts'

const DOCUMENTO = '(?:CPF|CNPJ|CPF/CNPJ|CNPJ/CPF|CPF OU CNPJ|DOCUMENTO|INSCRICAO ESTADUAL|IE)'

/** What no certificate comes with, in the order in which it is looked for: the first that a page carries is what it means. */
export const naoResultados: readonly Marca[] = [
  {
    situacao: 'bloqueado',
    // GO and MT (WAF), PR (bot detection), and the firewalls of any site.
    se: /ACESSO NEGADO|POLITICAS? DE SEGURANCA|REQUISICAO (?:FOI )?BLOQUEADA|CONSULTAS AUTOMATIZADAS|REQUEST REJECTED|REQUESTED URL WAS REJECTED|ACCESS DENIED|JUST A MOMENT\b|CHECKING YOUR BROWSER|ATTENTION REQUIRED/,
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
      `\\b${DOCUMENTO}(?: (?:INFORMAD|DIGITAD)[AO])?(?: ESTA| E)? (?:INVALID[AO]|INCORRET[AO]|INCOMPLET[AO])\\b|\\bDIGITO VERIFICADOR (?:[A-Z/]+ ){0,4}(?:INVALIDO|INCORRETO|NAO CONFERE)`,
    ),
  },
  {
    situacao: 'pede-ie',
    // MA, and PA for a CNPJ that has one.
    se: /EMITIR PELA INSCRICAO ESTADUAL|EXISTE INSCRICAO ESTADUAL ATIVA PARA|\bINFORME A (?:IE|INSCRICAO ESTADUAL)\b/,
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
    se: /NO MOMENTO NAO PODEMOS ATENDER|INDISPONIVEL (?:NO|NESTE) MOMENTO|(?:SERVICO|SISTEMA|PORTAL|SITE|CONSULTA|EMISSAO) (?:[A-Z]+ ){0,3}(?:INDISPONIVEL|FORA DO AR)|(?:SISTEMA|SERVICO|PORTAL|SITE) EM MANUTENCAO|TENTE (?:NOVAMENTE )?MAIS TARDE|SERVICE UNAVAILABLE|\bERRO (?:INTERNO|INESPERADO|DE PROCESSAMENTO|N[OA] (?:SERVIDOR|SISTEMA|PROCESSAMENTO))\b|OCORREU UM ERRO|FALHA (?:INTERNA|DE COMUNICACAO|NA COMUNICACAO)/,
  },
  {
    situacao: 'processando',
    se: /(?:REQUERIMENTO|SOLICITACAO|PEDIDO|CERTIDAO) (?:[A-Z]+ )?(?:EM PROCESSAMENTO|SENDO PROCESSAD[AO]|EM ANDAMENTO|REGISTRAD[AO])/,
  },
]

/** Looked for last: MT's page that asks to wait has little more than this word, which its refusals have too. */
export const aguardando: Marca = {
  situacao: 'processando',
  se: /\bREQUERIMENTO\b(?!.{0,400}(?:INDEFERID|NEGAD[AO]|RECUSAD|NAO FOI POSSIVEL))/,
}

/** A form that wants more than it was given: it has not been asked yet. */
export const cobraCampo =
  /\b(?:CAMPO|PREENCHIMENTO) OBRIGATORIO|\b(?:INFORME|PREENCHA|SELECIONE|DIGITE|ESCOLHA) (?:O|A|OS|AS|UM|UMA)\b/

/** That there is none, without a word on debts. */
export const semCertidaoDita: Marca = {
  situacao: 'sem_certidao',
  se: /EXISTEM? PENDENCIAS?\b|NAO (?:FOI POSSIVEL|E POSSIVEL|PODE SER)(?: A)? (?:EMI|GERA)|CERTIDAO NAO (?:FOI )?(?:EMITIDA|GERADA|DISPONIVEL)|REQUERIMENTO (?:FOI )?(?:INDEFERIDO|NEGADO|RECUSADO)/,
}

/** A page may be the certificate itself; that it names one (every portal's heading does) says nothing. */
export const certifica = /\bCERTIFIC(?:A|O|AMOS|A-SE)\b/

/** AP says so of the PDF that it is about to give. */
export const geradoSemPendencia: Marca = { situacao: 'negativa', se: /\bGERAD[AO] SEM PENDENCIAS?\b/ }
