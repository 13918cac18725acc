import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { type House, start } from './harness.ts'

export const PATH = '/api/consultar-cnir'
export const CPF = '52998224725'
const SECRET = 'um segredo de teste com 32 letras ou mais'

/** A question as it came: the body's own octets, and what its headers say. */
export type Question = { headers: IncomingHttpHeaders; body: string }

/** A connector in the test: it checks nothing, keeps what it was asked and gives what it is told to. */
export type Connector = {
  house: House
  asked: Question[]
  /** What the next questions get. */
  give: (answer: (response: ServerResponse) => void) => void
  close: () => Promise<void>
}

/** A service whose operator has a connector of his own, beside the simulator. */
export async function startConnector(env: Record<string, string> = {}, now?: () => Date): Promise<Connector> {
  const asked: Question[] = []
  let answer = json(record())
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    asked.push({ headers: request.headers, body })
    answer(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = Object(server.address())
  const own = { CNIR_URL: `http://127.0.0.1:${port}/cnir?chave=1`, CNIR_SECRET: SECRET }
  const house = await start({ ...own, ...env }, now)
  return {
    house,
    asked,
    give: (next) => {
      answer = next
    },
    close: async () => {
      await house.close()
      server.closeAllConnections()
      server.close()
    },
  }
}

/** The signature that the contract wants of a question (docs/cnir-connector.md). */
export const signatureOf = ({ headers, body }: Question): string =>
  `v1=${createHmac('sha256', SECRET).update(`${headers['x-consulta-timestamp']}.${body}`).digest('hex')}`

export const json =
  (value: unknown, status = 200, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof value === 'string' ? value : JSON.stringify(value))
  }

/** A property with every member. `ni_proprietario` is the document that the tests ask about. */
export const property = () => ({
  cib: '1A2B3C4-5',
  nirf: '12345678',
  denominacao: 'FAZENDA BOA VISTA',
  area_total: 120.5,
  situacao: 'ATIVA',
  codigo_situacao: 1,
  ni_proprietario: CPF,
  percentual_proprietario: 50,
  condominos: [{ ni: '98765432100', nome: 'JOSE DA SILVA', percentual: 50 }],
  dados_tributarios: {
    indicador_descaracterizacao: false,
    origem_imovel: 1,
    data_aquisicao: '2005-10-22',
    area_adquirida: 60.25,
    tipo_aquisicao: 'COMPRA',
    imunidades: [{ codigo: '1', descricao: 'PEQUENA GLEBA RURAL' }],
    possui_decisao_judicial: false,
  },
  municipio_sede: { codigo: '5208707', uf: 'GO', nome: 'GOIANIA' },
})

/** An answer with every member, about these properties. */
export const record = (imoveis_cafir: readonly object[] = [property()]) => ({
  pessoa_fisica: {
    nome: 'MARIA DA SILVA',
    data_nascimento: '1970-01-31',
    situacao_cadastral: 'REGULAR',
    sexo: 'F',
  },
  pessoa_juridica: null,
  imoveis_cafir,
})
