import MarkdownIt from 'markdown-it'
import { apiDocumentPath, chapterPath, isApiDocument, isChapter, picturePath } from '../rules/contents.ts'
import type { RenderedChapter, Section } from '../rules/search.ts'
import { getPictureEntry } from './pictures.ts'

type Token = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number]

const markdown = new MarkdownIt({ html: false, typographer: false })

/** `Wer fehlt? Zwei Wege` becomes `wer-fehlt-zwei-wege`. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

const plainText = (token: Token | undefined): string =>
  (token?.children ?? [])
    .map((child) => (child.type === 'softbreak' || child.type === 'hardbreak' ? ' ' : child.content))
    .join('')

/** Links between the files are links between the pages, and so are pictures. */
function resolveLink(href: string, language: string): string {
  const [, chapter, anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? []
  if (chapter !== undefined && isChapter(chapter)) return chapterPath(language, chapter) + anchor
  if (chapter !== undefined && isApiDocument(chapter)) return apiDocumentPath(chapter) + anchor
  const picture = /^\.\.\/pictures\/([\w./-]+)$/.exec(href)?.[1]
  return picture === undefined ? href : picturePath(picture)
}

/** Pictures arrive later than the text, which must not move then. */
function setSize(token: Token): void {
  const size = getPictureEntry(String(token.attrGet('src')).slice(picturePath('').length))
  if (size) for (const name of ['width', 'height'] as const) token.attrSet(name, String(size[name]))
  token.attrSet('loading', 'lazy')
}

function resolveTargets(tokens: readonly Token[], language: string): void {
  for (const token of tokens) {
    for (const name of ['href', 'src']) {
      const value = token.attrGet(name)
      if (value !== null) token.attrSet(name, resolveLink(String(value), language))
    }
    if (token.type === 'image') setSize(token)
    resolveTargets(token.children ?? [], language)
  }
}

/** One chapter. Its first line is the heading of the page, which is not part of the markup. */
export function renderChapter(text: string, language: string): RenderedChapter {
  const tokens = markdown.parse(text, {})
  resolveTargets(tokens, language)
  const title = plainText(tokens[1])
  const sections: Section[] = [{ id: '', heading: title, text: '' }]
  const body = tokens.slice(3)
  for (const [index, token] of body.entries()) {
    if (token.type === 'heading_open' && token.tag === 'h2') {
      const heading = plainText(body[index + 1])
      token.attrSet('id', anchorOf(heading))
      sections.push({ id: anchorOf(heading), heading, text: '' })
    } else if (token.type === 'inline' && body[index - 1]?.tag !== 'h2') sections.at(-1)!.text += ` ${plainText(token)}`
  }
  return { title, markup: markdown.renderer.render(body, markdown.options, {}), sections }
}
