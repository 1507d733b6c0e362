const DAY = 24 * 3600 * 1000
/** A new key is shown before it is used, so that whoever keeps a copy of the list has it by then. */
const SHOWN_FIRST = DAY
const USED_FOR = 90 * DAY
/** Longer than anything that was signed with it is worth something. */
const SHOWN_AFTER = 14 * DAY

export type KeyTimes = { kid: string; createdAt: Date; retiredAt: Date | null }

/** What to do about the signing keys at this time; pure, so every node comes to the same answer. */
export function judgeKeys(
  keys: readonly KeyTimes[],
  now: Date,
): { mustMake: boolean; retire: string[]; forget: string[]; inOrder: string[] } {
  const age = (since: Date) => now.getTime() - since.getTime()
  const newestFirst = keys.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.kid < b.kid ? -1 : 1))
  const live = newestFirst.filter(({ retiredAt }) => !retiredAt)
  const signing = live.find(({ createdAt }) => age(createdAt) >= SHOWN_FIRST) ?? live.at(-1)
  const forget = newestFirst.filter(({ retiredAt }) => retiredAt && age(retiredAt) >= SHOWN_AFTER)
  const shown = newestFirst.filter((key) => key !== signing && !forget.includes(key))
  return {
    mustMake: !live[0] || age(live[0].createdAt) >= USED_FOR - SHOWN_FIRST,
    retire: signing ? live.filter(({ createdAt }) => createdAt < signing.createdAt).map(({ kid }) => kid) : [],
    forget: forget.map(({ kid }) => kid),
    /** The first one signs, all are shown. */
    inOrder: [...(signing ? [signing] : []), ...shown].map(({ kid }) => kid),
  }
}
