import { findQualificationChoices } from '#features/accounts/users/queries/people.ts'
import { dayOf } from '#features/accounts/users/rules.ts'
import type { CommandContext, RequestContext } from '#platform/auth/context.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { type Html, html } from '#platform/html/html.ts'
import { formErrors } from '#platform/http/form-errors.ts'
import type { PageRequest } from '#platform/http/page.ts'
import { type FormValues, fieldValue, isChecked } from '#platform/ui/form-values.ts'
import { decidesAllQualifications } from '../access.ts'
import { saveEventQualification } from '../commands/event-qualifications.ts'
import { getEventQualification } from '../queries.ts'
import type { EventQualification } from '../rules.ts'
import { type EventQualificationForm, eventQualificationSection } from '../schema.ts'
import { appliedSectionView, eventSectionView, receivedQualificationView, type SectionValues } from '../views/event.ts'

const typedValues = (values: FormValues): SectionValues => ({
  qualification: fieldValue(values, 'auto_qualification'),
  mode: fieldValue(values, 'auto_mode'),
  recipients: fieldValue(values, 'auto_recipients'),
  expiry: fieldValue(values, 'auto_expiry'),
  expiresOn: fieldValue(values, 'auto_expires_on'),
  validMonths: fieldValue(values, 'auto_valid_months'),
  needsDecision: isChecked(values, 'auto_needs_decision'),
})

const storedValues = (stored: EventQualification | undefined, timeZone: string): SectionValues => ({
  qualification: String(stored?.qualificationId ?? ''),
  mode: stored?.mode ?? 'any',
  recipients: stored?.recipients ?? 'all',
  expiry: stored?.expiresAt ? 'date' : stored?.validMonths ? 'months' : 'never',
  expiresOn: stored?.expiresAt ? dayOf(stored.expiresAt, timeZone) : '',
  validMonths: String(stored?.validMonths ?? ''),
  needsDecision: stored?.needsDecision ?? true,
})

/** The section of the event form. Only people who may edit others can grant them qualifications. */
export const eventQualificationFormSection = {
  schema: eventQualificationSection,
  show: async ({ context }: PageRequest, eventId: number | undefined, typed: FormValues | undefined): Promise<Html> => {
    const { db, words, actor, site } = context
    if (!decidesAllQualifications(actor)) return html``
    const [stored, qualifications] = await Promise.all([
      eventId === undefined ? undefined : getEventQualification(db, eventId),
      findQualificationChoices(db),
    ])
    if (stored?.appliedAt) return appliedSectionView(words, stored)
    const parsed = typed && eventQualificationSection.safeParse(typed)
    return eventSectionView({
      words,
      values: typed ? typedValues(typed) : storedValues(stored, site.timeZone),
      errors: parsed?.error ? formErrors(parsed.error, words) : [],
      qualifications: qualifications.map(({ id, name, category }) => ({ value: id, label: `${name} (${category})` })),
    })
  },
  save: (tx: Tx, context: CommandContext, eventId: number, form: EventQualificationForm): Promise<void> =>
    saveEventQualification(tx, context, eventId, form),
}

/** A card on the event page, for planners. */
export async function receivedQualificationSection(
  { db, words }: RequestContext,
  event: { id: number; mayChange: boolean },
): Promise<Html | undefined> {
  const stored = event.mayChange ? await getEventQualification(db, event.id) : undefined
  return stored && receivedQualificationView(words, stored)
}
