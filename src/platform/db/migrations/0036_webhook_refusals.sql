-- A change that a receiver refuses several times does not stop the webhook: it is marked as refused, and the next ones go on.
alter table webhook_queue
  -- Refusals in a row of the change after the position.
  add column refusals integer not null default 0,
  -- Changes in a row that were passed over because the receiver refused them.
  add column passed_over integer not null default 0,
  -- When the last one was passed over.
  add column refused_at timestamptz;
alter table webhook_delivery drop constraint webhook_delivery_state_check;
alter table webhook_delivery add constraint webhook_delivery_state_check
  check (state in ('waiting', 'delivered', 'failed', 'skipped', 'refused'));
