import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

type Answer = { status: number; body: object }

async function serve(answer: (request: IncomingMessage, url: URL, body: Record<string, unknown>) => Answer) {
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url!, 'http://127.0.0.1')
    const body = request.method === 'GET' ? {} : ((await json(request).catch(() => ({}))) as Record<string, unknown>)
    const given = answer(request, url, body)
    response.writeHead(given.status, { 'content-type': 'application/json' }).end(JSON.stringify(given.body))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => new Promise<void>((done) => server.close(() => done())),
  }
}

type Button = { text: string; url: string }
type TelegramMessage = { chat_id: number; text: string; parse_mode?: string; reply_markup?: { inline_keyboard: Button[][] } }
type Update = { update_id: number; message: { message_id: number; chat: object; text: string; date: number } }

/** The Bot API of Telegram for one bot, as far as it is documented for these methods: https://core.telegram.org/bots/api */
export async function startTelegram(token: string) {
  const sent: TelegramMessage[] = []
  const updates: Update[] = []
  const chats = new Map<number, 'open' | 'blocked'>()
  /** Answers all requests to send. */
  const state: { refusal: { code: number; description: string } | undefined; nextUpdate: number } = {
    refusal: undefined,
    nextUpdate: 900_001,
  }
  const ok = (result: unknown): Answer => ({ status: 200, body: { ok: true, result } })
  const fail = (code: number, description: string): Answer => ({
    status: code,
    body: { ok: false, error_code: code, description },
  })

  function sendMessage(message: TelegramMessage): Answer {
    if (state.refusal) return fail(state.refusal.code, state.refusal.description)
    const chat = chats.get(Number(message.chat_id))
    if (!chat) return fail(400, 'Bad Request: chat not found')
    if (chat === 'blocked') return fail(403, 'Forbidden: bot was blocked by the user')
    if (!message.text || message.text.length > 4096) return fail(400, 'Bad Request: message text is empty')
    const plain = message.text.replaceAll(/<\/?b>/g, '')
    if (message.parse_mode === 'HTML' && /<|&(?!amp;|lt;|gt;|quot;)/.test(plain))
      return fail(400, "Bad Request: can't parse entities: Unsupported start tag")
    const buttons = message.reply_markup?.inline_keyboard.flat() ?? []
    if (buttons.some(({ text, url }) => !text || !/^https?:\/\/[^/]+\.[^/]+\//.test(url)))
      return fail(400, 'Bad Request: BUTTON_URL_INVALID')
    sent.push(message)
    return ok({ message_id: sent.length, chat: { id: message.chat_id, type: 'private' }, date: 1, text: plain })
  }

  function getUpdates({ offset = 0, limit = 100, timeout }: { offset?: number; limit?: number; timeout?: number }): Answer {
    if (timeout) return fail(409, 'Conflict: terminated by other getUpdates request')
    // An update is confirmed as soon as getUpdates is called with a higher offset.
    while (updates.length && updates[0]!.update_id < offset) updates.shift()
    return ok(updates.slice(0, limit))
  }

  const service = await serve((_, url, body) => {
    const [, given, method] = /^\/bot([^/]+)\/(\w+)$/.exec(url.pathname) ?? []
    if (given !== token) return fail(401, 'Unauthorized')
    if (method === 'getMe') return ok({ id: 77, is_bot: true, first_name: 'Turnout', username: 'turnout_test_bot' })
    if (method === 'getUpdates') return getUpdates(body)
    if (method === 'sendMessage') return sendMessage(body as never)
    return fail(404, 'Not Found')
  })
  return {
    ...service,
    sent,
    chats,
    state,
    waiting: () => updates.length,
    /** Somebody writes to the bot. */
    write: (id: number, text: string, { type = 'private', username = `user${id}` } = {}) => {
      if (!chats.has(id)) chats.set(id, 'open')
      const message = { message_id: state.nextUpdate, date: 1, chat: { id, type, username, first_name: 'U' }, text }
      updates.push({ update_id: state.nextUpdate++, message })
    },
  }
}

type RoomEvent = {
  type: string
  event_id: string
  sender: string
  content: { msgtype: string; body: string }
  origin_server_ts: number
}
type Room = { members: Set<string>; invited: boolean; events: { at: number; event: RoomEvent }[]; changedAt: number }
const BOT = '@turnout:hs.example'

/** A homeserver with one account, as in https://spec.matrix.org/v1.11/client-server-api/ for these paths. */
export async function startMatrix(token: string) {
  const rooms = new Map<string, Room>()
  const sent: { room: string; body: string; formatted_body?: string }[] = []
  const transactions = new Map<string, string>()
  const state = { position: 1, limited: false }
  const fail = (status: number, errcode: string, more: object = {}): Answer => ({
    status,
    body: { errcode, error: errcode, ...more },
  })
  const ok = (body: object): Answer => ({ status: 200, body })

  function sync(url: URL): Answer {
    const since = Number(url.searchParams.get('since')?.replace(/^s/, '') ?? 0)
    JSON.parse(url.searchParams.get('filter') ?? '{}')
    const [join, invite]: [Record<string, object>, Record<string, object>] = [{}, {}]
    for (const [id, room] of rooms) {
      if (room.invited) {
        if (room.changedAt > since) invite[id] = { invite_state: { events: [] } }
        continue
      }
      // A room that was joined since then comes with its latest messages.
      const events = room.events.filter(({ at }) => at > since || room.changedAt > since).map(({ event }) => event)
      if (events.length) join[id] = { timeline: { events, limited: false, prev_batch: 'p' }, state: { events: [] } }
    }
    return ok({ next_batch: `s${state.position}`, rooms: { join, invite } })
  }

  function send(
    room: string,
    transaction: string,
    content: { msgtype?: string; body?: string; formatted_body?: string },
  ): Answer {
    if (state.limited) return fail(429, 'M_LIMIT_EXCEEDED', { retry_after_ms: 2000 })
    if (!rooms.get(room)?.members.has(BOT)) return fail(403, 'M_FORBIDDEN')
    if (content.msgtype !== 'm.text' || !content.body) return fail(400, 'M_BAD_JSON')
    const known = transactions.get(`${room} ${transaction}`)
    if (known) return ok({ event_id: known })
    const event_id = `$sent${transactions.size}`
    transactions.set(`${room} ${transaction}`, event_id)
    sent.push({ room, body: content.body, ...(content.formatted_body ? { formatted_body: content.formatted_body } : {}) })
    return ok({ event_id })
  }

  const service = await serve((request, url, body) => {
    if (request.headers.authorization !== `Bearer ${token}`) return fail(401, 'M_UNKNOWN_TOKEN')
    const path = url.pathname.replace('/_matrix/client/v3/', '')
    const [head, room = '', action, type, transaction = ''] = path.split('/').map(decodeURIComponent)
    if (request.method === 'GET' && path === 'account/whoami') return ok({ user_id: BOT, device_id: 'D', is_guest: false })
    if (request.method === 'GET' && path === 'sync') return sync(url)
    if (head !== 'rooms' || !rooms.has(room)) return fail(404, 'M_NOT_FOUND')
    if (request.method === 'GET' && action === 'joined_members')
      return ok({ joined: Object.fromEntries([...rooms.get(room)!.members].map((id) => [id, { display_name: id }])) })
    if (request.method === 'POST' && action === 'join') {
      Object.assign(rooms.get(room)!, { invited: false, changedAt: ++state.position })
      rooms.get(room)!.members.add(BOT)
      return ok({ room_id: room })
    }
    if (request.method === 'PUT' && action === 'send' && type === 'm.room.message') return send(room, transaction, body)
    return fail(404, 'M_UNRECOGNIZED')
  })
  return {
    ...service,
    sent,
    rooms,
    state,
    /** People start a chat with the bot, which is invited. */
    open: (room: string, ...members: string[]) =>
      rooms.set(room, { members: new Set(members), invited: true, events: [], changedAt: ++state.position }),
    write: (room: string, sender: string, body: string) => {
      const at = ++state.position
      const event = {
        type: 'm.room.message',
        event_id: `$e${at}`,
        sender,
        content: { msgtype: 'm.text', body },
        origin_server_ts: at,
      }
      rooms.get(room)!.events.push({ at, event })
    },
    leave: (room: string) => rooms.get(room)!.members.delete(BOT),
  }
}
