import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openInstance, type TestBrowser } from '#test/support/instance.ts'
import { ANN, BEN } from '#test/support/people.ts'

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

describe('devices without a keyboard', async () => {
  const instance = await openInstance()
  const client = await instance.addClient({ isPublic: true, allowsDevices: true, redirectUris: [], name: 'Wall display' })
  const start = async (scope = 'ME_READ') => {
    const { status, json, text } = await instance.form('/api/oauth/device/', { client_id: client.clientId, scope })
    assert.equal(status, 200, text)
    return json as { device_code: string; user_code: string; verification_uri: string; expires_in: number }
  }
  const poll = ({ device_code }: { device_code: string }, clientId = client.clientId) =>
    instance.token({ grant_type: GRANT, device_code, client_id: clientId })
  const enter = async (browser: TestBrowser, user_code: string, decision?: 'allow' | 'deny') => {
    await browser.go('/device/')
    return browser.post('/device/', { user_code, ...(decision ? { decision } : {}) })
  }

  test('get tokens after a person has entered the code and allowed it', async () => {
    const device = await start('openid ME_READ')
    assert.match(device.user_code, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
    assert.deepEqual([device.verification_uri, device.expires_in], [`${instance.base}/device/`, 600])
    assert.equal((await poll(device)).json.error, 'authorization_pending')
    const ann = await instance.browserOf(ANN)
    const asked = await enter(ann, device.user_code.toLowerCase().replace('-', ' '))
    assert.match(asked.text, /A device with Wall display wants to use the account of Ann/)
    assert.match(asked.text, new RegExp(device.user_code))
    assert.equal((await poll(device)).json.error, 'authorization_pending')
    assert.match((await ann.post('/device/', { user_code: device.user_code, decision: 'allow' })).text, /device is connected/)
    const granted = await poll(device)
    assert.equal(granted.status, 200, granted.text)
    assert.equal(granted.json.scope, 'openid ME_READ')
    assert.equal(await instance.me(granted.json.access_token), 200)
    const refreshed = await instance.token({
      grant_type: 'refresh_token',
      refresh_token: granted.json.refresh_token,
      client_id: client.clientId,
    })
    assert.equal(await instance.me(refreshed.json.access_token), 200)
    assert.match((await ann.go('/settings/applications/')).text, /Wall display/)
  })

  test('get tokens once; a repeated request is refused and ends nothing', async () => {
    const device = await start()
    await enter(await instance.browserOf(ANN), device.user_code, 'allow')
    const { access_token: token } = (await poll(device)).json
    const again = await poll(device)
    assert.deepEqual([again.status, again.json.error], [400, 'invalid_grant'])
    assert.equal(await instance.me(token), 200)
  })

  test('ten polls at once give tokens to one', async () => {
    const device = await start()
    await enter(await instance.browserOf(ANN), device.user_code, 'allow')
    const answers = await Promise.all(Array.from({ length: 10 }, () => poll(device)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  })

  test('learn that the person denied it', async () => {
    const device = await start()
    const ann = await instance.browserOf(ANN)
    assert.match((await enter(ann, device.user_code, 'deny')).text, /was not connected/)
    assert.equal((await poll(device)).json.error, 'access_denied')
    assert.match((await enter(ann, device.user_code, 'allow')).text, /wrong or has expired/)
  })

  test('of two people who enter the same code, the first decides', async () => {
    const device = await start()
    await enter(await instance.browserOf(BEN), device.user_code, 'allow')
    assert.match((await enter(await instance.browserOf(ANN), device.user_code, 'allow')).text, /wrong or has expired/)
    const { access_token: token } = (await poll(device)).json
    const { json } = await instance.send('/api/users/me/', { headers: { authorization: `Bearer ${token}` } })
    assert.equal(json.email, BEN.email)
  })

  test('of two decisions at the same time, one counts', async () => {
    const device = await start()
    const [ann, ben] = [await instance.browserOf(ANN), await instance.browserOf(BEN)]
    await Promise.all([ann.go('/device/'), ben.go('/device/')])
    const form = { user_code: device.user_code, decision: 'allow' }
    const pages = await Promise.all([ann, ben, ann, ben].map((browser) => browser.post('/device/', form)))
    assert.equal(pages.filter(({ text }) => /device is connected/.test(text)).length, 1)
  })

  test('learn that the code has expired; people do, too', async () => {
    const device = await start()
    instance.pass(601)
    assert.equal((await poll(device)).json.error, 'expired_token')
    assert.match((await enter(await instance.browserOf(ANN), device.user_code)).text, /wrong or has expired/)
  })

  test('need an application that allows devices, which is enabled and their own', async () => {
    const other = await instance.addClient({ isPublic: true })
    const refused = await instance.form('/api/oauth/device/', { client_id: other.clientId, scope: 'ME_READ' })
    assert.deepEqual([refused.status, refused.json.error], [400, 'unauthorized_client'])
    const device = await start()
    await enter(await instance.browserOf(ANN), device.user_code, 'allow')
    const foreign = await instance.addClient({ isPublic: true, allowsDevices: true })
    assert.equal((await poll(device, foreign.clientId)).json.error, 'invalid_grant')
    const gone = await instance.addClient({ isPublic: true, allowsDevices: true })
    const { json } = await instance.form('/api/oauth/device/', { client_id: gone.clientId, scope: 'ME_READ' })
    await instance.db.write.updateTable('oauth_application').set({ disabled_at: new Date() }).where('id', '=', gone.id).execute()
    assert.match((await enter(await instance.browserOf(ANN), json.user_code)).text, /wrong or has expired/)
    for (const scope of ['', 'else']) {
      const answer = await instance.form('/api/oauth/device/', { client_id: client.clientId, scope })
      assert.deepEqual([answer.status, answer.json.error], [400, 'invalid_scope'], scope)
    }
  })

  test('need a person who is signed in, and store no code that could be used', async () => {
    const device = await start()
    const nobody = await instance.browserOf()
    assert.match((await nobody.go(`/device/?user_code=${device.user_code}`)).headers.location!, /^\/accounts\/login\/\?next=/)
    const ann = await instance.browserOf(ANN)
    assert.match((await ann.go(`/device/?user_code=${device.user_code}`)).text, new RegExp(`value="${device.user_code}"`))
    const stored = JSON.stringify(await instance.db.read.selectFrom('oauth_object').selectAll().execute())
    for (const code of [device.device_code, device.user_code, device.user_code.replace('-', '')])
      assert.ok(!stored.includes(code), code)
  })
})

describe('the limit of wrong codes', async () => {
  const instance = await openInstance({ rateLimit: 'on' })
  const client = await instance.addClient({ isPublic: true, allowsDevices: true })

  test('stops guessing, also with the right code, and counts per person', async () => {
    const { json: device } = await instance.form('/api/oauth/device/', { client_id: client.clientId, scope: 'ME_READ' })
    const ann = await instance.browserOf(ANN)
    await ann.go('/device/')
    for (let tries = 0; tries < 10; tries++)
      assert.match((await ann.post('/device/', { user_code: 'BBBB-BBBB' })).text, /wrong or has expired/)
    const late = await ann.post('/device/', { user_code: device.user_code, decision: 'allow' })
    assert.equal(late.status, 429)
    assert.match(late.text, /too many wrong codes/)
    const ben = await instance.browserOf(BEN)
    await ben.go('/device/')
    assert.match((await ben.post('/device/', { user_code: device.user_code })).text, /wants to use the account of Ben/)
  })

  test('does not count a device that waits', async () => {
    const { json: device } = await instance.form('/api/oauth/device/', { client_id: client.clientId, scope: 'ME_READ' })
    const form = { grant_type: GRANT, device_code: device.device_code, client_id: client.clientId }
    for (let tries = 0; tries < 30; tries++)
      assert.equal((await instance.token(form)).json.error, 'authorization_pending', `poll ${tries}`)
  })
})
