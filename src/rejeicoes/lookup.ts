import { ApiError } from '../platform/errors.ts'
import type { Catalogo } from './ler.ts'
import { resumida } from './lista.ts'
import type { Rejeicao, VerificacaoDoCatalogo } from './rejeicao.ts'
import { resultadoDe } from './textos.ts'
import type { Periodo } from './vigencia.ts'

/** An entry with all that the API tells of it. Throws REJEICAO_NAO_ENCONTRADA. */
export function detalheDe({ porCodigo }: Catalogo, codigo: number): Detalhe {
  const rejeicao = porCodigo.get(codigo)
  if (rejeicao) return detalhe(rejeicao)
  throw new ApiError(
    'REJEICAO_NAO_ENCONTRADA',
    resultadoDe(codigo) ??
      `O código ${codigo} não está no catálogo de rejeições. Confira o cStat que a SEFAZ devolveu; códigos de autorização e de resultado, como 100 e 138, não são rejeições.`,
  )
}

type Detalhe = ReturnType<typeof detalhe>

const detalhe = (rejeicao: Rejeicao) => ({
  ...resumida(rejeicao),
  causas: rejeicao.causas,
  solucao_passos: rejeicao.solucao_passos,
  exemplos: rejeicao.exemplos ?? [],
  onde_consultar: rejeicao.onde_consultar ?? [],
  verificacoes_analiticas: rejeicao.verificacoes_analiticas.map(verificacao),
  tipo: rejeicao.tipo,
  campos: rejeicao.campos,
  regras: rejeicao.regras,
  fontes: rejeicao.fontes,
  outro_significado: rejeicao.outro_significado,
})

/** A check without the notes of its pair, which its page shows. */
const verificacao = (one: VerificacaoDoCatalogo) => ({
  id: one.id,
  titulo: one.titulo,
  descricao: one.descricao,
  campos: one.campos,
  regra: one.regra,
  mensagem_falha: one.mensagem_falha,
  modelos: one.modelos ?? (['55', '65'] as const),
  escopo: one.escopo ?? '',
  quando: one.quando ?? null,
  exceto: one.exceto ?? [],
  dependencia: one.dependencia,
  aplicacao: one.aplicacao ?? ('obrigatoria' as const),
  vigencia: {
    ...periodo(one.vigencia),
    texto: one.vigencia?.texto ?? '',
    homologacao: periodo(one.vigencia?.homologacao ?? one.vigencia),
  },
  fonte: one.fonte,
})

const periodo = ({ de = '', de_talvez = '', ate = '', ate_talvez = '' }: Periodo = {}) => ({
  de,
  de_talvez,
  ate,
  ate_talvez,
})
