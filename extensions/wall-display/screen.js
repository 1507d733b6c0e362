// Runs in the browser of the screen, without packages.

/** @typedef {import('turnout/extension').ScreenFacts} ScreenFacts */
/** @typedef {{ name: string, state: 'expected' | 'present' | 'left' }} Person */
/** @typedef {{ id: number, title: string, label: string, location: string, start: string, end: string, confirmed: number, missing: number, present: number, people: Person[] | null }} Shift */
/** @typedef {{ made_at: string, days: { date: string, shifts: Shift[] }[] }} Board */
/** @typedef {{ access_token: string, refresh_token: string, until: number }} Tokens */

const BOARD = '/api/x/wall_display/board/'
const UPDATE_MS = 30_000
const PART_MS = 12_000
/** Afterwards, what is shown could mislead. */
const KEPT_MS = 3_600_000

/** @type {ScreenFacts} */
const facts = JSON.parse(/** @type {HTMLElement} */ (document.getElementById('screen')).textContent ?? '')
const main = /** @type {HTMLElement} */ (document.querySelector('main'))
const { language, timeZone } = facts
const plurals = new Intl.PluralRules(language)

/** @param {string} key @param {Record<string, string | number>} [values] */
function t(key, values = {}) {
  const message = facts.words[key] ?? key
  const text =
    typeof message === 'string' ? message : plurals.select(Number(values.count)) === 'one' ? message.one : message.other
  return text.replaceAll(/\{(\w+)\}/g, (_, name) => String(values[name]))
}

/** @param {string} tag @param {string} className @param {...(Node | string | false)} children */
function element(tag, className, ...children) {
  const made = document.createElement(tag)
  made.className = className
  made.append(...children.filter((child) => child !== false))
  return made
}
const timeFormat = new Intl.DateTimeFormat(language, { timeZone, hour: '2-digit', minute: '2-digit' })
const dayFormat = new Intl.DateTimeFormat(language, { timeZone: 'UTC', weekday: 'long', day: 'numeric', month: 'long' })
const dateOf = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' })
/** @param {string | Date} at */
const time = (at) => timeFormat.format(new Date(at))
const wait = (/** @type {number} */ ms) => new Promise((done) => setTimeout(done, ms))

