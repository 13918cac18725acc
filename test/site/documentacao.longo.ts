// With every call in every language that this machine runs.
import './documentacao-amostras.test.ts'
