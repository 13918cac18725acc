/** The words by which a text on debts is understood, in capitals and without accents. */
const words = (...lists: string[]): ReadonlySet<string> => new Set(lists.join(' ').split(/\s+/))

/** What there is or is not; `MOTIVO` and its like are beside them, in `CAUSA`. */
export const TER = words(
  'CONSTA CONSTAM CONSTAR CONSTARAM CONSTEM CONSTE CONSTOU POSSUI POSSUEM POSSUIR POSSUA POSSUAM POSSUINDO',
  'EXISTE EXISTEM EXISTIR EXISTIREM EXISTA EXISTAM EXISTINDO HA HAJA HAVER HAVENDO HOUVER HOUVE TEM TENHA TER',
  'APRESENTA APRESENTAM APRESENTOU APRESENTAR REGISTRA REGISTRAM ACUSA ACUSAM',
  'ENCONTRAMOS ENCONTROU IDENTIFICAMOS IDENTIFICA IDENTIFICOU LOCALIZAMOS LOCALIZOU CONSTATA CONSTATAM',
  'CONSTATAMOS CONSTATOU VERIFICA VERIFICAMOS VERIFICOU DETECTAMOS DETECTOU',
)

/** Forms in which something is supposed, not said. */
export const SUPOSTO = words(
  'CONSTEM CONSTE POSSUA POSSUAM EXISTIREM EXISTA EXISTAM EXISTINDO HAJA HAVENDO HOUVER TENHA',
)

/** Participles: of a debt beside them, or after `foram`. */
export const ACHADO = words(
  'ENCONTRADO ENCONTRADOS ENCONTRADA ENCONTRADAS IDENTIFICADO IDENTIFICADOS IDENTIFICADA IDENTIFICADAS',
  'LOCALIZADO LOCALIZADOS LOCALIZADA LOCALIZADAS CONSTATADO CONSTATADOS CONSTATADA CONSTATADAS',
  'DETECTADO DETECTADOS DETECTADA DETECTADAS VERIFICADO VERIFICADOS VERIFICADA VERIFICADAS',
)
export const AUXILIAR = words('FOI FORAM SIDO SENDO')

/** `É devedor`, `encontra-se em débito`. */
export const ESTAR = words('E SAO ESTA ESTAO ESTEJA ENCONTRA ENCONTRAM FIGURA FIGURAM PERMANECE SEJA')

export const DIVIDA = words('DEBITO DEBITOS DIVIDA DIVIDAS PENDENCIA PENDENCIAS INADIMPLENCIA SALDO')

/** What a pendency is of where it is no debt (MA: IPVA). */
export const OUTRA_PENDENCIA = /^(?:AUTOS?|IPVA|CADASTR.*|DOCUMENT.*|ENTREGAS?|DECLARA.*)$/

/** What is said to be pending or owed where a register of that name is meant only beside one of these. */
export const INSCRITO = words(
  'INSCRICAO INSCRICOES INSCRITO INSCRITOS INSCRITA INSCRITAS PROCESSO PROCESSOS REGISTRO REGISTROS CDA',
)

export const DEVEDOR = words('DEVEDOR DEVEDORA DEVEDORES INADIMPLENTE INADIMPLENTES')
export const IRREGULAR = words('IRREGULAR IRREGULARES')

/** Before these, a debtor or what is irregular is named and nobody is called so, where no verb says it. */
export const NOMEIA = words(
  'O A OS AS DO DA DOS DAS DE AO AOS PELO PELOS TIPO NOME CODIGO CADASTRO LISTA CREDOR CREDORA CREDORES OU SALDO',
  'USO UTILIZACAO FORMA MANEIRA MODO EMISSAO ALTERACAO',
)

/** Between a denial and its verb. */
export const ENTRE_NAO = words('SE MAIS LHE - FOI FORAM SIDO TER HAVER SER')

/** Between a noun and what rules it. */
export const QUANTIFICA = words(
  'DE QUAISQUER QUALQUER OUTRO OUTROS OUTRAS OS AS O A SEUS SUAS ALGUM ALGUMA MAIS',
)

export const NEGA_VERBO = words('NAO NEM NADA NUNCA')
export const NEGA_NOME = words('SEM NENHUM NENHUMA')
export const INEXISTE = words('INEXISTE INEXISTEM INEXISTENCIA INEXISTIR INEXISTINDO AUSENCIA')

export const FIM = words('. ; ! ?')
export const ADVERSATIVA = words('MAS POREM CONTUDO TODAVIA ENTRETANTO')
export const EXCECAO = words('EXCETO SALVO EXCETUADO EXCETUADOS EXCETUADAS EXCECAO ALEM')
export const CONDICAO = words('CASO QUANDO')

/** `Se constam` asks whether; `se encontra` does not. */
export const SE_E_CONDICAO = words(
  'CONSTA CONSTAM CONSTAR CONSTAREM POSSUI POSSUIR EXISTE EXISTEM EXISTIR EXISTIREM HA HOUVER TEM TIVER APRESENTA FOR',
)

/** "Não foi possível …, em razão de débitos." */
export const CAUSA = words('RAZAO VIRTUDE DEVIDO MOTIVO CAUSA FACE PORQUE POIS POR')

/** What may stand between a denied verb and the debt that it denies: its determiners, or an adverbial of any words. */
export const DETERMINA = words('NENHUM NENHUMA REGISTRO REGISTROS INSCRICAO INSCRICOES SEQUER')
export const ABRE_ADVERBIO = words(
  ', ( - EM NO NA NOS NAS ATE CONTRA JUNTO PERANTE PARA NESTA NESTE PELO PELA ATUALMENTE',
)

/** What may be lacking, and the debt then is there. */
export const FALTA = words('PAGAMENTO PAGAMENTOS QUITACAO RECOLHIMENTO RECOLHIMENTOS BAIXA')

/** Before these a debt is one that may yet come, or one of a law. */
export const EVENTUAL = words(
  'COBRAR INSCREVER APURAR LANCAR EXIGIR DE DOS DAS DO DA A AOS AO OS AS QUAISQUER QUALQUER EVENTUAIS OUTROS NOVOS PARA E OU',
)
export const EM_ABERTO = words('EXISTENTE EXISTENTES VENCIDO VENCIDOS PENDENTE PENDENTES ABERTO ATRASO')
export const PULA = words('FOI FORAM SIDO - , EM AINDA JA NAO')

/** Their full stop ends no sentence. */
export const ABREVIADO = words('ART ARTS INC LTDA CIA NR AV DR DRA SR PAR')
