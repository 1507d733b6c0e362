import { runCommandLine } from './cli/run.ts'
import { exitOnSignal } from './cli/signals.ts'

exitOnSignal()
const code = await runCommandLine(process.argv.slice(2), process.env)
if (code !== undefined) process.exitCode = code
