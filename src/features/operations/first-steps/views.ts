import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { cardView } from '#platform/ui/card.ts'
import { postButtonView } from '#platform/ui/form.ts'
import { iconView } from '#platform/ui/icon.ts'
import { progressView } from '#platform/ui/progress.ts'
import { STEPS, type Step } from './rules.ts'

export const DISMISS = '/first-steps/dismiss/'

const PLACES: Record<Step, string> = {
  name: '/manage/instance/',
  modules: '/manage/modules/start/',
  mail: '/manage/instance/',
  groups: '/manage/groups/',
  qualifications: '/manage/qualifications/',
  people: '/manage/people/import/',
  event: '/events/new/',
  backup: '/manage/instance/',
}

type StepsData = { words: Words; csrfToken: string; steps: Readonly<Record<Step, boolean>> }

export function firstStepsView({ words, csrfToken, steps }: StepsData): Html {
  const done = STEPS.filter((step) => steps[step]).length
  return cardView({
    title: words.t('steps.title'),
    aside: postButtonView({ action: DISMISS, csrfToken, label: words.t('steps.dismiss'), kind: 'quiet', small: true, icon: 'x' }),
    body: html`${progressView({ words, label: words.t('steps.progress'), done, total: STEPS.length })}
<ul class="steps">${STEPS.map((step) => stepView(words, step, steps[step]))}</ul>`,
  })
}

function stepView(words: Words, step: Step, isDone: boolean): Html {
  const state = iconView(isDone ? 'circle-check' : 'circle-dashed', { title: words.t(isDone ? 'steps.done' : 'steps.open') })
  return html`<li class="step tone-${isDone ? 'good' : 'quiet'}" data-step="${step}">${state}<span><a href="${PLACES[step]}">${words.t(`steps.${step}`)}</a>${!isDone && html`<small>${words.t(`steps.${step}_text`)}</small>`}</span></li>`
}
