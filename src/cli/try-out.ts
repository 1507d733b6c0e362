import { CAST, type CastName } from '#demo/people.ts'
import { hasScope } from '#platform/auth/actor.ts'
import { systemClock } from '#platform/clock.ts'
import type { Command } from '#platform/command-line/command.ts'
import { keyringOf } from '#platform/command-line/data-directory.ts'
import { stopOnSignal } from '#platform/command-line/signals.ts'
import { formatTable, migrationProgress, type Terminal } from '#platform/command-line/terminal.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db/pool.ts'
import { openFileStore } from '#platform/files/open-store.ts'
import type { SourceLanguage } from '#platform/i18n/languages.ts'
import { TURNOUT } from '#platform/invocation.ts'
import { makeLog } from '#platform/log.ts'
import { PRINTED_TOKEN, randomPasswords, readSignIns, type SignIns, writeSignIns } from './demo-accounts.ts'
import { chosenLanguage, LANGUAGE_OPTION } from './demo-language.ts'
import { startInstance } from './instance.ts'
import { makeOperatorContext } from './operator-context.ts'

const ROLES: Record<CastName, string> = { olga: 'administrator', paul: 'planner', ann: 'volunteer' }

/** `npm start`: runs everything on this machine, with demo data. Features are imported after the database has been started. */
export async function tryOut(
  config: Config,
  terminal: Terminal,
  language: SourceLanguage = config.sampleLanguage,
): Promise<void> {
  const log = makeLog(config.logLevel)
  terminal.print(`Starting Turnout with its data in ${config.dataDir} …`)
  let signIns: SignIns | undefined
  const prepare = async (db: Database): Promise<void> => {
    signIns = await loadDemoOnce({ config, db, terminal, language })
  }
  const print = (line: string) => terminal.print(terminal.dim(line))
  const instance = await startInstance({ config, log, print, progress: migrationProgress(terminal), prepare })
  stopOnSignal(instance.stop, terminal.print)
  printWelcome(config, signIns, terminal)
}

/** For installed packages, which have no `npm start`. */
export const tryOutCommand: Command = {
  mode: 'try-out',
  options: { language: LANGUAGE_OPTION },
  run: async ({ config, values, terminal }) => {
    await tryOut(config, terminal, chosenLanguage(config, values))
    return undefined
  },
}

type Loading = { config: Config; db: Database; terminal: Terminal; language: SourceLanguage }

/** Loads demo data into an empty database only. */
async function loadDemoOnce({ config, db, terminal, language }: Loading): Promise<SignIns | undefined> {
  const anybody = await db.read.selectFrom('user_profile').select('id').limit(1).executeTakeFirst()
  if (anybody) return withToken(config, db, readSignIns(config.dataDir))
  const passwords = randomPasswords()
  // Stored first: after a crash during the load, the passwords must not be lost.
  writeSignIns(config.dataDir, { passwords })
  terminal.print('Loading demo data …')
  const { loadDemoWorld } = await import('#demo/world.ts')
  await loadDemoWorld({
    db,
    language,
    now: systemClock.now(),
    seed: 'turnout',
    timeZone: config.timeZone,
    keyring: keyringOf(config),
    passwords,
    files: openFileStore(config),
  })
  return withToken(config, db, { passwords })
}

/** The API token of the printed curl command; created again when it has expired or lacks a scope. */
async function withToken(config: Config, db: Database, signIns: SignIns | undefined): Promise<SignIns | undefined> {
  if (!signIns) return undefined
  const { ADDED } = await import('../features.ts')
  const context = makeOperatorContext(ADDED, config, db, keyringOf(config))
  const { authenticateBearer } = await import('#features/access/tokens/queries/bearer.ts')
  const { createPersonalToken } = await import('#features/access/tokens/commands/personal.ts')
  const { email, scopes } = PRINTED_TOKEN
  const holder = signIns.token && (await authenticateBearer(db)(signIns.token, context.now))
  if (holder && holder.kind === 'user' && scopes.every((scope) => hasScope(holder, scope))) return signIns
  const owner = await db.read.selectFrom('user_profile').select('id').where('email', '=', email).executeTakeFirst()
  if (!owner) return signIns
  const wish = {
    description: 'Try-out: the curl command that npm start prints',
    scopes,
    days: Math.min(90, config.tokenMaxDays),
  }
  const made = await createPersonalToken(context, owner.id, wish)
  const complete = made.ok ? { ...signIns, token: made.token } : signIns
  writeSignIns(config.dataDir, complete)
  return complete
}

function printWelcome(config: Config, signIns: SignIns | undefined, { print, bold, accent, dim }: Terminal): void {
  print('')
  print(`  ${bold('Turnout is running:')} ${accent(config.siteUrl)}`)
  print('')
  if (signIns) {
    print('  Sign in as')
    for (const line of formatTable(CAST.map((name) => [ROLES[name], `${name}@demo.example`, signIns.passwords[name]])))
      print(`    ${line}`)
    if (signIns.token) {
      print('')
      print('  Try the API, as the administrator and with all scopes (docs/api/guide.md)')
      print(`    curl -H 'Authorization: Bearer ${signIns.token}' '${config.siteUrl}/api/events/?limit=2'`)
    }
  } else {
    print(`  The data in ${config.dataDir} is not demo data; sign in with an account of yours.`)
    print(`  ${TURNOUT} create-admin creates an administrator.`)
  }
  print('')
  print(dim('  Ctrl+C stops Turnout. All data is in the data directory; delete it to start over.'))
}
