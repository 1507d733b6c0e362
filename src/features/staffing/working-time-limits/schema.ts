import { z } from 'zod'
import { defineForm, number, select } from '#platform/ui/define-form.ts'
import type { Limit, LimitKind } from './rules.ts'

/** Smallest and largest value of each limit that is a number. */
const RANGES = {
  rest_hours: [1, 72],
  hours_per_week: [1, 168],
  nights_in_row: [1, 14],
  minor_hours_per_day: [1, 24],
  minor_latest_hour: [12, 23],
} as const satisfies Partial<Record<LimitKind, readonly [number, number]>>

/** Empty: no limit. */
const amount = (kind: keyof typeof RANGES) => {
  const [min, max] = RANGES[kind]
  const isWithin = (value: string) => value === '' || (/^\d{1,3}$/.test(value) && Number(value) >= min && Number(value) <= max)
  return number({
    label: `limits.${kind}`,
    help: `limits.${kind}_help`,
    min,
    max,
    schema: z
      .string()
      .trim()
      .default('')
      .refine(isWithin, `limits.${kind}_invalid`)
      .transform((value) => (value === '' ? null : Number(value))),
  })
}

const MODES = ['warn', 'refuse'] as const
const mode = () =>
  select({
    label: 'limits.mode',
    placeholder: false,
    options: (words) => MODES.map((value) => ({ value, label: words.t(`limits.mode_${value}`) })),
    schema: z.enum(MODES, 'form.invalid').default('warn'),
  })

const ACCOMPANIED = ['off', ...MODES] as const

export const limitsForm = defineForm({
  rest_hours: amount('rest_hours'),
  rest_hours_mode: mode(),
  hours_per_week: amount('hours_per_week'),
  hours_per_week_mode: mode(),
  nights_in_row: amount('nights_in_row'),
  nights_in_row_mode: mode(),
  minor_hours_per_day: amount('minor_hours_per_day'),
  minor_hours_per_day_mode: mode(),
  minor_latest_hour: amount('minor_latest_hour'),
  minor_latest_hour_mode: mode(),
  minor_accompanied: select({
    label: 'limits.minor_accompanied',
    placeholder: false,
    options: (words) => ACCOMPANIED.map((value) => ({ value, label: words.t(`limits.accompanied_${value}`) })),
    schema: z.enum(ACCOMPANIED, 'form.invalid').default('off'),
  }),
})
export type LimitsForm = z.infer<typeof limitsForm.schema>

const AMOUNTS = Object.keys(RANGES) as (keyof typeof RANGES)[]

export function readLimits(form: LimitsForm): Limit[] {
  const amounts = AMOUNTS.flatMap((kind): Limit[] => {
    const value = form[kind]
    return value === null ? [] : [{ kind, value, blocks: form[`${kind}_mode`] === 'refuse' }]
  })
  const { minor_accompanied: accompanied } = form
  return accompanied === 'off' ? amounts : [...amounts, { kind: 'minor_accompanied', value: 1, blocks: accompanied === 'refuse' }]
}

export function writeLimits(limits: readonly Limit[]) {
  const limitOf = (kind: LimitKind) => limits.find((limit) => limit.kind === kind)
  const modeOf = (limit: Limit | undefined) => (limit?.blocks ? 'refuse' : 'warn')
  const accompanied = limitOf('minor_accompanied')
  return {
    ...Object.fromEntries(
      AMOUNTS.flatMap((kind) => [
        [kind, limitOf(kind)?.value ?? ''],
        [`${kind}_mode`, modeOf(limitOf(kind))],
      ]),
    ),
    minor_accompanied: accompanied ? modeOf(accompanied) : 'off',
  }
}
