import type { Change } from '#platform/journal/kinds.ts'
import type { RequestData } from './access.ts'
import type { RequestState } from './rules.ts'

/** `what`: the kind of request. */
type Request = { request: number; what: string }
type Decision = { subject: 'user'; changes: Request & { state: Change<RequestState> }; personal: RequestData }

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'request.created': { subject: 'user'; changes: Request; personal: RequestData }
    'request.failed': Decision
    'request.granted': Decision
    'request.refused': Decision
    'request.withdrawn': { subject: 'user'; changes: Request }
  }
}
