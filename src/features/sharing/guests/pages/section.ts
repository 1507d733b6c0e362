import type { z } from 'zod'
import type { CommandContext } from '#platform/auth/context.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { PageRequest } from '#platform/http/page.ts'
import { checkboxField } from '#platform/ui/fields.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import type { FormValues } from '#platform/ui/form-values.ts'
import { setGuestShare } from '../commands/share.ts'
import { getManagedEvent } from '../queries.ts'
import { guestsPath } from '../rules.ts'
import { shareSection } from '../schema.ts'

/** The guest section of the event form. */
export const guestSection = {
  schema: shareSection,
  show: async (
    { context: { db, words, actor } }: PageRequest,
    eventId: number | undefined,
    typed: FormValues | undefined,
  ): Promise<Html> => {
    const event = eventId === undefined ? undefined : await getManagedEvent(db, actor, eventId)
    const box = checkboxField({
      words,
      name: 'guest_link',
      label: words.t('guests.section'),
      help: words.t('guests.section_help'),
      checked: typed ? typed.guest_link !== undefined : event?.share?.isActive === true,
    })
    return html`<fieldset class="field group"><legend>${words.t('guests.title')}</legend>${box}${
      event?.share &&
      html`<p>${linkButtonView({ href: guestsPath(event.id), label: words.t('guests.section_manage'), kind: 'quiet', icon: 'user-plus', small: true })}</p>`
    }</fieldset>`
  },
  save: async (tx: Tx, context: CommandContext, eventId: number, input: z.infer<typeof shareSection>): Promise<void> => {
    await setGuestShare(tx, context, eventId, input.guest_link)
  },
}
