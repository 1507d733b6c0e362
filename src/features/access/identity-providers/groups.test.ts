import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { NO_RIGHTS } from '#features/accounts/users/rules.ts'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import { BUNDLES } from '#platform/auth/permissions.ts'
import { makeOutbound } from '#platform/outbound/outbound.ts'
import { contextAs, contextOf } from '#test/support/command-context.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { OLGA, PAUL } from '#test/support/people.ts'
import { openProviderWorld } from '#test/support/provider-world.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { finishProviderSignIn, SIGN_IN_GUARD } from './commands/finish-sign-in.ts'
import { confirmGroup, endNamedGroups, removeMapping } from './commands/group-mappings.ts'
import { startProviderSignIn } from './commands/start-sign-in.ts'
import { rightsState } from './rules/groups.ts'

const { world, provider, providerId, person, signIn, setProvider, groupsOf, idOf } = await openProviderWorld()
const { read, write } = world.db
const olga = await browserOf(world, OLGA)
const PAGE = `/manage/identity-providers/${providerId}/`
const administrators = await world.addGroup('Administrators', [], [...BUNDLES.management])
await setProvider({ group_claim: 'groups' })

const enter = async (sub: string, groups: unknown) => {
  person(sub, { groups })
  assert.equal((await signIn()).response.statusCode, 303)
  return groupsOf(`${sub}@id.example`)
}
const isManager = async (sub: string): Promise<boolean> => {
  person(sub, provider.person)
  const { browser } = await signIn()
  return (await browser.get('/manage/people/')).statusCode === 200
}
const setRights = async (groupId: number, permissions: string[]) => {
  await write.deleteFrom('group_permission').where('group_id', '=', groupId).execute()
  if (permissions.length)
    await write
      .insertInto('group_permission')
      .values(permissions.map((permission) => ({ group_id: groupId, permission })))
      .execute()
}
const journal = (kind: string) =>
  read.selectFrom('journal').select(['kind', 'changes', 'actor_id']).where('kind', '=', `identity_provider.${kind}`).execute()
/** Follows the form and its confirmation, as an administrator. */
const map = async (value: string, group: number) => {
  await olga.get(`${PAGE}groups/new/`)
  const next = await olga.post(`${PAGE}groups/new/`, { form: { value, group: String(group) } })
  const page = await olga.get(String(next.headers.location))
  const seen = /name="seen" value="([^"]*)"/.exec(page.body)![1]!.replaceAll('&quot;', '"')
  const done = await olga.post(`${PAGE}groups/confirm/`, { form: { value, group: String(group), seen } })
  return { page, done }
}
const unmapAll = () => write.deleteFrom('identity_provider_group_value').execute()

afterEach(async () => {
  await unmapAll()
  await write.deleteFrom('identity_provider_withheld_group').execute()
  await write.deleteFrom('identity_provider_group').execute()
})

