import type { z } from 'zod'
import type { CommandContext } from '#platform/auth/context.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { extensionPoint } from '#platform/features/extension-points.ts'
import type { Html } from '#platform/html/html.ts'
import type { PageRequest } from '#platform/http/page.ts'
import type { PlainKey } from '#platform/i18n/words.ts'
import type { FormValues } from '#platform/ui/form-values.ts'
import type { IconName } from '#platform/ui/icon.ts'

/** A section that another feature adds to the form of an event or of a shift. `id`: of the event or shift, undefined for a new one. */
export type FormSection<Input = unknown> = {
  schema: z.ZodType<Input>
  /** `typed`: the submitted values if the form is shown again. */
  show: (request: PageRequest, id: number | undefined, typed: FormValues | undefined) => Promise<Html>
  /** In the transaction that saves the event or shift, also if nothing else of it has changed. */
  save: (tx: Tx, commandContext: CommandContext, id: number, input: Input) => Promise<void>
}
// biome-ignore lint/suspicious/noExplicitAny: the form does not look into sections
type AnySection = FormSection<any>

/**
 * What another feature asks after an event or a shift was saved: the page to go to instead of the event. `fields`: the changed fields
 * of the event.
 */
type AfterSave = (
  context: CommandContext,
  saved: { eventId: number; shiftId?: number; fields: readonly string[] },
) => Promise<string | undefined>

/** Another way to begin a new event than its type. */
type EventStart = { href: string; label: PlainKey; icon: IconName }

/** Another page to plan the shifts of an event. `path`: below `/events/{id}/`. A new event is saved as a draft first. */
type ShiftsLink = { path: string; label: PlainKey; icon: IconName }

export const eventForm = {
  start: extensionPoint<EventStart>('planning.form.start'),
  shifts: extensionPoint<ShiftsLink>('planning.form.shifts'),
  section: extensionPoint<AnySection>('planning.form.section'),
  afterSave: extensionPoint<AfterSave>('planning.form.after-save'),
}

/** The page that adds or changes one shift. Shifts that are planned together with a new event have no sections. */
export const shiftForm = {
  section: extensionPoint<AnySection>('planning.shift-form.section'),
}

export type SectionPoint = typeof eventForm.section
