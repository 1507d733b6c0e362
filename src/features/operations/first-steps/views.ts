import { type Html, html } from '#platform/html/html.ts'
import type { PlainKey, Words } from '#platform/i18n/words.ts'
import { cardView } from '#platform/ui/card.ts'
import { postButtonView } from '#platform/ui/form.ts'
import { iconView } from '#platform/ui/icon.ts'
import { progressView } from '#platform/ui/progress.ts'
import { PLACES, STEPS, type Step } from './rules.ts'

export const DISMISS = '/first-steps/dismiss/'

/** Other ways to do it. */
const MORE: Partial<Record<Step, readonly { href: string; label: PlainKey }[]>> = {
  people: [
    { href: '/manage/people/new/', label: 'steps.people_invite' },
    { href: '/manage/groups/', label: 'steps.people_link' },
  ],
  event: [{ href: '/planning/templates/starters/', label: 'steps.event_template' }],
}

/** What is missing while a part of it is done. */
const HALF = { mail: 'steps.mail_test', backup: 'steps.backup_tonight' } as const

type StepsData = {
  words: Words
  csrfToken: string
  steps: Readonly<Record<Step, boolean>>
  half: Readonly<Partial<Record<Step, boolean>>>
}

export function firstStepsView(data: StepsData): Html {
  const { words, csrfToken, steps } = data
  const done = STEPS.filter((step) => steps[step]).length
  return cardView({
    title: words.t('steps.title'),
    aside: postButtonView({ action: DISMISS, csrfToken, label: words.t('steps.dismiss'), kind: 'quiet', small: true, icon: 'x' }),
    body: html`${progressView({ words, label: words.t('steps.progress'), done, total: STEPS.length })}
<ul class="steps">${STEPS.map((step) => stepView(data, step))}</ul>`,
  })
}

function stepView({ words, steps, half }: StepsData, step: Step): Html {
  const isDone = steps[step]
  const state = iconView(isDone ? 'circle-check' : 'circle-dashed', { title: words.t(isDone ? 'steps.done' : 'steps.open') })
  const hint = words.t(half[step] && step in HALF ? HALF[step as keyof typeof HALF] : `steps.${step}_text`)
  const more = (MORE[step] ?? []).map(({ href, label }) => html` <a href="${href}">${words.t(label)}</a>`)
  return html`<li class="step tone-${isDone ? 'good' : 'quiet'}" data-step="${step}">${state}<span><a href="${PLACES[step]}">${words.t(`steps.${step}`)}</a>${!isDone && html`<small>${hint}${more}</small>`}</span></li>`
}
