// The Bot API of Telegram: https://core.telegram.org/bots/api
import { findCodes, readObject } from './answers.js'
import { getPosition, setPosition } from './positions.js'

/** @typedef {import('turnout/extension').ServiceWork} ServiceWork */
/** @typedef {import('turnout/extension').ChannelWork} ChannelWork */

const SERVER = 'https://api.telegram.org'
const MAX_PAGES = 10
const PAGE = 100

/** Calls a method of the bot. @param {ServiceWork} work @param {string} method @param {object} [parameters] */
const call = ({ request, settings }, method, parameters = {}) =>
  request(`${(settings.telegram_server ?? SERVER).replace(/\/+$/, '')}/bot${settings.telegram_token}/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(parameters),
  })

/** @param {string} text */
const escapeHtml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Telegram refuses buttons with other addresses. @param {string} url */
const isButtonUrl = (url) => /^https?:\/\/[^/]*\./.test(url)

/** @param {import('turnout/extension').ChannelMessage} message @param {string} open */
export function makeMessage({ title, text, url, answers }, open) {
  const buttons = [...answers.map(({ label, url: to }) => [{ text: label, url: to }]), [{ text: open, url }]]
  const isReachable = buttons.flat().every((button) => isButtonUrl(button.url))
  return {
    text: `<b>${escapeHtml(title)}</b>\n${escapeHtml(text)}${isReachable ? '' : `\n${escapeHtml(url)}`}`,
    parse_mode: 'HTML',
    link_preview_options: { is_disabled: true },
    ...(isReachable ? { reply_markup: { inline_keyboard: buttons } } : {}),
  }
}

/** @param {{ username?: string, first_name?: string, title?: string, id: number }} chat */
const nameOf = ({ username, first_name, title, id }) => (username ? `@${username}` : (first_name ?? title ?? String(id)))

/** @type {import('turnout/extension').Channel} */
export const telegram = {
  name: 'telegram',
  label: 'telegram',
  needs: ['telegram_token'],
  guide: async (work, code) => {
    const { username } = readObject(await call(work, 'getMe')).result ?? {}
    if (!username) return undefined
    return {
      text: work.t('telegram_guide', { bot: `@${username}` }),
      link: { href: `https://t.me/${username}?start=${code}`, label: work.t('open_telegram') },
    }
  },
  receive: async (work) => {
    for (let page = 0; page < MAX_PAGES; page++) {
      const position = await getPosition(work, 'telegram')
      const { ok, result } = readObject(
        await call(work, 'getUpdates', {
          ...(position === undefined ? {} : { offset: Number(position) }),
          limit: PAGE,
          timeout: 0,
          allowed_updates: ['message'],
        }),
      )
      if (!ok || !Array.isArray(result) || !result.length) return
      for (const { message } of result) await readMessage(work, message)
      // The next request confirms these.
      await setPosition(work, 'telegram', String(Math.max(...result.map(({ update_id }) => update_id)) + 1))
      if (result.length < PAGE) return
    }
  },
  send: async (work, chatId, message) => {
    const response = await call(work, 'sendMessage', { chat_id: chatId, ...makeMessage(message, work.t('open')) })
    if (!response) return 'later'
    const { ok, description = '' } = readObject(response)
    if (ok) return 'sent'
    // The person has blocked the bot or deleted the account. Other refusals concern the token or the load.
    const isGone = response.status === 403 || (response.status === 400 && /chat not found|user is deactivated/i.test(description))
    return isGone ? 'gone' : 'later'
  },
}

/** @param {ChannelWork} work @param {any} message */
async function readMessage(work, message) {
  // Messages in groups would reach others.
  if (message?.chat?.type !== 'private') return
  for (const code of findCodes(message.text)) {
    const linked = await work.link(code, { address: String(message.chat.id), label: nameOf(message.chat) })
    if (!linked) continue
    await call(work, 'sendMessage', { chat_id: message.chat.id, text: linked.t('welcome', { name: linked.name }) })
    return
  }
}