/** @template Value @param {string} key @returns {Value | undefined} */
function recall(key) {
  try {
    return JSON.parse(localStorage.getItem(`wall-display.${key}`) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}
/** @param {string} key @param {unknown} value */
function keep(key, value) {
  if (value === undefined) localStorage.removeItem(`wall-display.${key}`)
  else localStorage.setItem(`wall-display.${key}`, JSON.stringify(value))
}

/** @param {string} path @param {Record<string, string>} form */
async function post(path, form) {
  // Without credentials, a browser does not ask for a password when the client is refused.
  const body = new URLSearchParams({ client_id: facts.clientId, ...form })
  const response = await fetch(path, { method: 'POST', credentials: 'omit', body })
  if (response.status >= 500) throw new Error(`HTTP ${response.status}`)
  return response.json()
}
/** @param {{ access_token: string, refresh_token: string, expires_in: number }} given @returns {Tokens} */
function keepTokens({ access_token, refresh_token, expires_in }) {
  const tokens = { access_token, refresh_token, until: Date.now() + (expires_in - 60) * 1000 }
  keep('tokens', tokens)
  return tokens
}

/** Shows codes until somebody has entered one. */
async function connect() {
  for (;;) {
    const device = await post('/api/oauth/device/', { scope: facts.scope })
    if (device.error) throw new Error(device.error)
    showCode(device.user_code)
    let granted = { error: 'authorization_pending' }
    let pause = (device.interval ?? 5) * 1000
    while (granted.error === 'authorization_pending' || granted.error === 'slow_down') {
      await wait(pause)
      const form = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: device.device_code }
      granted = await post('/api/oauth/token/', form)
      if (granted.error === 'slow_down') pause += 5_000
    }
    if (!granted.error) return keepTokens(/** @type {any} */ (granted))
    if (granted.error === 'access_denied') {
      main.replaceChildren(element('p', 'notice', t('denied')))
      await wait(10_000)
    }
  }
}

/** @param {string} code */
function showCode(code) {
  const { url, qr } = facts.codePage
  const picture = /** @type {HTMLImageElement} */ (element('img', 'qr'))
  picture.src = qr
  picture.alt = ''
  const texts = element('div', '', element('p', '', t('scan', { url })), element('p', 'code', code), element('p', '', t('enter')))
  main.replaceChildren(element('h1', '', t('connect')), element('div', 'pairing', picture, texts))
}

/** Undefined: the access has ended, and the screen must be connected again. */
async function readBoard() {
  let tokens = /** @type {Tokens | undefined} */ (recall('tokens')) ?? (await connect())
  for (const isRepeated of [false, true]) {
    if (isRepeated || tokens.until < Date.now()) {
      const given = await post('/api/oauth/token/', { grant_type: 'refresh_token', refresh_token: tokens.refresh_token })
      if (given.error) return undefined
      tokens = keepTokens(given)
    }
    const response = await fetch(BOARD, { credentials: 'omit', headers: { authorization: `Bearer ${tokens.access_token}` } })
    if (response.ok) return /** @type {Promise<Board>} */ (response.json())
    if (response.status !== 401) throw new Error(`HTTP ${response.status}`)
  }
  return undefined
}

/** @param {Shift} shift */
function shiftRow(shift) {
  const isOvernight = dateOf.format(new Date(shift.start)) !== dateOf.format(new Date(new Date(shift.end).getTime() - 1))
  const until = `${time(shift.end)}${isOvernight ? ` ${t('next_day')}` : ''}`
  const status =
    shift.missing > 0
      ? element('strong', 'missing', t('missing', { count: shift.missing }))
      : element('span', 'complete', t('complete'))
  const hasBegun = new Date(shift.start).getTime() <= Date.now()
  const isCounted = shift.present > 0 || (hasBegun && shift.confirmed > 0)
  const names = (shift.people ?? []).map(({ name, state }) => element('span', state, state === 'present' ? `✓ ${name}` : name))
  return element(
    'li',
    'shift',
    element('span', 'time', `${time(shift.start)}–${until}`),
    element(
      'div',
      'what',
      element('span', 'title', shift.title),
      element('span', 'detail', [shift.label, shift.location].filter(Boolean).join(' · ')),
      names.length > 0 && element('span', 'people', ...names),
    ),
    element(
      'div',
      'state',
      status,
      isCounted && element('span', 'detail', t('present', { count: shift.present, all: shift.confirmed })),
    ),
  )
}

/** @param {Board} board */
function rowsOf({ days }) {
  return days.flatMap(({ date, shifts }, index) => [
    element(
      'li',
      'day',
      element('strong', '', t(index === 0 ? 'today' : 'tomorrow')),
      ` ${dayFormat.format(new Date(`${date}T00:00Z`))}`,
    ),
    ...(shifts.length ? shifts.map(shiftRow) : [element('li', 'nothing', t('nothing'))]),
  ])
}

let part = 0
/** What fits the screen, one part after the other. @param {Board} board @param {boolean} isOffline */
function show(board, isOffline) {
  const list = element('ol', 'board')
  const place = element('span', 'part')
  const clock = element('span', 'clock', time(new Date()))
  const head = element('header', '', element('h1', '', facts.siteName), place, clock)
  const notice = isOffline && element('p', 'notice', t('offline', { time: time(board.made_at) }))
  main.replaceChildren(head, ...(notice ? [notice] : []), list)
  /** @type {HTMLElement[][]} */
  const parts = [[]]
  let day = /** @type {HTMLElement | undefined} */ (undefined)
  for (const row of rowsOf(board)) {
    if (row.className === 'day') day = row
    list.append(row)
    const current = /** @type {HTMLElement[]} */ (parts.at(-1))
    if (list.scrollHeight <= list.clientHeight || current.length === 0) {
      current.push(row)
      continue
    }
    // A heading never stands alone at the end of a part, and each part begins with one.
    const moved = current.at(-1)?.className === 'day' ? [/** @type {HTMLElement} */ (current.pop())] : []
    const first = row.className === 'day' || moved.length || !day ? moved : [/** @type {HTMLElement} */ (day.cloneNode(true))]
    parts.push([...first, row])
    list.replaceChildren(...first, row)
  }
  part %= parts.length
  list.replaceChildren(.../** @type {HTMLElement[]} */ (parts[part]))
  if (parts.length > 1) place.textContent = t('part', { part: part + 1, parts: parts.length })
}

/** Without a connection: the last board, for an hour. */
function showKept() {
  const board = /** @type {Board | undefined} */ (recall('board'))
  if (!board) return main.replaceChildren(element('p', 'notice', t('unreachable')))
  if (Date.now() - new Date(board.made_at).getTime() < KEPT_MS) return show(board, true)
  main.replaceChildren(element('p', 'notice', t('too_old', { time: time(board.made_at) })))
}

async function update() {
  try {
    const board = await readBoard()
    if (!board) {
      keep('tokens', undefined)
      keep('board', undefined)
      return 0
    }
    keep('board', board)
    show(board, false)
  } catch {
    showKept()
  }
  return UPDATE_MS
}

const stayAwake = () => navigator.wakeLock?.request('screen').catch(() => {})

async function run() {
  navigator.serviceWorker?.register('worker.js').catch(() => {})
  document.addEventListener('visibilitychange', stayAwake)
  stayAwake()
  let next = 0
  for (;;) {
    if (Date.now() >= next) next = Date.now() + (await update())
    else showAgain()
    await wait(PART_MS)
  }
}

/** The next part, with the time of now. */
function showAgain() {
  const board = /** @type {Board | undefined} */ (recall('board'))
  part += 1
  if (board && !document.querySelector('.board + .pairing')) show(board, document.querySelector('.notice') !== null)
}

void run()
