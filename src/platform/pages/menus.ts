import { icones } from './icones.ts'
import type { Html } from './web-html.ts'

type Entrada = { nome: string; caminho: string; icone: Html }

/** The menu of the pages that everybody sees. */
export const menuDoSite = {
  sefaz: { nome: 'SEFAZ', caminho: '/sefaz/', icone: icones.lugar },
  rejeicoes: { nome: 'Rejeições', caminho: '/blog/rejeicoes/', icone: icones.recusa },
  documentacao: { nome: 'Documentação', caminho: '/docs/', icone: icones.livro },
  referencia: { nome: 'Referência', caminho: '/documentacao', icone: icones.linhas },
  erros: { nome: 'Códigos de erro', caminho: '/erros', icone: icones.aviso },
} as const satisfies Record<string, Entrada>

/** The menu of the dashboard. */
export const menuDoPainel = {
  visao: { nome: 'Visão geral', caminho: '/painel/', icone: icones.casa },
  uso: { nome: 'Uso', caminho: '/painel/uso/', icone: icones.barras },
  registro: { nome: 'Registro', caminho: '/painel/registro/', icone: icones.linhas },
  experimentar: { nome: 'Experimentar', caminho: '/painel/experimentar/', icone: icones.seta },
  extrato: { nome: 'Extrato', caminho: '/painel/extrato/', icone: icones.folha },
  fontes: { nome: 'Fontes', caminho: '/painel/fontes/', icone: icones.antena },
  configuracoes: { nome: 'Configurações', caminho: '/painel/configuracoes/', icone: icones.chave },
  sefaz: menuDoSite.sefaz,
  rejeicoes: menuDoSite.rejeicoes,
  documentacao: menuDoSite.documentacao,
} as const satisfies Record<string, Entrada>

/** What a page may name as its entry. The way in stands beside the menu. */
export type EntradaDoMenu = keyof typeof menuDoSite | keyof typeof menuDoPainel | 'entrar'