describe('a claim with the name of a group', () => {
  test('does not make a new person an administrator, and the page of the provider says so', async () => {
    assert.deepEqual(await enter('mallory', ['administrators', 'Helpers']), ['Helpers'])
    assert.equal(await isManager('mallory'), false)
    const { body } = await olga.get(PAGE)
    assert.match(body, /Groups with rights/)
    assert.match(body, /Administrators.*<code class="wrap">administrators<\/code>.*Manage everything.*not given/s)
    assert.match(body, /last asked for at a sign-in/)
    assert.deepEqual(checkMarkup(body), [])
    assert.match((await olga.get('/manage/identity-providers/')).body, /decision needed/)
    const logged = await journal('group_withheld')
    assert.deepEqual(
      logged.map(({ changes }) => changes),
      [{ claim_value: 'administrators', group_id: administrators.id }],
    )
  })

  test('is logged once, however often it comes', async () => {
    const before = (await journal('group_withheld')).length
    for (let n = 0; n < 3; n++) await enter('mallory', ['ADMINISTRATORS'])
    assert.equal((await journal('group_withheld')).length, before + 1)
  })

  test('twin: without the decision by rights, the name makes an administrator', async () => {
    person('twin', { groups: ['administrators'] })
    const context = contextOf(world, ANONYMOUS)
    const outbound = makeOutbound({ allow: ['127.0.0.1'] })
    const started = await startProviderSignIn(context, outbound, providerId, { purpose: 'sign_in', next: '/' })
    assert.ok(started?.ok)
    const query = new URLSearchParams(provider.approve(started.redirect).split('?')[1])
    const callback = { cookie: started.cookie.start, query, device: { device: 'd', userAgent: '' }, language: 'en' as const }
    const decideGroups: typeof SIGN_IN_GUARD.decideGroups = (facts) =>
      SIGN_IN_GUARD.decideGroups({ ...facts, groups: facts.groups.map((group) => ({ ...group, ...NO_RIGHTS })) })
    await finishProviderSignIn(context, callback, { outbound, guard: { ...SIGN_IN_GUARD, decideGroups } })
    assert.deepEqual(await groupsOf('twin@id.example'), ['Administrators'])
    assert.deepEqual(await enter('twin', ['administrators']), [], 'the next sign-in takes it away')
  })

  test('gives a group no longer once it has rights, and takes it from those who had it by its name', async () => {
    const team = await world.addGroup('Team', [])
    assert.deepEqual(await enter('early', ['team']), ['Team'])
    await setRights(team.id, ['change_event'])
    assert.deepEqual(await enter('late', ['team']), [])
    assert.deepEqual(await enter('early', ['team']), [])
    await setRights(team.id, [])
    assert.deepEqual(await enter('late', ['team']), ['Team'])
    assert.deepEqual(await read.selectFrom('identity_provider_withheld_group').selectAll().execute(), [])
  })

  describe('of a provider from before values were chosen', () => {
    const setKept = (keeps_named_groups: boolean) => setProvider({ keeps_named_groups })
    const addMember = async (sub: string) => {
      await enter(sub, [])
      const user_id = await idOf(`${sub}@id.example`)
      await write.insertInto('user_group_member').values({ user_id, group_id: administrators.id }).execute()
    }

    test('lets members stay, and lets nobody new join', async (t) => {
      await addMember('former')
      await setKept(true)
      t.after(() => setKept(false))
      assert.deepEqual(await enter('former', ['administrators']), ['Administrators'])
      assert.deepEqual(await enter('stranger', ['administrators']), [])
      assert.deepEqual(await enter('former', ['Helpers']), ['Helpers'], 'the provider no longer names it')
    })

    test('ends it when an administrator says so, once and in the log', async () => {
      await addMember('manager')
      await setKept(true)
      const { body } = await olga.get(PAGE)
      assert.match(body, /Members whose sign-in names one of these groups stay in it for now/)
      const url = `${PAGE}groups/end-names/`
      assert.match((await olga.get(url)).body, /make sure that your own group is in the list/)
      assert.equal((await olga.post(url)).statusCode, 303)
      assert.equal((await olga.post(url)).statusCode, 303)
      assert.equal((await journal('names_ended')).length, 1)
      assert.doesNotMatch((await olga.get(PAGE)).body, /stay in it for now/)
      assert.deepEqual(await enter('manager', ['administrators']), [])
    })

    test('is ended by administrators only', async () => {
      await setKept(true)
      await assert.rejects(endNamedGroups(contextAs(world, PAUL), providerId), /permission_denied|denied/i)
      await setKept(false)
      assert.equal(await endNamedGroups(contextAs(world, OLGA), providerId), false)
    })
  })

  test('counts publishing and approving for other groups as rights', async () => {
    const helpers = await read.selectFrom('user_group').select('id').where('name', '=', 'Helpers').executeTakeFirstOrThrow()
    for (const permission of ['publish_event_for_group', 'decide_working_hours_for_group'] as const) {
      const group = await world.addGroup(`May ${permission}`, [])
      await write.insertInto('group_grant').values({ group_id: group.id, target_group_id: helpers.id, permission }).execute()
      assert.deepEqual(await enter('publisher', [group.name]), [], permission)
    }
  })

  test('neither gives nor takes a group that became responsible for events, so that a planner does not end memberships', async () => {
    const stewards = await world.addGroup('Stewards', [])
    assert.deepEqual(await enter('steward', ['stewards']), ['Stewards'])
    const type = await read.selectFrom('event_type').select('id').executeTakeFirstOrThrow()
    await write
      .insertInto('event_type_default_group')
      .values({ event_type_id: type.id, group_id: stewards.id, role: 'responsible' })
      .execute()
    assert.deepEqual(await enter('newsteward', ['stewards']), [])
    assert.deepEqual(await enter('steward', ['stewards']), ['Stewards'])
    assert.deepEqual(await enter('steward', []), [])
  })
})

