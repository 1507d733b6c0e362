/** An entry of the log for pages. */
export type Delivery = {
  id: number
  kind: string
  recordId: number
  what: string
  state: string
  attempts: number
  status: number | null
  error: string | null
  durationMs: number | null
  createdAt: Date
  attemptedAt: Date | null
  isAsked: boolean
}
