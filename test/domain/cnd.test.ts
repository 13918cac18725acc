import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { classifyCertidao, type OrigemDoTexto, type Situacao } from '../../src/domain/cnd/cnd.ts'

type Caso = [uf: string, texto: string, situacao: Situacao]

const MT_TITULO =
  'DE DÉBITOS RELATIVOS A CRÉDITOS TRIBUTÁRIOS E NÃO TRIBUTÁRIOS ESTADUAIS\nGERIDOS PELA PROCURADORIA-GERAL DO ESTADO E PELA SECRETARIA DE ESTADO DE FAZENDA'
const MT_CORPO =
  'CERTIFICAMOS que, até a data e hora em epígrafe, não consta, nas bases informatizadas e integradas ao sistema de processamento de dados da CND, pendência, em nome do sujeito passivo acima indicado.'
const GO_PE =
  'FUNDAMENTO LEGAL: a certidao de debito inscrito em divida ativa nao impede a cobranca de qualquer debito que venha a ser apurado.'

const certidoes: Caso[] = [
  ['AL', 'ESTADO DE ALAGOAS\nCERTIDÃO NEGATIVA\nde débitos', 'negativa'],
  ['AL', 'CERTIDÃO POSITIVA', 'positiva'],
  ['AL', 'CERTIDÃO POSITIVA COM EFEITO DE NEGATIVA', 'positiva_com_efeitos_de_negativa'],
  ['AM', 'CND - CERTIDÃO NEGATIVA DE DÉBITOS\nVálida até: 01/10/2026', 'negativa'],
  ['AM', 'CPD – CERTIDÃO POSITIVA DE DÉBITOS', 'positiva'],
  ['AM', 'CPN – CERTIDÃO POSITIVA COM EFEITOS DE NEGATIVA', 'positiva_com_efeitos_de_negativa'],
  [
    'BA',
    'Certidão de Débitos Tributários\nFica certificado que não constam, até a presente data, pendências de responsabilidade da pessoa',
    'negativa',
  ],
  [
    'BA',
    'Certidão de Débitos Tributários\nFica certificado que constam, até a presente data, pendências de responsabilidade',
    'positiva',
  ],
  [
    'BA',
    'Certidão Especial de Débitos Tributários\n(Positiva com efeito de Negativa)',
    'positiva_com_efeitos_de_negativa',
  ],
  ['DF', 'Certidão Negativa de Débitos', 'negativa'],
  ['DF', 'CERTIDÃO DE DÉBITOS\nPOSITIVA COM EFEITO DE NEGATIVA', 'positiva_com_efeitos_de_negativa'],
  ['ES', 'CERTIDÃO NEGATIVA DE DÉBITOS PARA COM A FAZENDA PÚBLICA ESTADUAL\nNÃO CONSTA DÉBITO', 'negativa'],
  ['ES', 'POSITIVA COM EFEITO de negativa', 'positiva_com_efeitos_de_negativa'],
  [
    'GO',
    `CERTIDAO DE DEBITO INSCRITO EM DIVIDA ATIVA - NEGATIVA\nDESPACHO (Certidao valida para a matriz e suas filiais):\nNAO CONSTA DEBITO\n${GO_PE}`,
    'negativa',
  ],
  [
    'GO',
    `CERTIDAO DE DEBITO EM DIVIDA ATIVA - POSITIVA\nDESPACHO:\nPOSSUI DEBITO INSCRITO NA DIVIDA ATIVA, RELATIVO A 3 PROCESSO(S)\n${GO_PE}`,
    'positiva',
  ],
  [
    'GO',
    `CERTIDAO DE DEBITO EM DIVIDA ATIVA - POSITIVA\nCOM EFEITO NEGATIVO (PARCELAMENTO)\n${GO_PE}`,
    'positiva_com_efeitos_de_negativa',
  ],
  [
    'MA',
    'CERTIDÃO NEGATIVA DE DÉBITO\nCERTIFICAMOS que não constam débitos relativos aos tributos estaduais, administrados por esta Secretaria',
    'negativa',
  ],
  [
    'MA',
    'CERTIDÃO NEGATIVA DE DÉBITO\nnão constam débitos relativos aos tributos estaduais. CPF/CNPJ não inscrito no cadastro de contribuintes',
    'negativa',
  ],
  ['MS', 'Certidão Negativa', 'negativa'],
  ['MS', 'Certidão Positiva com efeito de Negativa', 'positiva_com_efeitos_de_negativa'],
  ['MT', `CERTIDÃO NEGATIVA ${MT_TITULO}\nCND Nº 0064988861\n${MT_CORPO}`, 'negativa'],
  [
    'MT',
    `CERTIDÃO POSITIVA COM EFEITOS DE NEGATIVA ${MT_TITULO}\nCPEND Nº 0064988861`,
    'positiva_com_efeitos_de_negativa',
  ],
  ['PA', 'CERTIDÃO NEGATIVA DE NATUREZA TRIBUTÁRIA', 'negativa'],
  ['PA', 'CERTIDÃO NEGATIVA DE NATUREZA NÃO TRIBUTÁRIA', 'negativa'],
  ['PA', 'CERTIDÃO POSITIVA DE NATUREZA TRIBUTÁRIA', 'positiva'],
  [
    'PA',
    'CERTIDÃO POSITIVA COM EFEITO DE NEGATIVA DE NATUREZA TRIBUTÁRIA',
    'positiva_com_efeitos_de_negativa',
  ],
  [
    'PE',
    'CERTIDÃO DE REGULARIDADE FISCAL\nCertificamos que o contribuinte está em situação regular',
    'negativa',
  ],
  [
    'PE',
    'CERTIDÃO DE REGULARIDADE FISCAL\nCertidão positiva com efeitos de negativa',
    'positiva_com_efeitos_de_negativa',
  ],
  ['PE', 'CERTIDÃO DE IRREGULARIDADE FISCAL', 'positiva'],
  ['PR', 'Certidão Negativa\nde Débitos Tributários e de Dívida Ativa Estadual', 'negativa'],
  [
    'PR',
    'Certidão Positiva com Efeitos de Negativa\nde Débitos Tributários e de Dívida Ativa Estadual',
    'positiva_com_efeitos_de_negativa',
  ],
  [
    'PR',
    'Certidão de Débitos Tributários e de Dívida Ativa Estadual\nCertidão Positiva com Efeitos de Negativa',
    'positiva_com_efeitos_de_negativa',
  ],
  [
    'RJ',
    'CERTIDÃO DE REGULARIDADE FISCAL\nCERTIFICO que não constam débitos perante a Receita Estadual',
    'negativa',
  ],
  [
    'RJ',
    'CERTIDÃO DE REGULARIDADE FISCAL - POSITIVA COM EFEITOS DE NEGATIVA',
    'positiva_com_efeitos_de_negativa',
  ],
  ['RS', 'Certidão de Situação Fiscal nº 123\nCERTIDÃO NEGATIVA', 'negativa'],
  ['RS', 'Certidão de Situação Fiscal nº 123\nCERTIDÃO POSITIVA', 'positiva'],
  [
    'RS',
    'Certidão de Situação Fiscal nº 123\nCERTIDÃO POSITIVA COM EFEITOS DE NEGATIVA',
    'positiva_com_efeitos_de_negativa',
  ],
  ['SC', 'CERTIDÃO NEGATIVA DE DÉBITOS ESTADUAIS', 'negativa'],
  ['SC', 'CERTIDÃO POSITIVA COM EFEITOS DE NEGATIVA', 'positiva_com_efeitos_de_negativa'],
  [
    'SP',
    'Débitos Tributários Não Inscritos na Dívida Ativa do Estado de São Paulo\nnão constam débitos declarados ou apurados pendentes de inscrição na Dívida Ativa',
    'negativa',
  ],
]

