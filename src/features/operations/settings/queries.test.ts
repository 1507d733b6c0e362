import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { openWorld } from '#test/support/world.ts'
import { getBranding, getLogo } from './queries.ts'

describe('what every page and the page of the server read', async () => {
  const world = await openWorld()
  const { write } = world.db
  const set = (values: Record<string, unknown>) =>
    write
      .insertInto('setting')
      .values(Object.entries(values).map(([name, value]) => ({ name, value: JSON.stringify(value) })))
      .execute()
  beforeEach(async () => {
    await write.deleteFrom('setting').execute()
  })

  const NOTHING = { name: undefined, logoVersion: undefined, hasImprint: false, hasPrivacy: false }
  const CASES: [what: string, settings: Record<string, unknown>, expected: object][] = [
    ['nothing', {}, {}],
    ['a name', { organization_name: ' Red Cross ' }, { name: 'Red Cross' }],
    ['an empty name', { organization_name: '' }, {}],
    ['a blank name', { organization_name: '  ' }, {}],
    ['a name that is no text', { organization_name: 7 }, {}],
    ['a logo', { logo_version: 'v1' }, { logoVersion: 'v1' }],
    ['legal texts', { imprint: 'We', privacy: 'You' }, { hasImprint: true, hasPrivacy: true }],
    ['an imprint only', { imprint: 'We', privacy: '' }, { hasImprint: true }],
    ['another setting', { time_zone: 'Europe/Berlin' }, {}],
  ]
  for (const [what, settings, expected] of CASES)
    test(`the branding of ${what}`, async () => {
      if (Object.keys(settings).length) await set(settings)
      assert.deepEqual(await getBranding(write), { ...NOTHING, ...expected })
    })

  test('a logo is found by its version only', async () => {
    await set({ logo: { type: 'image/png', data: Buffer.from('png').toString('base64'), version: 'v2' } })
    assert.deepEqual(await getLogo(write, 'v2'), { contentType: 'image/png', content: Buffer.from('png') })
    assert.equal(await getLogo(write, 'v1'), undefined)
  })
})
