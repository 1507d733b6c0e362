import type { Channel, ChannelWork, Extension, ServiceWork } from '#extension'
import { ensureCode, linkByCode, removeLink, unlink } from '#features/messaging/channels/commands/links.ts'
import type { NotificationChannel, SendingContext } from '#features/messaging/channels/points.ts'
import { getLink, hasOpenCodes } from '#features/messaging/channels/queries.ts'
import { linkChannelView } from '#features/messaging/channels/views.ts'
import { ANONYMOUS, type UserActor } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { Runtime } from '#platform/features/runtime.ts'
import { signedIn } from '#platform/http/access.ts'
import { actionPage, type Page, viewPage } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import { isLanguage } from '#platform/i18n/languages.ts'
import { type Words, wordsFor } from '#platform/i18n/words.ts'
import type { Task } from '#platform/jobs/worker.ts'
import { type Outbound, OutboundError } from '#platform/outbound/outbound.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { channelOf, channelPath, moduleOf, wordOf } from '../rules/names.ts'
import { answer, type Host } from './adapt-requests.ts'
import { textsOf, workFor } from './contexts.ts'
import { findSettingNames, getSettingsOf } from './settings.ts'

type Known = { channel: Channel; settings: NonNullable<Extension['settings']> }

const plainWords = (words: Words) => words.t as (key: string) => string

const neededBy = ({ channel, settings }: Known): string[] => [
  ...(channel.needs ?? settings.flatMap(({ name, isRequired = true }) => (isRequired ? [name] : []))),
]

export function adaptChannel(host: Host, known: Known): NotificationChannel {
  const { channel } = known
  const needs = neededBy(known)
  return {
    name: channelOf(host.name, channel.name),
    label: (words) => plainWords(words)(wordOf(host.name, channel.label)),
    path: channelPath(host.name, channel.name),
    isReady: async (db) => {
      const given = await findSettingNames(db, host.name)
      return needs.every((need) => given.has(need))
    },
    // What the extension throws is counted, and costs this message.
    send: async (context, address, message) => {
      const outcome = await host.guard.omit(`channel ${channel.name}`, host.budgets.requestMs, async () =>
        channel.send(await serviceWork(host, commandFor(context), context.words, context.outbound), address, message),
      )
      return outcome === 'sent' || outcome === 'gone' ? outcome : 'later'
    },
  }
}

const commandFor = ({ db, now, site }: SendingContext): CommandContext => ({
  db: db.write,
  actor: ANONYMOUS,
  now,
  site,
  requestId: null,
})

async function serviceWork(host: Host, command: CommandContext, words: Words, outbound: Outbound): Promise<ServiceWork> {
  return {
    ...workFor(host.name, command, words, host.budgets.requestMs),
    settings: await getSettingsOf(command.db, command.site.keyring, host.name),
    siteUrl: command.site.url,
    request: async (url, request) => {
      try {
        const { status, text } = await outbound.send(url, request)
        return { status, text }
      } catch (error) {
        if (error instanceof OutboundError) return undefined
        throw error
      }
    },
  }
}

async function channelWork(
  host: Host,
  channel: Channel,
  command: CommandContext,
  { words, outbound }: { words: Words; outbound: Outbound },
): Promise<ChannelWork> {
  return {
    ...(await serviceWork(host, command, words, outbound)),
    link: async (code, { address, label }) => {
      const found = await linkByCode(command, { channel: channelOf(host.name, channel.name), code, address, label })
      if (!found) return undefined
      const language =
        found.language !== null && isLanguage(found.language) ? found.language : (command.site.defaultLanguage ?? 'en')
      return { name: found.name, t: textsOf(host.name, wordsFor(language, command.site.timeZone, command.site)) }
    },
  }
}

/** Looks for codes while somebody has one. */
export const receiveTask = (host: Host, channel: Channel, { db, clock, site, outbound }: Runtime): Task => ({
  name: `${moduleOf(host.name)}_receive_${channel.name}`,
  schedule: '* * * * *',
  run: async () => {
    const now = clock.now()
    if (!(await hasOpenCodes(db.write, channelOf(host.name, channel.name), now))) return
    const command: CommandContext = { db: db.write, actor: ANONYMOUS, now, site, requestId: null }
    const words = wordsFor(site.defaultLanguage ?? 'en', site.timeZone, site)
    await host.guard.omit(`channel ${channel.name}`, host.budgets.taskMs, async () =>
      channel.receive(await channelWork(host, channel, command, { words, outbound: outbound() })),
    )
  },
})

const BACK = '/settings/notifications/'

/** Of one's own account: code, test message, end of the link. */
export function channelPages(host: Host, known: Known, { outbound }: Pick<Runtime, 'outbound'>): Page[] {
  const { channel } = known
  const adapted = adaptChannel(host, known)
  const { name, path } = adapted
  const card = `${BACK}#${name}`
  const what = `channel ${channel.name}`
  return [
    viewPage({
      path,
      access: signedIn,
      writes: true,
      show: async ({ context, commandContext, csrfToken }) => {
        const { words } = context
        if (!(await adapted.isReady(commandContext.db))) throw new Problem('not_found')
        const { code, until } = await ensureCode(commandContext, name)
        const guide = await answer(host, words, what, async () =>
          channel.guide(await serviceWork(host, commandContext, words, outbound()), code),
        )
        if (!guide) throw new Problem('unavailable', { detail: words.t('channels.test_later') })
        const main = linkChannelView({ words, csrfToken, channel: adapted, code, until, guide, back: card })
        return { title: words.t('channels.link_title', { name: adapted.label(words) }), main }
      },
    }),
    actionPage({
      path: `${path}sent/`,
      access: signedIn,
      form: emptyForm,
      submit: async ({ context: { words, actor }, commandContext }) => {
        const { userId } = actor as UserActor
        await answer(host, words, what, async () =>
          channel.receive(await channelWork(host, channel, commandContext, { words, outbound: outbound() })),
        )
        if (await getLink(commandContext.db, userId, name))
          return { redirect: card, flash: { kind: 'good', text: words.t('channels.linked') } }
        return { redirect: path, flash: { kind: 'warn', text: words.t('channels.not_there') } }
      },
    }),
    actionPage({
      path: `${path}test/`,
      access: signedIn,
      form: emptyForm,
      submit: async ({ context: { words, actor, site, now }, commandContext }) => {
        const link = await getLink(commandContext.db, (actor as UserActor).userId, name)
        if (!link) throw new Problem('not_found')
        const message = {
          title: words.t('channels.test_title'),
          text: words.t('channels.test_text'),
          url: `${site.url}/notifications/`,
          answers: [],
          tag: 'test',
        }
        const db = { write: commandContext.db } as SendingContext['db']
        const outcome = await adapted.send({ db, now, site, outbound: outbound(), words }, link.address, message)
        if (outcome === 'gone') await removeLink(commandContext.db, link.id)
        return {
          redirect: card,
          flash: { kind: outcome === 'sent' ? 'good' : 'warn', text: words.t(`channels.test_${outcome}`) },
        }
      },
    }),
    actionPage({
      path: `${path}unlink/`,
      access: signedIn,
      form: emptyForm,
      submit: async ({ context: { words }, commandContext }) => {
        if (!(await unlink(commandContext, name))) throw new Problem('not_found')
        return { redirect: card, flash: { kind: 'good', text: words.t('channels.unlinked') } }
      },
    }),
  ]
}
