import { sql } from 'kysely'
import { addPart } from '#features/messaging/notification-kinds/points.ts'

type Offered = { id: number; userId: number; shiftId: number; isOpen: boolean }

declare module '#features/messaging/notification-kinds/rules/details.ts' {
  interface NotificationParts {
    /** The place that is offered to the recipient. `until` null: it ends with the shift. */
    offer?: (Offered & { until: Date | null }) | undefined
  }
}

export const offerPart = addPart({
  name: 'offer',
  read: ({ personId }) => sql`(
    select json_build_object('id', w.id, 'userId', w.user_id, 'shiftId', w.shift_id, 'until', w.offered_until, 'isOpen', w.state = 'offered')
    from waiting_entry w where w.id = (n.data ->> 'waiting_entry_id')::bigint and w.user_id = ${personId})`,
  parse: (offer: Offered & { until: string | null }) => ({
    ...offer,
    until: offer.until === null ? null : new Date(offer.until),
  }),
})
