// On PostgreSQL too, all figures are counted.
import './metrics.test.ts'