describe('a value that an administrator has chosen for a group', () => {
  test('gives the group after a confirmation that names its rights, and takes it when the entry is removed', async () => {
    const { page, done } = await map('org-admins', administrators.id)
    assert.match(page.body, /Everybody who signs in by Org ID with the value “org-admins” in the claim groups joins this group/)
    assert.match(page.body, /They may: Manage everything: People, groups, all events/)
    assert.deepEqual(checkMarkup(page.body), [])
    assert.equal(done.headers.location, PAGE)
    assert.deepEqual(await enter('chief', ['org-admins']), ['Administrators'])
    assert.equal(await isManager('chief'), true)
    assert.deepEqual(await enter('chief2', ['Org-Admins']), [], 'values are exact')
    const [entry] = await journal('group_mapped')
    const changes = entry!.changes as Record<string, unknown>
    assert.deepEqual([changes.claim_value, changes.group_id, entry!.actor_id], ['org-admins', administrators.id, OLGA.id])
    assert.ok((changes.permissions as string[]).includes('change_user'))
    const { id } = await read.selectFrom('identity_provider_group_value').select('id').executeTakeFirstOrThrow()
    assert.match((await olga.get(`${PAGE}groups/${id}/remove/`)).body, /lose it, and its rights, at their next sign-in/)
    assert.equal((await olga.post(`${PAGE}groups/${id}/remove/`)).headers.location, PAGE)
    assert.deepEqual(await enter('chief', ['org-admins']), [])
    assert.deepEqual(
      (await journal('group_unmapped')).map((each) => each.changes),
      [{ claim_value: 'org-admins', group_id: administrators.id }],
    )
  })

  test('gives the group to nobody new after it got more rights, until they are confirmed', async () => {
    const desk = await world.addGroup('Desk', [], ['view_user'])
    await map('desk', desk.id)
    assert.deepEqual(await enter('first', ['desk']), ['Desk'])
    await setRights(desk.id, ['view_user', 'delete_user'])
    assert.deepEqual(await enter('second', ['desk']), [])
    assert.deepEqual(await enter('first', ['desk']), ['Desk'])
    assert.match((await olga.get(PAGE)).body, /more rights now.*Nobody new joins until you confirm it again/s)
    const { page } = await map('desk', desk.id)
    assert.match(page.body, /Additional permissions: delete_user, view_user/)
    assert.deepEqual(await enter('second', ['desk']), ['Desk'])
    await setRights(desk.id, ['view_user'])
    assert.deepEqual(await enter('third', ['desk']), ['Desk'], 'fewer rights need no confirmation')
  })

  test('is not stored if the group has changed since the page was shown', async () => {
    const crew = await world.addGroup('Crew', [])
    await olga.get(`${PAGE}groups/confirm/?value=crew&group=${crew.id}`)
    await setRights(crew.id, ['change_user'])
    const form = { value: 'crew', group: String(crew.id), seen: rightsState(NO_RIGHTS) }
    const late = await olga.post(`${PAGE}groups/confirm/`, { form })
    assert.equal(late.statusCode, 409)
    assert.match(late.body, /The rights of this group have just changed/)
    assert.match(late.body, /They may: .*change_user/)
    assert.deepEqual(await read.selectFrom('identity_provider_group_value').selectAll().execute(), [])
  })

  test('is for administrators only, in a session', async () => {
    const paul = await browserOf(world, PAUL)
    await paul.get('/settings/security/')
    for (const path of ['groups/new/', 'groups/confirm/', 'groups/1/remove/', 'groups/end-names/']) {
      assert.equal((await paul.get(PAGE + path)).statusCode, 403, path)
      assert.equal((await paul.post(PAGE + path, { form: { value: 'x', group: '1' } })).statusCode, 403, path)
    }
    const input = { value: 'x', groupId: administrators.id, seen: '' }
    await assert.rejects(confirmGroup(contextAs(world, PAUL), providerId, input), /permission_denied|denied/i)
    await assert.rejects(removeMapping(contextAs(world, PAUL), providerId, 1), /permission_denied|denied/i)
    assert.equal(await confirmGroup(contextAs(world, OLGA), 99_999, input), undefined)
    const unknown = await confirmGroup(contextAs(world, OLGA), providerId, { ...input, groupId: 99_999 })
    assert.deepEqual(unknown, { ok: false, reason: 'unknown_group' })
    assert.equal(await removeMapping(contextAs(world, OLGA), providerId, 99_999), false)
    assert.equal((await olga.get(`${PAGE}groups/confirm/?value=x&group=99999`)).headers.location, PAGE)
    assert.equal((await olga.post(`${PAGE}groups/new/`, { form: { value: '', group: '' } })).statusCode, 422)
  })
})

