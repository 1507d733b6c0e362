import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { cleanBin } from '#features/planning/planning/jobs.ts'
import { duplicateEvent } from '#features/planning/series/commands/copies.ts'
import { switchGuestShare } from '#features/sharing/guests/commands/share.ts'
import { deleteUnusedFiles } from '#platform/files/stored-files.ts'
import type { Upload } from '#platform/files/upload.ts'
import { contextAs } from '#test/support/command-context.ts'
import { Browser } from '#test/support/http-browser.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, HELPERS, OLGA, PAUL, VERA } from '#test/support/people.ts'
import { SMALL_PNG } from '#test/support/pictures.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld, SITE_URL } from '#test/support/world.ts'
import {
  addSharedFiles,
  attachFiles,
  changeAttachment,
  chooseFiles,
  copyAttachments,
  deleteAttachment,
  QUOTA,
} from './commands.ts'
import { countAttachmentsWithoutFile } from './queries.ts'

const FILES = '/manage/files/'
const PDF = Buffer.from('%PDF-1.7\nplan')
const MB = 1024 * 1024
const HOUR_MS = 3600_000

type Sent = { name: string; content: Buffer }

async function upload(browser: Browser, eventId: number, files: readonly Sent[], headers: { token?: string } = {}) {
  const form = new FormData()
  form.set('csrf_token', headers.token ?? browser.token!)
  for (const { name, content } of files) form.append('files', new Blob([new Uint8Array(content)]), name)
  const encoded = new Response(form)
  const body = Buffer.from(await encoded.arrayBuffer())
  return browser.postBytes(`/events/${eventId}/files/`, body, encoded.headers.get('content-type')!)
}

