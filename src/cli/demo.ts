import { loadBulk } from '#demo/bulk.ts'
import { CAST } from '#demo/people.ts'
import { loadDemoWorld } from '#demo/world.ts'
import { systemClock } from '#platform/clock.ts'
import { type Command, UsageError } from '#platform/command-line/command.ts'
import { keyringOf } from '#platform/command-line/data-directory.ts'
import { openFileStore } from '#platform/files/open-store.ts'
import { withDatabase } from './database.ts'
import { randomPasswords, writeSignIns } from './demo-accounts.ts'
import { chosenLanguage, LANGUAGE_OPTION } from './demo-language.ts'

const SEED = 'turnout'

export const demo: Command = {
  options: {
    size: { type: 'string', hint: 'N', help: 'Number of events; without it, the small demo organisation of npm start' },
    seed: { type: 'string', hint: 'TEXT', help: 'The same seed creates the same data' },
    language: LANGUAGE_OPTION,
  },
  run: async ({ config, values, terminal }) => {
    const size = values.size === undefined ? undefined : Number(values.size)
    if (size !== undefined && !(Number.isInteger(size) && size > 0 && size <= 2_000_000))
      throw new UsageError('--size must be a whole number from 1 to 2,000,000')
    const language = chosenLanguage(config, values)
    const keyring = keyringOf(config)
    const passwords = randomPasswords()
    return withDatabase(config, async ({ db }) => {
      const world = {
        db,
        language,
        now: systemClock.now(),
        seed: String(values.seed ?? SEED),
        timeZone: config.timeZone,
        keyring,
        passwords,
        files: openFileStore(config),
        log: terminal.print,
      }
      if (size === undefined) await loadDemoWorld(world)
      else {
        const show = terminal.progress('loading')
        await loadBulk({ ...world, events: size, progress: ({ events, of }) => show(events, of) })
      }
      writeSignIns(config.dataDir, { passwords })
      terminal.print('Accounts:')
      for (const name of CAST) console.log(`${name}@demo.example ${passwords[name]}`)
      return 0
    })
  },
}
