import { getSettings } from '#features/operations/settings/queries.ts'
import { guest, open } from '#platform/http/access.ts'
import { formPage, type Page, type PageRequest, type PageResponse } from '#platform/http/page.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { proveAddress } from '../commands/prove.ts'
import { getMailedLink, type MailedLink, type MailedSecret } from '../queries.ts'
import { formerMailedPath, guestPath, mailedPath } from '../rules.ts'
import { guestSettings } from '../schema.ts'
import { proveView } from '../views/prove.ts'
import { closedPersonalLink, SECRET_HEADERS } from './closed.ts'
import { head, whileActive } from './while-active.ts'

const asGuest = (request: PageRequest, { actor }: MailedLink): PageRequest => ({
  ...request,
  context: { ...request.context, actor },
})

/** Opening a link from a mail changes nothing, because programs that check mails open links, too: a button proves the address. */
async function showProof(request: PageRequest, secret: MailedSecret, paths: { here: string; current: string }) {
  const { db, site } = request.context
  const link = await getMailedLink(db, site.keyring, secret)
  if (!link) return undefined
  if (link.state === 'current') return { redirect: paths.current }
  const show = whileActive(async ({ context }: PageRequest, own): Promise<PageResponse> => {
    const { words, now } = context
    const { guest_retention_days: retentionDays } = await getSettings(context.db, guestSettings)
    const main = proveView({ words, now, csrfToken: request.csrfToken, action: paths.here, guest: own, retentionDays })
    return { title: words.t('guests.prove_title'), bare: true, head, headers: SECRET_HEADERS, main }
  })
  return show(asGuest(request, link))
}

async function submitProof(request: PageRequest, secret: MailedSecret): Promise<PageResponse | undefined> {
  const { db, site, words } = request.context
  const link = await getMailedLink(db, site.keyring, secret)
  if (!link) return undefined
  const submit = whileActive(async (): Promise<PageResponse> => {
    const token = await proveAddress(request.commandContext, secret)
    if (token === undefined) return closedPersonalLink(request)
    return { redirect: guestPath(token), flash: { kind: 'good', text: words.t('guests.proved') } }
  })
  return submit(asGuest(request, link))
}

const provePage = formPage({
  path: '/guests/mail/{token}/',
  access: open('the secret in the address, which only mails contain, is the permission'),
  isAuthorizedByUrl: true,
  form: emptyForm,
  show: async (request) => {
    const { token } = request.path
    const paths = { here: mailedPath(token), current: guestPath(token) }
    return (await showProof(request, { mailToken: token }, paths)) ?? closedPersonalLink(request)
  },
  submit: async (request) => (await submitProof(request, { mailToken: request.path.token })) ?? closedPersonalLink(request),
})

const secretOf = ({ context: { actor }, path }: PageRequest<{ token: string; code: string }>): MailedSecret | undefined =>
  actor.kind === 'guest' ? { guestId: actor.guestId, code: path.code } : undefined

/** Links in mails of earlier versions. Those of guests whose address is proved lead to their page as before. */
const formerProvePage = formPage({
  path: '/guests/{token}/mail/{code}/',
  access: guest,
  isAuthorizedByUrl: true,
  form: emptyForm,
  show: whileActive(async (request: PageRequest<{ token: string; code: string }>) => {
    const { token, code } = request.path
    const secret = secretOf(request)
    const paths = { here: formerMailedPath(token, code), current: guestPath(token) }
    return (secret && (await showProof(request, secret, paths))) ?? { redirect: guestPath(token) }
  }),
  submit: whileActive(async (request: PageRequest<{ token: string; code: string }>) => {
    const secret = secretOf(request)
    return (secret && (await submitProof(request, secret))) ?? { redirect: guestPath(request.path.token) }
  }),
})

export const provePages: Page[] = [provePage, formerProvePage]
