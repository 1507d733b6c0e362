import type { Page } from 'playwright-core'
import { type Words, wordsFor } from '#platform/i18n/words.ts'

/** Accented and longer, from left to right and from right to left, under the codes that are usual for it. */
export const PSEUDO_LANGUAGES = ['en-XA', 'ar-XB'] as const
export type PseudoLanguage = (typeof PSEUDO_LANGUAGES)[number]
export const isPseudoLanguage = (text: string): text is PseudoLanguage => (PSEUDO_LANGUAGES as readonly string[]).includes(text)

const PLAIN = 'AEIOUYCNSZaeiouycnsz'
const ACCENTED = 'ÅÉÎÖÛÝÇÑŠŽåéîöûýçñšž'
/** As much longer as the longest translations are. */
const LONGER = 0.4
const FILLERS = ['öñé', 'ťŵö', 'ťĥŕéé', 'ƒöûŕ']
function pseudo(text: string): string {
  const accented = [...text].map((letter) => (PLAIN.includes(letter) ? ACCENTED[PLAIN.indexOf(letter)] : letter)).join('')
  let more = ''
  for (let index = 0; more.length < text.length * LONGER; index++) more += ` ${FILLERS[index % FILLERS.length]}`
  return `${accented}${more}`
}

/** Makes every text of a page longer and accented as `pseudo` does: a translation without opening the page again. Returns how many have changed. */
export const lengthenTexts = (page: Page): Promise<number> =>
  page.evaluate(
    ({ plain, accented, longer, fillers }) => {
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      let changed = 0
      while (texts.nextNode()) {
        const node = texts.currentNode
        const text = node.textContent!
        if (!/\p{L}{2}/u.test(text) || node.parentElement!.closest('script, style, svg, code, pre, textarea, [translate=no]'))
          continue
        const letters = [...text.trim()].map((letter) => (plain.includes(letter) ? accented[plain.indexOf(letter)] : letter))
        let more = ''
        for (let index = 0; more.length < text.trim().length * longer; index++) more += ` ${fillers[index % fillers.length]}`
        node.textContent = `${/^\s*/.exec(text)![0]}${letters.join('')}${more}${/\s*$/.exec(text)![0]}`
        changed++
      }
      return changed
    },
    { plain: PLAIN, accented: ACCENTED, longer: LONGER, fillers: FILLERS },
  )

/** Longer texts of the program. Direction, dates and numbers are those of the locale. */
export function pseudoWords(language: PseudoLanguage, timeZone: string): Words {
  const english = wordsFor('en', timeZone)
  return { ...wordsFor(language, timeZone), t: (...parameters) => pseudo(english.t(...parameters)) }
}
