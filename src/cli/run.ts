import { readConfig } from '#platform/config.ts'
import { VERSION } from '../version.ts'
import { type CommandEntry, helpOf, readArguments, UsageError } from './command.ts'
import { formatError } from './format-error.ts'
import { makeTerminal } from './terminal.ts'

type Environment = Record<string, string | undefined>

const COMMANDS: CommandEntry[] = [
  {
    name: 'serve',
    summary: 'Run the server in production; requires SITE_URL and SECRET_KEY',
    load: async () => (await import('./serve.ts')).serve,
  },
  {
    name: 'try-out',
    summary: 'Run everything on this machine with demo data, as npm start does',
    load: async () => (await import('./try-out.ts')).tryOutCommand,
  },
  {
    name: 'worker',
    summary: 'Run background jobs in a separate process; set WORKER=off for the servers',
    load: async () => (await import('./worker.ts')).worker,
  },
  {
    name: 'migrate',
    summary: 'Apply database migrations (serve does this automatically)',
    load: async () => (await import('./migrate.ts')).migrateCommand,
  },
  {
    name: 'upgrade',
    summary: 'With --check: say what an upgrade to this version will do',
    load: async () => (await import('./upgrade.ts')).upgrade,
  },
  {
    name: 'create-admin',
    summary: 'Create an administrator and print a random password, unless one is given',
    load: async () => (await import('./create-admin.ts')).createAdmin,
  },
  {
    name: 'reset-factor',
    summary: 'Remove the second factors of a person who has lost them, also of the last administrator',
    load: async () => (await import('./reset-factor.ts')).resetFactor,
  },
  {
    name: 'token',
    summary: 'Create a personal API token and print it to standard output',
    load: async () => (await import('./token.ts')).token,
  },
  {
    name: 'key',
    summary: 'Create, list, rotate and revoke keys of service accounts, which belong to no person',
    load: async () => (await import('./key.ts')).key,
  },
  {
    name: 'demo',
    summary: 'Fill an empty database with a demo organisation, or with N events for load tests',
    load: async () => (await import('./demo.ts')).demo,
  },
  {
    name: 'import',
    summary: 'Import an ephios database; ids, passwords, tokens and links stay valid',
    load: async () => (await import('./import.ts')).importCommand,
  },
  {
    name: 'import-files',
    summary: 'Import the files of events from the media folder of ephios, after the import; can be repeated',
    load: async () => (await import('./import-files.ts')).importFilesCommand,
  },
  {
    name: 'people',
    summary: 'Import people from a CSV or Excel file, or export them in the same form',
    load: async () => (await import('./people.ts')).people,
  },
  {
    name: 'backup',
    summary: 'Write all data to one file; works while the server is running. BACKUP_PASSPHRASE encrypts it',
    load: async () => (await import('./backup.ts')).backup,
  },
  {
    name: 'restore',
    summary: 'Restore a backup; the file is verified before anything is changed',
    load: async () => (await import('./restore.ts')).restore,
  },
  {
    name: 'retention',
    summary: 'Delete what is older than the retention periods, as happens every night; --dry-run only counts',
    load: async () => (await import('./retention.ts')).retention,
  },
  {
    name: 'bounce',
    summary: 'Read a report about a mail that came back from standard input, for a pipe of the mail server',
    load: async () => (await import('./bounce.ts')).bounce,
  },
  {
    name: 'doctor',
    summary: 'Check derived data, settings, background jobs and backups; exit code 1 if there are findings',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  {
    name: 'openapi',
    summary: 'Print the OpenAPI document of the API as JSON',
    load: async () => (await import('./openapi.ts')).openapi,
  },
]

const overview = (): string =>
  [
    'Usage: npx turnout <command> [options]',
    '',
    ...COMMANDS.map(({ name, summary }) => `  ${name.padEnd(14)}${summary}`),
    '',
    'Run npx turnout <command> --help for details. Settings are environment variables, listed in docs/operate.md.',
  ].join('\n')

async function run(args: string[], env: Environment): Promise<number | undefined> {
  const [name, ...rest] = args
  if (name === '--version') return print(VERSION)
  if (name === undefined || name === '--help' || name === '-h' || name === 'help')
    return print(overview(), name === undefined ? 2 : 0)
  const entry = COMMANDS.find((each) => each.name === name)
  if (!entry) throw new UsageError(`unknown command ${name}; npx turnout --help lists all commands`)
  const command = await entry.load()
  const { values, operands } = readArguments(command, rest)
  if (values.help) return print(helpOf(entry, command))
  const config = readConfig(env, command.mode ?? 'command')
  // Progress goes to standard error, so that standard output contains only the result.
  return command.run({ config, values, operands, terminal: makeTerminal(env, process.stderr), env })
}

function print(text: string, code = 0): number {
  console.log(text)
  return code
}

/** Resolves to the exit code, or to undefined if the command keeps running until a signal. */
export async function runCommandLine(args: string[], env: Environment): Promise<number | undefined> {
  try {
    return await run(args, env)
  } catch (error) {
    console.error(formatError(error))
    return error instanceof UsageError ? 2 : 1
  }
}
