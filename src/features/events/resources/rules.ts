export type Category = { id: number; name: string; version: number; count: number }

export type Resource = { id: number; title: string; category_id: number; version: number }

/** A use of a resource. The title of an event that the reader cannot open is null. */
export type Use = {
  resourceId: number
  shiftId: number
  eventId: number
  eventTitle: string | null
  label: string
  start: Date
  end: Date
}
