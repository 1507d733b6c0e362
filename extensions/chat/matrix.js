// The client-server API of Matrix: https://spec.matrix.org/latest/client-server-api/
import { findCodes, readObject } from './answers.js'
import { getPosition, setPosition } from './positions.js'

/** @typedef {import('turnout/extension').ServiceWork} ServiceWork */
/** @typedef {import('turnout/extension').ChannelWork} ChannelWork */

/** Invitations, and messages in rooms. Everything else is left out. */
const FILTER = JSON.stringify({
  presence: { types: [] },
  account_data: { types: [] },
  room: {
    timeline: { types: ['m.room.message'], limit: 50 },
    state: { types: ['m.room.member'], lazy_load_members: true },
    ephemeral: { types: [] },
    account_data: { types: [] },
  },
})

/** @param {ServiceWork} work @param {'GET' | 'POST' | 'PUT'} method @param {string} path @param {object} [body] */
const call = ({ request, settings }, method, path, body) =>
  request(`${(settings.matrix_server ?? '').replace(/\/+$/, '')}/_matrix/client/v3/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${settings.matrix_token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

/** @param {string} text */
const escapeHtml = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** With links, because Matrix has no buttons. @param {import('turnout/extension').ChannelMessage} message @param {string} open */
export function makeMessage({ title, text, url, answers }, open) {
  const links = [...answers, { label: open, url }]
  return {
    msgtype: 'm.text',
    body: `${title}\n${text}\n${links.map((link) => `${link.label}: ${link.url}`).join('\n')}`,
    format: 'org.matrix.custom.html',
    formatted_body: `<strong>${escapeHtml(title)}</strong><br>${escapeHtml(text)}<br>${links
      .map((link) => `<a href="${escapeHtml(link.url)}">${escapeHtml(link.label)}</a>`)
      .join(' · ')}`,
  }
}

/** The homeserver ignores a second request with the same transaction. @param {ServiceWork} work @param {string} room @param {string} transaction @param {object} content */
const sendTo = (work, room, transaction, content) =>
  call(work, 'PUT', `rooms/${encodeURIComponent(room)}/send/m.room.message/${encodeURIComponent(transaction)}`, content)

/** @type {import('turnout/extension').Channel} */
export const matrix = {
  name: 'matrix',
  label: 'matrix',
  needs: ['matrix_server', 'matrix_token'],
  guide: async (work) => {
    const { user_id } = readObject(await call(work, 'GET', 'account/whoami'))
    if (!user_id) return undefined
    const link = { href: `https://matrix.to/#/${encodeURIComponent(user_id)}`, label: work.t('open_matrix') }
    return { text: work.t('matrix_guide', { bot: user_id }), link }
  },
  receive: async (work) => {
    // A room that the bot has just joined shows its messages in the next answer.
    for (let round = 0; round < 3; round++) if (!(await readNews(work))) return
  },
  send: async (work, room, message) => {
    // A test message is sent as often as it is asked for.
    const transaction = message.tag === 'test' ? `test-${work.now.getTime()}` : message.tag
    const response = await sendTo(work, room, transaction, makeMessage(message, work.t('open')))
    if (response?.status === 200) return 'sent'
    // The bot is not in the room any more.
    return response?.status === 403 && readObject(response).errcode === 'M_FORBIDDEN' ? 'gone' : 'later'
  },
}

/** True: it joined a room. @param {ChannelWork} work */
async function readNews(work) {
  const since = await getPosition(work, 'matrix')
  const query = new URLSearchParams({ timeout: '0', filter: FILTER, ...(since === undefined ? {} : { since }) })
  const { next_batch, rooms } = readObject(await call(work, 'GET', `sync?${query}`))
  if (typeof next_batch !== 'string') return false
  const invited = Object.keys(rooms?.invite ?? {})
  for (const room of invited) await call(work, 'POST', `rooms/${encodeURIComponent(room)}/join`, {})
  for (const [room, { timeline }] of Object.entries(rooms?.join ?? {}))
    for (const event of timeline?.events ?? []) await readEvent(work, room, event)
  await setPosition(work, 'matrix', next_batch)
  return invited.length > 0
}

/** @param {ChannelWork} work @param {string} room @param {any} event */
async function readEvent(work, room, event) {
  if (event?.type !== 'm.room.message') return
  for (const code of findCodes(event.content?.body)) {
    const members = readObject(await call(work, 'GET', `rooms/${encodeURIComponent(room)}/joined_members`)).joined
    // Messages in rooms with more people would reach others.
    if (!members || Object.keys(members).length > 2) continue
    const linked = await work.link(code, { address: room, label: String(event.sender) })
    if (!linked) continue
    const text = linked.t('welcome', { name: linked.name })
    await sendTo(work, room, `welcome-${event.event_id}`, { msgtype: 'm.text', body: text })
    return
  }
}
