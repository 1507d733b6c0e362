import { sql } from 'kysely'
import { decline } from '#features/staffing/participations/commands/sign-up.ts'
import { STATE } from '#features/staffing/staffing/rules/model.ts'
import { makeActor, type VisitorActor } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { Language } from '#platform/i18n/languages.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import { requireGuestId } from '../access.ts'
import { PartnerError } from '../partner.ts'
import { getPlaceAtPartner } from '../queries/statements.ts'
import { requestDecline } from './request-updates.ts'

type Asked = { shiftId: number; person: number }
type Declined = 'declined' | 'refused' | 'unknown'

/** At the host: a person of the guest gives up their place, by the same rules as on the page for visitors. */
export async function declineForGuest(context: CommandContext, { shiftId, person }: Asked): Promise<Declined> {
  const guestId = requireGuestId(context.actor)
  const found = await rowsOf(context.db).first(sql<{ id: number; name: string; language: Language | null }>`
    select v.id, v.display_name as name, v.language from visitor v join participation p on p.visitor_id = v.id
    where v.federated_guest_id = ${guestId} and v.remote_id = ${person} and p.shift_id = ${shiftId}`)
  if (!found) return 'unknown'
  const actor = makeActor<VisitorActor>({
    kind: 'visitor',
    visitorId: found.id,
    federatedGuestId: guestId,
    displayName: found.name,
    language: found.language ?? context.site.defaultLanguage ?? 'en',
  })
  const outcome = await decline({ ...context, actor }, { shiftId })
  if (outcome.ok || outcome.reasons.some(({ code }) => code === 'already_declined')) return 'declined'
  return 'refused'
}

type GivenUp = { ok: true } | { ok: false; reason: 'not_found' | 'refused' | 'silent' }

/** At home: gives up the place of the caller at a host. What the host answered is shown at once; the host tells it, too. */
export async function giveUpAtHost(context: CommandContext, outbound: Outbound, placeId: number): Promise<GivenUp> {
  const { db, actor, site } = context
  const place = actor.kind === 'user' ? await getPlaceAtPartner(db, actor.userId, placeId) : undefined
  if (!place || actor.kind !== 'user') return { ok: false, reason: 'not_found' }
  const link = { url: place.url, token: site.keyring.unseal(place.tokenSealed) }
  try {
    if ((await requestDecline(outbound, link, { shift: place.shiftId, user: actor.userId })) === 'refused')
      return { ok: false, reason: 'refused' }
  } catch (error) {
    if (error instanceof PartnerError) return { ok: false, reason: 'silent' }
    throw error
  }
  await db
    .updateTable('participation_abroad')
    .set({ state: STATE.declinedByUser })
    .where('id', '=', placeId)
    .where('user_id', '=', actor.userId)
    .execute()
  return { ok: true }
}
