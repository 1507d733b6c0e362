import { type RawBuilder, sql } from 'kysely'
import type { Extension, JournalEntry } from '#extension'
import { notificationChannel } from '#features/messaging/channels/points.ts'
import { notificationKind } from '#features/messaging/notification-kinds/points.ts'
import { signUpRule } from '#features/staffing/eligibility/points.ts'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import type { Feature } from '#platform/features/feature.ts'
import { isOn, type ModuleName } from '#platform/features/modules.ts'
import type { Runtime } from '#platform/features/runtime.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import type { JournalReader } from '#platform/journal/readers.ts'
import { extensionSettings } from '../points.ts'
import { moduleOf, schemaOf, settingsPath } from '../rules/names.ts'
import { adaptAdditions } from './adapt-additions.ts'
import { adaptChannel, channelPages, receiveTask } from './adapt-channels.ts'
import { adaptKind } from './adapt-kinds.ts'
import { adaptEndpoint, adaptPage, type Host } from './adapt-requests.ts'
import { adaptRule } from './adapt-rules.ts'
import { workFor } from './contexts.ts'
import { personalFeature } from './personal.ts'
import { screenPages } from './screens.ts'
import { settingsPage } from './settings-page.ts'

/** After the kinds of Turnout. */
const KIND_RANK = 1000

/** A feature from outside: whatever it adds runs within the limits of its guard. */
export function adaptExtension(host: Host, extension: Extension, columns: Parameters<typeof personalFeature>[1]): Feature {
  const { name, pages = [], screens = [], endpoints = [], adds = {}, tasks = [], readers = [], retention = [] } = extension
  const { settings = [], channels = [], rules = [], notificationKinds = [] } = extension
  const personal = personalFeature(name, columns, retention)
  return {
    ...personal,
    module: {
      name: moduleOf(name) as ModuleName,
      icon: 'puzzle',
      presets: [],
      countUses: () => countRows(name, [...columns, ...retention]),
    },
    pages: (runtime) => [
      ...pages.map((page) => adaptPage(host, page)),
      ...screens.flatMap((screen) => screenPages(host, extension, screen)),
      ...(settings.length ? [settingsPage(host, settings)] : []),
      ...channels.flatMap((channel) => channelPages(host, { channel, settings }, runtime)),
    ],
    endpoints: endpoints.map((endpoint) => adaptEndpoint(host, endpoint)),
    adds: [
      ...(personal.adds ?? []),
      ...adaptAdditions(host, adds),
      ...rules.map((rule) => signUpRule.add(adaptRule(host, extension, rule))),
      ...notificationKinds.map((kind) => notificationKind.add(adaptKind(name, kind), KIND_RANK)),
      ...(settings.length ? [extensionSettings.add({ extension: name, href: settingsPath(name) })] : []),
      ...channels.map((channel) => notificationChannel.add(adaptChannel(host, { channel, settings }))),
    ],
    tasks: (runtime) => [
      ...tasks.map(({ name: task, schedule, run }) => ({
        name: `${moduleOf(name)}_${task}`,
        schedule,
        run: () => host.guard.run(`task ${task}`, host.budgets.taskMs, () => run(workOf(host, runtime))),
      })),
      ...channels.map((channel) => receiveTask(host, channel, runtime)),
    ],
    readers: (runtime) => readers.map((reader) => adaptReader(host, runtime, reader)),
  }
}

/** Of the tables that it declares. */
function countRows(name: string, declared: readonly { table: string }[]): RawBuilder<number> {
  const counts = [...new Set(declared.map(({ table }) => table))].map(
    (table) => sql`(select count(*)::int from ${sql.table(`${schemaOf(name)}.${table}`)})`,
  )
  return counts.length ? sql<number>`select ${sql.join(counts, sql` + `)}` : sql<number>`select 0`
}

function workOf({ name, budgets }: Host, { db, clock, site }: Runtime) {
  const words = wordsFor(site.defaultLanguage ?? 'en', site.timeZone, site)
  return workFor(name, { db: db.write, actor: ANONYMOUS, now: clock.now(), site, requestId: null }, words, budgets.taskMs)
}

function adaptReader(
  host: Host,
  runtime: Runtime,
  { name, kinds, read }: NonNullable<Extension['readers']>[number],
): JournalReader {
  return {
    name: `${moduleOf(host.name)}_${name}`,
    wants: ({ kind }) => kinds.includes(kind) && isOn(runtime.site, moduleOf(host.name) as ModuleName),
    // A failure would repeat the entry for the readers of Turnout, so it is only counted.
    read: async ({ id, kind, at, subject_id, event_id }) => {
      const entry: JournalEntry = { id, kind, at, subjectId: subject_id, eventId: event_id }
      await host.guard.omit(`reader ${name}`, host.budgets.taskMs, () => read(workOf(host, runtime), entry))
    },
  }
}
