import { randomUUID } from 'node:crypto'
import { catalogueVersion, requireCatalogue } from '#features/accounts/qualifications/queries.ts'
import { loadBlocks } from '#features/events/building-blocks/queries.ts'
import { type EventPart, eventFields } from '#features/events/events/rules/event-fields.ts'
import { shiftFields } from '#features/events/events/rules/shift-fields.ts'
import { formatPlainValue } from '#features/events/events/views/facts.ts'
import { findQuestionChoices } from '#features/events/questionnaires/queries.ts'
import { type Fault, readIds } from '#features/planning/shift-forms/rules/form-rows.ts'
import { checkSlugs } from '#features/planning/shift-forms/rules/offered-slugs.ts'
import { readShift, type ShiftRead, type StoredShift, shiftPrefix } from '#features/planning/shift-forms/rules/shift-form.ts'
import type { ShiftTimes } from '#features/planning/shift-forms/rules/shift-times.ts'
import type { ShiftChoices } from '#features/planning/shift-forms/views/fields.ts'
import { readSignupRules } from '#features/staffing/staffing/flows/registry.ts'
import { findNeeds } from '#features/staffing/staffing/queries/needs.ts'
import { loadInclusions } from '#features/staffing/staffing/queries/qualifications.ts'
import { loadStaffing, type StaffedShift } from '#features/staffing/staffing/queries/staffing.ts'
import { computeStatistics } from '#features/staffing/staffing/structures/registry.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import type { CommandContext, RequestContext } from '#platform/auth/context.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { isOn } from '#platform/features/modules.ts'
import { html } from '#platform/html/html.ts'
import { formErrors } from '#platform/http/form-errors.ts'
import type { PageRequest } from '#platform/http/page.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { Span } from '#platform/time-span.ts'
import type { Option } from '#platform/ui/fields.ts'
import { type FormValues, fieldValue } from '#platform/ui/form-values.ts'
import { eventForm, type SectionPoint } from '../points.ts'
import {
  countReaders,
  findGroupChoices,
  findPersonChoices,
  findTypeChoices,
  type GroupChoice,
  type PlannedEvent,
  type TypeChoice,
} from '../queries/events.ts'
import { labelPeople, type PersonLabel } from '../rules/event-form.ts'
import type { PreviewShift } from '../views/preview.ts'

/** The page that another feature wants the person to see after saving. */
export async function findNextPage(
  context: CommandContext,
  saved: { eventId: number; shiftId?: number; fields: readonly string[] },
): Promise<string | undefined> {
  for (const ask of context.site.added(eventForm.afterSave)) {
    const next = await ask(context, saved)
    if (next !== undefined) return next
  }
  return undefined
}

/** The errors of all sections, and a function that saves their values. */
export function readSections(point: SectionPoint, values: FormValues, words: Words, commandContext: CommandContext) {
  const parsed = commandContext.site.added(point).map((section) => ({ section, result: section.schema.safeParse(values) }))
  const errors = parsed.flatMap(({ result }) => (result.success ? [] : formErrors(result.error, words)))
  const attach = async (tx: Tx, id: number) => {
    for (const { section, result } of parsed) if (result.success) await section.save(tx, commandContext, id, result.data)
  }
  return { errors, attach }
}

export const showSections = async (
  point: SectionPoint,
  request: PageRequest,
  id: number | undefined,
  typed: FormValues | undefined,
) => html`${await Promise.all(request.context.site.added(point).map((section) => section.show(request, id, typed)))}`

/** Options of the shift form that come from the database. */
export async function loadShiftChoices(
  context: RequestContext,
): Promise<Pick<ShiftChoices, 'qualifications' | 'blocks' | 'questions' | 'canBring'>> {
  const [{ version }, blocks, questions] = await Promise.all([
    context.db.selectNoFrom(catalogueVersion.as('version')).executeTakeFirstOrThrow(),
    loadBlocks(context.db),
    isOn(context.site, 'questionnaires') ? findQuestionChoices(context.db) : [],
  ])
  const catalogue = await requireCatalogue(context.db, version)
  const collator = new Intl.Collator(context.words.language)
  const sorted = (options: { value: number; label: string }[]): Option[] =>
    options.sort((a, b) => collator.compare(a.label, b.label))
  return {
    qualifications: sorted([...catalogue].map(([value, { title }]) => ({ value, label: title }))),
    blocks: sorted([...blocks.values()].map(({ id, name }) => ({ value: id, label: name }))),
    questions,
    canBring: isOn(context.site, 'companions'),
  }
}

/** Also reports a flow or structure that is not offered. */
export function readShiftRow(
  values: FormValues,
  row: number,
  { timeZone, stored, leaders }: { timeZone: string; stored?: StoredShift | undefined; leaders: readonly Option[] },
): ShiftRead {
  const prefix = shiftPrefix(row)
  const read = readShift(values, prefix, {
    timeZone,
    stored,
    newUuid: randomUUID,
    leaders: new Set(leaders.map(({ value }) => String(value))),
  })
  const unknown = checkSlugs(read.input, stored).map(({ of, code }): Fault => ({ field: `${prefix}${of}`, code }))
  return { ...read, faults: [...read.faults, ...unknown] }
}