describe('files of an event', async () => {
  const world = await openWorld()
  const { read, write } = world.db
  const [ann, paul, olga, vera] = await Promise.all([ANN, PAUL, OLGA, VERA].map((person) => browserOf(world, person)))
  const fair = await world.addEvent({ title: 'Fair', seenBy: [HELPERS], responsible: [PAUL], shifts: [{}] })
  const page = `/events/${fair.id}-fair/`
  const attachments = () => read.selectFrom('attachment').selectAll().orderBy('id').execute()
  const idOf = async (title: string) =>
    (await read.selectFrom('attachment').select('id').where('title', '=', title).executeTakeFirstOrThrow()).id

  const REFUSED: [what: string, file: Sent, says: RegExp][] = [
    ['a program named .pdf', { name: 'plan.pdf', content: Buffer.from('MZ\x90\x00', 'latin1') }, /plan\.pdf is not a PDF/],
    ['a drawing with a script', { name: 'x.svg', content: Buffer.from('<svg><script/></svg>') }, /x\.svg is not a PDF/],
    ['a page', { name: 'x.html', content: Buffer.from('<!doctype html>') }, /x\.html is not a PDF/],
    ['a page called text', { name: 'x.txt', content: Buffer.from('<html>') }, /x\.txt is not a PDF/],
    ['a PDF called a program', { name: 'x.exe', content: PDF }, /x\.exe contains something else.*PDF/],
    ['a file of 50 MB', { name: 'big.png', content: Buffer.alloc(50 * MB, SMALL_PNG) }, /big\.png is too large: up to 20\sMB/],
    ['an empty file', { name: 'none.pdf', content: Buffer.alloc(0) }, /none\.pdf is empty/],
    ['no file', { name: '', content: Buffer.alloc(0) }, /choose a file/],
  ]
  for (const [what, file, says] of REFUSED) {
    test(`cannot be ${what}: the error is at the field, and nothing is stored`, async () => {
      const answer = await upload(paul!, fair.id, [file, ...(file.name ? [{ name: 'good.png', content: SMALL_PNG }] : [])])
      assert.equal(answer.statusCode, 422)
      assert.match(/id="field-files-error"[\s\S]*?<\/p>/.exec(answer.body)?.[0] ?? '', says)
      assert.deepEqual([world.files.content.size, (await attachments()).length], [0, 0])
    })
  }

  test('imported ones without content are counted', async () => {
    assert.equal(await countAttachmentsWithoutFile(read), 0)
    const { id } = await write
      .insertInto('attachment')
      .values({ title: 'Plan', source_path: 'documents/plan.pdf' })
      .returning('id')
      .executeTakeFirstOrThrow()
    assert.equal(await countAttachmentsWithoutFile(read), 1)
    const values = {
      id: randomUUID(),
      name: 'plan.txt',
      sha256: Buffer.alloc(32),
      bytes: 4,
      content_type: 'text/plain',
      created_at: world.now,
    }
    await write.insertInto('stored_file').values(values).execute()
    await write.updateTable('attachment').set({ file_id: values.id }).where('id', '=', id).execute()
    assert.equal(await countAttachmentsWithoutFile(read), 0, 'its content was imported')
    await write.deleteFrom('attachment').where('id', '=', id).execute()
    await write.deleteFrom('stored_file').where('id', '=', values.id).execute()
  })

  test('are added by people who may change the event, several at once', async () => {
    const form = await paul!.get(`/events/${fair.id}/files/`)
    assert.deepEqual(checkMarkup(form.body), [])
    assert.match(form.body, /enctype="multipart\/form-data"[\s\S]*type="file"[^>]* multiple/)
    const answer = await upload(paul!, fair.id, [
      { name: '../Plan <b>.pdf', content: PDF },
      { name: 'photo.png', content: SMALL_PNG },
      { name: 'notes.txt', content: Buffer.from('Bring gloves') },
    ])
    assert.deepEqual([answer.statusCode, answer.headers.location], [303, page])
    assert.deepEqual(
      (await attachments()).map(({ title, uploader_id }) => [title, uploader_id]),
      [
        ['Plan <b>.pdf', PAUL.id],
        ['photo.png', PAUL.id],
        ['notes.txt', PAUL.id],
      ],
    )
    const [entry] = await read.selectFrom('journal').selectAll().where('kind', '=', 'event.files_added').execute()
    assert.deepEqual([entry!.event_id, entry!.changes], [fair.id, { files: [null, ['Plan <b>.pdf', 'photo.png', 'notes.txt']] }])
  })

  const MAY_NOT: [who: string, browser: () => Browser, status: number][] = [
    ['a member who sees the event', () => ann!, 403],
    ['somebody who does not see it', () => vera!, 404],
  ]
  for (const [who, browser, status] of MAY_NOT)
    test(`are not changed by ${who}, whose upload is not even read`, async () => {
      const before = world.files.content.size
      assert.equal((await upload(browser(), fair.id, [{ name: 'x.png', content: SMALL_PNG }])).statusCode, status)
      const file = await idOf('photo.png')
      assert.equal((await browser().post(`/events/${fair.id}/files/${file}/remove/`)).statusCode, status)
      assert.deepEqual([world.files.content.size, (await attachments()).length], [before, 3])
    })

  test('are not added without the CSRF token', async () => {
    assert.equal((await upload(paul!, fair.id, [{ name: 'x.png', content: SMALL_PNG }], { token: 'wrong' })).statusCode, 403)
    assert.equal((await attachments()).length, 3)
  })

  test('are listed on the event page, for planners with a link to change them', async () => {
    const { body } = await ann!.get(page)
    assert.deepEqual(checkMarkup(body), [])
    assert.match(body, /Plan &lt;b&gt;\.pdf<\/a><span class="muted">PDF, 1\sKB/)
    assert.doesNotMatch(body, /Add or remove files/)
    assert.match((await paul!.get(page)).body, /Add or remove files/)
  })

  const DELIVERED: [title: string, type: string, disposition: string, policy: RegExp][] = [
    ['Plan <b>.pdf', 'application/pdf', 'inline', /^default-src 'none'; frame-ancestors 'none'$/],
    ['photo.png', 'image/png', 'inline', /sandbox/],
    ['notes.txt', 'text/plain', 'attachment', /sandbox/],
  ]
  for (const [title, type, disposition, policy] of DELIVERED)
    test(`${title} is delivered as ${disposition}, to those who see the event`, async () => {
      const path = `/events/${fair.id}/files/${await idOf(title)}/`
      for (const browser of [ann, paul, olga]) {
        const { statusCode, headers } = await browser!.get(path)
        assert.equal(statusCode, 200)
        assert.equal(headers['content-type'], type)
        assert.equal(String(headers['content-disposition']).split(';')[0], disposition)
        assert.equal(headers['x-content-type-options'], 'nosniff')
        assert.match(String(headers['content-security-policy']), policy)
      }
      assert.equal((await vera!.get(path)).statusCode, 404)
      const stranger = new Browser({ port: world.line.port }, { host: new URL(SITE_URL).host })
      assert.equal((await stranger.get(path)).statusCode, 303)
    })

  test('are not delivered at the address of another event', async () => {
    const other = await world.addEvent({ title: 'Other', seenBy: [HELPERS], responsible: [PAUL], shifts: [{}] })
    assert.equal((await ann!.get(`/events/${other.id}/files/${await idOf('photo.png')}/`)).statusCode, 404)
  })

  test('are for guests of the event while their link works', async () => {
    await switchGuestShare(contextAs(world, PAUL), fair.id, true)
    const share = await read.selectFrom('guest_share').select('token_sealed').executeTakeFirstOrThrow()
    const link = `/guests/register/${fair.id}/${world.app.site.keyring.unseal(share.token_sealed)}/`
    const guest = new Browser({ port: world.line.port }, { host: new URL(SITE_URL).host })
    await guest.get(link)
    const form = {
      name: 'Gus',
      email: 'gus@mail.example',
      date_of_birth: '1990-02-03',
      phone: '',
      shifts: String(fair.shifts[0]),
    }
    const own = String((await guest.post(link, { form })).headers.location)
    const body = (await guest.get(own)).body
    const path = /href="(\/guests\/[^"]+\/files\/\d+\/)"/.exec(body)?.[1]
    assert.ok(path, 'the page of a guest links to the files')
    assert.equal((await guest.get(path)).statusCode, 200)
    const other = await world.addEvent({ title: 'Hidden', responsible: [PAUL], shifts: [{}] })
    await upload(paul!, other.id, [{ name: 'secret.png', content: SMALL_PNG }])
    assert.equal((await guest.get(path.replace(/\d+\/$/, `${await idOf('secret.png')}/`))).statusCode, 404)
    await switchGuestShare(contextAs(world, PAUL), fair.id, false)
    assert.notEqual((await guest.get(path)).headers['content-type'], 'application/pdf')
    await write.deleteFrom('event').where('id', '=', other.id).execute()
  })

  test('are shared with copies of the event, and deleted with the last one', async () => {
    const copyHooks = [(tx: never, _context: unknown, ids: { from: number; to: number }) => copyAttachments(tx, ids)]
    const copied = { eventId: fair.id, dates: ['2031-06-01'], copyHooks } as never
    const [copy] = await duplicateEvent(contextAs(world, OLGA), copied)
    const photo = await idOf('photo.png')
    const size = async () => (await read.selectFrom('stored_file').select('id').execute()).length
    assert.deepEqual([(await attachments()).length, await size()], [3, 3])
    assert.match((await paul!.get(`/events/${fair.id}/files/${photo}/remove/`)).body, /1 other event keeps it/)
    assert.equal((await paul!.post(`/events/${fair.id}/files/${photo}/remove/`)).statusCode, 303)
    assert.equal((await paul!.post(`/events/${fair.id}/files/${photo}/remove/`)).statusCode, 404)
    assert.equal(await size(), 3)
    assert.match((await olga!.get(`/events/${copy}/files/${photo}/remove/`)).body, /No other event has this file/)
    await olga!.post(`/events/${copy}/files/${photo}/remove/`)
    assert.equal(await size(), 2)
    await deleteUnusedFiles(write, world.files, new Date(world.now.getTime() + 2 * HOUR_MS))
    assert.equal(world.files.content.size, 2)
  })

  test('are removed when the bin is emptied, unless another event has them', async () => {
    await write
      .updateTable('event')
      .set({ deleted_at: new Date('2031-03-01T00:00:00Z') })
      .where('id', '=', fair.id)
      .execute()
    const file = await idOf('notes.txt')
    assert.equal((await paul!.get(`/events/${fair.id}/files/${file}/`)).statusCode, 404)
    await cleanBin(write, world.now)
    assert.equal((await attachments()).length, 2)
    await write.deleteFrom('event').execute()
    assert.deepEqual([(await attachments()).length, (await read.selectFrom('stored_file').select('id').execute()).length], [0, 0])
  })
})

