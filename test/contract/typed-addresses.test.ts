import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkAdministrator } from '#features/access/sign-in/rules/administrator.ts'
import { registrationForm as accountForm } from '#features/accounts/joining/schema.ts'
import { emailChangeForm } from '#features/accounts/own-profile/schema.ts'
import { personForm } from '#features/accounts/users/schema.ts'
import { guestForm, registrationForm } from '#features/sharing/guests/schema.ts'

type Parsed = { success: boolean; error?: { issues: { path: PropertyKey[] }[] } }
const takes = (parsed: Parsed, field = 'email'): boolean =>
  parsed.success || !parsed.error!.issues.some(({ path }) => path[0] === field)

/** Every place where people type an address that mails go to. */
const PLACES: Record<string, (address: string) => boolean> = {
  'registration of guests': (email) => takes(registrationForm.schema.safeParse({ email })),
  'details of guests': (email) => takes(guestForm.schema.safeParse({ email })),
  'registration for an account': (email) => takes(accountForm.schema.safeParse({ email })),
  'a new own address': (email) => takes(emailChangeForm.schema.safeParse({ email })),
  'address of a person': (email) => takes(personForm.schema.safeParse({ email })),
  'contact address of a person': (contact_email) => takes(personForm.schema.safeParse({ contact_email }), 'contact_email'),
  'first administrator': (email) => !checkAdministrator({ name: 'Ann', email, password: '' }).includes('email_invalid'),
}
const OTHER_MAILBOXES = [
  'x<ann@mail.example',
  'x"ann"@mail.example',
  'ann(x)@mail.example',
  'x:ann@mail.example;',
  'an\u00adn@mail.example',
]

for (const [place, accepts] of Object.entries(PLACES))
  describe(place, () => {
    test('takes an address', () => assert.ok(accepts("o'neil+fair@mail.example")))
    for (const address of OTHER_MAILBOXES)
      test(`refuses ${JSON.stringify(address)}, which reaches another mailbox`, () => assert.equal(accepts(address), false))
  })
