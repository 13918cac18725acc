import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { SituacaoDita } from '../../src/portal/rules-certidao.ts'
import { classifyCertidao } from '../../src/portal/rules-certidao.ts'

type Caso = [uf: string, texto: string, situacao: SituacaoDita]

const mensagens: Caso[] = [
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

/** Real sentences, from images of 2020 and from code of 2022 to 2026. */
const reais: Caso[] = [
  ['AP', 'Não foi possível atender a sua solicitação. Favor comparecer a repartição fiscal.', 'positiva'],
  [
    'PA',
    'O CNPJ possui inscrição ativa. Para emissão de certidão para este CNPJ será necessário que seja informado a Inscrição Estadual.',
    'pede-ie',
  ],
  ['PA', 'Atenção: não existe nenhuma certidão para esta identificação.', 'sem_certidao'],
  [
    'PA',
    'Prezado contribuinte, não foi possível emitir a certidão em razão da existência de pendências no sistema da Secretaria da Fazenda.',
    'positiva',
  ],
  ['PA', 'Este campo é requerido.', 'formulario-errado'],
  ['BA', 'Preencha apenas um dos campos no formulário', 'formulario-errado'],
  ['BA', 'Não foi possível obter os dados do contribuinte informado!', 'nao-entendido'],
  [
    'CE',
    'Não foi possível emitir a certidão para esse CNPJ. Procure o Núcleo de Execução da Administração Fazendária mais próximo',
    'sem_certidao',
  ],
  ['TO', 'CNPJ Inválido!', 'documento-invalido'],
  ['TO', 'Favor procurar Coletoria Estadual!', 'positiva'],
  ['TO', 'Imprimir CND', 'nao-entendido'],
  [
    'SP',
    'Não foi possível emitir a Certidão Negativa. Favor dirigir-se ao seu Posto Fiscal. Endereços na página.',
    'positiva',
  ],
  ['MA', 'Esta empresa é devedora.', 'positiva'],
  ['MA', 'Inscrição Estadual 12.345.678-9 inválida.', 'documento-invalido'],
  ['PR', 'não podemos processar sua solicitação', 'bloqueado'],
  ['MG', '(Clique aqui para informar endereço)', 'sem-endereco'],
  ['PE', 'Clique aqui para visualizar/imprimir o documento (v)', 'emitida'],
  ['RN', 'Certidão emitida!', 'emitida'],
  ['RN', 'Captcha inválido: tente novamente!', 'captcha-errado'],
  ['RN', 'CNPJ Inválido', 'documento-invalido'],
  ['RN', 'Documento inválido', 'documento-invalido'],
  ['RN', 'Informe IE, CPF ou CNPJ válido', 'documento-invalido'],
  ['RN', 'PGE Por favor tente mais tarde', 'indisponivel'],
  ['RN', 'Carregando...', 'nao-entendido'],
  ['RN', 'Certidão não emitida para CNPJ: 11.222.333/0001-81', 'sem_certidao'],
  [
    'RN',
    'Certidão não emitida para CNPJ: 11.222.333/0001-81 Motivo da não emissão: débitos em aberto',
    'positiva',
  ],
  [
    'RN',
    'O contribuinte tem mais de 100 CNPJs relacionados. Informe um e-mail para receber a certidão. Gerar Certidão',
    'por-email',
  ],
]

const deDivida: Caso[] = [
  ['qualquer', 'O contribuinte encontra-se com débitos', 'positiva'],
  ['qualquer', 'O contribuinte se encontra com débitos', 'positiva'],
  ['qualquer', 'O contribuinte não se encontra com débitos', 'nao-entendido'],
  ['qualquer', 'Identificamos débitos em nome do requerente', 'positiva'],
  ['qualquer', 'Não identificamos débitos em nome do requerente', 'nao-entendido'],
  ['qualquer', 'Débito(s) encontrado(s)', 'positiva'],
  ['qualquer', 'Foram encontrado(s) débito(s)', 'positiva'],
  ['qualquer', 'Débitos não encontrados', 'nao-entendido'],
  ['qualquer', 'Contribuinte em débito com a Fazenda', 'positiva'],
  ['qualquer', 'O contribuinte não está em débito com a Fazenda', 'nao-entendido'],
  ['qualquer', 'Contribuinte devedor', 'positiva'],
  ['qualquer', 'O contribuinte não é devedor', 'nao-entendido'],
  ['qualquer', 'O contribuinte não pagou e é devedor', 'positiva'],
  ['qualquer', 'Consta como devedora', 'positiva'],
  ['qualquer', 'Não consta como devedora', 'nao-entendido'],
  ['qualquer', 'Tipo do devedor', 'nao-entendido'],
  ['qualquer', 'Não é possível emitir certidão de regularidade pela internet', 'sem_certidao'],
  ['qualquer', 'Total de débitos: 3', 'positiva'],
  ['qualquer', 'Total de débitos: 0', 'nao-entendido'],
  ['qualquer', 'Possui débitos? NÃO', 'nao-entendido'],
  ['qualquer', 'Débitos em aberto: R$ 1.234,56', 'positiva'],
  ['qualquer', 'O contribuinte não está quite com a Fazenda', 'positiva'],
  ['qualquer', 'Existem irregularidades cadastrais', 'sem_certidao'],
  ['qualquer', 'Empresa inadimplente com o fisco', 'positiva'],
  ['qualquer', 'O requerente não está inadimplente', 'nao-entendido'],
  ['qualquer', 'O contribuinte não possui situação regular em razão de débitos', 'positiva'],
  ['qualquer', 'Não constam débitos de ICMS. Constam débitos de IPVA.', 'nao-entendido'],
]

/** These sentences come from a server. They are a failure of the source, so nobody pays for them. */
const doServidor: Caso[] = [
  ['502', 'Bad Gateway', 'indisponivel'],
  ['502', '502 Bad Gateway nginx', 'indisponivel'],
  ['504', '504 Gateway Time-out', 'indisponivel'],
  ['404', 'Page not found', 'indisponivel'],
  ['404', '404 Not Found', 'indisponivel'],
  ['404', 'Página não encontrada', 'indisponivel'],
  ['500', "Server Error in '/CertidaoNegativa' Application. Runtime Error", 'indisponivel'],
  ['500', 'HTTP Status 500 – Internal Server Error', 'indisponivel'],
  ['500', 'java.lang.NullPointerException', 'indisponivel'],
  ['200', 'Erro ao gerar o relatório', 'indisponivel'],
  ['200', 'Aguarde, carregando', 'nao-entendido'],
  ['200', 'Nenhum registro encontrado', 'nao-entendido'],
  ['200', 'Habilite o JavaScript do seu navegador', 'nao-entendido'],
  ['200', 'Seja bem-vindo ao portal de serviços', 'nao-entendido'],
]

for (const [nome, casos] of Object.entries({ mensagens, reais, deDivida, doServidor }))
  describe(`the outcome of a message: ${nome}`, () => {
    for (const [uf, texto, situacao] of casos)
      test(`${uf}: "${texto}" is ${situacao}`, () =>
        assert.equal(classifyCertidao(texto, 'pagina').situacao, situacao))
  })
