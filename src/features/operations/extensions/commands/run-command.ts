import type { CommandWork, Extension, Command as OwnCommand } from '#extension'
import { systemClock } from '#platform/clock.ts'
import type { Command, Job } from '#platform/command-line/command.ts'
import { keyringOf, requireDatabase } from '#platform/command-line/data-directory.ts'
import type { Feature } from '#platform/features/feature.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { makeLog } from '#platform/log.ts'
import { adaptExtension } from './adapt.ts'
import { workFor } from './contexts.ts'
import { BUDGETS, makeGuard } from './guard.ts'
import { ensureRow, register } from './load.ts'
import { migrateExtension } from './migrations.ts'

type Known = { source: string; extension: Extension }
/** With what features and the extension add. */
type AsOperator = (added: readonly Feature[]) => Job['asOperator']

/** Runs without a limit of time: somebody waits for it, and can end it. Its transactions have one. */
export function adaptCommand({ source, extension }: Known, command: OwnCommand, asOperatorWith: AsOperator): Command {
  const { name } = extension
  const { options = {}, operands = [] } = command
  return {
    options,
    operands: [...operands],
    run: ({ config: given, values, operands: typed, withDatabase }) => {
      requireDatabase(given)
      const keyring = keyringOf(given)
      return withDatabase(given, async ({ db, config }) => {
        await ensureRow({ db }, source, name)
        await migrateExtension(db.write, extension)
        register(extension)
        const log = makeLog(config.logLevel, process.stderr)
        // Failures of a command are for whoever typed it.
        const guard = makeGuard({ name, log, clock: systemClock, onStop: async () => {} })
        const feature = adaptExtension({ name, guard, budgets: BUDGETS, db: db.read }, extension, extension.personalData ?? [])
        const operator = asOperatorWith([feature])(config, db, keyring)
        const words = wordsFor(config.defaultLanguage ?? 'en', config.timeZone)
        const work: CommandWork = {
          ...workFor(name, operator, words, BUDGETS.taskMs),
          options: Object.fromEntries(Object.keys(options).map((option) => [option, values[option]])),
          operands: typed,
          print: (line) => console.log(line),
        }
        return (await command.run(work)) ?? 0
      })
    },
  }
}
