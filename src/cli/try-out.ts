import { CAST, type CastName } from '#demo/people.ts'
import { loadDemoWorld } from '#demo/world.ts'
import { createPersonalToken } from '#features/tokens/commands/personal.ts'
import { authenticateBearer } from '#features/tokens/queries/bearer.ts'
import { systemClock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db/pool.ts'
import { makeLog } from '#platform/log.ts'
import { keyringOf, startInstance, stopOnSignal } from './instance.ts'
import { makeOperatorContext } from './operator-context.ts'
import { randomPasswords, readSignIns, type SignIns, writeSignIns } from './sign-ins.ts'
import { type Terminal, tableOf } from './terminal.ts'

const ROLES: Record<CastName, string> = { olga: 'administrator', paul: 'planner', ann: 'volunteer' }

/** `npm start`: everything on this machine, with a world to look around in. */
export async function tryOut(config: Config, terminal: Terminal): Promise<void> {
  const log = makeLog(config.logLevel)
  terminal.print(`Starting Turnout with its data in ${config.dataDir} …`)
  let signIns: SignIns | undefined
  const prepare = async (db: Database): Promise<void> => {
    signIns = await importEphios(config, db, terminal)
  }
  const instance = await startInstance({ config, log, print: (line) => terminal.print(terminal.dim(line)), prepare })
  stopOnSignal(instance.stop, terminal.print)
  greet(config, signIns, terminal)
}

/** The demo world comes to an empty database only; what people made themselves is never touched. */
async function importEphios(config: Config, db: Database, terminal: Terminal): Promise<SignIns | undefined> {
  const anybody = await db.read.selectFrom('user_profile').select('id').limit(1).executeTakeFirst()
  if (anybody) return withToken(config, db, readSignIns(config.dataDir))
  const passwords = randomPasswords()
  // First: a crash behind the load must not leave a world whose passwords nobody knows.
  writeSignIns(config.dataDir, { passwords })
  terminal.print('RowLoader the demo world …')
  await loadDemoWorld({
    db,
    now: systemClock.now(),
    seed: 'turnout',
    timeZone: config.timeZone,
    keyring: keyringOf(config),
    passwords,
  })
  return withToken(config, db, { passwords })
}

/** A token of Ann's for the curl line, made anew when the old one has expired. */
async function withToken(config: Config, db: Database, signIns: SignIns | undefined): Promise<SignIns | undefined> {
  if (!signIns) return undefined
  const context = makeOperatorContext(config, db, keyringOf(config))
  if (signIns.token && (await authenticateBearer(db)(signIns.token, context.now))) return signIns
  const ann = await db.read.selectFrom('user_profile').select('id').where('email', '=', 'ann@demo.example').executeTakeFirst()
  if (!ann) return signIns
  const wish = {
    description: 'Try-out: the curl line that npm start prints',
    scopes: ['PUBLIC_READ'],
    days: Math.min(90, config.tokenMaxDays),
  }
  const made = await createPersonalToken(context, ann.id, wish)
  const complete = made.ok ? { ...signIns, token: made.token } : signIns
  writeSignIns(config.dataDir, complete)
  return complete
}

function greet(config: Config, signIns: SignIns | undefined, { print, bold, accent, dim }: Terminal): void {
  print('')
  print(`  ${bold('Turnout is running:')} ${accent(config.siteUrl)}`)
  print('')
  if (signIns) {
    print('  Sign in as')
    for (const line of tableOf(CAST.map((name) => [ROLES[name], `${name}@demo.example`, signIns.passwords[name]])))
      print(`    ${line}`)
    if (signIns.token) {
      print('')
      print('  The API with a ready token')
      print(`    curl -H 'Authorization: Bearer ${signIns.token}' '${config.siteUrl}/api/events/?limit=2'`)
    }
  } else {
    print(`  The data in ${config.dataDir} is not a demo world; sign in with the accounts it has.`)
    print('  npx turnout create-admin makes an administrator if you need one.')
  }
  print('')
  print(dim('  Ctrl+C stops it. Everything is kept in the data directory; delete it to begin anew.'))
}