describe('a group for everybody', () => {
  const setDefault = (groupId: number) =>
    write.insertInto('identity_provider_group').values({ identity_provider_id: providerId, group_id: groupId }).execute()

  test('is given with rights only after they were confirmed, with a claim and without', async () => {
    await setDefault(administrators.id)
    for (const group_claim of ['groups', '']) {
      await setProvider({ group_claim })
      assert.deepEqual(await enter(`anybody${group_claim}`, []), [], group_claim)
    }
    assert.match((await olga.get(PAGE)).body, /everybody.*more rights now.*Nobody new joins until you confirm it again/s)
    const { done } = await map('', administrators.id).catch(() => ({ done: undefined }))
    assert.equal(done, undefined, 'the form needs a value')
    const page = await olga.get(`${PAGE}groups/confirm/?value=&group=${administrators.id}`)
    assert.match(page.body, /Everybody who signs in by Org ID joins this group/)
    const seen = /name="seen" value="([^"]*)"/.exec(page.body)![1]!.replaceAll('&quot;', '"')
    await olga.post(`${PAGE}groups/confirm/`, { form: { value: '', group: String(administrators.id), seen } })
    assert.deepEqual(await enter('anybody', []), ['Administrators'])
    await setProvider({ group_claim: 'groups' })
  })

  test('cannot be confirmed before it is one', async () => {
    const helpers = await read.selectFrom('user_group').select('id').where('name', '=', 'Helpers').executeTakeFirstOrThrow()
    const input = { value: '', groupId: helpers.id, seen: rightsState(NO_RIGHTS) }
    assert.deepEqual(await confirmGroup(contextAs(world, OLGA), providerId, input), { ok: false, reason: 'unknown_group' })
  })
})

test('the test of a sign-in shows which groups it gives, with their rights, and which it withholds', async () => {
  await map('org-admins', administrators.id)
  const board = await world.addGroup('Board', [], ['change_group'])
  person('tester', { groups: ['org-admins', 'board', 'Helpers', 'Nobody'], amr: ['pwd', 'otp'] })
  const test = async () => {
    const started = await olga.get(`${PAGE}test/start/`)
    return (await olga.get(provider.approve(String(started.headers.location)))).body
  }
  const body = await test()
  assert.match(body, /Administrators<ul><li>Manage everything/)
  assert.match(body, /“board” names the group Board, which has rights\. Nobody new joins before you choose this value for it/)
  assert.match(body, new RegExp(`groups/new/\\?value=board&amp;group=${board.id}`))
  assert.match(body, /Stated by the provider, but does not count here/)
  assert.match(body, /works, with problems/)
  assert.deepEqual(checkMarkup(body), [])
  await setProvider({ trusts_factor: true })
  assert.match(await test(), /Stated by the provider, and counts here/)
  await setProvider({ trusts_factor: false })
  await assert.rejects(idOf('tester@id.example'))
})

test('the test of a sign-in shows which names lead to new groups, and which groups and qualifications nobody here knows', async () => {
  const medic = await world.addQualification('Medic')
  const claims = { qualification_claim: 'skills', qualification_uuids: { m: medic.uuid } }
  await setProvider({ ...claims, create_missing_groups: false })
  person('tester', { groups: ['Helpers', 'Divers'], skills: ['m', 'juggling'] })
  const facts = async () => {
    const started = await olga.get(`${PAGE}test/start/`)
    const { body } = await olga.get(provider.approve(String(started.headers.location)))
    const all = [...body.matchAll(/<dt[^>]*>([^<]*)<\/dt>\s*<dd[^>]*>(.*?)<\/dd>/gs)]
    return Object.fromEntries(all.map(([, name, value]) => [name, value!.replace(/<[^>]*>/g, '').trim()]))
  }
  const ignoring = await facts()
  assert.deepEqual([ignoring['New groups'], ignoring['Unknown groups, ignored']], [undefined, 'Divers'])
  assert.deepEqual([ignoring.Qualifications, ignoring['Unknown qualifications, ignored']], ['Medic', 'juggling'])
  await setProvider({ create_missing_groups: true })
  const creating = await facts()
  assert.deepEqual([creating['New groups'], creating['Unknown groups, ignored']], ['Divers', undefined])
  await setProvider({ create_missing_groups: false, qualification_claim: '', qualification_uuids: '{}' })
  assert.deepEqual(await read.selectFrom('user_group').select('id').where('name', '=', 'Divers').execute(), [])
})
