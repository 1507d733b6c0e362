import { type CommandEntry, helpOf, type Job, readArguments, UsageError } from '#platform/command-line/command.ts'
import { makeTerminal } from '#platform/command-line/terminal.ts'
import { readConfig, readExtensionSources } from '#platform/config.ts'
import type { Feature } from '#platform/features/feature.ts'
import { collectModuleAdditions } from '#platform/features/modules.ts'
import { TURNOUT } from '#platform/invocation.ts'
import { VERSION } from '../version.ts'
import { withDatabase, withUnmigratedDatabase } from './database.ts'
import { formatError } from './format-error.ts'
import { makeOperatorContext } from './operator-context.ts'

type Environment = Record<string, string | undefined>

/** Commands of no feature. They start without loading all features. */
const OWN_COMMANDS: CommandEntry[] = [
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
    name: 'demo',
    summary: 'Fill an empty database with a demo organisation, or with N events for load tests',
    load: async () => (await import('./demo.ts')).demo,
  },
  {
    name: 'openapi',
    summary: 'Print the OpenAPI document of the API as JSON',
    load: async () => (await import('./openapi.ts')).openapi,
  },
]

/** Services, whose standard error is a log. */
const LONG_RUNNING = new Set(['serve', 'worker'])

const loadFeatures = async () => (await import('../features.ts')).FEATURES
const commandsOf = (features: readonly Feature[]): CommandEntry[] => features.flatMap(({ commands = [] }) => commands)

const overview = (commands: readonly CommandEntry[]): string =>
  [
    `Usage: ${TURNOUT} <command> [options]`,
    '',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(14)}${summary}`),
    '',
    `With ${WITHOUT}, a command ignores the setting EXTENSIONS.`,
    `Run ${TURNOUT} <command> --help for details. Settings are environment variables, listed in docs/operate.md.`,
  ].join('\n')

/** Of every command: if an extension makes trouble, everything works without it. */
const WITHOUT = '--without-extensions'

/** Commands of extensions. Without extensions, their code is not loaded. */
async function findAdded(args: readonly string[], env: Environment): Promise<CommandEntry[]> {
  const sources = args.includes(WITHOUT) ? [] : readExtensionSources(env)
  if (!sources.length) return []
  return (await import('./extension-commands.ts')).findExtensionCommands(sources, process.cwd())
}

async function run(args: string[], env: Environment): Promise<number | undefined> {
  const [name, ...rest] = args.filter((each) => each !== WITHOUT)
  if (name === '--version') return print(VERSION)
  if (name === undefined || name === '--help' || name === '-h' || name === 'help')
    return print(
      overview([...OWN_COMMANDS, ...commandsOf(await loadFeatures()), ...(await findAdded(args, env))]),
      name === undefined ? 2 : 0,
    )
  const own = OWN_COMMANDS.find((each) => each.name === name)
  const features = own ? [] : await loadFeatures()
  const entry =
    own ??
    commandsOf(features).find((each) => each.name === name) ??
    (await findAdded(args, env)).find((each) => each.name === name)
  if (!entry) throw new UsageError(`unknown command ${name}; ${TURNOUT} --help lists all commands`)
  const command = await entry.load()
  const { values, operands } = readArguments(command, rest)
  if (values.help) return print(helpOf(entry, command))
  const named = readConfig(env, command.mode ?? 'command')
  const config = args.includes(WITHOUT) ? { ...named, extensions: [] } : named
  // Progress goes to standard error, so that standard output contains only the result.
  const terminal = makeTerminal(env, process.stderr)
  const asOperator: Job['asOperator'] = (...access) => makeOperatorContext(collectModuleAdditions(features), ...access)
  const tools = { version: VERSION, features, withDatabase, withUnmigratedDatabase, asOperator }
  return command.run({ config, values, operands, terminal, env, ...tools })
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
    const text = formatError(error, env)
    if (LONG_RUNNING.has(args[0] ?? '')) makeTerminal(env, process.stderr).reportFailure(text)
    else console.error(text)
    return error instanceof UsageError ? 2 : 1
  }
}
