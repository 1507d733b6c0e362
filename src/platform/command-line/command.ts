import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import type { CommandContext } from '#platform/auth/context.ts'
import type { Keyring } from '#platform/auth/secrets.ts'
import type { Config, Mode } from '#platform/config.ts'
import type { Database } from '#platform/db/pool.ts'
import type { RetentionRule } from '#platform/features/retention.ts'
import { TURNOUT } from '#platform/invocation.ts'
import { OperatorError } from '#platform/operator-error.ts'
import type { Terminal } from './terminal.ts'

export type Values = Record<string, string | boolean | undefined>

/** Loads the command on demand, so that each one loads only the code it needs. */
export type CommandEntry = { name: string; summary: string; load: () => Promise<Command> }

/** `config` has the time zone and language of the instance. */
export type DatabaseAccess = { db: Database; url: string; config: Config }
type OpenDatabase = <Result>(config: Config, work: (access: DatabaseAccess) => Promise<Result>) => Promise<Result>

export type Job = {
  config: Config
  values: Values
  operands: string[]
  terminal: Terminal
  env: Record<string, string | undefined>
  version: string
  /** Empty for commands that no feature declares. */
  features: readonly { retention?: readonly RetentionRule[] }[]
  /** Connects to the database of a running server, or starts the embedded one for the duration of the command. */
  withDatabase: OpenDatabase
  /** For commands that change nothing. */
  withUnmigratedDatabase: OpenDatabase
  /** Commands of the command line run without a user: the operator has full access to the database anyway. */
  asOperator: (config: Config, db: Database, keyring: Keyring) => CommandContext
}

/** One command of the command line. */
export type Command = {
  options: Record<string, { type: 'string' | 'boolean'; hint?: string; help: string; required?: boolean }>
  /** Positional arguments, such as a file. */
  operands?: { name: string; help: string; optional?: boolean }[]
  mode?: Mode
  /** Resolves to the exit code, or to undefined if the command keeps running until a signal. */
  run: (job: Job) => Promise<number | undefined>
}

/** Wrong use of a command. */
export class UsageError extends OperatorError {}

const operandName = ({ name, optional }: { name: string; optional?: boolean }): string => (optional ? `[${name}]` : `<${name}>`)

export function helpOf({ name, summary }: CommandEntry, { options, operands = [] }: Command): string {
  const usage = [`${TURNOUT} ${name}`, ...operands.map(operandName), '[options]'].join(' ')
  const rows = [
    ...operands.map((each) => [operandName(each), each.help]),
    ...Object.entries(options).map(([flag, { hint, help, required }]) => [
      `--${flag}${hint ? ` ${hint}` : ''}`,
      required ? `${help} (required)` : help,
    ]),
    ['-h, --help', 'Show this help'],
  ]
  const width = Math.max(...rows.map(([left]) => left!.length))
  return [`Usage: ${usage}`, '', summary, '', ...rows.map(([left, right]) => `  ${left!.padEnd(width)}  ${right}`)].join('\n')
}

export function readArguments(command: Command, args: string[]): { values: Values; operands: string[] } {
  const options: ParseArgsOptionsConfig = { help: { type: 'boolean', short: 'h' } }
  for (const [flag, { type }] of Object.entries(command.options)) options[flag] = { type }
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: Boolean(command.operands?.length) })
    if (values.help) return { values: values as Values, operands: [] }
    const missing = Object.entries(command.options).filter(([flag, { required }]) => required && values[flag] === undefined)
    if (missing.length) throw new UsageError(`${missing.map(([flag]) => `--${flag}`).join(' and ')} must be given`)
    const operands = command.operands ?? []
    const needed = operands.filter(({ optional }) => !optional).length
    if (positionals.length < needed || positionals.length > operands.length)
      throw new UsageError(`expected ${operands.map(operandName).join(' ')}`)
    return { values: values as Values, operands: positionals }
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError((error as Error).message, { cause: error })
  }
}
