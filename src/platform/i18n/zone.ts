import { Temporal } from 'temporal-polyfill'

/** A stretch of time between two clock changes. Instants and offsets in milliseconds. */
type Stretch = { from: number; to: number; offset: number; offsetBefore: number; offsetAfter: number }

type Zone = {
  /** Milliseconds to add to an instant so that its UTC fields read as the zone's clock does. */
  offsetAt(instant: number): number
  /** Whether the clock shows this time twice, because it is put back. */
  isRepeated(instant: number): boolean
  /** The instant at which the clock shows this, as UTC fields: the first of two; if it is skipped, as many minutes after the change. */
  instantOf(wall: number): number
}

const DAY_MS = 24 * 3_600_000

const zones = new Map<string, Zone>()

/**
 * The only source of zone rules: times of pages, forms and the API all come from here, and connections to the database use UTC.
 * Clock changes come from Temporal and are remembered: a page asks for hundreds of times within one or two stretches.
 */
export function zoneOf(timeZone: string): Zone {
  let zone = zones.get(timeZone)
  if (!zone) {
    zone = readZone(timeZone)
    zones.set(timeZone, zone)
  }
  return zone
}

function readZone(timeZone: string): Zone {
  const stretches: Stretch[] = []
  let latest: Stretch | undefined

  function stretchAt(instant: number): Stretch {
    const contains = ({ from, to }: Stretch) => from <= instant && instant < to
    if (latest && contains(latest)) return latest
    latest = stretches.find(contains)
    if (!latest) {
      latest = readStretch(timeZone, instant)
      stretches.push(latest)
    }
    return latest
  }

  const offsetAt = (instant: number) => stretchAt(instant).offset
  return {
    offsetAt,
    instantOf: (wall) => {
      // Within a day before and after it, whatever the offset.
      const [before, after] = [offsetAt(wall - DAY_MS), offsetAt(wall + DAY_MS)]
      if (before === after || offsetAt(wall - before) === before) return wall - before
      return offsetAt(wall - after) === after ? wall - after : wall - before
    },
    isRepeated: (instant) => {
      const { from, to, offset, offsetBefore, offsetAfter } = stretchAt(instant)
      return instant - from < offsetBefore - offset || to - instant <= offset - offsetAfter
    },
  }
}

function readStretch(timeZone: string, instant: number): Stretch {
  const zoned = (milliseconds: number) => Temporal.Instant.fromEpochMilliseconds(milliseconds).toZonedDateTimeISO(timeZone)
  const offsetAt = (milliseconds: number) => zoned(milliseconds).offsetNanoseconds / 1e6
  const here = zoned(instant)
  const next = here.getTimeZoneTransition('next')
  // `previous` looks strictly before, so it is asked from a moment later.
  const previous = zoned(instant + 1).getTimeZoneTransition('previous')
  const offset = here.offsetNanoseconds / 1e6
  return {
    from: previous?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    to: next?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offset,
    offsetBefore: previous ? offsetAt(previous.epochMilliseconds - 1) : offset,
    offsetAfter: next ? offsetAt(next.epochMilliseconds) : offset,
  }
}
