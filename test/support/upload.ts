import type { Browser, BrowserResponse } from './http-browser.ts'

const BOUNDARY = 'parts-of-a-test'

/** Sends a form with one file, as browsers do. */
export function postFile(
  browser: Browser,
  url: string,
  file: { name: string; content: Buffer | string },
  fields: Record<string, string> = {},
): Promise<BrowserResponse> {
  const part = (head: string, content: Buffer | string) =>
    Buffer.concat([
      Buffer.from(`--${BOUNDARY}\r\ncontent-disposition: form-data; ${head}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ])
  const body = Buffer.concat([
    ...Object.entries({ csrf_token: browser.token ?? '', ...fields }).map(([name, value]) => part(`name="${name}"`, value)),
    part(`name="file"; filename="${file.name}"`, file.content),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ])
  return browser.postBytes(url, body, `multipart/form-data; boundary=${BOUNDARY}`)
}
