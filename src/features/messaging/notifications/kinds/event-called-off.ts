import { changeOf } from '../rules/journal-changes.ts'
import { defineKind } from './kind.ts'
import { eventParticipants, listedParticipants } from './recipients.ts'

/** An event was cancelled or deleted, takes place after all, or a shift was deleted. */
export const eventCalledOff = defineKind({
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
    'shift.deleted': ({ changes }) => {
      const before = (field: string) => changeOf(changes, field)?.[0] ?? null
      return {
        recipients: listedParticipants,
        data: {
          what: 'shift_deleted',
          label: before('label'),
          start_time: before('start_time'),
          end_time: before('end_time'),
        },
      }
    },
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
