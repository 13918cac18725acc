import { provarExemplos } from '../web/guia-exemplos.ts'

provarExemplos(() => true)
