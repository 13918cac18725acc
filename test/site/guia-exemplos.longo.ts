import { testExemplos } from '../kit/guide.ts'

testExemplos(() => true)
