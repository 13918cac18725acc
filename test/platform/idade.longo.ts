// Each endpoint of all states tells the ages of its entries.
import './idade.test.ts'
