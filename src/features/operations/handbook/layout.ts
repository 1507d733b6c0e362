import { layoutPart } from '#platform/features/layout.ts'
import { bookPath, chapterPath } from './rules/contents.ts'
import { findTarget } from './rules/targets.ts'

/** In the footer of every page: the chapter about it. */
export const helpPart = layoutPart({
  show: (_value, { words, path }) => {
    const chapter = findTarget(path)
    const href = chapter === undefined ? bookPath(words.language) : chapterPath(words.language, chapter)
    return { footLinks: [{ href, label: words.t('handbook.help') }] }
  },
})
