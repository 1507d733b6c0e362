-- Text as people search it: without case and accents, and with umlauts in both spellings (“Müller”, “Mueller”, “Muller”). Not `unaccent`,
-- which depends on a dictionary and cannot be indexed. Not a function that is inlined: with its real cost, the planner prefers the index.
create function search_text(text) returns text language plpgsql immutable strict parallel safe cost 1000 as $$
begin
  return replace(replace(replace(replace(lower(translate($1,
    'àáâãäåāăąæçćĉċčďđèéêëēĕėęěĝğġģĥħìíîïĩīĭįıĵķĺļľłñńņňòóôõöøōŏőœŕŗřśŝşšșţťŧțùúûüũūŭůűųŵýÿŷźżžÀÁÂÃÄÅĀĂĄÆÇĆĈĊČĎĐÈÉÊËĒĔĖĘĚĜĞĠĢĤĦÌÍÎÏĨĪĬĮĴĶĹĻĽŁÑŃŅŇÒÓÔÕÖØŌŎŐŒŔŖŘŚŜŞŠȘŢŤŦȚÙÚÛÜŨŪŬŮŰŲŴÝŸŶŹŻŽ',
    'aaaaaaaaaacccccddeeeeeeeeegggghhiiiiiiiiijkllllnnnnoooooooooorrrsssssttttuuuuuuuuuuwyyyzzzaaaaaaaaaacccccddeeeeeeeeegggghhiiiiiiiijkllllnnnnoooooooooorrrsssssttttuuuuuuuuuuwyyyzzz')), 'ß', 'ss'), 'ae', 'a'), 'oe', 'o'), 'ue', 'u');
end
$$;

-- Without the right to create the extension, the search reads all people and finds no typing errors; `doctor` says so, and repeats this.
-- Building the index takes about a second for 100,000 people.
create function prepare_people_search() returns boolean language plpgsql as $$
begin
  create extension if not exists pg_trgm;
  create index if not exists user_profile_search_idx on user_profile
    using gin (search_text(display_name) gin_trgm_ops, search_text(email) gin_trgm_ops);
  return true;
exception when insufficient_privilege or undefined_file or feature_not_supported or undefined_object or invalid_schema_name then
  return false;
end
$$;
select prepare_people_search();
