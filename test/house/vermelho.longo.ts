import { provarVermelhos, reds } from '../kit/vermelho.ts'

provarVermelhos(reds)
