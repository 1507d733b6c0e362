import { permission } from '#platform/http/access.ts'
import { formPage } from '#platform/http/page.ts'
import { sourceLanguageOf } from '#platform/i18n/languages.ts'
import { manageCrumbs } from '#platform/ui/manage.ts'
import { createPatternGroups } from '../commands/group-patterns.ts'
import { findGroups } from '../queries/groups.ts'
import { PATTERNS, proposeGroups } from '../rules/group-patterns.ts'
import { PATTERNS_PATH, patternForm, patternsView, patternView } from '../views/group-patterns.ts'
import { GROUPS } from '../views/groups.ts'

/** Groups and rights for an organisation that has none yet. It may be repeated: what exists stays. */
export const groupPatternsPage = formPage({
  path: PATTERNS_PATH,
  requires: 'recentSignInToSubmit',
  access: permission('add_group'),
  form: patternForm.schema,
  show: async ({ context: { words, db }, csrfToken, query }, refused) => {
    const title = words.t('groups.patterns_title')
    const breadcrumb = manageCrumbs(words, { href: GROUPS, label: words.t('groups.title') })
    const existing = await findGroups(db)
    const rows = PATTERNS.map((pattern) => ({
      pattern,
      groups: proposeGroups(pattern, sourceLanguageOf(words.language), existing),
    }))
    const chosen = rows.find(({ pattern }) => pattern === (query.get('pattern') ?? refused?.values.pattern))
    const main = chosen ? patternView({ words, csrfToken, ...chosen, state: refused }) : patternsView(words, rows)
    return { title, breadcrumb, main }
  },
  submit: async ({ context: { words }, commandContext }, { pattern, groups }) => {
    const wanted = { pattern, language: words.language, keys: new Set(groups) }
    const created = await createPatternGroups(commandContext, wanted)
    const text = created.length
      ? words.t('groups.pattern_created', { names: words.list(created) })
      : words.t('groups.pattern_nothing')
    return { redirect: GROUPS, flash: { kind: 'good', text } }
  },
})
