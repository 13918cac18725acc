// Nodes beside each other have a connection each on the embedded database too.
import './jobs-runner.test.ts'
