import { defineKind } from '#features/messaging/notification-kinds/rules/kinds.ts'
import { eventParticipants, listedParticipants } from '#features/staffing/participations/queries/notified.ts'

/** An event was cancelled or deleted, takes place after all, or a shift was deleted. */
export const eventCancelled = defineKind({
  name: 'event_called_off',
  icon: 'calendar-x',
  role: 'participant',
  mail: 'default',
  triggers: {
    'event.cancelled': () => ({ recipients: eventParticipants, data: { what: 'cancelled' } }),
    'event.reopened': () => ({ recipients: eventParticipants, data: { what: 'restored' } }),
    'event.restored': () => ({ recipients: eventParticipants, data: { what: 'restored' } }),
    'event.deleted': () => ({ recipients: eventParticipants, data: { what: 'deleted' } }),
    // The participations are deleted with the shift, so the entry lists the participants and holds the times.
    'shift.deleted': ({ changes: { label, start_time, end_time } }) => ({
      recipients: listedParticipants,
      data: {
        what: 'shift_deleted',
        label: label?.[0] ?? null,
        start_time: start_time?.[0] ?? null,
        end_time: end_time?.[0] ?? null,
      },
    }),
  },
  isObsolete: ({ data, event }) => {
    if (data.what === 'cancelled') return !event?.isCancelled
    if (data.what === 'restored') return !event?.isListed
    return data.what === 'deleted' && !event?.isDeleted
  },
  describe: ({ words, details, event, shift }) => {
    const { what } = details.data
    if (what === 'cancelled')
      return {
        subject: words.t('notification.event_called_off.subject_cancelled', { event }),
        line: words.t('notification.event_called_off.line_cancelled', {
          event,
          reason: details.event?.cancellationReason ?? '',
        }),
      }
    if (what === 'shift_deleted')
      return {
        subject: words.t('notification.event_called_off.subject_shift_deleted', { event }),
        line: words.t('notification.event_called_off.line_shift_deleted', { shift }),
      }
    const outcome = what === 'restored' ? 'restored' : 'deleted'
    return {
      subject: words.t(`notification.event_called_off.subject_${outcome}`, { event }),
      line: words.t(`notification.event_called_off.line_${outcome}`, { event }),
    }
  },
  showsHiddenEvents: true,
  namesActor: true,
})
