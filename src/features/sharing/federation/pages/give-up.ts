import { signedIn } from '#platform/http/access.ts'
import { formPage, type Page } from '#platform/http/page.ts'
import { Problem, requireFound } from '#platform/http/problem.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { giveUpAtHost } from '../commands/give-up.ts'
import { getPlaceAtPartner } from '../queries/statements.ts'
import { GIVING_UP, givingUpPath } from '../rules/openings.ts'

const MY_SHIFTS = '/my-shifts/'
const RESULTS = { given_up: 'given_up', refused: 'give_up_refused', silent: 'give_up_silent' } as const

/** Gives up a place at a host without a visit there. */
export const givingUpPage = (outbound: Outbound): Page =>
  formPage({
    path: GIVING_UP,
    access: signedIn,
    form: emptyForm,
    show: async ({ context, csrfToken, path }) => {
      const { words, db, actor, now } = context
      const place = requireFound(await getPlaceAtPartner(db, actor.userId, path.id))
      const { host, title, shift, start, end } = place
      const name = shift ? `${title}, ${shift}` : title
      const main = confirmView({
        words,
        csrfToken,
        title: words.t('statement.give_up_title', { name }),
        text: `${words.t('external.at', { host })} · ${words.span(start, end, now)}`,
        consequences: [words.t('statement.give_up_told', { host }), words.t('statement.give_up_again', { host })],
        action: givingUpPath(path.id),
        submit: words.t('statement.give_up'),
        cancel: { href: MY_SHIFTS },
      })
      return { title: words.t('statement.give_up'), main }
    },
    submit: async ({ context, commandContext, path }) => {
      const { words, db, actor } = context
      const place = requireFound(await getPlaceAtPartner(db, actor.userId, path.id))
      const outcome = await giveUpAtHost(commandContext, outbound, path.id)
      const result = outcome.ok ? 'given_up' : outcome.reason
      if (result === 'not_found') throw new Problem('not_found')
      const text = words.t(`statement.${RESULTS[result]}`, { host: place.host })
      return { redirect: MY_SHIFTS, flash: { kind: outcome.ok ? 'good' : 'bad', text } }
    },
  })
