import { readConfig } from '#platform/config.ts'
import { explain } from './cli/explain.ts'
import { exitOnSignal } from './cli/instance.ts'
import { tryOut } from './cli/start.ts'
import { makeTerminal } from './cli/terminal.ts'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 24 || (major === 24 && minor < 7)) {
  console.error(`turnout: Node ${process.versions.node} is too old; npm start brings the one it needs.`)
  process.exit(1)
}

exitOnSignal()
try {
  await tryOut(readConfig(process.env, 'try-out'), makeTerminal(process.env, process.stdout))
} catch (error) {
  console.error(explain(error))
  process.exit(1)
}
