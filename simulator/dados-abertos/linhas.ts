import { mix } from '../documento/aleatorio.ts'
import { dvCnpj, maskCpf, pickCpf } from '../documento/documento.ts'
import { type Empresa, empresa, type Plano, type Tipo } from './plano.ts'

/** A person's name, upper case, no accents: one or two first names and one to three surnames. */
export function nomeDePessoa({ vocabulario: v, aleatorio: a }: Plano): string {
  let nome = v.prenome(a)
  if (a.chance(0.42)) nome += ` ${v.prenome(a)}`
  if (a.chance(0.3)) nome += ` ${v.sobrenome(a)}`
  nome += a.chance(0.35) ? ` ${PARTICULAS[a.ate(4)]} ${v.sobrenome(a)}` : ` ${v.sobrenome(a)}`
  if (a.chance(0.35)) nome += ` ${v.sobrenome(a)}`
  return nome
}

const PARTICULAS = ['DE', 'DA', 'DOS', 'DO'] as const

function nomeDeNegocio({ vocabulario: v, aleatorio: a }: Plano): string {
  const forma = a.ate(5)
  if (forma === 0) return `${v.rara(a)} ${v.ramo(a)} E ${v.ramo(a)}`
  if (forma === 1) return `${v.sobrenome(a)} & ${v.sobrenome(a)} ${v.ramo(a)}`
  if (forma === 2) return `${v.ramo(a)} ${v.fantasia(a)} ${v.fantasia(a)}`
  if (forma === 3) return `${v.rara(a)} ${v.ramo(a)} DE ${v.ramo(a)}`
  return `${v.prenome(a)} ${v.sobrenome(a)} ${v.ramo(a)}`
}

/** A day as AAAAMMDD, `anos` years at most before the extraction, recent days likelier. */
function dataPassada({ aleatorio: a, hoje }: Plano, anos: number): string {
  const u = a.ate(1_000_000) / 1_000_000
  const ano = hoje.ano - 1 - Math.floor(anos * u * u * u)
  const mes = 1 + a.ate(12)
  const dia = 1 + a.ate(28)
  return String(ano * 10_000 + mes * 100 + dia)
}

const NATUREZA: Record<Tipo, string> = {
  mei: '2135',
  individual: '2135',
  limitada: '2062',
  anonima: '2054',
  associacao: '3999',
  condominio: '3085',
}
const RESPONSAVEL: Record<Tipo, string> = {
  mei: '50',
  individual: '50',
  limitada: '49',
  anonima: '10',
  associacao: '16',
  condominio: '19',
}

export function camposDeEmpresa(plano: Plano, empresa: Empresa): string[] {
  const { aleatorio: a, vocabulario: v } = plano
  a.seed(empresa.numero, 1)
  const { tipo } = empresa
  const capital = a.chance(0.85)
    ? v.capital(a)
    : `${a.ate(900_000) + 100},${String(a.ate(100)).padStart(2, '0')}`
  const porte = tipo === 'mei' ? '01' : a.chance(0.6) ? '01' : a.chance(0.08) ? '03' : '05'
  return [empresa.raiz, razaoSocial(plano, empresa), NATUREZA[tipo], RESPONSAVEL[tipo], capital, porte, '']
}

/** Sole traders carry a CPF at the end or the root at the start, as most rows of the official dump do. */
function razaoSocial(plano: Plano, { tipo, raiz }: Empresa): string {
  const { aleatorio: a } = plano
  if (tipo === 'mei' || tipo === 'individual') {
    const nome = nomeDePessoa(plano)
    if (a.chance(0.18)) return `${raiz.slice(0, 2)}.${raiz.slice(2, 5)}.${raiz.slice(5)} ${nome}`
    return tipo === 'mei' || a.chance(0.5) ? `${nome} ${pickCpf(a)}` : nome
  }
  if (tipo === 'condominio')
    return `CONDOMINIO EDIFICIO ${plano.vocabulario.fantasia(a)} ${plano.vocabulario.rara(a)}`
  if (tipo === 'associacao')
    return `ASSOCIACAO DE ${plano.vocabulario.ramo(a)} ${plano.vocabulario.bairro(a)}`
  if (tipo === 'anonima') return `${nomeDeNegocio(plano)} S/A`
  return `${nomeDeNegocio(plano)} LTDA${a.chance(0.12) ? ' - ME' : ''}`
}

