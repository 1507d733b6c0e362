import { sql } from 'kysely'
import { countAttachmentsWithoutFile } from '#features/events/files/queries.ts'
import { getFailedDelivery } from '#features/messaging/mails/queries/state.ts'
import { countMails } from '#features/messaging/notifications/queries/outbox.ts'
import { type Drift, findDrift, rebuildDenormalised } from '#features/operations/backup/commands/denormalised.ts'
import { findNightlyBackups } from '#features/operations/backup/queries/backups.ts'
import { repairStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import { findWrongStatistics } from '#features/staffing/staffing/queries/staffing.ts'
import type { Keyring } from '#platform/auth/secrets.ts'
import { systemClock } from '#platform/clock.ts'
import type { Command } from '#platform/command-line/command.ts'
import { hasSecretKey, keyringOf, requireDatabase } from '#platform/command-line/data-directory.ts'
import type { Config } from '#platform/config.ts'
import { isMigrated } from '#platform/db/migrate.ts'
import { type Database, makePool } from '#platform/db/pool.ts'
import { detectPooling, findWrongSettings } from '#platform/db/pooler.ts'
import { openFileStore } from '#platform/files/open-store.ts'
import { compareFiles, deleteUnusedFiles } from '#platform/files/stored-files.ts'
import { countOverdueJobs } from '#platform/jobs/worker.ts'
import { withUnmigratedDatabase } from './database.ts'

type Finding = { text: string; fix?: () => Promise<void> }

export const doctor: Command = {
  options: { fix: { type: 'boolean', help: 'Repair what can be repaired without losing data' } },
  run: async ({ config, values, terminal }) => {
    requireDatabase(config)
    const keyring = hasSecretKey(config) ? keyringOf(config) : undefined
    return withUnmigratedDatabase(config, async ({ db, config: effective }) => {
      if (!(await isMigrated(db.readPool))) {
        terminal.print('found: this version needs another database schema; npx turnout migrate changes it')
        terminal.print(countFindings(1))
        return 1
      }
      const findings = [
        ...(await checkDerivedData(db)),
        ...(await checkSettings(effective, db, keyring)),
        ...(await checkPooler(config)),
        ...(await checkQueues(db)),
        ...(await checkBackups(config)),
        ...(await checkFiles(config, db)),
        ...(await checkSearch(db)),
      ]
      let open = 0
      for (const { text, fix } of findings) {
        if (fix && values.fix) {
          await fix()
          terminal.print(`fixed: ${text}`)
        } else {
          open++
          terminal.print(`found: ${text}${fix ? ' (--fix repairs it)' : ''}`)
        }
      }
      const left = values.fix && findings.some(({ fix }) => fix) ? await findRemainingDrift(db) : []
      for (const drift of left) terminal.print(`not fixed: ${describeDrift(drift)}`)
      terminal.print(countFindings(open + left.length))
      return open + left.length ? 1 : 0
    })
  },
}

/** The extension may be missing on a server where Turnout may not create it. */
async function checkSearch(db: Database): Promise<Finding[]> {
  const { rows } = await db.readPool.query<{ isReady: boolean }>(
    `select exists (select from pg_extension where extname = 'pg_trgm') and to_regclass('user_profile_names_idx') is not null as "isReady"`,
  )
  if (rows[0]!.isReady) return []
  const text =
    'the search for people has no index and finds no typing errors: as a superuser, run "create extension pg_trgm" in this database, then npx turnout doctor --fix'
  return [{ text, fix: async () => void (await sql`select prepare_people_search()`.execute(db.write)) }]
}

function countFindings(count: number): string {
  if (count === 0) return 'no findings'
  return count === 1 ? '1 finding' : `${count} findings`
}

const countRows = (count: number): string => (count === 1 ? '1 row differs' : `${count} rows differ`)

async function checkDerivedData(db: Database): Promise<Finding[]> {
  const drifts = await findDrift(db.read)
  // One rebuild fixes all of them.
  let fixed: Promise<void> | undefined
  const fix = () => {
    fixed ??= rebuildDenormalised(db.write)
    return fixed
  }
  const findings = drifts.map((drift): Finding => ({ text: describeDrift(drift), fix }))
  const wrong = await findWrongStatistics(db.read, systemClock.now())
  if (wrong.length === 0) return findings
  const text = describeDrift(statisticsDrift(wrong))
  return [
    ...findings,
    { text, fix: async () => repairStatistics(db.write, await findWrongStatistics(db.read, systemClock.now())) },
  ]
}

const MAX_EXAMPLES = 5
const statisticsDrift = (wrong: { id: number }[]): Drift => ({
  what: 'shift: missing, free, minimum and maximum',
  count: wrong.length,
  examples: wrong.slice(0, MAX_EXAMPLES).map(({ id }) => id),
})

const describeDrift = ({ what, count, examples }: Drift): string =>
  `${what}: ${countRows(count)} from the source (ids ${examples.join(', ')})`

/** What a repair did not correct. */
async function findRemainingDrift(db: Database): Promise<Drift[]> {
  const wrong = await findWrongStatistics(db.read, systemClock.now())
  return [...(await findDrift(db.read)), ...(wrong.length ? [statisticsDrift(wrong)] : [])]
}

// unchecked read: only the command executes it, in a process of its own
const ONE_SECRET_PER_KEY = sql<{ sealed: string }>`
  select distinct on (split_part(sealed, '.', 1)) sealed
  from (
    select calendar_token_sealed as sealed from user_profile where calendar_token_sealed is not null
    union all select client_secret_sealed from federated_guest
    union all select access_token_sealed from federated_host
    union all select client_secret_sealed from identity_provider where client_secret_sealed is not null
    union all select token_sealed from guest_share
    union all select token_sealed from join_link
    union all select access_token_sealed from guest where access_token_sealed is not null
    union all select code_sealed from invite_code
    union all select secret_sealed from totp_factor
    union all select address_sealed from private_calendar where address_sealed is not null
    union all select key_sealed from oauth_signing_key
  ) every`

async function checkSettings(config: Config, db: Database, keyring: Keyring | undefined): Promise<Finding[]> {
  const findings: Finding[] = []
  const { rows: sealed } = await ONE_SECRET_PER_KEY.execute(db.read)
  if (!keyring && sealed.length)
    findings.push({ text: 'there is no key for the stored secrets: SECRET_KEY is not set, and DATA_DIR contains none' })
  for (const row of sealed) {
    try {
      keyring?.unseal(row.sealed)
    } catch (error) {
      findings.push({ text: `SECRET_KEY: ${(error as Error).message}` })
    }
  }
  const staff = await db.read
    .selectFrom('user_profile')
    .select('id')
    .where('is_staff', '=', true)
    .where('is_active', '=', true)
    .limit(1)
    .executeTakeFirst()
  if (!staff) findings.push({ text: 'there is no active administrator; npx turnout create-admin creates one' })
  if (!config.mailUrl) findings.push(...mailFinding(config))
  if (config.siteUrl.startsWith('http:') && !/\/\/(localhost|127\.0\.0\.1|\[::1\])(:|$)/.test(config.siteUrl)) {
    findings.push({ text: 'SITE_URL is plain http: passwords and sessions cross the network unprotected' })
  }
  const demo = await db.read
    .selectFrom('user_profile')
    .select('id')
    .where('email', 'ilike', '%@demo.example')
    .limit(1)
    .executeTakeFirst()
  if (demo && !config.siteUrl.includes('localhost')) findings.push({ text: 'there are demo accounts (@demo.example)' })
  return findings
}

/** Commands connect directly, so the pooler that requests use is asked here. */
async function checkPooler({ databaseUrl: url, synchronousCommit }: Config): Promise<Finding[]> {
  if (!url) return []
  const pooling = await detectPooling(url)
  const pool = makePool({ url, pooling, max: 1, onError: () => {} })
  try {
    return (await findWrongSettings(pool, { pooling, synchronousCommit })).map((text) => ({ text }))
  } finally {
    await pool.end()
  }
}

/** `npm start` writes mails to files on purpose. */
function mailFinding({ siteUrl }: Config): Finding[] {
  return siteUrl.startsWith('http://localhost')
    ? []
    : [{ text: 'MAIL_URL is not set: mails are written to files instead of being sent' }]
}

async function checkQueues(db: Database): Promise<Finding[]> {
  const overdue = await countOverdueJobs(db)
  const { late, failed } = await countMails(db.read, systemClock.now())
  const delivery = await getFailedDelivery(db.read)
  return [
    ...(delivery
      ? [
          {
            text: `the mail server does not take mails (${delivery.at.toISOString()}): ${delivery.reason}; the page /manage/mail/ sends a test mail`,
          },
        ]
      : []),
    ...(overdue
      ? [
          {
            text: `${overdue} background ${overdue === 1 ? 'job has' : 'jobs have'} been due for more than 15 minutes: is a worker running?`,
          },
        ]
      : []),
    ...(late
      ? [
          {
            text: `${late} ${late === 1 ? 'mail has' : 'mails have'} been waiting for more than 15 minutes: is a worker running?`,
          },
        ]
      : []),
    ...(failed
      ? [{ text: `${failed} ${failed === 1 ? 'mail' : 'mails'} failed permanently; the page /manage/mail/ shows why` }]
      : []),
  ]
}

async function checkFiles(config: Config, { read, write }: Database): Promise<Finding[]> {
  const store = openFileStore(config)
  const now = systemClock.now()
  const { missing, unused } = await compareFiles(read, store, now)
  const place = config.filesUrl ? 'the storage of FILES_URL' : `DATA_DIR (${config.dataDir})`
  const waiting = await countAttachmentsWithoutFile(read)
  const findings: Finding[] = []
  if (missing.length)
    findings.push({
      text: `${missing.length === 1 ? '1 uploaded file is' : `${missing.length} uploaded files are`} missing in ${place}; restore ${missing.length === 1 ? 'it' : 'them'} from a copy or a backup`,
    })
  if (unused.length)
    findings.push({
      text: `${unused.length === 1 ? '1 file' : `${unused.length} files`} in ${place} belong to nothing: is a worker running?`,
      fix: () => deleteUnusedFiles(write, store, now),
    })
  if (waiting)
    findings.push({
      text: `${waiting === 1 ? '1 file of events was' : `${waiting} files of events were`} imported without content; npx turnout import-files --media DIR adds it`,
    })
  return findings
}

/** More than a day, so that one late backup is no finding. */
const MAX_BACKUP_AGE_HOURS = 30

async function checkBackups({ backupDir }: Config): Promise<Finding[]> {
  if (!backupDir) return []
  const [newest] = await findNightlyBackups(backupDir)
  if (!newest) return [{ text: `there is no backup in BACKUP_DIR (${backupDir}) yet; npx turnout backup creates one now` }]
  const hours = (systemClock.now().getTime() - newest.madeAt.getTime()) / 3600_000
  return hours > MAX_BACKUP_AGE_HOURS ? [{ text: `the newest backup in BACKUP_DIR is ${Math.round(hours)} hours old` }] : []
}
