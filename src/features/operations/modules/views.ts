import { pictureView } from '#features/operations/handbook/views.ts'
import { dependentsOf, type Module, type ModuleName, ORGANISATIONS } from '#platform/features/modules.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { linkButtonView, postButtonView } from '#platform/ui/form.ts'
import { iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'

export const MODULES = '/manage/modules/'
export const SWITCH = `${MODULES}switch/`
export const START = `${MODULES}start/`

export const titleOf = (words: Words, name: ModuleName): string => words.t(`module.${name}.title`)
export const titlesOf = (words: Words, names: readonly ModuleName[]): string =>
  words.list(names.map((name) => titleOf(words, name)))

type ModulesData = {
  words: Words
  csrfToken: string
  modules: readonly Module[]
  on: ReadonlySet<ModuleName>
  uses: ReadonlyMap<ModuleName, number>
  pictures: ReadonlyMap<ModuleName, { file: string; width: number; height: number }>
}

export function modulesView(data: ModulesData): Html {
  const { words, modules, on } = data
  return html`${pageHeadView({
    title: words.t('modules.title'),
    facts: words.t('modules.count', { count: on.size, all: modules.length }),
    actions: [linkButtonView({ href: START, label: words.t('modules.start'), icon: 'list-checks' })],
  })}
<p>${words.t('modules.intro')}</p>
<ul class="modules" role="list">${modules.map((module) => moduleView(data, module))}</ul>`
}

function moduleView({ words, csrfToken, modules, on, uses, pictures }: ModulesData, { name, icon, needs = [] }: Module): Html {
  const isOn = on.has(name)
  const lost = dependentsOf(modules, name).filter((other) => on.has(other))
  const title = titleOf(words, name)
  const count = uses.get(name) ?? 0
  const picture = pictures.get(name)
  return html`<li class="module" id="module-${name}" data-row>
<span class="place-icon">${iconView(icon, { size: 24 })}</span>
<div class="module-about"><h2>${title} ${badgeView(isOn ? { tone: 'good', text: words.t('modules.on'), icon: 'check' } : { tone: 'quiet', text: words.t('modules.off') })}</h2>
<p>${words.t(`module.${name}.text`)}</p>
<p class="muted">${count ? words.t(`module.${name}.used`, { count }) : words.t('modules.unused')}${needs.length > 0 && html` · ${words.t('modules.needs', { names: titlesOf(words, needs) })}`}${isOn && lost.length > 0 && html` · ${words.t('modules.needed_by', { names: titlesOf(words, lost) })}`}</p>
<div class="module-foot"><details class="fold"><summary>${words.t('modules.details')}<span class="sr-only"> ${title}</span>${iconView('chevron-down', { size: 18 })}</summary>
<div class="module-more"><p>${words.t(`module.${name}.who`)}</p>
${picture && pictureView(picture.file, { ...picture, alt: words.t('modules.picture', { name: title }), class: 'module-picture' })}</div></details>
${postButtonView({
  action: SWITCH,
  csrfToken,
  id: `switch-${name}`,
  fields: { modules: name, to: isOn ? 'off' : 'on' },
  label: words.t(isOn ? 'modules.switch_off' : 'modules.switch_on'),
  kind: isOn ? 'quiet' : 'secondary',
  small: true,
  attributes: { 'aria-label': words.t(isOn ? 'modules.switch_off_named' : 'modules.switch_on_named', { name: title }) },
})}</div></div></li>`
}

export function organisationsView(words: Words): Html {
  return html`${pageHeadView({ title: words.t('modules.start_title'), facts: words.t('modules.start_intro') })}
<ul class="places" role="list">${ORGANISATIONS.map(
    (kind) =>
      html`<li><a class="place" href="${START}?kind=${kind}"><span><b>${words.t(`modules.kind_${kind}`)}</b><small>${words.t(`modules.kind_${kind}_text`)}</small></span></a></li>`,
  )}</ul>`
}
