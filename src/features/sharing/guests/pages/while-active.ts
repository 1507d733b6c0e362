import { html } from '#platform/html/html.ts'
import type { PageBody, PageRequest } from '#platform/http/page.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import { getOwnGuest } from '../queries.ts'
import type { OwnGuest } from '../rules.ts'
import { closedPersonalLink } from './closed.ts'

/** Of all pages of guests. */
export const head = html`<meta name="robots" content="noindex"><link rel="stylesheet" href="${assetUrl('visit.css')}"><link rel="stylesheet" href="${assetUrl('guests.css')}">`

/** Responds to guests while the link of the event is active. Checked for every request; the commands check it again under locks. */
export const whileActive =
  <Request extends PageRequest, Rest extends unknown[], Response>(
    respond: (request: Request, own: OwnGuest, ...rest: Rest) => Promise<Response>,
  ) =>
  async (request: Request, ...rest: Rest): Promise<Response | PageBody> => {
    const { db, actor } = request.context
    const own = await getOwnGuest(db, actor)
    return own?.isReachable ? respond(request, own, ...rest) : closedPersonalLink(request)
  }
