import type { PageBody, PageRequest, Refused } from '#platform/http/page.ts'
import { EMPTY_STATE } from '#platform/ui/form-values.ts'

export const getFormData = (request: PageRequest, refused: Refused | undefined) => ({
  words: request.context.words,
  csrfToken: request.csrfToken,
  state: refused ?? EMPTY_STATE,
})

export const pendingCookie = ({ pendingId, maxAgeSeconds }: { pendingId: string; maxAgeSeconds: number }) => ({
  start: pendingId,
  maxAgeSeconds,
})

export function tooManyRequests(page: PageBody, seconds: number): PageBody {
  const late: PageBody & { headers: Record<string, string> } = {
    ...page,
    status: 429,
    headers: { 'retry-after': String(Math.max(1, seconds)) },
  }
  return late
}

export const secondsUntil = (at: Date, now: Date): number => Math.ceil((at.getTime() - now.getTime()) / 1000)