/** `storedIds`: the shifts that are being edited, by row; the preview counts their people. */
export async function previewShifts(
  context: RequestContext,
  reads: readonly ShiftRead[],
  storedIds: readonly (number | undefined)[] = [],
): Promise<PreviewShift[]> {
  const planned = reads.map(({ input }, id) => ({
    id,
    structure_slug: input.structureSlug,
    structure_configuration: input.structureConfiguration,
  }))
  const isAsking = reads.some(({ input }) => input.questions.length > 0)
  const [stored, needs, blocks, qualifications, questions] = await Promise.all([
    loadStaffing(
      context.db,
      storedIds.filter((id) => id !== undefined),
    ),
    findNeeds(context, planned),
    loadBlocks(context.db),
    loadInclusions(context.db),
    isAsking ? findQuestionChoices(context.db) : [],
  ])
  return reads.map(({ input, leaderRow }, index) => ({
    times: input.times,
    ...shiftFields.pick(input),
    needs: needs.get(index)!,
    questions: questions.filter(({ id }) => input.questions.includes(id)).map(({ name }) => name),
    stats: computeStatistics({
      structureSlug: input.structureSlug,
      structureConfiguration: input.structureConfiguration,
      blocks,
      qualifications,
      ...peopleOf(
        stored.find(({ id }) => id === storedIds[index]),
        input.times,
      ),
    }),
    signup: signupOf(context, input, leaderRow),
  }))
}

/** People whose times are those of the shift move along with it. */
function peopleOf(stored: StaffedShift | undefined, times: ShiftTimes | undefined) {
  if (!stored) return { people: [] }
  const { people, requiredByType, span, presence } = stored
  const hasOwnTimes = ({ start, end }: Span) => +start !== +span.start || +end !== +span.end
  return {
    people,
    requiredByType,
    span: times ?? span,
    presence: new Map([...presence].filter(([, own]) => hasOwnTimes(own))),
  }
}

function signupOf({ site }: RequestContext, input: ShiftRead['input'], leaderRow: number | undefined): PreviewShift['signup'] {
  const signupRules = input.times && readSignupRules({ ...input.times, ...input }, site.timeZone)
  if (!signupRules) return { kind: 'broken' }
  const reason = signupRules.selfServiceRefusal
  if (reason?.code === 'no_self_service') return { kind: 'explained', text: reason.explanation }
  if (reason) return { kind: reason.code === 'follows_other_shift' || leaderRow !== undefined ? 'follows' : 'broken' }
  return { kind: signupRules.hasRequestStage ? 'ask' : 'sign_up', opens: signupRules.opensAt, closes: signupRules.closesAt }
}

type LoadedChoices = {
  types: TypeChoice[]
  groups: GroupChoice[]
  people: PersonLabel[]
  locked: number[]
  hasGuests: boolean
}

export async function loadEventChoices(
  context: RequestContext,
  values: FormValues,
  event?: PlannedEvent,
): Promise<LoadedChoices> {
  const chosen = readIds(values, 'responsible_users')
  const [types, groups, people] = await Promise.all([
    findTypeChoices(context, event?.typeId),
    findGroupChoices(context),
    findPersonChoices(context, chosen, fieldValue(values, 'add_user')),
  ])
  const publishable = new Set(groups.filter(({ isPublishable }) => isPublishable).map(({ id }) => id))
  const labels = labelPeople(people, { showsEmail: hasPermission(context.actor, 'view_user') })
  const locked = (event?.groups ?? []).filter((id) => !publishable.has(id))
  return { types, groups, people: labels, locked, hasGuests: isOn(context.site, 'guests') }
}

/** The preview of the event and the number of people who will see it. */
export async function previewEvent(context: RequestContext, values: FormValues, { types, groups, locked }: LoadedChoices) {
  const publishable = new Set(groups.filter(({ isPublishable }) => isPublishable).map(({ id }) => id))
  const seeing = [...readIds(values, 'groups').filter((id) => publishable.has(id)), ...locked]
  const all = [...seeing, ...readIds(values, 'responsible_groups')]
  return {
    event: {
      ...eventFields.readForm((name) => fieldValue(values, name)),
      type: types.find(({ id }) => id === readIds(values, 'type')[0]),
    },
    readers: {
      count: await countReaders(context, all, readIds(values, 'responsible_users')),
      groups: groups.filter(({ id }) => seeing.includes(id)).map(({ name }) => name),
    },
  }
}

/** The new values of concurrently changed fields. */
export function eventLines(words: Words, event: PlannedEvent, changed: readonly string[], eventChoices: LoadedChoices) {
  const names = (ids: readonly number[], of: readonly { id: number; label: string }[]) =>
    words.list(of.filter(({ id }) => ids.includes(id)).map(({ label }) => label))
  const groups = eventChoices.groups.map(({ id, name }) => ({ id, label: name }))
  const texts: Record<EventPart, string> = {
    ...eventFields.map((name) => formatPlainValue(words, event[name]).slice(0, 300)),
    type_id: eventChoices.types.find(({ id }) => id === event.typeId)?.title ?? '',
    groups: names(event.groups, groups),
    responsible_groups: names(event.responsibleGroups, groups),
    responsible_users: names(event.responsibleUsers, eventChoices.people),
  }
  return (changed as EventPart[]).map((part) => ({
    field: words.t(`plan.field.${part}`),
    now: texts[part] || words.t('plan.nothing'),
  }))
}
