export type SlotLimits = {
  /** Requests at a time that have not taken long yet. */
  quick: number
  /** Of these, to receivers whose last answer was a failure. */
  failing: number
  /** Requests that took longer than `slowAfterMs`. */
  slow: number
  /** After so long, a request gives its slot to another one. */
  slowAfterMs: number
}

/** 20 requests at a time in all, however many receivers hang. */
export const SLOT_LIMITS: SlotLimits = { quick: 20, failing: 5, slow: 200, slowAfterMs: 500 }

type Slot = { failing: boolean; slow: boolean }

/**
 * Counts what a dispatcher has under way. A receiver that hangs occupies a quick slot only for a moment, so it cannot keep others waiting;
 * with too many of them, the oldest are cut off.
 */
export class Slots {
  readonly #limits: SlotLimits
  readonly #taken = new Set<Slot>()
  constructor(limits: SlotLimits) {
    this.#limits = limits
  }

  #count(filter: (slot: Slot) => boolean): number {
    return [...this.#taken].filter(filter).length
  }

  get total(): number {
    return this.#taken.size
  }

  free(failing: boolean): number {
    const quick = this.#limits.quick - this.#count(({ slow }) => !slow)
    if (!failing) return Math.max(0, quick)
    return Math.max(0, Math.min(quick, this.#limits.failing - this.#count((slot) => slot.failing && !slot.slow)))
  }

  take(failing: boolean): Slot {
    const slot = { failing, slow: false }
    this.#taken.add(slot)
    return slot
  }

  /** False: there are too many slow ones already. */
  slowDown(slot: Slot): boolean {
    if (this.#count(({ slow }) => slow) >= this.#limits.slow) return false
    slot.slow = true
    return true
  }

  give(slot: Slot): void {
    this.#taken.delete(slot)
  }
}
