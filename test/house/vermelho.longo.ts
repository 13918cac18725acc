import { reds, testReds } from '../kit/processes.ts'

testReds(reds)
