import { abrirConfiguracoes } from '../painel/configuracoes.ts'
import { abrirExperimentar } from '../painel/experimentar.ts'
import { abrirExtrato } from '../painel/extrato.ts'
import type { AbrirSala } from '../painel/painel.ts'
import { abrirFontes } from '../painel/painel-fontes.ts'
import { abrirRegistro } from '../painel/painel-registro.ts'
import { abrirUso } from '../painel/painel-uso.ts'
import { abrirVisao } from '../painel/painel-visao.ts'

/** The rooms of the dashboard, by the prefix of their addresses behind `/painel`. */
export const salas: Readonly<Record<string, AbrirSala>> = {
  '': abrirVisao,
  '/experimentar': abrirExperimentar,
  '/configuracoes': abrirConfiguracoes,
  '/extrato': abrirExtrato,
  '/fontes': abrirFontes,
  '/registro': abrirRegistro,
  '/uso': abrirUso,
}
