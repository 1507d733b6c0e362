import { type Kysely, sql } from 'kysely'
import { type EventInput, eventFields, eventSnapshot } from '#features/events/events/rules/event-fields.ts'
import { insertEvent, limitToPublishable } from '#features/planning/planning/commands/events.ts'
import { findTypeChoices, getCopiedEvent, getTypeDefaults } from '#features/planning/planning/queries/events.ts'
import { findStoredShifts } from '#features/planning/planning/queries/shifts.ts'
import { changesBetween } from '#features/planning/planning/rules/changes.ts'
import { insertCopies } from '#features/planning/series/commands/copies.ts'
import { addMembers, insertSeries } from '#features/planning/series/commands/link.ts'
import { dateOf } from '#features/planning/series/rules/linking.ts'
import { daysBetween, moveShift } from '#features/planning/series/rules/moving-dates.ts'
import type { ChosenDates } from '#features/planning/series/rules/recurrence.ts'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import { hasPermission, type UserActor } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem, requireFound } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'
import { templateParts } from '../points.ts'
import { findKnownQuestions, getTemplate, type Template } from '../queries.ts'
import { contentOf, shiftsOf, type TemplateContent, type TemplatePart } from '../rules/content.ts'

export type TemplateText = { name: string; description: string }

/** Saves an event as a template, or replaces the content of one. */
export function saveTemplate(
  context: CommandContext,
  {
    eventId,
    text,
    parts,
    replaces,
  }: {
    eventId: number
    text: TemplateText
    parts: readonly TemplatePart[]
    replaces?: number | undefined
  },
): Promise<{ id: number }> {
  const { actor, now, site } = context
  if (actor.kind !== 'user' || !hasPermission(actor, 'add_event')) throw new Problem('permission_denied')
  return transact(context.db, async (tx) => {
    const event = requireFound(await getCopiedEvent(tx, actor, eventId))
    const shifts = await findStoredShifts(tx, eventId)
    const more: Pick<TemplateContent, 'resources' | 'files'> = { resources: [], files: [] }
    for (const { part, save } of site.added(templateParts))
      if (parts.includes(part)) Object.assign(more, { [part]: await save(tx, eventId) })
    const hasPeople = parts.includes('people')
    const content = contentOf(event, shifts, { ...more, date: dateOf(shifts, site.timeZone) ?? null, hasPeople })
    const values = { ...text, type_id: event.typeId, content: JSON.stringify(content), changed_at: now }
    const id =
      replaces === undefined
        ? await insertTemplate(tx, { ...values, created_at: now })
        : await replace(tx, context, replaces, values)
    await sql`delete from event_template_user where template_id = ${id}`.execute(tx)
    if (hasPeople)
      await sql`insert into event_template_user (template_id, user_id)
        select ${id}, u.id from user_profile u where u.id = any (${event.responsibleUsers}::bigint[])`.execute(tx)
    await record(tx, context, {
      kind: replaces === undefined ? 'event_template.created' : 'event_template.replaced',
      subject: { kind: 'event_template', id },
      changes: { name: [null, text.name], copied_from: [null, eventId] },
    })
    return { id }
  })
}

type Values = { name: string; description: string; type_id: number | null; content: string; changed_at: Date }

export async function insertTemplate(tx: Tx, values: Values & { created_at: Date }): Promise<number> {
  return (await tx.insertInto('event_template').values(values).returning('id').executeTakeFirstOrThrow()).id
}

async function replace(tx: Tx, { actor }: CommandContext, id: number, values: Values): Promise<number> {
  await lockTemplate(tx, id)
  if (!(await getTemplate(tx, actor, id))) throw new Problem('not_found')
  await tx.updateTable('event_template').set(values).where('id', '=', id).execute()
  return id
}

async function lockTemplate(tx: Tx, id: number): Promise<void> {
  await tx.selectFrom('event_template').select('id').where('id', '=', id).forUpdate().execute()
}

async function requireTemplate(tx: Tx, { actor }: CommandContext, id: number, state?: 'kept' | 'binned'): Promise<Template> {
  await lockTemplate(tx, id)
  return requireFound(await getTemplate(tx, actor, id, state))
}

export function renameTemplate(context: CommandContext, { id, text }: { id: number; text: TemplateText }): Promise<void> {
  return transact(context.db, async (tx) => {
    const { name, description } = await requireTemplate(tx, context, id)
    const changes = changesBetween({ name, description }, text)
    if (!Object.keys(changes).length) return
    await tx
      .updateTable('event_template')
      .set({ ...text, changed_at: context.now })
      .where('id', '=', id)
      .execute()
    await record(tx, context, { kind: 'event_template.changed', subject: { kind: 'event_template', id }, changes })
  })
}

