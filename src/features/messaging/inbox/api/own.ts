import { z } from 'zod'
import { notificationKind } from '#features/messaging/notification-kinds/points.ts'
import type { KindName } from '#features/messaging/notification-kinds/rules/kinds.ts'
import { markOneRead, markRead } from '#features/messaging/notifications/commands/notifications.ts'
import { getKind, kindsOf, requireKind } from '#features/messaging/notifications/queries/kinds.ts'
import { canSwitchOff, wants } from '#features/messaging/notifications/rules/channels.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { Added } from '#platform/features/extension-points.ts'
import { scope } from '#platform/http/access.ts'
import { type Endpoint, recordEndpoint, writeEndpoint } from '#platform/http/endpoint.ts'
import { type InputError, Problem } from '#platform/http/problem.ts'
import { changeChannels } from '../commands.ts'
import { getInboxItem } from '../queries/inbox.ts'
import { getMailChoices } from '../queries/mail-choices.ts'
import { choicesRecord, MAX_REMINDER_HOURS, notificationRecord } from '../schema.ts'
import { presentNotification } from './reads.ts'

const MOST_OF_EXTENSIONS = 100
const CHOICES = '/api/users/me/notification-choices/'
const tag = 'users'
/** The description of the API is the same on every instance, so it does not name kinds of extensions. */
const ofExtension = z
  .string()
  .regex(/^x_[a-z0-9_]{1,80}$/)
  .describe('A kind of an extension, as the list of choices names it')
const choicesBody = (names: readonly KindName[]) =>
  z
    .strictObject({
      kinds: z
        .array(
          z.strictObject({
            kind: z.union([z.enum(names), ofExtension]),
            mail: z.boolean().optional(),
            push: z.boolean().optional(),
          }),
        )
        .max(names.length + MOST_OF_EXTENSIONS)
        .optional()
        .describe('Kinds that are absent stay as they are'),
      reminder_hours: z
        .int()
        .min(1)
        .max(MAX_REMINDER_HOURS)
        .nullable()
        .optional()
        .describe('Before a shift; null: as the organisation chose'),
    })
    .meta({ example: { kinds: [{ kind: 'event_published', mail: false }], reminder_hours: 24 } })

async function presentChoices({ db, actor, words, site }: RequestContext) {
  const choices = actor.kind === 'user' ? await getMailChoices(db, actor.userId) : undefined
  return (
    choices && {
      kinds: kindsOf(site).map((kind) => ({
        kind: kind.name,
        label: words.t(`notification.${kind.name}.label`),
        mail: wants('mail', kind, choices),
        push: wants('push', kind, choices),
        required: !canSwitchOff(kind),
      })),
      reminder_hours: choices.reminder_hours,
    }
  )
}

export const ownNotificationWrites = (added: Added): Endpoint[] => [
  recordEndpoint({
    path: CHOICES,
    access: scope('ME_READ'),
    name: 'Notification Choices',
    operationId: 'users_me_notification_choices_retrieve',
    tag,
    summary: 'Which notifications the caller gets by mail and push',
    parameters: {},
    record: choicesRecord,
    get: presentChoices,
    present: (choices) => choices,
  }),
  writeEndpoint({
    method: 'PATCH',
    path: CHOICES,
    access: scope('ME_WRITE'),
    name: 'Notification Choices',
    operationId: 'users_me_notification_choices_update',
    tag,
    summary: 'Choose which notifications come by mail and push',
    body: choicesBody(added(notificationKind).map(({ name }) => name)),
    target: presentChoices,
    responses: { 200: { description: 'The choices', schema: choicesRecord, access: scope('ME_READ') } },
    perform: async (context, _path, { kinds = [], reminder_hours }) => {
      const unknown = kinds.flatMap(({ kind }, index): InputError[] => {
        if (getKind(context.site, kind)) return []
        const detail = context.words.t('notification.unknown_kind')
        return [{ pointer: `/kinds/${index}/kind`, code: 'invalid_choice', detail }]
      })
      if (unknown.length) throw new Problem('invalid_input', { errors: unknown })
      const errors = kinds.flatMap(({ kind, mail, push }, index): InputError[] => {
        const off = Object.entries({ mail, push }).filter(([, wanted]) => wanted === false)
        if (canSwitchOff(requireKind(context.site, kind))) return []
        const detail = context.words.t('notification.always_sent')
        return off.map(([channel]) => ({ pointer: `/kinds/${index}/${channel}`, code: 'always_sent', detail }))
      })
      if (errors.length) throw new Problem('refused', { errors })
      await changeChannels(context, { kinds, reminderHours: reminder_hours })
      return { status: 200, body: await presentChoices(context) }
    },
  }),
  writeEndpoint({
    method: 'POST',
    path: '/api/users/me/notifications/read/',
    access: scope('ME_WRITE'),
    name: 'Mark Own Notifications Read',
    operationId: 'users_me_notifications_read_all_create',
    tag,
    summary: "Mark the caller's notifications as read",
    body: z
      .strictObject({ up_to: z.int().positive().optional().describe('The newest one that was shown; absent: all of them') })
      .meta({ example: { up_to: 120 } }),
    responses: { 204: { description: 'They are read' } },
    perform: async (context, _path, { up_to }) => {
      await markRead(context, up_to)
      return { status: 204 }
    },
  }),
  writeEndpoint({
    method: 'POST',
    path: '/api/users/me/notifications/{id}/read/',
    access: scope('ME_WRITE'),
    name: 'Mark Own Notification Read',
    operationId: 'users_me_notifications_read_create',
    tag,
    summary: "Mark one of the caller's notifications as read",
    responses: { 200: { description: 'The notification', schema: notificationRecord, access: scope('ME_READ') } },
    perform: async (context, { id }) => {
      if (!(await getInboxItem(context, id))) throw new Problem('not_found')
      await markOneRead(context, id)
      return { status: 200, body: presentNotification((await getInboxItem(context, id))!, context) }
    },
  }),
]
