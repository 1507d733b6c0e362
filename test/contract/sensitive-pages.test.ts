import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pagesOf } from '#platform/features/compose.ts'
import { freshDatabase, openTestDatabase } from '#test/support/database.ts'
import { demoOptions } from '#test/support/demo-instance.ts'
import { makeRuntime } from '../../src/app-options.ts'

/** Pages that ask people again who they are. A page that shows or changes secrets, permissions or settings belongs here. */
const EXPECTED = {
  recentSignIn: [
    '/accounts/authorize/{uid}/',
    '/accounts/oidc/link/',
    '/accounts/oidc/{id}/link/',
    '/device/',
    '/manage/applications/',
    '/manage/applications/new/',
    '/manage/applications/{id}/',
    '/manage/applications/{id}/delete/',
    '/manage/applications/{id}/disable/',
    '/manage/applications/{id}/enable/',
    '/manage/applications/{id}/secret/',
    '/manage/identity-providers/',
    '/manage/identity-providers/new/',
    '/manage/identity-providers/new/details/',
    '/manage/identity-providers/{id}/',
    '/manage/identity-providers/{id}/delete/',
    '/manage/identity-providers/{id}/disable/',
    '/manage/identity-providers/{id}/enable/',
    '/manage/identity-providers/{id}/groups/confirm/',
    '/manage/identity-providers/{id}/groups/end-names/',
    '/manage/identity-providers/{id}/groups/new/',
    '/manage/identity-providers/{id}/groups/{mapping}/remove/',
    '/manage/identity-providers/{id}/test/',
    '/manage/identity-providers/{id}/test/start/',
    '/manage/instance/',
    '/manage/instance/logo/',
    '/manage/instance/logo/remove/',
    '/manage/instance/region/',
    '/manage/people/export/',
    '/manage/people/{id}/delete/',
    '/manage/people/{id}/revoke/',
    '/manage/people/{id}/second-factor/',
    '/manage/second-factor/',
    '/manage/service-accounts/',
    '/manage/service-accounts/new/',
    '/manage/service-accounts/{id}/',
    '/manage/service-accounts/{id}/delete/',
    '/manage/service-accounts/{id}/disable/',
    '/manage/service-accounts/{id}/enable/',
    '/manage/service-accounts/{id}/keys/{key}/revoke/',
    '/manage/service-accounts/{id}/rotate/',
    '/settings/assistants/new/',
    '/settings/data/download/',
    '/settings/profile/email/',
    '/settings/security/',
    '/settings/security/app/',
    '/settings/security/app/remove/',
    '/settings/security/device/',
    '/settings/security/others/',
    '/settings/security/passkeys/add/',
    '/settings/security/passkeys/options/',
    '/settings/security/passkeys/{id}/',
    '/settings/security/passkeys/{id}/remove/',
    '/settings/security/recovery-codes/',
    '/settings/security/recovery-codes/file/',
    '/settings/security/trusted-devices/',
    '/settings/security/unlink/',
    '/settings/tokens/new/',
    '/settings/tokens/{id}/revoke/',
    '/settings/webhooks/new/',
    '/settings/webhooks/{id}/edit/',
    '/settings/webhooks/{id}/rotate/',
  ],
  recentSignInToSubmit: [
    '/manage/groups/new/',
    '/manage/groups/patterns/',
    '/manage/groups/{id}/',
    '/manage/groups/{id}/delete/',
    '/manage/people/{id}/merge/',
    '/manage/people/{id}/view/',
    '/settings/data/erase/',
  ],
  // Whether somebody becomes an administrator, or a member of a group with rights.
  recentSignInForSome: [
    '/manage/groups/{id}/members/add/',
    '/manage/people/actions/{id}/',
    '/manage/people/import/{id}/apply/',
    '/manage/people/new/',
    '/manage/people/{id}/',
  ],
}

test('pages that require a recent proof are these', async () => {
  const database = await freshDatabase()
  const db = openTestDatabase({ url: database.url })
  try {
    const pages = pagesOf(makeRuntime(demoOptions(database.url, db)))
    const found = Object.fromEntries(
      Object.keys(EXPECTED).map((what) => [
        what,
        pages
          .filter(({ requires }) => requires === what)
          .map(({ path }) => path as string)
          .sort(),
      ]),
    )
    assert.deepEqual(found, EXPECTED)
  } finally {
    await db.close()
    await database.drop()
  }
})