/** Moves a template to the bin, or back. Events that were made from it stay as they are. */
export function binTemplate(
  context: CommandContext,
  { id, isBinned }: { id: number; isBinned: boolean },
): Promise<{ name: string }> {
  return transact(context.db, async (tx) => {
    const { name } = await requireTemplate(tx, context, id, isBinned ? 'kept' : 'binned')
    await tx
      .updateTable('event_template')
      .set({ deleted_at: isBinned ? context.now : null })
      .where('id', '=', id)
      .execute()
    await record(tx, context, {
      kind: isBinned ? 'event_template.deleted' : 'event_template.restored',
      subject: { kind: 'event_template', id },
      changes: { name: [name, name] },
    })
    return { name }
  })
}

const SHIFTS_PER_BATCH = 100

type UseInput = {
  id: number
  title: string
  /** Undefined: the place of the template. */
  location?: string | undefined
  typeId: number
  chosen: ChosenDates
  isLinked: boolean
}

/** Of a new event: those of the template, or those that its type begins with. */
async function choosePeople(
  tx: Tx,
  context: CommandContext<UserActor>,
  { content, users, typeId }: { content: TemplateContent; users: readonly number[]; typeId: number },
): Promise<Pick<EventInput, 'groups' | 'responsibleGroups' | 'responsibleUsers'>> {
  const { actor } = context
  if (content.groups !== null)
    return {
      groups: await limitToPublishable(tx, context, content.groups),
      responsibleGroups: content.responsibleGroups,
      responsibleUsers: [...users, actor.userId],
    }
  const { groups, responsibleGroups, responsibleUsers } = (await getTypeDefaults({ db: tx, actor }, typeId))!
  return { groups, responsibleGroups, responsibleUsers }
}

/** Makes one draft per date; several can be linked as a series. */
export function useTemplate(
  context: CommandContext,
  { id, title, location, typeId, chosen, isLinked }: UseInput,
): Promise<{ events: number[]; seriesId: number | undefined }> {
  const { actor, now, site } = context
  if (actor.kind !== 'user') throw new Problem('permission_denied')
  return transact(context.db, async (tx) => {
    const { content, users } = await requireTemplate(tx, context, id)
    if (!(await findTypeChoices({ db: tx })).some((type) => type.id === typeId)) throw new Problem('invalid_input')
    const known = await findKnownQuestions(
      tx,
      content.shifts.flatMap(({ questions }) => questions),
    )
    const people = await choosePeople(tx, { ...context, actor }, { content, users, typeId })
    const input = { ...eventFields.defaults, ...content, title, typeId, active: false, ...people }
    if (location !== undefined) input.location = location
    const shifts = shiftsOf(content, known)
    const made: { id: number; date: string; shifts: Map<number, number> }[] = []
    let stale: number[] = []
    for (const date of chosen.dates) {
      const days = daysBetween(content.date ?? date, date)
      const eventId = await insertEvent(tx, context, input)
      const counterparts = await insertCopies(tx, eventId, shifts, (shift) => moveShift(shift, days, site.timeZone))
      stale.push(...counterparts.values())
      for (const { part, restore } of context.site.added(templateParts))
        await restore(tx, eventId, counterparts, content[part as 'files'])
      await record(tx, context, {
        kind: 'event.made_from_template',
        subject: { kind: 'event', id: eventId },
        eventId,
        changes: { ...changesBetween(undefined, eventSnapshot(input)), event_template: [null, id], date: [null, date] },
      })
      made.push({ id: eventId, date, shifts: counterparts })
      if (stale.length >= SHIFTS_PER_BATCH) {
        await refreshStatistics(tx, stale)
        stale = []
      }
    }
    await refreshStatistics(tx, stale)
    await tx.updateTable('event_template').set({ last_used_at: now }).where('id', '=', id).execute()
    const seriesId = isLinked && made.length > 1 ? await insertSeries(tx, context, chosen) : undefined
    if (seriesId !== undefined) await addMembers(tx, context, seriesId, made)
    return { events: made.map((event) => event.id), seriesId }
  })
}

/** Called when a person is deleted. */
export async function removeFromTemplates(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('event_template_user').where('user_id', '=', userId).execute()
}

const BIN_DAYS = 30
const DAY_MS = 24 * 3600_000

/** Permanently deletes templates that have been in the bin for 30 days. */
export async function emptyTemplateBin(db: Kysely<DB>, now: Date): Promise<void> {
  await db
    .deleteFrom('event_template')
    .where('deleted_at', '<', new Date(now.getTime() - BIN_DAYS * DAY_MS))
    .execute()
}
