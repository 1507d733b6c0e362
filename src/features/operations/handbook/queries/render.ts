import MarkdownIt from 'markdown-it'
import { chapterPath, isChapter, picturePath } from '../rules/contents.ts'
import type { RenderedChapter, Section } from '../rules/search.ts'

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
  const picture = /^\.\.\/images\/([\w.-]+)$/.exec(href)?.[1]
  return picture === undefined ? href : picturePath(picture)
}

function resolveTargets(tokens: readonly Token[], language: string): void {
  for (const token of tokens) {
    for (const name of ['href', 'src']) {
      const value = token.attrGet(name)
      if (value !== null) token.attrSet(name, resolveLink(String(value), language))
    }
    if (token.type === 'image') token.attrSet('loading', 'lazy')
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