/** Four digits, with letters after 9999 and in alphanumeric roots; 0 is the head office. */
function ordemDoEstabelecimento({ raiz }: Empresa, indice: number): string {
  if (indice > 0 && /[A-Z]/.test(raiz) && indice % 2 === 1)
    return `0${(370 + indice).toString(36).toUpperCase()}A`.slice(-4).padStart(4, '0')
  return indice < 9999
    ? String(indice + 1).padStart(4, '0')
    : (indice - 9999 + 466_560).toString(36).toUpperCase().padStart(4, '0')
}

/** The 30 fields of an establishment's row; `indice` counts the company's establishments from 0. */
export function camposDeEstabelecimento(plano: Plano, empresa: Empresa, indice: number): string[] {
  const { aleatorio: a, vocabulario: v } = plano
  a.seed(empresa.numero, 1000 + indice)
  const ordem = ordemDoEstabelecimento(empresa, indice)
  const dv = dvCnpj(empresa.raiz + ordem)
  const [situacao, motivo] = situacaoEMotivo(plano)
  const inicio = dataPassada(plano, 58)
  const data =
    situacao === '02' ? inicio : dataPassada(plano, plano.hoje.ano - 1 - Number(inicio.slice(0, 4)))
  const fantasia = a.chance(0.5) ? nomeFantasia(plano) : ''
  return [
    empresa.raiz,
    ordem,
    dv,
    indice === 0 ? '1' : '2',
    fantasia,
    situacao,
    data,
    motivo,
    '',
    '',
    inicio,
    v.cnae(a),
    secundarios(plano),
    ...endereco(plano),
    ...contatos(plano),
    '',
    '',
  ]
}

function situacaoEMotivo({ aleatorio: a }: Plano): [string, string] {
  const p = a.ate(1000)
  if (p < 384) return ['02', '00']
  if (p < 860) return ['08', a.chance(0.7) ? '01' : '73']
  if (p < 980) return ['04', '63']
  return p < 995 ? ['03', '67'] : ['01', '11']
}

/** 46 % have secondary activities, 3.6 on average. */
function secundarios({ aleatorio: a, vocabulario: v }: Plano): string {
  if (!a.chance(0.46)) return ''
  let lista = v.cnae(a)
  while (lista.length < 500 && a.chance(0.722)) lista += `,${v.cnae(a)}`
  return lista
}

function nomeFantasia(plano: Plano): string {
  const { aleatorio: a, vocabulario: v } = plano
  const forma = a.ate(4)
  if (forma === 0) return `${v.ramo(a)} ${v.fantasia(a)}`
  if (forma === 1) return `${v.prenome(a)} ${v.ramo(a)}`
  if (forma === 2) return `${v.fantasia(a)} ${v.rara(a)} ${v.ramo(a)}`
  return `${v.ramo(a)} ${v.sobrenome(a)} ${v.fantasia(a)}`
}

function endereco(plano: Plano): string[] {
  const { aleatorio: a, vocabulario: v } = plano
  const { tom, uf } = v.municipio(a)
  const logradouro = a.chance(0.3) ? nomeDePessoa(plano) : v.logradouro(a)
  const numero = a.chance(0.1) ? 'S/N' : String(1 + a.ate(a.chance(0.7) ? 1200 : 9000))
  const cep =
    String((CEP[uf] ?? 1) * 1000 + (Number(tom) % 90) * 10 + a.ate(10)).padStart(5, '0') +
    CEP_FINAIS[a.ate(CEP_FINAIS.length)]
  return [v.tipoLogradouro(a), logradouro, numero, complemento(plano), v.bairro(a), cep, uf, tom]
}

function complemento({ aleatorio: a, vocabulario: v }: Plano): string {
  if (!a.chance(0.42)) return ''
  const unidade = `${v.complemento(a)} ${a.chance(0.8) ? 1 + a.ate(400) : LETRAS.charAt(a.ate(26))}`
  return a.chance(0.35) ? `${unidade} ${v.complemento(a)} ${1 + a.ate(30)}` : unidade
}