const mensagens: Caso[] = [
  ['AP', 'Documento gerado sem pendência', 'negativa'],
  ['AP', 'Contribuinte com débito', 'positiva'],
  ['AP', 'Inexistente', 'nao_contribuinte'],
  ['DF', 'Certidão Negativa de Débitos. Constam débitos em nome do contribuinte.', 'positiva'],
  ['ES', 'Não foi possível emitir certidão negativa', 'positiva'],
  ['ES', 'O contribuinte possui débito', 'positiva'],
  ['ES', 'CNPJ inválido', 'documento-invalido'],
  ['ES', 'CPF/CNPJ incompleto', 'documento-invalido'],
  ['ES', 'Complete a verificação', 'captcha'],
  ['ES', 'Verificação de segurança inválida', 'captcha-errado'],
  ['GO', 'Acesso Negado. Por política de segurança sua requisição foi bloqueada', 'bloqueado'],
  ['MA', 'Este CPF/CNPJ é devedor.', 'positiva'],
  [
    'MA',
    'Existe Inscrição Estadual ativa para este CPF/CNPJ. Favor emitir pela Inscrição Estadual',
    'pede-ie',
  ],
  ['MA', 'Existe pendência de IPVA ou de Auto de IPVA.', 'sem_certidao'],
  ['MA', 'Código da imagem inválido.', 'captcha-errado'],
  ['MS', 'O Texto digitado não confere com a Imagem', 'captcha-errado'],
  ['MS', 'Existem débitos em nome do requerente', 'positiva'],
  ['MS', 'Documento sem inscrição', 'nao_contribuinte'],
  ['MT', 'As informações não são suficientes para que se considere sua situação regular', 'positiva'],
  ['MT', 'Não foi possível emitir a sua certidão negativa', 'positiva'],
  ['MT', 'CNPJ inválido', 'documento-invalido'],
  ['MT', 'O documento informado está incorreto', 'documento-invalido'],
  ['MT', 'Acesso negado pela política de segurança', 'bloqueado'],
  ['MT', 'REQUERIMENTO', 'processando'],
  ['MT', 'Requerimento indeferido', 'sem_certidao'],
  ['PA', 'Para este CNPJ informe a IE', 'pede-ie'],
  ['PE', 'Certidão não emitida', 'sem_certidao'],
  ['PE', 'Nenhum registro encontrado', 'sem_certidao'],
  ['PI', 'Solicitação registrada com sucesso', 'processando'],
  ['PR', 'CPF inválido', 'documento-invalido'],
  ['PR', 'Seu computador ou rede pode estar enviando consultas automatizadas', 'bloqueado'],
  ['PR', 'Existem pendências', 'positiva'],
  ['RJ', 'Certidão não emitida', 'sem_certidao'],
  ['SC', 'O contribuinte possui pendências junto à Fazenda', 'positiva'],
  ['SP', 'Há débitos pendentes; solicite a certidão pelo SIPET', 'positiva'],
  ['SP', 'Serviço disponível nos dias úteis das 06:00 às 21:00', 'fechado'],
  ['TO', 'Foram encontrados débitos', 'positiva'],
  ['TO', 'Contribuinte com pendência', 'positiva'],
  ['qualquer', 'No momento não podemos atender a sua solicitação', 'indisponivel'],
  ['qualquer', 'Sistema temporariamente indisponível', 'indisponivel'],
  ['qualquer', 'Contribuinte não inscrito', 'nao_contribuinte'],
  ['qualquer', 'Nenhum contribuinte encontrado', 'nao_contribuinte'],
  ['qualquer', 'Sua sessão foi encerrada por inatividade', 'sessao-expirada'],
  ['qualquer', 'Sequência de caracteres incorreta.', 'captcha-errado'],
  ['qualquer', 'CPF/CNPJ não cadastrado', 'nao_contribuinte'],
  ['qualquer', 'Não é contribuinte do ICMS', 'nao_contribuinte'],
  ['qualquer', 'Não foi possível emitir a certidão pela internet', 'sem_certidao'],
  ['qualquer', 'Não foi possível emitir Certidão Negativa de Débitos pela internet', 'sem_certidao'],
  ['qualquer', 'Compareça a uma agência fazendária', 'sem_certidao'],
]

