import { sql } from 'kysely'
import { responsibleIds } from '#features/events/events/queries/notified.ts'
import { wasNotified } from '#features/messaging/notification-kinds/queries.ts'
import { defineKind } from '#features/messaging/notification-kinds/rules/kinds.ts'
import { STATE } from '#features/staffing/staffing/rules/model.ts'

/**
 * A confirmed person lost a qualification that the place needs, or left the group of the event. The source contains the lapse, so a
 * person who lapses again causes another notification. All that are found together become one mail for each event.
 */
export const placeLapsed = defineKind({
  name: 'place_lapsed',
  icon: 'user-x',
  role: 'responsible',
  mail: 'default',
  findDue: (now) => sql`
    select u.id as user_id, null::bigint as guest_id, null::bigint as visitor_id, p.id as participation_id, p.event_id,
      due.source, 'lapse ' || p.event_id || ' ' || ${now.toISOString()} as bundle, jsonb_build_object('lapse', b.lapse) as data
    from place_basis b join participation p on p.id = b.participation_id join event e on e.id = p.event_id
      cross join lateral (select 'lapse ' || p.id || ' ' || b.lapse_id as source) due
      join user_profile u on u.is_active and not u.is_service_account and u.id is distinct from p.user_id and u.id in (${responsibleIds(sql`p.event_id`)})
    where b.lapse is not null and p.state = 1 and p.start_time > ${now} and e.listed
      and not ${wasNotified('place_lapsed', sql`u.id`, sql`due.source`)}
    order by p.event_id, p.start_time, p.id, u.id`,
  isObsolete: ({ event, participation }, now) =>
    !event?.isListed || participation?.state !== STATE.confirmed || !participation.isLapsed || participation.start <= now,
  describe: ({ words, details, event, shift, participant: name }) => {
    const count = details.shift?.missing ?? 0
    const left = count
      ? words.t('notification.participation_given_up.missing', { count })
      : words.t('notification.participation_given_up.enough')
    const line = details.data.lapse === 'left_group' ? 'line_left_group' : 'line_unqualified'
    return {
      subject: words.t('notification.place_lapsed.subject', { name, event }),
      line: `${words.t(`notification.place_lapsed.${line}`, { name, shift })} ${left}`,
    }
  },
  link: ({ event, shift }) =>
    shift && event?.isResponsible
      ? { path: `/shifts/${shift.id}/disposition/`, label: (words) => words.t('notification.place_lapsed.open_board') }
      : undefined,
})
