import type { AbrirSala } from './painel.ts'
import { abrirConfiguracoes } from './painel-configuracoes.ts'
import { abrirExperimentar } from './painel-experimentar.ts'
import { abrirExtrato } from './painel-extrato.ts'
import { abrirFontes } from './painel-fontes.ts'
import { abrirRegistro } from './painel-registro.ts'
import { abrirUso } from './painel-uso.ts'
import { abrirVisao } from './painel-visao.ts'

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