describe('the space for files', async () => {
  const world = await openWorld()
  const { read, write } = world.db
  const [paul, olga] = await Promise.all([PAUL, OLGA].map((person) => browserOf(world, person)))
  const { id: eventId } = await world.addEvent({ title: 'Fair', seenBy: [HELPERS], responsible: [PAUL], shifts: [{}] })
  const context = contextAs(world, PAUL)
  const file = (bytes: number): Upload => ({
    id: randomUUID(),
    name: 'a.pdf',
    type: 'application/pdf',
    bytes,
    sha256: 'ab'.repeat(32),
  })
  const count = async () => (await read.selectFrom('attachment').select('id').execute()).length
  const clear = () => write.deleteFrom('attachment').execute()

  test('is limited for all files together', async () => {
    assert.deepEqual(await attachFiles(context, { eventId, files: [file(60)], quotaBytes: 100 }), { ok: true })
    const refused = { ok: false, reason: 'quota', freeBytes: 40 }
    assert.deepEqual(await attachFiles(context, { eventId, files: [file(20), file(21)], quotaBytes: 100 }), refused)
    assert.deepEqual(await attachFiles(context, { eventId, files: [file(20), file(20)], quotaBytes: 100 }), { ok: true })
    assert.equal(await count(), 3)
    await clear()
  })

  /** Two uploads at the same time. */
  async function uploadTwice(): Promise<number> {
    const quota = { quotaBytes: 100, eventId }
    await Promise.all([
      attachFiles(context, { ...quota, files: [file(60)] }),
      attachFiles(context, { ...quota, files: [file(60)] }),
    ])
    const stored = await count()
    await clear()
    return stored
  }

  test('is not exceeded by two uploads at the same time', async () => assert.equal(await uploadTwice(), 1))

  test('would be exceeded without the lock', async (t) => {
    let checked = 0
    const both = Promise.withResolvers<void>()
    const { getUsedBytes } = QUOTA
    t.mock.method(QUOTA, 'lock', async () => {})
    t.mock.method(QUOTA, 'getUsedBytes', async (tx: never) => {
      const used = await getUsedBytes(tx)
      if (++checked === 2) both.resolve()
      await both.promise
      return used
    })
    assert.equal(await uploadTwice(), 2)
  })

  test('is shown to administrators, with the largest files first and what can be deleted', async () => {
    assert.equal((await paul!.get(FILES)).statusCode, 403)
    const empty = await olga!.get(FILES)
    assert.deepEqual(checkMarkup(empty.body), [])
    assert.match(empty.body, /There are no files yet/)
    await upload(paul!, eventId, [
      { name: 'small.png', content: SMALL_PNG },
      { name: 'large.pdf', content: Buffer.concat([PDF, Buffer.alloc(3 * MB)]) },
    ])
    const list = await olga!.get(FILES)
    assert.deepEqual(checkMarkup(list.body), [])
    assert.match(list.body, /3\sMB of 1\sGB[\s\S]*large\.pdf[\s\S]*Fair[\s\S]*Paul[\s\S]*small\.png/)
    const { id } = await read.selectFrom('attachment').select('id').where('title', '=', 'large.pdf').executeTakeFirstOrThrow()
    assert.equal((await olga!.get(`${FILES}${id}/`)).headers['content-type'], 'application/pdf')
    for (const path of [`${FILES}${id}/`, `${FILES}${id}/delete/`]) assert.equal((await paul!.get(path)).statusCode, 403)
    assert.equal((await paul!.post(`${FILES}${id}/delete/`)).statusCode, 403)
    assert.match((await olga!.get(`${FILES}${id}/delete/`)).body, /disappears from 1 event/)
    assert.equal((await olga!.post(`${FILES}${id}/delete/`)).statusCode, 303)
    assert.equal((await olga!.post(`${FILES}${id}/delete/`)).statusCode, 404)
    assert.equal(await count(), 1)
  })

  test('an imported file without content is listed as missing, and can be removed', async () => {
    const { id } = await write
      .insertInto('attachment')
      .values({ title: 'Old plan', source_path: 'documents/plan.pdf' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await write.insertInto('event_attachment').values({ event_id: eventId, attachment_id: id }).execute()
    assert.match((await paul!.get(`/events/${eventId}-fair/`)).body, /Old plan<\/span><span class="muted">File is missing/)
    const answer = await paul!.get(`/events/${eventId}/files/${id}/`)
    assert.equal(answer.statusCode, 404)
    assert.match(answer.body, /was not moved to this instance/)
    assert.match((await olga!.get(FILES)).body, /Old plan[\s\S]*File is missing/)
    assert.equal((await paul!.post(`/events/${eventId}/files/${id}/remove/`)).statusCode, 303)
  })
})

describe('files for every event', async () => {
  const world = await openWorld()
  const { read, write } = world.db
  const managing = await world.addPerson({ name: 'Mara', permissions: ['add_file', 'change_file', 'delete_file'] })
  const editing = await world.addPerson({ name: 'Edda', permissions: ['change_file'] })
  const [mara, edda, paul, ann] = await Promise.all([managing, editing, PAUL, ANN].map((person) => browserOf(world, person)))
  const fair = await world.addEvent({ title: 'Fair', seenBy: [HELPERS], responsible: [PAUL], shifts: [{}] })
  const secret = await world.addEvent({ title: 'Secret drill', responsible: [VERA], shifts: [{}] })
  const choose = `/events/${fair.id}/files/choose/`
  const get = async (title: string) =>
    read.selectFrom('attachment').selectAll().where('title', '=', title).executeTakeFirstOrThrow()
  async function send(browser: Browser, files: readonly Sent[]) {
    const form = new FormData()
    form.set('csrf_token', browser.token!)
    for (const { name, content } of files) form.append('files', new Blob([new Uint8Array(content)]), name)
    const encoded = new Response(form)
    const body = Buffer.from(await encoded.arrayBuffer())
    return browser.postBytes(`${FILES}new/`, body, encoded.headers.get('content-type')!)
  }

  test('are added by people with the permission, and only by them', async () => {
    const page = await mara!.get(`${FILES}new/`)
    assert.deepEqual(checkMarkup(page.body), [])
    assert.equal(
      (
        await send(mara!, [
          { name: 'Hygiene.pdf', content: PDF },
          { name: 'Map.png', content: SMALL_PNG },
        ])
      ).statusCode,
      303,
    )
    assert.equal((await send(mara!, [{ name: 'x.exe', content: PDF }])).statusCode, 422)
    const { shared, uploader_id, version } = await get('Hygiene.pdf')
    assert.deepEqual([shared, uploader_id, version], [true, managing.id, 1])
    const stored = world.files.content.size
    for (const browser of [edda!, paul!, ann!]) {
      assert.equal((await browser.get(`${FILES}new/`)).statusCode, 403)
      assert.equal((await send(browser, [{ name: 'x.png', content: SMALL_PNG }])).statusCode, 403)
    }
    const upload = { id: randomUUID(), name: 'a.pdf', type: 'application/pdf' as const, bytes: 5, sha256: 'ab'.repeat(32) }
    const attempt = addSharedFiles(contextAs(world, editing), { files: [upload], quotaBytes: 100 })
    await assert.rejects(attempt, { code: 'permission_denied' })
    assert.equal(world.files.content.size, stored)
    const full = await addSharedFiles(contextAs(world, managing), { files: [{ ...upload, bytes: 101 }], quotaBytes: 100 })
    assert.deepEqual([full.ok, (await read.selectFrom('attachment').select('id').execute()).length], [false, 2])
  })

  test('are chosen by planners for their events, and stay when no event has them', async () => {
    assert.match((await paul!.get(`/events/${fair.id}/files/`)).body, /Choose from the files for every event/)
    const page = await paul!.get(choose)
    assert.deepEqual(checkMarkup(page.body), [])
    assert.match(page.body, /Hygiene\.pdf[\s\S]*PDF, 1\sKB/)
    const { id } = await get('Hygiene.pdf')
    assert.equal((await paul!.post(choose, { form: { files: [] } })).statusCode, 422)
    assert.equal((await paul!.post(choose, { form: { files: [String(id)] } })).statusCode, 303)
    assert.match((await ann!.get(`/events/${fair.id}-fair/`)).body, /Hygiene\.pdf/)
    assert.doesNotMatch((await paul!.get(choose)).body, /Hygiene\.pdf/)
    // A second tab: nothing is added twice.
    assert.equal((await paul!.post(choose, { form: { files: [String(id)] } })).statusCode, 409)
    const entries = await read.selectFrom('journal').select('changes').where('kind', '=', 'event.files_added').execute()
    assert.deepEqual(entries, [{ changes: { files: [null, ['Hygiene.pdf']] } }])
    assert.match((await paul!.get(`/events/${fair.id}/files/${id}/remove/`)).body, /stays among the files for every event/)
    await paul!.post(`/events/${fair.id}/files/${id}/remove/`)
    assert.equal((await get('Hygiene.pdf')).id, id)
  })

  test('are not chosen for events of others, and files of one event are not offered', async () => {
    const { id } = await get('Hygiene.pdf')
    assert.equal((await ann!.get(choose)).statusCode, 403)
    assert.equal((await ann!.post(choose, { form: { files: [String(id)] } })).statusCode, 403)
    assert.equal((await paul!.post(`/events/${secret.id}/files/choose/`, { form: { files: [String(id)] } })).statusCode, 404)
    assert.equal(await chooseFiles(contextAs(world, ANN), fair.id, [id]), undefined)
    const own = await write.insertInto('attachment').values({ title: 'Own.pdf' }).returning('id').executeTakeFirstOrThrow()
    await write.insertInto('event_attachment').values({ event_id: secret.id, attachment_id: own.id }).execute()
    assert.doesNotMatch((await paul!.get(choose)).body, /Own\.pdf/)
    assert.deepEqual(await chooseFiles(contextAs(world, PAUL), fair.id, [own.id]), { added: 0 })
  })

  test('are listed with all files, without the names of events that the reader does not see', async () => {
    const list = await edda!.get(FILES)
    assert.deepEqual(checkMarkup(list.body), [])
    assert.match(list.body, /Own\.pdf[\s\S]*1 event that you do not see/)
    assert.doesNotMatch(list.body, /Secret drill|files\/new\/|files\/\d+\/delete\//)
    assert.match((await mara!.get(FILES)).body, /files\/new\/[\s\S]*files\/\d+\/delete\//)
    assert.match((await browserOf(world, OLGA).then((olga) => olga.get(FILES))).body, /Secret drill/)
  })

  test('are renamed, and offered or not, by people with the permission', async () => {
    const { id } = await get('Own.pdf')
    const path = `${FILES}${id}/edit/`
    assert.deepEqual(checkMarkup((await edda!.get(path)).body), [])
    assert.equal((await edda!.post(path, { form: { title: '', version: '1' } })).statusCode, 422)
    assert.equal((await edda!.post(path, { form: { title: 'Plan', shared: 'on', version: '1' } })).statusCode, 303)
    const { shared, version } = await get('Plan')
    assert.deepEqual([shared, version], [true, 2])
    const outdated = await edda!.post(path, { form: { title: 'Other', version: '1' } })
    assert.deepEqual([outdated.statusCode, (await get('Plan')).title], [409, 'Plan'])
    assert.deepEqual(await changeAttachment(contextAs(world, editing), id, { title: 'Plan', shared: true, version: 2 }), {
      ok: true,
      isChanged: false,
    })
    const [entry] = await read.selectFrom('journal').select('changes').where('kind', '=', 'attachment.changed').execute()
    assert.deepEqual(entry!.changes, { title: ['Own.pdf', 'Plan'], shared: [false, true] })
    for (const browser of [paul!, ann!]) assert.equal((await browser.get(path)).statusCode, 403)
    const attempt = changeAttachment(contextAs(world, PAUL), id, { title: 'x', shared: true, version: 2 })
    await assert.rejects(attempt, { code: 'permission_denied' })
    assert.equal(await changeAttachment(contextAs(world, editing), 99_999, { title: 'x', shared: true, version: 1 }), undefined)
  })

  test('are deleted by people with the permission; the log names every event', async () => {
    const { id } = await get('Plan')
    assert.equal((await edda!.post(`${FILES}${id}/delete/`)).statusCode, 403)
    await assert.rejects(deleteAttachment(contextAs(world, editing), id), { code: 'permission_denied' })
    assert.match((await mara!.get(`${FILES}${id}/delete/`)).body, /disappears from 1 event/)
    assert.equal((await mara!.post(`${FILES}${id}/delete/`)).statusCode, 303)
    const [entry] = await read.selectFrom('journal').select('changes').where('kind', '=', 'attachment.deleted').execute()
    assert.deepEqual(entry!.changes, { title: ['Plan', null], events: [[secret.id], null] })
  })
})
