import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { maskDocumento } from '../../simulator/documento/documento.ts'
import { portais } from '../../simulator/estados/pr.ts'
import { exemplos } from '../../simulator/mundo/exemplo.ts'
import { listOcorrencias } from '../../simulator/mundo/mundo.ts'
import { reservado } from '../kit/simulator.ts'
import { hiddenOf, openPortais, type Portals } from '../kit/simulator-portal.ts'

const PR = 'www.sintegra.fazenda.pr.gov.br'
const company = exemplos().umaInscricao.get('PR') ?? ''
const producer = exemplos().produtorRural.find(({ uf }) => uf === 'PR')?.documento ?? ''

let portals: Portals
before(async () => {
  portals = await openPortais(portais)
})
after(() => portals.close())

const data = (name: string) => `data[Sintegra1][${name}]`
const byEmpresa = (cnpj: string) => ({ [data('Cnpj')]: cnpj, empresa: 'Consultar Empresa' })
const byProdutor = (cpf: string) => ({ [data('CnpjCpfProdutor')]: cpf, produtor: 'Consultar Produtor' })

async function ask(fields: Record<string, string>) {
  const visitor = portals.visitor()
  const page = await visitor.get(PR, '/sintegra/', { charset: 'iso-8859-1' })
  const [, address = ''] = /src="(\/sintegra\/captcha\?\d+)"/.exec(page.text) ?? []
  const image = await visitor.get(PR, address)
  const empty = { Cnpj: '', Cadicms: '', CadicmsProdutor: '', CnpjCpfProdutor: '' }
  const sent = {
    ...hiddenOf(page.text),
    [data('CodImage')]: await portals.readImage(image.body),
    ...Object.fromEntries(Object.keys(empty).map((name) => [data(name), ''])),
    ...fields,
  }
  const post = () => visitor.post(PR, '/sintegra/', sent, { charset: 'iso-8859-1' })
  return { visitor, post, reply: await post() }
}

const latin = (octets: Buffer): string => new TextDecoder('windows-1252').decode(octets)

test('PR answers a masked CNPJ in Latin letters', async () => {
  const { reply } = await ask(byEmpresa(maskDocumento(company)))
  assert.match(latin(reply.body), /Inscrição Estadual:<\/td><td class="form_conteudo">\d{3}\.\d{5}-\d\d</)
  assert.match(latin(reply.body), /Situação Atual:<\/td><td>ATIVO - DESDE \d\d\/\d\d\/\d{4}</)
})

test('the page that a redirect leads to repeats its reason', async () => {
  const { visitor, reply } = await ask(byEmpresa(maskDocumento(exemplos().desconhecido)))
  const page = await visitor.get(PR, reply.headers.location ?? '')
  assert.match(latin(page.body), /CNPJ Não Cadastrado no Cad\.icms Pr/)
})

test('the next button shows one registration at a time, each value once', async () => {
  const { visitor, reply } = await ask(byEmpresa(maskDocumento(reservado('muitas'))))
  let page = latin(reply.body)
  const seen = new Set<string>()
  for (let shown = 1; ; shown++) {
    seen.add(/\d{3}\.\d{5}-\d\d/.exec(page)?.[0] ?? '')
    const hidden = hiddenOf(page)
    if (!hidden[data('campoAnterior')]) break
    assert.ok(shown < 40)
    const fields = { ...hidden, consultar: 'Próxima Inscrição Estadual' }
    const next = await visitor.post(PR, '/sintegra/sintegra1/consultar', fields, { charset: 'iso-8859-1' })
    const again = await visitor.post(PR, '/sintegra/sintegra1/consultar', fields)
    assert.match(again.headers.location ?? '', /sessao/)
    page = latin(next.body)
  }
  assert.equal(seen.size, 40)
})

test('producers have fields and a button of their own', async () => {
  const { reply } = await ask(byProdutor(maskDocumento(producer)))
  assert.match(latin(reply.body), /CPF:<\/td>/)
  const ie = listOcorrencias('PR', producer)[0]?.inscricao.ie ?? ''
  const wrongDoor = await ask({ [data('Cadicms')]: ie, empresa: 'Consultar Empresa' })
  assert.match(wrongDoor.reply.headers.location ?? '', /CAD\/ICMS\+N%E3o\+Cadastrado\+no\+Cad\.icms/)
  const own = await ask({ [data('CadicmsProdutor')]: ie, produtor: 'Consultar Produtor' })
  assert.equal(own.reply.status, 200)
})
