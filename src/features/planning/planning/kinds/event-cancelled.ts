import { defineKind } from '#features/messaging/notification-kinds/rules/kinds.ts'
import {
  comingParticipantsOfShift,
  eventParticipants,
  listedParticipants,
} from '#features/staffing/participations/queries/notified.ts'
import type { StoredChanges } from '#platform/journal/kinds.ts'

type StoredShift = StoredChanges<'shift.deleted'>

const storedShift = ({ label, start_time, end_time }: Pick<StoredShift, 'label' | 'start_time' | 'end_time'>) => ({
  label: label?.[0] ?? null,
  start_time: start_time?.[0] ?? null,
  end_time: end_time?.[0] ?? null,
})

/** An event or a shift was cancelled or deleted, or takes place after all. */
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
    'shift.cancelled': ({ changes }) => ({
      recipients: listedParticipants,
      data: { what: 'shift_cancelled', ...storedShift(changes), reason: changes.cancellation_reason[1] },
    }),
    'shift.deleted': ({ changes }) => ({
      recipients: listedParticipants,
      data: { what: 'shift_deleted', ...storedShift(changes) },
    }),
    'shift.reopened': () => ({ recipients: comingParticipantsOfShift, data: { what: 'shift_restored' } }),
    'shift.restored': () => ({ recipients: comingParticipantsOfShift, data: { what: 'shift_restored' } }),
  },
  isObsolete: ({ data, event }) => {
    if (data.what === 'cancelled') return !event?.isCancelled
    if (data.what === 'restored' || data.what === 'shift_restored') return !event?.isListed
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
    if (what === 'shift_cancelled') {
      const { reason } = details.data
      return {
        subject: words.t('notification.event_called_off.subject_shift_cancelled', { event }),
        line: words.t('notification.event_called_off.line_shift_cancelled', {
          shift,
          reason: typeof reason === 'string' ? reason : '',
        }),
      }
    }
    if (what === 'shift_deleted' || what === 'shift_restored')
      return {
        subject: words.t(`notification.event_called_off.subject_${what}`, { event }),
        line: words.t(`notification.event_called_off.line_${what}`, { shift }),
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
