import { systemClock } from '#platform/clock.ts'
import type { Command, DatabaseAccess, Job } from '#platform/command-line/command.ts'
import { hasSecretKey, keyringOf, requireDatabase } from '#platform/command-line/data-directory.ts'
import { isMigrated } from '#platform/db/migrate.ts'
import { openFileStore } from '#platform/files/open-store.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { TURNOUT } from '#platform/invocation.ts'
import { performChecks } from './commands/list.ts'
import type { CheckInput, Fact } from './schema.ts'

const countFindings = (count: number): string => {
  if (count === 0) return 'no findings'
  return count === 1 ? '1 finding' : `${count} findings`
}

async function findBad(input: CheckInput): Promise<Fact[]> {
  const areas = await performChecks(input, { isThorough: true })
  return areas.flatMap(({ facts }) => facts).filter(({ state }) => state === 'bad')
}

async function examine({ values, terminal, version }: Job, { db, config }: DatabaseAccess): Promise<number> {
  if (!(await isMigrated(db.readPool))) {
    terminal.print(`found: this version needs another database schema; ${TURNOUT} migrate changes it`)
    terminal.print(countFindings(1))
    return 1
  }
  const words = wordsFor('en', config.timeZone)
  const keyring = hasSecretKey(config) ? keyringOf(config) : undefined
  const input = { db, config, version, words, keyring, files: openFileStore(config), now: systemClock.now() }
  const found = await findBad(input)
  const fixable = values.fix ? found.filter(({ fix }) => fix) : []
  for (const { text, fix } of fixable) {
    await fix!()
    terminal.print(`fixed: ${text}`)
  }
  const left = fixable.length ? await findBad({ ...input, now: systemClock.now() }) : found
  for (const { text, href, fix } of left) {
    const place = href ? ` (${config.siteUrl}${href} shows more)` : ''
    const what = values.fix && fix ? 'not fixed' : 'found'
    terminal.print(`${what}: ${text}${place}${fix && !values.fix ? ' (--fix repairs it)' : ''}`)
  }
  terminal.print(countFindings(left.length))
  return left.length ? 1 : 0
}

export const doctor: Command = {
  options: { fix: { type: 'boolean', help: 'Repair what can be repaired without losing data' } },
  run: async (job) => {
    requireDatabase(job.config)
    return job.withUnmigratedDatabase(job.config, (access) => examine(job, access))
  },
}
