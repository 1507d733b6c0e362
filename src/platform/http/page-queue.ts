import { randomBytes } from 'node:crypto'
import type { PageRequest, PageResponse } from './page.ts'

export type QueueLimits = {
  /** Pages that are made at once. */
  atOnce: number
  /** Requests that wait for their turn without an answer, and people who were let in and have not come yet: as many as get it soon. */
  waiting: { least: number; most: number }
  /** Submitted forms whose senders see the queue page instead of waiting. */
  held: number
  /** A page that takes longer, for example because a partner does not answer, does not hold up others. */
  turnMs: number
  /** So many pages at most. When the database is busy all pages take long, and more of them at once would only make it busier. */
  overdue: number
  /** After so long, a form that still waits for its turn is answered by the queue page. */
  patienceMs: number
}
export const QUEUE_LIMITS: QueueLimits = {
  atOnce: 16,
  waiting: { least: 20, most: 200 },
  held: 20_000,
  turnMs: 1_000,
  overdue: 32,
  patienceMs: 3_000,
}

/** People who were let in and do not come within this time have left: at the front, pages ask every two seconds. */
const ARRIVAL_MS = 4_000
/** Of so many people who were let in, the queue remembers whether they came. Even if nobody did, a part of the next is expected. */
const REMEMBERED_ARRIVALS = 200
const LEAST_ARRIVING = 0.05
const KEPT_MS = 300_000
/** Of those who are let in. */
const LONGEST_WAIT_SECONDS = 1.5
/** Who was let in opens a page, sends a form and looks at the result. */
const PAGES_PER_PERSON = 4
const RETRY_SECONDS = { least: 2, most: 30 }
/** Whoever asks again after this part of the time that it will take sees the number become smaller, and comes in soon after its turn. */
const RETRY_PART = 0.5
/** In people a second, before any is known. */
const SLOWEST_PACE = 5
const PACE_WINDOW_MS = 5_000
const PACE_EVENTS = 200

/** How many happen in a second, by the last ones. */
class Pace {
  readonly #times: number[] = []

