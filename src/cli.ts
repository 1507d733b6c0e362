import { exitOnSignal } from '#platform/command-line/signals.ts'
import { runCommandLine } from './cli/run.ts'

exitOnSignal()
const code = await runCommandLine(process.argv.slice(2), process.env)
if (code !== undefined) process.exitCode = code
