import { provarVermelhos, reds } from '../vermelho.ts'

provarVermelhos(reds)
