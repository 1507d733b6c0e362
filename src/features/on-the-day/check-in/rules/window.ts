type OwnShiftTimes = { from: Date; end: Date }

export type WindowVerdict = { ok: true } | { ok: false; reason: 'too_early'; from: Date } | { ok: false; reason: 'too_late' }

const MINUTE = 60_000

/** People check in from some minutes before they are expected until the end of their shift, both inclusive. */
export function judgeArrival({ from, end }: OwnShiftTimes, minutesBefore: number, now: Date): WindowVerdict {
  const opens = new Date(from.getTime() - minutesBefore * MINUTE)
  if (now < opens) return { ok: false, reason: 'too_early', from: opens }
  return now > end ? { ok: false, reason: 'too_late' } : { ok: true }
}

/** Leaving stays possible as long after the end as arriving is possible before the start. */
export function judgeLeaving({ end }: OwnShiftTimes, minutesBefore: number, now: Date): WindowVerdict {
  return now.getTime() > end.getTime() + minutesBefore * MINUTE ? { ok: false, reason: 'too_late' } : { ok: true }
}
