import { getPictureEntry } from '#features/operations/handbook/queries/pictures.ts'
import { isOn, type Module, type ModuleName, modulesOf, ORGANISATIONS, presetOf } from '#platform/features/modules.ts'
import type { Runtime } from '#platform/features/runtime.ts'
import { html } from '#platform/html/html.ts'
import { staff } from '#platform/http/access.ts'
import { actionPage, formPage, type Page, viewPage } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import type { Words } from '#platform/i18n/words.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import type { Flash } from '#platform/ui/flash.ts'
import { manageCrumbs } from '#platform/ui/manage.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { chooseModules, type Switched, switchModules } from './commands.ts'
import { modulesPage } from './points.ts'
import { countUses } from './queries.ts'
import { startForm, switchForm } from './schema.ts'
import { MODULES, modulesView, organisationsView, START, SWITCH, titleOf, titlesOf } from './views.ts'

const head = html`<link rel="stylesheet" href="${assetUrl('manage.css')}">`

const overviewPage = (modules: readonly Module[]): Page =>
  viewPage({
    path: MODULES,
    access: staff,
    show: async ({ context, csrfToken }) => {
      const { words, db, site } = context
      const on = new Set(modules.map(({ name }) => name).filter((name) => isOn(site, name)))
      const uses = await countUses(db, modules)
      const more = await Promise.all(site.added(modulesPage.section).map((section) => section(context)))
      const pictures = new Map(
        modules.flatMap(({ name }) => {
          const file = `${words.language}/module-${name}.webp`
          const entry = getPictureEntry(file)
          return entry ? [[name, { file, width: entry.width, height: entry.height }] as const] : []
        }),
      )
      return {
        title: words.t('modules.title'),
        head,
        main: html`${modulesView({ words, csrfToken, modules, on, uses, pictures })}${more}`,
      }
    },
  })

/** What was asked for comes first; what else was switched is named as a consequence. */
function switchedText(words: Words, asked: readonly ModuleName[], { switchedOn, switchedOff }: Switched): string {
  const all = switchedOn.length ? switchedOn : switchedOff
  const others = all.filter((name) => !asked.includes(name))
  const way = switchedOn.length ? 'on' : 'off'
  const [first] = asked
  if (!others.length || first === undefined) return words.t(`modules.switched_${way}`, { names: titlesOf(words, all) })
  return words.t(`modules.switched_${way}_with`, { name: titleOf(words, first), others: titlesOf(words, others) })
}

const switchPage = (modules: readonly Module[]): Page =>
  actionPage({
    path: SWITCH,
    access: staff,
    form: switchForm,
    submit: async ({ context: { words }, commandContext }, { modules: listed, to, undo }) => {
      const names = modules.map(({ name }) => name).filter((name) => listed.split(' ').includes(name))
      if (!names.length) throw new Problem('not_found', { detail: words.t('modules.unknown') })
      const outcome = await switchModules(commandContext, modules, { names, isOn: to === 'on' })
      const switched = [...outcome.switchedOn, ...outcome.switchedOff]
      if (!switched.length) return { redirect: MODULES, flash: { kind: 'info', text: words.t('modules.already') } }
      const flash: Flash = undo
        ? { kind: 'good', text: words.t('modules.undone') }
        : {
            kind: 'good',
            text: switchedText(words, names, outcome),
            undo: { action: SWITCH, fields: { modules: switched.join(' '), to: to === 'on' ? 'off' : 'on', undo: '1' } },
          }
      return { redirect: MODULES, flash }
    },
  })

const startPage = (modules: readonly Module[]): Page =>
  formPage({
    path: START,
    access: staff,
    form: startForm.schema,
    show: async ({ context: { words }, csrfToken, query }, refused) => {
      const crumbs = manageCrumbs(words, { href: MODULES, label: words.t('modules.title') })
      const kind = ORGANISATIONS.find((each) => each === (query.get('kind') ?? refused?.values.kind))
      if (!kind) return { title: words.t('modules.start_title'), breadcrumb: crumbs, main: organisationsView(words) }
      const title = words.t('modules.preview_title')
      const preset = presetOf(modules, kind)
      const form = startForm.view({
        words,
        csrfToken,
        action: START,
        state: refused ?? startForm.state({ kind, modules: [...preset] }),
        submit: words.t('modules.save'),
        cancel: { href: START },
        layout: (field) => [
          field('kind'),
          field('modules', {
            options: modules.map(({ name }) => ({
              value: name as string,
              label: titleOf(words, name),
              help: words.t(`module.${name}.text`),
            })),
          }),
        ],
      })
      const breadcrumb = [...crumbs, { href: START, label: words.t('modules.start_title') }]
      const facts = `${words.t(`modules.kind_${kind}`)}. ${words.t('modules.preview_intro')}`
      return { title, breadcrumb, main: html`${pageHeadView({ title, facts })}${form}` }
    },
    submit: async ({ context: { words }, commandContext }, { modules: names, kind }) => {
      const { length: count } = await chooseModules(commandContext, modules, { names, kind })
      const text = count ? words.t('modules.saved', { count }) : words.t('modules.saved_none')
      return { redirect: MODULES, flash: { kind: 'good', text } }
    },
  })

export function modulePages({ features }: Runtime): Page[] {
  // What most organisations begin with comes first.
  const modules = modulesOf(features).toSorted((a, b) => b.presets.length - a.presets.length)
  return [overviewPage(modules), switchPage(modules), startPage(modules)]
}