const armadilhas: [porque: string, texto: string, origem: OrigemDoTexto, situacao: Situacao][] = [
  ['a debt that is denied is none', 'Certidão\nNão consta débito', 'pdf', 'negativa'],
  [
    'a debt denied across a clause is none',
    'Certidão\nnão constam, em nome de FULANO S.A., débitos',
    'pdf',
    'negativa',
  ],
  [
    'a denial of something else denies no debt',
    'Certidão\nNão consta pagamento. Constam débitos',
    'pdf',
    'positiva',
  ],
  [
    'a denial does not reach into the next sentence',
    'Não consta inscrição. Existem débitos',
    'pagina',
    'positiva',
  ],
  [
    'the name of the service is no outcome',
    'Emissão de Certidão Negativa de Débitos',
    'pagina',
    'sem_certidao',
  ],
  [
    'the name of the service does not hide a debt',
    'Certidão Negativa de Débitos Possui débito inscrito',
    'pagina',
    'positiva',
  ],
  [
    'a certificate that a message names is no debt',
    'Consta uma Certidão Negativa de Débitos vigente',
    'pagina',
    'sem_certidao',
  ],
  ['the menu of outcomes is no outcome', 'Certidão Positiva Certidão Negativa', 'pagina', 'sem_certidao'],
  [
    'what happens if there are debts is no debt',
    'Se existem débitos, procure a agência',
    'pagina',
    'sem_certidao',
  ],
  [
    'a title of the service with debts in the body is not understood',
    'CERTIDÃO NEGATIVA DE DÉBITOS\nO contribuinte é devedor',
    'pdf',
    'nao-entendido',
  ],
  [
    'legal notes about the other kind change nothing',
    `CERTIDÃO NEGATIVA DE DÉBITOS\n${MT_CORPO}\nA Certidão Positiva com Efeitos de Negativa tem validade de 60 dias`,
    'pdf',
    'negativa',
  ],
  [
    'the effects may be named the wrong way round',
    'Certidão Negativa com efeito de Positiva',
    'pdf',
    'positiva_com_efeitos_de_negativa',
  ],
  [
    'a comma before the effects changes nothing',
    'CERTIDÃO POSITIVA, COM EFEITOS DE NEGATIVA',
    'pdf',
    'positiva_com_efeitos_de_negativa',
  ],
  ['irregularity holds regularity, and is not it', 'Certidão de Irregularidade', 'pdf', 'positiva'],
  ['a PDF without an outcome is never a guess', 'Recibo de pagamento', 'pdf', 'nao-entendido'],
  [
    'debts not inscribed are not a taxpayer not inscribed',
    'Débitos não inscritos na dívida ativa',
    'pagina',
    'sem_certidao',
  ],
  ['a session that does not exist is no taxpayer', 'Sessão inexistente', 'pagina', 'sem_certidao'],
  ['a user who is not registered is no taxpayer', 'Usuário não cadastrado', 'pagina', 'sem_certidao'],
  ['debts that do not exist are no debts', 'Certidão\nInexistem débitos', 'pdf', 'negativa'],
  [
    'an HTML page may be the certificate',
    'CERTIDÃO NEGATIVA DE DÉBITOS\nCERTIFICO que não constam débitos',
    'pagina',
    'negativa',
  ],
  ['a long page without a known phrase is not understood', 'menu '.repeat(300), 'pagina', 'nao-entendido'],
  ['the title of an empty box is not understood', 'Atenção', 'pagina', 'nao-entendido'],
  [
    'a form that still wants a field has not been asked',
    'Selecione o tipo de documento',
    'pagina',
    'nao-entendido',
  ],
  ['an empty page is not understood', ' \n ', 'pagina', 'nao-entendido'],
]

