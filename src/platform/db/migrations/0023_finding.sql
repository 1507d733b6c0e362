-- What a home page asks for each time: coming shifts that lack people, and those with open requests.
create index shift_missing_idx on shift (end_time, id) where missing > 0;
create index shift_asked_idx on shift (end_time, id) where requested_count > 0 and signup_flow_slug <> 'coupled';
