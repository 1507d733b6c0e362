-- A job marks confirmed participations as finished after the shift. What ended before is marked here, so that its follow-ups do not run.
alter table participation disable trigger user;
update participation set finished = true from event
where event.id = participation.event_id and participation.state = 1 and not participation.finished
  and participation.end_time < now() - interval '1 day' and event.cancelled_at is null;
alter table participation enable trigger user;

create or replace function place_participation() returns trigger language plpgsql as $$
begin
  -- Lock the event before reading the shift, in the same order as commands: a concurrent move or publication is then visible.
  perform from event where id = (select event_id from shift where shift.id = new.shift_id) for no key update;
  select shift.event_id, coalesce(new.individual_start_time, shift.start_time), coalesce(new.individual_end_time, shift.end_time),
      shift.listed_audience_id
    into new.event_id, new.start_time, new.end_time, new.listed_audience_id
    from shift where shift.id = new.shift_id;
  if tg_op = 'UPDATE' then
    -- A new audience of the event and the end of the shift do not change the participation, so forms that are open on a board stay valid.
    new.version := old.version;
    old.listed_audience_id := new.listed_audience_id;
    old.finished := new.finished;
    if new is distinct from old then new.version := old.version + 1; end if;
  end if;
  return new;
end $$;