  count(now: number): void {
    this.#times.push(now)
    if (this.#times.length > PACE_EVENTS) this.#times.shift()
  }

  perSecond(now: number): number {
    while (this.#times.length && this.#times[0]! < now - PACE_WINDOW_MS) this.#times.shift()
    const isMore = this.#times.length === PACE_EVENTS
    const ms = isMore ? Math.max(1, now - this.#times[0]!) : PACE_WINDOW_MS
    return (this.#times.length / ms) * 1000
  }
}

/** The right to make a page. Turns begin in the order in which they were taken. */
export type Turn = { readonly number: number; readonly begun: Promise<void>; hasBegun: boolean; end: () => void }

/** `position`: 1 is the next. `waitSeconds`: about how long until the turn comes, by the pace of the last seconds. */
export type Place = { number: number; position: number; retrySeconds: number; waitSeconds: number }

/** A submitted form that waits for its turn, or whose answer nobody has asked for yet. */
type HeldForm = {
  answer: Promise<PageResponse>
  turn: Turn
  /** The browser that sent it, which alone gets the answer. */
  device: string
  pageRequest: PageRequest
}
type KeptForm = HeldForm & { isSettled: boolean; until: number }

/**
 * The pages of this process while more people come than it can answer. Some are made at once, some wait for their turn, and everybody else
 * gets a number and the queue page, which asks again by itself. Numbers are let in by their order as others are done. The memory of the
 * queue does not grow with the people in it: it knows the last number and the last one that was let in.
 */
export class PageQueue {
  /** Numbers of another process mean nothing here. */
  readonly id = randomBytes(4).toString('hex')
  readonly limits: QueueLimits
  readonly #now: () => number
  readonly #ended = new Pace()
  readonly #entered = new Pace()
  #busy = 0
  /** Pages that are being made and do not count as busy any more. */
  #overdue = 0
  #taken = 0
  #begun = 0
  readonly #waiting: (() => void)[] = []
  #given = 0
  #letIn = 0
  /** Of each person who was let in and has not come yet: until when. */
  #expected: number[] = []
  /** Of the last people who were let in: whether they came. Many close the page, and their places must not stay empty. */
  readonly #arrivals: boolean[] = []
  readonly #held = new Map<string, KeptForm>()

  constructor(limits: QueueLimits = QUEUE_LIMITS, now: () => number = () => performance.now()) {
    this.limits = limits
    this.#now = now
  }

  take(): Turn {
    const begun = Promise.withResolvers<void>()
    let timer: NodeJS.Timeout | undefined
    let state: 'busy' | 'overdue' | 'ended' = 'busy'
    const giveOn = () => {
      this.#busy--
      this.#waiting.shift()?.()
    }
    const standAside = () => {
      if (this.#overdue >= this.limits.overdue) return
      state = 'overdue'
      this.#overdue++
      giveOn()
    }
    const end = () => {
      if (state === 'ended') return
      clearTimeout(timer)
      this.#ended.count(this.#now())
      if (state === 'overdue') this.#overdue--
      else giveOn()
      state = 'ended'
    }
    const turn: Turn = { number: ++this.#taken, begun: begun.promise, hasBegun: false, end }
    const begin = () => {
      this.#busy++
      this.#begun++
      turn.hasBegun = true
      timer = setTimeout(standAside, this.limits.turnMs).unref()
      begun.resolve()
    }
    if (this.#busy < this.limits.atOnce) begin()
    else this.#waiting.push(begin)
    return turn
  }

  async inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.take()
    await turn.begun
    try {
      return await work()
    } finally {
      turn.end()
    }
  }

  /** Whether a newcomer would get a number. */
  isFull(): boolean {
    this.#letMoreIn()
    return this.#letIn < this.#given || this.#waiting.length >= this.#mostWaiting()
  }

  #mostWaiting(): number {
    const { least, most } = this.limits.waiting
    return Math.min(most, Math.max(least, Math.floor(this.#ended.perSecond(this.#now()) * LONGEST_WAIT_SECONDS)))
  }

  /** Undefined: come in. `number`: what the person got before. */
  placeOf(number?: number): Place | undefined {
    const isFull = this.isFull()
    const isKnown = number !== undefined && number <= this.#given
    if (!isKnown && !isFull) return undefined
    const own = isKnown ? number : ++this.#given
    if (own > this.#letIn) {
      const now = this.#now()
      const perSecond = Math.max(this.#entered.perSecond(now), this.#ended.perSecond(now) / PAGES_PER_PERSON)
      return { number: own, ...this.#waitFor(own - this.#letIn, perSecond) }
    }
    if (this.#expected.shift() !== undefined) this.#remember(true)
    this.#entered.count(this.#now())
    return undefined
  }

  /** Of a form; undefined: its turn has come. */
  placeOfForm({ turn }: HeldForm): Place | undefined {
    return turn.hasBegun
      ? undefined
      : { number: turn.number, ...this.#waitFor(turn.number - this.#begun, this.#ended.perSecond(this.#now())) }
  }

  #waitFor(position: number, perSecond: number): Omit<Place, 'number'> {
    const { least, most } = RETRY_SECONDS
    const waitSeconds = position / Math.max(perSecond, SLOWEST_PACE)
    return { position, waitSeconds, retrySeconds: Math.min(most, Math.max(least, Math.ceil(waitSeconds * RETRY_PART))) }
  }

  #letMoreIn(): void {
    const now = this.#now()
    while (this.#expected.length && this.#expected[0]! <= now) {
      this.#expected.shift()
      this.#remember(false)
    }
    const arriving = this.#arrivingPart()
    const room = Math.floor((this.#mostWaiting() - this.#waiting.length - this.#expected.length * arriving) / arriving)
    const count = Math.max(0, Math.min(room, this.#given - this.#letIn))
    this.#letIn += count
    for (let n = 0; n < count; n++) this.#expected.push(now + ARRIVAL_MS)
  }

  #remember(came: boolean): void {
    this.#arrivals.push(came)
    if (this.#arrivals.length > REMEMBERED_ARRIVALS) this.#arrivals.shift()
  }

  /** Which part of those who are let in comes. */
  #arrivingPart(): number {
    if (!this.#arrivals.length) return 1
    return Math.max(LEAST_ARRIVING, this.#arrivals.filter(Boolean).length / this.#arrivals.length)
  }

  /** Keeps the form until its browser asks for the answer. Returns the key; undefined: there are too many. */
  hold(form: HeldForm): string | undefined {
    const now = this.#now()
    // In the order of arrival, so the first are the oldest.
    for (const [key, { isSettled, until }] of this.#held) {
      if (!isSettled || until > now) break
      this.#held.delete(key)
    }
    if (this.#held.size >= this.limits.held) return undefined
    const key = randomBytes(16).toString('base64url')
    const kept: KeptForm = { ...form, isSettled: false, until: now }
    const settle = () => {
      kept.isSettled = true
      kept.until = this.#now() + KEPT_MS
    }
    form.answer.then(settle, settle)
    this.#held.set(key, kept)
    return key
  }

  /** An answer is given out once. */
  findForm(key: string, device: string | undefined): KeptForm | undefined {
    const found = this.#held.get(key)
    if (!found || found.device !== device) return undefined
    if (found.isSettled) this.#held.delete(key)
    return found
  }
}
