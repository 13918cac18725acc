import { provarExemplos } from '../kit/guia-exemplos.ts'

provarExemplos(() => true)
