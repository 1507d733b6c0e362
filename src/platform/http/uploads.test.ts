import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { z } from 'zod'
import { uploadSchema } from '#platform/files/upload.ts'
import { html } from '#platform/html/html.ts'
import { formLine } from '#platform/ui/form-schemas.ts'
import { makeMemoryStore } from '#test/support/file-store.ts'
import { COOKIES, openHttpServer } from '#test/support/http-server.ts'
import { SMALL_PNG } from '#test/support/pictures.ts'
import { signedIn } from './access.ts'
import { downloadFile } from './file-download.ts'
import { formPage, viewPage } from './page.ts'

const MAX_BYTES = 1_000
const files = makeMemoryStore()
const proof = uploadSchema(['application/pdf', 'image/png'], {
  missing: 'form.missing',
  tooLarge: 'problem.too_large.title',
  wrongType: 'form.invalid',
})
const uploadPage = formPage({
  path: '/proofs/new/',
  access: signedIn,
  form: z.object({ title: formLine.min(1, 'form.missing'), proof }),
  uploads: { maxBytes: MAX_BYTES },
  show: async ({ csrfToken }, refused) => ({
    title: 'Upload',
    main: html`<input name="csrf_token" value="${csrfToken}">${refused?.errors.map(({ field, text }) => html`<p>${field}: ${text}</p>`)}<p>title=${refused?.values.title}</p>`,
  }),
  submit: async (_request, { title, proof: { id, name, type, bytes } }) =>
    title === 'taken'
      ? { refused: [{ field: 'title', text: 'Taken.' }] }
      : { redirect: `/proofs/?${new URLSearchParams({ id, name, type, bytes: String(bytes) })}` },
})
const downloadPage = viewPage({
  path: '/proofs/',
  access: signedIn,
  show: ({ query }) =>
    downloadFile(files, {
      id: query.get('id')!,
      name: query.get('name')!,
      content_type: query.get('type')!,
      bytes: Number(query.get('bytes')),
    }),
})

describe('a form with files', async () => {
  const server = await openHttpServer({ files, pages: [uploadPage, downloadPage] })
  after(() => server.close())
  const device = 'd'.repeat(32)
  const headers = { host: 'plan.example', cookie: `${COOKIES.session}=ann; ${COOKIES.device}=${device}` }
  const page = await server.app.inject({ url: '/proofs/new/', headers })
  const token = /name="csrf_token" value="([^"]+)"/.exec(page.body)![1]!

  type Sent = { title?: string; content?: string | Buffer; name?: string; token?: string }
  async function send({ title = 'First aid', content = '%PDF-1.7', name = 'proof.pdf', token: sentToken = token }: Sent = {}) {
    const form = new FormData()
    form.set('title', title)
    form.append('proof', new Blob([new Uint8Array(Buffer.from(content))], { type: 'text/html' }), name)
    // After the file: the order of the fields does not matter.
    form.set('csrf_token', sentToken)
    const encoded = new Response(form)
    const payload = Buffer.from(await encoded.arrayBuffer())
    return server.app.inject({
      method: 'POST',
      url: '/proofs/new/',
      headers: { ...headers, 'content-type': encoded.headers.get('content-type')! },
      payload,
    })
  }

  test('stores the bytes and passes on name and type', async () => {
    const answer = await send({ name: 'Prüfung 10 %.pdf' })
    assert.equal(answer.statusCode, 303, answer.body)
    const location = String(answer.headers.location)
    const query = new URLSearchParams(location.split('?')[1])
    assert.deepEqual([query.get('name'), query.get('type'), query.get('bytes')], ['Prüfung 10 %.pdf', 'application/pdf', '8'])
    const download = await server.app.inject({ url: location, headers })
    assert.deepEqual([download.statusCode, download.body], [200, '%PDF-1.7'])
    assert.equal(download.headers['content-type'], 'application/pdf')
    assert.equal(
      download.headers['content-disposition'],
      `inline; filename="Pr_fung 10 _.pdf"; filename*=UTF-8''Pr%C3%BCfung%2010%20%25.pdf`,
    )
    assert.equal(download.headers['x-content-type-options'], 'nosniff')
    assert.match(String(download.headers['content-security-policy']), /^default-src 'none'; frame-ancestors 'none'$/)
    const head = await server.app.inject({ method: 'HEAD', url: location, headers })
    assert.deepEqual([head.statusCode, head.body, head.headers['content-length']], [200, '', '8'])
  })

  test('shows pictures in the browser', async () => {
    const answer = await send({ content: SMALL_PNG, name: 'x.html' })
    const download = await server.app.inject({ url: String(answer.headers.location), headers })
    assert.deepEqual(download.headers['content-type'], 'image/png')
    assert.match(String(download.headers['content-disposition']), /^inline; filename="x.html.png"/)
    assert.match(String(download.headers['content-security-policy']), /default-src 'none'.*; sandbox$/)
  })

  const REFUSED: [what: string, sent: Sent, says: RegExp][] = [
    ['a file that is too large', { content: `%PDF-${'x'.repeat(MAX_BYTES)}` }, /proof: .*large/i],
    ['a file that is much too large', { content: Buffer.alloc(20_000_000, '%PDF-') }, /proof: .*large/i],
    ['a program with the name of a document', { content: 'MZ\x90\x00' }, /proof: /],
    ['a drawing with a script', { content: '<svg><script>alert(1)</script></svg>', name: 'x.png' }, /proof: /],
    ['a picture that is damaged', { content: SMALL_PNG.subarray(0, 40), name: 'x.png' }, /proof: .*damaged/],
    ['no file', { content: '', name: '' }, /proof: /],
    ['another field', { title: '' }, /title: /],
    ['the command', { title: 'taken' }, /title: Taken\./],
  ]
  for (const [what, sent, says] of REFUSED) {
    test(`is shown again with an error because of ${what}, and no file stays behind`, async () => {
      files.content.clear()
      const answer = await send(sent)
      assert.equal(answer.statusCode, 422)
      assert.match(answer.body, says)
      assert.match(answer.body, new RegExp(`title=${sent.title ?? 'First aid'}`))
      assert.equal(files.content.size, 0)
    })
  }

  test('needs the CSRF token, and is refused without leaving a file', async () => {
    files.content.clear()
    assert.equal((await send({ token: 'wrong' })).statusCode, 403)
    assert.equal(files.content.size, 0)
  })

  const filePart = '--x\r\ncontent-disposition: form-data; name="proof"; filename="a"\r\n\r\n%PDF-\r\n'
  const BROKEN: [what: string, type: string, body: string, status: number][] = [
    [
      'without an end',
      'multipart/form-data; boundary=x',
      '--x\r\ncontent-disposition: form-data; name="proof"; filename="a"\r\n\r\n%PDF-',
      400,
    ],
    ['without a boundary', 'multipart/form-data', '--x--', 400],
    ['in JSON', 'application/json', '{}', 415],
    ['with two files', 'multipart/form-data; boundary=x', `${filePart}${filePart}--x--\r\n`, 413],
  ]
  for (const [what, type, payload, status] of BROKEN) {
    test(`is refused ${what}`, async () => {
      files.content.clear()
      const answer = await server.app.inject({
        method: 'POST',
        url: '/proofs/new/',
        headers: { ...headers, 'content-type': type },
        payload,
      })
      assert.deepEqual([answer.statusCode, files.content.size], [status, 0])
    })
  }
})