describe('the outcome of a certificate', () => {
  for (const [uf, texto, situacao] of certidoes)
    test(`${uf}: "${texto.replace(/\n/g, ' / ').slice(0, 70)}" is ${situacao}`, () =>
      assert.equal(classifyCertidao(texto, 'pdf').situacao, situacao))
})

describe('the outcome of a message', () => {
  for (const [uf, texto, situacao] of mensagens)
    test(`${uf}: "${texto}" is ${situacao}`, () =>
      assert.equal(classifyCertidao(texto, 'pagina').situacao, situacao))
})

describe('the traps', () => {
  for (const [porque, texto, origem, situacao] of armadilhas)
    test(porque, () => assert.equal(classifyCertidao(texto, origem).situacao, situacao))

  test('a state whose prose is the same in all outcomes is read by title and order alone', () => {
    const titulo = /CERTIDAO DE DEBITO (?:INSCRITO )?EM DIVIDA ATIVA - (?:NEGATIVA|POSITIVA)|DESPACHO.{0,120}/
    const nota = 'Observacoes: quem possui debito pode parcelar, com efeito negativo'.padStart(300, '.')
    const text = `CERTIDAO DE DEBITO INSCRITO EM DIVIDA ATIVA - NEGATIVA\nDESPACHO: NAO CONSTA DEBITO ${nota}`
    assert.equal(classifyCertidao(text, 'pdf', titulo).situacao, 'negativa')
    assert.equal(classifyCertidao('CERTIDAO NEGATIVA', 'pdf', titulo).situacao, 'nao-entendido')
  })

  test('the words that decided come back as they were written', () => {
    assert.deepEqual(classifyCertidao('Aviso:\n este CPF/CNPJ  é devedor.', 'pagina'), {
      situacao: 'positiva',
      frase: 'é devedor',
    })
  })
})

