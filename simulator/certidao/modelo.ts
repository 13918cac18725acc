/** A text for each outcome that is put on paper. */
export type PorDesfecho = { negativa: string; positiva: string; efeitos: string }

/**
 * How a state prints a certificate. `# ` begins a centred bold line, `- ` a small one; names in braces are
 * filled in, and a line with an empty one is left out.
 */
export type Modelo = {
  /**
   * `{documento}` is masked, `{algarismos}` is not; dates are dd/mm/aaaa, `{extenso}` and
   * `{validadePorExtenso}` in words; `{hora}` has seconds, `{minuto}` none; `{sigla}` is MT's.
   * `{naoInscrito}` (MA) and `{rg}` (AP) are for those who are not registered.
   */
  linhas: readonly string[]
  /** Title and body by outcome. States that print no positive certificate have a layout for it, too. */
  titulo: PorDesfecho
  texto: PorDesfecho
}

/** Title and body in the order in which outcomes are named everywhere here. */
export function porDesfecho(negativa: string, positiva: string, efeitos: string): PorDesfecho {
  return { negativa, positiva, efeitos }
}

/** What differs between states that write the usual way. */
export type Usual = {
  orgao: string
  titulo: PorDesfecho
  conferencia: string
  /** The service's name in the header, which says "negativa" whatever the outcome. */
  servico?: string
}

/** The usual certificate. */
export function modeloUsual({ orgao, titulo, conferencia, servico }: Usual): Modelo {
  return {
    titulo,
    texto: TEXTO,
    linhas: [
      `# ${orgao}`,
      ...(servico ? [`- ${servico}`] : []),
      '# {titulo}',
      'Certidão nº: {numero}',
      '{tipo}: {documento}',
      'Nome/Razão Social: {nome}',
      'Inscrição Estadual: {inscricao}',
      '{texto}',
      'Emitida em: {emissao} às {hora}',
      'Válida até: {validade}',
      'Código de autenticidade: {codigo}',
      `- A autenticidade desta certidão pode ser conferida em ${conferencia}`,
      '- Certidão emitida gratuitamente. Qualquer rasura a torna nula.',
    ],
  }
}

const TEXTO = porDesfecho(
  'Certificamos que, até a presente data, não constam débitos de tributos estaduais em nome do requerente acima identificado, ressalvado o direito da Fazenda Pública de cobrar dívidas que venham a ser apuradas.',
  'Certificamos que constam débitos de tributos estaduais em nome do requerente acima identificado.',
  'Certificamos que os débitos em nome do requerente acima identificado estão com a exigibilidade suspensa, nos termos do art. 206 do Código Tributário Nacional: esta certidão produz os mesmos efeitos da negativa.',
)
