import { exitOnSignal } from '#platform/command-line/signals.ts'
import { makeTerminal } from '#platform/command-line/terminal.ts'
import { readConfig } from '#platform/config.ts'
import { formatError } from './cli/format-error.ts'
import { tryOut } from './cli/try-out.ts'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 24 || (major === 24 && minor < 7)) {
  console.error(`turnout: Node ${process.versions.node} is too old; npm start installs the required version.`)
  process.exit(1)
}

exitOnSignal()
try {
  const config = readConfig(process.env, 'try-out')
  const isPlain = process.argv.includes('--without-extensions')
  await tryOut(isPlain ? { ...config, extensions: [] } : config, makeTerminal(process.env, process.stdout))
} catch (error) {
  console.error(formatError(error, process.env))
  process.exit(1)
}