test('accents, case and line breaks between words change no outcome', () => {
  const todos = [
    ...certidoes.map(([, texto]) => ({ texto, origem: 'pdf' as const })),
    ...mensagens.map(([, texto]) => ({ texto, origem: 'pagina' as const })),
  ]
  const bare = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '')
  const writings = [
    (text: string) => bare(text),
    (text: string) => text.toUpperCase(),
    (text: string) => text.normalize('NFD'),
    (text: string) => text.replace(/ /g, '  '),
    (text: string) => text.replace(/ /g, '\u00a0'),
    (text: string) => text.replace(/ /g, ' \r\n'),
    (text: string) => `\n ${text}\t`,
  ]
  fc.assert(
    fc.property(
      fc.constantFrom(...todos),
      fc.subarray(writings.slice(0, 5)),
      fc.boolean(),
      ({ texto, origem }, chosen, broken) => {
        const other = chosen.reduce((text, write) => write(text), texto)
        // A title is told by its lines: only messages are broken anywhere.
        const last = broken && origem === 'pagina' ? other.replace(/ /g, '\n') : other
        const { situacao } = classifyCertidao(texto, origem)
        assert.equal(classifyCertidao(last, origem).situacao, situacao)
      },
    ),
    { numRuns: 500 },
  )
})

test('no text makes the reading fail, or slow', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom(
          'NÃO CONSTA',
          'DÉBITO',
          'CERTIDÃO',
          ',',
          '.',
          'A',
          'POSSUI',
          '\n',
          'É',
          'REQUERIMENTO',
        ),
        { maxLength: 3000 },
      ),
      (words) => {
        classifyCertidao(words.join(' '), 'pdf')
        classifyCertidao(words.join(' '), 'pagina')
      },
    ),
    { numRuns: 50 },
  )
})
