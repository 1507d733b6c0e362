import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#app'
import type { Runtime } from '#platform/features/runtime.ts'
import { FEATURES } from '../../src/features.ts'

/** Stands for everything that tasks are made with; none of them runs here. */
const anything: unknown = new Proxy(() => anything, {
  get: (_target, name) =>
    name === Symbol.toPrimitive ? () => 'anything' : name === Symbol.iterator ? [][Symbol.iterator] : anything,
  apply: () => anything,
})

/** When tasks run by themselves, in UTC: most at night, what people wait for every minute. */
const SCHEDULES: Record<string, string> = {
  announce_service_account_expiry: '27 6 * * *',
  announce_token_expiry: '23 6 * * *',
  clean_up_busy_times: '51 3 * * *',
  clean_up_federation: '23 3 * * *',
  clean_up_joining: '11 * * * *',
  clean_up_oauth: '37 3 * * *',
  clean_up_people_actions: '17 * * * *',
  clean_up_people_imports: '11 * * * *',
  clean_up_sign_in: '17 3 * * *',
  clean_up_sign_in_states: '19 3 * * *',
  clean_up_tokens: '53 3 * * *',
  clean_up_viewing: '19 3 * * *',
  clean_up_webhooks: '37 * * * *',
  delete_old_changes: '29 3 * * *',
  delete_old_proofs: '53 3 * * *',
  delete_removed_shifts: '17 * * * *',
  empty_bin: '43 3 * * *',
  empty_template_bin: '47 3 * * *',
  end_guardianships: '7 1 * * *',
  erase_accounts: '7 * * * *',
  finish_participations: '*/10 * * * *',
  follow_programmes: '*/5 * * * *',
  forecast_shifts: '41 * * * *',
  grant_event_qualifications: '*/10 * * * *',
  nightly_backup: '30 1 * * *',
  offer_places: '* * * * *',
  queue_notifications: '* * * * *',
  recompute_statistics: '* * * * *',
  refresh_calendars: '*/10 * * * *',
  remind: '*/10 * * * *',
  resume_people_actions: '* * * * *',
  resume_people_imports: '* * * * *',
  retention: '37 3 * * *',
  rotate_signing_keys: '23 2 * * *',
  send_inquiry_waves: '* * * * *',
  sequence_changes: '* * * * *',
  sync_hosts: '* * * * *',
  tell_guests: '* * * * *',
}

test('tasks of features run when the table says', () => {
  const tasks = FEATURES.flatMap((feature) => feature.tasks?.(anything as Runtime) ?? [])
  const found = Object.fromEntries(tasks.flatMap(({ name, schedule }) => (schedule ? [[name, schedule]] : [])))
  assert.deepEqual(found, SCHEDULES)
})
