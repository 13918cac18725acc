// Each line of the protocol's official clients calls each tool.
import './mcp.test.ts'
