import { sql } from 'kysely'
import { starterUuid } from '#features/accounts/qualifications/rules/starters.ts'
import { createEventType } from '#features/events/events/commands/event-types.ts'
import { findTypeChoices } from '#features/planning/planning/queries/events.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { isOn } from '#platform/features/modules.ts'
import { Problem } from '#platform/http/problem.ts'
import type { SourceLanguage } from '#platform/i18n/languages.ts'
import { record } from '#platform/journal/journal.ts'
import { findQualificationIds, getNamedTemplate } from '../queries.ts'
import { chooseType, contentOfStarter, getStarter, qualificationsOf } from '../rules/starter-content.ts'
import type { Starter, StarterTemplate } from '../rules/starters.ts'
import { insertTemplate } from './templates.ts'

export type StarterGuard = { lock: (tx: Tx) => Promise<void> }
/** A second tap waits here, and finds the template of the first. */
const ONE_AT_A_TIME: StarterGuard = {
  lock: async (tx) => void (await sql`select pg_advisory_xact_lock(hashtext('turnout.starter_template'))`.execute(tx)),
}

/** Saves a template to begin with as an ordinary one. If there is one of this name, that is returned. */
export async function takeStarter(
  context: CommandContext,
  { starter, language }: { starter: Starter; language: SourceLanguage },
  guard = ONE_AT_A_TIME,
): Promise<{ id: number; name: string; isNew: boolean }> {
  const { actor, now, site } = context
  if (actor.kind !== 'user' || !hasPermission(actor, 'add_event')) throw new Problem('permission_denied')
  const template = getStarter(starter)
  const name = template.name[language]
  return transact(context.db, async (tx) => {
    await guard.lock(tx)
    const known = await getNamedTemplate(tx, actor, name)
    if (known) return { id: known.id, name, isNew: false }
    const content = contentOfStarter(starter, {
      language,
      now,
      timeZone: site.timeZone,
      qualifications: await findQualificationIds(tx, qualificationsOf(template).map(starterUuid)),
      hasCompanions: isOn(site, 'companions'),
    })
    const id = await insertTemplate(tx, {
      name,
      description: template.description[language],
      type_id: (await findType(tx, context, { template, language })) ?? null,
      content: JSON.stringify(content),
      created_at: now,
      changed_at: now,
    })
    await record(tx, context, {
      kind: 'event_template.created',
      subject: { kind: 'event_template', id },
      changes: { name: [null, name] },
    })
    return { id, name, isNew: true }
  })
}

/** Creates the first type of an organisation that has none, for whoever may do that. */
async function findType(
  tx: Tx,
  context: CommandContext,
  { template, language }: { template: StarterTemplate; language: SourceLanguage },
): Promise<number | undefined> {
  const types = await findTypeChoices({ db: tx })
  if (types.length || !hasPermission(context.actor, 'add_event_type')) return chooseType(template, types)?.id
  return createEventType({ ...context, db: tx }, { title: template.types[language][0]! })
}
