import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hashSecret } from '#platform/auth/secrets.ts'
import { Browser } from '#test/support/http-browser.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, OLGA, type Person } from '#test/support/people.ts'
import { openWorld, SITE_URL } from '#test/support/world.ts'

const NEW = '/settings/assistants/new/'
const WISH = { description: 'Helper on my laptop', scope: ['PUBLIC_READ', 'ME_WRITE'], lifetime: '7' }

describe('the pages about assistants', async () => {
  const world = await openWorld()

  async function browserOf(person: Person): Promise<Browser> {
    const browser = new Browser({ port: world.line.port }, { host: new URL(SITE_URL).host })
    const [name, value] = (await world.sessionCookie(person)).split('=')
    browser.cookies.set(name!, value!)
    await browser.get(NEW)
    return browser
  }
  const tokens = () => world.db.write.selectFrom('access_token').selectAll().where('user_id', '=', ANN.id).execute()

  test('tell the address, and make a token that is shown once', async () => {
    const ann = await browserOf(ANN)
    const { body } = await ann.get('/settings/assistants/')
    assert.ok(body.includes(`${new URL(SITE_URL).origin}/mcp/`))
    assert.deepEqual([...checkMarkup(body), ...checkMarkup((await ann.get(NEW)).body)], [])
    const made = await ann.post(NEW, { form: WISH })
    assert.ok(made.body.includes(`"turnout mcp --url ${new URL(SITE_URL).origin}/mcp/"`))
    const token = /turnout_pat_\w{40}/.exec(made.body)?.[0]
    const [row] = await tokens()
    assert.deepEqual(
      [row!.token_hash, row!.is_for_assistant, row!.scopes, row!.description, row!.expires_at],
      [hashSecret(token!), true, WISH.scope, WISH.description, new Date(world.now.getTime() + 7 * 24 * 3600_000)],
    )
    assert.match((await ann.get('/settings/tokens/')).body, /For an assistant/)
  })

  test('refuse a token for more than a week, without scopes or without a name', async () => {
    const ann = await browserOf(ANN)
    const before = (await tokens()).length
    for (const wrong of [{ lifetime: '8' }, { scope: [] }, { description: ' ' }]) {
      const { statusCode, body } = await ann.post(NEW, { form: { ...WISH, ...wrong } })
      assert.equal(statusCode, 422, JSON.stringify(wrong))
      assert.match(body, /aria-invalid="true"/, JSON.stringify(wrong))
    }
    assert.equal((await tokens()).length, before)
  })

  test('an application is for assistants from the beginning or never', async () => {
    const olga = await browserOf(OLGA)
    const form = { name: 'Helper', client_type: 'confidential', redirect_uris: 'https://a.example/', allowed_scopes: ['ME_READ'] }
    const applications = () =>
      world.db.write.selectFrom('oauth_application').select(['id', 'is_for_assistants']).orderBy('id').execute()
    await olga.post('/manage/applications/new/', { form: { ...form, is_for_assistants: 'on' } })
    await olga.post('/manage/applications/new/', { form })
    const [one, other] = (await applications()).slice(-2)
    assert.deepEqual([one!.is_for_assistants, other!.is_for_assistants], [true, false])
    await olga.post(`/manage/applications/${one!.id}/`, { form })
    await olga.post(`/manage/applications/${other!.id}/`, { form: { ...form, is_for_assistants: 'on' } })
    assert.deepEqual((await applications()).slice(-2), [one, other])
  })
})