function contatos({ aleatorio: a, vocabulario: v }: Plano): string[] {
  const ddd = String(11 + a.ate(88))
  const telefone = a.chance(0.72)
    ? [ddd, `${a.chance(0.6) ? 9 : 3}${String(a.ate(10_000_000)).padStart(7, '0')}`]
    : ['', '']
  const segundo =
    telefone[0] && a.chance(0.2) ? [ddd, `3${String(a.ate(10_000_000)).padStart(7, '0')}`] : ['', '']
  const fax = a.chance(0.05) ? [ddd, `3${String(a.ate(10_000_000)).padStart(7, '0')}`] : ['', '']
  const email = a.chance(0.58)
    ? `${v.prenome(a)}.${v.rara(a)}${a.chance(0.5) ? a.ate(1000) : ''}@${PROVEDORES[a.ate(6)]}`.toLowerCase()
    : ''
  return [...telefone, ...segundo, ...fax, email]
}

const LETRAS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const CEP_FINAIS =
  '000 010 020 100 110 120 130 150 200 210 260 300 310 330 400 450 500 540 600 700 810 900 970'.split(' ')
const PROVEDORES = 'gmail.com gmail.com hotmail.com outlook.com yahoo.com.br contabil.example'.split(' ')
/** First two digits of a state's postal codes (the lowest of its range). */
export const CEP: Readonly<Record<string, number>> = Object.fromEntries(
  'SP1 RJ20 ES29 MG30 BA40 SE49 PE50 AL57 PB58 RN59 CE60 PI64 MA65 PA66 AP68 AM69 RR69 AC69 DF70 GO74 RO76 TO77 MT78 MS79 PR80 SC88 RS90'
    .split(' ')
    .map((uf) => [uf.slice(0, 2), Number(uf.slice(2))]),
)

/** True for the 72 % of companies that have a row in Simples: every MEI, most small ones. */
export function hasSimples(plano: Plano, { numero, tipo }: Empresa): boolean {
  if (tipo === 'mei') return true
  return (tipo === 'limitada' || tipo === 'individual') && mix(numero, plano.semente + 3) < 0.45 * 0x100000000
}

export function camposDeSimples(plano: Plano, { raiz, numero, tipo }: Empresa): string[] {
  plano.aleatorio.seed(numero, 3)
  const simples = opcao(plano)
  const mei = tipo === 'mei' ? opcao(plano) : ['N', '00000000', '00000000']
  return [raiz, ...simples, ...mei]
}

function opcao(plano: Plano): string[] {
  const inicio = dataPassada(plano, 18)
  if (plano.aleatorio.chance(0.6)) return ['S', inicio, '00000000']
  return ['N', inicio, dataPassada(plano, Math.max(0, plano.hoje.ano - 2 - Number(inicio.slice(0, 4))))]
}

/** How many partners a company has: none for sole traders, 1.6 on average for the rest. */
export function quantosSocios(plano: Plano, { numero, tipo }: Empresa): number {
  if (tipo === 'mei' || tipo === 'individual') return 0
  const p = mix(numero, plano.semente + 2) / 0x100000000
  if (p < 0.55) return 1
  if (p < 0.89) return 2
  return p < 0.97 ? 3 : 5
}

/** The 11 fields of one partner's row in Socios; `ordem` counts from 0. */
export function camposDeSocio(plano: Plano, dona: Empresa, ordem: number): string[] {
  const { aleatorio: a } = plano
  a.seed(dona.numero, 200 + ordem)
  const entrada = dataPassada(plano, 30)
  const sorte = a.ate(1000)
  if (sorte < 12)
    return [dona.raiz, '3', nomeDePessoa(plano), '', '38', entrada, '249', ...procurador(plano), '0']
  if (sorte < 40) {
    const socia = empresa(plano, a.ate(plano.empresas))
    const cnpj = `${socia.raiz}0001${dvCnpj(`${socia.raiz}0001`)}`
    return [
      dona.raiz,
      '1',
      `${nomeDeNegocio(plano)} LTDA`,
      cnpj,
      '22',
      entrada,
      '',
      ...procurador(plano),
      '0',
    ]
  }
  const qualificacao = QUALIFICACAO[dona.tipo] ?? (a.chance(0.8) ? '49' : '22')
  const cpf = maskCpf(pickCpf(a))
  const faixa = String(3 + a.ate(6))
  return [dona.raiz, '2', nomeDePessoa(plano), cpf, qualificacao, entrada, '', '***000000**', '', '00', faixa]
}

const QUALIFICACAO: Partial<Record<Empresa['tipo'], string>> = {
  anonima: '10',
  associacao: '16',
  condominio: '19',
}

const procurador = (plano: Plano): string[] => [maskCpf(pickCpf(plano.aleatorio)), nomeDePessoa(plano), '17']
