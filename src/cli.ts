import { readConfig } from '#platform/config.ts'
import { backup } from './cli/backup.ts'
import { type Command, helpOf, readArguments, UsageError } from './cli/command.ts'
import { createAdmin } from './cli/create-admin.ts'
import { demo } from './cli/demo.ts'
import { doctor } from './cli/doctor.ts'
import { formatError } from './cli/format-error.ts'
import { importCommand } from './cli/import.ts'
import { exitOnSignal } from './cli/instance.ts'
import { migrateCommand } from './cli/migrate.ts'
import { openapi } from './cli/openapi.ts'
import { restore } from './cli/restore.ts'
import { serve } from './cli/serve.ts'
import { makeTerminal } from './cli/terminal.ts'
import { token } from './cli/token.ts'
import { worker } from './cli/worker.ts'
import { VERSION } from './version.ts'

const COMMANDS: Command[] = [
  serve,
  worker,
  migrateCommand,
  createAdmin,
  token,
  demo,
  importCommand,
  backup,
  restore,
  doctor,
  openapi,
]

const overview = (): string =>
  [
    'Usage: npx turnout <command> [options]',
    '',
    ...COMMANDS.map(({ name, summary }) => `  ${name.padEnd(14)}${summary}`),
    '',
    'Run npx turnout <command> --help for details. Settings are environment variables, listed in docs/operate.md.',
  ].join('\n')

async function run(args: string[]): Promise<number | undefined> {
  const [name, ...rest] = args
  if (name === '--version') return print(VERSION)
  if (name === undefined || name === '--help' || name === 'help') return print(overview(), name === undefined ? 2 : 0)
  const command = COMMANDS.find((each) => each.name === name)
  if (!command) throw new UsageError(`unknown command ${name}; npx turnout --help lists all commands`)
  const { values, operands } = readArguments(command, rest)
  if (values.help) return print(helpOf(command))
  const config = readConfig(process.env, command.mode ?? 'command')
  // Progress goes to standard error, so that standard output contains only the result.
  return command.run({ config, values, operands, terminal: makeTerminal(process.env, process.stderr) })
}

function print(text: string, code = 0): number {
  console.log(text)
  return code
}

exitOnSignal()
try {
  const code = await run(process.argv.slice(2))
  if (code !== undefined) process.exitCode = code
} catch (error) {
  console.error(formatError(error))
  process.exitCode = error instanceof UsageError ? 2 : 1
}
